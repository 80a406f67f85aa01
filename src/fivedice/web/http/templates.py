"""The Jinja environment of the pages: translated texts, and values formatted by `fivedice.text`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader
from jinja2.bccache import Bucket
from litestar.plugins.jinja import JinjaTemplateEngine
from markupsafe import Markup

from fivedice import text as words
from fivedice.drawing import theme as tokens
from fivedice.folders import cache_folder
from fivedice.text.languages import direction, gettext, ngettext, npgettext, pgettext
from fivedice.text.page_scripts import script_words
from fivedice.web.http.static_files import static_address

FOLDER = Path(__file__).parents[1] / "templates"


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
        loader=FileSystemLoader(FOLDER),
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
    found.globals |= {"language": words.current, "direction": direction, "script_words": script_words}
    found.globals |= {"root": Markup(root), "static": partial(static_address, root=root), "shades": tokens.PAGE}  # noqa: S704
    found.filters |= {
        "inks": tokens.pip_inks,
        "grouped": words.group_digits,
        "name": words.name_of,
        "percent": words.percent,
        "points": words.points,
        "said": words.translate_text,
        "shown": words.format_value,
        "signed": words.format_signed,
        "spread": words.spread,
    }
    return found
