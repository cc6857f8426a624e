"""Random input: nothing but an InputError comes out, and what is valid reads the same in every form."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.scenario import read_scenario, scenario_from

_settings = settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])

#: Scenarios that together have every key, to be damaged.
VALID: list[dict[str, Any]] = [
    {
        "lawmage": 1,
        "title": "t",
        "release": "2026-08-07",
        "players": {
            "A": {"life": 3, "mana": "{R}", "poison": 1, "speed": 1, "counters": {"rad": 1}, "commander_damage": {"m": 1}},
            "D": {"monarch": True, "initiative": False, "citys_blessing": True},
        },
        "active": "A",
        "turn": {"phase": "combat", "step": "combat_damage", "priority": "A", "land_played": True},
        "history": {"lost_life": ["D"], "cast_this_turn": {"A": 1}, "commander_casts": {"m": 1}, "died": ["g"], "activated": {"m": 1}},
        "battlefield": {
            "m": {
                "controller": "A", "owner": "D", "name": "M", "types": ["creature"], "subtypes": ["Elf"], "supertypes": ["snow"],
                "colors": ["red"], "mana_cost": "{R}", "pt": "9/9", "keywords": ["menace"], "text": "x", "token": True, "tapped": True,
                "sick": False, "damage": 1, "counters": {"+1/+1": 1}, "attached_to": "D", "goaded_by": ["D"], "commander": True,
                "face_down": False, "phased_out": False, "transformed": False, "blocked": True,
            },
            "v": {"controller": "A", "pt": "1/1"},
            "b": {"controller": "D", "pt": "1/1"},
            "w": {"controller": "D", "types": ["planeswalker"], "loyalty": 3},
            "s": {"controller": "A", "types": ["battle"], "defense": 3, "protector": "D"},
        },
        "graveyard": {"g": {"owner": "D"}},
        "effects": [{"controller": "D", "text": "x", "affects": ["m", "D"], "source": "b"}],
        "attack": {"m": {"target": "D", "pay": "{2}"}, "v": "s", "bands": [["m", "v"]]},
        "block": {"b": {"attackers": ["m"], "pay": "{1}"}, "order": {"m": ["b"]}},
        "damage": [{"m": {"b": 9}, "step": "first", "by": "A"}],
        "propose": {"p": {"m": {"b": 3, "D": 6}, "step": "regular"}},
        "expect": {"p": "legal", "count": 3, "counts": {"D": 3}},
    },
    {
        "battlefield": {"m": {"controller": "A", "pt": "1/1"}},
        "attack": ["m"],
        "judge": "outcome",
        "propose": {"o": [{"m": {"D": 1}}], "n": []},
        "expect": {
            "o": {
                "steps": [{"step": "first", "damage": [{"source": "m", "target": "D", "amount": 1}], "died": []}],
                "players": {"D": {"life": 1, "poison": 1, "commander_damage": {"m": 1}, "lost": None}},
                "objects": {"m": {"zone": "exile", "damage": 1, "counters": {}, "attached_to": None}},
                "triggers": [{"source": "m", "ability": "x", "times": 1, "rule": "510.3"}],
            },
            "n": "undecided",
        },
    },
    {
        "hand": {"h": {"owner": "A"}},
        "stack": {"s": {"controller": "D", "types": ["instant"]}},
        "judge": "cast",
        "propose": {
            "p": {
                "cast": "h", "by": "A", "using": "flash", "targets": ["s"], "modes": [1], "extra": ["kicker", {"gift": "D"}],
                "pay": "{2}", "with": {"exile": ["h"]}, "x": 1,
            }
        },
    },
]  # fmt: skip

_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["A", "D", "m", "b", "x", "D", "2/2", "*/*", "{R}", "yes", "legal", "1", "bands", "order", "\ud800", "a\0", "9" * 200]),
)
_keys = st.one_of(st.sampled_from(["A", "D", "m", "b", "pay", "target", "types", "keywords", "by"]), st.text(max_size=5), st.integers())
_trees = st.recursive(_scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4), max_leaves=12)


def _places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in a tree."""
    children: Any = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path] + [place for key, child in children for place in _places(child, (*path, key))]


