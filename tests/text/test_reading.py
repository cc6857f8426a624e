"""Sentences that are read, and what as."""

from __future__ import annotations

import pytest

from lawmage.text.read import read_text

from .notation import FORMS, stated

# One wording a line; what it states below it. "Bosk" is the object itself.
READ = """
Bosk can't block.
    cannot_block self
This creature can't block artifact creatures.
    cannot_block self object {type artifact & type creature}
This creature can't block black creatures with power 2 or greater.
    cannot_block self object {color black & power_at_least 2}
This creature can't block creatures with power greater than this creature's power.
    cannot_block self object {power_greater_than_own}
Enchanted creature can't attack or block, and its activated abilities can't be activated.
    cannot_attack attached
    cannot_block attached
Enchanted permanent can't attack, block, or crew Vehicles.
    cannot_attack attached
    cannot_block attached
Creatures without flying or islandwalk can't attack.
    cannot_attack {not keyword flying & not keyword islandwalk}
Nonartifact creatures can't block this turn.
    cannot_block {not type artifact}
Creatures that aren't Walls can't block.
    cannot_block {not subtype Wall}
White creatures and blue creatures can't block.
    cannot_block {color white | color blue}
Creatures your opponents control with -1/-1 counters on them can't block.
    cannot_block {controlled_by opponent & has_counter -1/-1}
Creatures with power less than Bosk's power can't block creatures you control.
    cannot_block {power_less_than_source} object {controlled_by you}
Creatures with power less than Bosk's power can't block it.
    cannot_be_blocked self object {power_less_than_own}
This creature can block only creatures with flying.
    can_block_only self object {keyword flying}
This creature can't be blocked by Walls.
    cannot_be_blocked self object {subtype Wall}
This creature can't be blocked by creatures with power 2 or less.
    cannot_be_blocked self object {power_at_most 2}
This creature can't be blocked by creatures with power 2.
    cannot_be_blocked self object {power_at_most 2 & power_at_least 2}
This creature can't be blocked by creatures with power or toughness 1 or less.
    cannot_be_blocked self object {power_at_most 1 | toughness_at_most 1}
Creatures you control can't be blocked by creatures with greater power.
    cannot_be_blocked {controlled_by you} object {power_greater_than_own}
This creature can't be blocked by creature tokens.
    cannot_be_blocked self object {token}
This creature can't be blocked by black and/or red creatures.
    cannot_be_blocked self object {color black | color red}
This creature can't be blocked by enchanted creatures or enchantment creatures.
    cannot_be_blocked self object {enchanted | type enchantment & type creature}
Equipped creature can't be blocked by Vampires or Zombies.
    cannot_be_blocked attached object {subtype Vampire | subtype Zombie}
This creature can't be blocked except by artifact creatures and/or white creatures.
    blocked_only_by self object {type artifact & type creature | color white}
This creature can't be blocked except by Walls and/or creatures with flying.
    blocked_only_by self object {subtype Wall | keyword flying}
This creature can't be blocked except by creatures with flying or reach.
    blocked_only_by self object {keyword flying | keyword reach}
This creature can't be blocked except by creatures that share a color with it.
    blocked_only_by self object {shares_color_with_own}
This Vehicle can't be blocked except by Vehicles.
    blocked_only_by self object {subtype Vehicle}
Oxen, Elves, and Rats you control can't be blocked.
    cannot_be_blocked {subtype Ox & controlled_by you | subtype Elf & controlled_by you | subtype Rat & controlled_by you}
Black creatures you control can't be blocked this turn except by black creatures.
    blocked_only_by {color black & controlled_by you} object {color black}
This creature can't be blocked except by three or more creatures.
    min_blockers self number 3
This creature can't be blocked by more than one creature.
    max_blockers self number 1
This creature can't be blocked unless all creatures defending player controls block it.
    all_or_none self
This creature can't block or be blocked by creatures with power 2 or greater.
    cannot_block self object {power_at_least 2}
    cannot_be_blocked self object {power_at_least 2}
This creature can't block and can't be blocked.
    cannot_block self
    cannot_be_blocked self
This creature can't attack or block alone.
    attack_only_with self number 1
    block_only_with self number 1
This creature can't block unless at least two other creatures block.
    block_only_with self number 2
This creature can't attack unless a creature with greater power also attacks.
    attack_only_with self object {power_greater_than_own} number 1
This creature can only attack alone.
    attack_only_alone self
No more than two creatures can block each combat.
    at_most_blockers {any} number 2
No more than one creature can attack you each combat.
    at_most_attackers {any} number 1 target you
Creatures with flying can't attack you or block creatures you control.
    cannot_attack {keyword flying} target you
    cannot_block {keyword flying} object {controlled_by you}
Creatures named Old Fen Toad can't attack you or planeswalkers you control.
    cannot_attack {named Old Fen Toad} target you
    cannot_attack {named Old Fen Toad} target planeswalker you control
This creature attacks each combat if able, can't be sacrificed, and can't attack its owner.
    attacks_if_able self
    cannot_attack self target its owner
Creatures can't attack you or planeswalkers you control unless their controller pays {1} for each of those creatures.
    attack_cost {any} value {1} target you
    attack_cost {any} value {1} target planeswalker you control
Enchanted creature can't attack or block unless its controller pays {3}.
    attack_cost attached value {3}
    block_cost attached value {3}
This creature can't attack unless you pay {X}, where X is the number of enchantments you control.
    attack_cost self object {type enchantment & controlled_by you} value {1}
Enchanted creature can't attack unless its controller pays {1} for each Cleric on the battlefield.
    attack_cost attached object {subtype Cleric} value {1}
Creatures can't attack you or planeswalkers you control unless their controller pays 2 life for each of those creatures.
    attack_cost {any} value 2 life target you
    attack_cost {any} value 2 life target planeswalker you control
Nonblue creatures can't block unless their controller pays 1 life for each blocking creature they control.
    block_cost {not color blue} value 1 life
This creature can't attack unless you sacrifice a land.
    attack_act self object {type land} number 1 value sacrifice
This creature can't attack or block unless you sacrifice two Islands.
    attack_act self object {subtype Island} number 2 value sacrifice
    block_act self object {subtype Island} number 2 value sacrifice
This creature can't block creatures with power 3 or greater unless you pay {1}.
    block_cost_against self object {power_at_least 3} value {1}
Nonblue creatures can't block creatures you control unless their controller pays 1 life for each blocking creature they control.
    block_cost_against {not color blue} object {controlled_by you} value 1 life
Enchanted creature can't be blocked unless defending player pays {3} for each creature they control that's blocking it.
    blocked_cost attached value {3}
This creature can't attack or block unless you pay {1} for each +1/+1 counter on it.
    attack_cost_for_counters self object {has_counter +1/+1} value {1}
    block_cost_for_counters self object {has_counter +1/+1} value {1}
Each creature with a counter on it can't attack you unless its controller pays {X}, where X is the number of counters on that creature.
    attack_cost_for_counters {has_counter} object {has_counter} value {1} target you
Enchanted creature can't attack or block unless its controller pays {1} for each card in your hand.
    attack_cost_for_hand attached value {1}
    block_cost_for_hand attached value {1}
This creature can't block unless you sacrifice another creature.
    block_act self object {other & type creature} number 1 value sacrifice
This creature can't attack unless you tap two untapped creatures you control.
    attack_act self object {type creature & controlled_by you} number 2 value tap
This creature can't attack or block unless you tap an untapped Wall not declared as an attacking or blocking creature this combat.
    attack_act self object {subtype Wall} number 1 value tap_undeclared
    block_act self object {subtype Wall} number 1 value tap_undeclared
This creature can't attack unless you return a land you control to its owner's hand.
    attack_act self object {type land & controlled_by you} number 1 value return
Red creatures can't attack unless their controller sacrifices a land of their choice for each red creature they control that's attacking.
    attack_act {color red} object {type land} number 1 value sacrifice
Enchanted creature can't block unless its controller taps an untapped artifact they control.
    block_act attached object {type artifact} number 1 value tap
This creature can't block unless you pay {2}{W}.
    block_cost self value {2}{W}
This creature can block an additional creature each combat.
    extra_blocks self number 1
Target creature can block up to two additional creatures this turn.
    extra_blocks affected number 2
This creature can block any number of creatures.
    any_blocks self
This creature can block Dragons as though it had reach.
    block_as_though_keyword self object {subtype Dragon} value reach
This creature can block creatures with shadow as though it had shadow.
    block_as_though_keyword self object {keyword shadow} value shadow
This creature can block creatures with shadow as though they didn't have shadow.
    block_as_though_without self value shadow
Creatures with islandwalk can be blocked as though they didn't have islandwalk.
    blocked_as_though_without {keyword islandwalk} value islandwalk
Creatures with landwalk abilities can be blocked as though they didn't have those abilities.
    blocked_as_though_without {any} value landwalk
Tapped creatures you control can block as though they were untapped.
    block_while_tapped {tapped & controlled_by you}
Creatures you control can attack as though they didn't have defender.
    attack_as_though_without {controlled_by you} value defender
No more than one creature can attack Bosk each combat.
    at_most_attackers {any} number 1 target this
Target creature attacks that player this turn if able.
    attacks_if_able affected target named
This creature attacks or blocks each combat if able.
    attacks_if_able self
    blocks_if_able self
Target creature blocks Bosk this turn if able.
    blocks_if_able affected object self
Other Goblin creatures you control attack each combat if able.
    attacks_if_able {other & subtype Goblin & controlled_by you}
This creature must be blocked if able.
    must_be_blocked self number 1
This creature must be blocked by two or more creatures if able.
    must_be_blocked self number 2
Equipped creature must be blocked by an Eldrazi if able.
    must_be_blocked attached object {subtype Eldrazi} number 1
This creature must be blocked by exactly one creature if able.
    must_be_blocked_exactly self number 1
All creatures able to block this creature do so.
    all_block self
All Walls able to block this creature or enchanted creature do so.
    all_block self object {subtype Wall}
    all_block attached object {subtype Wall}
Other Elves you control get +1/+1 and have forestwalk.
    gets {other & subtype Elf & controlled_by you} +1/+1
    has_keyword {other & subtype Elf & controlled_by you} value forestwalk
Enchanted creature has protection from red and from blue.
    has_keyword attached value protection from red
    has_keyword attached value protection from blue
Equipped creature gets +1/+0, has vigilance, and can't be blocked by creatures with flying.
    gets attached +1/+0
    has_keyword attached value vigilance
    cannot_be_blocked attached object {keyword flying}
Target creature gains menace until end of turn. It must be blocked this turn if able.
    has_keyword affected value menace
    must_be_blocked affected number 1
Up to two target creatures each get +2/-1 until end of turn. They can't be blocked this turn.
    gets affected +2/-1
    cannot_be_blocked affected
Return target creature card from your graveyard to the battlefield. It can't block.
    cannot_block affected
Creatures target player controls can't block this turn.
    cannot_block affected
Enchanted creature gets +4/+4, and all creatures able to block it do so.
    gets attached +4/+4
    all_block attached
Survivors your opponents control can't block, and they can't attack you.
    cannot_block {subtype Survivor & controlled_by opponent}
    cannot_attack {subtype Survivor & controlled_by opponent} target you
Enchanted creature has trample and "This creature can't be blocked by more than one creature."
    has_keyword attached value trample
    max_blockers attached number 1
Equipped creature gets +2/+2, has "Whenever this creature attacks, draw a card," and can't block.
    gets attached +2/+2
    cannot_block attached
This creature can't attack unless defending player controls an Island.
    cannot_attack self [unless controls defending player 1 {subtype Island}]
This creature can't be blocked as long as it's attacking alone.
    cannot_be_blocked self [when attacking_alone]
This creature can't attack or block unless you control another creature with power 4 or greater.
    cannot_attack self [unless controls you 1 {other & type creature & power_at_least 4}]
    cannot_block self [unless controls you 1 {other & type creature & power_at_least 4}]
As long as you control no other creatures, this creature can't be blocked.
    cannot_be_blocked self [unless controls you 1 {other & type creature}]
This creature can't block unless you control a Knight or a Soldier.
    cannot_block self [unless controls you 1 {subtype Knight | subtype Soldier}]
This creature can't block unless you control another Wolf or Werewolf.
    cannot_block self [unless controls you 1 {other & subtype Wolf | other & subtype Werewolf}]
This creature can't be blocked as long as defending player controls three or more artifacts.
    cannot_be_blocked self [when controls defending player 3 {type artifact}]
As long as Bosk has a +1/+1 counter on it, it can attack as though it didn't have defender.
    attack_as_though_without self value defender [when is {has_counter +1/+1}]
This creature can't attack or block unless its power is 6 or greater.
    cannot_attack self [unless is {power_at_least 6}]
    cannot_block self [unless is {power_at_least 6}]
This creature gets +1/+1 and has flying as long as it isn't tapped.
    gets self +1/+1 [unless is {tapped}]
    has_keyword self value flying [unless is {tapped}]
As long as this creature is untapped, creatures can't attack you.
    cannot_attack {any} target you [when is {not tapped}]
Enchanted creature can't block if it's black.
    cannot_block attached [when attached_is {color black}]
An opponent can't block. This creature can't block as long as an opponent controls no creatures.
    cannot_block self [when "an opponent controls no creatures"]
Threshold — As long as you have drawn a card this turn, this creature gets +1/+1 and can't block.
    gets self +1/+1 [when "you have drawn a card this turn"]
    cannot_block self [when "you have drawn a card this turn"]
This creature can't block unless you have four or more cards in hand.
    cannot_block self [unless has_amount you 4 hand]
This creature can't attack unless you have one or fewer cards in hand.
    cannot_attack self [unless has_at_most you 1 hand]
As long as an opponent has no cards in hand, this creature gets +1/+1.
    gets self +1/+1 [when has_at_most opponent 0 hand]
Creatures you control get +1/+1 as long as there are seven or more cards in your graveyard.
    gets {controlled_by you} +1/+1 [when has_amount you 7 graveyard]
This creature can't block unless a player has 10 or less life.
    cannot_block self [unless has_at_most any player 10 life]
This creature has menace as long as there are four or more card types among cards in your graveyard.
    has_keyword self value menace [when has_amount you 4 card_types_in_graveyard]
This creature can't be blocked as long as defending player is poisoned.
    cannot_be_blocked self [when has_amount defending player 1 poison]
This creature can't attack as long as it has three or more shell counters on it.
    cannot_attack self [when has_amount self 3 shell counters]
Enchanted creature can't block as long as there are two or more counters on enchanted creature.
    cannot_block attached [when has_amount attached 2 counters]
This creature can't attack unless there are two or more other creatures on the battlefield.
    cannot_attack self [unless there_are any player 2 {other & type creature}]
This creature can't attack unless your life total is greater than your starting life total.
    cannot_attack self [unless has_amount you 1 life_above_start]
As long as your life total is less than or equal to half your starting life total, this creature gets +1/+1.
    gets self +1/+1 [when has_at_most you 0 twice_life_above_start]
This creature can't block as long as no opponent controls a white or blue creature.
    cannot_block self [unless controls opponent 1 {color white & type creature | color blue & type creature}]
As long as there are two or more instant and/or sorcery cards in your graveyard, this creature gets +1/+1.
    gets self +1/+1 [when has_cards you 2 graveyard {type instant | type sorcery}]
This creature can't attack as long as a Warrior card is in your graveyard.
    cannot_attack self [when has_cards you 1 graveyard {subtype Warrior}]
Corrupted — This creature can't attack unless it's monstrous.
    cannot_attack self [unless designated self 1 monstrous]
As long as you're the monarch, creatures you control have menace.
    has_keyword {controlled_by you} value menace [when designated you 1 monarch]
This creature can't be blocked as long as you've drawn two or more cards this turn.
    cannot_be_blocked self [when happened you 2 drawn_this_turn]
This creature can't attack if you haven't cast a spell this turn.
    cannot_attack self [unless happened you 1 cast_this_turn]
This creature attacks each combat if able unless it entered this turn.
    attacks_if_able self [unless happened self 1 entered]
Target creature can't block this turn if you have no cards in hand.
    cannot_block affected [when "you have no cards in hand"]
Iron Will — This creature can't be blocked.
    cannot_be_blocked self [when "Iron Will"]
During your turn, equipped creature can't be blocked.
    cannot_be_blocked attached [when turn you 1]
Bosk gets +1/+1 for each artifact you control.
    gets_for_each self object {type artifact & controlled_by you} +1/+1
Equipped creature gets +X/+0, where X is the number of legendary creatures you control.
    gets_for_each attached object {supertype legendary & type creature & controlled_by you} +1/+0
Enchanted creature gets +2/+2 for each Aura and Equipment attached to it.
    gets_for_each attached object {subtype Aura & attached_to_own | subtype Equipment & attached_to_own} +2/+2
Creatures you control get +1/+0 for each Equipment attached to Bosk.
    gets_for_each {controlled_by you} object {subtype Equipment & attached_to_source} +1/+0
Equipped creature has vigilance, is an artifact in addition to its other types, and can't be blocked.
    has_keyword attached value vigilance
    is_also attached object {type artifact}
    cannot_be_blocked attached
Enchanted creature is a black Zombie in addition to its other colors and types.
    is_also attached object {color black & subtype Zombie}
Enchanted creature gets +2/+2 and is goaded.
    gets attached +2/+2
    is_designated attached value goaded
Goad target creature.
    is_designated affected value goaded
Goad all creatures your opponents control.
    is_designated {controlled_by opponent} value goaded
Creatures you control can attack as though they had haste.
    attack_as_though_keyword {controlled_by you} value haste
Bosk can't be attacked.
    cannot_attack {any} target this
All creatures attack enchanted creature's controller each combat if able.
    attacks_if_able {any} target controller of attached
Creatures attacking you get -1/-0.
    gets {attacking_player you} -1/+0
Each creature that's attacking one of your opponents has trample.
    has_keyword {attacking_player opponent} value trample
Modified creatures you control have menace.
    has_keyword {modified & controlled_by you} value menace
Creatures you control with counters on them can't be blocked.
    cannot_be_blocked {controlled_by you & has_counter}
Each creature you control with a counter on it can't be blocked by more than one creature.
    max_blockers {controlled_by you & has_counter} number 1
Creatures blocking or blocked by Bosk have menace.
    has_keyword {blocking_source | blocked_by_source} value menace
Tapped creatures can block.
    block_while_tapped {tapped}
This creature can't attack during extra turns.
    cannot_attack self [when "during extra turns"]
This creature has flying during your turn.
    has_keyword self value flying [when turn you 1]
As long as it's not your turn, creatures you control can't be blocked.
    cannot_be_blocked {controlled_by you} [unless turn you 1]
During turns other than yours, this creature can't block.
    cannot_block self [unless turn you 1]
This creature can't block during each opponent's turn.
    cannot_block self [when turn opponent 1]
As long as enchanted permanent is a creature, it can't block.
    cannot_block attached [when attached_is {type creature}]
Equipped creature has menace as long as it isn't tapped.
    has_keyword attached value menace [unless attached_is {tapped}]
Untapped creatures you control get +0/+2 as long as they're not attacking.
    gets {not tapped & controlled_by you & not attacking} +0/+2
Creatures you control can't be blocked unless they're tapped.
    cannot_be_blocked {controlled_by you & not tapped}
Enchanted creature gets +2/+2 as long as it's a Human. Otherwise, it can't attack or block.
    gets attached +2/+2 [when attached_is {subtype Human}]
    cannot_attack attached [unless attached_is {subtype Human}]
    cannot_block attached [unless attached_is {subtype Human}]
Equipped creature has "This creature can't be blocked as long as it's untapped."
    cannot_be_blocked attached [when attached_is {not tapped}]
As long as you control enchanted creature, it gets +1/+1. Otherwise, it can't block.
    gets attached +1/+1 [when attached_is {controlled_by you}]
    cannot_block attached [unless attached_is {controlled_by you}]
This creature has menace as long as you control an enchanted creature.
    has_keyword self value menace [when controls you 1 {enchanted & type creature}]
Enchanted creature can't attack as long as you don't control enchanted creature.
    cannot_attack attached [when attached_is {not controlled_by you}]
This creature has menace as long as a card in your graveyard has menace.
    has_keyword self value menace [when "a card in your graveyard has menace"]
Bosk gets +1/+1 as long as he's tapped.
    gets self +1/+1 [when is {tapped}]
Whenever this creature attacks, draw a card. This creature can't block.
    cannot_block self
"""


