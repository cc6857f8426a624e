"""A brute force for combat damage, in plain Python: which divisions are legal, and what damage does.

Written from the rulebook alone (120.3, 510.1-4, 615, 701.10g, 701.19a, 702.2, 702.4, 702.7, 702.12, 702.15, 702.16e, 702.19, 702.22h-k,
702.64, 702.80, 702.89, 702.90, 702.164, 704.5, 903.10a) to be compared with what lawmage says. Every division is listed and asked whether
it complies.

Left out, because the rulebook leaves room for two readings: an attacker with trample whose damage the defending player divides
(702.19b beside 702.22j).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal, TypeAlias

__all__ = [
    "Assignment",
    "Battle",
    "Combat",
    "Fighter",
    "Planeswalker",
    "Player",
    "Result",
    "Step",
    "broken",
    "deal",
    "dealt",
    "legal_assignments",
    "outcome",
    "sources",
    "steps",
    "to_scenario",
]

#: The combat damage that each source assigns: to whom or what, and how much.
Assignment: TypeAlias = Mapping[str, Mapping[str, int]]
DOUBLES = (
    "If a creature you control would deal damage to a permanent or player, it deals double that damage to that permanent or player instead."
)
Step: TypeAlias = Literal["first", "regular"]


@dataclass(frozen=True, slots=True)
class Fighter:
    """A creature, as it is when damage is assigned, but for its counters, which add to `base_power` and `base_toughness`.

    Attributes:
        plus, minus: its +1/+1 and -1/-1 counters.
        by_toughness: it assigns combat damage equal to its toughness rather than its power.
        as_unblocked: its controller may have it assign combat damage as though it weren't blocked.
        spared, harmless: all combat damage that would be dealt to it, or by it, is prevented.
        shell: how much of the damage that any source would deal to it is prevented (702.64a).
        shields: how often it will be regenerated instead of being destroyed (701.19a).
        umbra: it has an Aura with umbra armor (702.89a).
    """

    name: str
    controller: str
    base_power: int = 2
    base_toughness: int = 2
    keywords: tuple[str, ...] = ()
    colors: frozenset[str] = frozenset()
    damage: int = 0
    plus: int = 0
    minus: int = 0
    by_toughness: bool = False
    as_unblocked: bool = False
    commander: bool = False
    spared: bool = False
    harmless: bool = False
    shell: int = 0
    shields: int = 0
    umbra: bool = False

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords

    @property
    def power(self) -> int:
        return self.base_power + self.plus - self.minus

    @property
    def toughness(self) -> int:
        return self.base_toughness + self.plus - self.minus

    @property
    def assigns(self) -> int:
        """How much combat damage it assigns (510.1a)."""
        return max(0, self.toughness if self.by_toughness else self.power)

    @property
    def strikes_first(self) -> bool:
        return self.has("first strike") or self.has("double strike")

    @property
    def toxic(self) -> int:
        """Its total toxic value (702.164b)."""
        return sum(int(keyword.removeprefix("toxic ")) for keyword in self.keywords if keyword.startswith("toxic "))

    def protected_from(self, source: Fighter) -> bool:
        return any(f"protection from {color}" in self.keywords for color in source.colors)


@dataclass(frozen=True, slots=True)
class Planeswalker:
    name: str
    controller: str
    loyalty: int


@dataclass(frozen=True, slots=True)
class Battle:
    name: str
    controller: str
    protector: str
    defense: int


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    life: int = 20
    poison: int = 0
    commander_damage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Combat:
    """A combat in which blockers have been declared. A attacks D.

    Attributes:
        fighters: all creatures on the battlefield.
        attacks: what each attacking creature was declared to attack: D, a planeswalker or a battle, which may be gone.
        blocks: the attackers that each blocker was declared to block (702.22h adds to them).
        bands: the attackers of each band.
        gone: a planeswalker of D's that has left the battlefield.
        blocked: attackers that have become blocked by creatures that have left combat.
        struck_first: the creatures that had first or double strike as the first step began; None if there was none.
        doubled: whose creatures deal double damage, once for each time that they are named.
    """

    fighters: tuple[Fighter, ...]
    attacks: Mapping[str, str]
    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    players: tuple[Player, ...] = (Player("A"), Player("D"))
    planeswalkers: tuple[Planeswalker, ...] = ()
    battles: tuple[Battle, ...] = ()
    bands: tuple[frozenset[str], ...] = ()
    gone: str | None = None
    blocked: frozenset[str] = frozenset()
    struck_first: frozenset[str] | None = None
    doubled: tuple[str, ...] = ()

    @property
    def creatures(self) -> dict[str, Fighter]:
        return {fighter.name: fighter for fighter in self.fighters}

    def blocked_by(self, blocker: str) -> list[str]:
        """The attackers that are on the battlefield and that `blocker` blocks; all of a band if one of it (702.22h)."""
        declared = set(self.blocks.get(blocker, ()))
        together = declared.union(*(band for band in self.bands if band & declared))
        return [name for name in self.attacks if name in together and name in self.creatures]

    def blockers_of(self, attacker: str) -> list[str]:
        """The creatures on the battlefield that block `attacker`."""
        return [name for name in self.blocks if name in self.creatures and attacker in self.blocked_by(name)]

    def is_blocked(self, attacker: str) -> bool:
        """Whether something has blocked `attacker`, or another creature of its band (702.22h, i)."""
        together = {attacker}.union(*(band for band in self.bands if attacker in band))
        return bool(together & self.blocked) or any(attacker in self.blocked_by(name) for name in self.blocks)

    def attacked(self, attacker: str) -> str | None:
        """What `attacker` is attacking now, or None if it has gone (506.4c)."""
        target = self.attacks[attacker]
        there = {"D", *(walker.name for walker in self.planeswalkers), *(battle.name for battle in self.battles)}
        return target if target in there else None

    def loyalty(self, name: str | None) -> int | None:
        """The loyalty of a planeswalker, or None for anything else."""
        return next((walker.loyalty for walker in self.planeswalkers if walker.name == name), None)


# Who assigns how much to whom (510.1)


def steps(combat: Combat) -> list[Step]:
    """Return the combat damage steps that are still to come (510.4)."""
    if combat.struck_first is not None:
        return ["regular"]
    involved = [name for name in (*combat.attacks, *combat.blocks) if name in combat.creatures]
    return ["first", "regular"] if any(combat.creatures[name].strikes_first for name in involved) else ["regular"]


def sources(combat: Combat, step: Step) -> list[str]:
    """Return the creatures that may assign combat damage in `step`, for attackers and blockers that are still there (510.4)."""
    found = []
    for name in dict.fromkeys((*combat.attacks, *combat.blocks)):
        if fighter := combat.creatures.get(name):
            if step == "first":
                assigns = fighter.strikes_first
            else:
                assigns = combat.struck_first is None or name not in combat.struck_first or fighter.has("double strike")
            if assigns and fighter.assigns:
                found.append(name)
    return found


def divider(combat: Combat, source: str) -> str:
    """Return who chooses how `source` assigns its damage: its controller, but for banding (702.22j, k)."""
    opposed = combat.blockers_of(source) if source in combat.attacks else combat.blocked_by(source)
    swapped = any(combat.creatures[name].has("banding") for name in opposed)
    return "A" if (source in combat.attacks) != swapped else "D"


def ways(combat: Combat, source: str) -> list[list[str]]:
    """Return the groups of recipients among which `source` may divide its damage; [] in it: it assigns none."""
    fighter = combat.creatures[source]
    if source not in combat.attacks:
        return [combat.blocked_by(source)]
    beyond = recipients_beyond(combat, source)
    if not combat.is_blocked(source):
        return [beyond]
    blockers = combat.blockers_of(source)
    tramples = fighter.has("trample") or fighter.has("trample over planeswalkers")
    found = [[*blockers, *(beyond if tramples else [])]]
    if fighter.as_unblocked:
        found.append(beyond)
    return found


def recipients_beyond(combat: Combat, attacker: str) -> list[str]:
    """Return who and what `attacker` may assign damage to beside creatures: what it attacks, and what 702.19c and e add."""
    target = combat.attacked(attacker)
    over = combat.creatures[attacker].has("trample over planeswalkers")
    if target is None:
        return ["D"] if over and combat.attacks[attacker] == combat.gone else []
    return [target, "D"] if over and combat.loyalty(target) is not None else [target]


def divisions(amount: int, among: list[str]) -> Iterator[dict[str, int]]:
    """Yield every way to divide `amount`; recipients of nothing are left out."""
    if not among:
        yield {}
        return
    first, *rest = among
    if not rest:
        yield {first: amount} if amount else {}
        return
    for given in range(amount + 1):
        for division in divisions(amount - given, rest):
            yield {first: given, **division} if given else division


def choices(combat: Combat, source: str) -> list[dict[str, int]]:
    """Return every division of one source's damage, by itself: what only the total decides is not asked here."""
    found: dict[tuple[tuple[str, int], ...], dict[str, int]] = {}
    for among in ways(combat, source):
        for division in divisions(combat.creatures[source].assigns, among):
            found[tuple(sorted(division.items()))] = division
    return list(found.values())


