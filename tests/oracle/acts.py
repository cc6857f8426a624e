"""Paying to attack and to block with permanents, and with mana beside them, by trying everything (118.3, 508.1d-j, 509.1c-f)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

__all__ = ["WHAT", "Ask", "Board", "Creature", "Given", "Thing", "choices", "count", "payable", "to_scenario", "wrong"]

#: What costs ask for: in words for one and for several, and the types of which one suffices (none: any permanent).
WHAT: Mapping[str, tuple[str, str, frozenset[str]]] = {
    "land": ("a land", "lands", frozenset({"land"})),
    "artifact": ("an artifact", "artifacts", frozenset({"artifact"})),
    "either": ("an artifact or land", "artifacts and/or lands", frozenset({"artifact", "land"})),
    "creature": ("a creature", "creatures", frozenset({"creature"})),
    "other": ("another creature", "other creatures", frozenset({"creature"})),
    "anything": ("a permanent", "permanents", frozenset()),
}
_MANA = {"rock": "{T}: Add {C}.", "treasure": "{T}, Sacrifice this artifact: Add {C}.", "spawn": "Sacrifice this artifact: Add {C}."}


@dataclass(frozen=True, slots=True)
class Ask:
    """A cost: what is done (`sacrifice`, `return`, `tap`, `tap_undeclared`) with how many of what."""

    act: str
    what: str
    number: int = 1

    @property
    def taps(self) -> bool:
        """Whether it is to tap them."""
        return self.act.startswith("tap")


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature that could attack or block: what it costs, and whether it has to act if able and attacking leaves it untapped."""

    asks: tuple[Ask, ...] = ()
    pays: int = 0
    must: bool = False
    vigilant: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """A permanent that isn't a creature, with a way to add mana (see above) or none."""

    types: frozenset[str]
    tapped: bool = False
    adds: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """Who acts, and what is there: the player's creatures and other permanents, the mana in their pool if that is said."""

    creatures: tuple[Creature, ...]
    things: tuple[Thing, ...]
    pool: int | None
    attack: bool

    def types(self, name: str) -> frozenset[str]:
        """Return the types of one of the player's permanents; none for another's."""
        if name.startswith("c"):
            return frozenset({"creature"})
        return self.things[int(name[1:])].types if name.startswith("t") else frozenset()

    def names(self) -> list[str]:
        """Return the names of the player's permanents."""
        return [f"c{n}" for n in range(len(self.creatures))] + [f"t{n}" for n in range(len(self.things))]

    def tapped(self, acting: Iterable[int]) -> set[str]:
        """Return what is tapped once the creatures are declared that act (508.1f)."""
        before = {f"t{n}" for n, thing in enumerate(self.things) if thing.tapped}
        return before | ({f"c{n}" for n in acting if not self.creatures[n].vigilant} if self.attack else set())


#: What is done with which permanents to pay for one creature.
Given = Mapping[str, Sequence[str]]


