"""What sentences that are not understood could change about plays."""

from __future__ import annotations

import pytest

from lawmage.play.knowledge import knowledge
from lawmage.text.doubts import Doubt, doubt_about

_ALL = Doubt()


@pytest.mark.parametrize(
    "sentence",
    [
        "This spell costs {1} less to cast for each card in your graveyard.",
        "You may cast this card from your graveyard by paying 2 life.",
        "As an additional cost to cast this spell, choose a creature type.",
        "If it's not your turn, you may exile a card from your hand rather than pay this spell's mana cost.",
        "This creature enters with a +1/+1 counter on it for each color of mana spent to cast it.",
    ],
)
def test_about_how_the_card_itself_is_played(sentence: str) -> None:
    assert doubt_about(sentence, knowledge().forms).itself


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("Creature spells of the chosen type cost {1} less to cast.", {"cast"}),
        ("Activated abilities of sources with the chosen name can't be activated.", {"activate"}),
        ("Cards in graveyards can't be the targets of spells or abilities.", {"target"}),
        ("This enchantment can't be the target of white spells or abilities from white sources.", {"target"}),
        ("Equip abilities you activate that target this creature cost {1} less to activate.", {"activate", "target"}),
        ('Enchanted creature has "{T}: This creature deals 1 damage to any target."', {"activate"}),
        ('Other creatures have "Whenever this creature attacks, it deals 1 damage to any target."', set()),
        ("Play with the top card of your library revealed.", set()),
        ("The flashback cost is equal to its mana cost.", {"cast"}),
        ("Foretelling cards from your hand costs {1} less.", {"cast", "special"}),
        ("This creature crews Vehicles using its toughness rather than its power.", {"activate"}),
        ("Spells you cast have split second.", {"cast", "activate"}),
        ("Creatures you control have haste and hexproof.", {"activate", "target"}),
        ('Other creatures have haste and "Whenever this creature attacks, draw a card."', {"activate"}),
        ("All creature cards you own with flash are instants in addition to their other types.", set(_ALL.kinds)),
    ],
)
def test_of_what_kinds_the_plays_are(sentence: str, kinds: set[str]) -> None:
    assert doubt_about(sentence, knowledge().forms).kinds == kinds


@pytest.mark.parametrize(
    "sentence",
    [
        "All creatures lose all abilities.",
        'Creatures you control have "Spells your opponents cast that target this creature cost {1} more to cast."',
        'Equipped creature is a Wizard and has "Whenever this creature attacks, draw a card."',
        "Something else with a target that has an activated ability casts a spell attached to lands.",
    ],
)
def test_it_could_change_anything(sentence: str) -> None:
    doubt = doubt_about(sentence, knowledge().forms)
    assert (doubt.itself, doubt.by, doubt.allows, doubt.forbids, doubt.mana) == (False, "", True, True, False)


@pytest.mark.parametrize(
    ("sentence", "by"),
    [
        ("You may cast spells from the top of your library.", "you"),
        ("Your opponents can't cast spells with the chosen name.", "opponent"),
        ("Each player may look at cards that they exiled, and they may cast spells from among those cards.", ""),
        ("Players can't cast spells with the chosen name.", ""),
        ("Spells your opponents cast that target creatures you control cost {1} more to cast.", ""),
    ],
)
def test_whose_plays(sentence: str, by: str) -> None:
    assert doubt_about(sentence, knowledge().forms).by == by


@pytest.mark.parametrize(
    ("sentence", "allows", "forbids"),
    [
        ("You may cast spells from the top of your library.", True, False),
        ("Creature cards you own that aren't on the battlefield have flash.", True, False),
        ("Spells with the chosen name can't be cast.", False, True),
        ("Creatures and lands you control have shroud.", False, True),
        ("Creatures and lands you control have shroud and flash.", True, True),
        ("Creatures with hexproof can be the targets of spells you control as though they didn't have hexproof.", True, True),
        ("You may cast only one spell each turn.", True, True),
        ("The first instant or sorcery spell you cast each turn has casualty 1.", True, False),
        ("Commander spells you cast have demonstrate.", True, False),
        ("The first spell you cast from exile each turn has cascade if it is red.", True, False),
        ("Each spell you cast has split second if mana from an artifact was spent to cast it.", False, True),
        ("Spells you cast have devoid.", True, True),
        ("Spells you cast have spree.", True, True),
        ("The flashback cost is equal to that card's mana cost.", True, False),
        ("The first spell you cast each turn costs {1} less to cast.", True, True),
    ],
)
def test_what_it_could_do(sentence: str, allows: bool, forbids: bool) -> None:
    doubt = doubt_about(sentence, knowledge().forms)
    assert (doubt.allows, doubt.forbids) == (allows, forbids)


@pytest.mark.parametrize(
    ("sentence", "mana"),
    [
        ("The first spell you cast each turn costs {1} less to cast.", True),
        ("Spells you cast cost {X} less to cast, where X is this creature's power.", True),
        ("During your turn, creatures you control have first strike and equip abilities you activate cost {1} less to activate.", True),
        ("Spells cost {1} more to cast and can't be cast from graveyards.", False),
        ("This spell costs {1} less to cast and has flash.", False),
        ("As an additional cost to cast creature spells, you may pay 2 life.", False),
    ],
)
def test_only_how_much_mana(sentence: str, mana: bool) -> None:
    assert doubt_about(sentence, knowledge().forms).mana == mana


def test_what_is_not_recognised_could_change_anything() -> None:
    assert doubt_about("This is no sentence of a card", knowledge().forms) == _ALL


@pytest.mark.parametrize(
    ("sentence", "attached", "there", "zones"),
    [
        ("Enchanted creature loses all abilities and has base power and toughness 1/1.", True, False, set()),
        (
            "As long as this Equipment is attached to a creature, you may cast creature spells from the top of your library.",
            True,
            False,
            set(),
        ),
        ("Creatures you control lose all abilities.", False, False, set()),
        ("This creature has hexproof as long as you control an Illusion.", False, True, set()),
        ("~ can't be the target of blue spells.", False, True, set()),
        ("~ has flash and hexproof as long as it's raining.", False, False, set()),
        ("Players can't cast spells from graveyards or libraries.", False, False, {"graveyard", "library"}),
        ("Players can't cast creature spells from exile.", False, False, {"exile"}),
        ("Players can't cast spells from anywhere other than their hands.", False, False, set()),
    ],
)
def test_where_it_says_so(sentence: str, attached: bool, there: bool, zones: set[str]) -> None:
    doubt = doubt_about(sentence, knowledge().forms)
    assert (doubt.attached, doubt.there, set(doubt.zones)) == (attached, there, zones)
