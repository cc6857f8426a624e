"""Small made-up lists in every form that is read."""

from __future__ import annotations

import json

import pytest

from lawmage.decks.deck import Deck
from lawmage.decks.reading import read_deck, read_decks


def read(text: str) -> Deck:
    return read_deck(text.encode(), "deck")


def cards(deck: Deck) -> list[tuple[str, int, str]]:
    return [(entry.section, entry.count, entry.name) for entry in deck.entries]


def test_a_list_by_hand() -> None:
    deck = read("4x Grizzly Bears\n2 Fire // Ice\n\n# a comment\n// another\n1 Circle of Protection: Red\n")
    assert cards(deck) == [("main", 4, "Grizzly Bears"), ("main", 2, "Fire // Ice"), ("main", 1, "Circle of Protection: Red")]
    assert [entry.line for entry in deck.entries] == [1, 2, 6]


@pytest.mark.parametrize(
    ("line", "name", "printing", "foil"),
    [
        ("1 Sol Ring (CMM) 703 *F*", "Sol Ring", ("CMM", "703"), True),
        ("1 Sol Ring (PLST) ROE-162", "Sol Ring", ("PLST", "ROE-162"), False),
        ("1 Sol Ring (PMKM) 132p", "Sol Ring", ("PMKM", "132p"), False),
        ("1x Sol Ring (cmm) 703 [Artifact,Ramp{noPrice}] ^Have,#37d67a^", "Sol Ring", ("cmm", "703"), False),
        ("1 [CMM#703] Sol Ring", "Sol Ring", ("CMM", "703"), False),
        ("1 [WAR:2*] Ugin, the Ineffable", "Ugin, the Ineffable", ("WAR", "2*"), False),
        ("1 [M14] Mutavault", "Mutavault", ("M14", None), False),
        ("1 Sol Ring <extended art> [CMM] (F)", "Sol Ring", ("CMM", None), True),
        ("1 Sol Ring [CMM:703] [foil] [etched]", "Sol Ring", ("CMM", "703"), True),
        ("1 Sol Ring [foil]", "Sol Ring", (None, None), True),
        ("1 Plains [ELD:*]", "Plains", ("ELD", None), False),
        ("1 Plains (2)", "Plains", (None, None), False),
        ("1 Sol Ring #Ramp #Card draw", "Sol Ring", (None, None), False),
        ("1 Wear/Tear", "Wear/Tear", (None, None), False),
        ("Sol Ring x1", "Sol Ring", (None, None), False),
        ("1 B.F.M. (Big Furry Monster)", "B.F.M. (Big Furry Monster)", (None, None), False),
    ],
)
def test_the_marks_beside_a_name(line: str, name: str, printing: tuple[str | None, str | None], foil: bool) -> None:
    (entry,) = read(line).entries
    assert (entry.count, entry.name, (entry.set_code, entry.collector_number), entry.foil) == (1, name, printing, foil)


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("1 Isamaru, Hound of Konda *CMDR*", "commander"),
        ("1x Isamaru, Hound of Konda (CHK) 19 [Commander{top}]", "commander"),
        ("1 Isamaru, Hound of Konda # !Commander", "commander"),
        ("COMMANDER: 1 Isamaru, Hound of Konda [foil]", "commander"),
        ("Commander: Isamaru, Hound of Konda", "commander"),
        ("SB: 1 Isamaru, Hound of Konda", "sideboard"),
        ("SB:  1 [CHK] Isamaru, Hound of Konda", "sideboard"),
        ("1 Isamaru, Hound of Konda [Maybeboard{noDeck}{noPrice}]", "maybeboard"),
        ("1 Isamaru, Hound of Konda [Someday{noDeck}]", "maybeboard"),
        ("1 Isamaru, Hound of Konda [Sideboard]", "sideboard"),
        ("1 Isamaru, Hound of Konda [token]", "tokens"),
        ("1 Isamaru, Hound of Konda # !Companion", "companion"),
        ("1 Isamaru, Hound of Konda [Commander beaters]", "main"),
    ],
)
def test_marks_that_are_sections(line: str, section: str) -> None:
    assert cards(read(f"1 Plains\n{line}"))[1] == (section, 1, "Isamaru, Hound of Konda")


def test_headings() -> None:
    deck = read(
        "Commander (1)\n1 A\n\nCreatures (2)\n1 B\nRamp (1)\n1 C\nSideboard:\n1 D\n\n1 E\nMAYBEBOARD:\n1 F\nTokens\n1 G\nScheme Deck\n1 H\n"
        "Companion\n1 I\n\n1 J\nDisplay Commander\n1 A\n"
    )
    assert [(section, name) for section, _, name in cards(deck)] == [
        ("commander", "A"),
        ("main", "B"),
        ("main", "C"),
        ("sideboard", "D"),
        ("sideboard", "E"),
        ("maybeboard", "F"),
        ("tokens", "G"),
        ("beside", "H"),
        ("companion", "I"),
        ("main", "J"),
        ("beside", "A"),
    ]
    assert [(notice.line, notice.message) for notice in deck.notices] == [(6, '"Ramp (1)" is read as a heading')]


