"""How long verdicts on blocks take, beside two plain ways to get them: a brute force, and clingo on the same program and facts.

    python tests/bench/bench_blocks.py [ROUNDS]

Figures are medians over ROUNDS boards (default 15) in this process. A ratio over 1 means that lawmage is faster. `brute force` is
the oracle of the tests, which finds the maximum by trying every declaration; where a board is too large for it, a row on smaller
boards says so. `bare clingo` grounds and maximises the program and facts that lawmage runs, made beforehand: no reading of the
board, no verdict, no words. What takes longer than LIMIT seconds is stopped and shown as such.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import clingo

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle import blocks as oracle

from lawmage.board import Scenario
from lawmage.play import judge, programs
from lawmage.scenario import scenario_from

LIMIT = 10.0
KEYWORDS = ["flying", "reach", "menace", "fear", "intimidate", "shadow", "skulk", "horsemanship", "trample", "defender"]
COLORS = ["white", "blue", "black", "red", "green"]


def random_board(rng: random.Random, attackers: int, blockers: int, requirements: int) -> oracle.Board:
    """Return a board on which about a third of the creatures have a keyword, with so many requirements of four kinds."""

    def creature(name: str, controller: str, attacking: str | None) -> oracle.Creature:
        keywords = (rng.choice(KEYWORDS),) if rng.random() < 0.35 else ()
        color = frozenset({rng.choice(COLORS)})
        return oracle.Creature(name, controller, rng.randint(1, 5), rng.randint(1, 5), color, keywords=keywords, attacking=attacking)

    there = [creature(f"a{n}", "A", "D") for n in range(attackers)]
    home = [creature(f"b{n}", "D", None) for n in range(blockers)]
    statements: list[oracle.Statement] = []
    for _ in range(requirements):
        a, b = rng.choice(there).name, rng.choice(home).name
        statements.append(
            rng.choice(
                [oracle.MustBeBlocked(a), oracle.AllMustBlock(a), oracle.BlocksIfAble(b), oracle.BlocksAttacker(b, a, by_effect=True)]
            )
        )
    return oracle.Board((*there, *home), tuple(statements))


def pigeonholes(blockers: int) -> oracle.Board:
    """Return a board where one attacker more must be blocked than there are blockers."""
    there = [oracle.Creature(f"a{n}", "A", attacking="D") for n in range(blockers + 1)]
    home = [oracle.Creature(f"b{n}") for n in range(blockers)]
    return oracle.Board((*there, *home), tuple(oracle.MustBeBlocked(creature.name) for creature in there))


def some_declaration(rng: random.Random, board: oracle.Board) -> oracle.Blocks:
    """Return a declaration in which half of the creatures block something that they could block alone."""
    view = board.view("D")
    chosen = {}
    for blocker in view.blockers:
        able = [a for a in view.attackers if not oracle.keyword_rules_broken(view, view.attackers[a], view.blockers[blocker])]
        if able and rng.random() < 0.5:
            chosen[blocker] = frozenset({rng.choice(able)})
    return chosen


def scenario_of(board: oracle.Board, blocks: oracle.Blocks) -> Scenario:
    return scenario_from(oracle.to_scenario(board, {"p": blocks}))


# Three ways to answer


def by_lawmage(scenario: Scenario) -> str:
    return judge(scenario, seconds=LIMIT).proposals["p"].verdict


def by_brute_force(board: oracle.Board, blocks: oracle.Blocks) -> str:
    return "legal" if oracle.judge(board, blocks)["D"].legal else "illegal"


def by_bare_clingo(program: str) -> bool:
    """Return whether clingo proved a maximum within the limit, given the program and facts that lawmage runs."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(async_=True) as handle:
        if handle.wait(LIMIT):
            return bool(handle.get().exhausted)
        handle.cancel()
    return False


def median_time(calls: Sequence[Callable[[], object]], repeat: int = 3) -> float:
    """Return the median over `calls` of the shortest of `repeat` runs, in seconds. A run over LIMIT is not repeated."""
    times = []
    for call in calls:
        runs: list[float] = []
        while len(runs) < repeat and (not runs or runs[-1] < LIMIT / 10):
            start = time.perf_counter()
            call()
            runs.append(time.perf_counter() - start)
        times.append(min(runs))
    return statistics.median(times)


