"""What all commands share: exit statuses, the consoles, JSON output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from lawmage.answers.answered import BAD_INPUT, NO, UNDECIDED, YES, Answered, each, status_of
from lawmage.answers.source import Source

__all__ = [
    "BAD_INPUT",
    "NO",
    "UNDECIDED",
    "YES",
    "JsonFlag",
    "ReaderLeftError",
    "ReleaseOption",
    "each_file",
    "emit_json",
    "fail",
    "finish",
    "source_of",
    "status_of",
    "stderr",
    "stdout",
]

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
ReleaseOption = Annotated[
    str | None,
    typer.Option("--release", metavar="DATE", help="Answer as of this release of the rules (default: newest known)."),
]


class ReaderLeftError(Exception):
    """Whoever reads the answer has stopped, as `head` does. No `OSError`, for those typer takes for its own."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise ReaderLeftError


def stdout() -> Console:
    """Return a console for answers: coloured on a terminal, plain in a pipe."""
    return _Console(highlight=False, soft_wrap=False)


def stderr() -> Console:
    """Return a console for messages and progress."""
    return _Console(stderr=True, highlight=False)


def fail(sentence: str) -> None:
    """Print one sentence about an error on standard error, if it can be written there, with what commands terminals spelt out."""
    spelt = "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in sentence)
    with suppress(OSError, ReaderLeftError):
        stderr().print("[bold red]error:[/]", end=" ")
        stderr().print(spelt, markup=False, soft_wrap=True)


def emit_json(document: Any) -> None:
    """Print `document` as JSON on standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def finish(answered: Answered, *, as_json: bool = True) -> NoReturn:
    """End a command: print the answer, if it is wanted as JSON, and exit with its status."""
    if as_json:
        emit_json(answered.document)
    raise typer.Exit(answered.status)


def source_of(file: Path) -> Source:
    """Return the content of a scenario file, or of standard input for `-`.

    Raises:
        InputError: if it can't be read, is too large, or is no text.
    """
    from lawmage.yaml_tree import load_text, text_from

    return Source(str(file), text_from(sys.stdin.buffer, "-") if str(file) == "-" else load_text(file))


def each_file(files: list[Path], answer: Callable[[Path], Answered]) -> Answered:
    """Return the answers on files as one; say why where there is none."""
    return each(((str(file), partial(answer, file)) for file in files), tell=lambda error: fail(str(error)))
