"""A brute force for whole combats: every attack, every block, what triggers as they are declared, every division of damage.

As `lethal` beside it, from the rulebook alone, with what that one leaves out: costs to attack and block (508.1g-j, 509.1d-f), other
players, planeswalkers and battles to attack (508.1b, 802.4), and abilities that trigger as attackers and blockers are declared (702.23
rampage, 702.25 flanking, 702.45 bushido, 702.68 frenzy, 702.83 exalted, 702.91 battle cry, 702.121 melee, 702.130 afflict), whose effects
last through combat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, TypeAlias

from . import damage, lethal
from .damage import Battle, Combat, Fighter, Planeswalker, Player, deal, legal_assignments, state_based_actions, steps

__all__ = [
    "ATTACKING",
    "BLOCKING",
    "Board",
    "Creature",
    "Score",
    "attacks",
    "best_score",
    "blocks",
    "guaranteed",
    "is_lethal",
    "loses",
    "to_scenario",
    "winning_attacks",
]

#: What each attacker attacks, and the attackers that each blocker blocks.
Attack: TypeAlias = Mapping[str, str]
Blocks: TypeAlias = Mapping[str, tuple[str, ...]]

ATTACKING = {
    "must_attack": "This creature attacks each combat if able.",
    "not_alone": "This creature can't attack alone.",
    "pays": "This creature can't attack unless you pay {1}.",
    "pays_two": "This creature can't attack unless you pay {2}.",
    "land": "This creature can't attack unless you sacrifice a land.",
    "lone": "This creature can attack only alone.",
    "slips": "This creature can't be blocked as long as it's attacking alone.",
    "must_be_blocked": "This creature must be blocked if able.",
    "lures": "All creatures able to block this creature do so.",
    "three": "This creature can't be blocked except by three or more creatures.",
    "only_one": "This creature can't be blocked by more than one creature.",
    "daunts": "This creature can't be blocked by creatures with power 2 or less.",
    "sneaks": "This creature can't be blocked.",
    "through": "You may have this creature assign its combat damage as though it weren't blocked.",
}
BLOCKING = {
    "must_block": "This creature blocks each combat if able.",
    "cannot_block": "This creature can't block.",
    "not_alone": "This creature can't block alone.",
    "two": "This creature can block an additional creature each combat.",
    "pays": "This creature can't block unless you pay {1}.",
    "pays_two": "This creature can't block unless you pay {2}.",
    "land": "This creature can't block unless you sacrifice a land.",
    "only_flying": "This creature can block only creatures with flying.",
}
#: What enchantments of the defending player say: who can't attack them, and what attacking them costs.
BARRED = "Creatures with power {} or greater can't attack you."
TAX = "Creatures can't attack you unless their controller pays {{{}}} for each creature they control that's attacking you."
#: The same of the attacking player, for each creature that blocks.
TOLL = "Creatures can't block creatures you control unless their controller pays {{{}}} for each of those creatures."


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature, the names of what its text says (the keys of `ATTACKING` or `BLOCKING`), and who goaded it, if anybody did."""

    fighter: Fighter
    says: frozenset[str] = frozenset()
    sick: bool = False
    goaded: str = ""

    @property
    def name(self) -> str:
        return self.fighter.name


@dataclass(frozen=True, slots=True)
class Board:
    """A's creatures, and those of D, whom the question is about, and of E, if E plays.

    Attributes:
        mana: what A and D can pay; None where nothing is said, and whatever is named is there.
        lands: how many lands A and D control.
        most: how many can attack, and how many can block each combat (802.4b).
        barred: the power from which on creatures can't attack D.
        tax, toll: what it costs to attack D with a creature, and to block with one.
        loyalty, defense: those of a planeswalker that D controls, and of a battle that D protects.
        doubled: whose creatures deal double damage.
    """

    creatures: tuple[Creature, ...]
    defender: Player
    others: tuple[str, ...] = ()
    mana: tuple[int | None, int | None] = (None, None)
    lands: tuple[int, int] = (0, 0)
    most: tuple[int | None, int | None] = (None, None)
    barred: int = 0
    tax: int = 0
    toll: int = 0
    loyalty: int = 0
    defense: int = 0
    doubled: tuple[str, ...] = ()

    def of(self, player: str) -> list[Creature]:
        return [one for one in self.creatures if one.fighter.controller == player]

    @property
    def targets(self) -> list[str]:
        return ["D", *self.others, *(["w"] if self.loyalty else []), *(["siege"] if self.defense else [])]


