"""`lawmage pairings`: which two cards can be commanders together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lawmage.cli._explanations import ExplainFlag, ExplainToOption, Explanations
from lawmage.cli._shared import JsonFlag, ReleaseOption, fail, finish, stdout

if TYPE_CHECKING:
    from lawmage.decks.pairings import Pair

__all__ = ["register"]

Name = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="A card, for which the second commanders are listed.")]


def register(app: typer.Typer) -> None:
    """Add this subject's command to `app`."""
    app.command("pairings", epilog="Examples: lawmage pairings amy pond, lawmage pairings --count")(pairings)


def pairings(
    name: Name = None,
    count: Annotated[bool, typer.Option("--count", help="Print how many there are, and nothing else.")] = False,
    format: Annotated[str, typer.Option("--format", metavar="NAME", help="The format, or a file that describes one.")] = "commander",
    ban_list: Annotated[str | None, typer.Option("--ban-list", metavar="DATE", help="Use the ban list of this day.")] = None,
    explain: ExplainFlag = False,
    explain_to: ExplainToOption = None,
    release: ReleaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List the legal second commanders for a card, or all legal pairs, with the rule that allows each (702.124).

    Exit status 1 if there are none.
    """
    from lawmage.answers.pairings import answer_on, explanation_of, find_pairs
    from lawmage.decks.legality import Judge

    explanations = Explanations(wanted=explain, file=explain_to)
    pairs, basis = find_pairs(" ".join(name) if name else None, Judge(format, release, ban_list))
    card = basis.get("card")
    why = explanation_of(pairs, basis) if explanations else None
    if why is not None:
        explanations.add(card or "Pairs", basis["release"], {"pairs": why})
        explanations.write()
    answered = answer_on(pairs, basis, count=count, why=why)
    if as_json:
        finish(answered)
    if count:
        stdout().print(len(pairs))
    elif pairs:
        _print(pairs, card)
    else:
        fail("no two cards can be commanders together" if card is None else f"{card} can't be a commander together with another card")
    if explain:
        explanations.print(stdout())
    finish(answered, as_json=False)


def _print(pairs: list[Pair], name: str | None) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=None if name is None else escape(name), title_justify="left", header_style="bold")
    for column in ("second commander",) if name else ("commander", "second commander"):
        table.add_column(column, overflow="fold")
    table.add_column("by")
    table.add_column("rule")
    for pair in pairs:
        other = pair.second if pair.first == name else pair.first
        cards = (other,) if name else (pair.first, pair.second)
        table.add_row(*map(escape, cards), escape(", ".join(filter(None, pair.abilities))), ", ".join(pair.rules))
    stdout().print(table)
    stdout().print(f"{len(pairs):,} {'pair' if len(pairs) == 1 else 'pairs'}")
