"""A best block: what exchanges say is what following every legal block through combat says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lawmage.board import Scenario
from lawmage.cli import main
from lawmage.errors import InputError
from lawmage.play import UndecidedError
from lawmage.play.best_block import best_block, best_block_by_trying, score_of
from lawmage.scenario import scenario_from

KEYWORDS = ["first strike", "double strike", "deathtouch", "trample", "indestructible", "flying", "reach", "menace", "vigilance"]
EXAMPLES = settings(
    max_examples=25 * int(os.environ.get("LAWMAGE_EXAMPLES", "1")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def board(attackers: dict[str, dict[str, Any]], blockers: dict[str, dict[str, Any]], life: int = 20, **more: Any) -> Scenario:
    things = {name: {"controller": "A", **thing} for name, thing in attackers.items()}
    things |= {name: {"controller": "D", **thing} for name, thing in blockers.items()}
    mapping = {"players": {"A": {}, "D": {"life": life}}, "battlefield": things, "attack": dict.fromkeys(attackers, "D"), **more}
    return scenario_from(mapping)


def creature(power: int, toughness: int, keywords: set[str], damage: int) -> dict[str, Any]:
    return {"pt": f"{power}/{toughness}", "keywords": sorted(keywords), "damage": min(damage, toughness - 1)}


creatures = st.builds(
    creature,
    st.integers(0, 3),
    st.integers(1, 3),
    st.sets(st.sampled_from(KEYWORDS), max_size=2),
    st.sampled_from([0, 0, 0, 1]),
)
REQUIREMENTS = [
    ("Target creature blocks this turn if able.", "b0"),
    ("Target creature must be blocked this turn if able.", "a0"),
    ("All creatures able to block target creature this turn do so.", "a0"),
    ("Target creature can't block this turn.", "b0"),
]


@EXAMPLES
@given(
    st.lists(creatures, min_size=1, max_size=2),
    st.lists(creatures, min_size=1, max_size=3),
    st.integers(1, 8),
    st.lists(st.sampled_from(REQUIREMENTS), max_size=2),
)
def test_exchanges_are_what_trying_says(
    attackers: list[dict[str, Any]], blockers: list[dict[str, Any]], life: int, requirements: list[tuple[str, str]]
) -> None:
    effects = [{"controller": "A", "text": text, "affects": [name]} for text, name in requirements]
    scenario = board(
        {f"a{number}": thing for number, thing in enumerate(attackers)},
        {f"b{number}": thing for number, thing in enumerate(blockers)},
        life,
        effects=effects,
    )
    note(str(scenario))
    found, tried = best_block(scenario, seconds=None), best_block_by_trying(scenario, seconds=None)
    assert found.score.loses == tried.score.loses
    if not found.score.loses:
        assert found.score == tried.score
        assert score_of(scenario, found.block) == found.score


def test_life_comes_before_value() -> None:
    found = best_block(board({"a": {"pt": "3/3"}}, {"b": {"pt": "1/1"}}))
    assert (found.block, found.life_lost) == ({"b": ("a",)}, 0)
    # 2 of b are gone, and 6 of a are left
    assert found.score.value == -6


def test_of_two_blockers_the_one_that_survives() -> None:
    found = best_block(board({"a": {"pt": "2/2"}}, {"small": {"pt": "2/2"}, "large": {"pt": "2/3"}}))
    assert found.block == {"large": ("a",)}
    assert found.score.value == 4 + 5


def test_together_where_one_is_not_enough() -> None:
    found = best_block(board({"a": {"pt": "1/4"}}, {"b": {"pt": "2/2"}, "c": {"pt": "2/2"}}))
    assert found.block == {"b": ("a",), "c": ("a",)}


def test_not_losing_comes_first() -> None:
    """Poison counts for losing, and damage with infect takes no life."""
    attackers: dict[str, dict[str, Any]] = {"infected": {"pt": "2/2", "keywords": ["infect"]}, "large": {"pt": "5/5"}}
    mapping: dict[str, Any] = {
        "players": {"A": {}, "D": {"life": 20, "poison": 8}},
        "battlefield": {
            **{name: {"controller": "A", **thing} for name, thing in attackers.items()},
            "b": {"controller": "D", "pt": "1/1"},
        },
        "attack": dict.fromkeys(attackers, "D"),
    }
    found = best_block(scenario_from(mapping))
    assert found.block == {"b": ("infected",)}
    assert (found.score.loses, found.life_lost) == (False, 5)


def test_a_requirement_is_obeyed() -> None:
    effects = [{"controller": "A", "text": "Target creature blocks this turn if able.", "affects": ["b"]}]
    found = best_block(board({"a": {"pt": "0/3", "keywords": ["deathtouch"]}, "c": {"pt": "0/9"}}, {"b": {"pt": "1/1"}}, effects=effects))
    assert found.block.keys() == {"b"}


@pytest.mark.parametrize(
    ("more", "error", "sentence"),
    [
        ({"attack": None}, InputError, "where attackers have been declared"),
        ({"block": {}}, InputError, "no blocks yet"),
        ({"effects": [{"controller": "A", "text": "Creatures block strangely this turn."}]}, UndecidedError, "not understood"),
    ],
)
def test_what_it_is_not_asked_about(more: dict[str, Any], error: type[Exception], sentence: str) -> None:
    things = {"a": {"controller": "A", "pt": "1/1"}, "b": {"controller": "D", "pt": "1/1"}}
    mapping = {"battlefield": things, "attack": {"a": "D"}, **more}
    with pytest.raises(error, match=sentence):
        best_block(scenario_from({key: value for key, value in mapping.items() if value is not None}))


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    things = {"m": {"controller": "A", "pt": "3/3"}, "b": {"controller": "D", "pt": "2/2"}}
    file.write_text(json.dumps({"battlefield": things, "attack": ["m"]}), encoding="utf-8")
    for options, expected in (((), "b blocks m: 0 life lost, 20 left; value kept -6"), (("--json",), '"life_lost": 0')):
        monkeypatch.setattr("sys.argv", ["lawmage", "enumerate", str(file), "--best", *options])
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        assert expected in capsys.readouterr().out


def test_what_is_open_about_damage_alone_is_named() -> None:
    text = "Damage can't be prevented as long as you've drawn two or more cards this turn."
    scenario = board({"a": {"pt": "2/2", "text": text}}, {"b": {"pt": "2/2"}})
    with pytest.raises(UndecidedError, match="the board does not say whether you've drawn two or more cards this turn"):
        best_block(scenario)
