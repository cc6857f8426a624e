"""Cards by name in scenarios."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lawmage.board import Object
from lawmage.cards.importing import import_cards
from lawmage.cards.ship import ship, without_text
from lawmage.cards.store import CardStore, shipped_file
from lawmage.cli import main
from lawmage.errors import DataError, InputError
from lawmage.play import judge
from lawmage.play.knowledge import knowledge
from lawmage.play.reading import Reading, read_board
from lawmage.scenario import read_scenario, scenario_from

from .made import card, face, store_of

BLOOMER = """\
As long as you have no cards in hand, Late Bloomer can't be blocked.
As long as there are seven or more cards in your library, Late Bloomer has menace."""
SCHOOL = """\
Wolf creatures you control have vigilance.
{G}: Level 2
Creatures you control have menace."""
COUNTED = "Counted Beast's power and toughness are each equal to the number of cards in your hand."
LAND, ARTIFACT, ENCHANTMENT = ("land",), ("artifact",), ("enchantment",)
LEVELS = """\
Level up {1}
LEVEL 1-2
3/3
This creature can't block.
LEVEL 3+
5/5
Flying"""
STATION = """\
Station
2+ | Creatures you control have menace.
8+ | Flying"""

MADE = (
    card(face("Plain Ogre", subtypes=("Ogre",), colors=("red",), mana_cost="{2}{R}")),
    card(face("Big Beast", "Menace, trample\nThis creature must be blocked if able.", power="9", toughness="9")),
    card(face("Odd Beast", "This creature can't be blocked on every second Tuesday.")),
    card(face("Odd Lifter", "When this creature deals combat damage to a player, destroy target creature.", power="1")),
    card(
        face("Day Youth", "Defender", colors=("white",), mana_cost="{W}"),
        face("Night Wolf", "Menace", power="4", toughness="3", colors=("black",)),
        layout="transform",
    ),
    card(
        face("Wood Path", types=LAND),
        face("Wood Giant", power="7", toughness="7", colors=("green",), mana_cost="{5}{G}{G}"),
        layout="modal_dfc",
    ),
    card(
        face("Quiet Student", mana_cost="{U}", colors=("blue",)),
        face("Loud Master", "Flying", power="3", toughness="4", supertypes=("legendary",)),
        layout="flip",
    ),
    card(
        face("Story Knight", "Vigilance", power="3", mana_cost="{2}{W}", colors=("white",)),
        face("Short Story", types=("sorcery",), subtypes=("Adventure",), mana_cost="{R}", colors=("red",)),
        layout="adventure",
    ),
    card(
        face("Heat", types=("instant",), mana_cost="{1}{R}", colors=("red",)),
        face("Cold", types=("sorcery",), mana_cost="{1}{U}", colors=("blue",)),
        layout="split",
    ),
    card(
        face("Red Parlor", "Creatures you control have menace.", types=ENCHANTMENT, subtypes=("Room",)),
        face("Blue Cellar", "Creatures you control get +1/+1.", types=ENCHANTMENT, subtypes=("Room",)),
        layout="split",
    ),
    card(face("Counted Beast", COUNTED, power="*", toughness="*")),
    card(face("Rising Monk", LEVELS, power="1", toughness="1"), layout="leveler"),
    card(face("Star Barge", STATION, types=ARTIFACT, subtypes=("Spacecraft",), power="6", toughness="5")),
    card(face("Old Wagon", "Crew 2", types=ARTIFACT, subtypes=("Vehicle",), power="4", toughness="4")),
    card(face("Wise Walker", types=("planeswalker",), supertypes=("legendary",), loyalty="4")),
    card(face("Strange Walker", types=("planeswalker",), loyalty="X")),
    card(face("Far Siege", types=("battle",), subtypes=("Siege",), defense="5")),
    card(face("Heavy Chain", "Enchant creature\nEnchanted creature can't attack or block.", types=ENCHANTMENT, subtypes=("Aura",))),
    card(face("Keen Blade", "Equipped creature gets +2/+2 and has menace.\nEquip {1}", types=ARTIFACT, subtypes=("Equipment",))),
    card(face("Late Bloomer", BLOOMER)),
    card(face("School of Wolves", SCHOOL, types=ENCHANTMENT, subtypes=("Class",))),
    card(face("Odd Bolt", "Odd Bolt deals 2 damage to target creature.", types=("instant",), mana_cost="{R}", colors=("red",))),
    card(face("Slow Mire", "Creature spells you cast cost {1} more to cast.", types=ENCHANTMENT)),
    card(face("Ritual Elf", "{T}: Add {R}.")),
    card(face("Twin Ring", "{T}: Add {C}{C}.", types=ARTIFACT)),
    card(face("Old Vision", "Suspend 4—{U}\nDraw three cards.", types=("sorcery",), colors=("blue",))),
    card(face("Hidden Angel", "Flying\nMorph {2}{W}", mana_cost="{3}{W}", colors=("white",))),
    card(face("Small Friend", "Companion — Each permanent card in your starting deck has mana value 2 or less.", mana_cost="{1}{W}")),
    card(
        face("Stone Giant", power="4", mana_cost="{2}{R}", colors=("red",)),
        face("Stamp", "Stamp deals 2 damage to any target.", types=("instant",), subtypes=("Adventure",), mana_cost="{1}{R}"),
        layout="adventure",
    ),
    card(
        face("Day Ghost", "Disturb {1}{W}", mana_cost="{W}", colors=("white",)),
        face("Night Grip", "Enchant creature", types=ENCHANTMENT, subtypes=("Aura",), colors=("white",)),
        layout="transform",
    ),
    card(
        face("Day Child", "Disturb {1}{W}", mana_cost="{W}", colors=("white",)),
        face("Night Child", "Flying", subtypes=("Spirit",), colors=("white",)),
        layout="transform",
    ),
    card(
        face("Bright Recovery", types=("sorcery",), mana_cost="{2}{G}"),
        face("Bright Sanctuary", "{T}: Add {G}.", types=LAND),
        layout="modal_dfc",
    ),
    card(face("Sole Leader", "Sole Leader can be your commander.", types=("planeswalker", "creature"), loyalty="3")),
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardStore]:
    with store_of(tmp_path_factory.mktemp("cards"), MADE) as store:
        yield store


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardStore]:
    with store_of(tmp_path_factory.mktemp("facts"), map(without_text, MADE)) as store:
        yield store


def placed(store: CardStore, zone: str = "battlefield", **keys: Any) -> Object:
    """The object `x` of a scenario in which these are its keys."""
    whose = {"controller": "A"} if zone in ("battlefield", "stack") else {"owner": "A"}
    return scenario_from({zone: {"x": whose | keys}}, cards=store).board.objects["x"]


def read(store: CardStore, **keys: Any) -> Reading:
    return read_board(scenario_from({"battlefield": {"x": {"controller": "A"} | keys}}, cards=store).board, knowledge())


def kinds(reading: Reading) -> list[str]:
    return [one.kind for one in reading.objects[0].states]


def verdicts(store: CardStore, text: str) -> dict[str, str]:
    return {name: verdict.verdict for name, verdict in judge(read_scenario(text, cards=store), checked=True).proposals.items()}


# ---------------------------------------------------------------- what a card is


def test_a_card_brings_its_characteristics(made: CardStore) -> None:
    ogre = placed(made, card="plain ogre")
    assert (ogre.name, ogre.types, ogre.subtypes, ogre.colors) == ("Plain Ogre", ("creature",), ("Ogre",), ("red",))
    assert (ogre.power, ogre.toughness, ogre.mana_cost, ogre.text, ogre.keywords) == (2, 2, "{2}{R}", "", ())


def test_keys_beside_a_card_replace_what_it_brings(made: CardStore) -> None:
    beast = placed(
        made, card="Big Beast", pt="1/1", keywords=["flying"], text="", name="Small Beast", colors=["blue"], types=["artifact", "creature"]
    )
    assert (beast.power, beast.keywords, beast.text, beast.name, beast.colors) == (1, ("flying",), "", "Small Beast", ("blue",))
    assert beast.types == ("artifact", "creature")
    assert beast.card_text is not None
    assert (beast.card_text.keywords, beast.card_text.constraints) == ((), ())
    assert placed(made, card="Big Beast", keywords=[]).card_text != placed(made, card="Big Beast", text="").card_text


def test_also_adds_to_a_card(made: CardStore) -> None:
    reading = read(made, card="Big Beast", also={"keywords": ["flying"], "text": "This creature can't block."})
    assert {use.keyword for use in reading.objects[0].keywords} == {"menace", "trample", "flying"}
    assert kinds(reading) == ["must_be_blocked", "cannot_block"]


def test_owner_is_the_controller_unless_said(made: CardStore) -> None:
    assert placed(made, card="Plain Ogre").owner == "A"
    assert placed(made, card="Plain Ogre", owner="D").owner == "D"


@pytest.mark.parametrize(
    ("keys", "zone", "name", "power", "colors"),
    [
        ({"card": "Day Youth // Night Wolf"}, "battlefield", "Day Youth", 2, ("white",)),
        ({"card": "Day Youth", "transformed": True}, "battlefield", "Night Wolf", 4, ("black",)),
        ({"card": "Night Wolf"}, "battlefield", "Night Wolf", 4, ("black",)),
        ({"card": "Night Wolf", "transformed": False}, "battlefield", "Day Youth", 2, ("white",)),
        ({"card": "Night Wolf"}, "graveyard", "Day Youth", 2, ("white",)),
        ({"card": "Night Wolf"}, "stack", "Night Wolf", 4, ("black",)),
        ({"card": "Wood Path"}, "battlefield", "Wood Path", None, ()),
        ({"card": "Wood Giant"}, "battlefield", "Wood Giant", 7, ("green",)),
        ({"card": "Wood Giant"}, "hand", "Wood Path", None, ()),
        ({"card": "Quiet Student"}, "battlefield", "Quiet Student", 2, ("blue",)),
        ({"card": "Loud Master"}, "battlefield", "Loud Master", 3, ("blue",)),
        ({"card": "Loud Master"}, "hand", "Quiet Student", 2, ("blue",)),
        ({"card": "Story Knight"}, "battlefield", "Story Knight", 3, ("white",)),
        ({"card": "Short Story"}, "battlefield", "Story Knight", 3, ("white",)),
        ({"card": "Short Story"}, "exile", "Story Knight", 3, ("white",)),
        ({"card": "Short Story"}, "stack", "Short Story", None, ("red",)),
        ({"card": "Story Knight"}, "stack", "Story Knight", 3, ("white",)),
        ({"card": "Heat // Cold"}, "hand", "Heat // Cold", None, ("red", "blue")),
        ({"card": "Cold"}, "graveyard", "Heat // Cold", None, ("red", "blue")),
        ({"card": "Cold"}, "stack", "Cold", None, ("blue",)),
    ],
)  # fmt: skip
def test_the_face_that_counts_in_a_zone(
    made: CardStore, keys: dict[str, Any], zone: str, name: str, power: int | None, colors: tuple[str, ...]
) -> None:
    found = placed(made, zone, **keys)
    assert (found.name, found.power) == (name, power)
    assert sorted(found.colors) == sorted(colors)


def test_a_flipped_card_keeps_its_mana_cost(made: CardStore) -> None:
    assert placed(made, card="Loud Master").mana_cost == "{U}"


def test_both_halves_of_a_split_card_off_the_stack(made: CardStore) -> None:
    both = placed(made, "hand", card="Heat")
    assert (both.types, both.mana_cost) == (("instant", "sorcery"), "{1}{R}{1}{U}")


def test_the_halves_of_a_room_count_while_unlocked(made: CardStore) -> None:
    both = read(made, card="Red Parlor // Blue Cellar").objects[0].states
    assert [[condition.text for condition in one.conditions] for one in both] == [["Red Parlor is unlocked"], ["Blue Cellar is unlocked"]]
    assert [one.conditions for one in read(made, card="Blue Cellar").objects[0].states] == [()]


def test_numbers_that_are_not_printed_have_to_be_given(made: CardStore) -> None:
    with pytest.raises(InputError, match=r"names Counted Beast, whose power and toughness are \*/\*; add the key pt"):
        placed(made, card="Counted Beast")
    assert placed(made, card="Counted Beast", pt="3/4").power == 3
    assert read(made, card="Counted Beast", pt="3/4").not_understood("block") == ()
    assert placed(made, "hand", card="Counted Beast").power is None
    with pytest.raises(InputError, match="names Strange Walker, whose loyalty is no number; add the key loyalty"):
        placed(made, card="Strange Walker")
    assert placed(made, card="Strange Walker", loyalty=2).loyalty == 2


def test_loyalty_and_defense(made: CardStore) -> None:
    assert placed(made, card="Wise Walker").loyalty == 4
    assert placed(made, card="Wise Walker", loyalty=1).loyalty == 1
    assert placed(made, card="Wise Walker", counters={"loyalty": 6}).loyalty == 6
    siege = placed(made, card="Far Siege")
    assert (siege.defense, siege.protector, siege.subtypes) == (5, "D", ("Siege",))
    assert placed(made, card="Far Siege", counters={"defense": 2}).defense == 2


def test_a_vehicle_is_no_creature_unless_crewed(made: CardStore) -> None:
    wagon = placed(made, card="Old Wagon")
    assert (wagon.types, wagon.power) == (("artifact",), 4)
    board = "battlefield: {v: {controller: A, card: Old Wagon%s}}\npropose: {p1: {v: D}}"
    assert verdicts(made, board % "") == {"p1": "illegal"}
    assert verdicts(made, board % ", types: [artifact, creature]") == {"p1": "legal"}


@pytest.mark.parametrize("store", ["made", "facts"])
def test_levels(store: str, request: pytest.FixtureRequest) -> None:
    cards = request.getfixturevalue(store)
    assert kinds(read(cards, card="Rising Monk")) == []
    assert read(cards, card="Rising Monk").unread == ()
    assert kinds(read(cards, card="Rising Monk", counters={"level": 2}, pt="3/3")) == ["cannot_block"]
    high = read(cards, card="Rising Monk", counters={"level": 3}, pt="5/5").objects[0]
    assert [(one.kind, (one.value or "").lower(), one.conditions) for one in high.states] == [("has_keyword", "flying", ())]
    with pytest.raises(InputError, match="names Rising Monk, whose pt level counters can change; add the key pt"):
        placed(cards, card="Rising Monk", counters={"level": 1})


@pytest.mark.parametrize("store", ["made", "facts"])
def test_stations(store: str, request: pytest.FixtureRequest) -> None:
    cards = request.getfixturevalue(store)
    assert kinds(read(cards, card="Star Barge")) == []
    with pytest.raises(InputError, match="names Star Barge, whose types charge counters can change; add the key types"):
        placed(cards, card="Star Barge", counters={"charge": 8})
    values = [one.value for one in read(cards, card="Star Barge", counters={"charge": 8}, types=["artifact", "creature"]).objects[0].states]
    assert values == ["menace", "flying"]
    assert placed(cards, card="Star Barge", counters={"charge": 8}, types=["artifact", "creature"]).power == 6


def test_nothing_of_a_face_down_card_counts(made: CardStore) -> None:
    reading = read(made, card="Odd Beast", face_down=True)
    assert (reading.unread, reading.objects[0].states) == ((), ())
    assert placed(made, card="Heat // Cold", face_down=True).face_down
    assert placed(made, card="Counted Beast", face_down=True).face_down


# ---------------------------------------------------------------- what its text does

BOARD = """
battlefield:
  m: {controller: A, card: Big Beast}
  v: {controller: A, card: Plain Ogre}
  b1: {controller: D, card: Plain Ogre}
  b2: {controller: D, card: Plain Ogre}
