"""Statistics of a player: the facts of each finished game, and the games of one book compared with perfect play.

The facts of a game are derived from the game alone, so they can be derived again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

from fivedice.core.game import Game, Mark, Scorecard
from fivedice.core.notation import write_card
from fivedice.core.rules import RuleBook
from fivedice.reports.decisions import Currency, Mean, mean_of

if TYPE_CHECKING:
    from fivedice.reports.decisions import Decision
    from fivedice.reports.game_report import PlayerReport
    from fivedice.reports.perfect import Perfect
    from fivedice.reports.win_report import GameWins
    from fivedice.solver import Solution


@dataclass(frozen=True, slots=True)
class JudgedWin:
    """One player's game, judged by shares of the win."""

    lost: float
    error_rate: float | None
    luck: float
    share: float  # at the end: 1, 0, or the part of a tie
    even_luck: float | None


@dataclass(frozen=True, slots=True)
class Judged:
    """One player's game, judged by points."""

    luck: float
    lost: float
    accuracy: float | None  # None if no turn is fully noted
    by_step: tuple[float, ...]  # points lost at the end of a turn; with 1, 2, ... rolls left
    by_box: tuple[float, ...]  # points lost in the turn that scored each box, in sheet order
    final_dice_turns: int
    fully_noted: bool = True  # only such games show how well a player plays
    error_rate: float | None = None
    win: JudgedWin | None = None  # with several players, once it is computed
    by_theme: dict[str, float] = field(default_factory=dict)  # points lost in the decisions of each theme
    mistakes: tuple[tuple[str, float], ...] = ()  # the costliest decisions: the position, and the points lost


@dataclass(frozen=True, slots=True)
class GameFacts:
    """One seat of one finished game."""

    book: RuleBook
    name: str
    when: str  # ISO 8601, or the date of the record, or empty
    where: str  # the table or the file
    number: int  # of the game in that table or file, counted from 1
    players: int
    won: bool
    total: int
    marks: tuple[int, ...]
    upper_bonus: bool
    five: bool  # the box for all dice the same has points
    extras: int
    judged: Judged | None  # None if the book is not solved


def facts_of(
    game: Game,
    seat: int,
    solution: Solution | None,
    wins: GameWins | None = None,
    *,
    when: str = "",
    where: str = "",
    number: int = 1,
) -> GameFacts:
    """Return the facts of a finished game. Without a solution nothing is judged."""
    card, outcome = game.position.cards[seat], game.outcome
    return GameFacts(
        game.book,
        game.players[seat],
        when,
        where,
        number,
        len(game.players),
        outcome is not None and seat in outcome.winners and len(game.players) > 1,
        card.total,
        tuple(points or 0 for points in card.marks),
        card.upper_bonus > 0,
        card.alike_scored,
        card.bonuses,
        None if solution is None else _judge(game, seat, solution, wins),
    )


_STORED = ("players", "won", "total", "marks", "upper_bonus", "five", "extras")


def facts_to_data(facts: GameFacts) -> dict[str, Any]:
    """Return the facts of a judged game without names and times, ready for JSON."""
    found = {name: getattr(facts, name) for name in _STORED}
    judged = None if facts.judged is None else asdict(facts.judged)
    return {"rules": facts.book.fingerprint, "judged": judged, **found}


def facts_from_data(
    data: dict[str, Any], book: RuleBook, name: str, when: str = "", where: str = "", number: int = 1
) -> GameFacts | None:
    """Read the data that `facts_to_data` returned. Return None if it was judged by other rules."""
    judged: dict[str, Any] | None = data["judged"]
    if data["rules"] != book.fingerprint or judged is None:
        return None
    win = judged["win"] and JudgedWin(**judged["win"])
    lists: dict[str, Any] = {each: tuple(judged[each]) for each in ("by_step", "by_box")}
    lists["mistakes"] = tuple((str(text), float(lost)) for text, lost in judged.get("mistakes", ()))
    found = {each: data[each] for each in _STORED} | {"marks": tuple(data["marks"])}
    return GameFacts(book, name, when, where, number, **found, judged=Judged(**judged | lists | {"win": win}))


