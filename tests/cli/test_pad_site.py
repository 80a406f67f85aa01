"""`fivedice pad`: the score pad as files."""

import json
import re
from pathlib import Path

import pytest

from fivedice.core.rules import SHIPPED, shipped
from fivedice.solver.solution import phone_values

ENGLISH = ("--languages", "en")
HOUSE = 'key = "grandma"\nname = "Grandma & Co"\nextends = "yatzy"\n'
_addresses = re.compile(
    r'\b(?:href|src|content|action|data-[a-z]+)="([^"#:]*\.(?:html|js|json|css|png|svg|webmanifest))[?"]'
)


def all_files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_site_is_written_with_instructions(fivedice, tmp_path):
    folder = tmp_path / "new" / "pad"
    code, out, err = fivedice("pad", *ENGLISH, "--out", str(folder))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert (code, err) == (0, "")
    assert f"Saved the score pad in {folder}: {size / 1e6:.1f} MB, {len(SHIPPED)} sets of rules.\n" in out
    assert f"python3 -m http.server --bind 127.0.0.1 --directory {folder}" in out
    assert size < 1_000_000
    assert {"index.html", "sheet.html", "rules.html", "offline.html", "sw.js"} < all_files(folder)


def test_every_address_is_relative_and_exists(fivedice, tmp_path):
    """So that the folder may lie anywhere; and no page runs, or fetches, anything from elsewhere."""
    (tmp_path / "grandma.toml").write_text(HOUSE, encoding="utf-8")
    assert fivedice("pad", *ENGLISH, str(tmp_path / "grandma.toml"), "--out", str(tmp_path / "pad"))[0] == 0
    folder = tmp_path / "pad"
    found, pages = all_files(folder), sorted(folder.glob("*.html"))
    assert len(pages) == 4 + len(SHIPPED) + 1
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'="(?:/|https?:)[^"]*"', text), page.name
        assert not re.findall(r"<script(?![^>]*(?:src=|application/json))", text), "no script stands in a page"
        assert "default-src 'none'" in text.replace("&#39;", "'")
        assert "frame-ancestors" not in text
        addresses = set(_addresses.findall(text))
        assert addresses
        assert addresses <= found, page.name
    assert "Grandma &amp; Co" in (folder / "index.html").read_text(encoding="utf-8")
    assert json.loads((folder / "rules" / "grandma.json").read_bytes())["names"]["book"] == "Grandma & Co"


def test_service_worker_caches_every_file(fivedice, tmp_path):
    fivedice("pad", *ENGLISH, "--out", str(tmp_path / "pad"))
    text = (tmp_path / "pad" / "sw.js").read_text(encoding="utf-8")
    kept = {name: json.loads(re.findall(rf"const {name} = (.*);", text)[0]) for name in ("FILES", "PAGES", "OFFLINE")}
    assert {*kept["FILES"], *kept["PAGES"], kept["OFFLINE"]} - {"./"} <= all_files(tmp_path / "pad")
    assert {f"rules/{key}.json" for key in SHIPPED} < set(kept["FILES"])
    manifest = json.loads((tmp_path / "pad" / "manifest.webmanifest").read_bytes())
    assert (manifest["start_url"], manifest["scope"], manifest["shortcuts"]) == ("./", "./", [])
    assert {icon["src"] for icon in manifest["icons"]} < all_files(tmp_path / "pad")


