"""Whether what pays for a declaration changes nothing that comes after: then all that matters is that it can be paid.

Mana changes nothing; the life of a defending player does, and so does life where something on the board asks for it. Tapping changes
nothing where nothing asks what is tapped: who blocks or attacks has been declared. What leaves the battlefield changes nothing if it is no
creature, planeswalker or battle, says nothing, has nothing attached, and nothing asks what a player controls or has.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawmage.board import Board, Object
from lawmage.constraints import Constraint
from lawmage.play.card_types import types_among
from lawmage.play.declarations import Declarations, UndecidedError
from lawmage.play.mana import kinds_for, source_of
from lawmage.play.turning import acts, turns_on
from lawmage.text.forms import parse_keywords

__all__ = ["refuse_costs_that_matter", "refuse_what_is_not_followed", "stated_on"]


def refuse_what_is_not_followed(step: Declarations) -> None:
    """Look at what happens as creatures are declared as attackers and blockers.

    Raises:
        UndecidedError: where an ability triggers, or something may be paid, that could change this combat, and nothing here does.
    """
    found = [f"{one.holder}: {one.sentence}" for one in step.reading.triggered]
    mine = {name for name, thing in step.board.objects.items() if thing.controller == step.board.active}
    for holder in (*step.reading.objects, *step.reading.effects):
        uses = [*holder.keywords, *holder.counters] if holder.name in mine else []
        granted = (state.value or "" for state in holder.states if step.known.kinds[state.kind].gives_keyword)
        uses += [use for written in granted for use in parse_keywords(written, step.known.forms)]
        found += [f"{use.written} of {holder.name}" for use in uses if use.keyword in step.known.unfollowed]
    if found:
        raise UndecidedError(f"not followed: {'; '.join(dict.fromkeys(found))}")


def refuse_costs_that_matter(step: Declarations) -> None:
    """Look at what may be paid for a declaration.

    Raises:
        UndecidedError: where that could change more than who can attack or block.
    """
    paid_with_life = any("life" in kinds_for(symbol) for symbol in step.costs.symbols)
    if step.judges == "block" and paid_with_life:
        raise UndecidedError("the life that is paid so that creatures can block is not looked at")
    if paid_with_life and any(turns_on(constraint, "life") for constraint in stated_on(step)):
        raise UndecidedError("what else is said on the board, once life is paid so that creatures can attack, is not looked at")
    if not step.costs.acts:
        return
    given = {act: set[str]() for act in step.costs.acts}
    for player in step.players():
        for act, name in step.offered(player):
            given[act].add(name)
    stated = [constraint for constraint in stated_on(step) if step.known.kinds[constraint.kind].group != "cost"]
    if any(given.values()):
        refuse_what_is_not_followed(step)
    for act, names in given.items():
        changes = acts()[act].changes
        matters = bool(names) and any(turns_on(constraint, changes) for constraint in stated)
        if changes != "leaving":
            if matters:
                raise UndecidedError("what is tapped to pay could change what else is said on the board, which is not looked at")
            continue
        for name in sorted(names):
            if matters or not _is_idle(step.board, step.board.objects[name]):
                raise UndecidedError(f"what it changes that {name} leaves the battlefield to pay is not looked at")


def stated_on(step: Declarations) -> Iterator[Constraint]:
    """Yield what is stated on the board of `step`, and what keywords there impose."""
    for holder in (*step.reading.objects, *step.reading.effects):
        yield from holder.states
        for use in (*holder.keywords, *holder.counters):
            yield from step.known.keywords[use.keyword].imposes


def _is_idle(board: Board, thing: Object) -> bool:
    """Tell whether a permanent does nothing in combat, and nothing to other objects; adding mana is over before costs are paid."""
    alone = thing.attached_to is None and all(other.attached_to != thing.id for other in board.objects.values())
    silent = not thing.keywords and (not thing.whole_text.strip() or ("\n" not in thing.whole_text and source_of(thing) is not None))
    return alone and silent and not thing.face_down and not any(one.fights or one.attacked for one in types_among(thing.types))
