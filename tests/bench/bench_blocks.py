"""How long verdicts on blocks take, beside plain ways to get them: a brute force, clingo alone, and clingo on the programs.

    python tests/bench/bench_blocks.py [ROUNDS]
    python tests/bench/bench_blocks.py memory [VERDICTS]

Figures are over ROUNDS boards (default 15) in this process: the median over the boards of the shortest of several runs, and the worst
board. One way goes several times through all boards, as a program does that judges many, then the next: what one leaves behind in the
machine's memory costs no other. Ratios over 1 mean that lawmage is faster.

`lawmage`      from the board as it was read from its file to the verdict: reading its words, facts, judging. Sentences on requirements
               are made when they are read: "in words" is the same with all that the verdict says as JSON.
`clingo alone` the same, but that clingo judges also what needs no search (`plain`).
`#maximize`    clingo on the program that the latter runs, and on facts that are made from the board each time: it grounds them and
               proves a maximum; no bound, no verdict, no words.
`whole`        the same on all of asp/ that judges, with all facts: what clingo takes without lawmage cutting anything down.
`brute force`  the oracle of the tests, which tries every declaration; where a board is too large, a row on smaller ones says so.

What takes longer than LIMIT seconds is stopped and shown as such. ROUNDS is at least 1, VERDICTS at least 10.
"""

from __future__ import annotations

import argparse
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
from typing import Any

import clingo

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle import blocks as oracle

from lawmage.board import Scenario
from lawmage.play import judge, programs
from lawmage.play.attacks import Attacks
from lawmage.play.blocks import Blocks
from lawmage.play.declarations import Declarations
from lawmage.scenario import scenario_from

USAGE = "bench_blocks.py [-h] [ROUNDS | memory [VERDICTS]]"
LIMIT = 10.0
#: How many requirements there are on ordinary boards.
ORDINARY = range(1, 4)
KEYWORDS = ["flying", "reach", "menace", "fear", "intimidate", "shadow", "skulk", "horsemanship", "trample", "defender"]
MUST = "This creature must be blocked if able."
ALL_MUST = "All creatures able to block this creature do so."
MUST_BLOCK = "This creature blocks each combat if able."
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


# ------------------------------------------------------------ ways to answer


def by_lawmage(scenario: Scenario) -> str:
    return judge(scenario, seconds=LIMIT).proposals["p"].verdict


def in_words(scenario: Scenario) -> str:
    return json.dumps(judge(scenario, seconds=LIMIT).as_json())


def by_brute_force(board: oracle.Board, blocks: oracle.Blocks) -> str:
    return "legal" if oracle.judge(board, blocks)["D"].legal else "illegal"


def step_of(scenario: Scenario) -> Declarations:
    steps: dict[str, Callable[..., Declarations]] = {"block": Blocks, "attack": Attacks}
    return steps[scenario.judge](scenario, seconds=LIMIT, plain=True)


def by_clingo_alone(scenario: Scenario) -> str:
    return step_of(scenario).judge(scenario.proposals)["p"].verdict


def by_maximize(scenario: Scenario, *, whole: bool = False) -> bool:
    """Return whether clingo proved a maximum within the limit, given the program and facts that lawmage has it run, or all of them."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], step_of(scenario).programs(whole=whole)[0])
    control.ground([("base", [])])
    with control.solve(async_=True) as handle:
        if handle.wait(LIMIT):
            return bool(handle.get().exhausted)
        handle.cancel()
    return False


def shortest(calls: Sequence[Callable[[], object]], repeat: int = 7) -> list[float]:
    """Return the shortest of `repeat` runs of each call, in seconds, one after the other. What takes over LIMIT / 10 is not repeated."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(repeat):
        for call, runs in zip(calls, times, strict=True):
            if not runs or runs[-1] < LIMIT / 10:
                start = time.perf_counter()
                call()
                runs.append(time.perf_counter() - start)
    return [min(runs) for runs in times]