def _cases() -> list[tuple[str, list[str]]]:
    cases: list[tuple[str, list[str]]] = []
    for line in READ.strip().split("\n"):
        if line.startswith(" "):
            cases[-1][1].append(line.strip())
        else:
            cases.append((line, []))
    return cases


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*case, id=case[0][:60]) for case in _cases()])
def test_wording_is_read(text: str, expected: list[str]) -> None:
    assert [stated(constraint) for constraint in read_text(text, names=["Bosk"], keywords=FORMS).constraints] == expected


def test_enough_wordings() -> None:
    assert len(_cases()) >= 60


def test_source_is_the_sentence() -> None:
    reading = read_text("Flying\nThis creature can't block. Bosk must be blocked if able.", names=["Bosk"], keywords=FORMS)
    assert [constraint.source for constraint in reading.constraints] == ["This creature can't block.", "Bosk must be blocked if able."]
    assert reading.keywords == ("Flying",)


def test_a_duration_never_changes_the_reading() -> None:
    plain = read_text("Target creature can't be blocked except by Walls.", keywords=FORMS)
    for text in (
        "Target creature can't be blocked this turn except by Walls.",
        "Until end of turn, target creature can't be blocked except by Walls.",
        "Target creature can't be blocked except by Walls this combat.",
    ):
        assert list(map(stated, read_text(text, keywords=FORMS).constraints)) == list(map(stated, plain.constraints))


