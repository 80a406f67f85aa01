"""The home page, lists of games, rules and help, and the ways to start a new game.

A game starts with one click, alone or for a friend, or on a page with all choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from fivedice.core.rules import DEFAULT, SHIPPED, RuleBook, shipped
from fivedice.core.rules.book_facts import box_rule, differences, facts, find_renamed
from fivedice.message import Message, message
from fivedice.store.deals import Attempt
from fivedice.store.decision_store import TenResult
from fivedice.store.results import TableEntry
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.seating import CALM
from fivedice.table.daily import book_of_day
from fivedice.table.refusals import PromiseServed, Refusal
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import headline
from fivedice.text import points
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import Req, get, post
from fivedice.web.http.identity import Person, only_this_device
from fivedice.web.pages.house_rules.rule_examples import box_dice, worked_examples
from fivedice.web.services.app_services import AppServices
from fivedice.web.services.notices import is_awaited

IN_DETAIL = 20  # games that are shown with their progress
MOST_NAMED = 2  # opponents in a headline
_MINUTE, _HOUR, _DAY, _LONG_AGO = 60, 3600, 86_400, 30 * 86_400


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a game, as one of its players sees it."""

    says: Message  # whose turn it is
    yours: bool  # whether it is this player's turn
    round: Message
    totals: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line of a list of games."""

    entry: TableEntry
    when: Message | None  # None: long ago, so the date is shown
    progress: Progress | None  # None: finished, not started, or beyond the first `IN_DETAIL`


def game_lines(services: AppServices, player: str, entries: list[TableEntry]) -> list[GameLine]:
    """Return the lines of a list of games; games in progress have their progress."""
    now = datetime.now(UTC)
    playing = [entry.id for entry in entries if entry.phase == Phase.PLAYING][:IN_DETAIL]
    states = {table: services.tables.state(table) for table in playing}
    return [
        GameLine(entry, ago(entry.updated, now), progress(states[entry.id], player) if entry.id in states else None)
        for entry in entries
    ]


def progress(state: TableState, player: str) -> Progress:
    mine, seat = state.seats_of(player), state.on_turn
    return Progress(
        says=_progress_headline(state, player),
        yours=seat is not None and seat in mine,
        round=message("home.round", round=min(state.round, len(state.book.boxes)), rounds=len(state.book.boxes)),
        totals=_totals(state, mine),
    )


def _progress_headline(state: TableState, player: str) -> Message:
    mine = state.seats_of(player)
    if state.on_turn not in mine or len(mine) > 1 or state.real_dice:
        return headline(state, player)
    others = tuple(state.who(seat) for seat in range(len(state.seats)) if seat not in mine)
    if not others:
        return message("home.alone")
    if len(others) > MOST_NAMED:
        return message("home.against-many", count=len(others))
    return message("home.against", others=others)


def _totals(state: TableState, mine: tuple[int, ...]) -> tuple[Message, ...]:
    """Return the totals: your own points first for two players, otherwise everyone's by name."""
    totals = [card.total for card in state.running.position.cards]
    if len(totals) == 1:
        return (message("home.points", count=totals[0]),)
    if len(totals) == 2 and len(mine) == 1:
        return (message("home.two-totals", mine=totals[mine[0]], theirs=totals[1 - mine[0]]),)
    return tuple(message("home.total-of", name=state.who(seat), total=total) for seat, total in enumerate(totals))