def shown(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"> {LIMIT:.0f} s" if seconds >= LIMIT else f"{seconds * 1000:.2f} ms"


def heading() -> None:
    others = "".join(f"{name:>14}" for name in ("clingo alone", "#maximize", "whole", "brute force"))
    print(f"{'board':<54}{'lawmage':>11}{'worst':>11}{others}   ratios of these to lawmage")


def row(
    name: str, scenarios: Sequence[Scenario], brute: Sequence[Callable[[], str]] = (), *, alone: bool = True, maximize: bool = True
) -> None:
    """Print one line on boards with a proposal `p`; `brute` are the calls of the brute force, in the same order."""
    ways: dict[str, list[Callable[[], object]]] = {"ours": [partial(by_lawmage, scenario) for scenario in scenarios]}
    if alone:
        ways["alone"] = [partial(by_clingo_alone, scenario) for scenario in scenarios]
        assert all(by_lawmage(scenario) == by_clingo_alone(scenario) for scenario in scenarios)
    if maximize:
        ways["maximize"] = [partial(by_maximize, scenario) for scenario in scenarios]
        ways["whole"] = [partial(by_maximize, scenario, whole=True) for scenario in scenarios]
    if brute:
        ways["brute"] = list(brute)
        assert all(by_lawmage(scenario) == call() for scenario, call in zip(scenarios, brute, strict=True))
    times = {way: shortest(calls) for way, calls in ways.items()}
    ours = statistics.median(times["ours"])
    others = [statistics.median(times[way]) if way in times else None for way in ("alone", "maximize", "whole", "brute")]
    columns = "".join(f"{shown(other):>14}" for other in others)
    ratios = "".join(f"{'-' if other is None else ('>' if other >= LIMIT else '') + f'{other / ours:.1f}x':>11}" for other in others)
    print(f"{name:<54}{shown(ours):>11}{shown(max(times['ours'])):>11}{columns}{ratios}", flush=True)


def random_boards(attackers: int, blockers: int, requirements: int | range, rounds: int) -> list[tuple[oracle.Board, oracle.Blocks]]:
    """Return boards with so many requirements, each with one of the numbers of a range, and a declaration on each."""
    rng = random.Random(f"{attackers} {blockers} {requirements}")
    numbers = [requirements if isinstance(requirements, int) else rng.choice(requirements) for _ in range(rounds)]
    boards = [random_board(rng, attackers, blockers, number) for number in numbers]
    return [(board, some_declaration(rng, board)) for board in boards]


def counted(requirements: int | range) -> str:
    number = str(requirements) if isinstance(requirements, int) else f"{requirements[0]} to {requirements[-1]}"
    return f"{number} requirements"


def scenarios_of(boards: Sequence[tuple[oracle.Board, oracle.Blocks]]) -> list[Scenario]:
    return [scenario_of(board, blocks) for board, blocks in boards]


def battle(attackers: Sequence[dict[str, Any]], blockers: Sequence[dict[str, Any]], blocks: dict[str, list[str]]) -> Scenario:
    """Return a board of blocks from what the file would say of each creature."""
    there = {f"a{number}": {"controller": "A", "pt": "2/2", **creature} for number, creature in enumerate(attackers)}
    home = {f"b{number}": {"controller": "D", "pt": "2/2", **creature} for number, creature in enumerate(blockers)}
    return scenario_from({"battlefield": there | home, "attack": dict.fromkeys(there, "D"), "propose": {"p": blocks}})


def shortage(blockers: int, keywords: Sequence[str] = (), flyers: int = 0) -> Scenario:
    """Return a board where one attacker more must be blocked than can be; `flyers` more that nobody can block must be, too."""
    each = 2 if "menace" in keywords else 1
    must = {"keywords": list(keywords), "text": MUST}
    return battle([must] * (blockers + 1) + [{"keywords": ["flying"], "text": MUST}] * flyers, [{}] * (blockers * each), {})


def swarm(size: int, *, required: bool) -> Scenario:
    """Return a board with three kinds of tokens on each side; two in three blockers block one attacker each."""
    kinds: list[dict[str, Any]] = [
        {"subtypes": ["Goblin"], "text": MUST if required else ""},
        {"keywords": ["menace"]},
        {"keywords": ["flying"]},
    ]
    others: list[dict[str, Any]] = [
        {"subtypes": ["Soldier"]},
        {"keywords": ["reach"]},
        {"colors": ["black"], "text": MUST_BLOCK if required else ""},
    ]
    blocks = {f"b{number}": [f"a{number // 3 * 3}"] for number in range(size) if number % 3}
    return battle([kinds[number % 3] for number in range(size)], [others[number % 3] for number in range(size)], blocks)


def menaces(rng: random.Random, size: int) -> Scenario:
    """Return a board with a requirement on every creature, where most attackers have menace."""

    def attacker() -> dict[str, Any]:
        keywords = [keyword for keyword, chance in (("menace", 0.6), ("flying", 0.25)) if rng.random() < chance]
        return {"keywords": keywords, "text": rng.choice([MUST] * 9 + [ALL_MUST])}

    def blocker() -> dict[str, Any]:
        return {"keywords": rng.choice([["flying"], ["reach"], [], []]), "text": MUST_BLOCK}

    return battle([attacker() for _ in range(size)], [blocker() for _ in range(size)], {})


def told_in_words(size: int, requirements: int | range, number: int) -> None:
    """Print how long verdicts take with all that they say."""
    times = shortest([partial(in_words, scenario) for scenario in scenarios_of(random_boards(size, size, requirements, number))])
    print(
        f"{f'{size} v {size}, {counted(requirements)}, in words':<54}{shown(statistics.median(times)):>11}{shown(max(times)):>11}",
        flush=True,
    )


def once(size: int, requirements: int | range, number: int) -> None:
    """Print how long verdicts take on boards that are each judged once, after as many others."""
    times = []
    for scenario in scenarios_of(random_boards(size, size, requirements, 2 * number)):
        start = time.perf_counter()
        by_lawmage(scenario)
        times.append(time.perf_counter() - start)
    last = sorted(times[number:])
    told = f"median {shown(statistics.median(last))}, nine in ten up to {shown(last[number * 9 // 10])}, worst {shown(last[-1])}"
    print(f"{f'{size} v {size}, {counted(requirements)}, each board once':<54}{told}", flush=True)


def undecided(name: str, scenarios: Sequence[Scenario], seconds: float) -> None:
    """Print how long verdicts take that may take `seconds`, and how many maxima are not found in that time."""
    times, unknown = [], 0
    for scenario in scenarios:
        start = time.perf_counter()
        verdict = judge(scenario, seconds=seconds).proposals["p"]
        times.append(time.perf_counter() - start)
        unknown += verdict.requirements.maximum is None
    told = f"median {shown(statistics.median(times))}, worst {shown(max(times))}"
    print(f"{name:<54}{told}; {unknown} of {len(scenarios)} without a proved maximum within {seconds:g} s", flush=True)


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
            (seconds,) = shortest([partial(subprocess.run, command, capture_output=True, check=False)])
            print(f"{'a new process, 10 v 10, five requirements: ' + name:<54}{shown(seconds):>11}", flush=True)


def memory(verdicts: int) -> None:
    """Print by how much the memory of this process has grown at its peak after so many verdicts on boards that all differ."""
    rng = random.Random(0)
    peaks = []
    for number in range(verdicts + verdicts // 10 + 1):
        if number % (verdicts // 10) == 0:
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        board = random_board(rng, rng.randint(1, 5), rng.randint(1, 5), rng.randint(0, 4))
        by_lawmage(scenario_of(board, some_declaration(rng, board)))
    print(f"peak memory after {verdicts // 10:,} verdicts {peaks[1]:.1f} MiB, {verdicts:,} verdicts later {peaks[-1]:.1f} MiB")


def asked(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what the command line asks for; a usage error ends the process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=USAGE)
    parser.add_argument("what", nargs="*")
    given = parser.parse_args(arguments).what
    only_memory = given[:1] == ["memory"]
    numbers = given[1:] if only_memory else given
    if len(numbers) > 1 or not all(number.isdecimal() and int(number) >= 10**only_memory for number in numbers):
        parser.error(f"what was given is not understood: {' '.join(given)}")
    number = int(numbers[0]) if numbers else 100_000 if only_memory else 15
    return argparse.Namespace(memory=only_memory, number=number)


def main() -> None:
    told = asked(sys.argv[1:])
    if told.memory:
        memory(told.number)
        return
    rounds = told.number
    few = min(rounds, 3)
    heading()
    for size, others, requirements, number in ((4, 4, 5, rounds), (4, 4, 0, rounds), (5, 6, 5, min(rounds, 5))):
        boards = random_boards(size, others, requirements, number)
        brute = [partial(by_brute_force, *board) for board in boards]
        row(f"{size} v {others}, {counted(requirements)} (small, for brute force)", scenarios_of(boards), brute)
    sizes: tuple[tuple[int, int | range, int], ...] = (
        (10, ORDINARY, 2 * rounds),
        (10, 5, rounds),
        (10, 0, rounds),
        (20, 5, rounds),
        (100, 0, few),
        (100, 5, few),
    )
    for size, several, number in sizes:
        row(f"{size} v {size}, {counted(several)}", scenarios_of(random_boards(size, size, several, number)))
    for size, several, number in sizes[:3]:
        told_in_words(size, several, number)
    for several in (ORDINARY, 0, 5):
        once(10, several, 50 * rounds)
    for size in (10, 99):
        row(f"{size + 1} must be blocked, {size} blockers", [shortage(size)])
        row(f"{size + 1} with menace must be blocked, {2 * size} blockers", [shortage(size, ["menace"])])
        row(f"{size + 1} must be blocked and 9 flyers, {size} blockers", [shortage(size, flyers=9)])
    for required in (False, True):
        which = "requirements" if required else "no requirement"
        row(f"three kinds of tokens, 50 v 50, {which}", [swarm(50, required=required)])
        for size in (500, 1000):
            row(f"three kinds of tokens, {size} v {size}, {which}", [swarm(size, required=required)], alone=False, maximize=False)
    rng = random.Random(0)
    for size in (10, 20, 40):
        undecided(f"menace, a requirement on every creature, {size} v {size}", [menaces(rng, size) for _ in range(max(rounds, 20))], 1.0)
    cold()
    memory(10_000)


if __name__ == "__main__":
    main()