def test_arena() -> None:
    deck = read(
        "About\nName Brawlers\n\nCommander\n1 A (SET) 1\n\nCompanion\n1 B (SET) 2\n\nDeck\n58 Plains (SET) 3\n\nSideboard\n1 B (SET) 2\n"
    )
    assert (deck.form, deck.title, deck.counts()) == ("arena", "Brawlers", {"commander": 1, "companion": 1, "main": 58, "sideboard": 1})


def test_what_an_empty_line_parts_is_said() -> None:
    first = read("1 A\n1 B\n\n98 Plains\n")
    assert (first.counts(), [notice.line for notice in first.notices]) == ({"commander": 2, "main": 98}, [1])
    last = read("60 Plains\n\n15 Island\n")
    assert (last.counts(), [notice.line for notice in last.notices]) == ({"main": 60, "sideboard": 15}, [3])
    neither = read("60 Plains\n\n40 Island\n")
    assert (neither.counts(), neither.notices) == ({"main": 100}, ())


def test_comments_as_headings() -> None:
    deck = read("//NAME: Bears\n//Main\n1 A\n//Sideboard\nSB: 1 B\n//Commander\n1 C\n//Lands\n1 D")
    assert (deck.title, cards(deck)) == ("Bears", [("main", 1, "A"), ("sideboard", 1, "B"), ("commander", 1, "C"), ("main", 1, "D")])


def test_a_list_without_numbers() -> None:
    deck = read("Commander: A\nB\nC (SET) 4\n")
    assert cards(deck) == [("commander", 1, "A"), ("main", 1, "B"), ("main", 1, "C")]
    assert [notice.message for notice in deck.notices] == ["no line gives a number of copies, so each is read as one"]


def test_xmage() -> None:
    deck = read("NAME:Bears\n4 [M10:207] Grizzly Bears\nSB: 1 [ODY:72+] Cephalid Looter\nLAYOUT MAIN:(1,1)(NONE,false,50)|([M10:207])\n")
    assert (deck.form, deck.title, cards(deck)) == ("xmage", "Bears", [("main", 4, "Grizzly Bears"), ("sideboard", 1, "Cephalid Looter")])


def test_forge() -> None:
    deck = read(
        "[metadata]\nName=Bears\n[Commander]\n1 A+|SET|1\n[main]\n4 Grizzly Bears|M10|[207]\n2 Fire // Ice\n[Sideboard]\n1 B\n[Shop]\n1 C"
    )
    assert (deck.form, deck.title) == ("forge", "Bears")
    assert cards(deck) == [
        ("commander", 1, "A"),
        ("main", 4, "Grizzly Bears"),
        ("main", 2, "Fire // Ice"),
        ("sideboard", 1, "B"),
        ("beside", 1, "C"),
    ]
    assert deck.entries[0].foil
    assert deck.entries[1].collector_number == "207"
    assert [notice.line for notice in deck.notices] == [10]


COD = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
  <deckname>Bears</deckname>
  <comments>Format: EDH
CDR: Ayula, Queen Among Bears</comments>
  <zone name="main">
    <card number="2" name="Grizzly Bears (M10)"/>
    <card name="Ayula, Queen Among Bears"/>
  </zone>
  <zone name="side"><card number="1" name="&lt;b&gt;"/></zone>
  <zone name="tokens"><card number="1" name="Bear"/></zone>
  <surprise/>
