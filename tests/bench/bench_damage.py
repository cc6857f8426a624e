"""How long verdicts on combat damage, counts of divisions and outcomes take, beside plain ways to get them.

    python tests/bench/bench_damage.py [ROUNDS]

Figures are medians over ROUNDS runs (default 30) in this process; a ratio over 1 means that lawmage is faster. `guessing clingo` is the
plain program that guesses how much goes where, on facts made beforehand, and counts or checks by solving. `listing` tries every
division, as the oracle of the tests does. What takes longer than LIMIT seconds is stopped and shown as such.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import clingo
from tests.bench.arguments import numbers

from lawmage.board import Scenario
from lawmage.play import count_declarations, judge
from lawmage.scenario import scenario_from

LIMIT = 10.0
#: One attacker with trample, its power and blockers with their toughness; the amounts of one division, if any, as facts.
GUESSING = """
{ gives(B,0..P) : power(P) } = 1 :- blocker(B,_).
{ gives(d,0..P) : power(P) } = 1.
:- power(P), #sum { N,B : gives(B,N) } != P.
:- gives(d,N), N > 0, blocker(B,T), gives(B,M), M < T.
:- given(B,N), not gives(B,N).
"""


def trampler(power: int, blockers: int, toughness: int = 3) -> Scenario:
    """Return an attacker with trample that is blocked by so many creatures, and a division in which each gets lethal damage."""
    names = [f"b{n}" for n in range(blockers)]
    there: dict[str, Any] = {"m": {"controller": "A", "pt": f"{power}/1", "keywords": ["trample"]}}
    there |= {name: {"controller": "D", "pt": f"1/{toughness}"} for name in names}
    gifts = {**dict.fromkeys(names, toughness), "D": max(0, power - toughness * blockers)}
    board = {"battlefield": there, "attack": {"m": "D"}, "block": dict.fromkeys(names, "m")}
    return scenario_from({**board, "propose": {"p": {"m": gifts}}})


def joint(attackers: int, power: int, blockers: int, toughness: int) -> Scenario:
    """Return attackers with trample in a band, all blocked by all of so many creatures."""
    there: dict[str, Any] = {f"a{n}": {"controller": "A", "pt": f"{power}/1", "keywords": ["trample", "banding"]} for n in range(attackers)}
    there |= {f"b{n}": {"controller": "D", "pt": f"0/{toughness}"} for n in range(blockers)}
    attack = {**dict.fromkeys([f"a{n}" for n in range(attackers)], "D"), "bands": [[f"a{n}" for n in range(attackers)]]}
    return scenario_from({"battlefield": there, "attack": attack, "block": {f"b{n}": "a0" for n in range(blockers)}})


def guess(scenario: Scenario, *, count: bool) -> bool:
    """Return whether the guessing program counted all divisions, or checked the one proposed, within the limit."""
    objects = scenario.board.objects
    facts = [f"power({objects['m'].power})."]
    facts += [f"blocker({name},{thing.toughness})." for name, thing in objects.items() if name != "m"]
    if not count:
        gifts = scenario.proposals[0].raw["assign"]["m"]
        facts += [f"given({name.lower()},{amount})." for name, amount in gifts.items()]
    control = clingo.Control(["0" if count else "1", "--warn=none"])
    control.add("base", [], GUESSING + "\n".join(facts))
    control.ground([("base", [])])
    with control.solve(async_=True) as handle:
        if handle.wait(LIMIT):
            return True
        handle.cancel()
    return False


def list_all(scenario: Scenario) -> int:
    """Return the number of divisions, by trying each."""
    objects = scenario.board.objects
    toughness = [thing.toughness or 0 for name, thing in objects.items() if name != "m"]
    deadline = time.perf_counter() + LIMIT

    def divided(amount: int, parts: int) -> Iterator[tuple[int, ...]]:
        if parts == 1:
            yield (amount,)
            return
        for first in range(amount + 1):
            for rest in divided(amount - first, parts - 1):
                yield (first, *rest)

    number = 0
    for *gifts, through in divided(objects["m"].power or 0, len(toughness) + 1):
        number += not through or all(gift >= need for gift, need in zip(gifts, toughness, strict=True))
        if number % 1000 == 0 and time.perf_counter() > deadline:
            break
    return number


def median_time(call: Callable[[], object], rounds: int) -> float:
    """Return the median of so many runs, in seconds; of one run where it takes over a tenth of the limit."""
    times: list[float] = []
    while len(times) < rounds and (not times or times[0] < LIMIT / 10):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def shown(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"> {LIMIT:.0f} s" if seconds >= LIMIT else f"{seconds * 1000:.2f} ms"


#: With more power the guessing program is not run.
_GUESSED = 1_000


def row(name: str, ours: float, *others: float | None) -> None:
    ratios = "".join(f"{'' if other is None else f'{other / ours:.1f}x':>11}" for other in others)
    print(f"{name:<52}{shown(ours):>12}" + "".join(f"{shown(other):>18}" for other in others) + ratios, flush=True)


def main() -> None:
    (rounds,) = numbers(__doc__, rounds=30)
    print(f"{'':<52}{'lawmage':>12}{'guessing clingo':>18}{'listing':>18}{'ratios':>11}")
    sizes = ((5, 2, True), (20, 3, True), (100, 5, False), (1_000, 10, False), (1_000_000, 10, False))
    scenarios = [trampler(power, blockers) for power, blockers, _ in sizes]
    for scenario in scenarios:
        judge(scenario)
    # Before anything else has used much memory, which the next program that clingo makes would have to get anew.
    verdicts = [median_time(partial(judge, scenario), rounds) for scenario in scenarios]
    counts = [median_time(partial(count_declarations, scenario), rounds) for scenario in scenarios]
    for (power, blockers, listed), scenario, judged, counted in zip(sizes, scenarios, verdicts, counts, strict=True):
        guessed = median_time(partial(guess, scenario, count=False), rounds) if power <= _GUESSED else None
        row(f"verdict, power {power:,}, {blockers} blockers", judged, guessed, None)
        by_list = median_time(partial(list_all, scenario), rounds) if listed else None
        by_guess = median_time(partial(guess, scenario, count=True), rounds) if listed else None
        row(f"count, power {power:,}, {blockers} blockers", counted, by_guess, by_list)
        if listed:
            assert count_declarations(scenario) == list_all(scenario)
    print(f"  there are {count_declarations(scenarios[-1]):,} ways")
    for attackers, power, blockers, toughness in ((2, 1_000_000, 1, 1_000_000), (3, 20, 2, 6), (4, 12, 3, 5)):
        band = joint(attackers, power, blockers, toughness)
        name = f"count, {attackers} tramplers of power {power:,} share {blockers} blockers"
        row(name, median_time(partial(count_declarations, band), rounds), None, None)


if __name__ == "__main__":
    main()
