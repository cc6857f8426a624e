"""What all commands share: exit statuses, the consoles, JSON output."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console

__all__ = [
    "BAD_INPUT",
    "NO",
    "UNDECIDED",
    "YES",
    "JsonFlag",
    "ReleaseOption",
    "emit_json",
    "fail",
    "status_of",
    "stderr",
    "stdout",
]

YES, NO, BAD_INPUT, UNDECIDED = 0, 1, 2, 3

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
ReleaseOption = Annotated[
    str | None,
    typer.Option("--release", metavar="DATE", help="Answer as of this release of the rules (default: newest known)."),
]


def stdout() -> Console:
    """Return a console for answers: coloured on a terminal, plain in a pipe."""
    return Console(highlight=False, soft_wrap=False)


def stderr() -> Console:
    """Return a console for messages and progress."""
    return Console(stderr=True, highlight=False)


def fail(sentence: str) -> None:
    """Print one sentence about an error on standard error."""
    stderr().print("[bold red]error:[/]", end=" ")
    stderr().print(sentence, markup=False, soft_wrap=True)


def emit_json(document: Any) -> None:
    """Print `document` as JSON on standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def status_of(statuses: list[int]) -> int:
    """Return the exit status of several answers: the first of 2, 3, 1, 0 that occurs among them."""
    return next((status for status in (BAD_INPUT, UNDECIDED, NO) if status in statuses), YES)
