"""How long `lawmage lethal` takes at the threshold of life where its answer turns, beside plain clingo.

    python tests/bench/bench_lethal.py [ROUNDS]

For each random board (default 5 of each size) the greatest life at which there is a lethal attack is looked for by halving; then the time
is taken there (yes) and with one life more (no), from a scenario that has been read, in milliseconds of this process' own time, which work
beside it does not change. `plain clingo` is one search for a block that survives the attack of all, with the same rules and numbers but
without the flow (the restricted boards have no such single search); it stops after 10 s. What is not decided in 10 s is counted.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from dataclasses import replace
from typing import Any

import clingo

from lawmage.board import Attack, Scenario
from lawmage.play.lethal import LethalVerdict, lethal
from lawmage.play.lethal_blocks import BlockSearch, Clock
from lawmage.scenario import scenario_from

KEYWORDS = ["flying", "first strike", "deathtouch", "trample", "menace", "reach", "vigilance"]
_CAP = 10.0


def random_board(rng: random.Random, attackers: int, blockers: int, *, restricted: bool) -> Scenario:
    """Return a board on which about a third of the creatures have a keyword; restricted: a few attackers at most, and some not alone."""

    def creature(controller: str) -> dict[str, Any]:
        keywords = [rng.choice(KEYWORDS)] if rng.random() < 0.35 else []
        return {"controller": controller, "pt": f"{rng.randint(1, 5)}/{rng.randint(1, 5)}", "keywords": keywords}

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


def plain(scenario: Scenario) -> float:
    """Return how long clingo alone takes to find a block that survives the attack of all, or to prove that there is none, up to the cap."""
    start = time.process_time()
    attacks = [Attack(thing.id, "D") for thing in scenario.board.objects.values() if thing.controller == "A"]
    control: clingo.Control = BlockSearch(scenario, attacks, "D", Clock(None))._ground()
    all_attack = [-atom.literal for atom in control.symbolic_atoms.by_signature("absent", 1)]
    with control.solve(assumptions=all_attack, async_=True) as handle:
        if not handle.wait(_CAP):
            handle.cancel()
            return _CAP
    return time.process_time() - start


def main(rounds: int) -> None:
    """Print a line for each size of board."""
    rng = random.Random(5)
    lethal(random_board(rng, 3, 3, restricted=False))
    print(
        f"{'board':>20} {'yes: median':>12} {'worst':>9} {'no: median':>12} {'worst':>9} {'undecided':>10} {'plain clingo: yes / no':>26}"
    )
    for attackers, blockers, restricted in (
        (10, 10, False),
        (20, 20, False),
        (50, 50, False),
        (10, 6, True),
        (15, 10, True),
        (20, 13, True),
    ):
        times: dict[str, list[float]] = {"yes": [], "no": []}
        alone: dict[str, list[float]] = {"yes": [], "no": []}
        undecided = 0
        for _ in range(rounds):
            scenario = random_board(rng, attackers, blockers, restricted=restricted)
            life, verdicts = threshold(scenario)
            undecided += sum(verdict.verdict == "undecided" for verdict in verdicts)
            for verdict in verdicts:
                if verdict.verdict != "undecided":
                    times[verdict.verdict].append(verdict.seconds * 1000)
            if life and not restricted:
                alone["yes"].append(plain(with_life(scenario, life)) * 1000)
                alone["no"].append(plain(with_life(scenario, life + 1)) * 1000)
        title = f"{attackers} v {blockers}{', restricted' if restricted else ''}"
        cells = [f"{choose(those):,.0f}" if those else "-" for those in times.values() for choose in (statistics.median, max)]
        others = " / ".join(
            (f"{statistics.median(those):,.0f}" if statistics.median(those) < _CAP * 1000 else "over 10,000") if those else "-"
            for those in alone.values()
        )
        print(f"{title:>20} {cells[0]:>12} {cells[1]:>9} {cells[2]:>12} {cells[3]:>9} {undecided:>10} {others:>26}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
