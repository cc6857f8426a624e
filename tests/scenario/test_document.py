"""docs/scenario.md: each example holds, and each key of scenarios stands in it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from lawmage import scenario, scenario_proposals
from lawmage.play import judge
from lawmage.play.expectation import compared, expects_nearest
from lawmage.scenario import read_scenario

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "scenario.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=[re.search(r"title: (.*)", example)[1] for example in EXAMPLES])  # type: ignore[index]
def test_the_example_holds(example: str) -> None:
    read = read_scenario(example)
    assert read.expect
    answer = judge(read, seconds=None, explain=expects_nearest(read.expect), explain_seconds=math.inf)
    assert [(one.name, one.actual) for one in compared(read.expect, answer) if not one.holds] == []


def test_each_key_is_described() -> None:
    keys = {*scenario._KEYS, *scenario._OBJECT, *scenario._PLAYER, *scenario_proposals.JUDGED}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", DOCUMENT)] == []