def shown(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    if seconds >= LIMIT:
        return f"> {LIMIT:.0f} s"
    return f"{seconds * 1000:.2f} ms"


def row(name: str, boards: Sequence[tuple[oracle.Board, oracle.Blocks]], *, brute: bool) -> None:
    """Print one line: lawmage, the brute force if it can finish, and bare clingo on the same boards."""
    scenarios = [scenario_of(board, blocks) for board, blocks in boards]
    ours = median_time([partial(by_lawmage, scenario) for scenario in scenarios])
    clingos = median_time([partial(by_bare_clingo, programs(scenario)[0]) for scenario in scenarios])
    brutes = median_time([partial(by_brute_force, board, blocks) for board, blocks in boards], 1) if brute else None
    if brute:
        for scenario, (board, blocks) in zip(scenarios, boards, strict=True):
            assert by_lawmage(scenario) == by_brute_force(board, blocks)
    ratios = "".join(f"{'' if other is None else f'{other / ours:.1f}x':>9}" for other in (brutes, clingos))
    print(f"{name:<52}{shown(ours):>12}{shown(brutes):>14}{shown(clingos):>14}{ratios}", flush=True)


def random_boards(attackers: int, blockers: int, requirements: int, rounds: int) -> list[tuple[oracle.Board, oracle.Blocks]]:
    rng = random.Random(f"{attackers} {blockers} {requirements}")
    boards = [random_board(rng, attackers, blockers, requirements) for _ in range(rounds)]
    return [(board, some_declaration(rng, board)) for board in boards]


def cold() -> None:
    """Print what one question costs a new process, beside clingo's own command line and Python that does nothing."""
    board, blocks = random_boards(10, 10, 5, 1)[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.json"
        file.write_text(json.dumps(oracle.to_scenario(board, {"p": blocks})), encoding="utf-8")
        facts = Path(folder) / "facts.lp"
        facts.write_text(programs(scenario_of(board, blocks))[0], encoding="utf-8")
        commands = {
            "lawmage check": [sys.executable, "-m", "lawmage", "check", str(file), "--json"],
            "python -m clingo": [sys.executable, "-m", "clingo", "--warn=none", str(facts)],
            "python -c pass": [sys.executable, "-c", "pass"],
        }
        for name, command in commands.items():
            run = [partial(subprocess.run, command, capture_output=True, check=False)]
            print(f"{'cold, 10 v 10, five requirements: ' + name:<52}{shown(median_time(run, 7)):>12}", flush=True)


def memory(verdicts: int = 10_000) -> None:
    """Print by how much the memory of this process has grown at its peak after so many verdicts on boards that all differ."""
    rng = random.Random(0)
    peaks = []
    for number in range(verdicts + verdicts // 10 + 1):
        if number % (verdicts // 10) == 0:
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        board = random_board(rng, rng.randint(1, 5), rng.randint(1, 5), rng.randint(0, 4))
        by_lawmage(scenario_of(board, some_declaration(rng, board)))
    print(f"peak memory after {verdicts // 10:,} verdicts {peaks[1]:.1f} MiB, {verdicts:,} verdicts later {peaks[-1]:.1f} MiB")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print(f"{'board (attackers v blockers)':<52}{'lawmage':>12}{'brute force':>14}{'bare clingo':>14}{'ratios':>9}")
    row("4 v 4, five requirements (small, for brute force)", random_boards(4, 4, 5, rounds), brute=True)
    row("4 v 4, no requirement (small, for brute force)", random_boards(4, 4, 0, rounds), brute=True)
    row("5 v 6, five requirements (small, for brute force)", random_boards(5, 6, 5, min(rounds, 5)), brute=True)
    row("10 v 10, five requirements", random_boards(10, 10, 5, rounds), brute=False)
    row("10 v 10, no requirement", random_boards(10, 10, 0, rounds), brute=False)
    row("100 v 100, no requirement", random_boards(100, 100, 0, min(rounds, 3)), brute=False)
    row("100 v 100, five requirements", random_boards(100, 100, 5, min(rounds, 3)), brute=False)
    row("5 must be blocked, 4 blockers (for brute force)", [(pigeonholes(4), {})], brute=True)
    row("11 must be blocked, 10 blockers", [(pigeonholes(10), {})], brute=False)
    row("31 must be blocked, 30 blockers", [(pigeonholes(30), {})], brute=False)
    cold()
    memory()


if __name__ == "__main__":
    main()