@st.composite
def _damaged(draw: st.DrawFn) -> Any:
    """A valid scenario in which up to three things are replaced, left out or renamed."""
    tree: Any = copy.deepcopy(draw(st.sampled_from(VALID)))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(_places(tree)))
        if not path:
            continue
        parent = tree
        for step in path[:-1]:
            parent = parent[step]
        action = draw(st.sampled_from(["replace", "remove", "rename"]))
        if action == "remove":
            del parent[path[-1]]
        elif action == "rename" and isinstance(parent, dict):
            parent[draw(_keys)] = parent.pop(path[-1])
        else:
            parent[path[-1]] = draw(_trees)
    return tree


def _read(text: str) -> Scenario | InputError:
    """Read a text; anything but a scenario or one sentence is a fault."""
    try:
        return read_scenario(text, file="f")
    except InputError as error:
        return error


def _from(data: Any) -> Scenario | InputError:
    try:
        return scenario_from(data, file="f")
    except InputError as error:
        return error


def _is_fine(answer: Scenario | InputError) -> bool:
    return isinstance(answer, Scenario) or (str(answer).startswith("f:") and "\n" not in str(answer))


@pytest.mark.parametrize("data", VALID)
def test_the_scenarios_to_be_damaged_are_valid(data: dict[str, Any]) -> None:
    assert scenario_from(data) == read_scenario(json.dumps(data))


@_settings
@given(st.text() | st.text(alphabet="abAD:,[]{}-?&*!|>%#'\"\\ \t\n\r\ufeff019.~<", max_size=60))
def test_any_text(text: str) -> None:
    assert _is_fine(_read(text))


@_settings
@given(st.sampled_from([json.dumps(data, indent=1) for data in VALID]), st.data())
def test_damaged_text(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        text = text[:start] + data.draw(st.text(max_size=3) | st.sampled_from(["{", "]", '"', ": ", "\n", "\\", "&a ", "*a"])) + text[end:]
    assert _is_fine(_read(text))


@_settings
@given(_trees | _damaged())
def test_any_tree(tree: Any) -> None:
    assert _is_fine(_from(tree))


@_settings
@given(_damaged())
def test_a_tree_and_its_json_read_alike(tree: Any) -> None:
    text = json.dumps(tree)
    direct, written = _from(json.loads(text)), _read(text)
    if isinstance(direct, Scenario):
        assert written == direct
    else:
        assert isinstance(written, InputError)


# ruamel.yaml writes some names with ? and : without quotes where it then reads them as indicators.
_names = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="?:"), min_size=1, max_size=6)


@st.composite
def _scenarios(draw: st.DrawFn) -> dict[str, Any]:
    """A valid scenario: creatures, an attack, and blocks to judge."""
    reserved = {"A", "D", "bands", "order", "by", "step"}
    names = draw(st.lists(_names, min_size=2, max_size=6, unique=True).filter(lambda names: not reserved.intersection(names)))
    battlefield = {
        name: {
            "controller": "A" if number % 2 == 0 else "D",
            "pt": f"{draw(st.integers(-9, 10**7))}/{draw(st.integers(-9, 10**7))}",
            "tapped": draw(st.booleans()),
            "text": draw(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]) | st.just("\n"))),
            "keywords": draw(st.lists(_names, max_size=2)),
            "counters": draw(st.dictionaries(_names, st.integers(0, 10**7), max_size=2)),
        }
        for number, name in enumerate(names)
    }
    attackers, blockers = names[::2], names[1::2]
    blocks = st.dictionaries(
        st.sampled_from(blockers), st.sampled_from(attackers) | st.lists(st.sampled_from(attackers), min_size=1, unique=True)
    )
    return {
        "title": draw(_names),
        "battlefield": battlefield,
        "attack": draw(st.just(attackers) | st.dictionaries(st.sampled_from(attackers), st.just("D"))),
        "propose": draw(st.dictionaries(_names.filter(lambda name: name not in ("count", "counts")), blocks, max_size=3)),
    }


@_settings
@given(_scenarios())
def test_a_valid_scenario_reads_the_same_in_every_form(data: dict[str, Any]) -> None:
    stream = io.StringIO()
    yaml = YAML(typ="safe", pure=True)
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.dump(data, stream)
    scenario = scenario_from(data)
    assert read_scenario(json.dumps(data)) == scenario
    assert read_scenario(json.dumps(data, ensure_ascii=False, indent="\t")) == scenario
    assert read_scenario(stream.getvalue()) == scenario
    assert len(scenario.proposals) == len(data["propose"])
