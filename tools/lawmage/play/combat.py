"""How a combat goes on: triggered abilities that resolve, damage that is dealt, state-based actions. asp/ says what happens.

Every function takes a combat and returns the next one, with what happened.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import clingo

from lawmage.board import Board, Effect, Object, Player
from lawmage.play.damage_facts import Combat
from lawmage.play.dated import in_numbering_of

__all__ = ["Changes", "Dealt", "Trigger", "check_actions", "deal", "joined", "resolve_declared_triggers", "without_players"]

#: More rounds of state-based actions than objects on the board cannot be needed; this many are a fault of ours.
_MOST_ROUNDS = 10_000


@dataclass(frozen=True, slots=True)
class Trigger:
    """An ability of a keyword (as written) of `source` that triggers so many `times`, by `rule`."""

    source: str
    ability: str
    times: int
    rule: str


@dataclass(frozen=True, slots=True)
class Dealt:
    """So much damage that `source` deals to the permanent or player `target`."""

    source: str
    target: str
    amount: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened.

    Attributes:
        damage: what was dealt, by source and target.
        died: the objects that left the battlefield, each with the rules by which it did.
        lost: the players who lost the game, each with the rule by which they did.
        triggers: the abilities that triggered.
        taken: triggered abilities of attacks and blocks that nothing here knows what to do with: the board is taken to show it.
        not_followed: the same of damage and deaths: what they do is left out.
        choices: what somebody has to choose, which the file does not say.
        rules: the rules that were applied.
        happened: what else results of damage were, as triggered abilities speak of them: life_gained, life_lost, counters.
    """

    damage: tuple[Dealt, ...] = ()
    died: Mapping[str, tuple[str, ...]] | None = None
    lost: Mapping[str, str] | None = None
    triggers: tuple[Trigger, ...] = ()
    taken: tuple[str, ...] = ()
    not_followed: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    rules: frozenset[str] = frozenset()
    happened: frozenset[str] = frozenset()


# ---------------------------------------------------------------- triggered abilities


def resolve_declared_triggers(combat: Combat) -> tuple[Combat, Changes]:
    """Let the abilities that trigger on attacks and blocks resolve: growth until end of turn, life that is lost, then 704."""
    problem = combat.problem
    facts = problem.facts()
    waiting = problem.add_waiting(facts)
    if not waiting and "triggered effect" not in problem.base.groups:
        return combat, Changes()
    problem.add_fight(facts)
    if combat.board.blocks is not None:
        facts.add("blocks_declared")
    triggers, taken = [], []
    effects: list[Effect] = []
    lost_life: Counter[str] = Counter()
    for atom in problem.run("combat-triggers", facts):
        if atom.name == "triggered":
            trigger, known = _trigger(combat, atom)
            triggers.append(trigger)
            taken += [] if known else [f"{trigger.ability} of {trigger.source}"]
        elif atom.name == "bonus":
            name, power, toughness = problem.name(atom.arguments[0]), atom.arguments[1].number, atom.arguments[2].number
            if power or toughness:
                effects.append(_until_end_of_turn(combat.board, name, power, toughness))
        elif not combat.first_done:
            lost_life[problem.name(atom.arguments[0])] += atom.arguments[1].number
    order = list(combat.board.objects)
    triggers.sort(key=lambda trigger: (order.index(trigger.source), trigger.ability))
    if not effects and not lost_life:
        return combat, Changes(triggers=tuple(triggers), taken=tuple(sorted(taken)))
    players = {
        name: replace(player, life=player.life - lost_life[name]) if lost_life[name] else player
        for name, player in combat.board.players.items()
    }
    effects.sort(key=lambda effect: order.index(effect.affects[0]))
    board = replace(combat.board, players=players, effects=(*combat.board.effects, *effects))
    after, changes = check_actions(replace(combat, board=board))
    happened = frozenset({"life_lost"} if lost_life else ())
    return after, replace(changes, triggers=tuple(triggers), taken=tuple(sorted(taken)), happened=happened)


