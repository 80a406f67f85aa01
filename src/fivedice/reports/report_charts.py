"""The charts of a report (its course, totals among perfect games, the dice) and of statistics (totals, accuracy)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.drawing import svg as draw
from fivedice.drawing.svg import COLOURS, DASHES, Chart, Scale
from fivedice.message import Chance, Message, Series, message
from fivedice.reports.decisions import DiceCount
from fivedice.reports.game_report import Report
from fivedice.reports.perfect import Perfect
from fivedice.reports.shown_parts import shown_turns
from fivedice.reports.statistics import BookStatistics
from fivedice.text import format_signed, percent, points, word

if TYPE_CHECKING:
    from fivedice.reports.win_report import GameWins

WIDTH = 360
_LEFT, _RIGHT, _TOP = 36, 350, 14
_LOWEST = 168  # the lowest value of a course: labels below it stay clear of the axis


def charts(report: Report, perfect: Perfect | None, colours: Sequence[str] = ()) -> tuple[Chart, ...]:
    """Draw the charts of a report, with the names of the seats' colours if players chose them.

    The chart of totals needs a finished game and perfect games to compare with.
    """
    drawn = [course(report, colours)]
    if report.wins is not None:
        drawn.append(win_course(report, report.wins, colours))
    if perfect is not None and report.finished:
        drawn.append(among_perfect(report, perfect, colours))
    return (*drawn, dice(report))


def course(report: Report, colours: Sequence[str] = ()) -> Chart:
    """Draw the expected final total after every turn, and mark the luckiest turns and the costliest decisions."""
    courses = [[player.start, *(turn.end for turn in player.turns)] for player in report.players]
    marks = draw.ticks(min(map(min, courses)), max(map(max, courses)))
    turns = len(report.book.boxes)
    across, up = Scale(0, turns, _LEFT, _RIGHT), Scale(marks[0], marks[-1], _LOWEST, _TOP + 14)
    body = [_level(up(mark), str(mark)) for mark in marks]
    body += [draw.words(across(turn), 206, str(turn), "middle") for turn in range(0, turns + 1, 2 if turns < 14 else 5)]
    body.append(draw.words(_RIGHT, 222, word("report.turns-played"), "end", "faint", draw.FAINT))
    for player, values in zip(report.players, courses, strict=True):
        line = [(across(turn), up(value)) for turn, value in enumerate(values)]
        body += _draw_line(line, player.seat, colours)
    signs = list(_signs(report))
    labels: list[tuple[float, float]] = []
    for sign in signs:
        x, y = across(sign.turn), up(courses[sign.seat][sign.turn])
        middle = min(max(x, _LEFT + 12), WIDTH - 14)
        base = y + draw.SIGNS[sign.kind].text
        free = all(abs(middle - other) > 26 or abs(base - height) > 12 for other, height in labels)
        body.append(draw.sign(sign.kind, x, y, sign.text if free else "", middle))
        labels.append((middle, base))
    key, y = "".join(_key(sorted({sign.kind for sign in signs}))), 240 if signs else 222
    legend, height = _legend([player.name for player in report.players], y + 18, colours)
    said = [
        word("report.course-player", name=player.name, start=round(player.start), end=round(player.expected))
        for player in report.players
    ]
    for sign in signs:
        named = {"sign": word(f"report.{sign.kind}"), "name": report.players[sign.seat].name}
        said.append(word("report.sign-about", **named, turn=sign.turn, points=sign.text))
    return Chart(
        "course",
        word("report.course"),
        word("report.course-about", players=" ".join(said)),
        WIDTH,
        height,
        "".join(body) + key + legend,
        (word("report.turn"), *(player.name for player in report.players)),
        tuple(
            (str(turn), *(points(values[turn]) if turn < len(values) else "" for values in courses))
            for turn in range(max(map(len, courses)))
        ),
    )


_TO_SPEAK_OF = 5  # points of luck in a turn


@dataclass(frozen=True, slots=True)
class _Sign:
    """A mark on a player's line: a lucky turn, an unlucky one, or a costly decision."""

    kind: str
    seat: int
    turn: int
    text: str