attack: {m: D, v: D}
propose: {p1: {}, p2: {b1: m}, p3: {b1: v, b2: v}, p4: {b1: m, b2: m}, p5: {b1: m, b2: v}}
"""
CHAINED = """
battlefield:
  b: {controller: A, card: Plain Ogre}
  c: {controller: D, card: Heavy Chain, attached_to: b}
  e: {controller: A, card: Plain Ogre}
propose: {p1: {b: D}, p2: {e: D}}
"""
ARMED = """
battlefield:
  b: {controller: A, card: Plain Ogre}
  k: {controller: A, card: Keen Blade, attached_to: b}
  d: {controller: D, card: Plain Ogre}
attack: {b: D}
propose: {p1: {d: b}}
"""
ROOM = """
battlefield:
  b: {controller: A, card: Plain Ogre}
  r: {controller: A, card: Red Parlor // Blue Cellar}
  d: {controller: D, card: Plain Ogre}
attack: {b: D}
propose: {p1: {}, p2: {d: b}}
"""
ODD = """
battlefield:
  o: {controller: A, card: Odd Beast}
  d: {controller: D, card: Plain Ogre}
attack: {o: D}
propose: {p1: {}, p2: {d: o}}
"""
LEADER = """
battlefield: {b: {controller: A, card: Sole Leader, pt: 1/1}}
propose: {p1: {b: D}}
"""
BOARDS = [
    (BOARD, {"p1": "illegal", "p2": "illegal", "p3": "illegal", "p4": "legal", "p5": "illegal"}),
    (CHAINED, {"p1": "illegal", "p2": "legal"}),
    (ARMED, {"p1": "illegal"}),
    (ROOM, {"p1": "legal", "p2": "undecided"}),
    (ODD, {"p1": "undecided", "p2": "undecided"}),
    (LEADER, {"p1": "legal"}),
]


@pytest.mark.parametrize("store", ["made", "facts"])
@pytest.mark.parametrize(("board", "expected"), BOARDS, ids=["menace", "aura", "equipment", "room", "not understood", "deck"])
def test_verdicts_with_and_without_text(store: str, board: str, expected: dict[str, str], request: pytest.FixtureRequest) -> None:
    assert verdicts(request.getfixturevalue(store), board) == expected


def test_what_is_not_understood_is_named_with_its_card(made: CardStore, facts: CardStore) -> None:
    def doubts(store: CardStore) -> tuple[str, ...]:
        return judge(read_scenario(ODD, cards=store)).proposals["p2"].not_understood

    assert doubts(made) == ("o: Odd Beast: This creature can't be blocked on every second Tuesday.",)
    assert doubts(facts) == ("o: Odd Beast: sentence 1",)


def test_a_violation_says_what_the_card_states(made: CardStore, facts: CardStore) -> None:
    def said(store: CardStore) -> str:
        return judge(read_scenario(CHAINED, cards=store)).proposals["p1"].violations[0].message

    assert 'c says "Enchanted creature can\'t attack or block"' in said(made)
    assert 'c says "what it is attached to: can\'t attack"' in said(facts)


def test_a_triggered_ability_bears_on_the_outcome_alone(made: CardStore, facts: CardStore) -> None:
    for store in (made, facts):
        reading = read(store, card="Odd Lifter")
        assert reading.not_understood("attack") == reading.not_understood("damage") == ()
        assert len(reading.not_understood("outcome")) == 1


def test_a_keyword_that_is_not_known_is_not_understood(tmp_path: Path) -> None:
    strange = card(replace(face("Strange One"), keywords=("menace", "newfangledness 3")))
    with store_of(tmp_path, [strange]) as store:
        reading = read(store, card="Strange One")
    assert [use.keyword for use in reading.objects[0].keywords] == ["menace"]
    assert reading.not_understood("block") == ("x: Strange One: newfangledness 3",)


# ---------------------------------------------------------------- conditions that the board does not tell

BLOOM = """
battlefield:
  x: {controller: A, card: Late Bloomer, conditions: {%s}}
  d: {controller: D, card: Plain Ogre}
attack: {x: D}
propose: {p: {d: x}}
"""


@pytest.mark.parametrize(
    ("conditions", "verdict"),
    [
        ("", "undecided"),
        ('"condition 1 of Late Bloomer": false', "undecided"),
        ('"condition 1 of Late Bloomer": true', "illegal"),
        ('"condition 1 of late bloomer": false, "Condition 2 of Late Bloomer": false', "legal"),
        ('"condition 2 of Late Bloomer": true', "illegal"),
    ],
)
def test_a_scenario_settles_conditions(made: CardStore, facts: CardStore, conditions: str, verdict: str) -> None:
    assert verdicts(made, BLOOM % conditions) == verdicts(facts, BLOOM % conditions) == {"p": verdict}


def test_a_condition_in_the_words_of_its_text(made: CardStore, facts: CardStore) -> None:
    board = BLOOM % '"you have no cards in hand": true'
    assert verdicts(made, board) == verdicts(facts, board) == {"p": "illegal"}
    board = BLOOM % '"there are seven or more cards in your library": true'
    assert verdicts(made, board) == {"p": "illegal"}
    with pytest.raises(InputError, match='x has no open condition "there are seven or more cards in your library"; did you mean'):
        verdicts(facts, board)


def test_a_condition_that_the_board_tells_in_other_words(made: CardStore) -> None:
    told = "players: {A: {hand: %d}, D: {}}" + BLOOM % '"condition 2 of Late Bloomer": false'
    assert [verdicts(made, told % number) for number in (0, 1)] == [{"p": "illegal"}, {"p": "legal"}]
    other = told % 1
    assert verdicts(made, other.replace("condition 2", "condition 1")) == {"p": "undecided"}
    text = "As long as seven or more cards are in your graveyard, this creature can't be blocked."
    effect = '{controller: A, text: "' + text + '", source: x, conditions: {%s}}'
    board = "battlefield: {x: {controller: A, pt: 1/1}, d: {controller: D, pt: 1/1}}\nattack: {x: D}\npropose: {p: {d: x}}\neffects: [%s]"
    given = '"there are seven or more cards in your graveyard": true'
    assert judge(read_scenario(board % (effect % given))).proposals["p"].verdict == "illegal"


def test_a_condition_that_is_not_there(made: CardStore) -> None:
    with pytest.raises(
        InputError, match='x has no open condition "you have no card in hand"; did you mean "you have no cards in hand"'
    ) as caught:
        judge(read_scenario(BLOOM % '"you have no card in hand": true', cards=made, file="board.yaml"))
    assert caught.value.line == 3


def test_conditions_of_texts_that_are_written_out() -> None:
    effect = '{controller: A, text: "As long as you have no cards in hand, creatures you control have menace.", conditions: {%s}}'
    board = "battlefield: {x: {controller: A, pt: 1/1}, d: {controller: D, pt: 1/1}}\nattack: {x: D}\npropose: {p: {d: x}}\neffects: [%s]"
    said = {
        each: judge(read_scenario(board % (effect % each))).proposals["p"].verdict for each in ("", NO_CARDS + "true", NO_CARDS + "false")
    }
    assert said == {"": "undecided", NO_CARDS + "true": "illegal", NO_CARDS + "false": "legal"}


NO_CARDS = '"you have no cards in hand": '


@pytest.mark.parametrize("store", ["made", "facts"])
def test_class_levels(store: str, request: pytest.FixtureRequest) -> None:
    cards = request.getfixturevalue(store)
    granted = [
        [one.value for one in read(cards, card="School of Wolves", **keys).objects[0].states] for keys in ({}, {"level": 1}, {"level": 2})
    ]
    assert granted == [["vigilance"], ["vigilance"], ["vigilance", "menace"]]


def test_a_designation_settles_its_condition() -> None:
    board = "battlefield: {x: {controller: A, types: [enchantment], text: Solved — Creatures you control have menace., designations: [%s]}}"
    states = [read_board(read_scenario(board % word).board, knowledge()).objects[0].states for word in ("", "solved")]
    assert [[len(one.conditions) for one in each] for each in states] == [[1], [0]]


# ---------------------------------------------------------------- plays

CAST = """
judge: cast
players: {A: {mana: "{R}%s"}, D: {}}
turn: {phase: main1, priority: A}
battlefield: {d: {controller: D, card: Plain Ogre}%s}
hand: {o: {owner: A, card: Plain Ogre}, b: {owner: A, card: Odd Bolt}}
propose:
  ogre: {cast: o, pay: "{2}{R}"}
  bolt: {cast: b, targets: [d], pay: "{R}"}
  nothing: {cast: b, targets: [], pay: "{R}"}
"""


def test_spells_with_their_texts(made: CardStore) -> None:
    assert verdicts(made, CAST % ("{2}", "")) == {"ogre": "legal", "bolt": "legal", "nothing": "illegal"}
    assert verdicts(made, CAST % ("{2}", ", m: {controller: A, card: Slow Mire}"))["ogre"] == "illegal"


def test_spells_whose_text_bears_on_them_and_is_not_installed(facts: CardStore) -> None:
    assert verdicts(facts, CAST % ("{2}", "")) == {"ogre": "legal", "bolt": "undecided", "nothing": "undecided"}
    for name in ("Slow Mire", "Ritual Elf"):
        answer = judge(read_scenario(CAST % ("{2}", f", m: {{controller: A, card: {name}}}"), cards=facts)).proposals["ogre"]
        assert (answer.verdict, answer.not_understood) == ("undecided", (f"m: the text of {name}, which is not installed",))


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("card: Plain Oger", 'x.card is not the name of one card: no card is called "Plain Oger"; did you mean "Plain Ogre"?'),
        ("card: [Plain Ogre]", "board.yaml:3: battlefield.x.card must be the name of a card, but is a list"),
        ("card: Plain Ogre, transformed: true", "which has no back face, but the key transformed beside it is true (712.9)"),
        ("card: Heat", "names Heat // Cold, which can't be on the battlefield: instant is no permanent (110.4)"),
        ("card: Old Wagon, types: [creature], power: 2", 'the key "power" is not known in battlefield.x'),
        ("card: Plain Ogre, also: [flying]", "battlefield.x.also must be a map, but is a list"),
        ("card: Plain Ogre, also: {keyword: [flying]}", 'the key "keyword" is not known in battlefield.x.also; did you mean "keywords"?'),
        ("card: Wise Walker, loyalty: 3, counters: {loyalty: 2}", "battlefield.x.loyalty is 3, but the counters say 2"),
        ("card: Wise Walker, types: [creature]", "names Wise Walker, which has no power and toughness; add the key pt"),
    ],
)  # fmt: skip
def test_bad_input(made: CardStore, keys: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_scenario(f"battlefield:\n  x:\n    {{controller: A, {keys}}}\n", file="board.yaml", cards=made)
    assert words in str(caught.value)
    assert caught.value.line == 3


def test_a_misspelt_card_ends_the_command_with_status_2(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.yaml"
    file.write_text("battlefield:\n  x: {controller: A, card: Grizly Bears}\npropose: {p: {x: D}}\n", encoding="utf-8")
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["lawmage", "check", str(file)])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert (
        f'{file}:2: battlefield.x.card is not the name of one card: no card is called "Grizly Bears"; did you mean "Grizzly Bears"' in told
    )


def test_a_keyword_beside_a_card_that_does_not_exist(made: CardStore) -> None:
    text = "battlefield:\n  x:\n    controller: A\n    card: Plain Ogre\n    also:\n      keywords: [menac]\npropose: {p1: {x: D}}\n"
    with pytest.raises(InputError, match='"menac" on x is not a keyword ability; did you mean "menace"') as caught:
        judge(read_scenario(text, file="board.yaml", cards=made))
    assert caught.value.line == 6


def test_a_back_face_is_up_on_the_battlefield_and_the_stack_alone(made: CardStore) -> None:
    with pytest.raises(InputError, match=r"has only its front face in the zone hand \(712.8a\), but is transformed"):
        placed(made, "hand", card="Day Youth", transformed=True)


def test_no_card_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    monkeypatch.setattr("lawmage.cards.store.shipped_file", lambda: tmp_path / "none.sqlite")
    assert scenario_from({"battlefield": {"x": {"controller": "A", "pt": "1/1"}}}).board.objects["x"].power == 1
    with pytest.raises(DataError, match="no cards are installed"):
        scenario_from({"battlefield": {"x": {"controller": "A", "card": "Grizzly Bears"}}})


# ---------------------------------------------------------------- all cards


def test_shipped_cards_can_be_placed() -> None:
    """A sample of all cards, each on the battlefield or, where it cannot be there, in a hand."""
    with CardStore.open(shipped_file()) as store:
        cards = random.Random(3).sample(list(store.cards()), 500)
        known = knowledge()
        for one in cards:
            given: dict[str, Any] = {"card": one.name, "pt": "1/1", "loyalty": 1, "types": ["creature"]}
            battlefield = scenario_from({"battlefield": {"x": {"controller": "A"} | given}}, cards=store)
            assert len(read_board(battlefield.board, known).objects) == 1
            assert placed(store, "hand", card=one.name).name in (one.name, one.faces[0].name)


@pytest.mark.parametrize("sample", ["scryfall_list_ATQ_100cards.json", "mtgjson_AtomicCards_fixture_85cards_2026-03-01.json"])
def test_a_card_says_what_its_text_says(shared: Path, tmp_path: Path, sample: str) -> None:
    """What is stored of a card, with its text or without, is what is read where a scenario has the text itself."""
    installed, bare = tmp_path / "installed.sqlite", tmp_path / "bare.sqlite"
    import_cards(shared / "data" / "cards" / sample, target=installed, processes=1)
    with CardStore.open(installed) as store:
        ship(store, bare)
        compared = 0
        with CardStore.open(bare) as facts_alone:
            for one in store.cards():
                stood = {"pt": "1/1", "loyalty": 1, "types": ["creature"]}
                written = _alone({"name": one.faces[0].name, "text": one.faces[0].text} | stood)
                stored, fact = (_alone({"card": one.oracle_id, "transformed": False} | stood, cards) for cards in (store, facts_alone))
                assert _told(stored) == _told(fact) == _told(written), one.name
                assert [state.source for state in stored.objects[0].states] == [state.source for state in written.objects[0].states]
                compared += 1
    assert compared > 50


def _alone(keys: dict[str, Any], cards: CardStore | None = None) -> Reading:
    return read_board(scenario_from({"battlefield": {"an-object": {"controller": "A"} | keys}}, cards=cards).board, knowledge())


def _told(reading: Reading) -> tuple[Any, ...]:
    """What a reading of one object says: keywords, statements without their words, how much bears on what without being understood."""
    holder = reading.objects[0]
    said = [
        replace(one, source="", value=None, conditions=tuple(replace(each, text="") for each in one.conditions)) for one in holder.states
    ]
    doubts = {judge: bool(reading.not_understood(judge)) for judge in ("attack", "block", "damage", "outcome")}
    return [(use.keyword, use.quality, use.number) for use in holder.keywords], said, doubts, bool(reading.triggered)


@pytest.mark.parametrize("sample", ["scryfall_list_ATQ_100cards.json", "mtgjson_AtomicCards_fixture_85cards_2026-03-01.json"])
def test_random_boards_with_and_without_text(shared: Path, tmp_path: Path, sample: str) -> None:
    """Cards with and without their texts get the same verdicts, which the independent checker confirms."""
    installed, bare = tmp_path / "installed.sqlite", tmp_path / "bare.sqlite"
    import_cards(shared / "data" / "cards" / sample, target=installed, processes=1)
    draw = random.Random(23)
    with CardStore.open(installed) as store:
        ship(store, bare)
        names = [one.name for one in store.cards() if {"creature", "artifact", "enchantment"}.intersection(one.faces[0].types)]
        with CardStore.open(bare) as facts_alone:
            for _ in range(40):
                board = _random_board(draw, names)
                told, bare_told = (judge(scenario_from(board, cards=cards), checked=True).proposals for cards in (store, facts_alone))
                assert {name: one.verdict for name, one in told.items()} == {name: one.verdict for name, one in bare_told.items()}, board


def _random_board(draw: random.Random, names: list[str]) -> dict[str, Any]:
    field: dict[str, Any] = {
        f"{side.lower()}{number}": {"controller": side, "card": draw.choice(names), "types": ["creature"], "pt": f"{draw.randint(0, 4)}/2"}
        for side in "AD"
        for number in range(3)
    }
    field["e"] = {"controller": draw.choice("AD"), "card": draw.choice(names), "types": ["enchantment"]}
    if draw.random() < 0.4:
        return {"battlefield": field, "propose": {"p": {f"a{number}": "D" for number in range(3) if draw.random() < 0.6}}}
    blocks = {f"d{number}": f"a{draw.randrange(3)}" for number in range(3) if draw.random() < 0.6}
    return {"battlefield": field, "attack": {f"a{number}": "D" for number in range(3)}, "propose": {"p": blocks, "q": {}}}


# ---------------------------------------------------------------- plays


def plays(store: CardStore, judged: str, text: str) -> dict[str, str]:
    return verdicts(store, f"judge: {judged}\n{text}")


def test_the_face_that_is_cast_is_chosen(made: CardStore) -> None:
    assert plays(
        made,
        "cast",
        """
active: D
turn: {phase: main1, priority: A}
hand: {g: {owner: A, card: Stone Giant}, h: {owner: A, card: Heat // Cold}}
propose:
  by_name: {cast: g, using: stamp, targets: [D], pay: "{1}{R}"}
  by_kind: {cast: g, using: adventure, targets: [D], pay: "{1}{R}"}
  its_cost: {cast: g, using: stamp, targets: [D], pay: "{2}{R}"}
  creature: {cast: g, pay: "{2}{R}"}
  heat: {cast: h, using: Heat, pay: "{1}{R}"}
  cold: {cast: h, using: Cold, pay: "{1}{U}"}
  either: {cast: h, pay: "{1}{R}"}
  both: {cast: h, pay: "{2}{U}{R}"}
""",
    ) == {
        "by_name": "legal",
        "by_kind": "legal",
        "its_cost": "illegal",
        "creature": "illegal",
        "heat": "legal",
        "cold": "illegal",
        "either": "legal",
        "both": "illegal",
    }


def test_the_nearest_play_of_a_card_with_faces(made: CardStore) -> None:
    """To name another face is one change; what is named stays named."""
    text = """
judge: cast
active: D
turn: {phase: main1, priority: A}
hand: {g: {owner: A, card: Stone Giant}, h: {owner: A, card: Heat // Cold}, r: {owner: A, card: Bright Recovery}}
propose:
  its_cost: {cast: g, using: stamp, targets: [D], pay: "{2}{R}"}
  creature: {cast: g, targets: [D], pay: "{1}{R}"}
  cold: {cast: h, using: Cold, pay: "{1}{U}"}
  both: {cast: h, pay: "{2}{U}{R}"}
  recovery: {cast: r}
"""
    scenario = read_scenario(text, cards=made)
    found = judge(scenario, explain=True, explain_seconds=60.0).proposals
    assert {name: verdict.as_json().get("nearest") for name, verdict in found.items()} == {
        "its_cost": {"cast": "g", "using": "stamp", "targets": ["D"], "pay": "{1}{R}"},
        "creature": {"cast": "g", "targets": ["D"], "pay": "{1}{R}", "using": "Stamp"},
        "cold": {"cast": "h", "using": "Heat", "pay": "{1}{R}"},
        "both": {"cast": "h", "pay": "{1}{R}"},
        "recovery": None,
    }
    assert found["recovery"].no_nearest == "no way for A to cast r is legal now"
    for name, verdict in found.items():
        if verdict.nearest is not None:
            again = replace(scenario, proposals=tuple(replace(one, raw=verdict.nearest) for one in scenario.proposals if one.name == name))
            assert judge(again).proposals[name].verdict == "legal"


def test_a_land_on_the_back_is_played(made: CardStore) -> None:
    hand = "hand: {r: {owner: A, card: Bright Recovery}}\n"
    land = "propose: {land: {special: play land, object: r}, by_name: {special: play land, object: r, using: Bright Sanctuary}}"
    assert plays(made, "special", hand + land) == {"land": "legal", "by_name": "legal"}
    cast = 'propose: {front: {cast: r, pay: "{2}{G}"}, back: {cast: r, using: Bright Sanctuary}}'
    assert plays(made, "cast", hand + cast) == {"front": "legal", "back": "illegal"}


def test_a_card_without_mana_cost_is_not_cast_for_it(made: CardStore) -> None:
    hand = "hand: {v: {owner: A, card: Old Vision}}\n"
    assert plays(made, "cast", hand + 'propose: {for_nothing: {cast: v, pay: "{0}"}, so: {cast: v}}') == {
        "for_nothing": "illegal",
        "so": "illegal",
    }
    assert plays(made, "special", hand + 'propose: {suspended: {special: suspend, object: v, pay: "{U}"}}') == {"suspended": "legal"}
    verdict = judge(read_scenario(f"judge: cast\n{hand}propose: {{p: {{cast: v}}}}", cards=made)).proposals["p"]
    assert [(one.rule, one.message) for one in verdict.violations] == [("118.6", "v has no mana cost, so its mana cost can't be paid")]


def test_a_card_is_turned_face_up_for_its_morph_cost(made: CardStore) -> None:
    text = """
active: D
turn: {phase: combat, step: declare_blockers, priority: A}
battlefield: {a: {controller: A, card: Hidden Angel, face_down: true}, b: {controller: A, card: Ritual Elf, face_down: true}}
propose:
  up: {special: turn face up, object: a, pay: "{2}{W}"}
  cheap: {special: turn face up, object: a, pay: "{3}"}
  elf: {special: turn face up, object: b}
"""
    assert plays(made, "special", text) == {"up": "legal", "cheap": "illegal", "elf": "illegal"}


def test_a_keyword_whose_card_has_it_as_a_label(made: CardStore) -> None:
    text = 'outside: {f: {owner: A, card: Small Friend}}\npropose: {p: {special: companion, object: f, pay: "{3}"}}'
    assert plays(made, "special", text) == {"p": "legal"}


def test_mana_that_the_texts_of_cards_add(made: CardStore) -> None:
    text = """
players: {A: {mana: "{0}"}, D: {}}
battlefield: {r: {controller: A, card: Twin Ring}, e: {controller: A, card: Ritual Elf}, n: {controller: A, card: Ritual Elf, sick: true}}
hand: {o: {owner: A, card: Plain Ogre}, a: {owner: A, card: Hidden Angel}}
propose: {ogre: {cast: o}, angel: {cast: a}}
"""
    assert plays(made, "cast", text) == {"ogre": "legal", "angel": "illegal"}


def test_a_back_face_that_is_an_aura_is_not_judged(made: CardStore) -> None:
    text = """
graveyard: {g: {owner: A, card: Day Ghost}, c: {owner: A, card: Day Child}}
battlefield: {o: {controller: A, card: Plain Ogre}}
propose:
  aura: {cast: g, using: disturb, targets: [o], pay: "{1}{W}"}
  spirit: {cast: c, using: disturb, pay: "{1}{W}"}
  front: {cast: c, pay: "{W}"}
"""
    assert plays(made, "cast", text) == {"aura": "undecided", "spirit": "legal", "front": "illegal"}
