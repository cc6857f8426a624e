"""How long `lawmage lethal` takes at the threshold of life where its answer turns, beside plain clingo.

    python tests/bench/bench_lethal.py [ROUNDS]

For each random board (default 5 of each size) the greatest life at which there is a lethal attack is looked for by halving; then the time
is taken there (yes) and with one life more (no), from a scenario that has been read, in milliseconds of this process' own time, which work
beside it does not change. `plain clingo` has the same rules and numbers, without the flow and without what one attack tells about others:
one search for a block that survives the attack of all; on the restricted boards one such search for each legal attack, in clingo's order,
until an attack wins. It stops after 10 s. `damage` is `--max-damage` on the same board. What is not decided in 10 s is counted.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import clingo
from tests.bench.arguments import numbers

from lawmage.board import Attack, Scenario
from lawmage.play import UndecidedError
from lawmage.play.lethal import LethalVerdict, lethal
from lawmage.play.lethal_attacks import AttackSearch, AttackStep
from lawmage.play.lethal_blocks import BlockSearch, Clock
from lawmage.play.lethal_damage import max_damage
from lawmage.scenario import scenario_from

KEYWORDS = ["flying", "first strike", "deathtouch", "trample", "menace", "reach", "vigilance"]
MORE_KEYWORDS = [*KEYWORDS, "skulk", "intimidate", "fear", "double strike", "toxic 1"]
COLORS = ["white", "blue", "black", "red", "green"]
_CAP = 10.0


def random_board(rng: random.Random, attackers: int, blockers: int, *, restricted: bool, unlike: bool = False) -> Scenario:
    """Return a board on which about a third of the creatures have a keyword.

    Args:
        rng: what chooses.
        attackers: the number of creatures that could attack.
        blockers: the number of creatures that could block.
        restricted: whether a few attack at most, and some can't.
        unlike: whether nearly all have a colour and one or two of more keywords.
    """

    def creature(controller: str) -> dict[str, Any]:
        if unlike:
            keywords = rng.sample(MORE_KEYWORDS, rng.choice([1, 2])) if rng.random() < 0.9 else []
            colors = [rng.choice(COLORS)]
        else:
            keywords = [rng.choice(KEYWORDS)] if rng.random() < 0.35 else []
            colors = []
        return {"controller": controller, "pt": f"{rng.randint(1, 5)}/{rng.randint(1, 5)}", "keywords": keywords, "colors": colors}

    things = {f"a{n}": creature("A") for n in range(attackers)} | {f"b{n}": creature("D") for n in range(blockers)}
    effects = []
    if restricted:
        most = {10: "eight", 15: "twelve", 20: "thirteen"}[attackers]
        effects.append({"controller": "D", "text": f"No more than {most} creatures can attack each combat."})
        for name in rng.sample([f"a{n}" for n in range(attackers)], 2):
            things[name]["keywords"] = ["defender"]
    return scenario_from({"battlefield": things, "effects": effects})


def with_life(scenario: Scenario, life: int) -> Scenario:
    """Return the board with so much life of D."""
    players = {name: replace(player, life=life) if name == "D" else player for name, player in scenario.board.players.items()}
    return replace(scenario, board=replace(scenario.board, players=players))


def threshold(scenario: Scenario) -> tuple[int | None, list[LethalVerdict]]:
    """Return the greatest life at which there is a lethal attack, if it was found, and the answers there and with one life more."""
    low, high = 0, sum(max(0, thing.power or 0) for thing in scenario.board.objects.values() if thing.controller == "A") + 1
    while high - low > 1:
        middle = (low + high) // 2
        verdict = lethal(with_life(scenario, middle), seconds=_CAP)
        if verdict.verdict == "undecided":
            return None, [verdict]
        low, high = (middle, high) if verdict.verdict == "yes" else (low, middle)
    return low, [timed(with_life(scenario, life)) for life in (low, low + 1) if life]


def timed(scenario: Scenario) -> LethalVerdict:
    """Return the answer with the time that this process took for it."""
    start = time.process_time()
    return replace(lethal(scenario, seconds=_CAP), seconds=time.process_time() - start)


def timed_damage(scenario: Scenario) -> float:
    """Return how long the greatest damage that is certain takes, infinite if it isn't found."""
    start = time.process_time()
    found = max_damage(scenario, seconds=_CAP).verdict == "found"
    return time.process_time() - start if found else math.inf


