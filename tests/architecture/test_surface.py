"""The public names are listed, resolvable and documented, and the changelog has this version."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import fivedice as fd
from fivedice import errors
from for_each import for_each

REPOSITORY = Path(__file__).parents[2]
LATE = fd.notation.read_card("1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50", "crag")
NEARLY_OVER = fd.Position((LATE, LATE), 0, fd.Keep(()), 2)


@for_each("name", fd.__all__)
def test_every_public_name_resolves_and_has_a_docstring(name: str) -> None:
    value = getattr(fd, name)
    assert name in dir(fd)
    if callable(value) or inspect.ismodule(value):
        assert inspect.getdoc(value), f"{name} has no docstring"


def test_list_of_public_names_is_complete_and_keeps_the_first_ones() -> None:
    assert len(set(fd.__all__)) == len(fd.__all__)
    assert set(fd.__all__) == set(fd._HOME_OF)
    promised = {"book", "Scorecard", "Roll", "Game", "dice", "read_game", "write_game", "apply", "SHIPPED"}
    assert promised <= set(fd.__all__)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'fivedice' has no attribute 'dise'"):
        _ = fd.dise  # type: ignore[attr-defined]


@for_each("package", ["dice", "rules", "core.game", "notation"])
def test_every_name_of_a_package_has_a_docstring(package: str) -> None:
    module = __import__(f"fivedice.{package}", fromlist=["*"])
    assert module.__doc__
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), f"{package}.{name} has no docstring"


def test_errors_form_the_drawn_tree_with_builtin_kinds() -> None:
    drawn = re.findall(r"(\w+) {2,}|^    (\w+)$", errors.__doc__ or "", flags=re.MULTILINE)
    names = {first or second for first, second in drawn}
    own = ((name, value) for name, value in vars(errors).items() if getattr(value, "__module__", "") == errors.__name__)
    classes = {name for name, value in own if inspect.isclass(value)}
    assert names == classes
    assert all(issubclass(getattr(errors, name), fd.FivediceError) for name in classes)
    for name in ("MalformedError", "IllegalError", "IllegalMove", "IllegalCard", "IllegalRecord", "BookError"):
        assert issubclass(getattr(fd, name), ValueError)
    assert issubclass(fd.UnknownBook, LookupError)
    assert issubclass(fd.MissingExtra, ModuleNotFoundError)
    assert not issubclass(fd.IllegalError, fd.MalformedError)
    assert not issubclass(fd.MalformedError, fd.IllegalError)


def test_changelog_starts_with_unreleased_or_this_version() -> None:
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (\S+)", changelog, flags=re.MULTILINE)
    assert next(each for each in found if each != "Unreleased") == fd.__version__
    assert found[1:].count("Unreleased") == 0
    assert f'version = "{fd.__version__}"' in (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")


def _equilibrium(rules: object) -> str:
    """Return the refusal: three players need a fixed order of boxes."""
    with pytest.raises(fd.IllegalError) as refusal:
        fd.equilibrium(rules, players=3)  # type: ignore[arg-type]
    return str(refusal.value)


TAKING_RULES: dict[str, Callable[..., object]] = {
    "solve": lambda rules: fd.solve(rules).book,
    "chase": lambda rules: fd.chase(rules, least=10_000).book,
    "best_response": lambda rules: fd.best_response(rules, field=[{180: 1.0}], card=LATE).share,
    "ceiling": lambda rules: fd.ceiling(rules, field={180: 1.0}, card=LATE),
    "equilibrium": _equilibrium,
    "simulate": lambda rules: fd.simulate(rules, 1, bot="newcomer").totals.tolist(),
    "match": lambda rules: fd.match(["newcomer", "casual"], 2, book=rules).totals.tolist(),
    "coach": lambda rules: fd.coach(rules, fd.read_position("crag - 0 466 1")).sentence,
    "report": lambda rules: fd.report(fd.Game.new("crag"), rules).players[0].expected,
    "prospect": lambda rules: fd.prospect(NEARLY_OVER, rules, 180),
    "race": lambda rules: fd.race(NEARLY_OVER, rules),
    "win": lambda rules: fd.win(fd.Position.start("crag", 2), rules).share,
    "bots.bot": lambda rules: fd.bots.bot("steady", rules),
    "bots.chaser": lambda rules: fd.bots.chaser(rules, 200).book,  # type: ignore[attr-defined]
    "bots.offered": fd.bots.offered,
    "bots.unavailable": lambda rules: fd.bots.unavailable("steady", rules),
    "bots.waits": lambda rules: fd.bots.waits("steady", rules),
    "bots.measured": lambda rules: fd.bots.measured("steady", rules),
}


@for_each("name", sorted(TAKING_RULES))
def test_rules_are_taken_by_key_and_other_values_are_refused(name: str) -> None:
    call = TAKING_RULES[name]
    assert call("crag") == call(fd.book("crag"))
    if name != "bots.measured":  # which has no numbers for unknown keys
        with pytest.raises(fd.UnknownBook, match="'crax'"):
            call("crax")
    with pytest.raises(fd.MalformedError, match="5"):
        call(5)
