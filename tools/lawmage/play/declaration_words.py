"""Declarations in words: `b1 and b2 block m, b3 blocks v`. Without the solver, so that what only shows answers need not load it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawmage.play.together_words import named, one_on_each, stretches

__all__ = ["VERBS", "declaration_in_words", "listed", "payment_in_words"]

#: The verb for a declaration, by judgement: of one creature and of several.
VERBS = {"block": ("blocks", "block"), "attack": ("attacks", "attack")}


def declaration_in_words(declaration: Mapping[str, Any], judge: str = "block") -> str:
    """Return a declaration (`lawmage.play.verdict.Declaration`, or as JSON) as a phrase; for damage `m assigns 2 to b1 and 3 to D`."""
    if judge in ("damage", "outcome"):
        return _division_in_words({source: gifts for source, gifts in declaration.items() if isinstance(gifts, Mapping)})
    one, several = VERBS[judge]
    by_object: dict[tuple[str, ...], list[str]] = {}
    for actor, others in declaration.items():
        those = (others,) if isinstance(others, str) else tuple(others)
        if those in by_object:
            by_object[those].append(actor)
        else:
            by_object[those] = [actor]
    phrases = []
    for stretch in stretches(list(by_object.items())):
        others, actors = stretch[0]
        if len(stretch) > 1:
            phrases.append(one_on_each(stretch, several))
        else:
            whom = others[0] if len(others) == 1 else named(others)
            phrases.append(f"{actors[0]} {one} {whom}" if len(actors) == 1 else f"{named(actors)} {several} {whom}")
    return ", ".join(phrases) or f"no creature {one}"


def payment_in_words(pay: Mapping[str, str], acts: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """Return what pays for creatures in a declaration as what goes on from its words: `, paying {2} for x; to pay for y: tap z`."""
    paid = f", paying {listed([f'{each} for {name}' for name, each in pay.items()])}" if pay else ""
    return paid + "".join(
        f"; to pay for {name}: {listed([f'{act} {listed(those)}' for act, those in by.items()])}" for name, by in acts.items()
    )


def _division_in_words(division: Mapping[str, Mapping[str, int]]) -> str:
    phrases = [
        f"{source} assigns {listed([f'{amount:,} to {target}' for target, amount in gifts.items() if amount])}"
        for source, gifts in division.items()
        if any(gifts.values())
    ]
    return ", ".join(phrases) or "no creature assigns damage"


def listed(names: Iterable[str]) -> str:
    """Return one or more names as a list in words: `a, b and c`."""
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last
