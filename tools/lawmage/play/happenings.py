"""Which triggered abilities that nothing here follows can have triggered (603.2) in a combat that was followed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from lawmage.board import Board
from lawmage.play.combat import Changes
from lawmage.play.reading import Reading
from lawmage.text.bearing import OUTCOME, Event, event_of

__all__ = ["Waiting", "happened_in", "triggered_in", "waiting_on"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An ability that bears on the outcome alone, and only if its event happens: how it is named, whose it is, on what it is."""

    text: str
    event: Event
    holder: str
    attached_to: str | None


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened in combat, by the names in words.toml: at all, and to or by each object."""

    at_all: frozenset[str]
    by_object: Mapping[str, frozenset[str]]


def waiting_on(board: Board, reading: Reading) -> list[Waiting]:
    """Return the abilities of permanents that matter only if they trigger as combat damage is dealt, or after that."""
    found = []
    for one in reading.unread:
        thing = board.objects.get(one.holder)
        if thing is None or one.judges != OUTCOME:
            continue
        card = thing.card_text.card if thing.card_text is not None else ""
        sentence = one.sentence.removeprefix(f"{card}: ") if card else one.sentence
        names = [name for full in (thing.name, card, thing.id) if full for name in (full, full.split(",")[0])]
        event = event_of(sentence, names)
        if event is not None:
            found.append(Waiting(f"{one.holder}: {one.sentence}", event, one.holder, thing.attached_to))
    return found


def happened_in(board: Board, changes: Iterable[Changes]) -> Happened:
    """Return what happened in each of several ways in which combat can go."""
    at_all: set[str] = set()
    by_object: dict[str, set[str]] = {name: set() for name in board.objects}
    for one in changes:
        at_all |= one.happened
        for dealt in one.damage:
            kinds = {"damage", "damage_to_players"} if dealt.target in board.players else {"damage"}
            at_all |= kinds
            by_object.setdefault(dealt.source, set()).update(kinds)
            by_object.setdefault(dealt.target, set()).add("damaged")
        # Who has lost leaves the game with all that they own (800.4a).
        left = {*(one.died or ()), *(name for name, thing in board.objects.items() if thing.owner in (one.lost or ()))}
        for name in left:
            by_object[name].add("left")
        at_all |= {"left"} if left else set()
    return Happened(frozenset(at_all), {name: frozenset(what) for name, what in by_object.items()})


def triggered_in(happened: Happened, waiting: Collection[Waiting]) -> set[str]:
    """Return the abilities that can have triggered, as they are named."""
    return {one.text for one in waiting if one.event.asked & _seen(happened, one)}


def _seen(happened: Happened, one: Waiting) -> frozenset[str]:
    if one.event.whose is None:
        return happened.at_all
    return happened.by_object.get(one.holder if one.event.whose == "self" else one.attached_to or "", frozenset())