def test_several_languages_share_files_and_have_pages_of_their_own(fivedice, tmp_path) -> None:
    assert fivedice("pad", "--languages", "de,fr", "--out", str(tmp_path / "pad"))[0] == 0
    folder = tmp_path / "pad"
    found = all_files(folder)
    for page in sorted(folder.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        below = {(page.parent / address).resolve() for address in _addresses.findall(text)}
        assert {path.relative_to(folder.resolve()).as_posix() for path in below} <= found, page
        assert 'hreflang="fr"' in text
    for language, rule in {"de": "Regeln", "fr": "Règles"}.items():
        assert f"<h1>{rule}</h1>" in (folder / language / "rules.html").read_text(encoding="utf-8")
        worker = (folder / f"sw-{language}.js").read_text(encoding="utf-8")
        kept = [json.loads(re.findall(rf"const {name} = (.*);", worker)[0]) for name in ("FILES", "PAGES")]
        assert {"index.html", f"{language}/rules/yatzy.json"} < {*kept[0]} < found
        assert {*kept[1]} - {"./"} < found
        assert json.loads((folder / language / "manifest.webmanifest").read_bytes())["start_url"] == "../"
    code, _, err = fivedice("pad", "--languages", "de,klingon", "--out", str(folder))
    assert (code, "or sv, not 'klingon'" in err) == (2, True)


def test_only_own_files_are_replaced(fivedice, tmp_path) -> None:
    folder = tmp_path / "pad"
    (tmp_path / "grandma.toml").write_text(HOUSE, encoding="utf-8")
    fivedice("pad", *ENGLISH, str(tmp_path / "grandma.toml"), "--out", str(folder))
    (folder / "my-notes.txt").write_text("mine")
    before = (folder / "sw.js").read_text(encoding="utf-8")
    assert fivedice("pad", *ENGLISH, "--out", str(folder))[0] == 0
    assert "rules-grandma.html" not in all_files(folder)
    assert (folder / "my-notes.txt").read_text() == "mine"
    assert (folder / "sw.js").read_text(encoding="utf-8") != before, "phones notice"
    folder, other = tmp_path / "second", tmp_path / "other.txt"
    other.write_text("mine")
    folder.mkdir()
    (folder / "fivedice-pad.json").write_text(json.dumps(["../other.txt", str(other), 7]))
    assert fivedice("pad", *ENGLISH, "--out", str(folder))[0] == 0
    assert other.read_text() == "mine"


def test_foreign_and_unwritable_folders_are_refused(fivedice, tmp_path) -> None:
    (tmp_path / "photo.jpg").write_text("mine")
    code, out, err = fivedice("pad", *ENGLISH, "--out", str(tmp_path))
    assert (code, out) == (2, "")
    assert "holds something else. Choose a new or empty folder" in err
    assert all_files(tmp_path) == {"photo.jpg"}
    code, _, err = fivedice("pad", *ENGLISH, "--out", str(tmp_path / "photo.jpg"))
    assert code == 2
    assert "is a file. Choose a new folder" in err
    (tmp_path / "photo.jpg").write_text("mine")
    code, _, err = fivedice("pad", *ENGLISH, "--out", str(tmp_path / "photo.jpg" / "pad"))
    assert code == 2
    assert "can’t be written: Not a directory" in err


def test_unplayable_rules_are_refused(fivedice, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text('key = "bad"\nname = "Bad"\nextends = "yatzy"\nrolls = 0\n', encoding="utf-8")
    code, out, err = fivedice("pad", *ENGLISH, str(bad), "--out", str(tmp_path / "pad"))
    assert (code, out) == (2, "")
    assert "bad.toml" in err
    assert not (tmp_path / "pad").exists()
    assert fivedice("pad", *ENGLISH, "no-such-rules", "--out", str(tmp_path / "pad"))[0] == 2


def test_rules_with_an_existing_key_are_added(fivedice_json, tmp_path):
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text(HOUSE, encoding="utf-8")
    other.write_text(HOUSE.replace("Co", "Grandpa") + "rolls = 4\n", encoding="utf-8")
    answer = fivedice_json("pad", *ENGLISH, str(one), str(other), str(one), "--out", str(tmp_path / "pad"))
    assert len(answer["rules"]) == len(SHIPPED) + 2, "the same once"
    assert answer["rules"][-2] == "grandma"
    assert answer["rules"][-1].startswith("grandma-")
    names = {json.loads(file.read_bytes())["names"]["book"] for file in (tmp_path / "pad" / "rules").iterdir()}
    assert {"Yahtzee", "Grandma & Co", "Grandma & Grandpa"} < names


def test_coach_is_included_for_solved_rules(fivedice, tmp_path, monkeypatch: pytest.MonkeyPatch):
    solved = shipped("crag")
    monkeypatch.setattr(phone_values, "packed_values", lambda book: b"values" if book is solved else None)
    _, out, _ = fivedice("pad", *ENGLISH, "--out", str(tmp_path / "pad"), "--coach")
    assert "The coach knows 1 set of rules." in out
    assert "No coach for yardzee, " in out
    about = json.loads((tmp_path / "pad" / "coach" / "crag.json").read_bytes())
    assert (tmp_path / "pad" / about["link"].partition("?")[0]).read_bytes() == b"values"
    assert about["bytes"] == 6
    links = {key: json.loads((tmp_path / "pad" / f"rules/{key}.json").read_bytes()).get("coach") for key in SHIPPED}
    assert links["crag"] == {"about": "coach/crag.json", "hint": None}
    assert links["yahtzee"] is None, "no button leads nowhere"
