"""Jinja as the pages use it: texts in the reader's language, and values as `words` shows them."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from litestar.plugins.jinja import JinjaTemplateEngine

from fivedice import tokens, words
from fivedice.web.http.static_files import static_address
from fivedice.words.formatting import direction, gettext, ngettext
from fivedice.words.sentences.script_sentences import script_words

FOLDER = Path(__file__).parents[1] / "templates"


def template_engine() -> JinjaTemplateEngine:
    return JinjaTemplateEngine.from_environment(environment())


def environment() -> Environment:
    found = Environment(loader=FileSystemLoader(FOLDER), autoescape=True, extensions=["jinja2.ext.i18n"])
    found.policies["ext.i18n.trimmed"] = True
    found.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    found.globals |= {"language": words.current, "direction": direction, "script_words": script_words}
    found.globals |= {"static": static_address, "shades": tokens.PAGE}
    found.filters |= {
        "grouped": words.grouped,
        "name": words.name_of,
        "percent": words.percent,
        "points": words.points,
        "said": words.said,
        "shown": words.shown,
        "signed": words.signed,
        "spread": words.spread,
    }
    return found
