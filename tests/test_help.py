"""What --help says of each command."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from lawmage.cli import app


def commands() -> Iterator[str]:
    """Yield the words of each command."""
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        yield name
        yield from (f"{name} {inner}" for inner in getattr(command, "commands", ()))


def find(words: str) -> Any:
    """Return the command of these words."""
    command: Any = get_command(app)
    for word in words.split():
        command = command.commands[word]
    return command


@pytest.mark.parametrize("words", sorted(commands()))
def test_help_has_a_plain_usage_line_and_an_example(words: str) -> None:
    told = CliRunner().invoke(app, [*words.split(), "--help"], env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}).stdout
    usage = next(line for line in told.splitlines() if "Usage:" in line).strip()
    assert usage.startswith(f"Usage: lawmage {words} ") or usage.startswith(f"Usage: root {words} ")
    assert not re.search(r"\[\[|\]\]|\.\.\.\}", usage), usage
    if words != "data":
        assert "Example" in told or words == "data status", words


@pytest.mark.parametrize("words", sorted(commands()))
def test_help_breaks_no_line_by_itself(words: str) -> None:
    """The first paragraph is joined by typer; any other is shown with the lines that it has in the source."""
    assert [text for text in inspect.cleandoc(find(words).help or "").split("\n\n")[1:] if "\n" in text] == []


@pytest.mark.parametrize("words", sorted(commands()))
def test_whether_a_file_can_be_read_is_said_by_who_reads_it(words: str) -> None:
    callback = find(words).callback
    hints = get_type_hints(callback, include_extras=True) if callback else {}
    given = [(hint, info) for hint in hints.values() for info in getattr(hint, "__metadata__", ())]
    assert [hint for hint, info in given if "Path" in str(hint) and info.readable] == []
