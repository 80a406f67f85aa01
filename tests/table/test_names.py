"""Names of players, including names typed to break things."""

from fivedice.table.actions import commands as cmd
from fivedice.table.refusals import BadRequest
from fivedice.table.seat_names import clean_name
from for_each import for_each
from table.table_harness import ANN, HAL, opened

GOOD = [
    "Ann",
    "O'Brien <3",
    "<script>alert(1)</script>",
    "'; DROP TABLE seats; --",
    "{{ 7 * 7 }} %s {0}",
    "\N{FAMILY}",
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}",
    "Zoë",
    "Zoe\N{COMBINING DIAERESIS}",
    "שרה",
    "محمد",
    "\N{RIGHT-TO-LEFT MARK}שרה 2",
    "李雷",
    "?",
    "x" * 60,
    "…",
]
BAD = [
    "",
    "   ",
    "x" * 61,
    "x" * 10_000,
    "Ann\nBob",
    "Ann\x00",
    "Ann\x1b[31m",
    "Ann\N{LINE SEPARATOR}Bob",
    "\ud800",
    "\N{RIGHT-TO-LEFT OVERRIDE}nnA",
    "Ann\N{LEFT-TO-RIGHT ISOLATE}",
    "\N{ZERO WIDTH SPACE}",
    "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}",
    "\N{COMBINING DIAERESIS}",
    "\N{NO-BREAK SPACE}",
]


@for_each("name", GOOD)
def test_visible_names_are_kept(name: str) -> None:
    parlour = opened()
    parlour.do(cmd.SitDown(ANN, f"  {name} "))
    parlour.do(cmd.StartGame(HAL))
    assert parlour.state.seats[0].name == name
    assert parlour.replayed().seats[0].name == name


@for_each("name", BAD)
def test_other_names_are_refused_and_quoted(name: str) -> None:
    sentence = opened().refused(cmd.SitDown(ANN, name), BadRequest)
    assert sentence.startswith("Choose another name. ")
    assert len(sentence) < 250
    assert sentence.isprintable()


def test_surrounding_space_is_trimmed() -> None:
    assert clean_name(" Ann ") == "Ann"