# Declaring attackers and blockers


def attacks(board: Board) -> list[dict[str, str]]:
    """Return every legal attack (508.1)."""
    able = [one for one in board.of("A") if not one.fighter.has("defender") and (not one.sick or one.fighter.has("haste"))]
    owed = {(one.name, target): _price(one) + (board.tax if target == "D" else 0) for one in able for target in board.targets}

    def allowed(attack: Attack) -> bool:
        if any(attack.get(one.name) == "D" and 0 < board.barred <= one.fighter.power for one in able):
            return False
        if board.most[0] is not None and len(attack) > board.most[0]:
            return False
        word = "not_alone" if len(attack) == 1 else "lone"
        return not any(word in one.says for one in able if one.name in attack)

    def due(attack: Attack) -> int:
        return sum(owed[pair] for pair in attack.items())

    def obeyed(attack: Attack) -> int:
        # 701.15b: a goaded creature attacks, and attacks a player other than the one who goaded it.
        elsewhere = sum(bool(one.goaded) and attack.get(one.name) in {"D", *board.others} - {one.goaded} for one in able)
        return elsewhere + sum(("must_attack" in one.says) + bool(one.goaded) for one in able if one.name in attack)

    listed = [
        {one.name: target for one, target in zip(able, chosen, strict=True) if target is not None}
        for chosen in product([None, *board.targets], repeat=len(able))
    ]
    unrestricted = [attack for attack in listed if allowed(attack)]
    most = max(obeyed(attack) for attack in unrestricted if not due(attack) and not _lands(able, attack))
    return [attack for attack in unrestricted if obeyed(attack) >= most and _payable(board, 0, due(attack), _lands(able, attack))]


def _lands(creatures: Collection[Creature], acting: Collection[str]) -> int:
    return sum("land" in one.says for one in creatures if one.name in acting)


def _payable(board: Board, who: int, due: int, lands: int) -> bool:
    mana = board.mana[who]
    return lands <= board.lands[who] and (mana is None or due <= mana)


def _price(one: Creature) -> int:
    return ("pays" in one.says) + 2 * ("pays_two" in one.says)


def defended_from(attack: Attack) -> list[str]:
    """Return the attackers that D's creatures could block: those that attack D, D's planeswalker or the battle that D protects (802.4b)."""
    return [name for name, target in attack.items() if target in ("D", "w", "siege")]


def can_block(blocker: Creature, attacker: Creature) -> bool:
    """Tell whether nothing keeps `blocker` from blocking `attacker` (509.1b), apart from what depends on other creatures."""
    one, other = attacker.fighter, blocker.fighter
    return not (
        "cannot_block" in blocker.says
        or ("only_flying" in blocker.says and not one.has("flying"))
        or "sneaks" in attacker.says
        or ("daunts" in attacker.says and other.power <= 2)
        or (one.has("skulk") and other.power > one.power)
        or one.protected_from(other)
        or (one.has("flying") and not other.has("flying") and not other.has("reach"))
    )


def blocks(board: Board, attack: Attack) -> list[dict[str, tuple[str, ...]]]:
    """Return every legal block of D against `attack` (509.1)."""
    attacking = {one.name: one for one in _as_attackers(board, attack) if one.name in defended_from(attack)}
    attackers = list(attacking.values())
    blockers = board.of("D")

    def choices(blocker: Creature) -> list[tuple[str, ...]]:
        able = [one.name for one in attackers if can_block(blocker, one) and not ("slips" in one.says and len(attack) == 1)]
        return [those for size in range(3 if "two" in blocker.says else 2) for those in combinations(able, size)]

    def allowed(block: Blocks) -> bool:
        if board.most[1] is not None and len(block) > board.most[1]:
            return False
        if len(block) == 1 and any("not_alone" in one.says for one in blockers if one.name in block):
            return False
        return not any(
            (one.fighter.has("menace") and number == 1)
            or ("three" in one.says and 0 < number < 3)
            or ("only_one" in one.says and number > 1)
            for one in attackers
            for number in [lethal.blockers_of(one, block)]
        )

    def due(block: Blocks) -> int:
        return sum(_price(one) + board.toll for one in blockers if one.name in block)

    def obeyed(block: Blocks) -> int:
        return lethal.obeyed_by(block, attackers, blockers)

    unrestricted = [block for block in lethal.all_blocks(blockers, choices) if allowed(block)]
    most = max(obeyed(block) for block in unrestricted if not due(block) and not _lands(blockers, block))
    return [block for block in unrestricted if obeyed(block) >= most and _payable(board, 1, due(block), _lands(blockers, block))]


