"""The training of one person: the next decision, hints, answers, a rating, and a summary of the last twenty.

Ratings of people and positions are Glicko-2, one answer at a time, by the library glicko2-py. A `Trainee` is a value.
It is stored as JSON after each step; the store refuses a step that starts from an old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

from fivedice.coaching.hint_messages import percentage_points
from fivedice.message import Message, message
from fivedice.positions.bank import bank
from fivedice.positions.judging import Judgement, write_move
from fivedice.reports.decisions import Theme

LAST = 20  # answers in a summary
MOST_SEEN = 80  # positions that are not asked again soon
MISTAKES = "mistakes"  # in place of a theme: decisions of one's own games


TAU = 0.5  # how fast the volatility may change
LEAST_DEVIATION = 45.0  # so that a rating never stops moving
SCORES = (1.0, 0.5, 0.0, 0.0)  # of an answer, by the grade of its loss


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its deviation and volatility; the defaults are those of a new person."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def data(self) -> list[float]:
        return [self.value, self.deviation, self.volatility]


POSITION_DEVIATION = 110.0  # of a position that was only rated by bots


def rate_answer(person: Rating, position: Rating, grade: int) -> tuple[Rating, Rating]:
    """Return both ratings after an answer: a good one raises that of the person and lowers that of the position."""
    score = SCORES[grade]
    return _move(person, position, score), _move(position, person, 1 - score)


def rate_meetings(months: Iterable[tuple[int, int, int]]) -> tuple[Rating, Rating]:
    """Return the ratings of two people from their games: how many each won, and how many were even, month by month.

    >>> one, other = rate_meetings([(7, 3, 0)])
    >>> round(one.value), round(other.value), round(one.deviation)
    (1670, 1330, 149)
    """
    one, other = Rating(), Rating()
    for won, lost, even in months:
        scores = [1.0] * won + [0.0] * lost + [0.5] * even
        one, other = _move(one, other, *scores), _move(other, one, *(1 - score for score in scores))
    return one, other


def _move(own: Rating, other: Rating, *scores: float) -> Rating:
    met = [(rating_to_mu(other.value), rd_to_phi(other.deviation), score) for score in scores]
    found = update_rating(rating_to_mu(own.value), rd_to_phi(own.deviation), own.volatility, met, TAU)
    return Rating(mu_to_rating(found.mu), max(LEAST_DEVIATION, phi_to_rd(found.phi)), found.sigma)


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that waits for an answer, or the one that was answered last."""

    book: str  # the key of shipped rules, or the id of house rules
    text: str  # the position
    id: str
    theme: str
    wanted: str = ""  # the theme that was chosen, MISTAKES, or nothing
    hinted: bool = False
    move: str = ""  # the answer
    lost: float = 0.0  # points; in the theme of the win, percentage points


@dataclass(frozen=True, slots=True)
class Trainee:
    """All that is stored about the training of a person."""

    rating: Rating = field(default_factory=Rating)
    answered: int = 0
    hints: int = 0
    asked: Asked | None = None
    last: tuple[tuple[str, float, bool], ...] = ()  # theme, what was lost, with a hint; the newest first
    seen: tuple[str, ...] = ()  # ids of positions, the newest first

    @property
    def waits(self) -> bool:
        """Return whether a decision waits for an answer."""
        return self.asked is not None and not self.asked.move

    def ask(self, asked: Asked) -> Trainee:
        """Return the training with the next decision."""
        return replace(self, asked=asked, seen=(asked.id, *self.seen)[:MOST_SEEN])

    def take_hint(self) -> Trainee:
        """Return the training after a hint, which counts once per decision."""
        if self.asked is None or self.asked.hinted or not self.waits:
            return self
        return replace(self, hints=self.hints + 1, asked=replace(self.asked, hinted=True))

    def answer(self, judged: Judgement, position: Rating | None) -> tuple[Trainee, Rating | None]:
        """Return the training and the rating of the position after an answer.

        Without a rating of the position, and after a hint, ratings stay as they are.
        """
        asked = self.asked
        if asked is None:
            return self, None
        own, moved = self.rating, None
        if position is not None and not asked.hinted:
            own, moved = rate_answer(own, position, judged.grade)
        done = replace(asked, move=write_move(judged.position.book, judged.move), lost=judged.lost)
        last = ((asked.theme, judged.lost, asked.hinted), *self.last)[:LAST]
        return replace(self, rating=own, answered=self.answered + 1, asked=done, last=last), moved

    def to_data(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Trainee:
        """Return the training from its data; a new one if there is none."""
        if not data:
            return cls()
        asked = data["asked"] and Asked(**data["asked"])
        last = tuple((str(theme), float(lost), bool(hint)) for theme, lost, hint in data["last"])
        found = {name: data[name] for name in ("answered", "hints")}
        return cls(**found, rating=Rating(**data["rating"]), asked=asked, last=last, seen=tuple(data["seen"]))


@dataclass(frozen=True, slots=True)
class LastAnswers:
    """The last answers: how many were best, the points given away, and the theme that cost most points."""

    count: int
    best: int
    lost: float
    odds: Message | None  # what was lost where the win was played for
    hints: int
    losses: tuple[float, ...]  # oldest first
    weakest: str | None  # the theme with the highest mean loss


def summarize(trainee: Trainee) -> LastAnswers:
    """Return the summary of the last twenty answers."""
    last = trainee.last
    means: dict[str, float] = {}
    for theme in dict.fromkeys(theme for theme, _, _ in last if theme != Theme.WIN):
        losses = [lost for each, lost, _ in last if each == theme]
        means[theme] = sum(losses) / len(losses)
    odds = [lost for theme, lost, _ in last if theme == Theme.WIN]
    weakest = max(means, key=lambda theme: means[theme], default=None)
    return LastAnswers(
        len(last),
        sum(lost == 0 for _, lost, _ in last),
        sum(lost for theme, lost, _ in last if theme != Theme.WIN),
        message("coach.train-odds-lost", cost=percentage_points(sum(odds) / 100)) if odds else None,
        sum(hinted for _, _, hinted in last),
        tuple(lost for _, lost, _ in reversed(last)),
        weakest if weakest is not None and means[weakest] > 0 else None,
    )


def rating_of(asked: Asked, stored: Mapping[str, tuple[float, float, float]]) -> Rating | None:
    """Return the rating of a position; None if it is not from the bank, so that nothing is rated by it."""
    if asked.id in stored:
        return Rating(*stored[asked.id])
    known = bank().get(asked.id)
    return None if known is None or asked.wanted == MISTAKES else Rating(known.rating, POSITION_DEVIATION)


def parse_wanted(text: str) -> str:
    """Return a theme, MISTAKES, or nothing for any theme; unknown texts mean any."""
    return text if text == MISTAKES or text in {theme.value for theme in Theme} else ""
