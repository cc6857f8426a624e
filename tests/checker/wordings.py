"""Random boards in words: card-like sentences that the brute force of tests/oracle/ does not know, in all combinations."""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["random_board"]

ONE = ["a creature with flying", "an artifact", "an Island", "a Goblin", "a white creature", "a tapped creature", "an enchanted creature"]
ONE += ["a creature with power 3 or greater", "a multicolored creature", "a legendary creature", "a token"]
MANY = ["creatures with flying", "artifact creatures", "Goblins", "white creatures", "creatures with power 2 or less", "nonwhite creatures"]
MANY += ["creatures with power 3 or greater", "creatures you control", "creatures your opponents control", "tapped creatures"]
MANY += ["creatures without flying", "creatures with greater power", "other creatures you control", "legendary creatures"]
MANY += ["creatures with toughness 2 or less", "creatures with shadow", "creatures with a +1/+1 counter on them", "Goblins and/or Elves"]
MANY += ["creatures with counters on them", "modified creatures", "creatures attacking you", "creatures attacking your opponents"]
MANY += ["blocking creatures", "Equipment attached to this creature"]
MANY += ["enchanted creatures", "equipped creatures", "attacking creatures", "creatures with toughness greater than its power"]
#: Conditions about the defending player are left out: the solver asks them for too few kinds (see test_meanings.py).
CONDITIONS = ["you control {one}", "an opponent controls {one}", "your opponents control {one}", "attacking player controls {one}"]
CONDITIONS += [
    "you control two or more artifacts",
    "you control no Goblin",
    "it's enchanted",
    "it's equipped",
    "it's untapped",
    "it isn't tapped",
]
CONDITIONS += ["its power is 3 or greater", "it has a +1/+1 counter on it", "it's attacking alone", "it's a Goblin"]
CONDITIONS += ["it's your turn", "it's not your turn", "it's an opponent's turn", "it has flying"]
CONDITIONS += ["you've drawn two cards this turn"]
PREDICATES = [
    *("can't attack", "can't block", "can't be blocked", "can't attack you", "can't attack you or planeswalkers you control"),
    *("can't attack its owner", "can't attack alone", "can't block alone", "can't attack or block alone"),
    *("can't attack unless at least two other creatures attack", "can't block unless at least two other creatures block"),
    *("can't attack unless {one} also attacks", "can't block unless {one} also blocks", "can only attack alone", "can only block alone"),
    *("can't attack unless you pay {{2}}", "can't block unless you pay {{1}}", "can't attack or block unless you pay {{1}}"),
    *("can't block {many}", "can't be blocked by {many}", "can't be blocked except by {many}", "can block only {many}"),
    *(
        "can't be blocked except by two or more creatures",
        "can't be blocked by more than one creature",
        "can't block or be blocked by {many}",
    ),
    *("can block an additional creature each combat", "can block any number of creatures", "can block as though it were untapped"),
    *("must be blocked if able", "must be blocked by {one} if able", "must be blocked by two or more creatures if able"),
    *("must be blocked by exactly one creature if able", "attacks each combat if able", "blocks each combat if able"),
    *("attacks or blocks each combat if able", "has flying", "has menace", "has haste", "has defender", "has protection from white"),
    *("has islandwalk", "gets +2/+2", "gets -1/-1", "gets +1/+1 and has flying", "can attack as though it didn't have defender"),
    *("can block creatures with shadow as though it had shadow", "can block creatures with flying as though it had reach"),
    *("can be blocked as though it didn't have menace", "can be blocked as though it didn't have islandwalk"),
    "can block creatures with landwalk abilities as though they didn't have those abilities",
    "can't be blocked unless all creatures defending player controls block it",
    *("gets +1/+1 for each {each}", "gets +X/+0, where X is the number of {many}", "gets +1/-1 for each Aura attached to it"),
    *("is goaded", "is goaded", "can attack as though it had haste", "is a Goblin in addition to its other types"),
    *("is a red artifact in addition to its other colors and types", "is a creature in addition to its other types"),
]
#: What can be counted.
EACH = ["artifact you control", "creature your opponents control", "Goblin", "attacking creature", "creature on the battlefield"]
EACH += ["tapped creature you control", "other creature you control", "Aura attached to it"]
CLAUSES = [
    *("All creatures able to block this creature do so", "All {many} able to block this creature do so"),
    *("No more than two creatures can attack each combat", "No more than one creature can block each combat"),
    *("No more than one creature can attack you each combat", "All creatures attack each combat if able"),
    "Creatures with power less than this creature's power can't block it",
    "Creatures with power greater than this creature's power can't block creatures you control",
    *("{Many} can't attack", "{Many} can't block", "{Many} attack each combat if able", "{Many} block each combat if able"),
    *(
        "{Many} have menace",
        "{Many} get +1/+0",
        "{Many} can't be blocked",
        "{Many} can't be blocked by {many}",
        "{Many} can't block {many}",
    ),
    "{Many} can't attack you unless their controller pays {{1}} for each creature they control that's attacking you",
    "Creatures can't attack you or planeswalkers you control unless their controller pays {{2}} for each of those creatures",
    *("Creatures your opponents control attack you each combat if able", "{Many} can block an additional creature each combat"),
    *("{Many} can attack as though they didn't have defender", "Tapped creatures you control can block as though they were untapped"),
    *("Creatures with flying get +1/+1", "Other creatures you control without defender get +0/+2", "{Many} are goaded"),
    *("Creatures you control can attack as though they had haste", "{Many} get +1/+0 for each {each}"),
    "Creatures with islandwalk can be blocked as though they didn't have islandwalk",
]
EFFECTS = ["Target creature {predicate}", "Target creature attacks you this turn if able", "Target creature blocks this turn if able"]
EFFECTS += ["Target creature can't attack you this turn", "All creatures able to block target creature this turn do so"]
EFFECTS += ["Goad target creature", "Target creature is a Goblin in addition to its other types until end of turn"]
EFFECTS += ["Target creature gains flying until end of turn", "Creatures you control gain menace until end of turn"]
KEYWORDS = ["flying", "reach", "menace", "haste", "defender", "shadow", "skulk", "fear", "intimidate", "islandwalk", "nonbasic landwalk"]
KEYWORDS += ["protection from white", "protection from Goblins", "banding", "bands with other Goblins", "horsemanship", "decayed"]


