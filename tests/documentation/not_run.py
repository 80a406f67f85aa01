"""List the blocks that no test runs, each with the reason; their commands are still parsed."""

from documentation.pages import Block

FORMULA = "a formula; tests/fairness/outsider.py is written from it"
# By page: how the block begins, and why it is not run.
NOT_RUN = {
    "README.md": {"pip install": "asks the package index", "make run": "runs all tests"},
    "docs/guide.md": {"pip install": "asks the package index", "fivedice serve": "servers that go on"},
    "docs/learning.md": {"pip install": "asks the package index"},
    "docs/engine-protocol.md": {"> fivedice 1": "a conversation; tests/engines holds such ones"},
    "docs/operations.md": {
        "fivedice serve": "a server that goes on",
        "export FIVEDICE_BASE_URL": "needs PostgreSQL",
        "echo KEY": "needs PostgreSQL",
        "services:": "for a container engine; tests/sharing/test_small_server.py reads it",
        "[Unit]": "for systemd; tests/sharing/test_small_server.py reads it",
        "python3 -m venv /opt": "asks the package index; tests/sharing holds it against the Dockerfile",
        "dice.example {": "for Caddy",
        "upstream fivedice": "for nginx",
        "location /dice/": "for nginx",
        "example.org {": "for Caddy",
    },
    "docs/architecture.md": {"text   message": "a drawing"},
    "docs/notation.md": {"face      =": "a grammar; tests/notation/test_documented.py reads its examples"},
    "docs/fair-dice.md": {"lock   =": FORMULA, "signed    =": FORMULA, "message   =": FORMULA},
}


def is_left_out(block: Block) -> bool:
    return any(block.text.startswith(beginning) for beginning in NOT_RUN.get(block.page, {}))
