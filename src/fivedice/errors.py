"""Everything that Fivedice raises on purpose.

::

    FivediceError
    ├── MalformedError      the text cannot be read at all (also a ValueError)
    ├── IllegalError        it can be read, but the rules forbid it (also a ValueError)
    │   ├── IllegalMove     not now, not that box, not those dice
    │   ├── IllegalCard     no game leads to a card like this
    │   └── IllegalRecord   a recorded game that breaks its own book
    ├── BookError           a rule-book file is refused; knows its file and line (also a ValueError)
    ├── UnknownBook         no book of that name (also a LookupError)
    ├── DiceError           the source has no dice to give
    ├── BotError            a bot of one's own that does not play: no move, an illegal one, or an error
    ├── MissingExtra        it needs packages that are not installed, and says which (also a ModuleNotFoundError)
    └── PaperError          a sheet that does not fit on paper, or cannot be printed here (also a ValueError)

Messages quote the input and name the way out, so that they can be shown to a person as they are.
"""

from __future__ import annotations

from fivedice.message import Message, message

_LONGEST_QUOTE = 60


def quote(text: object) -> str:
    """The input as it may stand in a message: quoted, escaped, and not longer than a line."""
    shown = shorten(text if isinstance(text, str) else _shown(text))
    return repr(shown) if isinstance(text, str) else shown


def shorten(shown: str) -> str:
    """No longer than a line."""
    return shown if len(shown) <= _LONGEST_QUOTE else shown[: _LONGEST_QUOTE - 1] + "…"


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python refuses to write out numbers of thousands of digits
        return "…"


class FivediceError(Exception):
    """The root of the tree: catch this to catch all of them.

    An error is a kind and its arguments; `str(error)` is its sentence. A plain sentence may stand in for the kind.
    """

    def __init__(self, kind: str | Message, /, **args: object) -> None:
        self.message = kind if isinstance(kind, Message) else Message(kind, args)
        super().__init__(self.message)

    def __str__(self) -> str:
        return str(self.message)


class MalformedError(FivediceError, ValueError):
    """Text that is not a roll, a position, a turn or a game. In a record, `line` and `column` say where, from 1."""

    line: int | None = None
    column: int | None = None


class IllegalError(FivediceError, ValueError):
    """Something that can be read and understood, and that the rules forbid. `line` and `column` as above."""

    line: int | None = None
    column: int | None = None


class IllegalMove(IllegalError):  # noqa: N818 - named for what it is, as python-chess does
    """A move that the position does not allow; the message names the rule."""


class IllegalCard(IllegalError):  # noqa: N818
    """A scorecard that no game by this book can produce."""


class IllegalRecord(IllegalError):  # noqa: N818
    """A recorded game whose moves, points or totals contradict its rule book."""


class BookError(FivediceError, ValueError):
    """A rule-book file that is refused, with the place and the reason.

    `path` names what is wrong as the file does, such as ("bonus", "points"); `column` is known where the text is not
    even TOML. Both are for those who show the place: a form, an editor.
    """

    def __init__(
        self,
        kind: str | Message,
        /,
        *,
        file: str = "<text>",
        line: int | None = None,
        column: int | None = None,
        path: tuple[str | int, ...] = (),
        **args: object,
    ) -> None:
        super().__init__(kind, **args)
        self.file = file
        self.line = line
        self.column = column
        self.path = path

    @property
    def reason(self) -> str:
        """The sentence without the place."""
        return str(self.message)

    def __str__(self) -> str:
        if self.line is None:
            return str(message("rules.problem-in-file", file=self.file, reason=self.message))
        return str(message("rules.problem-in-line", file=self.file, line=self.line, reason=self.message))


class UnknownBook(FivediceError, LookupError):  # noqa: N818
    """A book asked for by a name that is not in the catalog. `line` and `column` as above."""

    line: int | None = None
    column: int | None = None


class DiceError(FivediceError):
    """The dice source cannot throw: its script is used up, or real dice are waited for."""


class BotError(FivediceError):
    """A bot that does not play. `message.args` name the `bot`, the `game` (from 1) and the `position` where known."""


class MissingExtra(FivediceError, ModuleNotFoundError):  # noqa: N818
    """Something that needs packages which are not installed; the message names the extra that brings them."""


class PaperError(FivediceError, ValueError):
    """A sheet that cannot be printed: too many columns to be legible, or the printer's package is missing."""
