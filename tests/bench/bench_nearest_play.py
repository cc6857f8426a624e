"""What it costs to find the nearest legal play, beside what it costs to judge: for the illegal plays of all scenario files of tests/cases.

    python tests/bench/bench_nearest_play.py [ROUNDS]

Figures are in milliseconds of the processor in this process for one illegal proposal: the median over ROUNDS runs (default 5), then the
median, the ninetieth percentile and the greatest of all proposals. `told` counts what was found: a play, or that none is legal.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers
from tests.cases.expectations import load_cases

from lawmage.board import Scenario
from lawmage.play import judge
from lawmage.play.play_words import PLAYS


def median(call: Callable[[], object], rounds: int) -> float:
    """Return the median time of a call in milliseconds, after one that is not measured."""
    call()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append((time.process_time() - start) * 1e3)
    return statistics.median(times)


def illegal(scenario: Scenario) -> list[Scenario]:
    """Return the scenario with each of its illegal proposals alone."""
    verdicts = judge(scenario).proposals
    return [replace(scenario, proposals=(one,), expect=None) for one in scenario.proposals if verdicts[one.name].verdict == "illegal"]


def main(rounds: int) -> None:
    """Print the figures."""
    told: Counter[str] = Counter()
    judging: list[float] = []
    finding: list[float] = []
    for scenario in [alone for one in load_cases().values() if one.judge in PLAYS for alone in illegal(one)]:
        (verdict,) = judge(scenario, explain=True, explain_seconds=60.0).proposals.values()
        told["a play" if verdict.nearest is not None else "none is legal" if verdict.no_nearest else "nothing"] += 1
        judging.append(median(partial(judge, scenario), rounds))
        finding.append(median(partial(judge, scenario, explain=True), rounds) - judging[-1])
    print(f"{'ms':<10}{'median':>9}{'90 %':>9}{'greatest':>9}")
    for name, times in (("judging", judging), ("nearest", finding)):
        ordered = sorted(times)
        print(f"{name:<10}{statistics.median(ordered):>9.2f}{ordered[len(ordered) * 9 // 10]:>9.2f}{ordered[-1]:>9.2f}")
    print(f"told: {', '.join(f'{name} {number:,}' for name, number in told.most_common())}")


if __name__ == "__main__":
    main(*numbers(__doc__, rounds=5))
