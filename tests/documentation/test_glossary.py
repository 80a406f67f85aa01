"""The glossary is in order, and every Python name in it exists."""

import dataclasses
import re
from functools import reduce
from importlib import import_module, util

import pytest

import fivedice as fd
from documentation.pages import ROOT

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^- \*\*(.+?)\*\*(?: \(`(.+?)`\))?: (.+)$", GLOSSARY, re.MULTILINE)
NAMES = sorted({name for name in re.findall(r"`([^`]+)`", GLOSSARY) if re.match(r"(fd|fivedice)\.", name)})
MOST_WORDS = 25


def find(name: str) -> object:
    """Return the object of a name: `fd.` has the public names, others begin with the module to import."""
    first, *rest = name.split(".")
    if first == "fd":
        if rest[0] not in fd.__all__:
            raise AttributeError(name)
        return reduce(_member, rest, fd)
    home, module = [first], import_module(first)
    while rest and util.find_spec(".".join([*home, rest[0]])):
        home.append(rest.pop(0))
        module = import_module(".".join(home))
        if not hasattr(module, "__path__"):
            break
    return reduce(_member, rest, module)


def _member(home: object, name: str) -> object:
    """Return a member; fields of a dataclass count, though the class itself need not have them."""
    if dataclasses.is_dataclass(home) and name in {field.name for field in dataclasses.fields(home)}:
        return name
    return getattr(home, name)


@pytest.mark.parametrize("name", NAMES)
def test_glossary_name_exists(name: str) -> None:
    find(name)


def test_missing_name_is_detected() -> None:
    for name in ("fd.Rol", "fd.solver", "fd.Roll.sides", "fivedice.message.Message.sort", "fivedice.nowhere"):
        with pytest.raises(AttributeError):
            find(name)


def test_every_entry_is_one_sorted_sentence() -> None:
    assert len(ENTRIES) == GLOSSARY.count("\n- ") >= 40
    words = [word for word, _, _ in ENTRIES]
    assert words == sorted(set(words), key=lambda word: word.replace("-", " "))
    for word, _, sentence in ENTRIES:
        assert len(sentence.split()) <= MOST_WORDS, word
        assert sentence.endswith("."), word
        assert ". " not in sentence, word