def broken(combat: Combat, assignment: Assignment, step: Step, player: str | None = None) -> frozenset[str]:
    """Return the numbers of the rules that an assignment of `player`, or of both, does not comply with (510.1e)."""
    rules = set()
    due = [name for name in sources(combat, step) if player in (None, divider(combat, name))]
    for name in due:
        if dict(assignment.get(name, {})) not in choices(combat, name):
            rules.add(
                "510.1b" if name in combat.attacks and not combat.is_blocked(name) else "510.1c" if name in combat.attacks else "510.1d"
            )
    if any(name not in due and any(amounts.values()) for name, amounts in assignment.items()):
        rules.add("510.1a")
    if not rules:
        rules |= trample_broken(combat, assignment)
    return frozenset(rules)


def trample_broken(combat: Combat, assignment: Assignment) -> set[str]:
    """702.19b, c: lethal damage to all blockers before anything beyond them, the whole assignment taken together."""
    total: Counter[str] = Counter()
    deadly: set[str] = set()
    for source, amounts in assignment.items():
        total.update(amounts)
        if combat.creatures[source].has("deathtouch"):
            deadly.update(name for name, amount in amounts.items() if amount)
    rules = set()
    for attacker in (name for name in assignment if name in combat.attacks):
        amounts = assignment[attacker]
        blockers = combat.blockers_of(attacker)
        target = combat.attacked(attacker)
        if combat.creatures[attacker].as_unblocked and not any(amounts.get(name) for name in blockers):
            blockers = []
        lethal = all(name in deadly or total[name] + combat.creatures[name].damage >= combat.creatures[name].toughness for name in blockers)
        if not lethal and any(amounts.get(name) for name in recipients_beyond(combat, attacker)):
            rules.add("702.19b")
        loyalty = combat.loyalty(target)
        if target is not None and loyalty is not None and amounts.get("D") and total[target] < loyalty:
            rules.add("702.19c")
    return rules


