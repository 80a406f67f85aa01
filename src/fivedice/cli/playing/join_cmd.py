"""`fivedice join`: a seat at a web table, from the terminal."""

from __future__ import annotations


def join(link: str, name: str | None = None, /) -> int:
    """Sit down at a web table and play there, line by line. The seat is kept for this computer.

    Examples: `fivedice join https://example.org/t/TABLE/join/CODE Ann`,
    `fivedice join http://localhost:8765/t/TABLE`.

    Parameters
    ----------
    link
        The invitation, as the page of the table shows it; of a table where you sit already, its address.
    name
        Your name at the table; nobody needs one.
    """
    from fivedice.terminal.lines.remote_table import RemoteTable, sit_down

    return 0 if RemoteTable(sit_down(link, name)).play() else 3
