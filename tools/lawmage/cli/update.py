"""`lawmage data update`: fetching the newest rulebook from its publisher."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawmage.cli._shared import BAD_INPUT, JsonFlag, emit_json, fail, stderr, stdout
from lawmage.errors import LawmageError

if TYPE_CHECKING:
    from lawmage.fetching import Progress
    from lawmage.rulebook.fetch import Update

__all__ = ["register"]

Page = Annotated[
    str | None,
    typer.Option("--page", metavar="URL", help="The page with a link to the text (default: LAWMAGE_RULES_PAGE, else the publisher's)."),
]


def register(data: typer.Typer) -> None:
    """Add the command to the group `data`."""
    data.command("update")(update)


def update(page: Page = None, as_json: JsonFlag = False) -> None:
    """Fetch and install the newest rulebook from its publisher, if it isn't installed."""
    from lawmage.rulebook import fetch

    try:
        with _progress() as progress:
            done = fetch.update(page, progress=progress)
    except LawmageError as error:
        fail(str(error))
        if as_json:
            emit_json({"files": [{"kind": "rules", "error": str(error)}]})
        raise typer.Exit(BAD_INPUT) from None
    if as_json:
        emit_json({"files": [_as_json(done)]})
    else:
        stdout().print(_sentence(done), markup=False, soft_wrap=True)


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """Show a bar on a terminal."""
    console = stderr()
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    with Progress(TextColumn("Fetching the rulebook"), BarColumn(), DownloadColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda received, size: bar.update(task, completed=received, total=size)


def _sentence(done: Update) -> str:
    if done.report is not None:
        counts = done.report.counts
        size = f"{counts.rules + counts.subrules:,} rules, {counts.glossary} glossary entries"
        return f"Installed the Comprehensive Rules of {done.release}: {size}."
    if done.release < done.newest:
        return f"Nothing to do: the publisher offers the Comprehensive Rules of {done.release}, and those of {done.newest} are installed."
    return f"Nothing to do: the Comprehensive Rules of {done.release} are the newest, and installed."


def _as_json(done: Update) -> dict[str, Any]:
    report = done.report.as_json() if done.report else {}
    return {"kind": "rules", "status": done.status, "release": done.release, "url": done.url, "newest": done.newest, **report}
