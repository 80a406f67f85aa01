"""Play the daily game and deals: begin an attempt or practice, and judge it once when it is finished."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING

from fivedice.core.dice import ProvableDice
from fivedice.core.game import Game
from fivedice.errors import MalformedError, quote
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.store.deals import MOST_PLAYERS, Attempt, Deal, new_name
from fivedice.table.daily import is_day, read_day
from fivedice.table.fairness.commitments import sealed_names, texts_of
from fivedice.table.refusals import BadRequest, NotAllowed, UnknownTable
from fivedice.table.seat_names import clean_name
from fivedice.table.service import Tables
from fivedice.table.service.days import Days
from fivedice.table.state import Phase, TableState
from fivedice.text.squares import squares_of
from fivedice.web.http.handling import NotFound
from fivedice.web.jobs.report_jobs import Reports
from fivedice.web.jobs.solutions import LAST, NEXT, Solutions

if TYPE_CHECKING:
    from fivedice.reports.report_json import Dearest

MOST_ASKED = 1000  # results in the queue; the next look asks again
LONGEST_GROUP = timedelta(days=90)  # until a deal for a group closes


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of a person at a deal, as far as it is known."""

    attempt: Attempt
    counts: bool  # finished in full, and before the dice could be known

    @property
    def is_known(self) -> bool:
        return self.counts and self.attempt.lost is not None

    @property
    def luck(self) -> float:
        return float((self.attempt.facts or {}).get("luck", 0.0))

    @property
    def turns(self) -> list[float]:
        """Return the points lost in each turn."""
        return list((self.attempt.facts or {}).get("turns", ()))

    @property
    def squares(self) -> str:
        return squares_of(self.turns)

    @property
    def dearest(self) -> Dearest | None:
        from fivedice.reports.report_json import Dearest

        found = (self.attempt.facts or {}).get("dearest")
        return None if found is None else Dearest.from_data(found)


