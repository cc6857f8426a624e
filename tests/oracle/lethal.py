"""A brute force for `lawmage lethal`: every attack, every block, every division of damage, in plain Python.

Written from the rulebook alone (506.5, 508.1c-d, 509.1a-c, 510, 702.3, 702.9, 702.16f, 702.17, 702.111); what damage does is that of the
brute force for combat damage beside it. A creature is a fighter of that one, and what its text says about attacking and blocking.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any, Protocol, TypeAlias, TypeVar

from .damage import Combat, Fighter, Player, deal, dealt, legal_assignments, steps

__all__ = [
    "Board",
    "Creature",
    "Saying",
    "all_blocks",
    "attacks",
    "blockers_of",
    "blocks",
    "combat_of",
    "damage_done",
    "guaranteed",
    "is_lethal",
    "loses",
    "obeyed_by",
    "to_scenario",
    "winning_attacks",
]

#: The creatures that attack, and the attackers that each blocker blocks.
Attack: TypeAlias = tuple[str, ...]
Blocks: TypeAlias = dict[str, tuple[str, ...]]

TEXTS = {
    "must_attack": "This creature attacks each combat if able.",
    "not_alone": "This creature can't attack alone.",
    "must_be_blocked": "This creature must be blocked if able.",
    "lures": "All creatures able to block this creature do so.",
    "must_block": "This creature blocks each combat if able.",
    "cannot_block": "This creature can't block.",
    "not_alone_blocking": "This creature can't block alone.",
    "blocks_two": "This creature can block an additional creature each combat.",
}


class Saying(Protocol):
    """What has a name, and texts by their names."""

    @property
    def name(self) -> str: ...

    @property
    def says(self) -> frozenset[str]: ...


_Saying = TypeVar("_Saying", bound=Saying)


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature and the names of what its text says (the keys of `TEXTS`)."""

    fighter: Fighter
    says: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.fighter.name


@dataclass(frozen=True, slots=True)
class Board:
    """Two players' creatures; `most_attack` is how many can attack at most, `defender` the player who is attacked."""

    creatures: tuple[Creature, ...]
    defender: Player
    most_attack: int | None = None

    def of(self, player: str) -> list[Creature]:
        return [one for one in self.creatures if one.fighter.controller == player]


def subsets(names: list[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))


def attacks(board: Board) -> list[Attack]:
    """Return every legal attack (508.1)."""
    able = {one.name: one for one in board.of("A") if not one.fighter.has("defender")}

    def allowed(attack: Attack) -> bool:
        if board.most_attack is not None and len(attack) > board.most_attack:
            return False
        return not (len(attack) == 1 and "not_alone" in able[attack[0]].says)

    def obeyed(attack: Attack) -> int:
        return sum("must_attack" in able[name].says for name in attack)

    unrestricted = [attack for attack in subsets(list(able)) if allowed(attack)]
    most = max(obeyed(attack) for attack in unrestricted)
    return [attack for attack in unrestricted if obeyed(attack) == most]


def can_block(blocker: Creature, attacker: Creature) -> bool:
    if "cannot_block" in blocker.says or attacker.fighter.protected_from(blocker.fighter):
        return False
    return not attacker.fighter.has("flying") or blocker.fighter.has("flying") or blocker.fighter.has("reach")


def blockers_of(attacker: Saying, block: Mapping[str, tuple[str, ...]]) -> int:
    """Return how many block an attacker."""
    return sum(attacker.name in those for those in block.values())


def obeyed_by(block: Mapping[str, tuple[str, ...]], attackers: Collection[Saying], blockers: Collection[Saying]) -> int:
    """Return how many requirements a block obeys (509.1c)."""
    return (
        sum("must_block" in one.says and one.name in block for one in blockers)
        + sum("must_be_blocked" in one.says and blockers_of(one, block) > 0 for one in attackers)
        + sum(blockers_of(one, block) for one in attackers if "lures" in one.says)
    )


def all_blocks(blockers: Sequence[_Saying], choices: Callable[[_Saying], list[tuple[str, ...]]]) -> Iterator[dict[str, tuple[str, ...]]]:
    """Yield every block in which each does one of its choices."""
    for chosen in product(*map(choices, blockers)):
        yield {one.name: those for one, those in zip(blockers, chosen, strict=True) if those}