def legal_assignments(combat: Combat, step: Step, player: str) -> list[dict[str, dict[str, int]]]:
    """Return every legal assignment of what `player` divides in `step`."""
    due = [name for name in sources(combat, step) if divider(combat, name) == player]
    return [
        {name: amounts for name, amounts in zip(due, chosen, strict=True) if amounts}
        for chosen in product(*(choices(combat, name) for name in due))
        if not trample_broken(combat, dict(zip(due, chosen, strict=True)))
    ]


# What damage does (120.3, 704)


@dataclass(frozen=True, slots=True)
class Result:
    """What a step of combat damage led to: the combat afterwards, what died or left, and who lost by which rules."""

    combat: Combat
    died: frozenset[str]
    lost: Mapping[str, frozenset[str]]


def dealt(combat: Combat, assignment: Assignment) -> dict[tuple[str, str], int]:
    """Return how much each source deals to each recipient: what it assigns, with what is prevented (615) and multiplied (701.10g)."""
    creatures = combat.creatures

    def done(source: Fighter, recipient: Fighter | None, amount: int) -> int:
        amount *= 2 ** combat.doubled.count(source.controller)
        if recipient is not None:
            amount = 0 if recipient.spared or recipient.protected_from(source) else max(0, amount - recipient.shell)
        return 0 if source.harmless else amount

    found = {
        (source, name): done(creatures[source], creatures.get(name), amount)
        for source, amounts in assignment.items()
        for name, amount in amounts.items()
    }
    return {pair: amount for pair, amount in found.items() if amount}


