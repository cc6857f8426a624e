"""What the command line reads from standard input and writes where not everything can be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lawmage import cli
from lawmage.cli import commands

ROOT = Path(__file__).resolve().parents[2]
BOARD = "battlefield: {x: {controller: A, pt: 1/1}}\nattack: {x: D}\nblock: {}\n"


def lawmage(*words: str, said: bytes = b"", into: int = subprocess.PIPE, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    made = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), **environment}
    command = [sys.executable, "-m", "lawmage", *words]
    return subprocess.run(command, input=said, stdout=into, stderr=subprocess.PIPE, env=made, check=False, timeout=120)


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `{lawmage}` is the command line."""
    made = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), "PYTHON": sys.executable, **environment}
    line = line.replace("{lawmage}", '"$PYTHON" -m lawmage')
    return subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, env=made, check=False, timeout=120)


@pytest.mark.parametrize("command", ["enumerate", "outcome"])
def test_a_board_is_read_from_standard_input(command: str) -> None:
    done = lawmage(command, "-", said=BOARD.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_what_is_no_text_is_named() -> None:
    done = lawmage("check", "-", said=b"\xff\x00")
    assert (done.returncode, done.stderr.decode()) == (2, "error: -:1: this is not text in UTF-8; save it as UTF-8\n")


def test_a_graph_is_written_to_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = lawmage("export", "--format", "turtle", "--rule", "702.2", "-o", "-")
    assert done.stdout.startswith(b"@prefix")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_cannot_be_written_is_one_sentence(form: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = lawmage("keyword", "menace", *form, into=full.fileno())
    assert (done.returncode, done.stderr) == (2, b"error: the answer can't be written (No space left on device)\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_an_error_that_cannot_be_told_keeps_its_status() -> None:
    done = shell("printf nothing | {lawmage} check - 2>/dev/full")
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize(
    ("words", "status", "sentences"),
    [
        ("examples/menace.yaml >&-", 1, 0),
        ("examples/menace.yaml --json >&-", 1, 0),
        ("examples/menace.yaml >&- 2>&-", 1, 0),
        ("- <&-", 2, 1),
        ("- <&- >&- 2>&-", 2, 0),
    ],
)
def test_streams_that_are_closed_change_no_answer(words: str, status: int, sentences: int) -> None:
    done = shell(f"{{lawmage}} check {words}")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (status, b"", sentences)


@pytest.mark.parametrize("words", ["query most-cited --limit 10000", "query most-cited --json", "export --format turtle"])
def test_what_nobody_reads_on_is_no_answer(words: str) -> None:
    done = shell(f"set -o pipefail; {{lawmage}} {words} | true")
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_interrupt_while_the_commands_are_read_is_no_traceback() -> None:
    code = """
import sys
from lawmage.cli import main
class Interrupt:
    def find_spec(self, name, *where):
        if name == "lawmage.cli.commands":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
main()
"""
    done = shell('"$PYTHON" -c "$CODE"', CODE=code)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    "words",
    [
        "check {}",
        "test {}",
        "deck {}",
        "deck examples/deck.txt --format {}",
        "deck examples/deck.txt --output {}",
        "data import {}",
        "query {}",
        "query most-cited --add {}",
        "export --rule 702.2 -o {}",
        "coverage --html {}",
        "check examples/menace.yaml --explain-to {}",
    ],
)
def test_a_name_that_no_file_can_have_is_one_sentence(words: str) -> None:
    ending = next((ending for option, ending in (("--output", "jsonl"), ("-o", "html"), ("-to", "md")) if option in words), "rq")
    done = shell(f"{{lawmage}} {words.format('n' * 300 + '.' + ending)}")
    assert (done.returncode, done.stderr[:7], done.stderr.count(b"\n")) == (2, b"error: ", 1), done.stderr
    assert b"fault" not in done.stderr


def test_a_name_that_commands_the_terminal_is_spelt_out() -> None:
    done = lawmage("check", "a\nb\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}\udcff.yaml")
    told = b"error: a\\nb\\x1b[31m\\u202e\\udcff.yaml: cannot read this file (no such file or directory)\n"
    assert (done.returncode, done.stderr) == (2, told)


def test_characters_that_the_terminal_lacks_are_replaced() -> None:
    done = lawmage("keyword", "\N{INFINITY}", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"?" in done.stdout


def test_a_fault_of_ours_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def faulty() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(commands, "app", faulty)
    monkeypatch.delenv("LAWMAGE_TRACEBACK", raising=False)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    where = f"ZeroDivisionError in {Path(__file__).name}, line {faulty.__code__.co_firstlineno + 1}"
    told = f"lawmage has a fault that this question has met ({where}); please report it together with the question"
    assert " ".join(capsys.readouterr().err.split()) == f"error: {told}"
    monkeypatch.setenv("LAWMAGE_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main()
