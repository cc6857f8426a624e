"""Scenarios that are read, and what is made of them."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

import pytest

import lawmage.scenario
import lawmage.scenario_proposals
from lawmage.board import Attack, BlockChoice, Effect, Scenario, defending_players
from lawmage.errors import InputError
from lawmage.scenario import read_scenario, scenario_from

EXAMPLE = """\
lawmage: 1
title: Menace and a requirement
release: 2026-08-07
players: {A: {life: 20}, D: {}}
active: A
battlefield:
  m:  {controller: A, pt: 9/9, keywords: [menace, trample], text: "This creature must be blocked if able."}
  b1: {controller: D, pt: 2/2, colors: [green], subtypes: [Elf], tapped: false, damage: 0, counters: {}}
  b2: {controller: D, pt: 2/2}
  w:  {controller: D, types: [planeswalker], loyalty: 4}
effects:
  - {controller: D, text: "Creatures you control block this turn if able."}
attack: {m: D}
propose:
  p1: {}
  p2: {b1: m, b2: [m]}
expect: {p1: illegal, p2: legal, count: 1}
"""


def creatures(**objects: str) -> dict[str, Any]:
    """Creatures 2/2 by name and controller."""
    return {name: {"controller": controller, "pt": "2/2"} for name, controller in objects.items()}


def board(**keys: Any) -> Scenario:
    """A scenario of `m` and `v` against `b1` and `b2`."""
    return scenario_from({"battlefield": creatures(m="A", v="A", b1="D", b2="D"), **keys})


def test_the_example_of_the_format() -> None:
    scenario = read_scenario(EXAMPLE, file="example.yaml")
    m, b1, w = (scenario.board.objects[name] for name in ("m", "b1", "w"))
    assert (scenario.title, scenario.release, scenario.judge) == ("Menace and a requirement", "2026-08-07", "block")
    assert (m.power, m.toughness, m.keywords, m.types, m.line) == (9, 9, ("menace", "trample"), ("creature",), 7)
    assert (b1.colors, b1.subtypes, b1.controller, b1.owner) == (("green",), ("Elf",), "D", "D")
    assert (w.types, w.loyalty, w.power) == (("planeswalker",), 4, None)
    assert scenario.board.effects == (Effect("D", "Creatures you control block this turn if able."),)
    assert scenario.board.attacks == (Attack("m", "D"),)
    assert [proposal.name for proposal in scenario.proposals] == ["p1", "p2"]
    assert scenario.proposals[1].blocks == (BlockChoice("b1", ("m",)), BlockChoice("b2", ("m",)))
    assert scenario.proposals[1].line == 16
    assert scenario.expect == {"p1": "illegal", "p2": "legal", "count": 1}


def test_the_reference_of_the_format_has_every_key_and_its_example_reads() -> None:
    reference = lawmage.scenario.__doc__ or ""
    example = textwrap.dedent("\n".join(line for line in reference.splitlines() if line.startswith("    ")))
    assert read_scenario(example).judge == "block"
    keys = {
        *lawmage.scenario._KEYS,
        *lawmage.scenario._OBJECT,
        *lawmage.scenario._PLAYER,
        *(step for steps in lawmage.scenario._STEPS.values() for step in steps),
        *lawmage.scenario_proposals.JUDGED,
        *lawmage.scenario_proposals.DECLARATION_KEYS,
    }
    assert {key for key in keys if not re.search(rf"\b{key}\b", reference)} == set()


def test_defaults() -> None:
    scenario = read_scenario("{}")
    assert scenario.board.players["A"].life == scenario.board.players["D"].life == 20
    assert (scenario.board.active, scenario.judge, scenario.board.attacks) == ("A", "attack", None)
    assert (scenario.expect, scenario.release, scenario.proposals) == (None, None, ())


def test_what_is_judged_follows_from_what_is_declared() -> None:
    assert board().judge == "attack"
    assert board(attack=[]).judge == "block"
    assert board(attack=["m"], block={}).judge == "damage"
    assert board(attack=["m"], block={}, judge="outcome").judge == "outcome"
    assert board(attack=[]).board.attacks == ()
    assert board(attack=[], block={}).board.blocks == ()


def test_names_that_yaml_would_read_as_something_else() -> None:
    scenario = read_scenario(
        "players: {1: {}, 2: {}}\nactive: 1\nbattlefield: {no: {controller: 1, pt: 1/1}, 0x10: {controller: 2, pt: 1/1}, true: "
        "{controller: 2, pt: 1/1}, 702.10: {controller: 2, pt: 1/1}}\nattack: {no: 2}\npropose: {1: {0x10: no, true: no, 702.10: no}}"
    )
    assert list(scenario.board.players) == ["1", "2"]
    assert list(scenario.board.objects) == ["no", "0x10", "true", "702.10"]
    assert [block.blocker for block in scenario.proposals[0].blocks] == ["0x10", "true", "702.10"]
    assert scenario == scenario_from(
        {
            "players": {1: {}, 2: {}},
            "active": 1,
            "battlefield": {
                "no": {"controller": 1, "pt": "1/1"},
                **{name: {"controller": 2, "pt": "1/1"} for name in ("0x10", "true", "702.10")},
            },
            "attack": {"no": 2},
            "propose": {1: {"0x10": "no", True: "no", "702.10": "no"}},
        }
    )


def test_json_with_tabs_and_escaped_surrogates() -> None:
    data = {"title": 'Ünïcode 🂡 "x" \\ /', "battlefield": creatures(**{"Jötun 🂡": "A"}), "attack": ["Jötun 🂡"]}
    for text in (json.dumps(data, indent="\t"), json.dumps(data, ensure_ascii=False), json.dumps(data).replace("/", "\\/")):
        scenario = read_scenario(text)
        assert scenario.title == data["title"]
        assert list(scenario.board.objects) == ["Jötun 🂡"]


def test_anchors_and_aliases() -> None:
    text = """
