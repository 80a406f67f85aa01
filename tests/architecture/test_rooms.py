"""Packages: number of modules per folder, unique file names, and which folder may import which."""

from collections import Counter
from pathlib import Path

from for_each import for_each
from support.source_tree import ROOT, imports_of

MOST_MODULES = 16  # in a folder: about a dozen, so that a stranger finds the file

# The folders of a package and the folders that each may import.
TABLE_MAY_KNOW: dict[str, set[str]] = {
    "actions": set(),
    "fairness": {"actions"},
    "view": {"actions", "fairness"},
    "service": {"actions", "fairness"},
}
WEB_MAY_KNOW: dict[str, set[str]] = {
    "http": set(),
    "jobs": {"http"},
    "live": {"http", "jobs"},
    "services": {"http", "jobs", "live"},
    "pages": {"http", "live", "jobs", "services"},
    "api": {"http", "live", "jobs", "services", "pages"},
}
PAGES_MAY_KNOW: dict[str, set[str]] = {
    "home": {"house_rules", "pad"},
    "play": {"home", "pad"},
    "pad": {"house_rules"},
    "house_rules": set(),
    "daily": {"home", "house_rules"},
    "train": {"daily", "house_rules"},
    "circle": {"home", "pad"},
}
SINGLE_PAGES_MAY_KNOW = {"page_parts", "house_rules"}  # pages of one module, which have no folder

ROOMS = {
    "table": TABLE_MAY_KNOW,
    "web": WEB_MAY_KNOW,
    "web/pages": PAGES_MAY_KNOW,
}
# Modules of a package that all of its folders may import.
NOUNS = {
    "table": {"action", "state", "refusals", "seat_names", "house_rules_text", "daily"},
    "web": set(),
    "web/pages": {"page_parts"},
}


def modules() -> list[Path]:
    return [
        path for path in sorted(ROOT.rglob("*.py")) if path.name != "__init__.py" and "migrations" not in path.parts
    ]


def rooms(package: str) -> set[str]:
    return {path.name for path in (ROOT / package).iterdir() if (path / "__init__.py").exists()}


@for_each("folder", sorted({path.parent for path in modules()}), ids=lambda path: path.name)
def test_folders_hold_about_a_dozen_modules(folder: Path) -> None:
    assert len([path for path in modules() if path.parent == folder]) <= MOST_MODULES


def test_file_names_are_unique() -> None:
    names = Counter(path.name for path in modules())
    assert [name for name, count in names.items() if count > 1] == []


@for_each("package", sorted(ROOMS))
def test_every_folder_lists_its_imports(package: str) -> None:
    assert rooms(package) == set(ROOMS[package])


@for_each(("package", "room"), [(package, room) for package in sorted(ROOMS) for room in ROOMS[package]])
def test_folders_import_only_listed_folders(package: str, room: str) -> None:
    allowed = ROOMS[package][room] | NOUNS[package] | {room}
    for path in (ROOT / package / room).rglob("*.py"):
        if "migrations" not in path.parts:
            assert known_rooms(path, package) <= allowed, path.name


def test_a_page_without_a_folder_knows_what_it_may_know() -> None:
    for path in (ROOT / "web" / "pages").glob("*.py"):
        assert known_rooms(path, "web/pages") <= SINGLE_PAGES_MAY_KNOW, path.name


def known_rooms(path: Path, package: str) -> set[str]:
    above = ["fivedice", *package.split("/")]
    names = [name.split(".") for name in imports_of(path)]
    return {name[len(above)] for name in names if name[: len(above)] == above and len(name) > len(above)}
