"""A table at one terminal: seats, saving, going on, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from fivedice.core.dice import Keep
from fivedice.core.rules import book
from fivedice.errors import FivediceError
from fivedice.table.state import Phase
from fivedice.terminal.game_lines import opening, result, to_beat
from fivedice.terminal.session import TERMINAL, PlayOptions, Session, games, open_tables
from tui.hands import best_box

HOUSE = 'extends = "yahtzee"\nname = "Our Yahtzee"\n[bonus]\npoints = 50\n'


def play_on(session: Session, turns: int = 100) -> None:
    while session.state.phase is Phase.PLAYING and turns:
        if session.bot_is_next:
            session.bot_move()
        else:
            session.roll()
            session.score(best_box(session))
            turns -= 1


def test_a_game_goes_on_where_it_was(begin, tables):
    session = begin("yahtzee", "Ann", "Bob")
    session.roll()
    session.roll((0, 3))
    again = Session.resume(tables, None)
    assert (again.id, again.state.slots, again.state.held) == (session.id, session.state.slots, (0, 3))


def test_the_last_unfinished_game_is_resumed_and_any_by_its_name(begin, tables):
    first, second = begin(), begin("yatzy")
    first.roll()
    assert Session.resume(tables, None).id == first.id
    assert Session.resume(tables, second.id).state.book.key == "yatzy"
    with pytest.raises(FivediceError, match="There is no game 'nothing'"):
        Session.resume(tables, "nothing")


def test_nothing_to_resume(tables):
    with pytest.raises(FivediceError, match="No game is in progress"):
        Session.resume(tables, None)


def test_a_finished_game_is_not_resumed_and_sets_the_score_to_beat(begin, tables):
    session = begin()
    play_on(session)
    with pytest.raises(FivediceError, match="No game is in progress"):
        Session.resume(tables, None)
    total = session.game.position.cards[0].total
    assert to_beat(session) == f"{total} is the best so far, and the new score to beat."
    assert to_beat(begin()) == f"Score to beat: {total}."
    assert to_beat(begin("yatzy")) == ""
    assert [entry.total for entry in games(tables) if entry.phase == "finished"] == [total]


def test_a_rematch_that_was_set_up_but_not_begun_begins_when_it_is_resumed(begin, tables):
    session = begin("yahtzee", "Ann", "Bob")
    play_on(session)
    following = tables.rematch(session.id, TERMINAL)
    assert tables.state(following).phase is Phase.SEATING
    resumed = Session.resume(tables, None)
    assert resumed.id == following
    assert resumed.game.first == session.game.next_first
    assert session.again().id == following, "asked twice, it is the same table"


def test_two_players_of_one_name_are_refused(begin, tables):
    with pytest.raises(FivediceError, match="Two players are called 'Ann '"):
        begin("yahtzee", "Ann", "Bob", "Ann ")
    assert games(tables) == []


def test_a_stale_thought_of_a_bot_is_refused(begin):
    session = begin("yahtzee", "Ann", bots=("random",))
    while not session.bot_is_next:
        session.roll()
        session.score(best_box(session))
    thought = session.choose_bot_move()
    session.bot_move(thought)
    with pytest.raises(FivediceError, match="has changed since you looked"):
        session.bot_move(thought)


def test_dice_that_do_not_lie_there_cannot_be_held(begin):
    session = begin()
    with pytest.raises(FivediceError, match="nothing to keep yet"):
        session.slots_to_keep(Keep.parse("1"))
    session.roll()  # 5 1 3 1 3
    assert session.slots_to_keep(Keep.parse("13")) == (1, 2)
    with pytest.raises(FivediceError, match=r"You can’t keep 6\. The dice are 1-1-3-3-5\."):
        session.slots_to_keep(Keep.parse("6"))


def test_a_house_book_is_kept_with_the_game(tables, tmp_path: Path):
    file = tmp_path / "ours.toml"
    file.write_text(HOUSE)
    session = Session.start(tables, PlayOptions(book(file), ("Ann",), HOUSE, seed="1"))
    session.roll()
    file.unlink()
    tables.store.close()
    fresh = open_tables()
    resumed = Session.resume(fresh, None)
    assert resumed.state.book.name == "Our Yahtzee"
    assert resumed.state.book.bonus.points == 50
    play_on(resumed)
    assert resumed.game.is_over
    assert "the new score to beat" in result(resumed)
    fresh.store.close()


def test_the_opening_names_ties_of_the_roll_off(begin):
    seeds = (str(number) for number in range(200))
    tied = next(s for s in (begin("yahtzee", "Ann", "Bob", seed=seed) for seed in seeds) if len(rounds(s)) > 1)
    assert " A tie. Again: " in opening(tied)
    assert opening(tied).endswith(f"{tied.game.players[tied.game.first]} starts.")


def rounds(session: Session) -> tuple[object, ...]:
    assert session.game.roll_off is not None
    return session.game.roll_off.rounds


def test_standing_with_a_shared_win(begin, monkeypatch):
    session = begin("yahtzee", "Ann", "Bob", "Cy")
    play_on(session)
    lines = result(session).splitlines()
    assert [line[:2] for line in lines[:3]] == ["1.", "2.", "3."]
    outcome = type(session.game.outcome)((200, 100, 200), (0, 2))
    monkeypatch.setattr(type(session.game), "outcome", property(lambda _: outcome))
    assert [line.split()[0] for line in result(session).splitlines()[:3]] == ["1.", "1.", "3."]