def _trigger(combat: Combat, atom: clingo.Symbol) -> tuple[Trigger, bool]:
    """Return what `triggered(C,K,Event,N)` states, and whether what it does is known."""
    source, use, event, times = atom.arguments
    base = combat.problem.base
    key = next(key for key, number in base.uses.items() if number == use.number)
    trigger = next(one for one in combat.known.triggers if one.keyword == key[0] and one.event == event.name)
    does = {combat.known.kinds[constraint.kind].group for constraint in combat.known.keywords[key[0]].imposes}
    rule = trigger.stacking if times.number > 1 and trigger.stacking else trigger.rule
    return Trigger(combat.problem.name(source), base.written[use.number], times.number, rule), "triggered effect" in does


def _until_end_of_turn(board: Board, name: str, power: int, toughness: int) -> Effect:
    return Effect(board.objects[name].controller, f"That creature gets {power:+d}/{toughness:+d} until end of turn.", affects=(name,))


# ---------------------------------------------------------------- damage


def deal(combat: Combat, assigned: Iterable[Dealt], *, in_combat: bool = True) -> tuple[Combat, Changes]:
    """Deal the damage that was assigned, all at once (510.2): results (120.3), then state-based actions and triggers.

    Args:
        in_combat: whether it is combat damage.
    """
    problem = combat.problem
    facts = problem.facts()
    problem.add_waiting(facts)
    problem.add_shields(facts)
    for one in assigned:
        facts.add("deals", problem.terms[one.source], problem.terms[one.target], one.amount)
    damage: list[Dealt] = []
    happened: defaultdict[str, Counter[str]] = defaultdict(Counter)
    commanders: defaultdict[str, Counter[str]] = defaultdict(Counter)
    used = Counter(combat.used)
    triggers, not_followed, choices, rules = [], [], [], set()
    infected: Counter[str] = Counter()
    passed: dict[str, str] = {}
    for atom in problem.run("damage-results", facts):
        arguments = atom.arguments
        match atom.name:
            case "dealt":
                damage.append(Dealt(problem.name(arguments[0]), problem.name(arguments[1]), arguments[2].number))
            case "happens":
                rules.add(arguments[0].string)
                target, source = problem.name(arguments[2]), problem.name(arguments[3])
                happened[target][arguments[1].name] += arguments[4].number
                if arguments[1].name == "commander_damage":
                    commanders[target][source] += arguments[4].number
            case "uses_up":
                used[problem.name(arguments[0])] += arguments[1].number
            case "choice":
                choices.append(f"in which order effects change the damage to {problem.name(arguments[0])} (616.1)")
            case "triggered":
                trigger, known = _trigger(combat, atom)
                triggers.append(trigger)
                not_followed += [] if known else [f"{trigger.ability} of {trigger.source}"]
            case "passes_on":
                passed[arguments[0].string] = problem.name(arguments[2])
            case _:
                infected[problem.name(arguments[0])] += arguments[1].number
    objects = {name: _damaged(thing, happened[name]) if name in happened else thing for name, thing in combat.board.objects.items()}
    players = {
        name: _harmed(player, happened[name], commanders[name]) if name in happened else player
        for name, player in combat.board.players.items()
    }
    struck = combat.struck | {name for name, what in happened.items() if what["struck"]}
    after = replace(combat, board=replace(combat.board, objects=objects, players=players), used=used, struck=struck)
    order = [*combat.board.objects, *combat.board.players]
    after, changes = check_actions(after)
    if infected:
        players = {
            name: replace(player, extra={**player.extra, "poison": player.extra.get("poison", 0) + infected[name]})
            if infected[name]
            else player
            for name, player in after.board.players.items()
        }
        after, more = check_actions(replace(after, board=replace(after.board, players=players)))
        changes = joined(changes, more)
    if in_combat and passed:
        after = replace(after, board=replace(after.board, players=_passed_on(after.board.players, passed)))
    return after, replace(
        changes,
        damage=tuple(sorted(damage, key=lambda one: (order.index(one.source), order.index(one.target)))),
        triggers=(*sorted(triggers, key=lambda trigger: (order.index(trigger.source), trigger.ability)), *changes.triggers),
        not_followed=tuple(sorted({*not_followed, *changes.not_followed})),
        choices=(*sorted(choices), *changes.choices),
        rules=frozenset(rules) | changes.rules,
        happened=frozenset("counters" if what in _COUNTERS else what for those in happened.values() for what in those)
        | frozenset({"counters"} if infected else ()),
    )