def plain(scenario: Scenario, *, restricted: bool) -> float:
    """Return how long clingo alone takes to find a block for each legal attack, or one for which there is none, up to the cap."""
    start, clock = time.process_time(), Clock.after(_CAP)
    attacks = [Attack(thing.id, "D") for thing in scenario.board.objects.values() if thing.controller == "A"]
    blocks = BlockSearch(scenario, attacks, "D", clock)
    control: clingo.Control = blocks._ground()
    absent = {blocks._names[atom.symbol.arguments[0].number]: atom.literal for atom in control.symbolic_atoms.by_signature("absent", 1)}
    tried = _each_attack(scenario, clock) if restricted else iter([{one.attacker for one in attacks}])
    try:
        for attack in tried:
            these = [-literal if name in attack else literal for name, literal in absent.items()]
            with control.solve(assumptions=these, async_=True) as handle:
                if not handle.wait(clock.left):
                    handle.cancel()
                    return _CAP
                if not handle.get().satisfiable:
                    break
    except UndecidedError:
        return _CAP
    return time.process_time() - start


def _each_attack(scenario: Scenario, clock: Clock) -> Iterator[set[str]]:
    search = AttackSearch(AttackStep.of(scenario, clock), "D", clock)
    while (attack := search.next()) is not None:
        yield set(attack)
        search.forbid(attack)


def main(rounds: int) -> None:
    """Print a line for each size of board."""
    rng = random.Random(5)
    lethal(random_board(rng, 3, 3, restricted=False))
    print(
        f"{'board':>27} {'yes: median':>12} {'worst':>9} {'no: median':>12} {'worst':>9} {'damage':>9} {'worst':>9} {'undecided':>10}"
        f" {'plain clingo: yes / no':>26}"
    )
    for attackers, blockers, restricted, unlike in (
        (10, 10, False, False),
        (20, 20, False, False),
        (50, 50, False, False),
        (10, 6, True, False),
        (15, 10, True, False),
        (20, 13, True, False),
        (20, 13, True, True),
    ):
        times: dict[str, list[float]] = {"yes": [], "no": []}
        alone: dict[str, list[float]] = {"yes": [], "no": []}
        damage: list[float] = []
        undecided = 0
        for _ in range(rounds):
            scenario = random_board(rng, attackers, blockers, restricted=restricted, unlike=unlike)
            life, verdicts = threshold(scenario)
            undecided += sum(verdict.verdict == "undecided" for verdict in verdicts)
            for verdict in verdicts:
                if verdict.verdict != "undecided":
                    times[verdict.verdict].append(verdict.seconds * 1000)
            damage.append(timed_damage(scenario) * 1000)
            undecided += math.isinf(damage[-1])
            if life:
                alone["yes"].append(plain(with_life(scenario, life), restricted=restricted) * 1000)
                alone["no"].append(plain(with_life(scenario, life + 1), restricted=restricted) * 1000)
        title = f"{attackers} v {blockers}{', restricted' if restricted else ''}{', unlike' if unlike else ''}"
        cells = [f"{choose(those):,.0f}" if those else "-" for those in (*times.values(), damage) for choose in (statistics.median, max)]
        others = " / ".join(
            (f"{statistics.median(those):,.0f}" if statistics.median(those) < _CAP * 1000 else "over 10,000") if those else "-"
            for those in alone.values()
        )
        columns = zip(cells, (12, 9, 12, 9, 9, 9), strict=True)
        print(f"{title:>27} {' '.join(f'{cell:>{width}}' for cell, width in columns)} {undecided:>10} {others:>26}", flush=True)


if __name__ == "__main__":
    main(*numbers(__doc__, rounds=5))