def deal(combat: Combat, assignment: Assignment, step: Step) -> Result:
    """Deal the damage of `assignment` at once (510.2), then perform state-based actions until there are none (704.3)."""
    creatures = combat.creatures
    players = {player.name: player for player in combat.players}
    walkers = {walker.name: walker for walker in combat.planeswalkers}
    battles = {battle.name: battle for battle in combat.battles}
    deadly: set[str] = set()
    gains: Counter[str] = Counter()
    for (source, name), amount in dealt(combat, assignment).items():
        dealer = combat.creatures[source]
        if name in creatures:
            if dealer.has("wither") or dealer.has("infect"):
                creatures[name] = replace(creatures[name], minus=creatures[name].minus + amount)
            else:
                creatures[name] = replace(creatures[name], damage=creatures[name].damage + amount)
            if dealer.has("deathtouch"):
                deadly.add(name)
        elif name in walkers:
            walkers[name] = replace(walkers[name], loyalty=max(0, walkers[name].loyalty - amount))
        elif name in battles:
            battles[name] = replace(battles[name], defense=max(0, battles[name].defense - amount))
        else:
            players[name] = damaged(players[name], dealer, amount)
        if dealer.has("lifelink"):
            gains[dealer.controller] += amount
    for name, amount in gains.items():
        players[name] = replace(players[name], life=players[name].life + amount)
    struck = frozenset(sources_of_first(combat)) if step == "first" else combat.struck_first
    after = replace(
        combat,
        players=tuple(players.values()),
        planeswalkers=tuple(walkers.values()),
        battles=tuple(battles.values()),
        fighters=tuple(creatures.values()),
        blocked=frozenset(name for name in combat.attacks if combat.is_blocked(name)),
        struck_first=struck,
    )
    return state_based_actions(after, deadly)


def sources_of_first(combat: Combat) -> list[str]:
    """Return what has first or double strike as the first step begins, whether or not it assigns anything."""
    return [name for name, fighter in combat.creatures.items() if fighter.strikes_first]


def damaged(player: Player, dealer: Fighter, amount: int) -> Player:
    """120.3a, b, g; 903.10a."""
    poison = dealer.toxic + (amount if dealer.has("infect") else 0)
    taken = dict(player.commander_damage)
    if dealer.commander:
        taken[dealer.name] = taken.get(dealer.name, 0) + amount
    return replace(
        player, life=player.life - (0 if dealer.has("infect") else amount), poison=player.poison + poison, commander_damage=taken
    )


def state_based_actions(combat: Combat, deadly: set[str]) -> Result:
    """704.5a, c, f-i, q; 704.6c. Defeated battles are not here: a Siege's own ability comes first (310.12b)."""
    died: set[str] = set()
    lost: dict[str, frozenset[str]] = {}
    while True:
        for player in combat.players:
            reasons = {
                "704.5a": player.life <= 0,
                "704.5c": player.poison >= 10,
                "704.6c": any(amount >= 21 for amount in player.commander_damage.values()),
            }
            if any(reasons.values()):
                lost[player.name] = frozenset(rule for rule, holds in reasons.items() if holds)
        saved = [fighter for fighter in combat.fighters if dies(fighter, fighter.name in deadly) and is_saved(fighter)]
        combat = without_regenerated(combat, {fighter.name for fighter in saved if not fighter.umbra})
        combat = replace(combat, fighters=tuple(saved_from(fighter) if fighter in saved else fighter for fighter in combat.fighters))
        deadly -= {fighter.name for fighter in saved}
        leaving = {fighter.name for fighter in combat.fighters if dies(fighter, fighter.name in deadly)}
        leaving |= {walker.name for walker in combat.planeswalkers if not walker.loyalty}
        both = [fighter.name for fighter in combat.fighters if fighter.plus and fighter.minus]
        deadly = set()
        if not leaving and not both and not saved:
            return Result(combat, frozenset(died), lost)
        died |= leaving
        gone = next((walker.name for walker in combat.planeswalkers if walker.name in leaving), combat.gone)
        combat = replace(
            combat,
            fighters=tuple(without_pairs(fighter) for fighter in combat.fighters if fighter.name not in leaving),
            planeswalkers=tuple(walker for walker in combat.planeswalkers if walker.name not in leaving),
            gone=gone,
        )


def is_saved(fighter: Fighter) -> bool:
    """Tell whether a creature that would be destroyed is not (614.8, 701.19a, 702.89a); what has no toughness is not destroyed (704.5f)."""
    return fighter.toughness > 0 and (fighter.umbra or fighter.shields > 0)


def saved_from(fighter: Fighter) -> Fighter:
    """Return a creature that something has saved. None has an Aura and a shield: which is used would be chosen (616.1)."""
    return replace(fighter, damage=0, umbra=False, shields=0 if fighter.umbra else fighter.shields - 1)


