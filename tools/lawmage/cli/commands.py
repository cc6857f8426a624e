"""All commands, put together. Each module of this package adds those of one subject."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from lawmage import __version__
from lawmage.cli._shared import ReaderLeftError

__all__ = ["app"]

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


class _Commands(TyperGroup):
    """Commands from which it can be told that nobody reads on: typer itself would answer with the status of "no"."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderLeftError from None


app = typer.Typer(
    name="lawmage",
    cls=_Commands,
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
