"""Settings: flags before environment before file before defaults; invalid values are quoted."""

import json
import re
import socket
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from fivedice.cli import command_list as cli
from fivedice.errors import MalformedError
from fivedice.web.http.identity import lan_address, only_this_device, public_base
from fivedice.web.http.settings import Settings
from fivedice.web.server import _bind, load

ALL = "0.0.0.0"  # noqa: S104 - nothing is bound here


@pytest.fixture(autouse=True)
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (*(one.name.upper() for one in fields(Settings)), "DATA", "CONFIG"):
        monkeypatch.delenv(f"FIVEDICE_{name}", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "fivedice" / "config.toml"
    path.parent.mkdir()
    return path


def test_flags_before_environment_before_file(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load({})[1] == Settings()
    clean.write_text('port = 1000\nhost = "::1"\nbot_pause = 2\nopen_browser = true\n', encoding="utf-8")
    assert load({})[1] == Settings(port=1000, host="::1", bot_pause=2.0, open_browser=True)
    monkeypatch.setenv("FIVEDICE_PORT", "2000")
    monkeypatch.setenv("FIVEDICE_OPEN_BROWSER", "no")
    found, settings = load({"port": 3000})
    assert settings == Settings(port=3000, host="::1", bot_pause=2.0)
    sources = {name: source for name, (_, source) in found.items()}
    assert sources["port"] == "flag --port"
    assert sources["open_browser"] == "environment FIVEDICE_OPEN_BROWSER"
    assert sources["host"] == f"file {clean}"
    assert sources["database"] == "default"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PORT", "eighty", "FIVEDICE_PORT must be a whole number, not 'eighty'"),
        ("PORT", "99999", "port must be from 0 to 65535, not 99999"),
        ("PORT", "-1", "port must be"),
        ("BOT_PAUSE", "nan", "bot_pause must be from 0 to 60 seconds, not nan"),
        ("BOT_PAUSE", "-1", "bot_pause must be"),
        ("BOT_PAUSE", "inf", "bot_pause must be"),
        ("OPEN_BROWSER", "perhaps", "FIVEDICE_OPEN_BROWSER must be true or false, not 'perhaps'"),
        ("HOST", " ", "host must be an address"),
        ("BASE_URL", "dice.example", "base_url must be an address such as https://dice.example, not 'dice.example'"),
        ("BASE_URL", "https://dice.example/dice", "dice.example/dice'. A path goes into the setting path."),
        ("PATH", "dice", "path must look like /dice or /games/dice, with letters, digits, - and _ only, not 'dice'"),
        ("PATH", "/dice//x", "not '/dice//x'"),
        ("PATH", "/../", "not '/../'"),
        ("PATH", "/dice?", "not '/dice?'"),
        ("PATH", "//dice.example", "not '//dice.example'"),
        ("PATH", "/würfel", "not '/würfel'"),
        ("PATH", "/" + 100 * "x", "path must look like"),
        ("DATABASE", "tables.db", "database must be a database URL"),
        ("READ_RATE", "-1", "read_rate must be from 0 (no limit) to 1000000, not -1"),
        ("WRITE_RATE", "nan", "write_rate must be from 0"),
        ("TABLES_PER_HOUR", "1.5", "FIVEDICE_TABLES_PER_HOUR must be a whole number, not '1.5'"),
        ("STREAMS_AT_ONCE", "10000000", "streams_at_once must be from 0"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, proxy", "trusted_proxies must be addresses or networks such as 127.0.0.1"),
        ("TRUSTED_PROXIES", "10.0.0.1/8", "trusted_proxies must be"),
        ("METRICS_FROM", "everybody", "metrics_from must be addresses or networks"),
        ("LOG_FORMAT", "xml", "log_format must be json, text or auto, not 'xml'"),
        ("CONFIG", "/nowhere/at/all.toml", "cannot be read"),
    ],
)
def test_invalid_settings_are_quoted(monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str) -> None:
    monkeypatch.setenv(f"FIVEDICE_{name}", value)
    with pytest.raises(MalformedError, match=re.escape(says)):
        load({})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("port = true", "port must be a whole number, not True"),
        ("port = 80.5", "port must be a whole number, not 80.5"),
        ('port = "80"\nhost = 5', "host must be text, not 5"),
        ("prot = 80", "there is no setting 'prot'. Use host, port"),
        ("port = ", "cannot be read"),
        ("open_browser = 1", "open_browser must be true or false, not 1"),
    ],
)
def test_invalid_settings_file_is_quoted(clean: Path, text: str, says: str) -> None:
    clean.write_text(text, encoding="utf-8")
    with pytest.raises(MalformedError, match=says):
        load({})