def without_regenerated(combat: Combat, names: set[str]) -> Combat:
    """Return the combat without creatures that are regenerated (701.19a); what they blocked stays blocked (509.1h)."""
    return replace(
        combat,
        attacks={name: target for name, target in combat.attacks.items() if name not in names},
        blocks={name: those for name, those in combat.blocks.items() if name not in names},
    )


def dies(fighter: Fighter, by_deathtouch: bool) -> bool:
    """704.5f-h; 702.12b."""
    if fighter.toughness <= 0:
        return True
    lethal = by_deathtouch or fighter.damage >= max(1, fighter.toughness)
    return lethal and not fighter.has("indestructible")


def without_pairs(fighter: Fighter) -> Fighter:
    """704.5q."""
    pairs = min(fighter.plus, fighter.minus)
    return replace(fighter, plus=fighter.plus - pairs, minus=fighter.minus - pairs)


def outcome(combat: Combat, chosen: list[Assignment]) -> list[Result]:
    """Return what each step leads to in which the damage of `chosen`, one assignment a step, is dealt. It ends when somebody loses."""
    results: list[Result] = []
    for step, assignment in zip(steps(combat), chosen, strict=False):
        results.append(deal(results[-1].combat if results else combat, assignment, step))
        if results[-1].lost:
            break
    return results


# The same combat as a scenario file says it


def to_scenario(combat: Combat, judge: str, proposals: Mapping[str, Any]) -> dict[str, Any]:
    """Return the combat as a scenario: a mapping in the format of scenario files."""
    battlefield: dict[str, Any] = {}
    for fighter in combat.fighters:
        entry: dict[str, Any] = {"controller": fighter.controller, "pt": f"{fighter.base_power}/{fighter.base_toughness}"}
        counters = {"+1/+1": fighter.plus, "-1/-1": fighter.minus}
        said = [
            *(["This creature assigns combat damage equal to its toughness rather than its power."] if fighter.by_toughness else []),
            *(["You may have this creature assign its combat damage as though it weren't blocked."] if fighter.as_unblocked else []),
            *(["Prevent all combat damage that would be dealt to this creature."] if fighter.spared else []),
            *(["Prevent all combat damage that would be dealt by this creature."] if fighter.harmless else []),
        ]
        optional = {
            "keywords": [*fighter.keywords, *([f"absorb {fighter.shell}"] if fighter.shell else [])],
            "colors": sorted(fighter.colors),
            "damage": fighter.damage,
            "counters": {kind: number for kind, number in counters.items() if number},
            "text": "\n".join(said),
            "commander": fighter.commander,
            "blocked": fighter.name in combat.blocked,
        }
        battlefield[fighter.name] = entry | {key: value for key, value in optional.items() if value}
        if fighter.umbra:
            aura = {"types": ["enchantment"], "subtypes": ["Aura"], "keywords": ["umbra armor"], "attached_to": fighter.name}
            battlefield[f"u{fighter.name}"] = {"controller": fighter.controller, **aura}
    for walker in combat.planeswalkers:
        battlefield[walker.name] = {"controller": walker.controller, "types": ["planeswalker"], "loyalty": walker.loyalty}
    for battle in combat.battles:
        battlefield[battle.name] = {"controller": battle.controller, "types": ["battle"], "subtypes": ["Siege"]}
        battlefield[battle.name] |= {"defense": battle.defense, "protector": battle.protector}
    for number, controller in enumerate(combat.doubled):
        battlefield[f"x{number}"] = {"controller": controller, "types": ["enchantment"], "text": DOUBLES}
    regenerate = [
        {"controller": fighter.controller, "text": "Regenerate target creature.", "affects": [fighter.name]}
        for fighter in combat.fighters
        for _ in range(fighter.shields)
    ]
    gone = {combat.gone: {"owner": "D", "types": ["planeswalker"], "loyalty": 0}} if combat.gone else {}
    return {
        "lawmage": 1,
        "players": {
            player.name: {"life": player.life, "poison": player.poison, "commander_damage": dict(player.commander_damage)}
            for player in combat.players
        },
        "battlefield": battlefield,
        "graveyard": gone,
        "effects": regenerate,
        "attack": {**combat.attacks, **({"bands": [sorted(band) for band in combat.bands]} if combat.bands else {})},
        "block": {blocker: list(attackers) for blocker, attackers in combat.blocks.items()},
        "judge": judge,
        "propose": dict(proposals),
    }