def _passed_on(players: Mapping[str, Player], passed: Mapping[str, str]) -> dict[str, Player]:
    """Return the players once those named have got what only one player has, such as being the monarch."""
    return {
        name: replace(player, extra={**player.extra, **{what: name == taker for what, taker in passed.items()}})
        for name, player in players.items()
    }


#: The results of damage by which counters are put on something, or removed.
_COUNTERS = frozenset({"poison", "weakened", "loyalty_removed", "defense_removed", "shield_counter_removed"})


def _damaged(thing: Object, what: Counter[str]) -> Object:
    """Return `thing` with the results of damage to it."""
    counters = dict(thing.counters)
    for counter, change in (("-1/-1", what["weakened"]), ("shield", -what["shield_counter_removed"])):
        if change:
            counters[counter] = counters.get(counter, 0) + change
    return replace(
        thing,
        damage=thing.damage + what["marked"],
        counters={kind: count for kind, count in counters.items() if count},
        loyalty=None if thing.loyalty is None else max(0, thing.loyalty - what["loyalty_removed"]),
        defense=None if thing.defense is None else max(0, thing.defense - what["defense_removed"]),
    )


def _harmed(player: Player, what: Counter[str], commanders: Counter[str]) -> Player:
    """Return `player` with the results of damage to and by them."""
    extra: dict[str, Any] = dict(player.extra)
    if what["poison"]:
        extra["poison"] = extra.get("poison", 0) + what["poison"]
    if commanders:
        extra["commander_damage"] = dict(Counter(extra.get("commander_damage", {})) + commanders)
    return replace(player, life=player.life + what["life_gained"] - what["life_lost"], extra=extra)


# ---------------------------------------------------------------- state-based actions


def check_actions(combat: Combat) -> tuple[Combat, Changes]:
    """Perform state-based actions until there are none (704.3)."""
    changes = Changes()
    for _ in range(_MOST_ROUNDS):
        after, round_ = _one_round(combat)
        changes = joined(changes, round_)
        if after is None:
            return replace(combat, struck=frozenset()), changes
        combat = after
    raise AssertionError("state-based actions never end")