# What triggers


def _more(one: Creature, power: int, toughness: int = 0) -> Creature:
    fighter = one.fighter
    return replace(one, fighter=replace(fighter, base_power=fighter.base_power + power, base_toughness=fighter.base_toughness + toughness))


def numbered(fighter: Fighter, keyword: str) -> int:
    """Return the sum of the numbers of a keyword of which each instance does its part, such as bushido."""
    return sum(int(written.removeprefix(f"{keyword} ")) for written in fighter.keywords if written.startswith(f"{keyword} "))


def times(fighter: Fighter, keyword: str) -> int:
    return fighter.keywords.count(keyword)


def _as_attackers(board: Board, attack: Attack) -> list[Creature]:
    """Return all creatures once what triggers as attackers are declared has resolved."""
    exalted = sum(times(one.fighter, "exalted") for one in board.of("A"))
    players = len({target for target in attack.values() if target in ("D", *board.others)})
    cries = {one.name: times(one.fighter, "battle cry") for one in board.of("A") if one.name in attack}

    def grown(one: Creature) -> Creature:
        if one.name not in attack:
            return one
        lone = exalted if len(attack) == 1 else 0
        melee = times(one.fighter, "melee") * players
        return _more(one, lone + melee + sum(cries.values()) - cries[one.name], lone + melee)

    return [grown(one) for one in board.creatures]


def _combat(board: Board, attack: Attack, creatures: Mapping[str, Creature]) -> Combat:
    return Combat(
        tuple(one.fighter for one in creatures.values()),
        dict(attack),
        players=(Player("A"), board.defender, *map(Player, board.others)),
        planeswalkers=(Planeswalker("w", "D", board.loyalty),) if board.loyalty else (),
        battles=(Battle("siege", "A", "D", board.defense),) if board.defense else (),
        doubled=board.doubled,
    )


def combat_of(board: Board, attack: Attack, block: Blocks) -> Combat:
    """Return the combat once what triggers has resolved, as damage is about to be dealt; D may have lost already."""
    creatures = {one.name: one for one in _as_attackers(board, attack)}
    blocking = {name: [other for other, those in block.items() if name in those] for name in attack}
    life = board.defender.life
    weaker: Counter[str] = Counter()
    for name in attack:
        fighter, those = creatures[name].fighter, blocking[name]
        if those:
            life -= numbered(fighter, "afflict")
            gain = numbered(fighter, "bushido") + numbered(fighter, "rampage") * (len(those) - 1)
            creatures[name] = _more(creatures[name], gain, gain)
            for other in those:
                weaker[other] += 0 if creatures[other].fighter.has("flanking") else times(fighter, "flanking")
        else:
            creatures[name] = _more(creatures[name], numbered(fighter, "frenzy"))
    for name in block:
        gain = numbered(creatures[name].fighter, "bushido") - weaker[name]
        creatures[name] = _more(creatures[name], gain, gain)
    combat = _combat(board, attack, creatures)
    defender = replace(board.defender, life=life)
    combat = replace(
        combat,
        fighters=tuple(replace(one.fighter, as_unblocked="through" in one.says) for one in creatures.values()),
        blocks=dict(block),
        players=tuple(defender if player.name == "D" else player for player in combat.players),
        blocked=frozenset(name for name, those in blocking.items() if those),
    )
    return state_based_actions(combat, set()).combat


# What comes of it


def _lost(combat: Combat) -> bool:
    return "D" in state_based_actions(combat, set()).lost


