"""Custom bots: by name, from packages and files, in simulations."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

import fivedice as fd
from fivedice.players.bots import registry, solo_games
from fivedice.players.bots.registry import BotFile
from matches.own_bots import Anything, Fails, Highest

RULES = "crag"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    for name in fd.bots.registered():
        fd.bots.unregister(name)


def test_registered_bot_plays_by_name() -> None:
    fd.bots.register("mine", Highest)
    fd.bots.register("drawn", Anything())
    assert fd.bots.registered() == ("drawn", "mine")
    rules = fd.book(RULES)
    position = fd.apply(fd.Position.start(rules, 1), fd.Throw(fd.Roll.parse("456"))).after
    assert fd.bots.bot("mine", rules).choose(position) == Highest().choose(position)
    match = fd.match(["mine", "drawn"], 4, book=RULES)
    assert [each.name for each in match.players] == ["mine", "drawn"]
    assert np.array_equal(match.totals, fd.match([Highest(), Anything], 4, book=RULES).totals)
    assert np.array_equal(fd.simulate(RULES, 5, bot="mine").totals, fd.simulate(RULES, 5, bot=Highest()).totals)
    assert (fd.bots.unavailable("mine", rules), fd.bots.waits("mine", rules)) == (None, False)
    assert (fd.bots.wants_odds("mine"), fd.bots.measured("mine", RULES)) == (False, None)
    assert fd.bots.about("mine") == "a bot of your own"
    with pytest.raises(fd.MalformedError, match=r"There is no bot 'yours'\. Choose newcomer, .*, drawn or mine\."):
        fd.bots.bot("yours", rules)


@pytest.mark.parametrize("name", ["", "Mine", "my bot", "engine:x", "x" * 41, "9lives"])
def test_names_are_short_and_plain(name: str) -> None:
    with pytest.raises(fd.MalformedError, match="A bot’s name has up to 40"):
        fd.bots.register(name, Highest)


def test_reserved_names_and_invalid_bots_are_refused() -> None:
    for name in ("steady", "random"):
        with pytest.raises(fd.IllegalError, match=f"'{name}' is the name of a level"):
            fd.bots.register(name, Highest)
    for wrong in (object(), int, "steady", None):
        with pytest.raises(fd.IllegalError, match="'mine' is not a bot"):
            fd.bots.register("mine", wrong)
    fd.bots.register("mine", lambda: 7)
    with pytest.raises(fd.BotError, match="'mine' is not a bot: 7 has no method"):
        fd.simulate(RULES, 2, bot="mine")
    assert not fd.bots.is_registered("other")


def test_packages_register_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("packed", "matches.own_bots:Highest", registry.GROUP),
        EntryPoint("broken", "no_such_module:Bot", registry.GROUP),
        EntryPoint("steady", "matches.own_bots:Highest", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "fivedice.bots" else [])
    assert fd.bots.registered() == ("broken", "packed")
    assert not fd.bots.is_registered("packed")  # only once it is asked for
    assert fd.simulate(RULES, 2, bot="packed").games == 2
    assert fd.bots.is_registered("packed")
    with pytest.raises(fd.BotError, match='can’t be loaded from no_such_module:Bot: "ModuleNotFoundError'):
        fd.simulate(RULES, 2, bot="broken")
    monkeypatch.undo()


def test_bot_is_loaded_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(
        "import fivedice as fd\n"
        "class Mine:\n"
        "    def choose(self, position):\n"
        "        return position.legal_moves[-1]\n"
        "ready = Mine()\n"
    )
    found = [fd.simulate(RULES, 3, bot=BotFile(str(file), name)).totals.tolist() for name in ("Mine", "ready")]
    assert found[0] == found[1]
    for path, name in ((file, "Yours"), (tmp_path / "other.py", "Mine")):
        with pytest.raises(fd.BotError, match="No bot can be loaded from"):
            BotFile(str(path), name)()


def test_simulations_do_not_depend_on_the_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo_games, "KERNEL_BLOCK", 300)
    with ThreadPoolExecutor(3) as pool:
        for bot, games in (("perfect", 1000), ("greedy", 700), (Anything, 45), ("casual", 22)):
            alone = fd.simulate(RULES, games, bot=bot, seed=3)  # type: ignore[arg-type]
            carried = fd.simulate(RULES, games, bot=bot, seed=3, executor=pool)  # type: ignore[arg-type]
            assert np.array_equal(alone.totals, carried.totals)
            assert alone.box_means == carried.box_means
            assert (alone.bonus_rate, alone.extra_mean) == (carried.bonus_rate, carried.extra_mean)


def test_failed_simulated_bot_is_named() -> None:
    with pytest.raises(fd.BotError, match=r"'Fails' failed in game 1 with 'ValueError: no'\. Position: crag "):
        fd.simulate(RULES, 2, bot=Fails(ValueError("no")))
    with pytest.raises(fd.BotError, match="before game 1"):
        fd.simulate(RULES, 2, bot=_Unready())


class _Unready(Highest):
    def begin(self, seed: str) -> None:
        raise ValueError(seed)