</cockatrice_deck>"""


def test_cockatrice() -> None:
    deck = read(COD)
    assert (deck.form, deck.title, deck.stated_commanders) == ("cockatrice", "Bears", ())
    assert cards(deck) == [
        ("main", 2, "Grizzly Bears"),
        ("commander", 1, "Ayula, Queen Among Bears"),
        ("sideboard", 1, "<b>"),
        ("tokens", 1, "Bear"),
    ]
    assert [entry.line for entry in deck.entries] == [7, 8, 10, 11]
    assert [(notice.line, notice.message) for notice in deck.notices] == [(12, "the element <surprise> is not read")]


def test_a_commander_in_a_comment_that_the_list_does_not_have() -> None:
    assert read(COD.replace("CDR: Ayula,", "CDR: Ayola,")).stated_commanders == ("Ayola, Queen Among Bears",)


def test_mtgo_and_octgn() -> None:
    dek = read(
        '<Deck>\n<NetDeckID>0</NetDeckID>\n<Cards CatID="1" Quantity="2" Sideboard="false" Name="A"/>\n'
        '<Cards Quantity="1" Sideboard="true" Name="B/C"/></Deck>'
    )
    assert (dek.form, cards(dek)) == ("mtgo", [("main", 2, "A"), ("sideboard", 1, "B/C")])
    o8d = read(
        '<deck><section name="Command Zone"><card qty="1" id="x">A</card></section>\n'
        '<section name="Main"><card qty="2">B</card></section></deck>'
    )
    assert (o8d.form, cards(o8d)) == ("octgn", [("commander", 1, "A"), ("main", 2, "B")])


@pytest.mark.parametrize(
    ("document", "form"),
    [
        ({"data": {"name": "N", "commander": [{"name": "A", "count": 1}], "mainBoard": [{"name": "B", "count": 2}], "sideBoard": []}},
         "mtgjson"),
        ({"name": "N", "commanders": {"A": {"quantity": 1}}, "mainboard": {"B": {"quantity": 2, "card": {"name": "B"}}}}, "json"),
        ({"name": "N", "boards": {"commanders": {"count": 1, "cards": {"x1": {"quantity": 1, "card": {"name": "A"}}}},
                                  "mainboard": {"count": 2, "cards": {"x2": {"quantity": 2, "card": {"name": "B"}}}}}}, "moxfield"),
        ({"name": "N", "categories": [{"name": "Later", "includedInDeck": False}],
          "cards": [{"quantity": 1, "categories": ["Commander"], "card": {"oracleCard": {"name": "A"}}},
                    {"quantity": 2, "categories": ["Land"], "card": {"oracleCard": {"name": "B"}}}]}, "archidekt"),
        ({"object": "deck", "name": "N", "entries": {"commanders": [{"count": 1, "card_digest": {"name": "A"}}],
                                                     "mainboard": [{"count": 2, "card_digest": {"name": "B"}}]}}, "scryfall"),
        ({"title": "N", "commander": ["1 A"], "deck": {"B": 2}}, "json"),
    ],
)  # fmt: skip
def test_json(document: object, form: str) -> None:
    deck = read(json.dumps(document))
    assert (deck.form, deck.title, cards(deck)) == (form, "N", [("commander", 1, "A"), ("main", 2, "B")])


def test_json_that_is_a_list_of_cards() -> None:
    assert cards(read('[{"name": "A", "qty": 3}, "2 B"]')) == [("main", 3, "A"), ("main", 2, "B")]


def test_json_with_several_decks() -> None:
    document = {"name": "collection", "decks": [{"name": name, "main": [{"count": 1, "name": name}], "sideboard": []} for name in "AB"]}
    assert [(deck.title, cards(deck)) for deck in read_decks(json.dumps(document).encode(), "decks")] == [
        ("A", [("main", 1, "A")]),
        ("B", [("main", 1, "B")]),
    ]


def test_archidekts_categories_that_are_not_in_the_deck() -> None:
    later = {"quantity": 1, "categories": ["Later"], "card": {"oracleCard": {"name": "A"}}}
    assert cards(read(json.dumps({"categories": [{"name": "Later", "includedInDeck": False}], "cards": [later]}))) == [
        ("maybeboard", 1, "A")
    ]


def test_a_list_of_cards_under_an_unknown_key_is_named() -> None:
    deck = read('{"main": [{"name": "A", "count": 1}], "surprise": [{"name": "B", "count": 1}]}')
    assert [notice.message for notice in deck.notices] == ['the key "surprise" is not read']


@pytest.mark.parametrize(
    "text",
    [
        'Count,Name,Edition\n2,"A, the B",Set\n',
        "Name;Language;Quantity\nA, the B;English;2\n",
        "Board\tCard Name\tQTY\nmain\tA, the B\t2\n",
        "\nfoil,count,card\n,2,\"A, the B\"\n",
    ],
)  # fmt: skip
def test_csv(text: str) -> None:
    deck = read(text)
    assert (deck.form, cards(deck)) == ("csv", [("main", 2, "A, the B")])


def test_csv_with_sections() -> None:
    deck = read("Board,Qty,Name,Commander,Foil\nmain,1,A,True,foil\nside,2,B,False,-\nmaybe,3,C,,\n")
    assert cards(deck) == [("commander", 1, "A"), ("sideboard", 2, "B"), ("maybeboard", 3, "C")]
    assert [entry.foil for entry in deck.entries] == [True, False, False]


def test_a_drafts_picks() -> None:
    deck = read("Event #: 1\nTime: 1\nPlayers:\n    P\n\n------ SET ------\n\nPack 1 pick 1:\n    A\n--> B\n\nPack 1 pick 2:\n--> C\n")
    assert (deck.form, cards(deck)) == ("draft", [("main", 1, "B"), ("main", 1, "C")])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, ends: str) -> None:
    text = ends.join(["1 Éomer, Marshal of Rohan", "1 Lim-Dûl's Vault", "30 Plains"])
    assert [entry.name for entry in read_deck(text.encode(encoding), "deck").entries] == [
        "Éomer, Marshal of Rohan",
        "Lim-Dûl's Vault",
        "Plains",
    ]


def test_what_cannot_be_seen_is_no_part_of_a_name() -> None:
    assert cards(read("1\xa0Sol\u00a0Ring\u200b\n2 Grizzly\u00ad Bears\u200e \n")) == [
        ("main", 1, "Sol Ring"),
        ("main", 2, "Grizzly Bears"),
    ]