battlefield:
  a: &bear {controller: A, pt: 2/2, keywords: &kw [flying]}
  b: *bear
  c: {controller: D, pt: 1/1, keywords: *kw}
attack: {a: &who D, b: *who}
"""
    scenario = read_scenario(text)
    assert scenario.board.objects["b"].power == 2
    assert scenario.board.objects["c"].keywords == ("flying",)
    assert scenario.board.attacks == (Attack("a", "D"), Attack("b", "D"))


def test_characteristics() -> None:
    thing = {"controller": "A", "pt": " -1 / +3 ", "types": ["Artifact", "CREATURE"], "supertypes": ["Legendary"], "token": True}
    read = scenario_from({"battlefield": {"x": thing}}).board.objects["x"]
    assert (read.power, read.toughness, read.types, read.supertypes) == (-1, 3, ("artifact", "creature"), ("legendary",))
    assert read.token


@pytest.mark.parametrize(
    ("keys", "colors"),
    [
        ({}, ()),
        ({"colors": ["Green", "w"]}, ("white", "green")),
        ({"mana_cost": "{2}{g}{W/U}{R/P}"}, ("white", "blue", "red", "green")),
        ({"mana_cost": "{2}{R}", "colors": []}, ()),
        ({"mana_cost": "{2}{C}"}, ()),
    ],
)
def test_colors(keys: dict[str, Any], colors: tuple[str, ...]) -> None:
    objects = {"x": {"controller": "A", "pt": "1/1", **keys}}
    assert scenario_from({"battlefield": objects}).board.objects["x"].colors == colors


def test_zones_and_whose_things_are() -> None:
    scenario = scenario_from(
        {
            "battlefield": {"x": {"controller": "A", "owner": "D", "pt": "1/1"}},
            "graveyard": {"g": {"owner": "D"}, "h": {"controller": "A"}},
            "command": {"c": {"owner": "A", "controller": "D", "commander": True}},
            "stack": {"s": {"controller": "D", "types": ["instant"]}},
        }
    )
    whose = {name: (thing.zone, thing.controller, thing.owner) for name, thing in scenario.board.objects.items()}
    assert whose == {
        "x": ("battlefield", "A", "D"),
        "g": ("graveyard", "D", "D"),
        "h": ("graveyard", "A", "A"),
        "c": ("command", "D", "A"),
        "s": ("stack", "D", "D"),
    }


def test_the_order_of_the_file_is_kept() -> None:
    objects = scenario_from({"hand": {"z": {"owner": "A"}}, "battlefield": creatures(b="A", a="D")}).board.objects
    assert list(objects) == ["z", "b", "a"]


def test_players() -> None:
    extra = {"poison": 3, "speed": 4, "counters": {"energy": 2}, "commander_damage": {"c": 20}, "monarch": True}
    players = {"A": {"life": -5, "mana": "{2}{r}", **extra}, "D": {"mana": ""}}
    read = scenario_from({"players": players, "command": {"c": {"owner": "D"}}}).board.players
    assert (read["A"].life, read["A"].mana, read["A"].extra) == (-5, "{2}{R}", extra)
    assert (read["D"].life, read["D"].mana, read["D"].extra) == (20, "", {"monarch": False})


def test_attacks_in_all_forms() -> None:
    read = board(attack={"m": {"target": "D", "pay": "{2}{w}"}, "v": "D", "bands": [["m", "v"]]}).board
    assert read.attacks == (Attack("m", "D", "{2}{W}"), Attack("v", "D"))
    assert read.bands == (("m", "v"),)
    assert board(attack=["m", "v"], bands=[["v", "m"]]).board.bands == (("v", "m"),)
    proposals = board(propose={"p": ["m"], "q": {"m": "D", "v": "D", "bands": [["m", "v"]]}, "none": {}}).proposals
    assert [proposal.attacks for proposal in proposals] == [(Attack("m", "D"),), (Attack("m", "D"), Attack("v", "D")), ()]
    assert proposals[1].bands == (("m", "v"),)


def test_an_illegal_proposal_is_not_bad_input() -> None:
    assert board(propose={"p": {"m": "A", "v": "b1"}}).proposals[0].attacks == (Attack("m", "A"), Attack("v", "b1"))
    assert board(attack=["m"], propose={"p": {"b1": "v"}}).proposals[0].blocks == (BlockChoice("b1", ("v",)),)


def test_blocks_in_all_forms() -> None:
    choices = {"b1": {"attackers": ["m", "v"], "pay": "{1}"}, "b2": {"attacker": "m"}, "order": {"m": ["b2", "b1"]}}
    expected = (BlockChoice("b1", ("m", "v"), "{1}"), BlockChoice("b2", ("m",)))
    proposal = board(attack=["m", "v"], propose={"p": choices}).proposals[0]
    assert (proposal.blocks, proposal.order) == (expected, {"m": ("b2", "b1")})
    declared = board(attack=["m", "v"], block=choices).board
    assert (declared.blocks, declared.order) == (expected, {"m": ("b2", "b1")})
    assert board(attack=["m"], block={"b1": "m"}, order={"m": ["b1"]}).board.order == {"m": ("b1",)}


def test_a_target_that_has_left_may_be_blocked_for() -> None:
    data = {
        "players": {"A": {}, "D": {}, "E": {}},
        "battlefield": creatures(m="A", b="E"),
        "graveyard": {"w": {"owner": "E", "types": ["planeswalker"]}},
        "attack": {"m": "w"},
        "propose": {"p": {"b": "m"}},
    }
    assert scenario_from(data).proposals[0].blocks == (BlockChoice("b", ("m",)),)


def test_who_may_block() -> None:
    three = {"players": {"D": {}, "A": {}, "E": {}, "F": {}}, "battlefield": creatures(m="A", v="A", x="D", y="E")}
    assert defending_players(scenario_from({**three, "attack": {"m": "D", "v": "F"}}).board) == ("F", "D")
    assert defending_players(scenario_from({**three, "attack": {}}).board) == ()
    assert defending_players(board(attack=[]).board) == ("D",)


def test_who_protects_a_battle() -> None:
    siege = {"types": ["battle"], "subtypes": ["Siege"], "defense": 5}
    two = scenario_from({"battlefield": {"s": {"controller": "A", **siege}}, "active": "A"}).board
    assert two.objects["s"].protector == "D"
    other = scenario_from({"battlefield": {"s": {"controller": "D", **siege}}, "active": "A"}).board
    assert other.objects["s"].protector == "A"
    given = scenario_from(
        {
            "players": {"A": {}, "D": {}, "E": {}},
            "battlefield": {"s": {"controller": "A", "protector": "E", **siege}, **creatures(m="A", b="E")},
            "attack": {"m": "s"},
            "propose": {"p": {"b": "m"}},
        }
    )
    assert given.board.objects["s"].protector == "E"
    assert defending_players(given.board) == ("E",)


def test_damage() -> None:
    one = {"m": {"b1": 2, "D": 7}, "step": "first", "by": "A"}
    raw = {"step": "first", "by": "A", "assign": {"m": {"b1": 2, "D": 7}}}
    declared = {"attack": ["m"], "block": {"b1": "m"}}
    assert board(**declared, propose={"p": one}).proposals[0].raw == raw
    assert board(**declared, damage=one).board.damage == (raw,)
    outcome = board(**declared, judge="outcome", propose={"p": [one, {"m": {"D": 9}}], "q": one, "none": []})
    assert [proposal.raw for proposal in outcome.proposals] == [(raw, {"assign": {"m": {"D": 9}}}), (raw,), ()]


def test_what_has_dealt_damage_may_have_died() -> None:
    read = scenario_from(
        {
            "battlefield": creatures(m="A"),
            "graveyard": {"b": {"owner": "D"}},
            "attack": ["m"],
            "block": {},
            "damage": {"b": {"m": 1}, "step": "first"},
        }
    )
    assert read.board.damage == ({"step": "first", "assign": {"b": {"m": 1}}},)


def test_each_keyword_has_its_line() -> None:
    text = "battlefield:\n  m:\n    controller: A\n    pt: 1/1\n    keywords:\n      - menace\n\n      - flying\n"
    assert read_scenario(text).board.objects["m"].keyword_lines == (6, 8)


def test_what_an_outcome_is_expected_to_be() -> None:
    part = {
        "players": {"D": {"life": -13, "poison": 1, "lost": "704.10"}, "A": {"lost": None}},
        "objects": {"m": {"zone": "graveyard", "attached_to": None, "counters": {"-1/-1": 1}}},
        "steps": [{"step": "first", "damage": [{"source": "m", "target": "D", "amount": 2}], "died": ["m"]}],
        "triggers": [{"source": "m", "ability": "lifelink", "times": 1, "rule": "510.3"}],
    }
    declared = {"attack": ["m"], "block": {}, "judge": "outcome"}
    read = board(**declared, expect={"outcome": part}).expect
    assert read is not None
    assert read["outcome"]["players"] == part["players"]
    assert read["outcome"]["objects"] == part["objects"]
    assert read["outcome"]["steps"][0]["died"] == ("m",)
    assert board(**declared, propose={"o": []}, expect={"o": part}).expect == {"o": read["outcome"]}
    assert board(**declared, propose={"o": []}, expect={"o": "illegal"}).expect == {"o": "illegal"}
    unquoted = "battlefield: {m: {controller: A, pt: 1/1}}\nattack: [m]\njudge: outcome\nexpect: {outcome: {players: {D: {lost: 704.10}}}}"
    assert read_scenario(unquoted).expect == {"outcome": {"players": {"D": {"lost": "704.10"}}}}


@pytest.mark.parametrize(
    ("judge", "play"),
    [
        (
            "cast",
            {"cast": "h", "by": "A", "using": "escape", "targets": ["D", "m"], "modes": ["1"], "extra": ["kicker", {"gift": "D"}]},
        ),
        ("cast", {"cast": "h", "pay": "{2}{R}", "x": 3, "with": {"exile": ["g"], "sacrifice": ["m"], "discard": [], "tap": ["v"]}}),
        ("activate", {"activate": "m", "ability": "equip", "targets": ["v"], "pay": "{1}, sacrifice a land", "with": {"tap": ["m"]}}),
        ("special", {"special": "plot", "object": "h", "pay": "{R}"}),
        ("attach", {"attach": "m", "to": "v"}),
        ("trigger", {"trigger": "m", "ability": "mentor", "targets": ["v"]}),
    ],
)
def test_other_plays(judge: str, play: dict[str, Any]) -> None:
    zones = {"hand": {"h": {"owner": "A"}}, "graveyard": {"g": {"owner": "A"}}}
    raw = board(**zones, judge=judge, propose={"p": play}).proposals[0].raw
    assert json.loads(json.dumps(raw)) == play


def test_timing_and_history() -> None:
    history = {"lost_life": ["D"], "cast_this_turn": {"A": 1}, "commander_casts": {"m": 2}, "attacked": ["m"]}
    read = board(turn={"step": "upkeep", "priority": "D", "land_played": True}, history=history).board
    assert read.turn == {"phase": "beginning", "step": "upkeep", "priority": "D", "land_played": True}
    assert read.history == {**history, "lost_life": ("D",), "attacked": ("m",)}


def test_attached_to_a_player_and_blocked() -> None:
    objects = {**creatures(m="A"), "a": {"controller": "A", "types": ["enchantment"], "attached_to": "D"}}
    objects["m"]["blocked"] = True
    read = scenario_from({"battlefield": objects, "attack": ["m"]}).board
    assert read.objects["a"].attached_to == "D"
    assert read.objects["m"].blocked


def test_counts_have_no_upper_limit() -> None:
    assert board(expect={"count": 10**60, "counts": {"D": 3}}).expect == {"count": 10**60, "counts": {"D": 3}}


def test_what_only_one_player_has() -> None:
    players = {"A": {}, "D": {"initiative": True}, "E": {"initiative": False}}
    read = scenario_from({"players": players}).board.players
    assert [player.extra for player in read.values()] == [{"initiative": False}, {"initiative": True}, {"initiative": False}]
    with pytest.raises(InputError, match=r"players\.D has monarch: true, which A has already; one player has it at a time"):
        scenario_from({"players": {"A": {"monarch": True}, "D": {"monarch": True}}})


def test_no_fewer_cards_than_are_listed() -> None:
    cards = {"graveyard": {"g1": {"owner": "A"}, "g2": {"owner": "A"}}}
    assert scenario_from({"players": {"A": {"graveyard": 2}, "D": {}}, **cards}).board.players["A"].extra == {"graveyard": 2}
    with pytest.raises(InputError, match=r"players\.A has graveyard: 1, but the file lists 2 cards there"):
        scenario_from({"players": {"A": {"graveyard": 1}, "D": {}}, **cards})