def blocks(board: Board, attack: Attack) -> list[Blocks]:
    """Return every legal block against `attack` (509.1)."""
    attackers = [one for one in board.of("A") if one.name in attack]
    blockers = board.of("D")

    def choices(blocker: Creature) -> list[tuple[str, ...]]:
        able = [one.name for one in attackers if can_block(blocker, one)]
        return [those for those in subsets(able) if len(those) <= (2 if "blocks_two" in blocker.says else 1)]

    def allowed(block: Blocks) -> bool:
        if len(block) == 1 and any("not_alone_blocking" in one.says for one in blockers if one.name in block):
            return False
        return not any(one.fighter.has("menace") and blockers_of(one, block) == 1 for one in attackers)

    unrestricted = [block for block in all_blocks(blockers, choices) if allowed(block)]
    most = max(obeyed_by(block, attackers, blockers) for block in unrestricted)
    return [block for block in unrestricted if obeyed_by(block, attackers, blockers) == most]


def combat_of(board: Board, attack: Attack, block: Blocks) -> Combat:
    fighters = tuple(one.fighter for one in board.creatures)
    return Combat(fighters, dict.fromkeys(attack, "D"), block, (Player("A"), board.defender))


def loses(combat: Combat) -> bool:
    """Return whether D loses in this combat, where A divides damage in each step first, knowing all, and D then."""
    left = steps(combat)
    if not left:
        return False
    step = left[0]

    def end(attacking: dict[str, dict[str, int]], defending: dict[str, dict[str, int]]) -> bool:
        result = deal(combat, {**attacking, **defending}, step)
        if result.lost:
            return "D" in result.lost
        return step == "first" and loses(result.combat)

    defending = legal_assignments(combat, step, "D")
    return any(all(end(one, other) for other in defending) for one in legal_assignments(combat, step, "A"))


def damage_done(combat: Combat) -> int:
    """Return the damage that D is dealt in this combat, where A divides damage in each step first, to have it most, and D then."""
    left = steps(combat)
    if not left:
        return 0
    step = left[0]

    def end(attacking: dict[str, dict[str, int]], defending: dict[str, dict[str, int]]) -> int:
        result = deal(combat, {**attacking, **defending}, step)
        now = sum(amount for (_, name), amount in dealt(combat, attacking).items() if name == "D")
        return now + (damage_done(result.combat) if step == "first" else 0)

    defending = legal_assignments(combat, step, "D")
    return max(min(end(one, other) for other in defending) for one in legal_assignments(combat, step, "A"))


def guaranteed(board: Board, attack: Attack) -> int:
    """Return the damage that `attack` does to D whatever D blocks."""
    return min(damage_done(combat_of(board, attack, block)) for block in blocks(board, attack))


def is_lethal(board: Board, attack: Attack) -> bool:
    """Return whether D loses to `attack` whatever D blocks."""
    return all(loses(combat_of(board, attack, block)) for block in blocks(board, attack))


def winning_attacks(board: Board) -> list[Attack]:
    """Return the attacks with which D loses whatever D blocks."""
    return [attack for attack in attacks(board) if is_lethal(board, attack)]


def to_scenario(board: Board) -> dict[str, Any]:
    """Return the board as a scenario: a mapping in the format of scenario files."""
    battlefield: dict[str, Any] = {}
    for one in board.creatures:
        fighter = one.fighter
        entry: dict[str, Any] = {"controller": fighter.controller, "pt": f"{fighter.base_power}/{fighter.base_toughness}"}
        optional = {
            "keywords": list(fighter.keywords),
            "colors": sorted(fighter.colors),
            "damage": fighter.damage,
            "commander": fighter.commander,
            "text": "\n".join(TEXTS[word] for word in sorted(one.says)),
        }
        battlefield[one.name] = entry | {key: value for key, value in optional.items() if value}
    defender = board.defender
    players = {
        "A": {},
        "D": {"life": defender.life, "poison": defender.poison, "commander_damage": dict(defender.commander_damage)},
    }
    numbers = {1: "one", 2: "two", 3: "three"}
    text = "No more than {} creature{} can attack each combat."
    most = board.most_attack
    effects = [] if most is None else [{"controller": "D", "text": text.format(numbers[most], "" if most == 1 else "s")}]
    return {"lawmage": 1, "players": players, "battlefield": battlefield, "effects": effects}
