"""Jinja as the pages use it: texts in the reader's language, and values as `words` shows them."""

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
from fivedice.text.formatting import direction, gettext, ngettext
from fivedice.text.sentences.script_sentences import script_words
from fivedice.web.http.static_files import static_address

FOLDER = Path(__file__).parents[1] / "templates"


def marked_text(text: str, /, **values: object) -> Markup:
    """As Jinja's own, in the language in use; a text that names nothing is made once. A page has fifty of those."""
    return _marked(text) % values if values else _text(words.current(), text)


@lru_cache(maxsize=4096)  # more than there are: templates alone ask
def _text(_language: str, text: str) -> Markup:
    return _marked(text) % {}


def _marked(text: str) -> Markup:
    return Markup(gettext(text))  # noqa: S704 - our own texts; what they name is escaped


def _pips_of(templates: Environment) -> Callable[[int], Markup]:
    """The spots of a die, by their face: there are nine, and a page has up to twenty."""

    @lru_cache(maxsize=16)
    def pips(face: int) -> Markup:
        drawn: Markup = getattr(templates.get_template("play/_dice.html").module, "pips")(face)  # noqa: B009 - a macro
        return drawn

    return pips


def template_engine(root: str) -> JinjaTemplateEngine:
    return JinjaTemplateEngine.from_environment(environment(root))


def compile_all(templates: Environment) -> None:
    """Before anybody asks: the first visitors would wait for each other, half a second in all after an installation."""
    for name in templates.list_templates():
        templates.get_template(name)


class CompiledTemplates(FileSystemBytecodeCache):
    """Store compiled templates; a folder that cannot be read or written costs time and nothing else."""

    made_by = jinja2.__version__ + Path(__file__).read_text("utf-8")  # the options below decide what is compiled

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(self.made_by + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _compiled_templates() -> CompiledTemplates | None:
    """Return the store in the user's cache folder, or None without one."""
    folder = cache_folder()
    if folder is None:
        return None
    with suppress(OSError):
        (folder / "templates").mkdir(parents=True, exist_ok=True)
    return CompiledTemplates(str(folder / "templates"))


def environment(root: str = "") -> Environment:
    """Return the environment of all templates. They write `root` before each address of this server."""
    found = Environment(
        loader=FileSystemLoader(FOLDER),
        bytecode_cache=_compiled_templates(),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        lstrip_blocks=True,  # what is indented before a block is not sent
        auto_reload=False,  # nobody changes them while they are served: a look at each file for every page
    )
    found.policies["ext.i18n.trimmed"] = True
    found.policies["json.dumps_kwargs"] = {"sort_keys": True, "separators": (",", ":")}  # pages stay small
    found.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    found.globals |= {"gettext": marked_text, "_": marked_text, "pips": _pips_of(found)}
    found.globals |= {"language": words.current, "direction": direction, "script_words": script_words}
    found.globals |= {"root": Markup(root), "static": partial(static_address, root=root), "shades": tokens.PAGE}  # noqa: S704
    found.filters |= {
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
