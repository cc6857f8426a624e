"""What a language model is offered, and what each tool answers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from lawmage.mcp.asking import LONGEST_TEXT

from .conftest import MOAT, OLD, Session, text_of

BOARD = """
battlefield:
  ogre: {controller: A, pt: 4/3, keywords: [menace], text: "This creature must be blocked if able."}
  bear: {controller: D, card: Grizzly Bears}
  elf: {controller: D, pt: 1/1}
attack: {ogre: D}
propose: {nobody: {}, one: {bear: ogre}, both: {bear: ogre, elf: ogre}}
"""
WIDE = {"battlefield": {f"c{number}": {"controller": "D", "pt": "1/1"} for number in range(41)}}
DECK = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n98 Plains\n1 Black Lotus\n"
TOOLS = [
    "check",
    "enumerate",
    "outcome",
    "lethal",
    "deck",
    "pairings",
    "card",
    "rule",
    "deps",
    "path",
    "search",
    "keyword",
    "locate",
    "diff",
]


def test_tools_say_what_they_are(session: Session) -> None:
    tools = {tool.name: tool for tool in session.portal.call(session.client.list_tools).tools}
    assert list(tools) == TOOLS
    for tool in tools.values():
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.output_schema is not None
        assert all("description" in argument for argument in tool.input_schema["properties"].values()), tool.name
    assert tools["check"].description is not None
    assert "propose:" in tools["check"].description


def test_the_example_that_teaches_the_format_is_a_scenario(session: Session) -> None:
    (check,) = (tool for tool in session.portal.call(session.client.list_tools).tools if tool.name == "check")
    lines = (check.description or "").splitlines()
    example = "\n".join(line[4:] for line in lines if line.startswith("    "))
    assert "illegal" in session.text("check", scenario=example)


def test_what_else_it_teaches_is_a_scenario_too(session: Session) -> None:
    (check,) = (tool for tool in session.portal.call(session.client.list_tools).tools if tool.name == "check")
    taught = dict(re.findall(r"`(hand|players|propose): (\{.*?\})`", " ".join((check.description or "").split())))
    assert "mana" in taught["players"]
    bear, axe = "bear: {controller: A, pt: 2/2}", 'axe: {controller: A, types: [artifact], subtypes: [Equipment], keywords: ["equip {1}"]}'
    board = f"battlefield: {{{bear}, {axe}}}\nplayers: {taught['players']}\nhand: {taught['hand']}\n"
    for judge, proposal in (("activate", taught["propose"]), ("cast", '{p: {cast: s, by: A, pay: "{1}{R}"}}')):
        found = session.document("check", scenario=f"{board}judge: {judge}\npropose: {proposal}\n")
        assert found["proposals"]["p"]["verdict"] in ("legal", "undecided")


def test_an_illegal_block_is_said_to_be_with_its_rules(session: Session) -> None:
    said = session.text("check", scenario=BOARD)
    assert said.splitlines()[0] == "nobody: illegal"
    assert "one: illegal\n  702.111b: ogre can't be blocked by fewer than 2 creatures (ogre has menace)" in said
    assert "nearest legal: bear and elf block ogre" in said
    assert "both: legal" in said
    document = session.document("check", scenario=BOARD)
    assert {name: verdict["verdict"] for name, verdict in document["proposals"].items()} == {
        "nobody": "illegal",
        "one": "illegal",
        "both": "legal",
    }
    assert document["proposals"]["one"]["cites"] == ["509.1b", "509.1c", "702.111b"]
    assert document["release"] == "2026-08-07"


def test_a_large_clash_is_told_whole(session: Session) -> None:
    """Twenty attackers must be blocked, and 19 creatures can block: any 19 of these requirements can be obeyed."""
    must = "This creature must be blocked if able."
    creatures: dict[str, Any] = {f"a{number}": {"controller": "A", "pt": "2/2", "text": must} for number in range(20)}
    board = {"battlefield": creatures | {f"b{number}": {"controller": "D", "pt": "2/2"} for number in range(19)}}
    board |= {"attack": dict.fromkeys(creatures, "D"), "propose": {"nobody": {}}}
    told = session.text("check", scenario=board)
    assert f'each of a0 to a19 says "{must[:-1]}" (509.1c)' in told
    assert "better: b0 to b18 block a0 to a18 (one on each, in this order)" in told


def test_a_scenario_can_be_json(session: Session) -> None:
    board = {"battlefield": {"ogre": {"controller": "A", "pt": "1/1", "tapped": True}}, "propose": {"p": {"ogre": "D"}}}
    assert session.text("check", scenario=board).splitlines()[:2] == session.text("check", scenario=json.dumps(board)).splitlines()[:2]
    assert session.document("check", scenario=board)["proposals"]["p"]["violations"][0]["rule"] == "508.1a"


def test_a_verdict_is_explained_and_compared(session: Session) -> None:
    assert "    509.1 one is illegal: bear blocks ogre." in session.text("check", scenario=BOARD, explain=True)
    assert "explanation" in session.document("check", scenario=BOARD, explain=True)["proposals"]["one"]
    told = session.text("check", scenario=BOARD, compare=["2015-01-23", "2026-08-07"])
    assert "one: different" in told
    assert "because of no rule -> 702.111" in told


def test_what_is_not_understood_is_said(session: Session) -> None:
    board = BOARD.replace("This creature must be blocked if able.", "Creatures can't block sideways.")
    told = session.text("check", scenario=board)
    assert "undecided" in told
    assert "not understood: " in told


def test_declarations_are_counted_and_listed(session: Session) -> None:
    board = {"battlefield": {name: {"controller": "A", "pt": "1/1"} for name in "abc"}}
    found = session.document("enumerate", scenario=board, limit=3)
    assert (found["count"], len(found["declarations"])) == (8, 3)
    assert session.text("enumerate", scenario=board, limit=3).startswith("8 legal; the first 3 of them\n")
    assert session.text("enumerate", scenario=board, limit=0) == "8 legal\njudged: attack; rules as of 2026-08-07"
    assert session.text("enumerate", scenario=BOARD, best=True).startswith("a best block: bear and elf block ogre\n  0 life lost")


def test_combat_is_followed(session: Session) -> None:
    told = session.text("outcome", scenario=BOARD)
    assert "nobody:\n  regular damage: ogre deals 4 to D\n  A: life 20\n  D: life 16" in told
    assert "  bear: graveyard" in told
    assert session.document("outcome", scenario=BOARD)["proposals"]["nobody"]["players"]["D"]["life"] == 16


def test_an_attack_that_wins_is_found(session: Session) -> None:
    board: dict[str, Any] = {"players": {"A": {}, "D": {"life": 1}}, "battlefield": {"ogre": {"controller": "A", "pt": "1/1"}}}
    assert session.text("lethal", scenario=board).startswith("yes: whether D loses whatever blocks\n  this attack wins: ogre attacks D\n")
    assert session.document("lethal", scenario=board)["attack"] == {"ogre": "D"}
    board["players"]["D"]["life"] = 2
    assert session.text("lethal", scenario=board).startswith("no: ")
    assert session.text("check", scenario=board | {"judge": "lethal", "expect": {"lethal": False}}).startswith("no: whether D loses")
    told = session.text("lethal", scenario=board, max_damage=True, explain=True)
    assert told.startswith("1 damage to D is certain, and no attack makes more certain\n  the attack: ogre attacks D\n")
    assert "  why:\n" in told


def test_a_deck_is_checked(session: Session) -> None:
    told = session.text("deck", deck=DECK)
    assert told.startswith("illegal in commander: 100 cards, led by Isamaru, Hound of Konda\n  ban list: Black Lotus is banned")
    assert "a smallest repair: remove 1 Black Lotus; add 1 basic land" in told
    found = session.document("deck", deck=DECK)
    assert (found["verdict"], found["violations"][0]["cards"]) == ("illegal", ["Black Lotus"])


def test_pairs_are_listed_and_what_is_cut_is_counted(session: Session) -> None:
    found = session.document("pairings", limit=2)
    assert len(found["pairs"]) == 2
    assert found["cut"] == {"pairs": {"shown": 2, "of": found["count"]}}
    assert session.text("pairings", limit=2).splitlines()[-2:] == [
        f"(shown: 2 of {found['count']:,} under pairs)",
        "(for more: limit goes up to 200, and name asks about one card)",
    ]
    assert "Rory Williams (partner with [name], 702.124j)" in session.text("pairings", name="amy pond")


def test_a_card_is_shown(session: Session) -> None:
    assert session.text("card", name="grizzly bears").startswith("Grizzly Bears: mana value 2, color identity green")
    assert session.error("card", name="grizly bears") == 'no card is called "grizly bears"; did you mean "Grizzly Bears"?'


def test_rules_are_shown(session: Session) -> None:
    told = session.text("rule", number="702.111")
    assert told.startswith("702.111 Menace (rule of the rules as of 2026-08-07)\n(the text of this release is not installed")
    assert MOAT in session.text("rule", number="100.1", release=OLD)
    chapter = session.document("rule", number="702")
    assert (len(chapter["children"]), chapter["cut"]["children"]["shown"]) == (60, 60)


def test_references_are_followed(session: Session) -> None:
    found = session.document("deps", number="702.2", depth=3, limit=5)
    assert len(found["dependencies"]) == 5 < found["count"]
    assert session.text("deps", number="702.2", reverse=True).startswith("2 part(s) of the rules depend on 702.2 Deathtouch")
    assert session.text("path", start="702.2", end="510.1").startswith("702.2 -> 704 -> ")
    assert session.document("path", start="702.2", end="510.1")["path"][-1] == "510.1"


def test_rules_and_keywords_are_found(session: Session) -> None:
    found = session.document("search", words="deathtouch", release="2026-08-07", limit=1)
    assert (found["results"][0]["number"], len(found["results"])) == ("702.2", 1)
    told = session.text("keyword", name="menace")
    assert told.startswith("menace (702.111): keyword ability; evasion")
    assert "imposes: can't be blocked except by 2 or more (702.111b)" in told


def test_passages_are_located(session: Session) -> None:
    assert session.text("locate", text=MOAT) == f"1 passage(s) found in the rules\n100.1 (word for word; {OLD}): {MOAT}"


def test_releases_are_compared(session: Session) -> None:
    found = session.document("diff", old="2026-02-27", new="2026-04-17", limit=3)
    assert len(found["changes"]) == 3
    assert session.text("diff", old="2026-02-27", new="2026-02-27") == "2026-02-27 to 2026-02-27: nothing changed"
    told = session.text("diff", old="2015-01-23", new="2026-08-07", number="702.2")
    assert told.startswith("702.2 Deathtouch as numbered in 2026-08-07\n2016-08-26 to 2017-06-05:\n  702.2c -> 702.2b moved")


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        (
            "check",
            {"scenario": BOARD.replace("keywords", "keyword")},
            'scenario:3: the key "keyword" is not known in battlefield.ogre; did you mean "keywords"?',
        ),
        ("check", {"scenario": "x" * (LONGEST_TEXT + 1)}, "the scenario has 200,001 characters; expected at most 200,000"),
        ("check", {"scenario": WIDE}, "scenario: the board has 41 objects; expected at most 40"),
        ("check", {"scenario": BOARD, "compare": ["2015-01-23"]}, "compare has 1 releases; expected two dates"),
        ("check", {"scenario": BOARD, "release": "2015"}, None),
        ("check", {}, "the tool check needs the argument scenario"),
        ("check", {"scenario": BOARD, "explane": True}, 'the tool check has no argument "explane"; did you mean "explain"?'),
        (
            "check",
            {"scenario": BOARD, "explain": "perhaps"},
            'the argument explain of the tool check is "perhaps"; expected a valid boolean',
        ),
        (
            "enumerate",
            {"scenario": BOARD, "limit": 1000},
            "the argument limit of the tool enumerate is 1000; expected less than or equal to 200",
        ),
        ("outcome", {"scenario": WIDE}, "scenario: the board has 41 objects; expected at most 40"),
        ("deck", {"deck": "1 Isamarru, Hound of Konda"}, None),
        ("deck", {"deck": "1 Plains", "format": "/etc/passwd.yaml"}, None),
        (
            "keyword",
            {"name": "menace", "release": "2015-01-23"},
            "menace has no rule in the release of 2015-01-23; its first is that of 2016-08-26",
        ),
        ("rule", {"number": "702.222"}, None),
        ("chek", {}, 'there is no tool "chek"; did you mean "check"?'),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(session: Session, tool: str, arguments: dict[str, Any], sentence: str | None) -> None:
    said = session.error(tool, **arguments)
    assert sentence is None or said == sentence
    assert "\n" not in said
    assert "Error executing" not in said


def test_many_violations_stay_short(session: Session) -> None:
    creatures = {f"a{n}": {"controller": "A", "pt": "2/2", "keywords": ["flying"]} for n in range(20)}
    creatures |= {f"d{n}": {"controller": "D", "pt": "2/2"} for n in range(20)}
    proposals = {f"p{by}": {f"d{n}": f"a{(n + by) % 20}" for n in range(20)} for by in range(15)}
    board = {"battlefield": creatures, "attack": {f"a{n}": "D" for n in range(20)}, "propose": proposals}
    found = session.call("check", scenario=board)
    assert len(text_of(found)) < 6_000
    assert found.structured_content is not None
    assert {len(verdict["violations"]) for verdict in found.structured_content["proposals"].values()} == {4}
    assert found.structured_content["cut"]["proposals.p0.violations"] == {"shown": 4, "of": 20}
    board["propose"] = {"p": proposals["p0"]}
    assert len(session.document("check", scenario=board)["proposals"]["p"]["violations"]) == 20


def test_a_deck_that_names_no_commander(session: Session) -> None:
    said = session.error("deck", deck="1 Krenko, Mob Boss\n1 Zada, Hedron Grinder\n98 Mountain")
    assert said.endswith("(Krenko, Mob Boss; Zada, Hedron Grinder); name one in commanders")


def test_names_of_objects_are_not_taken_for_keys(session: Session) -> None:
    names = ["file", "seconds", "quote", "proposals"]
    board = {
        "battlefield": {name: {"controller": "A", "pt": "1/1"} for name in names},
        "attack": dict.fromkeys(names, "D"),
        "propose": {"file": {}},
    }
    found = session.document("outcome", scenario=board)
    assert {*found["proposals"]["file"]["objects"]} == {*names}
    del board["attack"], board["propose"]
    listed = session.document("enumerate", scenario=board, limit=200)
    assert {*listed["declarations"][-1]} | {*listed["declarations"][0]} == {*names}
