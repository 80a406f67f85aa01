"""`fivedice pad`: the score pad as files for any web server."""

from __future__ import annotations

from pathlib import Path

from fivedice.cli.output import print_json, tell
from fivedice.core.rules import SHIPPED, RuleBook, book as find_book


def pad(*books: str, out: Path, coach: bool = False, json: bool = False) -> None:
    """Write the score pad as a web site that needs no server.

    Put the folder on any web space, or open it with `python3 -m http.server`. Phones can install it over https. It has
    all shipped rules, and speaks the language of this command.

    Examples: `fivedice pad --out score-pad`, `fivedice pad my-house.toml --out score-pad`,
    `fivedice pad --out score-pad --coach`.

    Parameters
    ----------
    books
        House rules to offer beside the shipped rules: the paths of their .toml files.
    out
        The folder to write: a new or empty one, or one with an older score pad, which is replaced.
    coach
        Add the coach for all rules that are solved on this computer and fit a phone: 0.5 to 2 MB each.
    json
        Print the folder, its bytes and its rules as JSON.
    """
    from fivedice.web.pages.home import static_site as site

    offered = site.site_books([find_book(name) for name in books if name not in SHIPPED])
    coaches = _coaches(offered) if coach else {}
    size = site.Site(offered, coaches).write(out)
    if json:
        print_json({"folder": str(out), "bytes": size, "rules": [*offered], "coach": [*coaches]})
        return
    tell("cli.pad-written", folder=str(out), size=f"{size / 1e6:.1f}", count=len(offered), soft_wrap=True)
    if coach:
        without = tuple(key for key in offered if key not in coaches)
        tell("cli.pad-coaches", count=len(coaches))
        if without:
            tell("cli.pad-no-coach", rules=without, soft_wrap=True)
    tell("cli.pad-open", folder=str(out), soft_wrap=True)


def _coaches(books: dict[str, RuleBook]) -> dict[str, bytes]:
    """Return the packed values of the books that are solved already; solving can take hours."""
    from fivedice.solver.solution.phone_values import packed_values

    found = {address: packed_values(book) for address, book in books.items()}
    return {address: values for address, values in found.items() if values is not None}
