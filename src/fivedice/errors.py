"""All errors that Fivedice raises on purpose.

::

    FivediceError
    ├── MalformedError      a text that cannot be read (also a ValueError)
    ├── IllegalError        the rules forbid it (also a ValueError)
    │   ├── IllegalMove     a move that the position does not allow
    │   ├── IllegalCard     a card that no game leads to
    │   └── IllegalRecord   a recorded game that breaks its own rules
    ├── BookError           a rule-book file that is refused, with file and line (also a ValueError)
    ├── UnknownBook         no rules have this name (also a LookupError)
    ├── DiceError           the source has no dice to give
    ├── BotError            a bot that does not move, moves illegally or fails
    ├── MissingExtra        packages that are not installed, with their names (also a ModuleNotFoundError)
    └── PaperError          a sheet that does not fit on paper, or cannot be printed here (also a ValueError)

Messages quote the input and say what to do, so that programs can show them to people unchanged.
"""

from __future__ import annotations

from fivedice.message import Message, message

_LONGEST_QUOTE = 60


def quote(text: object) -> str:
    """Return the input for a message: quoted, escaped, and no longer than a line."""
    shown = shorten(text if isinstance(text, str) else _represent(text))
    return repr(shown) if isinstance(text, str) else shown


def shorten(shown: str) -> str:
    """Return the text, cut to the length of a line."""
    return shown if len(shown) <= _LONGEST_QUOTE else shown[: _LONGEST_QUOTE - 1] + "…"


def _represent(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python does not format numbers with thousands of digits
        return "…"


class FivediceError(Exception):
    """The base class of all errors. `message` is a kind with its arguments, and `str(error)` its sentence.

    `kind` may also be a plain sentence.

    >>> str(fd.FivediceError("Something went wrong."))
    'Something went wrong.'
    """

    def __init__(self, kind: str | Message, /, **args: object) -> None:
        self.message = kind if isinstance(kind, Message) else Message(kind, args)
        super().__init__(self.message)

    def __str__(self) -> str:
        return str(self.message)


class MalformedError(FivediceError, ValueError):
    """A text that is not a roll, a position, a turn or a game. In a record, `line` and `column` say where, from 1.

    >>> try:
    ...     fd.Roll.parse("hello")
    ... except fd.MalformedError as error:
    ...     print(error.message.kind)
    dice.not-a-roll
    """

    line: int | None = None
    column: int | None = None


class IllegalError(FivediceError, ValueError):
    """Something that can be read but that the rules forbid. In a record, `line` and `column` say where, from 1.

    >>> try:
    ...     fd.book("yahtzee").box("pyramid")
    ... except fd.IllegalError as error:
    ...     print(error.message.kind)
    rules.unknown-box
    """

    line: int | None = None
    column: int | None = None


class IllegalMove(IllegalError):  # noqa: N818 - named for what it is, as python-chess does
    """A move that the position does not allow. The message names the rule.

    >>> try:
    ...     fd.Game.new("yahtzee").hold("66")
    ... except fd.IllegalMove as error:
    ...     print(error.message.kind)
    game.roll-first
    """


class IllegalCard(IllegalError):  # noqa: N818
    """A card that no game by these rules can lead to.

    >>> try:
    ...     fd.Scorecard.of("yahtzee", {"fours": 13})
    ... except fd.IllegalCard as error:
    ...     print(error.message.kind)
    game.impossible-points
    """


class IllegalRecord(IllegalError):  # noqa: N818
    """A recorded game whose moves, points or totals break its rules. `line` and `column` say where, from 1.

    >>> record = fd.write_game(fd.Game.new("yahtzee"))
    >>> try:
    ...     fd.read_game(record.replace("* 0", "* 5"))
    ... except fd.IllegalRecord as error:
    ...     print(error.message.kind, error.line == len(record.splitlines()))
    notation.other-totals True
    """


class BookError(FivediceError, ValueError):
    r"""A rule-book file that is refused, with the place and the reason.

    `file` and `line` say where. `path` is the key at fault, such as ("bonus", "points"). `column` is known only if the
    text is not valid TOML.

    >>> try:
    ...     fd.load_book('extends = "yahtzee"\nrolls = 99')
    ... except fd.BookError as error:
    ...     print(error.line, error.path)
    2 ('rolls',)
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
        """Return the sentence without the place.

        >>> fd.BookError("No rolls.", line=2).reason
        'No rolls.'
        """
        return str(self.message)

    def __str__(self) -> str:
        if self.line is None:
            return str(message("rules.problem-in-file", file=self.file, reason=self.message))
        return str(message("rules.problem-in-line", file=self.file, line=self.line, reason=self.message))


class UnknownBook(FivediceError, LookupError):  # noqa: N818
    """A key that no rules have. In a record, `line` and `column` say where, from 1.

    >>> try:
    ...     fd.book("kniffle")
    ... except fd.UnknownBook as error:
    ...     print(error.message.args["meant"])
    'kniffel'
    """

    line: int | None = None
    column: int | None = None


class DiceError(FivediceError):
    """A source that cannot roll: its script is used up, or real dice must be entered.

    >>> try:
    ...     fd.Game.new("yahtzee", dice=fd.dice.real()).roll()
    ... except fd.DiceError as error:
    ...     print(error.message.kind)
    dice.roll-real-dice
    """


class BotError(FivediceError):
    """A bot that does not play. `message.args` has the `bot`, the `game` (from 1) and the `position` if known.

    >>> fd.BotError("It made no move.", bot="mine").message.args["bot"]
    'mine'
    """


class MissingExtra(FivediceError, ModuleNotFoundError):  # noqa: N818
    """Packages that are not installed. The message names the extra that installs them.

    >>> issubclass(fd.MissingExtra, ModuleNotFoundError)
    True
    """


class PaperError(FivediceError, ValueError):
    """A sheet that cannot be printed: too many columns to be legible, or the typesetter is missing."""
