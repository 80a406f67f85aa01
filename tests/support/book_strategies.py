"""Generate texts of rule books: valid, nearly valid, and shipped ones with mutations."""

from importlib.resources import files
from typing import Any

from hypothesis import strategies as st

import fivedice as fd

TEXTS = [(files("fivedice.core.rules") / "books" / f"{key}.toml").read_text(encoding="utf-8") for key in fd.SHIPPED]


WORDS = sorted({word for text in TEXTS for word in text.split()} | {"false", "0", "-1", "99", "[[", '"""', "{}", "[]"})


@st.composite
def mutated_books(draw: st.DrawFn) -> str:
    """Draw a shipped book with some lines removed, doubled, swapped or damaged."""
    lines = draw(st.sampled_from(TEXTS)).split("\n")
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(["drop", "double", "word", "noise", "move"]))
        if kind == "drop":
            del lines[place]
            lines = lines or [""]
        elif kind == "move":
            lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(place))
        else:
            piece = draw(st.sampled_from(WORDS) if kind == "word" else st.text(max_size=5))
            words = lines[place].split(" ")
            words[draw(st.integers(0, len(words) - 1))] = piece
            lines[place] = lines[place] if kind == "double" else " ".join(words)
            lines += [lines[place]] if kind == "double" else []
    return "\n".join(lines)


def to_toml(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {to_toml(inner)}" for key, inner in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


small = st.integers(-1, 10)


odd = small | st.booleans() | st.sampled_from(["all", "matching", "upper", "x", ""]) | st.lists(small, max_size=3)


def mostly(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 30).flatmap(lambda number: odd if number == 0 else usual)


def a_box(pattern: str, **details: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    usual: dict[str, st.SearchStrategy[Any]] = {
        "section": st.sampled_from(["upper", "lower"]),
        "pattern": st.just(pattern),
        "points": st.sampled_from(["all", "7 + all"]) | st.integers(1, 50),
    }
    return st.fixed_dictionaries({key: mostly(values) for key, values in (usual | details).items()})


def named(entries: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {key: {"name": f"Box {key}", "code": f"x{key}"} | box for key, box in entries.items()}


boxes = st.one_of(
    a_box("face", face=st.integers(1, 2), points=st.sampled_from(["all", "matching"])),
    a_box("groups", sizes=st.lists(st.integers(1, 2), min_size=1, max_size=2), same_face=st.booleans()),
    a_box("run", length=st.integers(1, 3)),
    a_box("exactly", faces=st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True)),
    a_box("only", faces=st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True)),
    a_box("parity", odd=st.booleans(), of_total=st.booleans()),
    a_box("total", total=st.integers(2, 8)),
    a_box("flush"),
    a_box("groups", sizes=st.just([2]), one_colour=st.booleans()),
    a_box(
        "both", first=st.just({"pattern": "parity", "odd": True}), second=st.just({"pattern": "groups", "sizes": [2]})
    ),
    a_box("alike"),
    a_box("anything"),
)


sheets = st.dictionaries(st.sampled_from("abcd"), boxes).map(lambda entries: named(entries))


with_policy_box = st.tuples(sheets, a_box("alike")).map(lambda pair: pair[0] | named({"e": pair[1]}))


rungs = st.fixed_dictionaries(
    {
        "boxes": st.sampled_from(["face", "upper", "lower", "any"]),
        "worth": st.sampled_from(["plain", "joker", "zero", "wild"]),
    },
    optional={"face_box": st.sampled_from(["open", "filled", "either"]), "extra": st.integers(0, 60)},
)


policies = st.fixed_dictionaries(
    {"box": mostly(st.just("e")), "ladder": st.lists(rungs, max_size=4)},
    optional={
        "extra": st.integers(0, 100) | st.lists(st.integers(0, 100), min_size=1, max_size=3),
        "repeat": st.booleans(),
        "at_most": st.integers(1, 4),
        "applies": st.sampled_from(["filled", "scored"]),
    },
)


tiers = st.lists(st.integers(1, 10), min_size=1, max_size=3, unique=True).map(
    lambda totals: {"tiers": [{"from": total, "points": 5 * total} for total in sorted(totals)]}
)


paid = st.fixed_dictionaries({"threshold": st.integers(1, 10), "points": st.integers(1, 60)}) | tiers


over = st.sampled_from([{"section": "lower"}, {"section": "upper"}, {"boxes": ["e"]}, {"boxes": ["a", "e"]}])


bonuses = st.dictionaries(
    st.sampled_from(["p", "q"]), st.tuples(over, paid).map(lambda parts: {"name": "More"} | parts[0] | parts[1])
)


tables = st.fixed_dictionaries(
    {"key": st.just("fuzz"), "name": st.just("Fuzz"), "boxes": with_policy_box},
    optional={
        "dice": mostly(st.integers(2, 4)),
        "faces": mostly(st.integers(3, 6)),
        "rolls": mostly(st.integers(1, 3)),
        "fixed_order": mostly(st.booleans()),
        "order": mostly(st.sampled_from(["free", "sheet", "upper_first"])),
        "save_rolls": mostly(st.booleans()),
        "colours": mostly(st.sampled_from([[[1, 2], [3]], [[1, 3]], [[1, 2], [2, 3]]])),
        "bonuses": mostly(bonuses),
        "start": mostly(st.sampled_from(["draw", "roll-off"])),
        "bonus": mostly(paid),
        "alike": mostly(policies),
    },
)


def load_or_refuse(text: str) -> fd.RuleBook | None:
    """The book, or None if it was refused properly."""
    refusal: fd.BookError | None = None
    try:
        return fd.load_book(text, file="fuzz.toml")
    except fd.BookError as error:
        refusal = error
    assert refusal.file == "fuzz.toml"
    assert refusal.line is None or 1 <= refusal.line <= text.count("\n") + 1
    assert refusal.reason
    return None