def _judge(game: Game, seat: int, solution: Solution, wins: GameWins | None) -> Judged:
    from fivedice.reports.game_report import player_report

    player = player_report(game, seat, solution, wins)
    errors, win = list(_errors(game, player)), None
    if (won := player.wins) is not None:
        win = JudgedWin(player.win_lost, player.error_rate(Currency.WIN), won.luck, won.now, won.even_luck)
    return Judged(
        player.luck,
        player.lost,
        player.accuracy,
        _by_step(player, game.book.rolls),
        _by_box(player, game.book),
        player.final_dice_turns,
        player.fully_noted,
        player.error_rate(Currency.POINTS),
        win,
        _by_theme(solution, errors),
        _mistakes(errors),
    )


MOST_MISTAKES = 3  # of a game that are stored, to be practised
_LEAST_MISTAKE = 0.5  # points


def _errors(game: Game, player: PlayerReport) -> Iterator[tuple[Scorecard, Decision]]:
    """Yield the decisions that lost something, with the card before the turn."""
    marks = (step for step in game.steps if step.before.seat == player.seat and isinstance(step.move, Mark))
    cards = [Scorecard.empty(game.book), *(step.after.cards[player.seat] for step in marks)]
    for turn in player.turns:
        yield from ((cards[turn.number - 1], each) for each in turn.decisions if each.loss)


def _by_theme(solution: Solution, errors: list[tuple[Scorecard, Decision]]) -> dict[str, float]:
    from fivedice.reports.decisions import theme_of

    lost: dict[str, float] = {}
    for card, each in errors:
        theme = theme_of(solution, card, each.roll, each.rolls_left, each.best[0], each.move)
        lost[theme] = lost.get(theme, 0.0) + each.loss
    return lost


def _mistakes(errors: list[tuple[Scorecard, Decision]]) -> tuple[tuple[str, float], ...]:
    clear = [each for each in errors if each[1].loss >= _LEAST_MISTAKE and len(each[1].best) == 1]
    worst = sorted(clear, key=lambda each: -each[1].loss)[:MOST_MISTAKES]
    return tuple(
        (f"{card.book.key} {write_card(card)} 0 {each.roll} {each.rolls_left}", each.loss) for card, each in worst
    )


def _by_step(player: PlayerReport, rolls: int) -> tuple[float, ...]:
    """Sum the points lost after each roll of a turn. Decisions after extra saved rolls count with the last."""
    lost = [0.0] * rolls
    for turn in player.turns:
        for number, (fall, decision) in enumerate(zip(turn.falls, turn.decisions, strict=False), 1):
            at_the_end = fall.last or not decision.rolls_left
            lost[0 if at_the_end else max(1, rolls - number)] += decision.loss
    return tuple(lost)


def _by_box(player: PlayerReport, book: RuleBook) -> tuple[float, ...]:
    lost = [0.0] * len(book.boxes)
    for turn in player.turns:
        if turn.box is not None:
            lost[book.index[turn.box]] += turn.lost
    return tuple(lost)


_SMOOTH = 10  # games in a moving average of the accuracy


@dataclass(frozen=True, slots=True)
class BoxLine:
    """A box: its mean, its mean in perfect play, and the points lost in its turns."""

    key: str
    mean: float
    perfect: float | None
    lost: float | None


@dataclass(frozen=True, slots=True)
class StepLine:
    """A decision of a turn, and the points it loses per game."""

    roll: int | None  # the roll before the decision; None for the choice of a box at the end
    lost: float
    and_later: bool = False  # includes the decisions after later rolls, which saved rolls allow