class DailyGames:
    """Created once per server process."""

    def __init__(self, days: Days, tables: Tables, reports: Reports, solutions: Solutions) -> None:
        self.days, self._tables, self._reports, self._solutions = days, tables, reports, solutions
        self._deals = tables.store.deals
        self._asked: set[tuple[str, str]] = set()  # deals and players that wait to be judged

    def of_day(self, day: str | None = None) -> Deal:
        """Return the daily game of a date, or of today. Raise NotFound for a date without one."""
        found = self.days.of(self.days.today() if day is None else _read_day(day))
        if found is None:
            raise NotFound("home.daily-no-such-day", day=quote(day), first=self.days.first().isoformat())
        return found

    def find(self, name: str) -> Deal:
        """Return a deal by its name. Raise NotFound if there is none."""
        found = None if is_day(name) else self._deals.find(name)
        if found is None:
            raise NotFound("home.daily-no-such-deal")
        return found

    def begin(self, deal: Deal, player: str, name: str = "") -> str:
        """Return the game that counts if it is not over, or one to practise with the same dice."""
        known = self._deals.attempt(deal.name, player)
        if known is not None and known.finished is None and not self._is_ended(known.table_id):
            return known.table_id
        practice = known is not None or not self.days.is_open(deal) or self.knows(deal, player)
        if not practice and not is_day(deal.name) and self._deals.count_attempts(deal.name) >= MOST_PLAYERS:
            raise NotAllowed("home.daily-full", most=MOST_PLAYERS)
        return self._tables.open_deal(player, deal, practice=practice, name=clean_name(name.strip() or None) or "")

    def _is_ended(self, table: str) -> bool:
        try:
            return self._tables.state(table).phase.is_over
        except UnknownTable:  # put away
            return True

    def knows(self, deal: Deal, player: str) -> bool:
        """Return whether a person has played the game that these dice are from."""
        state = None if deal.table_id is None else self.source(deal)
        return deal.table_id is not None and (deal.player == player or bool(state and state.seats_of(player)))

    def source(self, deal: Deal) -> TableState | None:
        """Return the finished game that the dice of a deal are from, if it still exists."""
        try:
            return None if deal.table_id is None else self._tables.state(deal.table_id)
        except UnknownTable:
            return None

    def standing(self, deal: Deal, player: str) -> Standing | None:
        """Return the result of a person; None without an attempt.

        It is judged now if its rules are solved, which takes 0.1 seconds once, and otherwise in the background.
        """
        found = self._deals.attempt(deal.name, player)
        if found is not None and found.lost is None and self.days.counts(deal, found) and self._judge_now(found):
            found = self._deals.attempt(deal.name, player)
        return None if found is None else self.judge_soon(deal, found)

    def _judge_now(self, attempt: Attempt) -> bool:
        """Judge an attempt without waiting for a solution, and return whether that was possible."""
        try:
            book = self._tables.state(attempt.table_id).book
            return self._solutions.ready(book) is not None and self.judge(attempt)
        except UnknownTable:  # put away before it was judged
            return False

    def standings(self, deal: Deal) -> list[tuple[int, Standing]]:
        """Return the known results with their ranks by points lost; equal ones share a rank."""
        all_ = [self.judge_soon(deal, attempt) for attempt in self._deals.attempts(deal.name)]
        known = sorted((each for each in all_ if each.is_known), key=lambda each: each.attempt.lost or 0)
        lost = [each.attempt.lost for each in known]
        return [(1 + lost.index(each.attempt.lost), each) for each in known]

    def judge_soon(self, deal: Deal, attempt: Attempt) -> Standing:
        found = Standing(attempt, self.days.counts(deal, attempt))
        asked = deal.name, attempt.player
        if found.counts and attempt.lost is None and asked not in self._asked and len(self._asked) < MOST_ASKED:
            self._asked.add(asked)
            self._solutions.jobs.put(NEXT, partial(self._judge_once, deal, attempt))
        return found

    def _judge_once(self, deal: Deal, attempt: Attempt, *, again: bool = True) -> None:
        """Judge an attempt; if its rules are still being solved, once more after all other jobs."""
        known = True
        try:
            known = self.judge(attempt)
        finally:
            if known or not again:
                self._asked.discard((deal.name, attempt.player))
        if not known and again:
            self._solutions.jobs.put(LAST, partial(self._judge_once, deal, attempt, again=False))

    def judge_end(self, state: TableState) -> None:
        """Judge a game that has just ended, in the background."""
        player = state.seats[0].player
        if state.deal is None or state.practice or state.phase is not Phase.FINISHED or player is None:
            return
        deal, attempt = self._deals.find(state.deal), self._deals.attempt(state.deal, player)
        if deal is not None and attempt is not None:
            self.judge_soon(deal, attempt)

    def judge(self, attempt: Attempt) -> bool:
        """Store the points lost, the luck and the dearest decision; return whether they are known."""
        state = self._tables.state(attempt.table_id)
        if state.game is None or not self.can_judge(state.game):
            return False
        report = self._reports.report(state.game, win=False).report
        if report is None:  # still being solved: the next look asks again
            return False
        from fivedice.reports.report_json import attempt_facts

        player = report.players[0]
        self._deals.settle(attempt, round(10 * player.lost), attempt_facts(player))
        return True

    def can_judge(self, game: Game) -> bool:
        """Return whether these rules are solved, or soon will be."""
        return not takes_long(game.book) or self._solutions.ready(game.book) is not None

    def deal_again(self, table: str, player: str, seat: int | None) -> Deal:
        """Return the deal with the dice of a seat in a finished game. Raise NotAllowed if it cannot be dealt again."""
        state = self._tables.state(table)
        if state.deal is not None or state.secret is None or state.game is None or state.phase is not Phase.FINISHED:
            raise NotAllowed("home.daily-cannot-deal")
        cards = state.game.position.cards
        seats = [number for number, card in enumerate(cards) if card.is_full]
        own = [number for number in state.seats_of(player) if number in seats]
        wanted = seat if seat in seats else own[0] if own else max(seats, key=lambda each: cards[each].total)
        turns = tuple(turn for turn, rolls in enumerate(state.lain, 1) if rolls[0].seat == wanted)
        known = ProvableDice("", state.book.fingerprint, sealed_names(state), texts_of(state), state.known).known
        again = self._deals.of_game(table, wanted)
        return again or self._deals.add(
            Deal(new_name(), state.shelf_key, state.secret, known, turns, table, wanted, player)
        )

    def deal_new(self, player: str, book: str, title: str, closes: str) -> Deal:
        """Return new dice for a group, who can begin until a date. Raise BadRequest if it is past or far away."""
        last, now = _read_day(closes), self.days.today()
        if not now <= last <= now + LONGEST_GROUP:
            raise BadRequest("home.daily-closes-range", closes=closes, last=(now + LONGEST_GROUP).isoformat())
        shown = clean_name(title.strip() or None) or ""
        return self._deals.add(
            Deal(new_name(), book, secrets.token_hex(32), player=player, title=shown, closes=last.isoformat())
        )


def _read_day(text: str) -> date:
    try:
        return read_day(text)
    except MalformedError as error:
        raise BadRequest(error.message) from None
