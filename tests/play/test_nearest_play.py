"""The legal play offered for an illegal one: what is kept of it, what is told where there is none, and where nothing is told.

That it is legal and nearest is tried on random casts in tests/oracle/test_nearest_plays.py.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from lawmage.answers import ANSWERS, Source
from lawmage.mcp.words import verdict_lines
from lawmage.play import judge, judge_and_explain
from lawmage.play.plays import PlayVerdict
from lawmage.play.verdict import ProposalVerdict
from lawmage.scenario import scenario_from

LONG = math.inf


def judged(kind: str, proposal: dict[str, Any], **board: Any) -> ProposalVerdict:
    """Return the verdict on one proposal, with what is nearest."""
    made = {"judge": kind, **board, "propose": {"p": proposal}}
    return judge(scenario_from(made), explain=True, explain_seconds=LONG).proposals["p"]


def nearest(kind: str, proposal: dict[str, Any], **board: Any) -> dict[str, Any]:
    """Return the nearest play, as JSON, which is judged legal."""
    found = judged(kind, proposal, **board)
    assert found.verdict == "illegal"
    assert found.nearest is not None
    play: dict[str, Any] = found.as_json()["nearest"]
    again = judged(kind, play, **board)
    assert (again.verdict, again.nearest, again.no_nearest) == ("legal", None, "")
    return play


CREATURE = {"controller": "A", "pt": "2/2"}
GREEN = CREATURE | {"colors": ["green"]}


def spell(cost: str = "{R}", text: str = "", **more: Any) -> dict[str, Any]:
    return {"owner": "A", "types": ["instant"], "mana_cost": cost, "text": text, **more}


# ---------------------------------------------------------------- what is kept


def test_the_order_and_the_words_of_the_proposal_are_kept() -> None:
    board = {
        "hand": {"s": spell("{3}{R}", "Choose one or both —\n• Destroy target creature.\n• Draw a card.")},
        "battlefield": {"c": CREATURE},
    }
    proposed = {"pay": "{R}", "cast": "s", "targets": ["c"], "by": "A", "modes": ["destroy", "2"]}
    found = nearest("cast", proposed, **board)
    assert list(found.items()) == [("pay", "{3}{R}"), ("cast", "s"), ("targets", ["c"]), ("by", "A"), ("modes", ["destroy", "2"])]


def test_what_was_not_said_is_left_open() -> None:
    board = {"hand": {"s": spell("{3}{R}", "Destroy target creature.")}, "battlefield": {"c": CREATURE}}
    assert nearest("cast", {"cast": "s", "extra": ["kicker"]}, **board) == {"cast": "s"}


def test_modes_bring_their_targets() -> None:
    text = "Choose two —\n• Destroy target artifact.\n• Destroy target creature.\n• Draw a card."
    field = {"c": CREATURE, "d": CREATURE}
    found = nearest("cast", {"cast": "s", "modes": ["1", "3"], "targets": ["c"]}, hand={"s": spell(text=text)}, battlefield=field)
    assert found == {"cast": "s", "modes": ["2", "3"], "targets": ["c"]}


def test_targets_that_can_stay_are_aligned() -> None:
    text = "Destroy up to one target artifact. Destroy up to one target creature. Destroy up to one target land."
    field = {"a": {"controller": "D", "types": ["artifact"]}, "c": CREATURE, "l": {"controller": "D", "types": ["land"]}}
    found = nearest("cast", {"cast": "s", "targets": ["c", "l"]}, hand={"s": spell(text=text)}, battlefield=field)
    assert found["targets"] == ["a", "c", "l"]


def test_what_helps_to_pay_is_kept_and_the_mana_is_what_is_left() -> None:
    field = {"g": GREEN, "h": GREEN, "r": CREATURE | {"colors": ["red"]}}
    hand = {"s": spell("{1}{G}{G}", keywords=["convoke"])}
    found = nearest("cast", {"cast": "s", "with": {"tap": ["g", "r"]}, "pay": "{G}{G}"}, hand=hand, battlefield=field)
    assert found == {"cast": "s", "with": {"tap": ["g", "r"]}, "pay": "{G}"}


def test_many_cards_to_exile() -> None:
    cards = {f"c{number}": {"owner": "A"} for number in range(40)}
    grave = {"r": {"owner": "A", "types": ["creature"], "pt": "1/1", "keywords": ["escape—{B}, exile six other cards from your graveyard"]}}
    proposed = {"cast": "r", "using": "escape", "with": {"exile": ["c7", "r", "c3"]}, "pay": "{R}"}
    found = nearest("cast", proposed, graveyard=grave | cards)
    assert found == {"cast": "r", "using": "escape", "with": {"exile": ["c7", "c3", "c0", "c1", "c2", "c4"]}, "pay": "{B}"}


def test_what_takes_mana_off_is_paid_less() -> None:
    field = {"c": CREATURE | {"mana_cost": "{3}"}, "d": CREATURE | {"controller": "D", "mana_cost": "{4}"}}
    hand = {"e": spell("{7}", keywords=["emerge {5}{U}"], types=["creature"], pt="5/5")}
    found = nearest("cast", {"cast": "e", "using": "emerge", "with": {"sacrifice": ["d"]}, "pay": "{1}{U}"}, hand=hand, battlefield=field)
    assert found == {"cast": "e", "using": "emerge", "with": {"sacrifice": ["c"]}, "pay": "{2}{U}"}


@pytest.mark.parametrize(
    ("pool", "x", "pay", "found"),
    [
        (None, 1, "{3}{R}", {"x": 1, "pay": "{1}{R}"}),
        ("{2}{R}", 9, "{9}{R}", {"x": 2, "pay": "{2}{R}"}),
        ("{2}{R}", 9, "{2}{R}", {"x": 2, "pay": "{2}{R}"}),
        ("{5}{R}", 9, "{2}{R}", {"x": 2, "pay": "{2}{R}"}),
        ("{2}{R}", 9, None, {"x": 2}),
        ("{R}", None, "{2}{R}", {"pay": "{R}"}),
    ],
)
def test_x(pool: str | None, x: int | None, pay: str | None, found: dict[str, Any]) -> None:
    proposed = {"cast": "s"} | ({"x": x} if x is not None else {}) | ({"pay": pay} if pay is not None else {})
    players = {"A": {"mana": pool} if pool else {}, "D": {}}
    assert nearest("cast", proposed, players=players, hand={"s": spell("{X}{R}")}) == {"cast": "s", **found}


def test_who_helps_and_whom_a_gift_goes_to() -> None:
    hand = {"s": spell("{6}{R}", keywords=["assist"]), "g": spell("{U}", keywords=["gift a card"])}
    assert nearest("cast", {"cast": "s", "extra": ["assist"], "pay": "{9}{R}"}, hand=hand)["extra"] == ["assist"]
    found = nearest("cast", {"cast": "g", "extra": ["kicker", {"gift": "D"}]}, hand=hand)
    assert found == {"cast": "g", "extra": [{"gift": "D"}]}


# ---------------------------------------------------------------- where there is none


@pytest.mark.parametrize(
    ("kind", "proposal", "told"),
    [
        ("cast", {"cast": "s"}, "no way for A to cast s is legal now"),
        ("cast", {"cast": "s", "by": "D", "modes": ["1"], "extra": ["kicker"]}, "no way for D to cast s is legal now"),
        ("activate", {"activate": "c"}, "no way for A to activate an ability of c is legal now"),
        ("special", {"special": "play land", "object": "l"}, "no special action of A with l is legal now"),
        ("attach", {"attach": "c", "to": "d"}, "there is nothing that c could be attached to now"),
        ("trigger", {"trigger": "m", "ability": "mentor", "targets": ["m"]}, "no choice for an ability of m is legal"),
    ],
)
def test_that_there_is_none_is_told(kind: str, proposal: dict[str, Any], told: str) -> None:
    board = {
        "turn": {"phase": "combat", "step": "declare_attackers", "priority": "A"},
        "hand": {
            "s": spell(types=["sorcery"], text="Choose one —\n• Draw a card.\n• Destroy target creature."),
            "l": {"owner": "A", "types": ["land"]},
        },
        "battlefield": {"c": CREATURE, "d": CREATURE, "m": CREATURE | {"keywords": ["mentor"]}},
        "attack": {"m": "D"},
    }
    found = judged(kind, proposal, **board)
    assert (found.verdict, found.nearest, found.no_nearest) == ("illegal", None, told)
    assert (found.as_json()["nearest"], found.as_json()["no_nearest"]) == (None, told)


# ---------------------------------------------------------------- where nothing is told


def untold(found: ProposalVerdict) -> bool:
    return found.verdict == "illegal" and not {"nearest", "no_nearest"} & found.as_json().keys()


def test_nothing_is_looked_for_without_time() -> None:
    board = scenario_from({"judge": "cast", "hand": {"s": spell()}, "propose": {"p": {"cast": "s", "pay": "{G}"}}})
    for options in ({"explain": False}, {"explain": True, "explain_seconds": 0.0}, {"explain": True, "explain_seconds": 1e-6}):
        assert untold(judge(board, **options).proposals["p"])


def test_what_could_only_forbid_is_no_nearer_than_what_it_forbids() -> None:
    """Which mode of what is spliced is chosen, which nobody reads, may have targets; whether that is legal is open."""
    arcane: dict[str, Any] = {"subtypes": ["Arcane"], "keywords": ["splice onto arcane {R}"]}
    modal = "Choose one —\n• Destroy target land.\n• Draw a card."
    hand = {"a": spell(subtypes=["Arcane"]), "t": spell(text=modal, **arcane)}
    assert judged("cast", {"cast": "a", "extra": [{"splice": "t"}]}, hand=hand).verdict == "undecided"
    assert nearest("cast", {"cast": "a", "extra": ["kicker", "buyback"]}, hand=hand) == {"cast": "a"}
    # As near as that is all the same nearest.
    assert nearest("cast", {"cast": "a", "extra": ["kicker"]}, hand=hand) == {"cast": "a"}


def test_nothing_is_told_where_what_adds_mana_is_not_understood() -> None:
    source = {"controller": "A", "types": ["land"], "text": "{T}: Add one mana of the color of your sleeves."}
    players = {"A": {"mana": "{U}"}, "D": {}}
    hand = {"s": spell(types=["sorcery"])}
    found = judged("cast", {"cast": "s", "pay": "{U}"}, players=players, hand=hand, battlefield={"l": source})
    assert found.nearest is None
    assert not found.no_nearest


# ---------------------------------------------------------------- where it is shown


BOARD = """judge: cast
hand:
  s: {owner: A, types: [instant], mana_cost: "{R}", keywords: ["kicker {1}"], text: "Destroy target creature."}
  t: {owner: D, types: [instant], mana_cost: "{R}"}