@dataclass(frozen=True)
class BookStatistics:
    """All games of one book, oldest first."""

    book: RuleBook
    games: tuple[GameFacts, ...]
    perfect: Perfect | None

    @property
    def totals(self) -> list[int]:
        return [game.total for game in self.games]

    @property
    def mean(self) -> float:
        return fmean(self.totals)

    @property
    def sd(self) -> float:
        return pstdev(self.totals)

    @property
    def best(self) -> int:
        return max(self.totals)

    @property
    def judged(self) -> list[Judged]:
        return [game.judged for game in self.games if game.judged is not None]

    @property
    def noted(self) -> list[Judged]:
        """Return the games whose decisions are all known: final dice alone hide the costliest ones."""
        return [each for each in self.judged if each.fully_noted]

    @property
    def accuracy(self) -> float | None:
        """Return the mean accuracy of the fully noted games."""
        return None if self.accuracy_mean is None else self.accuracy_mean.value

    @property
    def accuracy_mean(self) -> Mean | None:
        return mean_of(each.accuracy for each in self.noted)

    @property
    def error_rate(self) -> Mean | None:
        return mean_of(each.error_rate for each in self.noted)

    @property
    def _noted_wins(self) -> list[JudgedWin]:
        return [each.win for each in self.noted if each.win is not None]

    @property
    def win_error_rate(self) -> Mean | None:
        return mean_of(each.error_rate for each in self._noted_wins)

    @property
    def win_lost(self) -> Mean | None:
        """Return the mean share of the win lost per game."""
        return mean_of(each.lost for each in self._noted_wins)

    @property
    def share(self) -> Mean | None:
        """Return the mean share of the win in games whose luck is known."""
        return mean_of(each.share for each in self._noted_wins if each.even_luck is not None)

    @property
    def even_luck(self) -> Mean | None:
        """Return the mean share of the win with average luck, which varies far less."""
        return mean_of(each.even_luck for each in self._noted_wins)

    @property
    def lost(self) -> float | None:
        """Return the points per game that decisions lost."""
        return fmean(each.lost for each in self.noted) if self.noted else None

    @property
    def losses(self) -> list[float]:
        """Return the points that the decisions of each fully noted game lost, oldest game first."""
        return [each.lost for each in self.noted]

    @property
    def lost_by_theme(self) -> dict[str, float]:
        """Return the points per game that decisions of each theme lost, the costliest theme first."""
        known = [each.by_theme for each in self.noted if each.by_theme or not each.lost]
        found = {theme: fmean(each.get(theme, 0.0) for each in known) for each in known for theme in each}
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    @property
    def luck(self) -> float | None:
        return fmean(each.luck for each in self.noted) if self.noted else None

    @property
    def bonus_rate(self) -> float:
        return fmean(game.upper_bonus for game in self.games)

    @property
    def five_rate(self) -> float:
        return fmean(game.five for game in self.games)

    @property
    def extras(self) -> float:
        """Return the extra bonuses per game."""
        return fmean(game.extras for game in self.games)

    @property
    def perfect_five_rate(self) -> float | None:
        """Return how often perfect play scores the box for all dice the same; None unless it pays a fixed sum."""
        place = self.book.alike_box
        if self.perfect is None or place is None:
            return None
        box = self.book.boxes[place]
        return self.perfect.odds.box_means[box.key] / box.constant if box.summed is None else None

    @property
    def boxes(self) -> tuple[BoxLine, ...]:
        return tuple(self._box(place) for place in range(len(self.book.boxes)))

    def _box(self, place: int) -> BoxLine:
        box = self.book.boxes[place]
        return BoxLine(
            box.key,
            fmean(game.marks[place] for game in self.games),
            None if self.perfect is None else self.perfect.odds.box_means[box.key],
            fmean(each.by_box[place] for each in self.noted) if self.noted else None,
        )

    @property
    def steps(self) -> tuple[StepLine, ...]:
        """Return the points lost per game, for each decision of a turn."""
        if not self.noted:
            return ()
        rolls = self.book.rolls
        losses = [fmean(each.by_step[left] for each in self.noted) for left in range(rolls - 1, -1, -1)]
        last = rolls - 1 if self.book.save_rolls else 0
        after = [None if roll == rolls else roll for roll in range(1, rolls + 1)]
        return tuple(StepLine(roll, lost, roll == last) for roll, lost in zip(after, losses, strict=True))

    @property
    def accuracies(self) -> list[tuple[str, float, float]]:
        """Return the date, accuracy and moving average of each fully noted game."""
        noted = [(game.when, game.judged) for game in self.games if game.judged is not None and game.judged.fully_noted]
        known = [(when, judged.accuracy) for when, judged in noted if judged.accuracy is not None]
        values = [accuracy for _, accuracy in known]
        return [
            (when, accuracy, fmean(values[max(0, place - _SMOOTH + 1) : place + 1]))
            for place, (when, accuracy) in enumerate(known)
        ]


def by_book(games: Iterable[GameFacts]) -> list[tuple[GameFacts, ...]]:
    """Group games by rules and boxes, the most played first; within a group the oldest game comes first."""
    found: dict[tuple[str, ...], list[GameFacts]] = {}
    for game in sorted(games, key=lambda each: (each.when, each.where, each.number)):
        sheet = (game.book.fingerprint, *(box.key for box in game.book.boxes))  # a fingerprint ignores their order
        found.setdefault(sheet, []).append(game)
    return sorted(map(tuple, found.values()), key=len, reverse=True)


def names_in(games: Sequence[GameFacts]) -> list[str]:
    """Return the names of the players, most games first."""
    counts = Counter(game.name for game in games)
    return sorted(counts, key=lambda name: (-counts[name], name))
