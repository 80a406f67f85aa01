"""Charts of reports and statistics, as SVG, and the picture to share."""