def loses(board: Board, attack: Attack, block: Blocks) -> bool:
    """Return whether D loses in this combat, where A divides damage in each step first, knowing all, and D then."""
    combat = combat_of(board, attack, block)
    return _lost(combat) or lethal.loses(combat)


def guaranteed(board: Board, attack: Attack) -> int:
    """Return the damage that `attack` does to D whatever D blocks."""
    return min(lethal.damage_done(combat_of(board, attack, block)) for block in blocks(board, attack))


def is_lethal(board: Board, attack: Attack) -> bool:
    """Return whether D loses to `attack` whatever D blocks."""
    return all(loses(board, attack, block) for block in blocks(board, attack))


def winning_attacks(board: Board) -> list[dict[str, str]]:
    """Return the attacks with which D loses whatever D blocks."""
    return [attack for attack in attacks(board) if is_lethal(board, attack)]


#: What a block leaves: not losing, life, the power and toughness of D's creatures that are left less that of A's.
Score: TypeAlias = tuple[bool, int, int]


def score(board: Board, attack: Attack, block: Blocks) -> Score:
    """Return what is left after combat with `block`, where A divides damage first, as is worst for D."""
    sign = {"D": 1, "A": -1}
    worth = {one.name: (one.fighter.power + one.fighter.toughness) * sign.get(one.fighter.controller, 0) for one in board.creatures}

    def left(combat: Combat, lost: bool) -> Score:
        life = next(player.life for player in combat.players if player.name == "D")
        return not lost, life, sum(worth[fighter.name] for fighter in combat.fighters)

    def follow(combat: Combat) -> Score:
        remaining = steps(combat)
        if not remaining:
            return left(combat, False)
        step = remaining[0]

        def end(attacking: dict[str, dict[str, int]], defending: dict[str, dict[str, int]]) -> Score:
            result = deal(combat, {**attacking, **defending}, step)
            if "D" in result.lost or step == "regular":
                return left(result.combat, "D" in result.lost)
            return follow(result.combat)

        defending = legal_assignments(combat, step, "D")
        return min(max(end(one, other) for other in defending) for one in legal_assignments(combat, step, "A"))

    combat = combat_of(board, attack, block)
    return left(combat, True) if _lost(combat) else follow(combat)


def best_score(board: Board, attack: Attack) -> Score:
    """Return the best that a legal block leaves D."""
    return max(score(board, attack, block) for block in blocks(board, attack))


# The same board as a scenario file says it


def to_scenario(board: Board, attack: Attack | None = None) -> dict[str, Any]:
    """Return the board, and an attack that is declared on it, as a scenario: a mapping in the format of scenario files."""
    written = damage.to_scenario(_combat(board, attack or {}, {one.name: one for one in board.creatures}), "lethal", {})
    battlefield, effects = written["battlefield"], written["effects"]
    for one in board.creatures:
        texts = ATTACKING if one.fighter.controller == "A" else BLOCKING
        said = [battlefield[one.name].get("text", ""), *(texts[word] for word in sorted(one.says))]
        battlefield[one.name] |= {"text": "\n".join(filter(None, said)), "sick": one.sick}
        battlefield[one.name] |= {"goaded_by": [one.goaded]} if one.goaded else {}
    for player, number in zip("AD", board.lands, strict=True):
        battlefield |= {f"l{player}{place}": {"controller": player, "types": ["land"]} for place in range(number)}
    for name, text, price in (("tax", TAX, board.tax), ("toll", TOLL, board.toll), ("bar", BARRED, board.barred)):
        if price:
            battlefield[name] = {"controller": "A" if name == "toll" else "D", "types": ["enchantment"], "text": text.format(price)}
    for player, mana in zip("AD", board.mana, strict=True):
        written["players"][player] |= {} if mana is None else {"mana": f"{{{mana}}}"}
    numbers = {1: "one creature", 2: "two creatures"}
    for most, verb in zip(board.most, ("attack", "block"), strict=True):
        if most is not None:
            effects.append({"controller": "D", "text": f"No more than {numbers[most]} can {verb} each combat."})
    left_out = {"judge", "propose", "block", *(["attack"] if attack is None else [])}
    return {key: value for key, value in written.items() if key not in left_out}