def test_show_config_lists_every_setting(
    clean: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clean.write_text("bot_pause = 0.5", encoding="utf-8")
    monkeypatch.setenv("FIVEDICE_HOST", ALL)
    assert cli.run(["serve", "--show-config", "--json", "--port", "1234"]) == 0
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert shown["port"] == {"value": 1234, "from": "flag --port"}
    assert shown["host"] == {"value": ALL, "from": "environment FIVEDICE_HOST"}
    assert shown["bot_pause"] == {"value": 0.5, "from": f"file {clean}"}
    assert cli.run(["serve", "--show-config"]) == 0
    assert "tables.db" in capsys.readouterr().out
    assert cli.run(["serve", "--show-config", "--port", "99999"]) == 2
    assert "99999" in capsys.readouterr().err
    for form in ([], ["--json"]):
        assert cli.run(["serve", "--show-config", "--database", "postgresql://dice:secret@host/dice", *form]) == 0
        out = capsys.readouterr().out
        assert "secret" not in out, "passwords stay where they are"
        assert "postgresql://dice:***@host/dice" in out


class Asked:
    """As much of a request as an address needs."""

    def __init__(self, base: str) -> None:
        self.base_url = base
        self.url = type("Url", (), {"scheme": base.split(":")[0]})


@pytest.mark.parametrize(
    ("settings", "asked", "link"),
    [
        (Settings(), "http://localhost:8765/", "http://localhost:8765"),
        (Settings(host=ALL), "http://192.168.1.7:8765/", "http://192.168.1.7:8765"),
        (Settings(host=ALL), "http://localhost:8765/", "http://10.1.2.3:8765"),
        (Settings(host=ALL, port=99), "http://127.0.0.1:99/", "http://10.1.2.3:99"),
        (Settings(host="::"), "http://[::1]:8765/", "http://10.1.2.3:8765"),
        (Settings(host=ALL, base_url="https://dice.example/"), "http://localhost:1/", "https://dice.example"),
        (Settings(path="/dice"), "http://localhost:8765/dice/", "http://localhost:8765/dice"),
        (Settings(host=ALL, path="/dice/"), "http://localhost:8765/dice/", "http://10.1.2.3:8765/dice"),
        (Settings(base_url="https://x.example", path="/dice"), "http://localhost:1/dice/", "https://x.example/dice"),
    ],
)
def test_links_work_on_another_phone(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, asked: str, link: str
) -> None:
    monkeypatch.setattr("fivedice.web.http.identity.lan_address", lambda: "10.1.2.3")
    assert public_base(settings, Asked(asked)) == link  # type: ignore[arg-type]


def test_loopback_is_local_and_small_answers_are_sent_at_once() -> None:
    assert only_this_device(Settings())
    assert only_this_device(Settings(host="::1"))
    assert not only_this_device(Settings(host=ALL))
    assert not only_this_device(Settings(base_url="https://dice.example"))
    assert lan_address() is None or not lan_address().startswith("127.")  # type: ignore[union-attr]
    # asyncio turns Nagle's delay off only for sockets that say they are TCP; else answers take 40 ms more.
    bound = _bind(Settings(port=0), explicit=True)
    with bound:
        assert bound.proto == socket.IPPROTO_TCP