def _signs(report: Report) -> Iterator[_Sign]:
    """Yield the luckiest and the unluckiest turn of the game, and the costliest decisions."""
    marked = set()
    by_luck = sorted(
        (parts.luck, player.seat, turn.number)
        for player in report.players
        for turn, parts in zip(player.turns, shown_turns(player), strict=True)
    )
    for kind, (luck, seat, turn) in zip(("unlucky", "lucky"), by_luck[:1] + by_luck[-1:], strict=False):
        if (luck if kind == "lucky" else -luck) >= _TO_SPEAK_OF:
            marked.add((seat, turn))
            yield _Sign(kind, seat, turn, format_signed(round(luck)))
    for moment in report.costliest():
        lost = 0 if (moment.seat, moment.turn) in marked else round(moment.decision.loss)
        yield _Sign("miss", moment.seat, moment.turn, format_signed(-lost) if lost else "")
        marked.add((moment.seat, moment.turn))


def _key(kinds: list[str]) -> Iterator[str]:
    """Draw what the signs mean."""
    texts = [word(f"report.{kind}") for kind in kinds]
    widths = [10 + 6.6 * len(text) for text in texts]  # of letters of size 12, roughly
    gap, left = min(40.0, (WIDTH - 24 - sum(widths)) / max(1, len(kinds) - 1)), 18.0
    for kind, text, width in zip(kinds, texts, widths, strict=True):
        yield draw.sign(kind, left, 236 - draw.SIGNS[kind].middle, "") + draw.words(left + 10, 240, text)
        left += width + gap


def win_course(report: Report, wins: GameWins, colours: Sequence[str] = ()) -> Chart:
    """Draw each player's chance of winning, move by move."""
    moves = len(wins.moves)
    across, up = Scale(0, max(1, moves), _LEFT, _RIGHT), Scale(0, 1, 190, _TOP)
    body = [_level(up(mark / 100), str(mark)) for mark in range(0, 101, 25)]
    marks = draw.ticks(0, max(1, moves), 6)
    body += [draw.words(across(mark), 206, str(mark), "middle") for mark in marks if mark <= moves]
    body.append(draw.words(_RIGHT, 222, word("report.moves-made"), "end", "faint", draw.FAINT))
    for player in report.players:
        line = [(across(number), up(shares[player.seat])) for number, shares in enumerate(wins.courses)]
        body += _draw_line(line, player.seat, colours)
    legend, height = _legend([player.name for player in report.players], 240, colours)
    ends = [turn.ended for player in report.players for turn in player.turns if turn.ended is not None]
    said = []
    for player in report.players:
        first, last = (Chance(wins.courses[place][player.seat]) for place in (0, -1))
        said.append(word("report.win-course-player", name=player.name, start=first, end=last))
    return Chart(
        "win",
        word("report.win-course"),
        word("report.win-course-about", players=" ".join(said)),
        WIDTH,
        height,
        "".join(body) + legend,
        (word("report.move"), *(player.name for player in report.players)),
        tuple(
            (str(number), *(percent(wins.courses[number][player.seat], 1) for player in report.players))
            for number in [0, *(end + 1 for end in sorted(ends))]
        ),
    )