@pytest.mark.parametrize("name", ["Bosk", "Bosk, Lord of the Fen", "b1"])
def test_every_name_means_the_object(name: str) -> None:
    names = ["Bosk, Lord of the Fen", "Bosk", "b1"]
    assert list(map(stated, read_text(f"{name} can't block.", names=names).constraints)) == ["cannot_block self"]


def test_a_legend_goes_by_its_first_name() -> None:
    assert list(map(stated, read_text("Bosk can't block.", names=["Bosk Fenlord"]).constraints)) == ["cannot_block self"]


@pytest.mark.parametrize("name", ["a", "creature", "Wall", "Walls", "block", "flying"])
def test_ordinary_words_are_no_names(name: str) -> None:
    text = "This creature can't be blocked except by a Wall and/or Walls with flying."
    assert read_text(text, names=[name], keywords=FORMS) == read_text(text, keywords=FORMS)


def test_reminder_text_is_passed_over() -> None:
    reading = read_text("Menace (This creature can't be blocked except by two or more creatures (or so).)", keywords=FORMS)
    assert reading.keywords == ("Menace",)
    assert not reading.constraints


def test_abilities_under_a_heading_hold_there_only() -> None:
    reading = read_text("Vigilance\nLEVEL 2-5\nFlying\nThis creature can't block.", keywords=FORMS)
    assert reading.keywords == ("Vigilance",)
    assert list(map(stated, reading.constraints)) == [
        'has_keyword self value flying [when "LEVEL 2-5"]',
        'cannot_block self [when "LEVEL 2-5"]',
    ]


