"""Keywords as written."""

from __future__ import annotations

import pytest

from lawmage.text.forms import KeywordForms, KeywordUse, parse_keywords
from lawmage.text.read import read_text

from .notation import FORMS, described


@pytest.mark.parametrize(
    ("written", "qualities"),
    [
        ("protection from red", ["{color red}"]),
        ("Protection from red and from blue", ["{color red}", "{color blue}"]),
        ("protection from red, from blue, and from Dragons", ["{color red}", "{color blue}", "{subtype Dragon}"]),
        ("protection from multicolored", ["{multicolored}"]),
        ("protection from monocolored", ["{monocolored}"]),
        ("protection from creatures", ["{type creature}"]),
        ("protection from artifacts", ["{type artifact}"]),
        ("protection from white creatures", ["{color white & type creature}"]),
        ("protection from werewolves", ["{subtype Werewolf}"]),
        ("protection from everything", ["{any}"]),
        ("protection from all colors", ["{not colorless}"]),
        ("hexproof from black", ["{color black}"]),
        ("bands with other legendary creatures", ["{supertype legendary & type creature}"]),
        ("enchant creature you control", ["{type creature & controlled_by you}"]),
        ("enchant artifact or creature", ["{type artifact | type creature}"]),
        ("equip legendary creature {3}", ["{supertype legendary & type creature}"]),
        ("islandwalk", ["{type land & subtype Island}"]),
        ("snow swampwalk", ["{type land & supertype snow & subtype Swamp}"]),
        ("nonbasic landwalk", ["{type land & not supertype basic}"]),
        ("legendary landwalk", ["{type land & supertype legendary}"]),
        ("artifact landwalk", ["{type land & type artifact}"]),
        ("desertwalk", ["{type land & subtype Desert}"]),
    ],
)
def test_quality(written: str, qualities: list[str]) -> None:
    uses = parse_keywords(written, FORMS)
    assert [described(use.quality) for use in uses if use.quality is not None] == qualities
    assert not any(use.unread for use in uses)


@pytest.mark.parametrize("written", ["protection from the chosen color", "protection from mana value 3 or less", "bushido X"])
def test_what_is_not_understood_is_named(written: str) -> None:
    (use,) = parse_keywords(written, FORMS)
    assert use.unread == written.lower().removeprefix("protection from ").removeprefix("bushido ")
    assert use.quality is None
    assert use.number is None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Flying", KeywordUse("flying", "flying")),
        ("First  strike", KeywordUse("first strike", "first strike")),
        ("bushido 2", KeywordUse("bushido", "bushido 2", number=2)),
        ("ward {1}{W}", KeywordUse("ward", "ward {1}{w}", cost="{1}{W}")),
        ("Ward—Pay 2 life", KeywordUse("ward", "ward—pay 2 life", cost="pay 2 life")),
        ("equip {2}", KeywordUse("equip", "equip {2}", cost="{2}")),
        ("Partner with Ann, Sworn Sword", KeywordUse("partner with", "partner with ann, sworn sword")),
        ("hexproof", KeywordUse("hexproof", "hexproof")),
    ],
)
def test_parts(written: str, expected: KeywordUse) -> None:
    assert parse_keywords(written, FORMS) == (expected,)


@pytest.mark.parametrize(
    "written",
    [
        "flyng",
        "",
        "flying menace",
        "landwalk",
        "crosswalk",
        "forest walk",
        "protection from",
        "ward",
        "bushido two",
        "max speed — draw a card",
    ],
)
def test_no_keyword(written: str) -> None:
    assert parse_keywords(written, FORMS) == ()


def test_a_made_up_keyword_is_data_alone() -> None:
    forms = KeywordForms({"burrowing": ["burrowing"], "dread": ["dread of {quality}"], "plain": []})
    assert parse_keywords("dread of Elves", forms)[0].quality == parse_keywords("protection from Elves", FORMS)[0].quality
    assert parse_keywords("plain", forms) == (KeywordUse("plain", "plain"),)


def test_a_slot_twice() -> None:
    forms = KeywordForms({"kicker": ["kicker {cost} and/or {cost}"]})
    assert parse_keywords("kicker {1} and/or {2}{R}", forms) == (KeywordUse("kicker", "kicker {1} and/or {2}{r}", cost="{1}"),)


@pytest.mark.parametrize(
    ("line", "keywords"),
    [
        ("Flying, protection from spells that are one or more colors, bushido 6", 3),
        ("Protection from artifacts; reach", 2),
        ("Protection from odd things, flying", 2),
        ("Hexproof from artifacts, creatures, and enchantments", 1),
        ("Ward—Discard an enchantment, instant, or sorcery card", 1),
        ("Flying, silly", 0),
    ],
)
def test_a_comma_is_part_of_a_quality_or_ends_it(line: str, keywords: int) -> None:
    assert len(read_text(line, keywords=FORMS).keywords) == keywords
