"""The command as a process, and its exit codes."""

import os
import subprocess
import sys

import pytest

import fivedice as fd
from fivedice.cli import main
from fivedice.cli.command_list import COMMANDS, run
from fivedice.text.languages import PSEUDO


def shell(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from fivedice.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


def test_version_exit_codes_and_help_without_loading_commands() -> None:
    done = shell("--version")
    assert (done.returncode, done.stdout.strip()) == (0, fd.__version__)
    with pytest.raises(SystemExit) as stopped:
        main(["rules", "nothing-like-it"])
    assert stopped.value.code == 2
    script = (
        "import sys\nfrom fivedice.cli.command_list import run\nrun(['--help'])\n"
        "print(sorted(m for m in sys.modules if m.startswith('fivedice.cli.') or m in ('numpy', 'numba')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    *help_lines, loaded = done.stdout.splitlines()
    assert all(any(name in line for line in help_lines) for name in ("rules", "score", "replay", "demo"))
    assert loaded == "['fivedice.cli.command_list']"


def test_wrong_usage_exits_with_two(capsys):
    done = shell("no-such-command")
    found = [(done.returncode, done.stderr + done.stdout)]
    for arguments in (["score"], ["score", "yahtzee"], ["demo", "--seed", "x"]):
        code, said = run(arguments), capsys.readouterr()
        found.append((code, said.err + said.out))
    for code, said in found:
        assert code == 2, said
        assert "Traceback" not in said
        assert "Error" in said


def test_closed_pipe_is_no_error():
    command = [sys.executable, "-c", "from fivedice.cli import main; main()", "rules", "yahtzee"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0


def test_ctrl_c_is_quiet(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("fivedice.cli.command_tree.app", interrupted)
    assert run(["demo"]) == 130
    assert capsys.readouterr().err == ""


def test_first_pages_load_no_parser_and_terminal_no_solver():
    script = (
        "import sys\nfrom fivedice.cli.command_list import run\n"
        "assert run([]) == run(['--help']) == run(['-h']) == run(['--version']) == 0\n"
        "print(sorted({'cyclopts', 'rich', 'numpy', 'textual', 'sqlalchemy'} & set(sys.modules)))\n"
        "import fivedice.terminal.terminal_app\n"
        "print(sorted({'numpy', 'fivedice.solver.solution', 'sqlalchemy.dialects.postgresql'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-2:] == ["[]", "[]"]


def test_help_texts_have_examples(capsys) -> None:
    assert run([]) == 0
    out = capsys.readouterr().out
    assert all(f"  fivedice {name}" in out for name in ("play", "serve", "rules"))
    for name in COMMANDS:
        assert run([name, "--help"]) == 0, name
        out = capsys.readouterr().out
        assert "Examples: " in out, name
        assert f"fivedice {name}" in out


def test_help_stays_english_with_what_is_typed():
    done = shell("score", "--help", env={**os.environ, "FIVEDICE_LANGUAGE": PSEUDO, "COLUMNS": "400"})
    assert done.returncode == 0, done.stderr
    assert "--card" in done.stdout
    assert "fivedice score yahtzee 44446" in done.stdout
    assert "Show what a roll is worth in every legal box" in done.stdout