class _Writer:
    """Draws sentences and objects."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def rarely(self, one_in: int) -> bool:
        return self.rng.randrange(one_in) == 0

    def filled(self, template: str) -> str:
        many = self.rng.choice(MANY)
        words = {
            "one": self.rng.choice(ONE),
            "each": self.rng.choice(EACH),
            "many": self.rng.choice(MANY),
            "Many": many[0].upper() + many[1:],
        }
        return template.format(**words, predicate=self.rng.choice(PREDICATES).format(**words) if "{predicate}" in template else "")

    def sentence(self, subject: str = "this creature") -> str:
        if self.rng.random() < 0.4:
            return self.filled(self.rng.choice(CLAUSES)) + "."
        if self.rarely(12):
            condition = self.filled(self.rng.choice(CONDITIONS[:-1]))
            return f"{subject[0].upper()}{subject[1:]} can't block if {condition}. Otherwise, it can't attack."
        stated = f"{subject} {self.filled(self.rng.choice(PREDICATES))}"
        condition = self.filled(self.rng.choice(CONDITIONS))
        said = self.rng.choice([stated, stated, f"{stated} as long as {condition}", f"{stated} unless {condition}"])
        said = f"As long as {condition}, {stated}" if self.rarely(6) else said
        return f"{said[0].upper()}{said[1:]}."

    def creature(self, controller: str) -> dict[str, Any]:
        rng = self.rng
        made: dict[str, Any] = {"controller": controller, "pt": f"{rng.randint(0, 4)}/{rng.randint(1, 4)}"}
        made["keywords"] = rng.sample(KEYWORDS, rng.choice([0, 0, 1, 2]))
        made["text"] = "\n".join(self.sentence() for _ in range(rng.choice([0, 0, 1, 2])))
        made["colors"] = rng.sample(["white", "red", "black"], rng.choice([0, 0, 1, 2]))
        made["subtypes"] = rng.sample(["Goblin", "Elf"], rng.choice([0, 1]))
        made["types"] = ["artifact", "creature"] if self.rarely(7) else ["creature"]
        made["supertypes"] = ["legendary"] if self.rarely(10) else []
        made["counters"] = {rng.choice(["+1/+1", "-1/-1", "flying", "menace"]): rng.randint(1, 2)} if self.rarely(7) else {}
        for status, one_in in {"tapped": 10, "sick": 10, "face_down": 16, "phased_out": 25}.items():
            made |= {status: True} if self.rarely(one_in) else {}
        return made


def random_board(seed: int) -> dict[str, Any]:
    """Return a scenario of attacks or blocks with three random proposals and an empty one."""
    rng = Random(seed)
    writer = _Writer(rng)
    players = ["A", "D", "E"][: rng.choice([2, 2, 3])]
    attackers = {f"a{number}": writer.creature("A") for number in range(rng.randint(1, 3))}
    blockers = {f"b{number}": writer.creature(rng.choice(players[1:])) for number in range(rng.randint(1, 4))}
    field = attackers | blockers
    for number in range(rng.randint(0, 2)):
        attached_to, controller = rng.choice([*attackers, *blockers]), rng.choice(players)
        field[f"aura{number}"] = {"controller": controller, "types": ["enchantment"], "subtypes": ["Aura"], "attached_to": attached_to}
        field[f"aura{number}"]["text"] = writer.sentence("enchanted creature")
        field[f"land{number}"] = {"controller": rng.choice(players), "types": ["land"], "subtypes": ["Island"]}
    targets = players[1:]
    if writer.rarely(3):
        field["walker"] = {"controller": rng.choice(players[1:]), "types": ["planeswalker"], "loyalty": 3}
        targets.append("walker")
    if writer.rarely(5):
        field["siege"] = {"controller": rng.choice(players), "types": ["battle"], "subtypes": ["Siege"], "defense": 3}
        field["siege"]["protector"] = rng.choice(players[1:])
        targets.append("siege")
    if writer.rarely(2):
        field["law"] = {"controller": rng.choice(players), "types": ["enchantment"], "text": writer.filled(rng.choice(CLAUSES)) + "."}
    if writer.rarely(5):
        attackers["a0"]["goaded_by"] = rng.sample(players[1:], rng.randint(1, len(players) - 1))
    effects = [
        {
            "controller": rng.choice(players),
            "text": writer.filled(rng.choice(EFFECTS)) + ".",
            "affects": [rng.choice([*attackers, *blockers])],
        }
        for _ in range(rng.choice([0, 0, 1, 2]))
    ]
    board = {
        "players": {player: {"mana": "{2}"} if writer.rarely(10) else {} for player in players},
        "battlefield": field,
        "effects": effects,
    }
    proposals: dict[str, dict[str, Any]] = {"none": {}, "p1": {}, "p2": {}, "p3": {}}
    attack = {name: rng.choice(targets) for name in attackers}
    defending = set(players[1:]) if len(players) == 2 else {_defends(field, target) for target in attack.values()}
    blocking = [name for name, creature in blockers.items() if creature["controller"] in defending]
    attacks = writer.rarely(2)
    for proposal in list(proposals.values())[1:]:
        for name in (each for each in (attackers if attacks else blocking) if rng.random() < 0.6):
            acted_on: Any = rng.choice(targets) if attacks else rng.sample(sorted(attackers), rng.choice([1, 1, min(2, len(attackers))]))
            paid = {"target" if attacks else "attackers": acted_on, "pay": rng.choice(["{1}", "{2}", "{3}"])}
            proposal[name] = paid if writer.rarely(6) else acted_on
    return {**board, **({"judge": "attack"} if attacks else {"attack": attack}), "propose": proposals}


def _defends(field: dict[str, Any], target: str) -> str:
    """Return who defends a player, planeswalker or battle."""
    return str(field[target].get("protector", field[target]["controller"])) if target in field else target
