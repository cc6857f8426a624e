"""What triggered abilities wait for, where that is nothing but results of combat damage."""

import pytest

from lawmage.text.bearing import Event, event_of


@pytest.mark.parametrize(
    ("sentence", "event"),
    [
        ("Whenever another creature dies, you gain 1 life.", Event(frozenset({"left"}))),
        ("Whenever this creature or another creature dies, you gain 1 life.", Event(frozenset({"left"}))),
        ("Whenever a creature dealt damage by this creature this turn dies, you gain 1 life.", Event(frozenset({"left"}))),
        ("Whenever a creature with a counter on it dies, you gain 1 life.", Event(frozenset({"left"}))),
        ("Whenever you gain life or a creature dies, draw a card.", Event(frozenset({"left", "life_gained"}))),
        ("When that creature dies this turn, you gain 1 life.", Event(frozenset({"left"}))),
        ("When this creature dies, you gain 1 life.", Event(frozenset({"left"}), "self")),
        ("When Zorp dies, if it had counters on it, you gain 1 life.", Event(frozenset({"left"}), "self")),
        ("When this creature enters or dies, you gain 1 life.", Event(frozenset({"left"}))),
        ("When enchanted creature leaves the battlefield, sacrifice a creature.", Event(frozenset({"left"}), "attached")),
        ("Whenever Zorp deals combat damage to a player, you gain 1 life.", Event(frozenset({"damage_to_players"}), "self")),
        ("Whenever this creature deals damage, you gain that much life.", Event(frozenset({"damage"}), "self")),
        ("Whenever this creature deals damage to a player or battle, you gain 1 life.", Event(frozenset({"damage"}), "self")),
        (
            "Whenever one or more creatures you control deal combat damage to a player, you gain 1 life.",
            Event(frozenset({"damage_to_players"})),
        ),
        (
            "Whenever a source deals damage to you or a creature you control, you gain 1 life.",
            Event(frozenset({"damage", "damage_to_players"})),
        ),
        ("Whenever equipped creature is dealt damage, you gain 1 life.", Event(frozenset({"damaged"}), "attached")),
        ("Whenever you gain life, you lose 1 life.", Event(frozenset({"life_gained"}))),
        ("Whenever you gain or lose life, put a counter on this creature.", Event(frozenset({"life_gained", "life_lost"}))),
        ("When you have 10 or less life, sacrifice this creature.", Event(frozenset({"life_gained", "life_lost"}))),
        (
            "Whenever a creature with a counter on it dies, or you gain life, draw a card.",
            Event(frozenset({"left", "counters", "life_gained"})),
        ),
    ],
)
def test_what_has_to_happen(sentence: str, event: Event) -> None:
    assert event_of(sentence, ["Zorp"]) == event


@pytest.mark.parametrize(
    "sentence",
    [
        "Whenever this creature attacks or dies, you gain 1 life.",
        "Whenever this creature becomes blocked, you gain 1 life.",
        "At end of combat, you gain 1 life.",
        "Whenever damage that would be dealt to you is prevented, you gain that much life.",
        "If a creature would die, you gain 1 life.",
        "Whenever a creature fights, it deals damage to you.",
    ],
)
def test_what_combat_damage_alone_does_not_settle(sentence: str) -> None:
    assert event_of(sentence) is None
