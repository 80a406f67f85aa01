"""Every file in docs/house-rules.md is read, and every worked example is played."""

import re
from dataclasses import dataclass
from pathlib import Path

import fivedice as fd
from for_each import for_each

PAGE = (Path(__file__).parents[2] / "docs" / "house-rules.md").read_text(encoding="utf-8")

NO_ROLL = "\N{EN DASH}"

_section = re.compile(r"^### (\d+)\. (.+?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_file = re.compile(r"```toml\n(.*?)```", re.DOTALL)
_row = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Rule:
    number: int
    title: str
    file: str
    examples: tuple[tuple[str, str, str], ...]

    @property
    def book(self) -> fd.RuleBook:
        return fd.load_book(self.file, file=f"{self.number}.toml")


def _rules() -> list[Rule]:
    found = []
    for number, title, text in _section.findall(PAGE):
        (file,) = _file.findall(text)
        head, *rows = _row.findall(text)
        assert head == ("Roll", "So far", "Then"), title
        found.append(Rule(int(number), title, file, tuple(rows)))
    return found


RULES = _rules()
EXAMPLES = [(rule, example) for rule in RULES for example in rule.examples]


def test_thirty_rules_are_listed_in_the_table() -> None:
    table = re.findall(r"^\| \[(\d+)\]\(#(.+?)\) \| .+ \| .+ \|$", PAGE, re.MULTILINE)
    assert [int(number) for number, _ in table] == [rule.number for rule in RULES] == list(range(1, 31))
    assert [link for _, link in table] == [_anchor(rule) for rule in RULES]
    assert all(rule.examples for rule in RULES)


def _anchor(rule: Rule) -> str:
    kept = re.sub(r"[^a-z0-9 -]", "", f"{rule.number} {rule.title}".lower())
    return kept.replace(" ", "-")


@for_each("rule", RULES, ids=lambda rule: f"{rule.number}")
def test_file_changes_the_play_of_its_base(rule: Rule) -> None:
    book = rule.book
    assert book.extends is not None
    assert book.fingerprint != fd.book(book.extends).fingerprint
    assert fd.load_book(fd.write_book(book)).fingerprint == book.fingerprint


@for_each("rule", RULES, ids=lambda rule: f"{rule.number}")
def test_file_is_as_short_as_possible(rule: Rule) -> None:
    """Without any one of its lines it is another game, or none."""
    lines = [line for line in rule.file.split("\n") if line]
    for left_out, line in enumerate(lines):
        assert _read("\n".join(lines[:left_out] + lines[left_out + 1 :])) != rule.book, line


def _read(text: str) -> fd.RuleBook | None:
    try:
        return fd.load_book(text)
    except fd.BookError:
        return None


@for_each(("rule", "example"), EXAMPLES, ids=lambda value: getattr(value, "number", "-"))
def test_worked_example_gives_the_stated_points(rule: Rule, example: tuple[str, str, str]) -> None:
    dice, so_far, then = example
    card = _card(rule.book, so_far)
    shown = [part.strip() for part in then.split(";")]
    if dice == NO_ROLL:
        assert [_of_the_sheet(card, part) for part in shown] == shown
    else:
        assert [_of_the_roll(card, fd.Roll.parse(dice.replace("-", "")), part) for part in shown] == shown


def _card(book: fd.RuleBook, so_far: str) -> fd.Scorecard:
    """As the page has it: `Fours 12, 1 extra; open: Sixes, Chance`."""
    held, _, left = so_far.partition("open:")
    marks, extras, saved = {}, 0, 0
    for entry in re.split("[,;] ?", held.removeprefix("empty").strip().strip(";")):
        if found := re.fullmatch(r"(\d+) extras?", entry):
            extras = int(found[1])
        elif found := re.fullmatch(r"(\d+) rolls? saved", entry):
            saved = int(found[1])
        elif entry:
            name, _, points = entry.rpartition(" ")
            marks[book.box(name).key] = int(points)
    if left:
        unfilled = {book.box(name).key for name in left.split(",")}
        assert not unfilled & marks.keys()
        marks = {box.key: 0 for box in book.boxes if box.key not in unfilled} | marks
    return fd.Scorecard.of(book, marks, extras, saved=saved)


def _of_the_sheet(card: fd.Scorecard, shown: str) -> str:
    """Return the engine's answer: a bonus, or the rolls of the turn."""
    if re.fullmatch(r"\d+ rolls", shown):
        return f"{fd.Position((card,), 0, fd.Keep(()), card.book.rolls + card.saved).rolls_in_turn} rolls"
    name = shown.rpartition(" ")[0]
    paid = {bonus.name or "Bonus": points for bonus, points in zip(card.book.bonuses, card.totals.bonuses, strict=True)}
    return f"{name} {paid[name]}"


def _of_the_roll(card: fd.Scorecard, roll: fd.Roll, shown: str) -> str:
    """Return the engine's answer: all boxes, one box, or its points."""
    options = card.options(roll)
    if shown.startswith("+"):
        (bonus,) = {entry.bonus for entry in options.values()}
        return f"+{bonus}"
    points = {box.name: options[box.key].points for box in card.book.boxes if box.key in options}
    if shown.startswith("only "):
        return "only " + ", ".join(f"{name} {worth}" for name, worth in points.items())
    name = shown.rpartition(" ")[0]
    return f"{name} {points.get(name)}"
