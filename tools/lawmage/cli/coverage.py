"""`lawmage coverage`: how much of what is written is understood."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from lawmage.cli._shared import JsonFlag, emit_json, stdout

if TYPE_CHECKING:
    from lawmage.cards.coverage import Coverage, Group

__all__ = ["register"]

_FIGHTERS = "creatures, Vehicles, Auras, Equipment"
_ASIDE = "dim"
_PROCESSES = min(os.cpu_count() or 1, 64)

_coverage = typer.Typer(no_args_is_help=True, help="See how much of what is written is understood.")

File = Annotated[
    Path | None,
    typer.Argument(metavar="[FILE]", help="Scryfall's oracle-cards or MTGJSON's AtomicCards; without it, the cards that are installed."),
]
Top = Annotated[
    int, typer.Option("--top", metavar="N", min=0, max=10_000, help="List the N most frequent sentences that are not understood.")
]
Kind = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND", help="Only sentences of this kind, such as static; may be given several times."),
]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=64, help="How many processes read (default: one for each processor).")]


def register(app: typer.Typer) -> None:
    """Add this subject's commands to `app`."""
    _coverage.command("cards", epilog="Examples: lawmage coverage cards, lawmage coverage cards oracle-cards.json --top 50")(cards)
    app.add_typer(_coverage, name="coverage")


def cards(file: File = None, top: Top = 20, kind: Kind = None, jobs: Jobs = _PROCESSES, as_json: JsonFlag = False) -> None:
    """Measure how many sentences of cards that concern combat or deck building are understood.

    Sentences are found by word lists that are wider than what is read, and counted by occurrence. A static sentence is one on a permanent
    that is no keyword line and belongs to no triggered or activated ability. Understood is what is read into constraints, some of them
    with an open condition (which a board does not settle), or what the grammar reads and bears on nothing here. What is passed over for
    its words alone counts as not understood.
    """
    from lawmage.cards.coverage import GROUPS, faces_in, measure
    from lawmage.errors import UnknownNameError, suggestion

    for name in kind or ():
        if name not in GROUPS:
            raise UnknownNameError(
                f'there is no kind of sentences "{name}"; expected one of: {"; ".join(GROUPS)}' + suggestion(name, GROUPS)
            )
    found = measure(faces_in(file), jobs=jobs)
    groups = {name: group for name, group in found.groups.items() if not kind or name in kind}
    if as_json:
        emit_json({"cards": found.cards, "groups": {name: _as_json(name, group, top) for name, group in groups.items()}})
    else:
        _print(found, groups, top)


def _as_json(name: str, group: Group, top: int) -> dict[str, Any]:
    from lawmage.cards.coverage import GROUPS

    return {
        "holds": GROUPS[name],
        "all": _figures(group.outcomes),
        _FIGHTERS: _figures(group.of_fighters),
        "left": [{"sentence": sentence, "times": times} for sentence, times in group.most_left(top)],
    }


def _figures(outcomes: dict[str, int]) -> dict[str, Any]:
    from lawmage.cards.coverage import share

    part = share(outcomes)
    counts = {name: outcomes.get(name, 0) for name in ("understood", "open", "passed", "unread")}
    return {"sentences": sum(outcomes.values()), **counts, "share": None if part is None else round(part, 4)}


def _print(found: Coverage, groups: dict[str, Group], top: int) -> None:
    from lawmage.cards.coverage import GROUPS

    console = stdout()
    for of, caption in (("of_fighters", _FIGHTERS), ("outcomes", "all cards")):
        table = Table(title=f"{caption} ({found.cards:,} cards read)" if of == "outcomes" else caption, title_justify="left", box=None)
        table.add_column("kind", no_wrap=True)
        for heading in ("sentences", "understood", "open", "passed", "unread", "share"):
            table.add_column(heading, justify="right", no_wrap=True)
        for name, group in groups.items():
            figures = _figures(getattr(group, of))
            share = "" if figures["share"] is None else f"{figures['share']:.2%}"
            counts = (f"{figures[key]:,}" for key in ("sentences", "understood", "open", "passed", "unread"))
            table.add_row(name, *counts, share)
        console.print(table)
        console.print()
    for name in groups:
        console.print(f"{name}: {GROUPS[name]}", markup=False, style=_ASIDE)
    console.print("open: understood, with a condition that a board does not settle; passed: of no bearing by its words alone", style=_ASIDE)
    for name, group in groups.items():
        if group.left and top:
            console.print(
                f"\nNot understood, {name} ({_FIGHTERS}; {sum(group.left.values()):,} in {len(group.left):,} wordings):", markup=False
            )
            for sentence, times in group.most_left(top):
                console.print(f"{times:5} {sentence}", markup=False)
