"""`lawmage query`: the stored SPARQL queries, analyses of the network of rules, and a user's own queries."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lawmage.cli._shared import UNDECIDED, JsonFlag, ReleaseOption, emit_json, fail, finish, stderr, stdout
from lawmage.csv_cells import guarded
from lawmage.errors import InputError

if TYPE_CHECKING:
    from lawmage.queries import Answer, Query

__all__ = ["register"]

Name = Annotated[str | None, typer.Argument(metavar="NAME|FILE.rq", help="A query; without it, all are listed.", show_default=False)]
_ROW_LIMIT = 10_000
_SECONDS = 30.0
#: How many characters of a file of Turtle are read: one that is longer ends in the middle, and is refused as no Turtle.
_LARGEST_ADDED = 50_000_000


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("query", epilog="Example: lawmage query most-cited --param n=5")(query_)


def query_(
    name: Name = None,
    param: Annotated[list[str] | None, typer.Option("--param", "-p", metavar="K=V", help="A parameter; may be repeated.")] = None,
    as_json: JsonFlag = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Print the query itself, with its parameters and columns.")] = False,
    add: Annotated[
        list[Path] | None,
        typer.Option("--add", metavar="FILE", readable=False, help="Turtle to ask about besides, such as verdicts; may be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1_000_000, metavar="N", help="Print so many rows at most.")] = _ROW_LIMIT,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0.1, metavar="SECONDS", help="Stop a query of your own after that.")
    ] = _SECONDS,
    release: ReleaseOption = None,
) -> None:
    """Run a stored SPARQL query, or one of your own, on the rules graph.

    Exit status 1 if there are no rows (for a check: if there are), 3 if the time limit is reached.
    """
    from lawmage.answers.queries import answer_on, find_query

    if name is None:
        _list(as_json)
        return
    given = _parameters(param or [])
    path = Path(name)
    own = path.suffix == ".rq"
    query = _read(path) if own else find_query(name)
    if show:
        sys.stdout.write(query.text)
        return
    added = {str(file): _text(file, _LARGEST_ADDED) for file in add or ()}
    answer = _ask(query, given, own=own, release=release, limit=limit, seconds=time_limit, added=added)
    answered = answer_on(query, given, answer)
    if as_json:
        emit_json(answered.document)
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(answer.columns)
        writer.writerows([_cell(value) for value in row] for row in answer.rows)
    else:
        _print(answer)
    if answer.more:
        stderr().print(f"There are more than these {len(answer.rows):,} rows; --limit N allows more.")
    raise typer.Exit(answered.status)


def _parameters(options: list[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not (equals and name):
            raise InputError(f'--param takes NAME=VALUE, not "{option}"')
        if name in given:
            raise InputError(f"the parameter {name} is given twice")
        given[name] = value
    return given


def _read(path: Path) -> Query:
    from lawmage.queries import read_query
    from lawmage.query_process import LONGEST_QUERY

    return read_query(_text(path, LONGEST_QUERY + 1), str(path))


def _text(path: Path, most: int) -> str:
    """Return a file's text, or so much of it."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(most)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror or error})", file=path) from None
    except UnicodeDecodeError:
        raise InputError("is not a text in UTF-8", file=path) from None


def _ask(
    query: Query, given: dict[str, str], *, own: bool, release: str | None, limit: int, seconds: float, added: dict[str, str]
) -> Answer:
    from lawmage.answers.queries import rows_of
    from lawmage.query_process import TimeLimitError, ask_own

    if not own:
        return rows_of(query, given, release=release, limit=limit, added=added)
    try:
        return ask_own(query.text, query.name, given, release=release, limit=limit, seconds=seconds, added=added)
    except TimeLimitError as error:
        fail(str(error))
        raise typer.Exit(UNDECIDED) from None


# ---------------------------------------------------------------- output


def _list(as_json: bool) -> None:
    from lawmage.answers.queries import grouped, queries

    if as_json:
        finish(queries())
    from rich.table import Table
    from rich.text import Text

    titles = {"report": "Reports", "analysis": "Analyses of the network", "check": "Checks (rows are faults)"}
    console = stdout()
    for group, those in grouped().items():
        console.print(Text(titles[group], style="bold"))
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for query in those:
            parameters = "".join(f" {parameter}" for parameter in query.parameters)
            table.add_row(Text(f"  {query.name}"), Text.assemble(query.summary, (parameters and f"  (takes{parameters})", "dim")))
        console.print(table)


def _print(answer: Answer) -> None:
    from rich.table import Table
    from rich.text import Text

    if not answer.rows:
        stdout().print("No rows.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, column in enumerate(answer.columns):
        numbers = all(isinstance(row[index], int | float | None) for row in answer.rows)
        table.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in answer.rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    stdout().print(table)


def _cell(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else guarded(str(value))
