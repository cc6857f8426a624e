"""What it costs to explain a verdict, beside what it costs to reach it.

    python tests/bench/bench_explain.py [ROUNDS]

Figures are medians over ROUNDS runs (default 30) in this process, in milliseconds of the processor, for all proposals of a board: reaching
the verdicts; finding what cannot all hold together and what is nearest, which `lawmage check` does whether it explains or not (help);
and building the arguments. The ratio is that of the arguments to the verdicts; it should not be over 1.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lawmage.board import Scenario
from lawmage.play import judge, judging
from lawmage.scenario import load_scenario, scenario_from

ROOT = Path(__file__).resolve().parents[2]
MUST = "This creature must be blocked if able."


def crowd(attackers: int, blockers: int, duties: int) -> Scenario:
    """Return so many attackers, every other with menace, so many of them with a requirement, and a block by everyone of one of them."""
    there: dict[str, Any] = {}
    for index in range(attackers):
        there[f"a{index}"] = {"controller": "A", "pt": "2/2", "keywords": ["menace"] if index % 2 else ["flying"]}
        if index < duties:
            there[f"a{index}"]["text"] = MUST
    there |= {f"b{index}": {"controller": "D", "pt": "2/2", "keywords": ["reach"] if index % 3 else []} for index in range(blockers)}
    attack = {f"a{index}": "D" for index in range(attackers)}
    propose = {"none": {}, "all": {f"b{index}": "a1" for index in range(blockers)}, "one": {"b1": "a0"}}
    return scenario_from({"battlefield": there, "attack": attack, "propose": propose})


def boards() -> Iterator[tuple[str, Scenario]]:
    """Yield boards with what they are called."""
    yield "blocks 3 v 3", crowd(3, 3, 1)
    yield "blocks 10 v 10, ten requirements", crowd(10, 10, 10)
    yield "blocks 50 v 50", crowd(50, 50, 5)
    for name in ("701/701.15b-goaded-and-a-tax", "702/702.19b-three-blockers-out-of-reach", "118/118.9a-flashback-and-another-cost"):
        yield name, load_scenario(ROOT / "tests" / "cases" / f"{name}.yaml")
    yield "outcome", load_scenario(ROOT / "examples" / "outcome.yaml")


def medians(runs: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Return the median time of each of `runs` in milliseconds of the processor; they take turns, so that a busy machine is fair to all."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, of_run in zip(runs, times, strict=True):
            start = time.process_time()
            run()
            of_run.append((time.process_time() - start) * 1e3)
    return [statistics.median(of_run) for of_run in times]


def main(rounds: int) -> None:
    """Print a line for each board."""
    print(f"{'':40}{'verdicts':>10}{'help':>10}{'arguments':>11}{'ratio':>8}")
    for name, scenario in boards():
        step, answer = judging._judge(scenario, 10.0, 0.5, checked=False)
        runs = (partial(judge, scenario), partial(judge, scenario, explain=True), partial(judging._explained, scenario, step, answer))
        reached, helped, argued = medians(runs, rounds)
        print(f"{name:40}{reached:>10.2f}{helped - reached:>10.2f}{argued:>11.2f}{argued / reached:>8.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
