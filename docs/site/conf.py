"""The site of the documentation: `make docs` builds it from the Markdown files as they stand.

The source is the whole repository, so that a link from one page to another works here as it does on a code host. What
only the site needs (contents, docstrings) is added while it is built: see site_pages.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import fivedice  # noqa: E402
from fivedice.drawing.theme import PAGE  # noqa: E402

extensions = ["myst_parser", "sphinx.ext.autodoc", "site_pages"]

project = "Fivedice"
author = "Fivedice"
version = release = fivedice.__version__
html_title = f"Fivedice {version}"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_use_index = False
html_domain_indices = False

root_doc = "README"
include_patterns = ["*.md", "docs/**.md"]
exclude_patterns = [".*", "bench", "build", "dist", "src", "tests", "tools"]

myst_heading_anchors = 4  # as code hosts name them

# Members that have no underscore because the packages of the engine share them.
_SHARED = """
available bonus_above bonus_mask bonus_masks bonus_section box_chances box_values counted decide_alike entries
face_boxes falls filled finish full highest in_upper judged labels leaves most_rolls nbytes paid points_as
state told upper worth write
"""
autodoc_default_options = {
    "members": True,
    "undoc-members": True,
    "member-order": "bysource",
    "exclude-members": ", ".join(_SHARED.split()),
}
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
suppress_warnings = ["ref.python"]  # two kinds of Position, the engine’s and that of a client: either will do
python_maximum_signature_line_length = 80
add_module_names = False
default_role = "code"  # docstrings have single backquotes, as Markdown does
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_logo = html_favicon = "../../src/fivedice/web/static/core/icon.svg"
_COLOURS = {
    "color-brand-primary": "accent",
    "color-brand-content": "accent",
    "color-brand-visited": "accent",
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "faint",
    "color-foreground-muted": "faint",
    "color-background-primary": "paper",
    "color-background-secondary": "page",
    "color-background-hover": "total",
    "color-background-border": "line",
    "color-code-background": "total",
    "color-inline-code-background": "total",
    "color-highlighted-background": "turn-wash",
    "color-highlight-on-target": "turn-wash",
    "color-api-name": "accent",
    "color-api-pre-name": "faint",
}
html_theme_options = {
    "light_css_variables": {name: PAGE[token].light for name, token in _COLOURS.items()},
    "dark_css_variables": {name: PAGE[token].dark for name, token in _COLOURS.items()},
}
