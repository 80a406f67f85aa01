"""The files of pages: templates; and scripts, styles and images, which browsers cache until they change.

Templates have translated texts, and values formatted by `fivedice.text`.

The address of a file contains a fingerprint of all files, as in `/static/3f9c…/play/table.js`. Its content never
changes, so browsers cache it for ever; a new version has new addresses. Scripts import each other by relative
addresses. With another fingerprint or none, the same file is served and revalidated each time: for pages of an older
version, and for people.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader
from jinja2.bccache import Bucket
from litestar import HttpMethod, route
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Response
from markupsafe import Markup

from fivedice import text as words
from fivedice.core.rules import RuleBook, shipped
from fivedice.core.rules.loader import default_summary
from fivedice.drawing import theme as tokens
from fivedice.folders import cache_folder
from fivedice.text.languages import direction, gettext, menu, ngettext, npgettext, pgettext
from fivedice.text.page_scripts import script_words
from fivedice.web.http.handling import SVG, NotFound, Req

STATIC = Path(__file__).parents[1] / "static"
STYLE = "core/style.css"
FOR_EVER = "public, max-age=31536000, immutable"  # no sentence
EACH_TIME = "no-cache"
_SQUEEZED = re.compile(r"text/|application/json|image/svg")  # other images are already compressed
# Comments, indentation and spaces that a style does not need: these are not sent. A test checks that scripts use only
# comments of this form.
_NOT_RUN = re.compile(r"/\*\*[\s\S]*?\*/ ?|(?<!\S)// .*|^ +", re.MULTILINE)
_NOT_STYLE = re.compile(r"/\*[\s\S]*?\*/|^ +|(?<=[;{,]) +|(?<! ) +(?=[{}])|;(?= *\}$)|(?<=[\w-]:) +", re.MULTILINE)
_BETWEEN_RULES = re.compile(r"(?<=[;{},])\n+|^\n+")
_below = re.compile(r"(?:(?P<print>[0-9a-f]{12})/)?(?P<name>.+)").fullmatch


@cache
def names() -> frozenset[str]:
    """Return the paths of all static files, relative to `static`. No other file is served."""
    found = (path for path in STATIC.rglob("*.*") if path.parent.name != "__pycache__")
    return frozenset(path.relative_to(STATIC).as_posix() for path in found)


def content(name: str) -> bytes:
    """Return a file as served: without comments, indentation and spare spaces. The common style starts with the theme.

    The line numbers of a script stay the same, so that errors in a browser name the right line.
    """
    path = STATIC / name
    if path.suffix == ".js":
        return _NOT_RUN.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8")).encode()
    if path.suffix != ".css":
        return path.read_bytes()
    text = _BETWEEN_RULES.sub("", _NOT_STYLE.sub("", path.read_text(encoding="utf-8")))
    return ((tokens.css() if name == STYLE else "") + text).encode()


@cache
def fingerprint() -> str:
    """Return a fingerprint of all files together, computed once per process."""
    digest = sha256()
    for name in sorted(names()):
        digest.update(f"{name}\n{sha256(content(name)).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


def static_address(name: str, root: str = "") -> str:
    """Return the address of a file for use in a page. Raise AssertionError if there is no such file."""
    if name not in names():
        raise AssertionError(f"there is no static file {name!r}")
    return f"{root}/static/{fingerprint()}/{name}"


@dataclass(frozen=True, slots=True)
class _File:
    kind: str
    tag: str  # weak, because the file is sent with and without compression
    plain: bytes
    squeezed: bytes | None


@cache  # like the fingerprint: the content at an address must not change while the server runs
def _file(name: str) -> _File:
    body, kind = content(name), guess_type(name)[0] or "application/octet-stream"
    squeezed = gzip.compress(body, 9, mtime=0) if _SQUEEZED.match(kind) else None
    kind = SVG if name.endswith(".svg") else kind
    return _File(kind, sha256(body).hexdigest()[:20], body, squeezed)


@route("/static/{file_path:path}", http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
async def static(request: Req, file_path: str) -> Response[bytes]:
    below = _below(file_path.removeprefix("/"))
    if below is None or below["name"] not in names():
        raise NotFound("web.no-file")
    found = _file(below["name"])
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if below["print"] != fingerprint():
        headers |= {"cache-control": EACH_TIME, "etag": f'W/"{found.tag}"'}
    if is_known(found.tag, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    if found.squeezed is not None and _takes_gzip(request):
        return Response(found.squeezed, media_type=found.kind, headers=headers | {"content-encoding": "gzip"})
    return Response(found.plain, media_type=found.kind, headers=headers)


def is_known(tag: str, header: str) -> bool:
    """Return whether the browser has this version. Proxies may send a strong tag, or several tags."""
    known = {each.strip().removeprefix("W/") for each in header.split(",")}
    return bool(known & {f'"{tag}"', "*"})


def _takes_gzip(request: Req) -> bool:
    offered = request.headers.get("accept-encoding", "").replace(" ", "").split(",")
    return any(each == "gzip" or (each.startswith("gzip;q=") and each[7:] not in {"0", "0.0"}) for each in offered)


TEMPLATES = Path(__file__).parents[1] / "templates"


def marked_text(text: str, /, **values: object) -> Markup:
    """Return a translated text with escaped values. Texts without values are cached: a page has about 50."""
    return _mark_up(text) % values if values else _text(words.current(), text)


def marked_label(context: str, text: str, /, **values: object) -> Markup:
    """Return the translation of a text that means something else in another context."""
    return Markup(pgettext(context, text)) % values  # noqa: S704 - our own texts; values are escaped


@lru_cache(maxsize=4096)  # more than the templates have
def _text(_language: str, text: str) -> Markup:
    return _mark_up(text) % {}


def _mark_up(text: str) -> Markup:
    return Markup(gettext(text))  # noqa: S704 - our own texts; values are escaped


def _pips_of(templates: Environment) -> Callable[..., Markup]:
    """Return a cached function that draws the pips of a face: a page has up to 20 dice, but few faces."""

    @lru_cache(maxsize=64)
    def draw(face: int, ink: str) -> Markup:
        drawn: Markup = getattr(templates.get_template("play/_dice.html").module, "pips")(face, ink)  # noqa: B009 - a macro
        return drawn

    def pips(face: int, inks: object = "") -> Markup:
        return draw(face, str(inks)[face - 1 : face])

    return pips


def template_engine(root: str) -> JinjaTemplateEngine:
    return JinjaTemplateEngine.from_environment(environment(root))


def compile_all(templates: Environment) -> None:
    """Compile all templates at the start. Otherwise the first visitors wait, up to half a second in all."""
    for name in templates.list_templates():
        templates.get_template(name)


class CompiledTemplates(FileSystemBytecodeCache):
    """A cache of compiled templates on disk. Errors of the file system are ignored: they only cost time."""

    made_by = jinja2.__version__ + Path(__file__).read_text("utf-8")  # the options below affect the compiled code

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(self.made_by + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _compiled_templates() -> CompiledTemplates | None:
    """Return the cache in the user's cache folder, or None without such a folder."""
    folder = cache_folder()
    if folder is None:
        return None
    with suppress(OSError):
        (folder / "templates").mkdir(parents=True, exist_ok=True)
    return CompiledTemplates(str(folder / "templates"))