battlefield: {c: {controller: D, pt: 2/2}, l: {controller: D, types: [land]}}
propose: {p: {cast: s, extra: [kicker], targets: [l], x: 1, pay: "{R}"}, q: {cast: t, by: A}}
"""
TOLD = "cast s, with kicker, targets c, X being 1, paying {1}{R}"


def test_it_is_told_in_words() -> None:
    (answer,) = ANSWERS["check"]([Source("board", BOARD)], explain=True).document["files"]
    said = list(verdict_lines(answer))
    assert f"  nearest legal: {TOLD}" in said
    assert "  no way for A to cast t is legal now" in said
    steps = {name: one["explanation"]["children"][-1]["sentence"] for name, one in answer["proposals"].items()}
    assert steps == {"p": f"The nearest that is legal: {TOLD}.", "q": "No way for A to cast t is legal now."}


def test_the_problem_that_is_explained_is_that_of_the_proposal() -> None:
    scenario = scenario_from({"judge": "cast", "hand": {"s": spell()}, "propose": {"p": {"cast": "s", "pay": "{G}"}}})
    verdicts, steps = judge_and_explain(scenario, explain_seconds=LONG)
    verdict = verdicts.proposals["p"]
    assert isinstance(verdict, PlayVerdict)
    assert (verdict.total, verdict.nearest) == ("{R}", {"cast": "s", "pay": "{R}"})
    assert steps["p"].sentence == "p is illegal: cast s, paying {G}."


# ---------------------------------------------------------------- what is said of the illegal one


def test_the_reason_is_told_once() -> None:
    mine = CREATURE | {"controller": "D", "text": "Your opponents can't cast spells."}
    made = {"judge": "cast", "hand": {"s": spell()}, "battlefield": {"m": mine}, "propose": {"p": {"cast": "s"}}}
    _, explained = judge_and_explain(scenario_from(made))
    assert str(explained["p"]).count("cast spells") == 1


def test_what_is_named_is_said() -> None:
    hand = {"s": spell(text="As an additional cost to cast this spell, sacrifice a creature.")}
    found = judged("cast", {"cast": "s", "with": {"sacrifice": []}}, hand=hand, battlefield={"c": CREATURE})
    assert any(one.message.endswith("; nothing is named") for one in found.violations)
    field = {"c": CREATURE, "a": {"controller": "A", "types": ["artifact"]}}
    found = judged("cast", {"cast": "s", "with": {"sacrifice": ["a"]}}, hand=hand, battlefield=field)
    assert any(one.message.endswith("; named is to sacrifice a") for one in found.violations)


# ---------------------------------------------------------------- faces, and what is open


def test_what_is_open_has_to_make_no_difference() -> None:
    """If it is so, x can't be the target; what is offered is legal either way."""
    text = "Creatures you control have hexproof as long as you are happy."
    board: dict[str, Any] = {"hand": {"s": spell(text="Destroy target creature.")}, "effects": [{"controller": "D", "text": text}]}
    board["battlefield"] = {"x": CREATURE | {"controller": "D"}, "y": CREATURE}
    for targets in (["x"], ["y"]):
        assert nearest("cast", {"cast": "s", "targets": targets, "pay": "{G}"}, **board) == {"cast": "s", "targets": ["y"], "pay": "{R}"}
    del board["battlefield"]["y"]
    found = judged("cast", {"cast": "s", "targets": ["x"], "pay": "{G}"}, **board)
    assert (found.verdict, found.nearest) == ("illegal", None)
    assert found.no_nearest == "no way for A to cast s is legal now, whether or not this holds: you are happy"


