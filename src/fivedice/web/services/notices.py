"""Notices: “your turn” to browsers that asked for it (Web Push), and the webhooks of circles.

Nothing is sent within a request. A notice is a job in a bounded queue on the event loop; database and cryptography run
in threads. A job that may work later is tried again after `RETRIES`. What waits here is lost when the server stops:
the game itself still shows whose turn it is.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from heapq import heappop, heappush
from itertools import count
from time import monotonic
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from fivedice.errors import quote
from fivedice.message import Message, message
from fivedice.store.device_store import NoticeStore, Subscription
from fivedice.table.refusals import BadRequest, NotAllowed, Refusal, UnknownTable
from fivedice.table.service import BoundedMap, Tables
from fivedice.table.state import Phase, TableState
from fivedice.text import current, say, using
from fivedice.web.http.client_limits import HOUR, Buckets, Limits
from fivedice.web.http.handling import NotFound
from fivedice.web.http.settings import Settings
from fivedice.web.jobs import outgoing
from fivedice.web.jobs.outgoing import Answer, Outgoing
from fivedice.web.live.notifier import SEEN_LATELY, Presence

log = logging.getLogger(__name__)

MOST_WAITING = 2000  # jobs; a notice beyond that is dropped
AT_ONCE = 8  # jobs that run at the same time: a slow service holds up the others only so far
RETRIES = (30.0, 120.0, 600.0)  # seconds
LONGEST_RETRY = 3600.0
LOOK_AGAIN = SEEN_LATELY / 2  # seconds between two looks at who has left their game
PUSHES_PER_HOUR = 60  # to one person
CALLS_PER_HOUR = 60  # of one webhook
MOST_TURNS = 4096  # tables whose turn is remembered
MOST_COUNTED = 20  # games of a person that are looked at
_GONE = {404, 410}
_AGAIN = {0, 408, 425, 429}
_KEY_NAME = "push key"  # in the database  # no sentence

Job: TypeAlias = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class AwaitedTurn:
    """A turn that someone waits for."""

    table: str
    game: int
    turn: int
    player: str


def turn_of(state: TableState) -> AwaitedTurn | None:
    """Return the turn of a person for whom others wait; None before and after a game, alone, and for a bot."""
    seat = state.on_turn
    if seat is None or state.phase is not Phase.PLAYING or state.real_dice:
        return None
    sitting = state.seats[seat]
    if sitting.player is None or not sitting.is_here or len(state.people()) < 2:
        return None
    return AwaitedTurn(state.id, state.game_number, state.turn, sitting.player)


def is_awaited(state: TableState, player: str) -> bool:
    """Return whether others wait for this person's turn."""
    turn = turn_of(state)
    return turn is not None and turn.player == player


