"""`lawmage data`: installing the publisher's texts, and what is installed."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawmage.cli import update
from lawmage.cli._shared import BAD_INPUT, YES, JsonFlag, emit_json, fail, status_of, stderr, stdout
from lawmage.errors import LawmageError

if TYPE_CHECKING:
    from lawmage.rulebook.importing import Report

__all__ = ["register"]

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Rulebooks as published (.txt), of any date and encoding.")]
Validate = Annotated[bool, typer.Option("--validate", help="Also check the graph of each release against its shapes (needs pyshacl).")]

_data = typer.Typer(no_args_is_help=True, help="Install the publisher's texts; see what is installed.")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    update.register(_data)
    app.add_typer(_data, name="data")


@_data.command("import", epilog='Example: lawmage data import "MagicCompRules 20260807.txt"')
def import_files(files: Files, validate: Validate = False, as_json: JsonFlag = False) -> None:
    """Install rulebooks. What a file is is recognised by its content; a bad one leaves everything as it was."""
    from lawmage.rulebook.importing import import_release

    answers: list[dict[str, Any]] = []
    statuses: list[int] = []
    for file in _with_progress(files):
        try:
            report = import_release(file, check_shapes=validate)
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


def _with_progress(files: list[Path]) -> Iterable[Path]:
    console = stderr()
    if len(files) < 2 or not console.is_terminal:
        return files
    from rich.progress import track

    return track(files, description="Importing", console=console)


def _print_report(report: Report) -> None:
    console = stdout()
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
    """Show which releases are known, which of them are installed with their text, and how old the newest is."""
    from lawmage.resources import home
    from lawmage.rulebook.store import choose_release, installed_releases, load_installed, shipped_releases

    shipped = sorted(shipped_releases())
    installed: list[dict[str, str]] = []
    for release in installed_releases():
        try:
            found = load_installed(release)
            assert found is not None  # it is among the installed
            installed.append({"release": release, "file": found.file, "imported": found.imported})
        except LawmageError as error:
            installed.append({"release": release, "error": str(error)})
    newest = choose_release()
    age = (datetime.datetime.now(datetime.UTC).date() - datetime.date.fromisoformat(newest)).days
    if as_json:
        rules = {"shipped": shipped, "installed": installed, "newest": newest, "age_days": age}
        emit_json({"home": str(home()), "rules": rules})
        return
    console = stdout()
    console.print(f"Folder of installed data: {home()}", markup=False, soft_wrap=True)
    if shipped:
        console.print(f"Rulebook: the structure of {len(shipped)} releases comes with lawmage, {shipped[0]} to {shipped[-1]}")
    for row in installed:
        said = f"imported {row['imported'][:10]} from {row['file']}" if "file" in row else row["error"]
        console.print(f"  {row['release']} with text, {said}", markup=False, soft_wrap=True)
    if not installed:
        console.print("  none with text; download one from the publisher, then: lawmage data import FILE", markup=False, soft_wrap=True)
    console.print(f"  the newest known, {newest}, took effect {_days(age)}")


def _days(age: int) -> str:
    return f"{age} days ago" if age > 1 else "yesterday" if age == 1 else "today" if age == 0 else f"in {-age} days"