def choices(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield every choice of creatures that may attack or block."""
    numbers = range(len(board.creatures))
    return chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1))


def _obeyed(board: Board, acting: Iterable[int]) -> int:
    return sum(board.creatures[number].must for number in acting)


def _maximum(board: Board) -> int:
    """Return the most requirements that can be obeyed where nobody pays anything."""
    free = [number for number, creature in enumerate(board.creatures) if not creature.asks and not creature.pays]
    return _obeyed(board, free)


def _fits(board: Board, acting: Iterable[int], creature: int, ask: Ask, name: str) -> bool:
    """Tell whether a permanent is what a cost of a creature asks for, whether it is tapped or not."""
    types = WHAT[ask.what][2]
    right = name in board.names() and (not types or bool(types & board.types(name)))
    return (
        right
        and not (ask.what == "other" and name == f"c{creature}")
        and not (ask.act == "tap_undeclared" and name in {f"c{number}" for number in acting})
    )


def _split(names: Sequence[str], sizes: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
    """Yield every way to give so many of `names` to each place, and none twice."""
    if not sizes:
        yield []
        return
    for chosen in combinations(names, sizes[0]):
        rest = [name for name in names if name not in chosen]
        yield from ([chosen, *others] for others in _split(rest, sizes[1:]))


def _assigned(board: Board, acting: Sequence[int], there: Sequence[str], tapped: set[str]) -> bool:
    """Tell whether all costs of what acts can be paid with permanents, where those are `there` and `tapped` once mana has been added."""
    asks = [(number, ask) for number in acting for ask in board.creatures[number].asks]
    tapping = [(number, ask) for number, ask in asks if ask.taps]
    leaving = [(number, ask) for number, ask in asks if not ask.taps]

    def possible(costs: Sequence[tuple[int, Ask]], names: Sequence[str]) -> bool:
        return any(
            all(_fits(board, acting, number, ask, name) for (number, ask), chosen in zip(costs, way, strict=True) for name in chosen)
            for way in _split(names, [ask.number for _, ask in costs])
        )

    # What is tapped to pay can be sacrificed after that.
    return possible(tapping, [name for name in there if name not in tapped]) and possible(leaving, there)


def _ways_to_add(board: Board, tapped: set[str]) -> Iterator[tuple[int, set[str], set[str]]]:
    """Yield how much mana can be added, and what is tapped and gone after that."""
    sources = [(f"t{n}", thing.adds) for n, thing in enumerate(board.things) if thing.adds and (thing.adds == "spawn" or not thing.tapped)]
    for size in range(len(sources) + 1):
        for used in combinations(sources, size):
            gone = {name for name, adds in used if adds != "rock"}
            yield size, tapped | {name for name, _ in used}, gone


def payable(board: Board, acting: Sequence[int]) -> bool:
    """Tell whether there is some way to pay so that these creatures act."""
    needed = sum(board.creatures[number].pays for number in acting)
    before = board.tapped(acting)
    if board.pool is None or not needed:
        return _assigned(board, acting, board.names(), before)
    return any(
        board.pool + added >= needed and _assigned(board, acting, [name for name in board.names() if name not in gone], tapped)
        for added, tapped, gone in _ways_to_add(board, before)
    )


def count(board: Board) -> int:
    """Return the number of legal declarations for which some way to pay exists."""
    return sum(payable(board, acting) and _obeyed(board, acting) >= _maximum(board) for acting in choices(board))


def wrong(board: Board, given: Mapping[int, Given]) -> bool:
    """Tell whether a declaration is illegal in which the creatures that are keys act, and are paid for so; mana as it has to be."""
    acting = list(given)
    before = board.tapped(acting)
    for number, acts in given.items():
        if board.creatures[number].asks and not _paid(board, acting, number, acts, before):
            return True
    tapped = [name for acts in given.values() for act, names in acts.items() if act == "tap" for name in names]
    gone = [name for acts in given.values() for act, names in acts.items() if act != "tap" for name in names]
    if len(tapped) > len(set(tapped)) or len(gone) > len(set(gone)):
        return True
    needed = sum(board.creatures[number].pays for number in acting)
    if board.pool is not None and needed:
        most = max(
            added
            for added, spent, lost in _ways_to_add(board, before)
            if not lost & {*tapped, *gone} and not (spent - before) & set(tapped)
        )
        if board.pool + most < needed:
            return True
    return _obeyed(board, acting) < _maximum(board)


def _paid(board: Board, acting: Sequence[int], creature: int, acts: Given, tapped: set[str]) -> bool:
    """Tell whether what is done is what a creature's costs ask for: nothing else, and each with what it asks for."""
    for act in ("sacrifice", "return", "tap"):
        costs = [ask for ask in board.creatures[creature].asks if ask.act.split("_")[0] == act]
        names = [name for name in acts.get(act, ()) if act != "tap" or name not in tapped]
        if len(acts.get(act, ())) != sum(ask.number for ask in costs) or not any(
            all(_fits(board, acting, creature, ask, name) for ask, chosen in zip(costs, way, strict=True) for name in chosen)
            for way in _split(names, [ask.number for ask in costs])
        ):
            return False
    return True


def _written(creature: Creature, verb: str) -> str:
    lines = [f"This creature {verb}s each combat if able."] if creature.must else []
    for ask in creature.asks:
        one, several, _ = WHAT[ask.what]
        asked = one if ask.number == 1 else f"{('', '', 'two', 'three')[ask.number]} {several}"
        if ask.taps:
            asked = f"{asked.replace('another ', 'another untapped ').replace('other creatures', 'other untapped creatures')}"
            asked = asked if "untapped" in asked else _untapped(asked)
            asked += " you control"
        if ask.act == "tap_undeclared":
            asked += " not declared as an attacking or blocking creature this combat"
        verb_, behind = ("return", " to its owner's hand") if ask.act == "return" else (ask.act.split("_")[0], "")
        lines.append(f"This creature can't {verb} unless you {verb_} {asked}{behind}.")
    if creature.pays:
        lines.append(f"This creature can't {verb} unless you pay {{{creature.pays}}}.")
    return "\n".join(lines)


def _untapped(asked: str) -> str:
    """Put "untapped" before the noun."""
    first, rest = asked.split(" ", 1)
    return f"{'an' if first == 'a' else first} untapped {rest}"


def to_scenario(board: Board, proposals: Mapping[str, Mapping[int, Given]]) -> dict[str, Any]:
    """Return the board and the proposals, each as for `wrong`, in the form of a scenario file. `o` is the other player's."""
    mine, verb = ("A", "attack") if board.attack else ("D", "block")
    things: dict[str, Any] = {
        f"c{number}": {
            "controller": mine,
            "pt": "1/1",
            "text": _written(creature, verb),
            "keywords": ["vigilance"] if creature.vigilant else [],
        }
        for number, creature in enumerate(board.creatures)
    }
    for number, thing in enumerate(board.things):
        things[f"t{number}"] = {"controller": mine, "types": sorted(thing.types), "tapped": thing.tapped, "text": _MANA.get(thing.adds, "")}
    things["o"] = {"controller": "D" if board.attack else "A", "types": ["land", "artifact"]}
    players: dict[str, Any] = {"A": {}, "D": {}}
    if board.pool is not None:
        players[mine] = {"mana": f"{{{board.pool}}}"}
    scenario: dict[str, Any] = {"players": players, "battlefield": things}
    if not board.attack:
        things["m"] = {"controller": "A", "pt": "1/1", "sick": True}
        scenario["attack"] = ["m"]
    other = {"target": "D"} if board.attack else {"attacker": "m"}
    scenario["propose"] = {
        name: {
            f"c{number}": other
            | ({"with": {act: list(names) for act, names in acts.items()}} if acts else {})
            | ({"pay": f"{{{board.creatures[number].pays}}}"} if board.creatures[number].pays else {})
            for number, acts in given.items()
        }
        for name, given in proposals.items()
    }
    return scenario
