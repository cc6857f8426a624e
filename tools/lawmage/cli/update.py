"""`lawmage data update`: fetching the newest rulebook and the newest cards from their publishers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawmage.cli._shared import BAD_INPUT, YES, JsonFlag, emit_json, fail, status_of, stderr, stdout
from lawmage.errors import LawmageError

if TYPE_CHECKING:
    from lawmage.cards.fetch import CardUpdate
    from lawmage.fetching import Progress
    from lawmage.rulebook.fetch import Update

__all__ = ["register"]


class What(StrEnum):
    """What can be updated."""

    rules = "rules"
    cards = "cards"


class Source(StrEnum):
    """Whose cards can be fetched."""

    scryfall = "scryfall"
    mtgjson = "mtgjson"


Wanted = Annotated[
    list[What] | None,
    typer.Argument(metavar="rules|cards", help="What to update (default: both, or what the options are about).", show_default=False),
]
Page = Annotated[
    str | None,
    typer.Option("--page", metavar="URL", help="The page with a link to the rules (default: LAWMAGE_RULES_PAGE, else the publisher's)."),
]
From = Annotated[
    Source | None,
    typer.Option("--from", help="Whose cards to fetch (default: Scryfall's, and MTGJSON's if those can't be had)."),
]


def register(data: typer.Typer) -> None:
    """Add the command to the group `data`."""
    data.command("update", epilog="Examples: lawmage data update, lawmage data update cards --from mtgjson")(update)


def update(what: Wanted = None, page: Page = None, source: From = None, as_json: JsonFlag = False) -> None:
    """Fetch and install the newest rulebook and cards from their publishers, if they aren't installed."""
    answers: list[dict[str, Any]] = []
    statuses: list[int] = []
    for one in dict.fromkeys(what or ([What.rules] if page else [What.cards] if source else What)):
        try:
            answer, sentence = _update_rules(page) if one is What.rules else _update_cards(source)
        except LawmageError as error:
            fail(str(error))
            answers.append({"kind": one.value, "error": str(error)})
            statuses.append(BAD_INPUT)
            continue
        answers.append(answer)
        statuses.append(YES)
        if not as_json:
            stdout().print(sentence, markup=False, soft_wrap=True)
    if as_json:
        emit_json({"files": answers})
    raise typer.Exit(status_of(statuses))


@contextmanager
def _bars(*names: str) -> Iterator[list[Progress | None]]:
    """Show a bar for each name, on a terminal, once there is something to show."""
    console = stderr()
    if not console.is_terminal:
        yield [None for _ in names]
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn
    from rich.progress import Progress as Bars

    with Bars(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), console=console, transient=True) as bars:

        def bar(name: str) -> Progress:
            task = bars.add_task(name, total=None, visible=False)
            return lambda received, size: bars.update(task, completed=received, total=size, visible=True)

        yield [bar(name) for name in names]


# ---------------------------------------------------------------- the rulebook


def _update_rules(page: str | None) -> tuple[dict[str, Any], str]:
    from lawmage.rulebook import fetch

    with _bars("Fetching the rulebook") as (progress,):
        done = fetch.update(page, progress=progress)
    report = done.report.as_json() if done.report else {}
    told = {"kind": "rules", "status": done.status, "release": done.release, "url": done.url, "newest": done.newest}
    return {**told, **report}, _of_rules(done)


def _of_rules(done: Update) -> str:
    if done.report is not None:
        counts = done.report.counts
        size = f"{counts.rules + counts.subrules:,} rules, {counts.glossary} glossary entries"
        return f"Installed the Comprehensive Rules of {done.release}: {size}."
    if done.release < done.newest:
        return f"Nothing to do: the publisher offers the Comprehensive Rules of {done.release}, and those of {done.newest} are installed."
    return f"Nothing to do: the Comprehensive Rules of {done.release} are the newest, and installed."


# ---------------------------------------------------------------- cards


def _update_cards(source: Source | None) -> tuple[dict[str, Any], str]:
    from lawmage.cards.fetch import update_cards

    with _bars("Fetching cards", "Importing cards") as (progress, importing):
        done = update_cards(source.value if source else None, progress=progress, importing=importing)
    for passed_over in done.passed_over:
        stderr().print(f"not from Scryfall: {passed_over}", markup=False, soft_wrap=True)
    report = {**done.report.as_json(), "file": done.url} if done.report else {}
    told = {"kind": "cards", "status": done.status, "source": done.source, "date": done.date, "url": done.url}
    return {**told, **report}, _of_cards(done)


def _of_cards(done: CardUpdate) -> str:
    if done.report is not None:
        return f"Installed the cards of {done.date} from {done.source}: {done.report.cards:,} cards with {done.report.faces:,} faces."
    if done.status == "newer installed":
        return f"Nothing to do: {done.source} offers older cards than those of {done.date}, which are installed."
    return f"Nothing to do: the cards of {done.date} from {done.source} are the newest, and installed."
