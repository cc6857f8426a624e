"""The command line. Each module of this package adds the commands of one subject; this one only puts them together."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from typing import Annotated

import typer

from lawmage import __version__
from lawmage.cli._shared import BAD_INPUT, YES, fail
from lawmage.errors import LawmageError

__all__ = ["app", "main"]

#: The modules that add commands, in the order in which `--help` lists them. Each has `register(app)`.
_SUBJECTS = (
    "play",
    "outcome",
    "lethal",
    "cards",
    "deck",
    "pairings",
    "rules",
    "search",
    "history",
    "keywords",
    "query",
    "export",
    "coverage",
    "data",
    "serve",
    "mcp",
)

app = typer.Typer(
    name="lawmage",
    help="Magic: The Gathering's rulebook as data, and a solver that proves what it allows.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 legal or found, 1 illegal or not found, 2 bad input, 3 undecided.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lawmage {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")] = False,
) -> None:
    del version


for _subject in _SUBJECTS:
    importlib.import_module(f"lawmage.cli.{_subject}").register(app)


def main() -> None:
    """Run the command line; errors of ours, and what cannot be written, become one sentence on standard error and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what the terminal has no characters for is no error
            stream.reconfigure(errors="replace")
    try:
        app()
        sys.stdout.flush()
    except LawmageError as error:
        fail(str(error))
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(YES)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT):
            raise
        fail(f"the answer can't be written ({error.strerror})")
        os._exit(BAD_INPUT)  # what is left in the buffers would fail again
