"""What --help says of each command."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from lawmage.cli import app


def commands() -> Iterator[str]:
    """Yield the words of each command."""
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        yield name
        yield from (f"{name} {inner}" for inner in getattr(command, "commands", ()))


@pytest.mark.parametrize("words", sorted(commands()))
def test_help_has_a_plain_usage_line_and_an_example(words: str) -> None:
    told = CliRunner().invoke(app, [*words.split(), "--help"], env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}).stdout
    usage = next(line for line in told.splitlines() if "Usage:" in line).strip()
    assert usage.startswith(f"Usage: lawmage {words} ") or usage.startswith(f"Usage: root {words} ")
    assert not re.search(r"\[\[|\]\]|\.\.\.\}", usage), usage
    if words != "data":
        assert "Example" in told or words == "data status", words
