"""How long counting legal declarations takes, beside the solver that lists them, and how many are listed in a second.

    python tests/bench/bench_count.py [ROUNDS]

Figures are over ROUNDS boards (default 15) in this process. `whole` is from a board that has been read from its file to the number:
reading its words, facts, numbers from asp/, counting; median and worst. `counting` is the last part of it alone, worst. `solver` is the
same question answered by clingo for the first three boards, median: it lists every declaration without anybody reading it, and what
takes longer than LIMIT seconds is stopped. Where both end, the numbers are compared.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers
from tests.bench.bench_blocks import pigeonholes, random_board
from tests.oracle import blocks as oracle

from lawmage.board import Scenario
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.counting import count
from lawmage.play.counting_form import form_from
from lawmage.play.declarations import Declarations, UndecidedError
from lawmage.play.solver import facts_of, models
from lawmage.scenario import scenario_from

LIMIT = 5.0
MUST = "This creature must be blocked if able."
MUST_BLOCK = "This creature blocks each combat if able."
THREE = "This creature can't be blocked except by three or more creatures."

# ------------------------------------------------------------ boards


def battle(attackers: Sequence[tuple[list[str], str]], blockers: Sequence[tuple[list[str], str]]) -> Scenario:
    """Return a board of blocks from the keywords and text of each creature."""
    field = {
        f"{side}{number}": {"controller": side, "pt": "2/2", "keywords": keywords, "text": text}
        for side, creatures in (("A", attackers), ("D", blockers))
        for number, (keywords, text) in enumerate(creatures)
    }
    return scenario_from({"battlefield": field, "attack": {name: "D" for name in field if name[0] == "A"}, "propose": {}})


def free(size: int) -> Scenario:
    return battle([([], "")] * size, [([], "")] * size)


def mixed(rng: random.Random, size: int, requirements: int) -> Scenario:
    """Return a board with keywords on about a third of the creatures, and so many requirements of four kinds."""
    return scenario_from(oracle.to_scenario(random_board(rng, size, size, requirements), {}))


def demanding(rng: random.Random, size: int) -> Scenario:
    """Return a board where every creature must be blocked or block, most attackers have menace, and many can't be blocked by all."""

    def attacker() -> tuple[list[str], str]:
        evasion = [rng.choice(["flying", "shadow", "skulk", "horsemanship"])] if rng.random() < 0.2 else []
        return ["menace"] * (rng.random() < 0.6) + evasion, MUST

    def blocker() -> tuple[list[str], str]:
        return [rng.choice(["flying", "reach", "shadow", "horsemanship"])] if rng.random() < 0.3 else [], MUST_BLOCK

    return battle([attacker() for _ in range(size)], [blocker() for _ in range(size)])


def restricted(rng: random.Random, size: int) -> Scenario:
    """Return a board with restrictions of many kinds, some creatures that can block more than one attacker, and some requirements."""
    texts = [MUST, "This creature can't be blocked by more than one creature.", THREE, "All creatures able to block this creature do so."]
    texts += ["This creature must be blocked by exactly two creatures if able.", "This creature must be blocked by a red creature if able."]
    own = ["This creature can't block alone.", "This creature can block an additional creature each combat.", MUST_BLOCK]
    own += [
        "This creature can't block unless a creature with greater power also blocks.",
        "This creature can block any number of creatures.",
    ]
    own += ["This creature can't block unless at least two other creatures block.", "This creature can't block unless you pay {1}."]

    def some(words: list[str]) -> str:
        return rng.choice(words) if rng.random() < 0.4 else ""

    field: dict[str, Any] = {}
    for number in range(size):
        for side, words, keywords in (("A", texts, ["menace", "flying", "skulk"]), ("D", own, ["flying", "reach"])):
            field[f"{side}{number}"] = {
                "controller": side,
                "pt": f"{rng.randint(1, 4)}/2",
                "colors": [rng.choice(["red", "green"])],
                "keywords": rng.sample(keywords, int(rng.random() < 0.3)),
                "text": some(words),
            }
    players = {"A": {}, "D": {"mana": "{3}"}}
    attack = {name: "D" for name in field if name[0] == "A"}
    return scenario_from({"players": players, "battlefield": field, "attack": attack, "propose": {}})


