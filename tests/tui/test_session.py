"""A table at one terminal: seats, saving, resuming, and refusals."""

from pathlib import Path

import pytest

from fivedice.core.dice import Keep
from fivedice.core.rules import book
from fivedice.errors import FivediceError
from fivedice.table.state import Phase
from fivedice.terminal.game_lines import opening, result, to_beat
from fivedice.terminal.session import TERMINAL, PlayOptions, Session, games, open_tables
from tui.keyboard import best_box

HOUSE = 'extends = "yahtzee"\nname = "Our Yahtzee"\n[bonus]\npoints = 50\n'


def play_on(session: Session, turns: int = 100) -> None:
    while session.state.phase is Phase.PLAYING and turns:
        if session.bot_is_next:
            session.bot_move()
        else:
            session.roll()
            session.score(best_box(session))
            turns -= 1


def test_saved_games_are_resumed_by_id_or_as_the_last(begin, tables) -> None:
    session = begin("yahtzee", "Ann", "Bob")
    session.roll()
    session.roll((0, 3))
    again = Session.resume(tables, None)
    assert (again.id, again.state.slots, again.state.held) == (session.id, session.state.slots, (0, 3))
    first, second = begin(), begin("yatzy")
    first.roll()
    assert Session.resume(tables, None).id == first.id
    assert Session.resume(tables, second.id).state.book.key == "yatzy"
    with pytest.raises(FivediceError, match="There is no game 'nothing'"):
        Session.resume(tables, "nothing")


def test_resume_without_a_saved_game(tables):
    with pytest.raises(FivediceError, match="No game is in progress"):
        Session.resume(tables, None)


def test_finished_game_sets_the_best_score(begin, tables):
    session = begin()
    play_on(session)
    with pytest.raises(FivediceError, match="No game is in progress"):
        Session.resume(tables, None)
    total = session.game.position.cards[0].total
    assert to_beat(session) == f"{total} is the best so far, and the new score to beat."
    assert to_beat(begin()) == f"Score to beat: {total}."
    assert to_beat(begin("yatzy")) == ""
    assert [entry.total for entry in games(tables) if entry.phase == "finished"] == [total]


def test_prepared_rematch_starts_when_resumed(begin, tables):
    session = begin("yahtzee", "Ann", "Bob")
    play_on(session)
    following = tables.rematch(session.id, TERMINAL)
    assert tables.state(following).phase is Phase.SEATING
    resumed = Session.resume(tables, None)
    assert resumed.id == following
    assert resumed.game.first == session.game.next_first
    assert session.again().id == following, "asked twice, it is the same table"


def test_duplicate_names_are_refused(begin, tables):
    with pytest.raises(FivediceError, match="Two players are called 'Ann '"):
        begin("yahtzee", "Ann", "Bob", "Ann ")
    assert games(tables) == []


def test_stale_bot_moves_and_unknown_dice_are_refused(begin) -> None:
    session = begin("yahtzee", "Ann", bots=("random",))
    while not session.bot_is_next:
        session.roll()
        session.score(best_box(session))
    thought = session.choose_bot_move()
    session.bot_move(thought)
    with pytest.raises(FivediceError, match="has changed since you looked"):
        session.bot_move(thought)
    session = begin()
    with pytest.raises(FivediceError, match="nothing to keep yet"):
        session.slots_to_keep(Keep.parse("1"))
    session.roll()  # 5 1 3 1 3
    assert session.slots_to_keep(Keep.parse("13")) == (1, 2)
    with pytest.raises(FivediceError, match=r"You can’t keep 6\. The dice are 1-1-3-3-5\."):
        session.slots_to_keep(Keep.parse("6"))


def test_house_rules_are_saved_with_the_game(tables, tmp_path: Path):
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


def test_opening_names_roll_off_ties(begin):
    seeds = (str(number) for number in range(200))
    tied = next(s for s in (begin("yahtzee", "Ann", "Bob", seed=seed) for seed in seeds) if len(rounds(s)) > 1)
    assert " A tie. Again: " in opening(tied)
    assert opening(tied).endswith(f"{tied.game.players[tied.game.first]} starts.")


def rounds(session: Session) -> tuple[object, ...]:
    assert session.game.roll_off is not None
    return session.game.roll_off.rounds


def test_standing_of_a_shared_win(begin, monkeypatch):
    session = begin("yahtzee", "Ann", "Bob", "Cy")
    play_on(session)
    lines = result(session).splitlines()
    assert [line[:2] for line in lines[:3]] == ["1.", "2.", "3."]
    outcome = type(session.game.outcome)((200, 100, 200), (0, 2))
    monkeypatch.setattr(type(session.game), "outcome", property(lambda _: outcome))
    assert [line.split()[0] for line in result(session).splitlines()[:3]] == ["1.", "1.", "3."]