def among_perfect(report: Report, perfect: Perfect, colours: Sequence[str] = ()) -> Chart:
    """Draw where the final totals lie in the distribution of perfect games."""
    low, high = perfect.odds.quantile(0.001), perfect.odds.quantile(0.999)
    totals = [player.total for player in report.players]
    marks = draw.ticks(min(low, *totals), max(high, *totals), 6)
    across = Scale(marks[0], marks[-1], 12, _RIGHT - 2)
    step = max(1, (marks[-1] - marks[0]) // 60)
    groups = [(first, perfect.share(first, step)) for first in range(marks[0], marks[-1], step)]
    up = Scale(0, max(chance for _, chance in groups), 150, 28)
    wide = across(step) - across(0) - 0.6
    bars = [draw.rect(across(at), up(each), wide, 150 - up(each), "bar", draw.BAR) for at, each in groups]
    axis = [draw.words(across(mark), 166, str(mark), "middle") for mark in marks]
    axis.append(draw.words(_RIGHT, 182, word("report.final-total"), "end", "faint", draw.FAINT))
    for player in report.players:
        name, colour, dash = _look(player.seat, colours)
        at = across(player.total)
        axis.append(draw.line(at, 18, at, 150, f"total c-{name}", colour, dash))
        axis.append(draw.dot(at, 18, f"dot c-{name}", colour))
    shown, places = [], []
    for player in report.players:
        shown.append(word("report.name-and-total", name=draw.shorten(player.name, 15), total=player.total))
        better = Chance(perfect.better_than(player.total))
        places.append(word("report.among-perfect-player", name=player.name, total=player.total, chance=better))
    legend, height = _legend(shown, 200, colours)
    return Chart(
        "perfect",
        word("report.among-perfect"),
        word("report.among-perfect-about", book=report.book, mean=round(perfect.odds.mean), players=" ".join(places)),
        WIDTH,
        height,
        "".join(bars) + draw.line(12, 150, _RIGHT, 150, "axis", draw.FAINT) + "".join(axis) + legend,
        (word("report.player"), word("report.total"), word("report.better-than")),
        tuple((each.name, str(each.total), percent(perfect.better_than(each.total))) for each in report.players),
    )


def dice(report: Report) -> Chart:
    """Draw how often each face was rolled, compared with fair dice."""
    counts = [player.dice for player in report.players]
    both = DiceCount(tuple(sum(each) for each in zip(*(one.counts for one in counts), strict=True)))
    faces, reach = len(both.counts), 2 * both.usual
    top = max(1.0, both.expected + reach, *both.counts)
    up, slot = Scale(0, top, 150, _TOP), (_RIGHT - _LEFT) / faces
    upper, lower = up(both.expected + reach), up(max(0.0, both.expected - reach))
    band = draw.rect(_LEFT, upper, _RIGHT - _LEFT, lower - upper, "area", draw.BAND)
    bars = [_bar(face, fell, _LEFT + slot * (face - 1), slot, up(fell)) for face, fell in enumerate(both.counts, 1)]
    fair = draw.line(_LEFT, up(both.expected), _RIGHT, up(both.expected), "fair", draw.INK, "5 3")
    note = draw.words(_RIGHT, 202, word("report.fair-note"), "end", "faint", draw.FAINT)
    names = [player.name for player in report.players]
    return Chart(
        "dice",
        word("report.dice"),
        word("report.dice-about", count=both.dice, expected=both.expected, reach=reach, faces=_faces(both)),
        WIDTH,
        210,
        band + "".join(bars) + fair + note,
        (word("report.face"), *names, word("report.together"), word("report.expected")),
        tuple(
            (str(face), *map(str, fell), str(sum(fell)), points(both.expected))
            for face, fell in enumerate(zip(*(one.counts for one in counts), strict=True), 1)
        ),
    )


def _bar(face: int, fell: int, at: float, slot: float, top: float) -> str:
    middle = at + slot / 2
    bar = draw.rect(at + slot * 0.2, top, slot * 0.6, 150 - top, "bar strong", draw.STRONG)
    fallen = draw.words(middle, 182, f"{fell} \N{MULTIPLICATION SIGN}", "middle", "faint", draw.FAINT)
    return bar + draw.words(middle, 166, str(face), "middle") + fallen


def _faces(dice: DiceCount) -> Series:
    counts = enumerate(dice.counts, 1)
    return Series(tuple(message("report.face-times", face=face, count=count) for face, count in counts))


def _level(y: float, label: str) -> str:
    return draw.line(_LEFT, y, _RIGHT, y) + draw.words(_LEFT - 5, y + 4, label, "end")


def _look(seat: int, colours: Sequence[str] = ()) -> tuple[str, str, str]:
    """Return the name of a seat's colour, the colour, and dashes. Colours that repeat have other dashes."""
    name = colours[seat] if colours else tuple(COLOURS)[seat % len(COLOURS)]
    again, place = divmod(seat, len(COLOURS))
    return name, COLOURS[name], DASHES[(place + again) % len(DASHES)]


def _draw_line(line: Sequence[tuple[float, float]], seat: int, colours: Sequence[str]) -> list[str]:
    """Draw the line of a player, with a dot at its end."""
    name, colour, dash = _look(seat, colours)
    return [draw.path(line, f"line c-{name}", colour, dash), draw.dot(*line[-1], f"dot c-{name}", colour)]


def _legend(names: Sequence[str], top: int, colours: Sequence[str]) -> tuple[str, int]:
    """Draw a line and a name for each player, two in a row. Return the drawing and its lower end."""
    if len(names) == 1:
        return "", top - 8
    parts = []
    for place, name in enumerate(names):
        x, y = 12 + 176 * (place % 2), top + 18 * (place // 2)
        kind, colour, dash = _look(place, colours)
        parts.append(draw.path([(x, y - 4), (x + 26, y - 4)], f"line c-{kind}", colour, dash))
        parts.append(draw.words(x + 32, y, draw.shorten(name, 20)))
    return "".join(parts), top + 18 * ((len(names) - 1) // 2) + 8


_GROUPS = 24
ENOUGH = 5  # games for a chart


def stat_charts(found: BookStatistics) -> tuple[Chart, ...]:
    """Draw the charts of statistics that have enough games."""
    drawn = []
    if not missing(found):
        drawn.append(totals(found))
    if len(found.accuracies) >= ENOUGH:
        drawn.append(accuracy(found))
    return tuple(drawn)


def missing(found: BookStatistics) -> int:
    """Return how many more games it takes until the totals are drawn."""
    return max(0, ENOUGH - len(found.games))


def totals(found: BookStatistics) -> Chart:
    """Draw the totals of the player's games as bars, of perfect games as a line."""
    perfect = found.perfect
    low, high = min(found.totals), max(found.totals)
    if perfect is not None:
        low, high = min(low, perfect.odds.quantile(0.02)), max(high, perfect.odds.quantile(0.98))
    marks = draw.ticks(low, high, 6)
    step = max(1, -(-(marks[-1] - marks[0]) // _GROUPS))
    starts = range(marks[0], marks[-1] + 1, step)
    mine = [sum(start <= total < start + step for total in found.totals) / len(found.games) for start in starts]
    ideal = [0.0 if perfect is None else perfect.share(start, step) for start in starts]
    across, up = Scale(marks[0], starts[-1] + step, 12, _RIGHT), Scale(0, max(*mine, *ideal, 1e-9), 150, 14)
    wide = across(step) - across(0) - 1
    body = [draw.rect(across(at), up(each), wide, 150 - up(each), "bar strong", draw.STRONG)
            for at, each in zip(starts, mine, strict=True)]  # fmt: skip
    if perfect is not None:
        line = [(across(at + step / 2), up(each)) for at, each in zip(starts, ideal, strict=True)]
        body.append(draw.path(line, "line c-blue", COLOURS["blue"]))
    body.append(draw.line(12, 150, _RIGHT, 150, "axis", draw.FAINT))
    body += [draw.words(across(mark), 166, str(mark), "middle") for mark in marks]
    note = "report.totals-bars" if perfect is None else "report.totals-bars-line"
    body.append(draw.words(_RIGHT, 184, word(note), "end", "faint", draw.FAINT))
    return Chart(
        f"totals-{found.book.key}-{found.book.fingerprint[:8]}",
        word("report.totals-title", book=found.book),
        " ".join(map(str, totals_words(found))),
        WIDTH,
        192,
        "".join(body),
        (word("report.totals"), word("report.your-games"), word("report.perfect-games")),
        tuple(
            (_range(at, at + step - 1), percent(own), percent(best) if perfect is not None else "")
            for at, own, best in zip(starts, mine, ideal, strict=True)
            if own or best >= 0.005
        ),
    )


def totals_words(found: BookStatistics) -> list[Message]:
    """Say how many games there are, their mean score, and the mean of perfect play."""
    sentences = [message("report.games", count=len(found.games), mean=found.mean, best=found.best)]
    if found.perfect is not None:
        sentences.append(message("report.perfect-play", mean=found.perfect.odds.mean))
    return sentences


def _range(first: int, last: int) -> str:
    return word("report.totals-range", first=first, last=last)


def accuracy(found: BookStatistics) -> Chart:
    """Draw a dot per game, and a line through the means of the last ten."""
    games = found.accuracies
    marks = draw.ticks(min(each for _, each, _ in games), 100, 5)
    across, up = Scale(1, len(games), _LEFT, _RIGHT - 4), Scale(marks[0], max(100, marks[-1]), 150, 14)
    body = [_level(up(mark), str(mark)) for mark in marks if mark <= 100]
    body += [
        draw.dot(across(place), up(each), "dot c-green", COLOURS["green"])
        for place, (_, each, _) in enumerate(games, 1)
    ]
    line = [(across(place), up(mean)) for place, (_, _, mean) in enumerate(games, 1)]
    body.append(draw.path(line, "line c-blue", COLOURS["blue"]))
    body.append(draw.words(_RIGHT, 170, word("report.accuracy-note"), "end", "faint", draw.FAINT))
    first, last = percent(games[0][2] / 100), percent(games[-1][2] / 100)
    return Chart(
        f"accuracy-{found.book.key}-{found.book.fingerprint[:8]}",
        word("report.accuracy-title", book=found.book),
        word("report.accuracy-about", count=len(games), first=first, last=last),
        WIDTH,
        178,
        "".join(body),
        (word("report.game"), word("report.accuracy-head"), word("report.accuracy-mean")),
        tuple(
            (str(place), percent(each / 100, 1), percent(mean / 100, 1))
            for place, (_, each, mean) in enumerate(games, 1)
        ),
    )
