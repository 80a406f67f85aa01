"""Thousands of streams that break at any moment: each ends at the newest version, and nothing is kept of them."""

import asyncio
import random

from fivedice.web.live.notifier import TableNotifier

TABLES, SCREENS, BREAKS, LAST = 5, 12, 60, 200


class Room:
    """One table at which moves are made while screens come and go."""

    def __init__(self, notifier: TableNotifier, name: str, chance: random.Random) -> None:
        self._notifier, self._name, self._chance = notifier, name, chance
        self._version = 1
        self.breaks = 0

    async def play(self) -> None:
        while self._version < LAST:
            self._version += 1
            self._notifier.heard(self._name, self._version)
            for _ in range(self._chance.randint(0, 3)):
                await asyncio.sleep(0)

    async def watch(self) -> None:
        """Break off and resume, again and again, and at last stay to the end."""
        seen = 0
        for _ in range(BREAKS):
            seen = await self._look(seen, self._chance.randint(1, 3))
            self.breaks += 1
            await asyncio.sleep(0)
        while seen < LAST:
            seen = await self._look(seen, LAST)

    async def _look(self, seen: int, news: int) -> int:
        stream = self._notifier.listen(self._name, seen, self._newest)
        for _ in range(news):
            if seen == LAST:
                break
            version = await anext(stream)
            assert version is not None
            assert seen < version <= LAST, "never back, and never further than it is"
            seen = version
        await stream.aclose()  # type: ignore[attr-defined]
        return seen

    async def _newest(self) -> int:
        await asyncio.sleep(0)  # moves are made while we look
        return self._version


def test_broken_streams_miss_nothing() -> None:
    async def play() -> int:
        notifier, chance = TableNotifier(), random.Random(9)
        notifier.attach()
        rooms = [Room(notifier, f"t{number}", chance) for number in range(TABLES)]
        screens = [room.watch() for room in rooms for _ in range(SCREENS)]
        await asyncio.wait_for(asyncio.gather(*screens, *(room.play() for room in rooms)), 60)
        assert not notifier._waiting
        assert not notifier._versions
        return sum(room.breaks for room in rooms)

    assert asyncio.run(play()) == TABLES * SCREENS * BREAKS
