"""How long verdicts on attacks take, beside clingo alone, clingo on the programs, and a brute force; as bench_blocks.py.

python tests/bench/bench_attacks.py [ROUNDS]
"""

from __future__ import annotations

import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers
from tests.bench.bench_blocks import heading, row
from tests.oracle import attacks as oracle
from tests.oracle.blocks import Creature, Statement

from lawmage.board import Scenario
from lawmage.scenario import scenario_from

KEYWORDS = ["flying", "defender", "haste", "menace", "vigilance", "trample"]
MUST = "This creature attacks each combat if able."
NUMBERS = {2: "two", 10: "ten", 50: "50"}


def random_board(rng: random.Random, size: int, requirements: int) -> tuple[oracle.Board, oracle.Attacks]:
    """Return a board of three players with so many requirements and two restrictions, and attacks by half of the creatures."""
    keywords = [(rng.choice(KEYWORDS),) if rng.random() < 0.35 else () for _ in range(size)]
    creatures = [Creature(f"a{number}", "A", rng.randint(1, 5), rng.randint(1, 5), keywords=keywords[number]) for number in range(size)]

    def anyone() -> str:
        return rng.choice(creatures).name

    statements: list[Statement] = [
        rng.choice(
            [oracle.AttacksIfAble(anyone()), oracle.Goaded(anyone(), by="D"), oracle.AttacksPlayer(anyone(), player="E", by_effect=True)]
        )
        for _ in range(requirements)
    ]
    statements += [oracle.CannotAttack(anyone()), oracle.CannotAttackAlone(anyone())]
    sick = frozenset(creature.name for creature in creatures if rng.random() < 0.1)
    board = oracle.Board(tuple(creatures), tuple(statements), ("A", "D", "E"), sick=sick)
    chosen = {name: rng.choice("DE") for name in sorted(board.view().attackers) if rng.random() < 0.5}
    return board, chosen


def scenario_of(board: oracle.Board, attacks: oracle.Attacks) -> Scenario:
    return scenario_from(oracle.to_scenario(board, {"p": (attacks, ())}))


def by_brute_force(board: oracle.Board, attacks: oracle.Attacks) -> str:
    return "legal" if oracle.judge(board, attacks).legal else "illegal"


def shortage(size: int, most: int) -> Scenario:
    """Return a board where `size` creatures must attack and no more than `most` can."""
    field: dict[str, Any] = {f"a{number}": {"controller": "A", "pt": "2/2", "text": MUST} for number in range(size)}
    effect = {"controller": "D", "text": f"No more than {NUMBERS[most]} creatures can attack each combat."}
    return scenario_from(
        {"judge": "attack", "active": "A", "players": {"A": {}, "D": {}}, "battlefield": field, "effects": [effect], "propose": {"p": {}}}
    )


def main() -> None:
    (rounds,) = numbers(__doc__, rounds=15)
    rng = random.Random(0)
    heading()
    small = [random_board(rng, 5, 3) for _ in range(rounds)]
    row(
        "5 creatures, 3 requirements (small, for brute force)",
        [scenario_of(*each) for each in small],
        [partial(by_brute_force, *e) for e in small],
    )
    for size, requirements in ((10, 5), (10, 0), (20, 5), (50, 10)):
        boards = [random_board(rng, size, requirements) for _ in range(rounds)]
        row(f"{size} creatures, {requirements} requirements", [scenario_of(*each) for each in boards])
    for size, most in ((11, 10), (100, 10), (100, 50), (500, 2)):
        row(f"{size} must attack, no more than {most} can", [shortage(size, most)])


if __name__ == "__main__":
    main()