def environment(root: str = "") -> Environment:
    """Return the environment of all templates. They put `root` before each address of this server."""
    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        bytecode_cache=_compiled_templates(),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        lstrip_blocks=True,  # indentation before a block is not sent
        auto_reload=False,  # templates do not change while the server runs; checking the files would cost time per page
    )
    found.policies["ext.i18n.trimmed"] = True
    found.policies["json.dumps_kwargs"] = {"sort_keys": True, "separators": (",", ":")}  # for small pages
    found.install_gettext_callables(gettext, ngettext, newstyle=True, npgettext=npgettext)  # type: ignore[attr-defined]
    found.globals |= {"gettext": marked_text, "_": marked_text, "pgettext": marked_label, "pips": _pips_of(found)}
    found.globals |= {"language": words.current, "languages": menu, "direction": direction}
    found.globals |= {"script_words": script_words}
    found.globals |= {"root": Markup(root), "static": partial(static_address, root=root), "shades": tokens.PAGE}  # noqa: S704
    found.filters |= {
        "day": words.format_day,
        "inks": tokens.pip_inks,
        "grouped": words.group_digits,
        "name": words.name_of,
        "percent": words.percent,
        "points": words.points,
        "said": words.translate_text,
        "shown": words.format_value,
        "signed": words.format_signed,
        "summary": _summary_of,
    }
    return found


def _summary_of(book: RuleBook) -> str:
    """Return the summary of a book in the reader's language, also the one that house rules have by default."""
    if book.extends is None or book.summary != default_summary(shipped(book.extends).name):
        return words.translate_text(book.summary)
    said = gettext("%(name)s: house rules")  # no sentence: a template has it
    return said % {"name": words.name_of(shipped(book.extends))}
