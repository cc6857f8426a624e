"""`lawmage data`: installing the publishers' texts and cards, and what is installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawmage import __version__
from lawmage.cli import update
from lawmage.cli._shared import BAD_INPUT, YES, JsonFlag, emit_json, fail, finish, status_of, stderr, stdout
from lawmage.errors import LawmageError

if TYPE_CHECKING:
    from rich.console import Console

    from lawmage.cards.importing import Report as CardReport
    from lawmage.cards.unpacking import Progress
    from lawmage.rulebook.importing import Report

__all__ = ["register"]

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        readable=False,
        help="Rulebooks as published (.txt), of any date and encoding; Scryfall's oracle-cards or default-cards, or MTGJSON's AtomicCards.",
    ),
]
Validate = Annotated[bool, typer.Option("--validate", help="Also check the graph of each release against its shapes (needs pyshacl).")]

_data = typer.Typer(no_args_is_help=True, help="Install the publishers' texts and cards; see what is installed.")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    update.register(_data)
    app.add_typer(_data, name="data")


@_data.command("import", epilog='Example: lawmage data import "MagicCompRules 20260807.txt" AtomicCards.json.xz')
def import_files(files: Files, validate: Validate = False, as_json: JsonFlag = False) -> None:
    """Install rulebooks and cards. What a file is is recognised by its content; a bad one leaves everything as it was."""
    answers: list[dict[str, Any]] = []
    statuses: list[int] = []
    for file in files:
        try:
            report = _import(file, validate)
        except LawmageError as error:
            fail(str(error))
            answers.append({"file": str(file), "error": str(error)})
            statuses.append(BAD_INPUT)
            continue
        answers.append(report.as_json())
        statuses.append(YES)
        if not as_json:
            _print_report(report)
    if as_json:
        emit_json({"files": answers})
    raise typer.Exit(status_of(statuses))


def _import(file: Path, validate: bool) -> Report | CardReport:
    from lawmage.cards.unpacking import begins_as_json

    with _progress(file) as progress:
        if begins_as_json(file):
            from lawmage.cards.importing import import_cards

            return import_cards(file, progress=progress)
        from lawmage.rulebook.importing import import_release

        return import_release(file, check_shapes=validate)


@contextmanager
def _progress(file: Path) -> Iterator[Progress | None]:
    """Show a bar on a terminal."""
    console = stderr()
    if not console.is_terminal:
        yield None
        return
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(f"Importing {escape(file.name)}", total=None)
        yield lambda read, size: bar.update(task, completed=read, total=size)


def _print_report(report: Report | CardReport) -> None:
    from lawmage.cards.importing import Report as CardReport

    console = stdout()
    if isinstance(report, CardReport):
        said = f"{report.cards:,} cards with {report.faces:,} faces"
        console.print(f"Cards of [bold]{report.date}[/] from {report.source}: {said}", soft_wrap=True)
        return
    counts = report.counts
    console.print(
        f"Comprehensive Rules of [bold]{report.rulebook.release}[/]: {counts.rules + counts.subrules:,} rules, "
        f"{counts.glossary} glossary entries, {counts.examples} examples, {counts.references:,} references",
        soft_wrap=True,
    )
    lines = [f"{item.source} ({item.part}) refers to {item.target}, which doesn't exist" for item in report.unresolved]
    for misprint in report.misprints:
        reference = misprint.reference
        lines.append(f'{reference.source} ({reference.part}) refers to {reference.target}, "{misprint.title}", which is {misprint.meant}')
    kinds = Counter(slip.kind for slip in report.rulebook.slips)
    if kinds:
        lines.append("slips of the publisher: " + ", ".join(f"{kind} {times}" for kind, times in kinds.most_common()))
    for line in lines:
        console.print(f"  {line}", markup=False, style="dim", soft_wrap=True)


@_data.command("status")
def status(as_json: JsonFlag = False) -> None:
    """Show which releases and cards are known, which of them are installed with their text, and how old they are."""
    from lawmage.answers.data import data_status

    answered = data_status()
    if as_json:
        finish(answered)
    console = stdout()
    console.print(f"Folder of installed data: {answered.document['home']}", markup=False, soft_wrap=True)
    _print_rules_status(console, answered.document["rules"])
    _print_cards_status(console, answered.document["cards"])


def _print_rules_status(console: Console, rules: dict[str, Any]) -> None:
    shipped = rules["shipped"]
    if shipped:
        console.print(f"Rulebook: the structure of {len(shipped)} releases comes with lawmage, {shipped[0]} to {shipped[-1]}")
    for row in rules["installed"]:
        said = f"imported {row['imported'][:10]} from {row['file']}" if "file" in row else row["error"]
        console.print(f"  {row['release']} with text, {said}", markup=False, soft_wrap=True)
    if not rules["installed"]:
        console.print("  none with text; download one from the publisher, then: lawmage data import FILE", markup=False, soft_wrap=True)
    console.print(f"  the newest known, {rules['newest']}, took effect {_days(rules['age_days'])}")


def _print_cards_status(console: Console, cards: dict[str, Any]) -> None:
    shipped, installed = cards["shipped"], cards["installed"]
    if shipped is not None:
        console.print(f"Cards: {_of_cards('the facts of {cards:,} come with lawmage', shipped)}", markup=False, soft_wrap=True)
    said = "none with text; get Scryfall's oracle-cards or MTGJSON's AtomicCards, then: lawmage data import FILE"
    if installed is not None:
        said = _of_cards("{cards:,} with text, from {source}", installed)
    console.print(f"  {said}", markup=False, soft_wrap=True)


def _of_cards(sentence: str, store: dict[str, Any]) -> str:
    if "error" in store:
        return str(store["error"])
    older = "" if store["version"] == __version__ else f"; their texts were read by lawmage {store['version']}, import them again"
    return f"{sentence.format(**store)}, as of {store['date']}, {_days(store['age_days'])}{older}"


def _days(age: int) -> str:
    return f"{age:,} days ago" if age > 1 else "yesterday" if age == 1 else "today" if age == 0 else f"in {-age:,} days"
