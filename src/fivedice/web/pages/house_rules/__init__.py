"""House rules: add them as text, build them in a form, read and play them."""
