"""Judging, repairing and pairing made-up cards: what the library promises, without any card file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lawmage.cards.card import Card, Face
from lawmage.constraints import Constraint
from lawmage.decks.deck import Entry
from lawmage.decks.formats import Format, Provision
from lawmage.decks.leaders import candidates
from lawmage.decks.legality import Judge, judge_decks
from lawmage.decks.pairings import find_pairings
from lawmage.decks.repair import repair
from lawmage.decks.resolved import NotFound, ResolvedDeck, ResolvedEntry
from lawmage.decks.verdict import DeckVerdict
from lawmage.errors import InputError, UnknownNameError

LEGAL = {"commander": "legal"}


def card(
    name: str, *colors: str, cost: str = "{1}", types: str = "artifact", sub: str = "", keywords: str = "", legend: bool = False
) -> Card:
    face = Face(
        name,
        mana_cost=cost,
        supertypes=("legendary",) if legend else (),
        types=tuple(types.split()),
        subtypes=tuple(filter(None, sub.split(","))),
        colors=colors,
        power="1" if "creature" in types else None,
        keywords=tuple(filter(None, keywords.split(";"))),
    )
    return Card(name, name, "normal", (face,), mana_value=1, color_identity=colors, legalities=LEGAL)


def legend(name: str, *colors: str, keywords: str = "", sub: str = "Human") -> Card:
    return card(name, *colors, types="creature", keywords=keywords, sub=sub, legend=True)


PLAINS = replace(
    card("Plains", types="land", sub="Plains"), faces=(Face("Plains", supertypes=("basic",), types=("land",), subtypes=("Plains",)),)
)
ANNA, BERT = legend("Anna", "white", keywords="Partner with Bert"), legend("Bert", "blue", keywords="Partner with Anna;Partner")
CARL, DORA = legend("Carl", "red", keywords="partner"), legend("Dora", keywords="Partner—Survivors")
STONE, SPELL = card("Stone"), card("Spell", "red")


def deck(commanders: list[Card], *main: tuple[int, Card], companion: tuple[Card, ...] = (), beside: int = 0) -> ResolvedDeck:
    entries = [ResolvedEntry(1, one, "commander") for one in commanders]
    entries += [ResolvedEntry(count, one, "main") for count, one in main]
    entries += [ResolvedEntry(1, one, "companion") for one in companion]
    entries += [ResolvedEntry(beside, STONE, "sideboard")] if beside else []
    return ResolvedDeck("made up", None, tuple(entries))


def broken(verdict: DeckVerdict) -> list[tuple[str, tuple[str, ...]]]:
    return [(violation.rule, violation.cards) for violation in verdict.violations]


def test_all_violations_at_once_in_the_order_of_the_rules() -> None:
    foreign = replace(card("Joke"), legalities={})
    (verdict,) = judge_decks([deck([CARL], (2, STONE), (1, foreign), (90, PLAINS), beside=3)])
    assert broken(verdict) == [
        ("903.5a", ()),
        ("903.5b", ("Stone",)),
        ("903.5d", ("Plains",)),
        ("903.5e", ()),
        ("card pool", ("Joke",)),
    ]
    assert (verdict.verdict, verdict.cards, verdict.color_identity) == ("illegal", 94, ("red",))


def test_a_restricted_card_is_there_once() -> None:
    relic = replace(card("Relic"), legalities={**LEGAL, "commander": "restricted"})
    one, two = judge_decks([deck([CARL], (1, relic)), deck([CARL], (2, relic))])
    assert ("ban list", ("Relic",)) not in broken(one)
    assert ("ban list", ("Relic",)) in broken(two)


def test_json() -> None:
    (verdict,) = judge_decks([deck([CARL], (1, card("Rock", "blue")), (98, STONE))])
    document = verdict.as_json()
    keys = {"file", "format", "commanders", "companion", "color_identity", "cards", "verdict", "violations", "repair", "ban_list"}
    assert keys <= set(document)
    assert document["color_identity"] == ["R"]
    assert document["violations"][1] == {
        "rule": "903.5c",
        "cards": ["Rock"],
        "message": "Rock has blue in its colour identity, which the commander's doesn't",
    }


def test_decks_in_one_program_are_judged_each_for_itself() -> None:
    decks = [deck([CARL], (99, PLAINS)), deck([ANNA], (99, PLAINS)), deck([ANNA, BERT], (98, PLAINS)), deck([], (100, PLAINS))] * 80
    together = judge_decks(decks)
    judge = Judge()
    assert [broken(verdict) for verdict in together[:4]] == [broken(judge.judge([one])[0]) for one in decks[:4]]
    assert [verdict.verdict for verdict in together] == ["illegal", "legal", "legal", "illegal"] * 80


def test_no_decks() -> None:
    assert judge_decks([]) == []


def test_a_name_that_was_not_found_leaves_the_verdict_open() -> None:
    missing = NotFound(Entry(1, "Nothing"), 'no card is called "Nothing"')
    whole, short = deck([ANNA], (99, PLAINS)), deck([ANNA], (98, PLAINS))
    verdicts = judge_decks([replace(whole, not_found=(missing,)), replace(short, not_found=(missing,))])
    assert [verdict.verdict for verdict in verdicts] == ["undecided", "illegal"]
    assert verdicts[0].not_understood == ('no card is called "Nothing"',)


def test_companions() -> None:
    asks = Constraint("starting_deck_larger", number=20)
    tall = replace(
        ANNA, oracle_id="tall", name="Tall", faces=(replace(ANNA.faces[0], name="Tall", keywords=("Companion",), constraints=(asks,)),)
    )
    plain, with_it = judge_decks([deck([ANNA], (99, PLAINS)), deck([ANNA], (99, PLAINS), companion=(tall,))])
    assert plain.companion is None
    assert with_it.companion is not None
    assert (with_it.companion.name, with_it.companion.verdict) == ("Tall", "illegal")
    assert broken(with_it) == [("702.139a", ("Tall",))]


def test_game_changers_are_named_and_forbid_nothing() -> None:
    (verdict,) = judge_decks([deck([ANNA], (98, PLAINS), (1, replace(STONE, game_changer=True)))])
    assert (verdict.verdict, verdict.game_changers) == ("legal", ("Stone",))


@pytest.mark.parametrize(("arguments", "sentence"), [(("commander", "2020-01-01"), "no release 2020-01-01"), (("x",), 'no format "x"')])
def test_a_bad_question(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=sentence):
        judge_decks([], *arguments)
    with pytest.raises(InputError, match='"yesterday", expected a date'):
        judge_decks([], ban_list="yesterday")


def test_too_many_cards() -> None:
    with pytest.raises(InputError, match="1000001 cards, expected at most 1000000"):
        judge_decks([deck([ANNA], (1_000_000, PLAINS))])


# ---------------------------------------------------------------- repairs


SMALL = Format(
    "small",
    "Small",
    provisions=tuple(
        Provision(
            made.kind,
            made.rule,
            number=4 if made.kind in ("minimum_size", "maximum_size") else made.number,
            subject=made.subject,
            keyword=made.keyword,
        )
        for made in Judge().format.provided("2026-08-07")
        if made.kind
        in ("has_commander", "leads", "minimum_size", "maximum_size", "copies_limit", "copies_free", "identity_holds", "land_types_hold")
    ),
)


@pytest.mark.parametrize(
    ("given", "size", "actions"),
    [
        (deck([ANNA], (3, PLAINS)), 0, set()),
        (deck([ANNA], (1, PLAINS)), 2, {("add", None)}),
        (deck([ANNA], (6, PLAINS)), 3, {("remove", None)}),
        (deck([ANNA], (2, PLAINS), (1, SPELL)), 2, {("remove", "Spell"), ("add", None)}),
        (deck([ANNA], (3, PLAINS), (1, SPELL)), 1, {("remove", "Spell")}),
        (deck([ANNA], (1, PLAINS), (2, STONE)), 2, {("remove", "Stone"), ("add", None)}),
        (deck([], (3, PLAINS), (1, ANNA)), 1, {("designate", "Anna")}),
        (deck([], (4, PLAINS)), 2, {("remove", None), ("add", None)}),
    ],
)
def test_repairs_of_small_decks(given: ResolvedDeck, size: int, actions: set[tuple[str, str | None]]) -> None:
    found = repair(given, Judge(SMALL))
    assert (found.size, found.possible, found.proved) == (size, True, True)
    assert {(change.action, change.card) for change in found.changes} == actions
    assert found.as_json()["size"] == size


def test_additions_are_lands_of_the_identity() -> None:
    (change,) = repair(deck([ANNA], (1, PLAINS)), Judge(SMALL)).changes
    assert change.what == "basic lands (Plains), or other cards that fit"


# ---------------------------------------------------------------- who leads, who pairs


def test_candidates() -> None:
    listed = deck([], (94, PLAINS), (1, ANNA), (1, BERT), (1, CARL), (1, DORA), (2, STONE))
    found = candidates(listed, Judge())
    assert {one.names for one in found} == {("Anna",), ("Bert",), ("Carl",), ("Dora",), ("Anna", "Bert"), ("Bert", "Carl")}
    assert not any(one.fits for one in found)
    alone = candidates(deck([], (99, PLAINS), (1, ANNA)), Judge())
    assert [(one.names, one.fits, one.legal) for one in alone] == [(("Anna",), True, True)]


def test_pairings() -> None:
    ella = legend("Ella", keywords="Partner—Survivors")
    found = find_pairings([ANNA, BERT, CARL, DORA, ella, STONE, legend("Fred")], Judge())
    assert [(pair.first, pair.second, pair.rules) for pair in found.all()] == [
        ("Anna", "Bert", ("702.124j",)),
        ("Bert", "Carl", ("702.124h",)),
        ("Dora", "Ella", ("702.124i",)),
    ]
    assert found.count() == 3
    assert [pair.second for pair in found.of("Bert")] == ["Bert", "Carl"]
    assert found.all()[0].as_json() == {
        "cards": ["Anna", "Bert"],
        "rule": "702.124j",
        "rules": ["702.124j"],
        "abilities": ["partner with [name]"],
    }
