"""How long it takes to name a minimal clash and to find the nearest legal declaration: by counting, and by clingo alone.

    python tests/bench/bench_clash.py [ROUNDS]

Figures are over ROUNDS random boards (default 30) or one made board, in milliseconds of the processor in this process: the median and the
worst. `cold` is the first question about a board: programs are cut down and compiled where no board before had the same kinds of facts;
`warm` is the second. `clingo` assumes every part of the clash, and leaves out one part after another; for the nearest declaration it
minimises. It is stopped after LIMIT seconds. `found` says on how many of the boards each has an answer; `steps` how long the verdicts take.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import clingo

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers
from tests.bench.bench_blocks import menaces, random_boards, scenarios_of, shortage

from lawmage.board import Scenario
from lawmage.play.blocks import Blocks
from lawmage.play.clash import find_clash
from lawmage.play.plain_clash import PlainClash
from lawmage.play.solver import minimum
from lawmage.play.verdict import ProposalVerdict

LIMIT = 1.0


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    answer = call()
    return (time.process_time() - start) * 1e3, answer


def fresh(scenario: Scenario) -> Blocks:
    """Return the step; what is asked of it first includes what it works out for a verdict, unless it has judged."""
    return Blocks(scenario, explain=True, explain_seconds=LIMIT)


def counted_clash(step: Blocks, plain: bool) -> tuple[Any, ...]:
    def search() -> clingo.Control:
        facts = step._facts("D", ())
        facts.add("world", "clash")
        return step._ground(3, facts)

    position = step._position("D", ())
    at_once = PlainClash(position, step._entry(8), step._kinds)
    return find_clash(position, step._entry(6), search, seconds=LIMIT, plain=plain, at_once=at_once)


def clingo_clash(step: Blocks) -> tuple[Any, ...]:
    """Return the clash that deletion alone finds from the solver's first core, nothing if the time is over."""
    facts = step._facts("D", ())
    facts.add("world", "clash")
    control = step._ground(3, facts)
    deadline = time.monotonic() + LIMIT
    atoms = {-atom.literal: atom.symbol for atom in control.symbolic_atoms.by_signature("given_up", 1)}
    atoms |= {atom.literal: atom.symbol for atom in control.symbolic_atoms.by_signature("met", 4)}

    def core(assumed: list[int]) -> list[int] | None:
        with control.solve(assumptions=assumed, yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(max(0.0, deadline - time.monotonic())):
                handle.cancel()
                raise TimeoutError
            return None if handle.model() is not None else list(handle.core())

    try:
        found = core(sorted(atoms))
        for literal in found or ():
            if found and literal in found:
                found = core([other for other in found if other != literal]) or found
    except TimeoutError:
        return ()
    return tuple(atoms[literal] for literal in found or ())


def counted_nearest(step: Blocks, verdict: ProposalVerdict) -> Any:
    return step.with_nearest(step.scenario.proposals[0], verdict).nearest


def clingo_nearest(step: Blocks, verdict: ProposalVerdict) -> Any:
    most = verdict.requirements.maximum
    if most is None:
        return None
    facts = step._any_legal("D", most)
    facts.add_rows("wanted", 2, step.proposed("D", step.scenario.proposals[0]))
    return minimum(step._ground(5, facts), seconds=LIMIT)


def row(name: str, scenarios: Sequence[Scenario]) -> None:
    """Print one line for the clash and one for what is nearest."""
    times: dict[str, list[float]] = {}
    found: dict[str, int] = {}

    def note(way: str, call: Callable[[], Any]) -> Any:
        milliseconds, answer = timed(call)
        times.setdefault(way, []).append(milliseconds)
        found[way] = found.get(way, 0) + (answer is not None and answer != ())
        return answer

    for scenario in scenarios:
        for age in ("cold", "warm"):
            step = fresh(scenario)
            step._position("D", ())
            step.explain = False
            verdict = note(f"verdict {age}", partial(step.judge, scenario.proposals))["p"]
            note(f"clash {age}", partial(counted_clash, step, plain=False))
            if verdict.verdict == "illegal":
                note(f"nearest {age}", partial(counted_nearest, step, verdict))
        step = fresh(scenario)
        note("clash clingo", partial(clingo_clash, step))
        if verdict.verdict == "illegal":
            note("nearest clingo", partial(clingo_nearest, step, verdict))
    for what in ("clash", "nearest"):
        columns = []
        for way in (f"{what} cold", f"{what} warm", f"{what} clingo", "verdict warm"):
            several = times.get(way)
            columns.append(f"{statistics.median(several):>9.2f}{max(several):>9.2f}" if several else f"{'-':>9}{'-':>9}")
        number = len(times.get(f"{what} warm", ()))
        told = f"{found.get(f'{what} warm', 0)}/{number} and {found.get(f'{what} clingo', 0)}/{number}"
        print(f"{name if what == 'clash' else '':<44}{what:<9}{''.join(columns)}   {told}", flush=True)


def main(rounds: int) -> None:
    """Print all lines."""
    print(f"{'':53}{'cold':>9}{'worst':>9}{'warm':>9}{'worst':>9}{'clingo':>9}{'worst':>9}{'verdict':>9}{'worst':>9}   found")
    row("(the first board of a process)", scenarios_of(random_boards(10, 10, 5, 1)))
    for requirements in (10, 5, 0):
        row(f"10 v 10, {requirements} requirements", scenarios_of(random_boards(10, 10, requirements, rounds)))
    for size in (10, 99):
        row(f"{size + 1} must be blocked, {size} blockers", [shortage(size)])
        row(f"{size + 1} with menace must be blocked, {2 * size} blockers", [shortage(size, ["menace"])])
        row(f"{size + 1} must be blocked and 9 flyers, {size} blockers", [shortage(size, flyers=9)])
    rng = random.Random(0)
    for size in (10, 20):
        row(f"menace, a requirement on all, {size} v {size}", [menaces(rng, size) for _ in range(rounds)])


if __name__ == "__main__":
    main(*numbers(__doc__, rounds=30))
