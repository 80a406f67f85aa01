"""A matrix: every command, by every caller, at every moment of a table, and what it leads to or how it is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd
from fivedice.table.refusals import Refusal
from table.table_harness import Loaded, Parlour, summary


@dataclass(frozen=True)
class Matrix:
    """The rows, below a headline, name a command and callers; then comes a cell for each moment.

    A row speaks for all callers that it names, and "=" means that all is done already.
    """

    callers: Mapping[str, str]
    moments: Mapping[str, Callable[[], Parlour]]
    commands: Mapping[str, Callable[[str], cmd.Command]]
    rows: str
    dice: tuple[int, ...] = ()  # for the one throw of a command
    present: frozenset[str] | None = None

    @property
    def cases(self) -> list[tuple[str, str, str, str]]:
        """Command, caller, moment, and what is expected."""
        (_, _, *moments), *rows = (line.split() for line in self.rows.strip().splitlines())
        return [
            (command, caller, moment, expected)
            for command, callers, *cells in rows
            for caller in callers.split(",")
            for moment, expected in zip(moments, cells, strict=True)
        ]

    def check_complete(self) -> None:
        """Every command by every caller at every moment, and none of them twice."""
        found = sorted(case[:3] for case in self.cases)
        assert found == sorted(product(self.commands, self.callers, self.moments))

    def check(self, moment: str) -> None:
        """All cases of this moment; a decision changes nothing."""
        parlour = self.moments[moment]()
        before = summary(parlour.state)
        for command, caller, _, expected in (case for case in self.cases if case[2] == moment):
            found = self._outcome(parlour, self.commands[command](self.callers[caller]))
            assert found == expected, f"{command} by {caller} when {moment}: {found} and not {expected}"
            assert summary(parlour.state) == before

    def _outcome(self, parlour: Parlour, command: cmd.Command) -> str:
        try:
            events = command.decide(parlour.state, Context(Loaded(list(self.dice)), self.present))
        except Refusal as refusal:
            text = str(refusal)
            return refusal.code if not text[0].islower() and text.endswith(".") else f"no sentence: {text}"
        return "+".join(type(event).__name__ for event in events) or "="
