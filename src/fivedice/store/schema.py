"""The tables of the database. `migrations/` builds them; a test checks that both agree."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("join_code", String(32), nullable=False),
    Column("secret", String(64), nullable=False),  # the seed of the dice; never leaves the server
    Column("version", Integer, nullable=False),
    Column("edition", Integer, nullable=False, server_default="0"),  # a new number after each restore
    Column("book", String(40), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("house_to_move", Boolean, nullable=False),
    Column("created", String(32), nullable=False),
    Column("updated", String(32), nullable=False),
    Index("tables_by_end", "phase", "updated", "id"),
)
# Covers only games that wait for a bot: see migration 0011. Repeating its condition here would load both dialects.
Index("tables_waiting", tables.c.id)

# The source of truth for all games: their seats and results are derived from it.
events = Table(
    "events",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("data", JSON, nullable=False),
    Column("key", String(64)),  # of the command that caused the event; on its first event only
    Column("at", String(32), nullable=False),
    Column("command", String(64)),  # hash of the command with this key; NULL in rows of earlier versions
    UniqueConstraint("table_id", "key", name="one_command_once"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(64)),
    Column("name", String(80), nullable=False),
    Index("seats_by_player", "player"),
)

# Each finished game of a sheet has its own results.
results = Table(
    "results",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("game", Integer, primary_key=True),  # counted from 0
    Column("seat", Integer, primary_key=True),
    Column("total", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("id", String(64), primary_key=True),  # hash of the key in the browser
    Column("choices", JSON, nullable=False),  # name, rules and bots: defaults for the next game
    Column("seen", String(32), nullable=False),
)

handovers = Table(
    "handovers",
    metadata,
    Column("code", String(64), primary_key=True),  # hashed, like every key to a seat or to the scorekeeper's role
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Index("handovers_by_table", "table_id"),
)

books = Table(
    "books",
    metadata,
    Column("id", String(32), primary_key=True),  # computed from the text
    Column("text", Text, nullable=False),
    Column("name", String(80), nullable=False),
    Column("created", String(32), nullable=False),
)

shelves = Table(
    "shelves",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("book_id", String(32), ForeignKey("books.id"), primary_key=True),
    Column("saved", String(32), nullable=False),
)

# Random secrets of the server, and the time of its last probe. They must never be shown.
facts = Table(
    "facts",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
)

promises = Table(
    "promises",
    metadata,
    Column("nonce", String(64), primary_key=True),  # the word on the page that showed the commitment
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
)

# Everyone whom the log of a table names, seated or not: needed when they change their key or delete their data.
parts = Table(
    "parts",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Index("parts_by_table", "table_id"),
)

# The keys with which programs opened tables: a repeated request finds the same table.
openings = Table(
    "openings",
    metadata,
    Column("key", String(64), primary_key=True),  # hashed together with the host's id
    Column("content", String(64), nullable=False),  # the SHA-256 of the request
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Index("openings_by_table", "table_id"),
)

# People whose data is being deleted, a few games at a time: an interrupted deletion is completed later.
leaving = Table("leaving", metadata, Column("player", String(64), primary_key=True))

# Games that were put away, stored for a while in case the clock was wrong.
attic = Table(
    "attic",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("since", String(32), nullable=False),
    Column("content", JSON, nullable=False),  # the rows of the game in all other tables
    Index("attic_by_time", "since"),
)

# Counts of the dice in all finished games, updated when a game ends, and the times of the last looks for old games.
tallies = Table(
    "tallies",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("content", JSON, nullable=False),
)

# Facts from the report of a finished game about one seat, so that statistics need not analyse the game again.
game_facts = Table(
    "game_facts",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("game", Integer, primary_key=True),  # counted from 0
    Column("seat", Integer, primary_key=True),
    Column("version", Integer, nullable=False),  # of the table that was analysed
    Column("release", String(32), nullable=False),  # of Fivedice that analysed it: another one does so again
    Column("content", JSON, nullable=False),
)

# Dice that several people play, each alone: those of a day, of a finished game, or of a group until a date.
deals = Table(
    "deals",
    metadata,
    Column("name", String(32), primary_key=True),  # the date of a daily game; otherwise random, and part of the link
    Column("book", String(40), nullable=False),
    Column("secret", String(64), nullable=False),  # of the dice; never shown before the deal is over
    Column("known", String(64), nullable=False),  # the public facts that the dice of a finished game are derived from
    Column("turns", JSON, nullable=False),  # its turns whose dice are dealt, in order; empty: all
    Column("table_id", String(32), ForeignKey("tables.id")),  # the finished game; None for new dice
    Column("seat", Integer),
    Column("player", String(64)),  # who made it; None for a day, and once they are deleted
    Column("title", String(80), nullable=False),
    Column("closes", String(10)),  # the last date on which it can be begun; None: no limit
    Column("created", String(32), nullable=False),
    UniqueConstraint("table_id", "seat", name="one_deal_per_seat"),
    Index("deals_by_player", "player"),
)

# The first attempt of each person at a deal. Later attempts are practice, and only games.
attempts = Table(
    "attempts",
    metadata,
    Column("deal", String(32), ForeignKey("deals.name"), primary_key=True),
    Column("player", String(64), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Column("name", String(80), nullable=False),  # for the standings of a group
    Column("begun", String(32), nullable=False),
    Column("finished", String(32)),
    Column("total", Integer),
    Column("lost", Integer),  # tenths of a point, from the report; written once, together with its count
    Column("facts", JSON),  # luck, the points lost in each turn, and the dearest decision
    Index("attempts_by_player", "player"),
    Index("attempts_by_table", "table_id"),
    Index("attempts_by_end", "deal", "finished"),
)

# How many people lost how much: counts only, which remain when a person is deleted.
fields = Table(
    "fields",
    metadata,
    Column("deal", String(32), ForeignKey("deals.name"), primary_key=True),
    Column("lost", Integer, primary_key=True),
    Column("count", Integer, nullable=False),
)

# The ten decisions of a day that a person has answered.
tens = Table(
    "tens",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("answered", Integer, nullable=False),
    Column("answers", JSON, nullable=False),  # a move and the points that it lost, each
    Column("late", Boolean, nullable=False),  # begun after the day: practice, which no field counts
    Column("begun", String(32)),  # NULL in rows of earlier versions
)

# How many people lost how much in the ten of a day: counts only, which remain when a person is deleted.
ten_fields = Table(
    "ten_fields",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("lost", Integer, primary_key=True),  # tenths of a point
    Column("count", Integer, nullable=False),
)

# The training of each person: rating, the decision that waits for an answer, and the last answers.
trainees = Table(
    "trainees",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("content", JSON, nullable=False),
)

# The ratings of positions that someone has answered in training; others have that of the bank.
position_ratings = Table(
    "position_ratings",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
)

# People who play together: a circle is a link that a family, an office or a class shares.
circles = Table(
    "circles",
    metadata,
    Column("id", String(32), primary_key=True),  # random, and part of the address; only members see the page
    Column("code", String(32), nullable=False),  # the second part of the link with which people join; renewed at will
    Column("name", String(80), nullable=False),
    Column("owner", Integer, nullable=False),  # the number of a member
    Column("joined", Integer, nullable=False),  # how many have ever joined: the number of the newest member
    Column("rounds", Integer, nullable=False),  # how many rounds of games were opened
    Column("deal", String(32), ForeignKey("deals.name")),  # the last deal of the circle
    Column("made", String(32), nullable=False),
)

# Members are named by numbers in addresses and pages: the ids of people never leave the server.
circle_members = Table(
    "circle_members",
    metadata,
    Column("circle", String(32), ForeignKey("circles.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("player", String(64), nullable=False),
    Column("name", String(80), nullable=False),
    Column("since", String(32), nullable=False),
    UniqueConstraint("circle", "player", name="one_member_per_person"),
    Index("circle_members_by_player", "player"),
)

# The games that were started from a circle.
circle_games = Table(
    "circle_games",
    metadata,
    Column("circle", String(32), ForeignKey("circles.id"), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("round", Integer, nullable=False),  # 0: a game of its own
    Column("asked", Integer),  # the member whom it is for; None: for all
    Column("opened", String(32), nullable=False),
    Index("circle_games_by_time", "circle", "opened"),
    Index("circle_games_by_round", "circle", "round"),
)

# The finished games of people who shared a circle when the game ended, one row per person.
shared_games = Table(
    "shared_games",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("player", String(64), primary_key=True),
    Column("ended", String(32), nullable=False),
    Column("total", Integer, nullable=False),
    Column("lost", Integer),  # tenths of a point, from the report; all rows of a game are judged together
    Column("luck", Integer),
    Index("shared_games_by_player", "player", "ended"),
)

# Counts of `shared_games` for each pair of people: a month, or "" for all time.
meetings = Table(
    "meetings",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("month", String(7), primary_key=True),
    Column("other", String(64), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),  # games in which `player` had more points
    Column("judged", Integer, nullable=False),  # games whose report is known; the rest counts these
    Column("better", Integer, nullable=False),  # games in which `player` lost fewer points
    Column("lost", Integer, nullable=False),  # tenths of a point
    Column("luck", Integer, nullable=False),
    Index("meetings_by_other", "other"),
)

# Counts of the daily games of each person that have a result: a month, or "" for all time.
played_days = Table(
    "played_days",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("month", String(7), primary_key=True),
    Column("days", Integer, nullable=False),
    Column("lost", Integer, nullable=False),  # tenths of a point
)

# Unused links that join another browser to the same person: at most one of each kind per person.
device_links = Table(
    "device_links",
    metadata,
    Column("code", String(64), primary_key=True),  # hashed
    Column("player", String(64), nullable=False),
    Column("sealed", Text, nullable=False),  # the key of the browser, encrypted with the code
    Column("spare", Boolean, nullable=False),
    Column("created", String(32), nullable=False),
    UniqueConstraint("player", "spare", name="one_link_of_each_kind"),
)

# Where a person wants to be notified: a push service, and the keys with which only that browser reads a notice.
subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String(64), primary_key=True),  # hash of the address
    Column("player", String(64), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(20), nullable=False),
    Column("failures", Integer, nullable=False),  # in a row
    Column("created", String(32), nullable=False),
    Index("subscriptions_by_player", "player"),
)

# The address that is called for a circle, which its owner chose.
webhooks = Table(
    "webhooks",
    metadata,
    Column("circle", String(64), primary_key=True),
    Column("address", Text, nullable=False),
    Column("failures", Integer, nullable=False),  # in a row
)