def test_that_there_is_none_is_told_of_what_is_open_too() -> None:
    text = "Creatures you control have hexproof as long as you are happy."
    board = {"hand": {"s": spell(types=["sorcery"])}, "effects": [{"controller": "D", "text": text}], "battlefield": {"x": CREATURE}}
    found = judged("cast", {"cast": "s"}, turn={"phase": "end"}, **board)
    assert found.no_nearest.startswith("no way for A to cast s is legal now")


# ---------------------------------------------------------------- which ability, which modes


def test_targets_of_modes_that_are_not_named() -> None:
    text = "Choose one —\n• Destroy target artifact.\n• Destroy target creature."
    field = {"c": CREATURE, "l": {"controller": "D", "types": ["land"]}}
    assert nearest("cast", {"cast": "s", "targets": ["l"]}, hand={"s": spell(text=text)}, battlefield=field) == {
        "cast": "s",
        "targets": ["c"],
    }


def test_modes_of_abilities() -> None:
    """Each ability has modes of its own, or none."""
    text = "{1}: Choose one —\n• Destroy target artifact.\n• Destroy target creature."
    field = {"c": CREATURE | {"text": text}, "l": {"controller": "D", "types": ["land"]}}
    found = nearest("activate", {"activate": "c", "ability": "1", "modes": ["1"], "targets": ["c"]}, battlefield=field)
    assert found == {"activate": "c", "ability": "1", "modes": ["2"], "targets": ["c"]}
    field = {"c": CREATURE | {"text": "{1}: Draw a card."}}
    assert nearest("activate", {"activate": "c", "modes": ["1"]}, battlefield=field) == {"activate": "c", "modes": []}