class Notices:
    """Created once per server process."""

    def __init__(
        self, store: NoticeStore, tables: Tables, presence: Presence, settings: Settings, limits: Limits
    ) -> None:
        self.store, self._tables, self._presence = store, tables, presence
        self._settings, self._limits = settings, limits
        self._outgoing = Outgoing(loopback=settings.notices_loopback)
        self._pushes = Buckets(PUSHES_PER_HOUR / HOUR, PUSHES_PER_HOUR)
        self._calls = Buckets(CALLS_PER_HOUR / HOUR, CALLS_PER_HOUR)
        self._noted: BoundedMap[str, AwaitedTurn] = BoundedMap(MOST_TURNS)  # the last turn of a table
        self._present: BoundedMap[str, AwaitedTurn] = BoundedMap(MOST_TURNS)  # turns of people who were at their table
        self._queue: list[tuple[float, int, Job]] = []
        self._numbers = count()
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._busy: set[asyncio.Task[None]] = set()

    @property
    def is_offered(self) -> bool:
        """Return whether people can ask for notices here."""
        return self._settings.notices and outgoing.is_installed()

    @property
    def has_webhooks(self) -> bool:
        """Return whether the owner of a circle can set a webhook here."""
        return self._settings.notices

    @property
    def public_key(self) -> str:
        """Return the key by which browsers know the notices of this server."""
        return outgoing.public_key(self._key)

    @cached_property
    def _key(self) -> Any:
        return outgoing.private_key(self._tables.store.draw_key(_KEY_NAME))

    def attach(self) -> None:
        """Start to work on the queue."""
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._tasks = [self._loop.create_task(self._run()), self._loop.create_task(self._look_around())]

    async def close(self) -> None:
        """Stop at once; what waits is lost."""
        tasks = [*self._busy, *self._tasks]
        self._loop = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # What people ask for.

    def subscribe(self, player: str, endpoint: str, p256dh: str, auth: str) -> None:
        """Send the notices of a person to a browser, in the language of this request."""
        if not self.is_offered:
            raise NotFound("web.notices-off")
        if not self._outgoing.accepts(endpoint) or not outgoing.is_key_pair(p256dh, auth):
            raise BadRequest("web.bad-subscription")
        with self._limits.one_more("links"):
            self.store.subscribe(player, Subscription(endpoint, p256dh, auth, current()))

    def set_webhook(self, circle: str, address: str) -> None:
        """Call this address for a circle from now on; "" ends that. Raise a refusal if it cannot be called."""
        if address and not self.has_webhooks:
            raise NotAllowed("web.notices-off")
        if address and not self._outgoing.accepts(address):
            raise BadRequest("web.bad-webhook", address=quote(address))
        self.store.set_webhook(circle, address)

    def count_turns(self, player: str, besides: str = "") -> int:
        """Return in how many games others wait for this person, except one."""
        entries = self._tables.store.own_tables.of(player, MOST_COUNTED, (str(Phase.PLAYING),))
        states = [self._tables.state(entry.id) for entry in entries if entry.id != besides]
        return sum(is_awaited(state, player) for state in states)

    # What happens. All of this can be called from any thread, and returns at once.

    def note_change(self, state: TableState) -> None:
        """Notify the person on turn, unless they are at the table, each turn once."""
        turn = turn_of(state)
        if turn is None or state.rolls or self._noted.get(turn.table) == turn or not self.is_offered:
            return
        self._noted[turn.table] = turn
        if self._is_present(turn):
            self._present[turn.table] = turn
        else:
            self._put(partial(self._announce, turn))

    def _is_present(self, turn: AwaitedTurn) -> bool:
        return turn.player in (self._presence.at(turn.table) or ())

    def look(self) -> None:
        """Notify those who have left their game since their turn began."""
        for table, turn in list(self._present.items()):
            lasts = self._noted.get(table) == turn
            if lasts and self._is_present(turn):
                continue
            del self._present[table]
            if lasts:
                self._put(partial(self._announce, turn))

    def tell(self, text: Message, path: str, *players: str) -> None:
        """Notify people of something else than a turn, such as a game that a member of their circle started."""
        if self.is_offered:
            self._put(partial(self._notify_all, players, text, path))

    def link(self, path: str) -> str:
        """Return the link of a page of this site, as far as its address is known without a request."""
        return self._settings.base_url.rstrip("/") + self._settings.root + path

    def call_webhook(self, circle: str, payload: dict[str, Any]) -> None:
        """Send this as JSON to the webhook of a circle, if it has one."""
        if self._settings.notices:
            self._put(partial(self._call, circle, json.dumps(payload, ensure_ascii=False).encode()))

    # The queue.

    def _put(self, job: Job, delay: float = 0.0) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._push, job, delay)

    def _push(self, job: Job, delay: float) -> None:
        if len(self._queue) >= MOST_WAITING:
            log.warning("too many notices are waiting: one was dropped")
            return
        heappush(self._queue, (monotonic() + delay, next(self._numbers), job))
        self._woken.set()

    async def _run(self) -> None:
        while True:
            now = monotonic()
            while self._queue and self._queue[0][0] <= now and len(self._busy) < AT_ONCE:
                task = asyncio.create_task(self._work(heappop(self._queue)[2]))
                self._busy.add(task)
                task.add_done_callback(self._finish)
            due = self._queue[0][0] - now if self._queue and len(self._busy) < AT_ONCE else None
            self._woken.clear()
            try:
                async with asyncio.timeout(due):
                    await self._woken.wait()
            except TimeoutError:
                pass

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._busy.discard(task)
        self._woken.set()

    async def _work(self, job: Job) -> None:
        try:
            await job()
        except Refusal as refusal:  # such as a database that does not answer
            log.warning("a notice was not sent: %s", refusal.code)
        except Exception:
            log.exception("a notice was not sent")

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            self.look()

    # The jobs.

    async def _announce(self, turn: AwaitedTurn) -> None:
        if await asyncio.to_thread(self._lasts, turn):
            text = message("web.your-turn-in", game=await asyncio.to_thread(self._game_name, turn.table))
            await self._notify(turn.player, text, f"/t/{turn.table}", turn)

    def _lasts(self, turn: AwaitedTurn) -> bool:
        try:
            return turn_of(self._tables.state(turn.table)) == turn
        except UnknownTable:
            return False

    def _game_name(self, table: str) -> str:
        return self._tables.state(table).book.name

    async def _notify_all(self, players: Sequence[str], text: Message, path: str) -> None:
        for player in players:  # one after the other: a large circle does not fill the queue
            await self._notify(player, text, path, None)

    async def _notify(self, player: str, text: Message, path: str, turn: AwaitedTurn | None) -> None:
        found = await asyncio.to_thread(self.store.of, player)
        if not found or self._pushes.take(player):
            return
        waiting = await asyncio.to_thread(self.count_turns, player)
        for each in found:
            with using(each.language):
                title, body = say(message("web.your-turn" if turn else "web.notice")), say(text)
            notice = {"title": title, "body": body, "path": self._settings.root + path, "count": waiting}
            self._put(partial(self._send, player, each, notice, turn))

    async def _send(
        self, player: str, to: Subscription, notice: dict[str, Any], turn: AwaitedTurn | None, tries: int = 0
    ) -> None:
        """Send a notice to one browser, unless it was played, or the subscription has ended since."""
        wanted = await asyncio.to_thread(self.store.belongs, to.id, player)
        if not wanted or (turn is not None and not await asyncio.to_thread(self._lasts, turn)):
            return
        topic = sha256(notice["path"].encode()).hexdigest()[:32]
        content, headers = await asyncio.to_thread(self._prepare, to, notice, topic)
        answer = await self._outgoing.post(to.endpoint, content, headers)
        await asyncio.to_thread(partial(self.store.note_subscription, to.id, delivered=_judge(answer)))
        self._retry(partial(self._send, player, to, notice, turn, tries + 1), answer, tries)

    def _prepare(self, to: Subscription, notice: dict[str, Any], topic: str) -> tuple[bytes, dict[str, str]]:
        return outgoing.encrypt(to, notice), outgoing.headers(to, self._key, self._contact, topic)

    @property
    def _contact(self) -> str:
        """Return how push services reach the operator: by the site."""
        outside = urlsplit(self._settings.base_url)
        is_name = outside.scheme == "https" and "." in (outside.hostname or "")
        return f"https://{outside.hostname}" if is_name else "mailto:operator@localhost"  # no sentence

    async def _call(self, circle: str, content: bytes, tries: int = 0) -> None:
        address = await asyncio.to_thread(self.store.webhook, circle)
        if not address or (not tries and self._calls.take(circle)):
            return
        answer = await self._outgoing.post(address, content, {"content-type": "application/json"})
        await asyncio.to_thread(partial(self.store.note_webhook, circle, address, delivered=_judge(answer)))
        self._retry(partial(self._call, circle, content, tries + 1), answer, tries)

    def _retry(self, job: Job, answer: Answer, tries: int) -> None:
        if (answer.status in _AGAIN or answer.status >= 500) and tries < len(RETRIES):
            self._put(job, max(RETRIES[tries], min(answer.wait, LONGEST_RETRY)))


def _judge(answer: Answer) -> bool | None:
    """Return whether a notice arrived; None if the address has ended."""
    return None if answer.status in _GONE else 200 <= answer.status < 300
