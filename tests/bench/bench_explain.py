"""What it costs to explain verdicts, beside what it costs to reach them.

    python tests/bench/bench_explain.py [ROUNDS]

Figures are in milliseconds of the processor in this process, for all proposals of a board, from the board as it was read to the answer: the
medians over ROUNDS runs (default 15) of `judge` (verdict) and `judge_and_explain`, which take turns. What the latter takes more is what
explaining costs: `help` is finding what cannot hold together and what is nearest, `arguments` is building the steps and sentences. The
ratio is that of both together to the verdict. Where a line is about several boards, the figures are medians over them.
"""

from __future__ import annotations

import statistics
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers
from tests.bench.bench_blocks import random_boards, shortage
from tests.oracle import blocks as oracle

from lawmage.board import Scenario
from lawmage.errors import LawmageError
from lawmage.play import judge, judge_and_explain
from lawmage.scenario import load_scenario, scenario_from

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
SITUATIONS = ROOT / "tests" / "play" / "shared_cases.toml"
#: Verdict, help, arguments.
Costs = tuple[float, float, float]


def medians(calls: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Return the median time of each call in milliseconds; they take turns, so that a busy machine is fair to all."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, of_call in zip(calls, times, strict=True):
            start = time.process_time()
            call()
            of_call.append((time.process_time() - start) * 1e3)
    return [statistics.median(of_call) for of_call in times]


def costs(scenario: Scenario, rounds: int) -> Costs:
    judge_and_explain(scenario)
    calls = (partial(judge, scenario), partial(judge, scenario, explain=True), partial(judge_and_explain, scenario))
    reached, helped, explained = medians(calls, rounds)
    return reached, helped - reached, explained - helped


def row(name: str, found: Iterable[Costs]) -> None:
    several = list(found)
    reached, helped, argued = (statistics.median(each[place] for each in several) for place in range(3))
    ratios = [(helped + argued) / reached for reached, helped, argued in several]
    numbers = f"{reached:>9.2f}{helped:>9.2f}{argued:>11.2f}{statistics.median(ratios):>8.2f}"
    print(f"{name:<50}{numbers}" + (f"{max(ratios):>8.2f}" if len(several) > 1 else ""), flush=True)


def boards(requirements: int, *, legal: bool, number: int) -> list[Scenario]:
    """Return random boards 10 v 10 with a proposal that is legal, a best declaration, or one that is not."""
    found = []
    for board, proposed in random_boards(10, 10, requirements, 4 * number):
        scenario = scenario_from(oracle.to_scenario(board, {"p": proposed}))
        verdict = judge(scenario).proposals["p"]
        if legal and verdict.verdict == "illegal":
            better = verdict.requirements.better or {}
            blocks = {name: frozenset(attackers) for name, attackers in better.items() if isinstance(attackers, tuple)}
            scenario = scenario_from(oracle.to_scenario(board, {"p": blocks}))
            verdict = judge(scenario).proposals["p"]
        if (verdict.verdict == "legal") == legal:
            found.append(scenario)
    return found[:number]


def situations() -> list[tuple[str, Scenario]]:
    """Return the cases that encode the situations of tests/play/shared_cases.toml, by their files."""
    listed = tomllib.loads(SITUATIONS.read_text(encoding="utf-8"))["situations"]
    names = dict.fromkeys(name for situation in listed.values() for name in situation["cases"])
    found = []
    for name in names:
        try:
            found.append((name, load_scenario(CASES / f"{name}.yaml")))
        except LawmageError:
            continue
    return [(name, scenario) for name, scenario in found if scenario.judge != "lethal"]


def main(rounds: int) -> None:
    """Print all lines."""
    print(f"{'':50}{'verdict':>9}{'help':>9}{'arguments':>11}{'ratio':>8}{'worst':>8}")
    for requirements in (0, 5, 10):
        for legal in (True, False):
            chosen = boards(requirements, legal=legal, number=10)
            what = f"10 v 10, {requirements} requirements, {'legal' if legal else 'illegal'}, {len(chosen)} boards"
            if chosen:
                row(what, [costs(scenario, rounds) for scenario in chosen])
    for size in (10, 50):
        row(f"{size + 1} must be blocked, {size} blockers", [costs(shortage(size), rounds)])
    cases = [(name, costs(scenario, rounds)) for name, scenario in situations()]
    row(f"the {len(cases)} cases of the shared situations", [found for _, found in cases])
    reached, helped, argued = (sum(found[place] for _, found in cases) for place in range(3))
    row("  all of them together", [(reached, helped, argued)])
    dearer = [(name, found) for name, found in cases if found[1] + found[2] > found[0]]
    print(f"  explaining costs more than the verdict in {len(dearer)} of them:")
    for name, found in sorted(dearer, key=lambda each: each[1][0] / (each[1][1] + each[1][2])):
        row(f"    {name}"[:50], [found])


if __name__ == "__main__":
    main(*numbers(__doc__, rounds=15))