def test_x_of_loyalty() -> None:
    """X may be as great as the loyalty that there is; another X is rather taken than another ability."""
    walker = {"controller": "A", "types": ["planeswalker"], "loyalty": 2, "text": "+1: Draw a card.\n\u2212X: Draw X cards."}
    found = nearest("activate", {"activate": "w", "ability": "2", "x": 3}, battlefield={"w": walker})
    assert found == {"activate": "w", "ability": "2", "x": 2}


# ---------------------------------------------------------------- what is added from other cards


def test_what_is_not_understood_of_a_card_that_could_be_spliced_hides_nothing_as_near() -> None:
    """Its modes could only forbid; with it something else has to differ as well."""
    arcane: dict[str, Any] = {"subtypes": ["Arcane"], "keywords": ["splice onto arcane {R}"]}
    modal = "Choose one —\n• Destroy target land.\n• Draw a card."
    hand = {"a": spell("{1}{U}", "Destroy target creature.", subtypes=["Arcane"]), "s": spell(text="You gain 1 life.", **arcane)}
    hand |= {"n": spell(text=modal, **arcane), "o": spell(text="Destroy target enchantment.", owner="D", **arcane)}
    board = {"hand": hand, "battlefield": {"c": CREATURE, "e": {"controller": "D", "types": ["enchantment"]}}}
    assert nearest("cast", {"cast": "a", "extra": [{"splice": "o"}], "pay": "{1}{U}{R}"}, **board) == {"cast": "a", "pay": "{1}{U}"}
    proposed = {"cast": "a", "extra": [{"splice": "s"}], "targets": ["e"], "pay": "{1}{U}"}
    found = {"cast": "a", "extra": [{"splice": "s"}], "targets": ["c"], "pay": "{1}{U}{R}"}
    assert nearest("cast", proposed, **board) in (found, {"cast": "a", "targets": ["c"], "pay": "{1}{U}"})


def test_nothing_can_be_attached_where_what_is_not_understood_only_forbids() -> None:
    field = {
        "r": {"controller": "A", "types": ["enchantment"], "text": "This enchantment can't be the target of white spells."},
        "c": CREATURE,
    }
    assert judged("attach", {"attach": "r", "to": "c"}, battlefield=field).no_nearest


def test_as_many_targets_as_x() -> None:
    """Another X is looked for, or another target; what else there is, is not known."""
    hand = {"s": spell("{X}{U}", "Tap X target creatures.")}
    one, two = {"c": CREATURE}, {"c": CREATURE, "d": CREATURE}
    found = nearest("cast", {"cast": "s", "x": 2, "targets": ["c"]}, hand=hand, battlefield=two)
    assert (found["x"], sorted(found["targets"])) == (2, ["c", "d"])
    assert nearest("cast", {"cast": "s", "x": 2, "targets": ["c"]}, hand=hand, battlefield=one) == {"cast": "s", "x": 1, "targets": ["c"]}
    assert untold(judged("cast", {"cast": "s", "x": 2, "targets": ["c"], "pay": "{2}{U}"}, hand=hand, battlefield=one))
