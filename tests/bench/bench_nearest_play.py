"""What it costs to find the nearest legal play, beside what it costs to judge: for the illegal plays of all scenario files of tests/cases.

    python tests/bench/bench_nearest_play.py [ROUNDS] [BOARDS]

Figures are in milliseconds of the processor in this process for one illegal proposal: the shortest of ROUNDS runs (default 5), then the
median, the ninetieth percentile and the greatest of all proposals; `ratio` is what finding costs, divided by what judging costs. `told`
counts what was found: a play, that none is legal, or nothing. The same for plays on BOARDS random boards (default 200) with real cards
where their texts are installed (`lawmage data import`); of those also what judging said.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers
from tests.cases.expectations import load_cases

from lawmage.board import Scenario
from lawmage.cards.store import CardStore, installed_file
from lawmage.errors import InputError
from lawmage.play import judge
from lawmage.play.play_words import PLAYS
from lawmage.scenario import scenario_from

#: What of types no permanent is.
NO_PERMANENT = {"instant", "sorcery", "plane", "phenomenon", "scheme", "vanguard", "conspiracy", "dungeon"}
TURNS: list[dict[str, Any]] = [{"phase": "main1"}, {"phase": "main1"}, {"phase": "combat", "step": "declare_attackers"}, {"phase": "end"}]
TURNS.append({"phase": "main2", "priority": "D"})
OPEN = {"controller": "D", "text": "Creatures you control have hexproof as long as you are happy."}


def shortest(call: Callable[[], object], rounds: int) -> float:
    """Return the shortest time of a call in milliseconds, after one that is not measured."""
    call()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append((time.process_time() - start) * 1e3)
    return min(times)


def illegal(scenario: Scenario) -> list[Scenario]:
    """Return the scenario with each of its illegal proposals alone."""
    verdicts = judge(scenario).proposals
    return [replace(scenario, proposals=(one,), expect=None) for one in scenario.proposals if verdicts[one.name].verdict == "illegal"]


def random_play(rng: random.Random, names: list[str], permanents: list[str]) -> dict[str, Any]:
    """Return a scenario with a play on a board of real cards and creatures."""
    field: dict[str, Any] = {f"c{n}": {"controller": rng.choice("AD"), "card": rng.choice(permanents)} for n in range(rng.randint(1, 5))}
    for number in range(rng.randint(1, 4)):
        keywords = rng.sample(["hexproof", "shroud", "flying", "protection from red", "ward {2}"], rng.choice([0, 0, 1]))
        field[f"k{number}"] = {"controller": rng.choice("AD"), "pt": "2/2", "colors": ["red"], "keywords": keywords}
    hand = {f"h{number}": {"owner": "A", "card": rng.choice(names)} for number in range(2)}
    there, held = list(field), rng.choice(list(hand))
    kind = rng.choice(["cast", "cast", "cast", "activate", "special", "attach", "trigger"])
    made: dict[str, Any] = {"attach": rng.choice(there), "to": rng.choice(there)} if kind == "attach" else {kind: rng.choice(there)}
    made = {"cast": held} if kind == "cast" else made
    made = {"special": rng.choice(["play land", "foretell", "suspend", "plot"]), "object": held} if kind == "special" else made
    parts = {
        "targets": (0.6, rng.sample(there, min(len(there), rng.choice([0, 1, 1, 2])))),
        "pay": (0.4, "".join(rng.sample(["{1}", "{2}", "{R}", "{G}", "{U}"], rng.randint(1, 2)))),
        "with": (0.2, {"sacrifice": [rng.choice(there)]}),
        "by": (0.15, "D"),
        "modes": (0.1, ["1"]),
        "x": (0.1, 2),
        "extra": (0.15 if kind == "cast" else 0, ["kicker"]),
        "using": (0.1 if kind == "cast" else 0, "flashback"),
    }
    if kind in ("cast", "activate"):
        made |= {key: value for key, (share, value) in parts.items() if rng.random() < share}
    mana = "".join(rng.sample(["{2}", "{R}", "{G}", "{B}", "{W}", "{U}"], rng.randint(2, 5)))
    return {
        "judge": kind,
        "players": {"A": {"mana": mana} if rng.random() < 0.3 else {}, "D": {}},
        "turn": rng.choice(TURNS),
        "battlefield": field,
        "hand": hand,
        "effects": [OPEN] if rng.random() < 0.15 else [],
        "propose": {"p": made},
    }


def random_plays(boards: int) -> Iterator[Scenario]:
    """Yield so many scenarios, the same ones each time."""
    rng = random.Random(7)
    with CardStore.open() as store:
        known = [(card.name, {kind.lower() for face in card.faces for kind in face.types}) for card in store.cards()]
    names = [name for name, _ in known]
    permanents = [name for name, kinds in known if not kinds & NO_PERMANENT]
    while boards:
        try:
            scenario = scenario_from(random_play(rng, names, permanents))
            judge(scenario)
        except InputError:  # a card whose power the file would have to give, and the like
            continue
        boards -= 1
        yield scenario


def measured(scenarios: Iterable[Scenario], rounds: int) -> None:
    """Print the figures of scenarios with one illegal proposal each."""
    told: Counter[str] = Counter()
    judging: list[float] = []
    finding: list[float] = []
    for scenario in scenarios:
        (verdict,) = judge(scenario, explain=True, explain_seconds=60.0).proposals.values()
        told["a play" if verdict.nearest is not None else "none is legal" if verdict.no_nearest else "nothing"] += 1
        judging.append(shortest(partial(judge, scenario), rounds))
        finding.append(shortest(partial(judge, scenario, explain=True), rounds) - judging[-1])
    ratios = [found / judged for found, judged in zip(finding, judging, strict=True)]
    print(f"{'ms':<10}{'median':>9}{'90 %':>9}{'greatest':>9}")
    for name, times in (("judging", judging), ("nearest", finding), ("ratio", ratios)):
        ordered = sorted(times)
        print(f"{name:<10}{ordered[len(ordered) // 2]:>9.2f}{ordered[len(ordered) * 9 // 10]:>9.2f}{ordered[-1]:>9.2f}")
    print(f"told: {', '.join(f'{name} {number:,}' for name, number in told.most_common())}")


def main(rounds: int, boards: int) -> None:
    """Print the figures."""
    measured([alone for one in load_cases().values() if one.judge in PLAYS for alone in illegal(one)], rounds)
    if not installed_file().exists():
        print("no texts of cards are installed")
        return
    drawn = list(random_plays(boards))
    words = Counter(verdict.verdict for scenario in drawn for verdict in judge(scenario).proposals.values())
    print(f"\n{boards:,} random boards: {', '.join(f'{word} {number:,}' for word, number in words.most_common())}")
    measured([alone for scenario in drawn for alone in illegal(scenario)], rounds)


if __name__ == "__main__":
    main(*numbers(__doc__, rounds=5, boards=200))
