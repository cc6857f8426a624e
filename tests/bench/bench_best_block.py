"""How long a best block takes, beside trying every legal block and every division of damage, and beside what is published of others.

    python tests/bench/bench_best_block.py [ROUNDS]

Figures are medians over ROUNDS random boards (default 25) in this process, in milliseconds of its own time, which work beside it does not
change; reading the file is not among them. `trying` follows every legal block through combat (lawmage.play.best_block_by_trying), which
is possible on small boards only. The 15.5 s are what the one other solver of combat in Python was measured to need for 5 against 5.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers

from lawmage.board import Scenario
from lawmage.play.best_block import best_block, best_block_by_trying
from lawmage.scenario import scenario_from

KEYWORDS = ["flying", "first strike", "deathtouch", "trample", "menace", "reach", "vigilance", "indestructible"]
OTHER_SOLVER = 15_500.0


def random_board(rng: random.Random, size: int, requirements: int) -> Scenario:
    """Return so many attackers and blockers, of which about a third have a keyword, and so many requirements to block."""

    def creature(controller: str) -> dict[str, Any]:
        keywords = [rng.choice(KEYWORDS)] if rng.random() < 0.35 else []
        return {"controller": controller, "pt": f"{rng.randint(1, 5)}/{rng.randint(1, 5)}", "keywords": keywords}

    things = {f"a{n}": creature("A") for n in range(size)} | {f"b{n}": creature("D") for n in range(size)}
    effects = [
        {"controller": "A", "text": "Target creature must be blocked this turn if able.", "affects": [f"a{rng.randrange(size)}"]}
        for _ in range(requirements)
    ]
    return scenario_from({"battlefield": things, "attack": {f"a{n}": "D" for n in range(size)}, "effects": effects})


def median(find: Callable[[Scenario], object], scenarios: list[Scenario]) -> float:
    """Return the median time, in milliseconds of this process."""
    times = []
    for scenario in scenarios:
        start = time.process_time()
        find(scenario)
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def main(rounds: int) -> None:
    """Print a line for each size of board."""
    rng = random.Random(7)
    for warm in range(5):
        best_block(random_board(rng, 5, warm % 2))
    print(f"{'board':>30} {'best block':>12} {'trying':>12} {'ratio':>9}")
    for size, requirements in ((2, 0), (3, 0), (5, 0), (5, 3), (7, 0), (8, 0), (10, 0)):
        scenarios = [random_board(rng, size, requirements) for _ in range(rounds if size < 8 else min(rounds, 5))]
        own = median(best_block, scenarios)
        other, ratio = "-", "-"
        if size == 2:
            slow = median(lambda scenario: best_block_by_trying(scenario, seconds=None), scenarios[:5])
            other, ratio = f"{slow:,.1f}", f"{slow / own:,.0f}"
        elif size == 5 and not requirements:
            other, ratio = f"{OTHER_SOLVER:,.0f}*", f"{OTHER_SOLVER / own:,.0f}"
        title = f"{size} v {size}" + (f", {requirements} requirements" if requirements else "")
        print(f"{title:>30} {own:>12.1f} {other:>12} {ratio:>9}")
    print("* published, on another machine")


if __name__ == "__main__":
    main(*numbers(__doc__, rounds=25))
