"""`lawmage outcome`, and `check`, `enumerate` and `test` on damage, as a person or program sees them."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "outcome.yaml"
TRAMPLE = """
battlefield:
  m: {controller: A, pt: 5/5, keywords: [trample]}
  x: {controller: D, pt: 2/2}
  y: {controller: D, pt: 2/2}
attack: {m: D}
block: {x: m, y: m}
propose: {through: {m: {x: 2, y: 2, D: 1}}, too_early: {m: {x: 4, D: 1}}}
expect: {through: legal, too_early: illegal, count: 7}
"""
BLOCKS = """
battlefield:
  m: {controller: A, pt: 5/5}
  x: {controller: D, pt: 2/2}
attack: [m]
propose: {none: {}, one: {x: m}}
"""


@pytest.fixture
def run(run: Any) -> Any:
    """Run the command line; what it prints in words fits into 80 columns. Returns status, output, errors."""

    def call(*words: str) -> tuple[int, str, str]:
        status, output, errors = run(*words)
        assert all(len(line.rstrip()) <= 80 for line in output.splitlines()) or "--json" in words
        return status, output, errors

    return call


def test_outcome_in_words(run: Any) -> None:
    status, output, errors = run("outcome", str(EXAMPLE))
    assert (status, errors) == (1, "")
    text = " ".join(output.split())
    assert "First combat damage step source target damage" in text
    assert "rider wall 2 rider elf 1 elf leaves the battlefield (704.5g)" in text
    assert "afflict 2 of imp triggers (702.130a)" in text
    assert "too_early illegal 702.19b rider can't assign damage to D: wall is assigned 2 damage, and 4 would be lethal" in text


def test_outcome_as_json(run: Any) -> None:
    status, output, _ = run("outcome", str(EXAMPLE), "--json")
    (answer,) = json.loads(output)["files"]
    assert status == 1
    assert (answer["lawmage"], answer["judge"], answer["file"]) == (1, "outcome", str(EXAMPLE))
    assert answer["proposals"]["kill_the_elf"]["players"]["D"]["life"] == 17
    assert answer["proposals"]["too_early"]["verdict"] == "illegal"


def test_outcome_of_damage_and_of_blocks(run: Any) -> None:
    status, output, _ = run("outcome", TRAMPLE, BLOCKS, "--json")
    damage, blocks = json.loads(output)["files"]
    assert status == 1
    assert damage["proposals"]["through"]["players"]["D"]["life"] == 19
    assert {name: one["players"]["D"]["life"] for name, one in blocks["proposals"].items()} == {"none": 15, "one": 20}


def test_outcome_of_what_is_no_combat(run: Any) -> None:
    status, output, errors = run("outcome", "battlefield: {m: {controller: A, pt: 1/1}}\n")
    assert (status, output) == (2, "")
    assert "declares no attackers (attack), so there is no combat to follow" in errors


def test_all_ways_in_words(run: Any) -> None:
    status, output, _ = run("outcome", TRAMPLE.partition("propose")[0])
    text = " ".join(output.split())
    assert status == 0
    assert "There are 7 ways to divide the damage" in text
    assert "D 19 to 20 0" in text


def test_check_damage(run: Any) -> None:
    status, output, _ = run("check", TRAMPLE)
    text = " ".join(output.split())
    assert status == 1
    assert "through legal m assigns 2 to x, 2 to y and 1 to D" in text
    assert "too_early illegal m assigns 4 to x and 1 to D 702.19b m can't assign damage to D" in text
    assert "7 legal declarations" in text
    status, output, _ = run("check", str(EXAMPLE))
    assert "kill_the_elf legal rider assigns 2 to wall and 1 to elf, then rider assigns 2 to wall and 1 to D" in " ".join(output.split())
    status, output, _ = run("check", TRAMPLE.partition("propose")[0] + "judge: outcome\n")
    assert (status, "`lawmage outcome` shows it" in output) == (0, True)


def test_enumerate_damage(run: Any) -> None:
    status, output, _ = run("enumerate", TRAMPLE, "--count")
    assert (status, output.strip()) == (0, "7 legal declarations")
    status, output, _ = run("enumerate", TRAMPLE, "--limit", "2")
    assert output.splitlines()[:2] == ["m assigns 5 to x", "m assigns 4 to x and 1 to y"]
    status, output, _ = run("enumerate", TRAMPLE, "--json")
    (answer,) = json.loads(output)["files"]
    assert answer["count"] == len(answer["declarations"]) == 7
    assert {"m": {"x": 2, "y": 2, "D": 1}} in answer["declarations"]


def test_enumerate_large_numbers_at_once(run: Any) -> None:
    blockers = "\n".join(f"  b{n}: {{controller: D, pt: 1/1}}" for n in range(10))
    blocks = ", ".join(f"b{n}: m" for n in range(10))
    text = f"battlefield:\n  m: {{controller: A, pt: 1000/1}}\n{blockers}\nattack: [m]\nblock: {{{blocks}}}\n"
    status, output, _ = run("enumerate", text, "--count", "--json")
    assert (status, json.loads(output)["files"][0]["count"]) == (0, comb(1009, 9))


def test_releases(run: Any) -> None:
    status, output, _ = run("check", TRAMPLE.replace("block:", "order: {m: [y, x]}\nblock:"), "--release", "2015-01-23", "--json")
    (answer,) = json.loads(output)["files"]
    assert (status, answer["release"]) == (1, "2015-01-23")
    assert answer["proposals"]["through"]["verdict"] == "legal"
    assert {one["rule"] for one in answer["proposals"]["too_early"]["violations"]} == {"510.1c", "702.19b"}
    status, _, errors = run("outcome", TRAMPLE, "--release", "1999-01-01")
    assert status == 2
    assert "1999-01-01" in errors


def test_expectations_on_damage_and_outcomes(run: Any) -> None:
    status, output, _ = run("test", TRAMPLE, str(EXAMPLE))
    assert (status, output.strip()) == (0, "5 passed, 0 failed")
    status, output, _ = run("test", EXAMPLE.read_text(encoding="utf-8").replace("life: 17", "life: 18"), "--json")
    report = json.loads(output)
    assert (status, report["failed"]) == (1, 1)
    (wrong,) = [one for one in report["files"][0]["expectations"] if not one["pass"]]
    assert (wrong["name"], wrong["actual"]["players"]["D"]["life"]) == ("kill_the_elf", 17)
