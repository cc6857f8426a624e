"""Boards with the wordings of real cards: whatever they say, the answer is a verdict that the independent checker confirms."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import Any

import pytest

from lawmage.play import judge
from lawmage.scenario import scenario_from

KEYWORDS = ["flying", "menace", "skulk", "protection from red", "islandwalk", "ward {2}", "haste", "banding"]


def wordings(shared: Path) -> list[str]:
    """Return the sentences about combat on real cards, with numbers and names put in."""
    with (shared / "data" / "cards" / "combat-sentences.tsv").open(encoding="utf-8") as file:
        sentences = [row["sentence"] for row in csv.DictReader(file, delimiter="\t")]
    return [sentence.replace("N", "2").replace("~", "This creature").replace("{COST}", "{2}") for sentence in sentences]


def random_board(draw: random.Random, sentences: list[str]) -> dict[str, Any]:
    def creature(controller: str, most: int) -> dict[str, Any]:
        return {
            "controller": controller,
            "pt": f"{draw.randint(0, 5)}/{draw.randint(1, 5)}",
            "colors": draw.sample(["red", "green", "blue"], draw.randint(0, 2)),
            "keywords": draw.sample(KEYWORDS, draw.randint(0, 2)),
            "tapped": controller == "D" and draw.random() < 0.2,
            "text": "\n".join(draw.sample(sentences, draw.randint(0, most))),
        }

    field = {f"a{index}": creature("A", 2) for index in range(draw.randint(1, 4))}
    field |= {f"b{index}": creature("D", 1) for index in range(draw.randint(1, 4))}
    attackers, blockers = ([name for name in field if name[0] == side] for side in "ab")
    field["isle"] = {"controller": draw.choice("AD"), "types": ["land"], "subtypes": ["Island"]}
    board: dict[str, Any] = {"battlefield": field}
    if draw.random() < 0.3:
        board["effects"] = [{"controller": draw.choice("AD"), "text": draw.choice(sentences), "affects": [draw.choice(list(field))]}]
    if draw.random() < 0.7:
        board["attack"] = dict.fromkeys(attackers, "D")
        board["propose"] = {"some": {name: draw.choice(attackers) for name in blockers if draw.random() < 0.6}, "none": {}}
    else:
        board |= {"judge": "attack", "propose": {"some": {name: "D" for name in attackers if draw.random() < 0.6}, "none": {}}}
    return board


@pytest.mark.parametrize("seed", range(8))
def test_every_board_gets_a_verdict_that_the_checker_confirms(shared: Path, seed: int) -> None:
    draw, sentences = random.Random(seed), wordings(shared)
    verdicts = set()
    for _ in range(30):
        answer = judge(scenario_from(random_board(draw, sentences)), explain=True, checked=True)
        verdicts |= {verdict.verdict for verdict in answer.proposals.values()}
    assert verdicts >= {"legal", "illegal"}


def test_a_description_that_this_step_cannot_use_is_named() -> None:
    field = {
        "a": {"controller": "A", "pt": "2/2"},
        "b": {"controller": "D", "pt": "2/2", "text": "Blocking creatures get +2/+2 until end of turn."},
    }
    verdict = judge(scenario_from({"battlefield": field, "attack": ["a"], "propose": {"p": {"b": "a"}}})).proposals["p"]
    assert verdict.verdict in {"legal", "undecided"}
    assert (verdict.verdict == "undecided") == (verdict.not_understood == ("b: Blocking creatures get +2/+2 until end of turn.",))
