"""Objects that nothing on a board tells apart, so that large boards of tokens need facts about a few of each kind only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields
from operator import attrgetter

from lawmage.board import Board, Object
from lawmage.constraints import Constraint
from lawmage.play.knowledge import Knowledge
from lawmage.play.reading import Holder, Reading

__all__ = ["Alike", "Member", "alike_on"]

#: Boards with fewer objects than this are looked at object by object.
FEW = 40
#: No atom that is about a single state of the board names more objects of one kind than this.
_MOST_IN_AN_ATOM = 3
#: What does not tell objects apart by itself: names in the file, and what is written on them, which is compared as it is read. Counters
#: are compared by themselves: they are no value that has a hash.
_AS_READ = {"id", "line", "keyword_lines", "keywords", "text", "card_text", "conditions", "counters"}
_own = attrgetter(*(each.name for each in fields(Object) if each.name not in _AS_READ))


class Member(int):
    """The integer of an object that has others like it; equal to the plain integer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Alike:
    """Kinds of objects of which there are more than `spoken_for`, by name in the order of the file: the first so many speak for all."""

    kinds: tuple[tuple[str, ...], ...]
    spoken_for: int

    @property
    def left_out(self) -> frozenset[str]:
        """Those that others speak for."""
        return frozenset(name for kind in self.kinds for name in kind[self.spoken_for :])

    @property
    def members(self) -> frozenset[str]:
        """All objects of these kinds."""
        return frozenset(name for kind in self.kinds for name in kind)


def alike_on(board: Board, reading: Reading, known: Knowledge, *, among: Collection[str] | None = None) -> Alike:
    """Return the objects on `board` that are alike in all that is written on them, their status and what they attack.

    An object is left alone if anything points at it, if it says something about others, or if it has a condition that the board does
    not settle. So many of each kind speak for it that no condition on the board can tell them from all. With `among` only these are looked
    at, without it none on a small board.
    """
    if (among is None and len(reading.objects) < FEW) or any(player.mana is not None for player in board.players.values()):
        # What mana there is is counted permanent by permanent.
        return Alike((), 0)
    # What many objects state is mostly the same object.
    stated = {id(each): each for holder in (*reading.objects, *reading.effects) for each in _stated(holder, known)}.values()
    counting = [known.kinds[constraint.kind] for constraint in stated if constraint.object is not None and constraint.kind in known.kinds]
    if any(kind.layer or kind.group == "cost" for kind in counting):
        # A change or cost that counts objects needs each of them.
        return Alike((), 0)
    number = max((condition.number for constraint in stated for condition in constraint.conditions if condition.filter), default=0)
    spoken_for = max(_MOST_IN_AN_ATOM, number + 1)
    pointed_at = set(_pointed_at(board, reading))
    attacks = {attack.attacker: attack.target for attack in board.attacks or ()}
    alone: dict[object, bool] = {}
    kinds: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for holder in reading.objects if among is None else [each for each in reading.objects if each.name in among]:
        thing = board.objects[holder.name]
        if thing.id in pointed_at or thing.zone != "battlefield":
            continue
        # The same for all that say the same.
        says = holder.says
        if says not in alone:
            alone[says] = all(_about_itself(constraint) for constraint in _stated(holder, known))
        if alone[says]:
            counters = tuple(sorted(thing.counters.items())) if thing.counters else ()
            kinds[_own(thing), counters, says, attacks.get(thing.id)].append(thing.id)
    return Alike(tuple(tuple(kind) for kind in kinds.values() if len(kind) > spoken_for), spoken_for)


def _stated(holder: Holder, known: Knowledge) -> Iterator[Constraint]:
    yield from holder.states
    for use in (*holder.keywords, *holder.counters):
        yield from known.keywords[use.keyword].imposes


def _about_itself(constraint: Constraint) -> bool:
    return (
        constraint.subject == "self"
        and not isinstance(constraint.object, str)
        and all(condition.kind != "open" for condition in constraint.conditions)
    )


def _pointed_at(board: Board, reading: Reading) -> Iterator[str]:
    for effect in reading.effects:
        yield from effect.affects
        if effect.source is not None:
            yield effect.source
    for thing in board.objects.values():
        if thing.attached_to is not None:
            yield from (thing.id, thing.attached_to)
    yield from (attack.target for attack in board.attacks or ())
    for happened in board.history.values():
        if isinstance(happened, (list, tuple)):
            yield from (name for name in happened if isinstance(name, str))