def test_a_mode_holds_if_it_is_chosen() -> None:
    reading = read_text("Choose one —\n• Target creature can't block this turn.\n• Draw a card.", keywords=FORMS)
    assert list(map(stated, reading.constraints)) == ['cannot_block affected [when "this mode is chosen"]']


def test_modes_of_a_triggered_ability_are_silent() -> None:
    reading = read_text("When this creature enters, choose one —\n• Target creature can't block this turn.", keywords=FORMS)
    assert not reading.constraints
    assert not reading.unread


def test_a_name_that_is_a_type_too() -> None:
    """A subtype in the singular, without an article, is no description of objects: it is the name of one."""
    assert read_text("Wraith can't be blocked.", names=("Wraith",)).constraints[0].subject == "self"
    assert read_text("Wraith can't be blocked.").unread == ("Wraith can't be blocked.",)
    assert read_text("Wraiths can't be blocked.", names=("Wraith",)).constraints[0].subject != "self"
    assert read_text("Merfolk you control can't be blocked.").unread == ()


def test_what_else_happens_as_damage_is_prevented() -> None:
    """A sentence behind one that prevents damage is a part of that effect (615.5), so that what comes of damage is not known."""
    text = read_text("If damage would be dealt to this creature, prevent that damage. Remove a +1/+1 counter from this creature.")
    assert [constraint.kind for constraint in text.constraints] == ["is_spared_damage"]
    assert text.unread_outcome == ("Remove a +1/+1 counter from this creature.",)
    assert read_text("Flying\nIf damage would be dealt to this creature, prevent that damage.\nRemove it.").unread_outcome == ()
