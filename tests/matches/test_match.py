"""Matches: fair seats, results independent of the executor, and luck that averages out."""

import re
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from math import inf, isnan, sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

import fivedice as fd
from fivedice.players.match_games import LuckMeter
from fivedice.players.match_result import Match, estimate, shares_of
from for_each import for_each
from long import few
from matches.own_bots import Anything, Fails, Highest, Judged, Moody

RULES = "crag"  # three dice, two rolls: quick


@contextmanager
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@contextmanager
def cluster() -> Iterator[Executor]:
    """A Dask cluster on this machine."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as local,
        Client(local) as client,
        client.get_executor() as executor,
    ):
        yield executor


def play_match(executor: Executor | None = None, games: int = 22) -> Match:
    return fd.match([Anything, Moody(), "perfect"], games, book=RULES, seed=5, executor=executor)


def same(one: Match, other: Match) -> None:
    assert np.array_equal(one.totals, other.totals)
    assert one.luck is not None
    assert other.luck is not None
    assert np.array_equal(one.luck, other.luck)
    assert one.players == other.players


@pytest.fixture(scope="module")
def alone() -> Match:
    return play_match()


@pytest.mark.parametrize("pool", few([lambda: ThreadPoolExecutor(3), processes, cluster], 1))
@pytest.mark.filterwarnings("default::DeprecationWarning")
@pytest.mark.filterwarnings("default::ResourceWarning")
def test_results_do_not_depend_on_the_executor(pool, alone: Match) -> None:  # type: ignore[no-untyped-def]
    """Including bots that draw moves, and bots that keep state."""
    with pool() as executor:
        same(alone, play_match(executor))


def test_executor_and_number_of_games_do_not_change_results(alone: Match) -> None:
    assert np.array_equal(play_match(games=7).totals, alone.totals[:7])
    assert not np.array_equal(fd.match([Highest, Anything], 5, book=RULES, seed=6).totals, alone.totals[:5, :2])
    assert repr(alone).startswith("<Match of 22 games of 'crag': anything ")
    lines = str(alone).splitlines()
    assert lines[0] == "Crag, 22 games, seed 5"
    assert [line.split()[0] for line in lines[2:5]] == ["anything", "Moody", "perfect"]
    answer = alone.to_json()
    assert answer["players"][2]["points_worth"] is None  # endless
    assert answer["players"][0]["adjusted_share"].keys() == {"value", "error", "low", "high"}


def test_every_bot_plays_every_seat_with_the_same_dice() -> None:
    one, other = Judged(), Judged()
    fd.match([one, other], 6, book=RULES)
    assert [seat for seat, _ in one.seats] == [0, 1, 0, 1, 0, 1]
    assert [seat for seat, _ in other.seats] == [1, 0, 1, 0, 1, 0]
    assert one.seats[0] == other.seats[1]
    assert one.seats[1] == other.seats[0]
    assert one.seats[0][1] != one.seats[2][1]


def test_points_without_luck_are_optimum_less_losses() -> None:
    """By the advice of the solver, decision by decision, which knows nothing of luck."""
    one = Judged()
    match = fd.match([one, "perfect"], 4, book=RULES, seed=3)
    value = fd.solve(fd.book(RULES)).value(fd.Scorecard.empty(fd.book(RULES)))
    assert match.luck is not None
    assert (match.totals[:, 0] - match.luck[0, :, 0]).sum() == pytest.approx(4 * value - sum(one.lost))
    perfect = match.players[1].adjusted_points
    assert perfect is not None
    assert (perfect.value, perfect.error) == (pytest.approx(value), 0)
    assert match.players[1].points_worth == inf


@for_each("players", [2, 3])
def test_match_luck_averages_to_zero(players: int) -> None:
    """Over all ways in which dice may fall, at the start and in mid-turn, for all players, in points and in shares."""
    rules = fd.book(RULES)
    meter = LuckMeter(rules, fd.solve(rules), players)
    meter.begin([(seat + 1) % players for seat in range(players)], deal=0)
    position, bot = fd.Position.start(rules, players), Moody()
    for _ in range(4 * players):
        while position.chance_moves_next:
            ways = list(position.chances())
            sums = sum(weight * _luck(meter, position, throw)[0] for throw, weight in ways)
            assert np.abs(sums).max() < 1e-6
            throw, _ = ways[len(ways) // 3]
            (points, shares), expected = _luck(meter, position, throw)
            meter.points, meter.shares, meter._expected = meter.points + points, meter.shares + shares, expected
            position = fd.apply(position, throw).after
            assert meter.shares.sum() == pytest.approx(0)
        move = bot.choose(position)
        after = fd.apply(position, move).after
        if isinstance(move, fd.Mark):
            meter.add_score(position, after)
        position = after
    assert np.abs(meter.shares).min() > 0


def test_measure_learns_from_earlier_deals_alone() -> None:
    """The other games of a deal have the same dice: a measure that learned from them would be biased."""
    meter = LuckMeter(fd.book(RULES), fd.solve(RULES), 2)
    first, second, third = (_luck_of_game(meter, deal) for deal in (0, 0, 1))
    assert second.tolist() == first.tolist()
    assert np.abs(third - first).max() > 0.001


def _luck_of_game(meter: LuckMeter, deal: int) -> np.ndarray:
    """Play a game with the same dice and moves each time, and return the luck in shares."""
    meter.begin([0, 1], deal)
    position, bots, random = fd.Position.start(fd.book(RULES), 2), (Highest(), fd.bots.bot("perfect", RULES)), Random(1)
    while not position.is_over:
        if position.chance_moves_next:
            throw = random.choice([each for each, _ in position.chances()])
            after = fd.apply(position, throw).after
            meter.add_throw(position, after)
        else:
            move = bots[position.seat].choose(position)
            after = fd.apply(position, move).after
            if isinstance(move, fd.Mark):
                meter.add_score(position, after)
        position = after
    return meter.shares.copy()


def _luck(meter: LuckMeter, position: fd.Position, throw: fd.Throw) -> tuple[np.ndarray, np.ndarray]:
    """Of one way in which the dice may fall, and what is expected after it; the meter is left as it was."""
    before = meter.points.copy(), meter.shares.copy(), meter._expected.copy()
    meter.add_throw(position, fd.apply(position, throw).after)
    found = np.array([meter.points - before[0], meter.shares - before[1]]), meter._expected
    meter.points, meter.shares, meter._expected = before
    return found


def test_luck_free_result_is_more_precise() -> None:
    match = fd.match([Moody, "perfect"], 40, book=RULES, seed=2)
    for each in match.players:
        assert each.adjusted_share is not None
        assert each.adjusted_points is not None
        assert each.share_worth is not None
        error = sqrt(each.share.error**2 + each.adjusted_share.error**2)
        assert abs(each.share.value - each.adjusted_share.value) < 4.5 * error
        error = sqrt(each.points.error**2 + each.adjusted_points.error**2)
        assert abs(each.points.value - each.adjusted_points.value) < 4.5 * error
        assert each.share_worth > 1.3
    assert sum(each.adjusted_share.value for each in match.players if each.adjusted_share) == pytest.approx(1)


def test_wins_and_errors_are_counted_per_deal() -> None:
    totals = np.array([[7, 7, 1], [9, 2, 3], [1, 2, 3], [5, 5, 5]], dtype=np.int32)
    assert shares_of(totals).tolist() == [[0.5, 0.5, 0], [1, 0, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]]
    alike = fd.match([Highest, Highest], 20, book=RULES)
    assert [each.name for each in alike.players] == ["Highest", "Highest 2"]
    assert alike.players[0].share.value == 0.5  # every deal is played in both seats
    assert all(each.wins + each.draws + each.losses == 20 for each in alike.players)
    values = np.array([1.0, 3.0, 2.0, 8.0, 4.0, 0.0])
    deals = values.reshape(-1, 2).mean(axis=1)
    found = estimate(values, 2)
    assert found.value == values.mean()
    assert found.error == pytest.approx(deals.std(ddof=1) / sqrt(3))
    assert found.high - found.value == pytest.approx(1.959964 * found.error)
    assert isnan(estimate(values[:2], 2).error)


def test_intervals_of_shares() -> None:
    """Published: 10 of 10 gives 0.7225 to 1, and 5 of 10 gives 0.2366 to 0.7634."""
    better = fd.match(["perfect", Highest], 10, book="yahtzee")
    assert (better.players[0].wins, better.players[0].share.high) == (10, 1)
    assert better.players[0].share.low == pytest.approx(0.7225, abs=5e-5)
    even = fd.match([Highest, Highest], 10, book=RULES).players[0].share
    assert (even.low, even.high) == (pytest.approx(0.2366, abs=5e-5), pytest.approx(0.7634, abs=5e-5))
    # Their raw numbers stay: an estimate that was cut would no longer be right on average.
    match = fd.match(["perfect", Highest], 4, book=RULES, seed=4)
    raw = [each.adjusted_share for each in match.players]
    assert any(each is not None and each.high > 1 for each in raw)
    shown = [float(part) for part in re.findall(r"(-?[0-9.]+)%", str(match).split("In a short")[0] + repr(match))]
    assert all(0 <= each <= 100 for each in shown)
    assert "In a short match a share without luck can pass 0% or 100%." in str(match)


def test_records_of_all_games_are_in_order(tmp_path: Path) -> None:
    texts: list[str] = []
    answer: list[str] = []
    bots = [Anything, "perfect"]
    with ThreadPoolExecutor(2) as pool:
        match = fd.match(bots, 24, book=RULES, seed=3, executor=pool, records=texts)  # type: ignore[arg-type]
    fd.match(bots, 6, book=RULES, seed=3, records=tmp_path / "games.txt")  # type: ignore[arg-type]
    fd.match(bots, 6, book=RULES, seed=3, records=answer.append)  # type: ignore[arg-type]
    assert answer == texts[:6]
    games = fd.read_games((tmp_path / "games.txt").read_text(encoding="utf-8"))
    assert [fd.write_game(game) for game in games] == answer
    for text, totals in zip(texts, match.totals, strict=True):
        game = fd.read_game(text)
        assert game.outcome is not None
        found = dict(zip(game.players, game.outcome.totals, strict=True))
        assert [found["anything"], found["perfect"]] == totals.tolist()
    with pytest.raises(fd.IllegalError, match="a path, a list or a function"):
        fd.match(bots, 2, book=RULES, records=7)  # type: ignore[arg-type]


def test_solo_records_and_text_keeps() -> None:
    for bot in ("perfect", Highest):
        texts: list[str] = []
        solo = fd.simulate(RULES, 5, bot=bot, seed=2, records=texts)
        assert [fd.read_game(text).position.cards[0].total for text in texts] == solo.totals.tolist()

    class Texts:
        def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
            return fd.Hold(str(position.dice)[:1]) if position.rolls_left else position.legal_moves[-1]  # type: ignore[return-value]

    assert fd.match([Texts, Highest], 2, book=RULES).games == 2


def test_unsolved_rules_are_played_without_luck_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.players.match_games.has_values", lambda _: False)
    match = fd.match([Highest, Anything], 4, book=RULES)
    assert match.luck is None
    assert match.players[0].adjusted_share is None
    assert "is not solved here" in str(match)
    assert match.to_json()["players"][0]["share_worth"] is None


@for_each(
    ("last", "said"),
    [
        (fd.Mark("no_such_box"), "no_such_box"),
        (fd.Hold(fd.Keep((9, 9))), "Hold"),
        ("44", "Return a Hold or a Mark"),
        (fd.Hold("99"), "Hold"),
        (None, "chose None in game 1"),
        (KeyError("oh"), "failed in game 1 with \"KeyError: 'oh'\""),
    ],
)
def test_failed_bot_is_named_with_game_and_position(last: object, said: str) -> None:
    with pytest.raises(fd.BotError) as caught:
        fd.match([Highest, Fails(last)], 4, book=RULES)
    assert said in str(caught.value)
    assert "'Fails'" in str(caught.value)
    args = caught.value.message.args
    assert args["game"] == 1
    position = fd.read_position(str(args["position"]))
    assert (position.seat, position.card.filled.bit_count()) == (1, 5)


def test_invalid_matches_are_refused() -> None:
    with pytest.raises(fd.IllegalError, match=r"A match has 2 to 12 players in a list. You gave \['steady'\]"):
        fd.match(["steady"])
    with pytest.raises(fd.IllegalError, match="2 to 12 players"):
        fd.match("steady")
    with pytest.raises(fd.IllegalError, match="You entered 0"):
        fd.match(["steady", "sharp"], 0)
    with pytest.raises(fd.MalformedError, match=r"There is no bot 'steddy'\. Choose newcomer, .* or champion"):
        fd.match(["steddy", "sharp"])
    with pytest.raises(fd.IllegalError, match=r"'int' is not a bot: 7 has no method choose\(position\)"):
        fd.match([7, "sharp"])  # type: ignore[list-item]
    with pytest.raises(fd.IllegalError, match="not an executor: it has no method submit"):
        fd.match([Highest, Highest], 4, book=RULES, executor="two")  # type: ignore[arg-type]
    with pytest.raises(fd.BotError, match="The bot 'Fails' can’t be made: 'TypeError"):
        fd.match([Fails, Highest], 4, book=RULES)


class _Answers(Executor):
    """Fails as a pool of processes does."""

    def __init__(self, error: Exception) -> None:
        self.error, self.made = error, list[Future[object]]()

    def submit(self, *_args: object, **_kwargs: object) -> Future[object]:  # type: ignore[override]
        future: Future[object] = Future()
        if not self.made:
            future.set_exception(self.error)
        self.made.append(future)
        return future


def test_unpicklable_bot_is_named() -> None:
    class Local(Highest):
        pass

    pool = _Answers(AttributeError("Can't pickle local object"))
    with pytest.raises(fd.BotError, match="The bot 'Local' can’t be sent to other processes"):
        fd.match([Highest, Local], 60, book=RULES, executor=pool)
    assert len(pool.made) == 3
    assert all(future.cancelled() for future in pool.made[1:])
    with pytest.raises(fd.BotError, match="The workers stopped"):
        fd.match([Highest, Anything], 4, book=RULES, executor=_Answers(BrokenProcessPool("gone")))
    with pytest.raises(OSError, match="network"):
        fd.match([Highest, Anything], 4, book=RULES, executor=_Answers(OSError("network")))


def test_progress_of_games_and_blocks() -> None:
    seen: list[tuple[int, int]] = []
    fd.match([Highest, Anything], 3, book=RULES, progress=lambda *answer: seen.append(answer))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    seen.clear()
    with ThreadPoolExecutor(1) as pool:
        fd.match([Highest, Anything], 25, book=RULES, executor=pool, progress=lambda *answer: seen.append(answer))
    assert seen == [(20, 25), (25, 25)]


def view_text(value: object) -> str:
    """The text of a view, as a browser would have it."""
    view = getattr(value, "_repr_html_", None) or value._repr_svg_  # type: ignore[attr-defined]
    return " ".join(ElementTree.fromstring(f"<div>{view()}</div>").itertext())  # noqa: S314 - our own


def test_results_are_shown_in_a_notebook() -> None:
    class Odd(Highest):
        name = "<b>&"

    advice = fd.solve("crag").advise(fd.read_position("crag - 0 466 1"))
    assert [cell for cell in ("Keep or box", "Value", "Cost", "66") if cell not in view_text(advice)] == []
    assert "66" in view_text(advice[0])
    assert advice[0].move == fd.Hold("66")
    assert {each.move for each in advice} >= {fd.Mark("sixes"), fd.Hold("-")}
    match = fd.match([Odd, "perfect"], 2, book="crag", seed=1)
    assert all(text in view_text(match) for text in ("<b>&", "perfect", "Crag, 2 games", "95%"))
    texts: list[str] = []
    solo = fd.simulate("crag", 20, bot=Highest, seed=1, records=texts)
    assert "mean 92.4" in view_text(solo)
    report = fd.report(fd.read_game(texts[0]), win=False)
    assert f"{report.players[0].total}" in view_text(report)
    assert "Highest" in view_text(report)
    perfect: list[str] = []
    fd.simulate("crag", 1, records=perfect)
    assert view_text(fd.report(fd.read_game(perfect[0])))