def ago(updated: str, now: datetime) -> Message | None:
    """Return how long ago that was; None for a date that is long past. The reader's time zone is unknown."""
    seconds = int((now - datetime.fromisoformat(updated)).total_seconds())
    if seconds < _MINUTE:
        return message("home.just-now")
    if seconds < _HOUR:
        return message("home.minutes-ago", count=seconds // _MINUTE)
    if seconds < _DAY:
        return message("home.hours-ago", count=seconds // _HOUR)
    return message("home.days-ago", count=seconds // _DAY) if seconds < _LONG_AGO else None


ASKING = ("/new", "/pad", "/house")  # pages that ask for the passphrase, besides the home page
UNDER_WAY = (str(Phase.PLAYING), str(Phase.SEATING))
FIRST_LEVEL = "steady"  # of the bots: most people can beat it now and then


@get("/")
def home(services: AppServices, person: Person) -> Page:
    return home_page(services, person)


def home_page(services: AppServices, person: Person, notice: str | None = None, status: int = 200) -> Page:
    """Return the home page: the current game or a new one, a game for a friend, real dice, and another game.

    With a notice, the first is a new game, because starting one has failed.
    """
    store = services.tables.store
    entries = store.own_tables.of(person.id, IN_DETAIL, UNDER_WAY)
    going_on = _game_to_continue(services, person, entries) if notice is None else None
    others = [entry for entry in entries if entry is not going_on]
    book = store.choices.of(person.id).get("book")
    names = store.shelf.book_names([book, *(entry.book for entry in entries[:1])])
    book = book if book in names else DEFAULT
    return page(
        "home/home.html",
        status,
        running=None if going_on is None else game_lines(services, person.id, [going_on])[0],
        others=len(others),
        other=f"/t/{others[0].id}" if len(others) == 1 else "/tables",
        names=names,
        book=book,
        best=store.results.best(person.id).get(book),
        notice=notice,
        bot_level=store.choices.of(person.id).get("bot_level", FIRST_LEVEL),
        today=_today_card(services, person),
        circles=_circles_card(services, person),
        promises=[store.promises.make() for _ in range(3)],  # one for each form that starts a game with digital dice
    )


def _game_to_continue(services: AppServices, person: Person, entries: list[TableEntry]) -> TableEntry | None:
    """Return the newest game in progress; where it's someone else's turn, rather one in which others wait."""
    playing = [entry for entry in entries if entry.phase == Phase.PLAYING]
    for number, entry in enumerate(playing):
        state = services.tables.state(entry.id)
        if (not number and state.on_turn in state.seats_of(person.id)) or is_awaited(state, person.id):
            return entry
    return next(iter(playing), None)


def _today_card(services: AppServices, person: Person) -> dict[str, Any]:
    """Return the rules of today's game, and how it and the ten went. Nothing is stored by looking at the home page."""
    days, deals = services.daily.days, services.tables.store.deals
    day = days.today()
    deal = deals.find(day.isoformat())
    book = shipped(book_of_day(day) if deal is None else deal.book)
    attempt = deals.attempt(day.isoformat(), person.id)
    ten = services.tables.store.decisions.ten_result(person.id, day.isoformat())
    return {"book": book, "attempt": attempt, "said": _both_lost(attempt, ten)}


def _both_lost(attempt: Attempt | None, ten: TenResult | None) -> Message | None:
    """Return the points lost in the ten of today, and in its game if it is finished; None without them."""
    if ten is None or not ten.finished or (attempt is not None and attempt.points_lost is None):
        return None
    if attempt is None or attempt.points_lost is None:
        return message("home.daily-ten-lost", points=points(ten.lost))
    return message("home.daily-both-lost", game=points(attempt.points_lost), ten=points(ten.lost))


def _circles_card(services: AppServices, person: Person) -> dict[str, Any] | None:
    """Return where one's circles are, and who waits for players there; None for someone without a circle."""
    store = services.tables.store.circles
    own = {circle.id: circle for circle in store.of(person.id)}
    if not own:
        return None
    waiting = [game for game in store.open_games(list(own), person.id) if game.phase == Phase.SEATING]
    for game in waiting:
        state = services.tables.state(game.table)
        if state.host != person.id and state.seats and game.asked in (None, own[game.circle].me):
            return {"path": f"/circle/{game.circle}", "name": own[game.circle].name, "waits": state.seats[0].name}
    only = next(iter(own.values()))
    return {"path": f"/circle/{only.id}", "name": only.name} if len(own) == 1 else {"path": "/circles", "name": None}


@post("/passphrase", status_code=303)
def enter_passphrase(request: Req, services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Take the passphrase once per browser, then show the page that asked for it again."""
    try:
        cookie = services.gate.enter(request, form.last("passphrase"))
    except Refusal as refusal:
        return home_page(services, person, str(refusal), refusal.status)
    answer = see_other(form.last("back") if form.last("back") in ASKING else "/")
    if cookie is not None:
        answer.set_cookie(cookie)
    return answer


@get("/new")
def new_page(services: AppServices, person: Person) -> Page:
    return set_up_page(services, person, services.tables.store.choices.of(person.id))


def set_up_page(
    services: AppServices, person: Person, choices: Mapping[str, Any], notice: str | None = None, status: int = 200
) -> Page:
    """Return the page with all choices for a game, filled in as they were chosen last time or just now."""
    store = services.tables.store
    book, mine = choices.get("book", DEFAULT), store.shelf.of(person.id)
    found = store.shelf.book(book)
    if found is not None and book not in SHIPPED:  # perhaps someone else's, but played last
        mine = {book: found} | mine
    return page(
        "home/new.html",
        status,
        books=[shipped(key) for key in SHIPPED],
        mine=mine,
        choices=dict(choices) | {"book": DEFAULT if found is None else book},
        best=store.results.best(person.id),
        bots=bot_choices(),
        not_offered=not_offered([*map(shipped, SHIPPED), *mine.values()]),
        notice=notice,
        promise=store.promises.make(),
    )


def bot_choices(book: RuleBook | None = None) -> list[dict[str, Any]]:
    """Return the levels of bots, all or those for a book, with their average scores."""
    from fivedice.players import bots

    levels = bots.LEVELS if book is None else bots.offered(book)
    return [{"level": level, "about": bots.about(level), "means": bots.means(level)} for level in levels]


def not_offered(books: Iterable[RuleBook]) -> Message | None:
    """Return for which of these books perfect play is not offered."""
    from fivedice.players import bots

    fewer = tuple(book for book in books if bots.unavailable("perfect", book) is not None)
    return message("bots.not-offered", books=fewer) if fewer else None


@get("/tables")
def my_tables(services: AppServices, person: Person) -> Page:
    store = services.tables.store
    entries, best = store.own_tables.of(person.id), store.results.best(person.id)
    names = store.shelf.book_names([*best, *(entry.book for entry in entries)])
    return page("home/tables.html", lines=game_lines(services, person.id, entries), best=best, names=names)


@get("/rules")
def rules() -> Page:
    return page("house_rules/rules.html", shelf={key: shipped(key) for key in SHIPPED})


@get("/rules/{key:str}")
def rules_of(key: str, against: str | None = None) -> Page:
    book, other = shipped(key), None if against is None else shipped(against)
    return page(
        "house_rules/book.html",
        book=book,
        facts=facts(book),
        box_rule=box_rule,
        box_dice=box_dice(book),
        examples=worked_examples(book),
        others=[shipped(other_key) for other_key in SHIPPED if other_key != key],
        other=other,
        differences=() if other is None else differences(book, other),
        find_renamed=() if other is None else find_renamed(book, other),
    )


@get("/help")
def help_page(services: AppServices) -> Page:
    return page("home/help.html", only_here=only_this_device(services.settings))


@get("/api")
def api_page(request: Req, services: AppServices) -> Page:
    return page("api/api.html", base=services.link(request, ""), commands=tuple(cmd.COMMANDS))


@get("/favicon.ico", status_code=204, lane=None)
def favicon() -> None:
    """Answer browsers that ask for an icon at the usual address; every page names its own."""


@post("/play", status_code=303)
def play(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Start a solo game with the rules that were played last."""
    return _open_at_once(services, person, form, cmd.StartGame(person.id))


@post("/friend", status_code=303)
def play_a_friend(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Open a game with the rules that were played last. It starts when a friend joins; its page has the link."""
    return _open_at_once(services, person, form, cmd.StartWith(person.id, 2))


@post("/bot", status_code=303)
def play_a_bot(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Start a game against a bot with the rules that were played last, and remember its level."""
    level, choices = form.last("level", FIRST_LEVEL), services.tables.store.choices
    answer = _open_at_once(services, person, form, cmd.SeatBot(person.id, level), cmd.StartGame(person.id))
    choices.remember(person.id, choices.of(person.id) | {"bot_level": level})
    return answer


def _open_at_once(services: AppServices, person: Person, form: Form, *then: cmd.Command) -> SeeOther | Page:
    choices = services.tables.store.choices.of(person.id)
    sit = cmd.SitDown(person.id, choices.get("name") or None, text=form.last("text"))
    try:
        table = services.tables.open(person.id, choices.get("book", DEFAULT), word=_word(form), then=[sit, *then])
    except PromiseServed as served:  # an old page, perhaps by the back button: the new one has a new dice lock
        return home_page(services, person, str(served), served.status)
    return see_other(f"/t/{table}")


def _word(form: Form) -> str | None:
    return form.last("word") if "word" in form.fields else None


@dataclass(frozen=True, slots=True)
class Choices:
    """A person's choices on the page for a new game, remembered for the next time."""

    book: str
    name: str
    others: list[str]
    bots: list[str]
    coach: bool
    pace: str = CALM

    def commands(self, player: str, text: str) -> list[cmd.Command]:
        """Return the commands that seat everyone, the person with the text for the dice first. Names are optional."""
        people = [cmd.SitDown(player, self.name or None, text=text)]
        people += [cmd.SitDown(player, name) for name in self.others]
        return [*people, *(cmd.SeatBot(player, level) for level in self.bots)]


def choices_from(form: Form) -> Choices:
    name, *others = [name.strip() for name in form.all("name")] or [""]
    bots = [level for level in form.all("bot") if level]
    people, pace = [other for other in others if other], form.last("pace", CALM)
    return Choices(form.last("book", DEFAULT), name, people, bots, form.ticked("coach"), pace)


@post("/tables", status_code=303)
def set_up(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Open a game as chosen, and start it or invite others. If it is refused, show the page with the same choices."""
    chosen, store = choices_from(form), services.tables.store
    then = chosen.commands(person.id, form.last("text"))
    if form.last("action") != "invite":
        then.append(cmd.StartGame(person.id))
    remembered = store.choices.of(person.id) | asdict(chosen)
    try:
        table = services.tables.open(
            person.id, chosen.book, coach=chosen.coach, pace=chosen.pace, word=_word(form), then=then
        )
    except Refusal as refusal:
        return set_up_page(services, person, remembered, str(refusal), refusal.status)
    store.choices.remember(person.id, remembered)
    return see_other(f"/t/{table}")
