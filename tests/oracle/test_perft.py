"""The number of legal declarations on each board of the perft files: by brute force, by lawmage, and as the file says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lawmage.play import count_declarations
from lawmage.scenario import scenario_from

from . import attacks, blocks
from .perft import lines, read_attack_board, read_block_board, written

FOLDER = Path(__file__).resolve().parent.parent / "perft"


@dataclass(frozen=True, slots=True)
class Kind:
    """How the boards of one file are read, counted by brute force, and written as scenarios."""

    read: Callable[[str], Any]
    count: Callable[[Any], int]
    scenario: Callable[[Any, Mapping[str, Any]], dict[str, Any]]


KINDS = {
    "blocks": Kind(read_block_board, blocks.count, blocks.to_scenario),
    "attacks": Kind(read_attack_board, attacks.count, attacks.to_scenario),
}
BOARDS = [(name, number, board) for name in KINDS for number, board in lines(FOLDER / f"{name}.perft")]


@pytest.mark.parametrize("name", KINDS)
def test_there_are_many(name: str) -> None:
    boards = [board for file, _, board in BOARDS if file == name]
    assert len(set(boards)) == len(boards) >= 60


@pytest.mark.parametrize(("name", "number", "line"), BOARDS, ids=[f"{name}-{place}" for place, (name, _, _) in enumerate(BOARDS)])
def test_number_of_declarations(name: str, number: int, line: str) -> None:
    kind = KINDS[name]
    board = kind.read(line)
    assert written(board) == line
    assert kind.count(board) == number
    assert count_declarations(scenario_from(kind.scenario(board, {})), seconds=None) == number


@pytest.mark.parametrize("line", ["A: a1>D | D: b1 | no-such-thing(a1)", "A: a1>D{2/2 | D: b1", "A: a1>D | D: b1 | cannot-block(b1"])
def test_what_cannot_be_read(line: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        read_block_board(line)