def _one_round(combat: Combat) -> tuple[Combat | None, Changes]:
    """Perform the state-based actions that apply now, together; None where there are none."""
    problem = combat.problem
    facts = problem.facts()
    problem.add_state(facts)
    leaves: dict[str, str] = {}
    rules: defaultdict[str, list[str]] = defaultdict(list)
    lost: dict[str, str] = {}
    regenerated, saved, loose, choices = set(), set(), set(), []
    cancelled: dict[str, int] = {}
    for atom in problem.run("state-based-actions", facts):
        first, *rest = atom.arguments
        name = problem.name(first)
        match atom.name:
            case "leaves":
                leaves[name] = rest[0].name
                rules[name].append(rest[1].string)
            case "loses":
                lost[name] = min(lost.get(name, rest[0].string), rest[0].string)
            case "regenerated":
                regenerated.add(name)
            case "saved":
                saved.add(name)
            case "cancels":
                cancelled[name] = rest[0].number
            case "falls_off":
                loose.add(name)
            case _:
                rule = in_numbering_of(combat.release, rest[0].string, combat.known)
                choices.append(f"{name} has to choose about {problem.name(rest[1])} ({rule})")
    changes = Changes(
        died={name: tuple(sorted(rules[name])) for name in combat.board.objects if name in leaves},
        lost=lost,
        choices=tuple(sorted(choices)),
        rules=frozenset(rule for of_one in rules.values() for rule in of_one) | frozenset(lost.values()),
    )
    if not (leaves or regenerated or saved or cancelled or loose):
        return None, changes
    objects = {name: _moved(thing, leaves[name]) if name in leaves else thing for name, thing in combat.board.objects.items()}
    for name in regenerated | saved:
        objects[name] = replace(objects[name], damage=0, tapped=objects[name].tapped or name in regenerated)
    for name, count in cancelled.items():
        if objects[name].zone == "battlefield":
            left = Counter(objects[name].counters)
            left.subtract({"+1/+1": count, "-1/-1": count})
            objects[name] = replace(objects[name], counters={kind: number for kind, number in left.items() if number})
    for name in loose:
        objects[name] = replace(objects[name], attached_to=None)
    board = replace(combat.board, objects=objects, players=_with_cards(combat.board, leaves))
    changes = replace(changes, not_followed=tuple(_waiting_for_deaths(combat, leaves)))
    return replace(combat, board=board, struck=frozenset(), removed=combat.removed | regenerated), changes


def _waiting_for_deaths(combat: Combat, leaves: Mapping[str, str]) -> Iterator[str]:
    """Yield the triggered abilities of keywords that trigger as these objects leave the battlefield. What they do is not followed."""
    problem = combat.problem
    facts = problem.facts()
    if not problem.add_waiting(facts):
        return
    for name, zone in leaves.items():
        facts.add("left", problem.base.numbers[name])
        if zone != "exile":
            facts.add("died", problem.base.numbers[name])
    for atom in problem.run("death-triggers", facts):
        yield f"{problem.base.written[atom.arguments[1].number]} of {problem.name(atom.arguments[0])}"


def _with_cards(board: Board, leaves: Mapping[str, str]) -> dict[str, Player]:
    """Return the players with the cards in their zones of which the file gives the number, once these objects have gone there."""
    gone = Counter((board.objects[name].owner, zone) for name, zone in leaves.items() if not board.objects[name].token)
    players = dict(board.players)
    for (name, zone), number in gone.items():
        if zone in players[name].extra:
            players[name] = replace(players[name], extra={**players[name].extra, zone: players[name].extra[zone] + number})
    return players


def without_players(combat: Combat, players: Collection[str]) -> Combat:
    """Return the combat without what `players`, who have left the game, own, and without attacks on them (800.4a, 800.4e)."""
    board = combat.board
    objects = {name: _moved(thing, "nowhere") if thing.owner in players else thing for name, thing in board.objects.items()}
    attacks = None if board.attacks is None else tuple(attack for attack in board.attacks if attack.target not in players)
    return replace(combat, board=replace(board, objects=objects, attacks=attacks))


def _moved(thing: Object, zone: str) -> Object:
    """Return `thing` as it is in another zone: a new object without memory of this one (400.7)."""
    return replace(thing, zone=zone, tapped=False, damage=0, counters={}, attached_to=None, blocked=False)


def joined(first: Changes, second: Changes) -> Changes:
    """Return what happened first and then."""
    return Changes(
        damage=first.damage + second.damage,
        died={**(first.died or {}), **(second.died or {})},
        lost={**(first.lost or {}), **(second.lost or {})},
        triggers=first.triggers + second.triggers,
        taken=first.taken + second.taken,
        not_followed=tuple(dict.fromkeys(first.not_followed + second.not_followed)),
        choices=tuple(dict.fromkeys(first.choices + second.choices)),
        rules=first.rules | second.rules,
        happened=first.happened | second.happened,
    )