def attackers(rng: random.Random, size: int) -> Scenario:
    """Return a board of attacks on two players and a planeswalker, with requirements, a tax, and limits."""
    texts = ["", "", "This creature attacks each combat if able.", "This creature can't attack alone.", "This creature can't attack you."]
    texts += ["This creature can't attack unless a creature with greater power also attacks."]
    field: dict[str, Any] = {
        f"A{number}": {"controller": "A", "pt": f"{rng.randint(1, 4)}/2", "text": rng.choice(texts)} for number in range(size)
    }
    field["walker"] = {"controller": "E", "types": ["planeswalker"], "loyalty": 3}
    field["law"] = {"controller": "D", "types": ["enchantment"], "text": "No more than two creatures can attack you each combat."}
    field["tax"] = {"controller": "E", "types": ["enchantment"]}
    field["tax"]["text"] = (
        "Creatures can't attack you unless their controller pays {1} for each creature they control that's attacking you."
    )
    for name in rng.sample([name for name in field if name[0] == "A"], size // 4):
        field[name]["goaded_by"] = ["D"]
    return scenario_from({"players": {"A": {"mana": "{4}"}, "D": {}, "E": {}}, "battlefield": field, "judge": "attack", "propose": {}})


def swarm(size: int, attacking: Sequence[tuple[list[str], str]], blocking: Sequence[tuple[list[str], str]]) -> Scenario:
    """Return a board with `size` creatures a side, of a few kinds in equal parts."""
    return battle(*([kinds[number * len(kinds) // size] for number in range(size)] for kinds in (attacking, blocking)))


SWARMS = {
    "nothing required": ([([], ""), (["flying"], ""), (["menace"], "")], [([], ""), (["flying"], ""), (["reach"], "")]),
    "some must be blocked": ([([], MUST), (["flying"], ""), (["menace"], "")], [([], ""), (["flying"], ""), (["reach"], "")]),
    "most required": ([(["menace"], MUST), (["flying"], MUST), ([], "")], [([], ""), (["flying"], ""), (["reach"], MUST_BLOCK)]),
    "three different walls": ([([], THREE), (["flying"], THREE), ([], MUST)], [([], ""), (["flying"], ""), (["reach"], "")]),
}

# ------------------------------------------------------------ ways to answer


def step_of(scenario: Scenario) -> Declarations:
    return (Attacks if scenario.judge == "attack" else Blocks)(scenario, seconds=LIMIT)


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    try:
        found = call()
    except UndecidedError:
        found = None
    return time.perf_counter() - start, found


def counting_alone(scenario: Scenario) -> float:
    step = step_of(scenario)
    form = form_from(facts_of(step._ground(4, step._facts(step.players()[0], ()))))
    assert form is not None
    return timed(lambda: count(form, seconds=LIMIT))[0]


def shown(seconds: float) -> str:
    return f"> {LIMIT:.0f} s" if seconds >= LIMIT else f"{seconds * 1000:.1f} ms"


def number_shown(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"{number:.1e}" if number < 10**300 else f"{len(str(number))} digits"


def row(name: str, scenarios: Sequence[Scenario]) -> None:
    """Print one line: counting and the solver's listing on the same boards."""
    ours = [timed(lambda scenario=scenario: step_of(scenario).counts()) for scenario in scenarios]  # type: ignore[misc]
    alone = max(counting_alone(scenario) for scenario in scenarios)
    listed = [timed(lambda scenario=scenario: step_of(scenario).counts(by_listing=True)) for scenario in scenarios[:3]]  # type: ignore[misc]
    for (_, mine), (_, other) in zip(ours, listed, strict=False):
        assert other is None or mine == other
    undecided = sum(1 for _, mine in ours if mine is None)
    greatest = max((sum(mine.values()) for _, mine in ours if mine is not None), default=0)
    times = [seconds for seconds, _ in ours]
    solver = statistics.median(LIMIT if other is None else seconds for seconds, other in listed)
    note = f"  ({undecided} of {len(ours)} undecided)" if undecided else ""
    print(
        f"{name:<46}{shown(statistics.median(times)):>12}{shown(max(times)):>12}{shown(alone):>12}{number_shown(greatest):>14}{shown(solver):>12}{note}",
        flush=True,
    )


def listing(name: str, scenario: Scenario, most: int = 1_000_000) -> None:
    """Print how many declarations a second are listed: by clingo and not read, by clingo and read, by lawmage."""

    def speed(each: Iterator[object]) -> float:
        start = time.perf_counter()
        number = sum(1 for _ in each)
        return number / (time.perf_counter() - start)

    step = step_of(scenario)
    player = step.players()[0]
    bare = speed(islice(models(step._listing(player)), most // 10))
    read = speed(islice((step._declared(model.symbols(shown=True)) for model in models(step._listing(player))), most // 10))
    ours = speed(step_of(scenario).declarations(most))
    print(f"{name:<46}{bare:>16,.0f}{read:>16,.0f}{ours:>16,.0f}{ours / read:>9.1f}x", flush=True)


def many(board: Callable[[], Scenario]) -> Scenario:
    """Return the first board that has 100,000 declarations or more."""
    return next(scenario for scenario in iter(board, None) if sum(step_of(scenario).counts().values()) >= 100_000)


def main() -> None:
    (rounds,) = numbers(__doc__, rounds=15)
    rng = random.Random(0)
    print(f"{'counting (attackers v blockers)':<46}{'whole':>12}{'worst':>12}{'counting':>12}{'largest':>14}{'solver':>12}")
    for size in (5, 8, 10, 12):
        row(f"{size} v {size}, nothing but creatures", [free(size)])
        row(f"{size} v {size}, keywords", [mixed(rng, size, 0) for _ in range(rounds)])
        row(f"{size} v {size}, keywords, {size} requirements", [mixed(rng, size, size) for _ in range(rounds)])
        row(f"{size} v {size}, many restrictions", [restricted(rng, size) for _ in range(rounds)])
        row(f"{size} v {size}, menace, requirements on all", [demanding(rng, size) for _ in range(rounds)])
        row(f"{size} attackers, four targets, tax, goad", [attackers(rng, size) for _ in range(rounds)])
    for size in (20, 40):
        row(f"{size} v {size}, menace, requirements on all", [demanding(rng, size) for _ in range(min(rounds, 5))])
    for size in (10, 99):
        row(f"{size + 1} must be blocked, {size} blockers", [scenario_from(oracle.to_scenario(pigeonholes(size), {}))])
    row("11 with menace must be blocked, 21 blockers", [battle([(["menace"], MUST)] * 11, [([], "")] * 21)])
    row("11 and 9 flyers must be blocked, 10 blockers", [battle([([], MUST)] * 11 + [(["flying"], MUST)] * 9, [([], "")] * 10)])
    for size in (50, 100):
        for name, (attacking, blocking) in SWARMS.items():
            row(f"{size} v {size} in three kinds, {name}", [swarm(size, attacking, blocking)])
    print(f"\n{'listing, declarations a second':<46}{'clingo, unread':>16}{'clingo, read':>16}{'lawmage':>16}{'':>10}")
    listing("6 v 6, nothing but creatures", free(6))
    listing("10 v 10, nothing but creatures", free(10))
    listing("8 v 8, all with menace", battle([(["menace"], "")] * 8, [([], "")] * 8))
    listing("10 v 10, keywords", many(lambda: mixed(rng, 10, 0)))
    listing("10 v 10, keywords, 10 requirements", many(lambda: mixed(rng, 10, 10)))
    listing("10 v 10, many restrictions", many(lambda: restricted(rng, 10)))
    listing("12 v 12, menace, requirements on all", many(lambda: demanding(rng, 12)))
    listing("12 attackers, four targets, tax, goad", many(lambda: attackers(rng, 12)))


if __name__ == "__main__":
    main()
