"""`lawmage coverage`: which rules are encoded; how much of what is written on cards is understood."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from lawmage.cli._shared import JsonFlag, finish, stderr, stdout
from lawmage.places import is_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lawmage.cards.coverage import Coverage, Group
    from lawmage.rulebook.coverage import Coverage as RulesCoverage

__all__ = ["register"]

_ASIDE = "dim"
_PROCESSES = min(os.cpu_count() or 1, 64)

#: What fits beside six columns of numbers into 80 columns.
_HEADING_WIDTH = 26

_coverage = typer.Typer(help="See which rules are encoded, and how much of what is written on cards is understood.")

File = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", readable=False, help="Scryfall's oracle-cards or MTGJSON's AtomicCards; without it, the cards that are installed."
    ),
]
Top = Annotated[
    int, typer.Option("--top", metavar="N", min=0, max=10_000, help="List the N most frequent sentences that are not understood.")
]
Kind = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND", help="Only sentences of this kind, such as static; may be given several times."),
]
Again = Annotated[bool, typer.Option("--again", help="Read the texts of the installed cards again, as this version reads them.")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=64, help="How many processes read (default: one for each processor).")]


Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", readable=False, help="Write a page that lists every rule; an existing file is replaced."),
]


def register(app: typer.Typer) -> None:
    """Add this subject's commands to `app`."""
    _coverage.callback(invoke_without_command=True, epilog="Examples: lawmage coverage, lawmage coverage --html coverage.html")(rules)
    _coverage.command("cards", epilog="Examples: lawmage coverage cards, lawmage coverage cards oracle-cards.json --top 50")(cards)
    app.add_typer(_coverage, name="coverage")


def rules(context: typer.Context, as_json: JsonFlag = False, page: Page = None) -> None:
    """Tell which rules of the newest release are encoded, support what is, only define words, are out of scope, or are open.

    A rule counts as encoded only if leaving out what encodes it has changed the answer to some case, and cases show both something legal
    that keeps it and something illegal that breaks it, or, for a rule on what happens, that it applies.
    """
    if context.invoked_subcommand is not None:
        return
    from lawmage.answers.coverage import coverage as answer
    from lawmage.answers.coverage import headings_in
    from lawmage.rulebook.coverage import coverage

    if page is not None:
        covered = coverage()
        _write_page(page, covered, headings_in(covered))
    if as_json:
        finish(answer())
    covered = coverage()
    _print_rules(covered, headings_in(covered))


def _write_page(page: Path, covered: RulesCoverage, headings: Mapping[str, str]) -> None:
    from lawmage.errors import InputError
    from lawmage.rulebook.coverage_page import make_page
    from lawmage.rulebook.store import write_aside

    if is_folder(page):
        raise InputError("is a folder, and a file is to be written", file=page)
    try:
        write_aside(page, make_page(covered, headings).encode())
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror or error})", file=page) from None
    stderr().print(f"{page}: written", markup=False)


def _print_rules(covered: RulesCoverage, headings: Mapping[str, str]) -> None:
    from lawmage.answers.coverage import reasons
    from lawmage.rulebook.coverage import STATUSES

    console = stdout()
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("chapter", no_wrap=True, max_width=_HEADING_WIDTH)
    for name in ("rules", *STATUSES):
        table.add_column(name.replace(" ", "\n", 1), justify="right", vertical="bottom", no_wrap=True)
    for number, counts in covered.by_chapter().items():
        cells = (f"{counts[status]:,}" if counts[status] else "" for status in STATUSES)
        table.add_row(f"{number} {headings.get(number, '')}", f"{counts.total():,}", *cells)
    totals = {status: sum(rule.status == status for rule in covered.rules) for status in STATUSES}
    table.add_row("all", f"{len(covered.rules):,}", *(f"{number:,}" for number in totals.values()), style="bold")
    console.print(table)
    console.print()
    for status, meaning in STATUSES.items():
        console.print(f"{status}: {meaning}", markup=False, style=_ASIDE)
        for reason, times in reasons(covered, status).items():
            console.print(f"{times:6,} {reason}", markup=False, style=_ASIDE)
    if covered.untried:
        console.print(
            f"{len(covered.untried):,} statements and facts have not been tried since they changed: python -m tests.cases.record",
            markup=False,
        )
    console.print(f"Release of {covered.release}", style=_ASIDE)


def cards(
    file: File = None, top: Top = 20, kind: Kind = None, again: Again = False, jobs: Jobs = _PROCESSES, as_json: JsonFlag = False
) -> None:
    """Tell how many sentences of cards that concern combat or deck building are understood.

    What was measured when the cards were imported is shown at once; a FILE, and with --again the installed cards, are measured now.

    Sentences are found by word lists that are wider than what is read, and counted by occurrence.

    A static sentence is one on a permanent that is no keyword line and belongs to no triggered or activated ability.

    Understood is what is read into constraints, some with a condition that no board settles, or is read and bears on nothing here.

    What is passed over for its words alone counts as not understood.
    """
    from lawmage.answers.coverage import about, answer_on_cards, check_kinds
    from lawmage.cards.coverage import faces_in, measure
    from lawmage.cards.coverage_record import recorded_coverage
    from lawmage.cards.store import CardStore

    kinds = kind or ()
    check_kinds(kinds)
    found, said = None, {}
    if file is None:
        with CardStore.open() as store:
            said = about(store)
            found = None if again else recorded_coverage(store)
    if found is None:
        found = measure(faces_in(file), jobs=jobs)
    if as_json:
        finish(answer_on_cards(found, kinds, top, said))
    _print(found, {name: group for name, group in found.groups.items() if not kinds or name in kinds}, top)
    if said and not said["texts"]:
        stderr().print("Which sentences are left over is told once cards with texts are installed.", soft_wrap=True)


def _print(found: Coverage, groups: dict[str, Group], top: int) -> None:
    from lawmage.answers.coverage import FIGHTERS, figures
    from lawmage.cards.coverage import GROUPS

    console = stdout()
    for of, caption in (("of_fighters", FIGHTERS), ("outcomes", "all cards")):
        table = Table(title=f"{caption} ({found.cards:,} cards read)" if of == "outcomes" else caption, title_justify="left", box=None)
        table.add_column("kind", no_wrap=True)
        for heading in ("sentences", "understood", "open", "passed", "unread", "share"):
            table.add_column(heading, justify="right", no_wrap=True)
        for name, group in groups.items():
            counted = figures(getattr(group, of))
            share = "" if counted["share"] is None else f"{counted['share']:.2%}"
            counts = (f"{counted[key]:,}" for key in ("sentences", "understood", "open", "passed", "unread"))
            table.add_row(name, *counts, share)
        console.print(table)
        console.print()
    for name in groups:
        console.print(f"{name}: {GROUPS[name]}", markup=False, style=_ASIDE)
    console.print("open: understood, with a condition that a board does not settle; passed: of no bearing by its words alone", style=_ASIDE)
    for name, group in groups.items():
        if group.left and top:
            console.print(
                f"\nNot understood, {name} ({FIGHTERS}; {sum(group.left.values()):,} in {len(group.left):,} wordings):", markup=False
            )
            for sentence, times in group.most_left(top):
                console.print(f"{times:6,} {sentence}", markup=False)
