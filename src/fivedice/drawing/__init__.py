"""Pictures and paper: the theme, parts of SVG, score sheets to print."""
