"""docs/serve.md, the unit and the Containerfile name options as the commands have them, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawmage.cli import app

DOCS = Path(__file__).resolve().parent.parent / "docs"
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def options_of(command: str) -> dict[str, str]:
    """Return the options in the help of a command, with the defaults that it shows."""
    told = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "250", "NO_COLOR": "1", "TERM": "dumb"}).stdout
    rows = [line for line in told.splitlines() if re.match(r"\W*--", line) and "--help" not in line]
    defaults = [re.search(r"\[default: ([^]]+)\]", row) for row in rows]
    return {_OPTION.findall(row)[0]: default[1] if default else "" for row, default in zip(rows, defaults, strict=True)}


def table_of(heading: str) -> dict[str, str]:
    """Return the options in the table under a heading of docs/serve.md, with what is said to be their defaults."""
    section = (DOCS / "serve.md").read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `--")]
    return {match[0]: row[2].strip() for row in rows if (match := _OPTION.search(row[1]))}


@pytest.mark.parametrize(("command", "heading"), [("serve", "The web page"), ("mcp", "Language models")])
def test_the_documentation_lists_every_option_with_its_default(command: str, heading: str) -> None:
    said, known = table_of(heading), options_of(command)
    assert {*said} == {*known} >= {"--workers"}
    for name, default in said.items():
        if re.fullmatch(r"[\d.]+", default):
            assert known[name].removesuffix(".0") == default, name


@pytest.mark.parametrize(
    ("file", "line"),
    [("lawmage.service", r"^ExecStart=\S+/lawmage (serve .*)$"), ("Containerfile", r"^CMD (\[.*\])$")],
)
def test_how_it_is_started_is_how_it_can_be(file: str, line: str) -> None:
    found = re.search(line, (DOCS / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    words = re.findall(r"[\w.-]+", found[1])
    assert words[0] == "serve"
    given = dict(zip(words[1::2], words[2::2], strict=True))
    assert given.keys() <= options_of("serve").keys()
    # Neither lets in more than it says: a container by its published port, the unit by its address.
    assert given["--host"] == {"lawmage.service": "127.0.0.1", "Containerfile": "0.0.0.0"}[file]


def test_the_commands_in_the_documentation_are_those_that_there_are() -> None:
    told = (DOCS / "serve.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"^(?:\S*/)?lawmage (\w+)", told, re.MULTILINE))
    assert commands == {"serve", "mcp"}
    for command in commands:
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0
