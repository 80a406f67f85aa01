"""The chart of the calibration, and its numbers as a table."""

from itertools import zip_longest

from analysis.calibration import Bin

SIZE, LEFT, TOP = 360, 60, 30
BEGIN, END = "<!-- calibration -->", "<!-- end of calibration -->"


def table(title: str, bins: list[Bin]) -> str:
    games = sum(each.count for each in bins)
    head = f"{title}: {games} games\n\n| said | came true | standard error | games |\n|---|---|---|---|\n"
    return head + "\n".join(f"| {each.said:.1%} | {each.came:.1%} | {each.error:.1%} | {each.count} |" for each in bins)


def page_table(deciles: list[Bin], rounds: list[tuple[str, Bin]]) -> str:
    """Both side by side, as the page of reports has them."""
    measured = "said | came true | standard error | games"
    lines = [f"| {measured} | | favourites, in round | {measured} |", "|" + 10 * "---|"]
    for each, (name, favourites) in zip_longest(deciles, rounds, fillvalue=("", None)):
        left = _cells(each) if isinstance(each, Bin) else " | | |"
        right = f"{name} | {_cells(favourites)}" if favourites is not None else "| | | |"
        lines.append(f"| {left} | | {right} |")
    return "\n".join(lines)


def _cells(each: Bin) -> str:
    return f"{each.said:.1%} | {each.came:.1%} | {each.error:.1%} | {each.count}"


def with_table(page: str, table: str) -> str:
    """The page with another table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        raise ValueError(f"the page has no {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def calibration_svg(deciles: list[Bin], rounds: list[Bin]) -> str:
    """Said from left to right, came true from the bottom up; bars are two standard errors to either side."""
    parts = [_frame(0, "All, by what was said"), *map(_mark, deciles)]
    parts += ['<g transform="translate(440 0)">', _frame(440, "Favourites, by round"), *map(_mark, rounds), "</g>"]
    title = "<title>Chances of winning: said against come true</title>"
    about = "<desc>Points near the diagonal: of all that were said to be 60%, about 60% came true.</desc>"
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 890 450" font-family="sans-serif" font-size="14">'
    return "\n".join([head, title, about, '<rect width="890" height="450" fill="#fff"/>', *parts, "</svg>", ""])


def _at(share: float) -> float:
    return round(LEFT + SIZE * share, 1)


def _up(share: float) -> float:
    return round(TOP + SIZE * (1 - share), 1)


def _frame(_: int, title: str) -> str:
    lines = [f'<rect x="{LEFT}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>']
    lines += [f'<line x1="{_at(0)}" y1="{_up(0)}" x2="{_at(1)}" y2="{_up(1)}" stroke="#888" stroke-dasharray="4 4"/>']
    lines += [f'<text x="{_at(0.5)}" y="{TOP - 10}" text-anchor="middle" font-weight="bold">{title}</text>']
    for tenth in range(0, 11, 2):
        share = tenth / 10
        lines.append(f'<text x="{_at(share)}" y="{_up(0) + 20}" text-anchor="middle">{share:.0%}</text>')
        lines.append(f'<text x="{LEFT - 8}" y="{_up(share) + 5}" text-anchor="end">{share:.0%}</text>')
    lines.append(f'<text x="{_at(0.5)}" y="{_up(0) + 42}" text-anchor="middle">said</text>')
    lines.append(f'<text x="{LEFT + 8}" y="{TOP + 20}">came true</text>')
    return "\n".join(lines)


def _mark(each: Bin) -> str:
    x, low, high = _at(each.said), _up(max(0, each.came - 2 * each.error)), _up(min(1, each.came + 2 * each.error))
    bar = f'<line x1="{x}" y1="{low}" x2="{x}" y2="{high}" stroke="#1f5f8b" stroke-width="2"/>'
    return f'{bar}<circle cx="{x}" cy="{_up(each.came)}" r="4" fill="#1f5f8b"/>'
