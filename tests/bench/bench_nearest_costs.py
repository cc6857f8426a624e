"""On how many boards the nearest legal declaration is found where attacking and blocking may cost something, and how long that takes.

    python tests/bench/bench_nearest_costs.py [BOARDS]

BOARDS (default 30) random boards each of 10, 20 and 40 creatures a side, where some attacks and blocks cost mana, life or permanents, for
one creature or for all; what a player has is short. Times are those of the processor in this process, in milliseconds, for what is nearest
to an illegal proposal beside its verdict; nothing is looked for longer than a second.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers

from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.scenario import scenario_from

COSTS = ["pay {1}", "pay {W}", "pay {2}", "pay {W/P}", "pay 2 life", "sacrifice a land", "tap an untapped creature you control"]
TAX = "Creatures can't attack you unless their controller pays {{{0}}} for each creature they control that's attacking you."
WAVE = "Creatures can't block creatures you control unless their controller pays {1} for each of those creatures."


def random_board(rng: random.Random, size: int, *, attacks: bool) -> dict[str, Any]:
    """Return a board of so many creatures a side, with one proposal."""
    mine, theirs, verb = ("A", "D", "attack") if attacks else ("D", "A", "block")
    field: dict[str, Any] = {}
    for number in range(size):
        lines = [f"This creature {verb}s each combat if able."] if rng.random() < 0.12 else []
        lines += [f"This creature can't {verb} unless you {rng.choice(COSTS)}."] if rng.random() < 0.25 else []
        field[f"x{number}"] = {"controller": mine, "pt": "2/2", "text": "\n".join(lines), "tapped": rng.random() < 0.12}
        text = "This creature must be blocked if able." if not attacks and rng.random() < 0.12 else ""
        keywords = [name for name in ("flying", "menace") if not attacks and rng.random() < 0.12]
        field[f"y{number}"] = {"controller": theirs, "pt": "2/2", "text": text, "keywords": keywords}
    for number in range(rng.randint(0, 8)):
        field[f"l{number}"] = {"controller": mine, "types": ["land"], "subtypes": [rng.choice(["Plains", "Forest"])]}
    if rng.random() < 0.6:
        field["e"] = {"controller": theirs, "types": ["enchantment"], "text": TAX.format(rng.randint(1, 2)) if attacks else WAVE}
    share = rng.choice([0.2, 0.5, 0.8])
    other = {"target": "D"} if attacks else {}
    proposed = {
        f"x{number}": {**(other or {"attacker": f"y{rng.randrange(size)}"}), "pay": rng.choice(["{1}", "{2}", "{3}"])}
        for number in range(size)
        if rng.random() < share
    }
    players: dict[str, Any] = {"A": {}, "D": {}}
    players[mine] = {"mana": "{W}" * rng.randint(0, 3) + "{C}" * rng.randint(0, 3) or "{0}"}
    board = {"players": players, "battlefield": field, "propose": {"p": proposed}}
    return board if attacks else board | {"attack": [f"y{number}" for number in range(size)]}


def main(boards: int) -> None:
    """Print the figures."""
    print(f"{'':<16}{'illegal':>9}{'found':>9}{'median':>9}{'90 %':>9}{'greatest':>9}")
    for attacks in (True, False):
        for size in (10, 20, 40):
            rng = random.Random(size)
            told: Counter[bool] = Counter()
            times = []
            for _ in range(boards):
                scenario = scenario_from(random_board(rng, size, attacks=attacks))
                step = (Attacks if attacks else Blocks)(scenario, explain=True, explain_seconds=1.0)
                verdict = step.judge(scenario.proposals)["p"]
                if verdict.verdict == "illegal":
                    start = time.process_time()
                    told[step.with_nearest(scenario.proposals[0], verdict).has_nearest] += 1
                    times.append((time.process_time() - start) * 1e3)
            times.sort()
            figures = [times[len(times) // 2], times[len(times) * 9 // 10], times[-1]] if times else [0.0] * 3
            row = "".join(f"{figure:>9.1f}" for figure in figures)
            print(f"{'attacks' if attacks else 'blocks':<8}{size:>8}{told.total():>9,}{told[True]:>9,}{row}")


if __name__ == "__main__":
    main(*numbers(__doc__, boards=30))
