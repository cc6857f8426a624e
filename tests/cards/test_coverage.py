"""How much of the cards' text is understood: what is counted where, the command, and floors for the whole card file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawmage.cards.card import Face
from lawmage.cards.coverage import GROUPS, Coverage, faces_in, measure, sentences_of, share
from lawmage.cli import app
from lawmage.play.knowledge import knowledge

#: What becomes of the sentences of a text on a creature: a text, and below it group, outcome and sentence of each that is counted.
COUNTED = """
Flying, vigilance
    keyword lines | understood | Flying, vigilance
Zorping 3
    keyword lines | unread | Zorping N
Ward—Pay 2 life.
    keyword lines | understood | Ward—Pay N life.
Bosk can't block.
    static | understood | ~ can't block.
This creature can't be blocked by creatures of the chosen color.
    static | unread | ~ can't be blocked by creatures of the chosen color.
You may exert this creature as it attacks.
    static | understood | You may exert ~ as it attacks.
As long as you have three or more cards in hand, this creature can't block.
    static, conditional | open | As long as you have N or more cards in hand, ~ can't block.
This creature attacks each combat if able.
    static | understood | ~ attacks each combat if able.
Other creatures you control get +1/+1.
    static, other | understood | Other creatures you control get +N/+N.
Whenever this creature attacks, draw a card. It can't be blocked this turn.
    triggered or activated | passed | Whenever ~ attacks, draw a card.
    triggered or activated | passed | It can't be blocked this turn.
{2}{U}, {T}: Target creature can't be blocked this turn.
    triggered or activated | passed | {COST}, {COST}: Target creature can't be blocked this turn.
Raid — At the beginning of your end step, if you attacked this turn, draw a card.
    triggered or activated | passed | At the beginning of your end step, if you attacked this turn, draw a card.
Enchanted creature has "Whenever this creature attacks, draw a card."
    triggered or activated | passed | Enchanted creature has "Whenever ~ attacks, draw a card."
Choose a Background
    deck construction | understood | Choose a Background
A deck can have any number of cards named Bosk.
    deck construction | understood | A deck can have any number of cards named ~.
Draw a card. (It can't attack.)
LEVEL 1-3
"""


def _cases() -> list[tuple[str, list[str]]]:
    cases: list[tuple[str, list[str]]] = []
    for line in COUNTED.strip().split("\n"):
        if line.startswith(" "):
            cases[-1][1].append(line.strip())
        else:
            cases.append((line, []))
    return cases


@pytest.mark.parametrize(("text", "expected"), _cases(), ids=[text[:50] for text, _ in _cases()])
def test_what_is_counted_where(text: str, expected: list[str]) -> None:
    face = Face("Bosk, Lord of the Fen", types=("creature",), text=text)
    found = [f"{one.group} | {one.outcome} | {one.sentence}" for one in sentences_of(face, knowledge())]
    assert found == expected


@pytest.mark.parametrize(
    ("face", "group", "fighter"),
    [
        (Face("Bosk", types=("enchantment",), subtypes=("Aura",), text="Enchanted creature can't attack."), "static", True),
        (Face("Bosk", types=("artifact",), subtypes=("Vehicle",), text="This Vehicle can't block."), "static", True),
        (Face("Bosk", types=("enchantment",), text="Creatures can't attack you."), "static", False),
        (Face("Bosk", types=("instant",), text="Target creature can't block this turn."), "one-shot", False),
    ],
)
def test_whose_sentences_they_are(face: Face, group: str, fighter: bool) -> None:
    assert [(one.group, one.fighter) for one in sentences_of(face, knowledge())] == [(group, fighter)]


def test_no_sentence_is_in_two_groups_and_none_is_lost() -> None:
    faces = [(Face("Bosk", types=("creature",), text="Flying\nBosk can't block. Zorps can't block.\nBosk gets +1/+1."),)] * 7
    for jobs in (1, 2):
        found = measure(iter(faces), jobs=jobs)
        assert found.cards == 7
        assert {name: sum(group.outcomes.values()) for name, group in found.groups.items() if group.outcomes} == {
            "keyword lines": 7,
            "static": 14,
            "static, other": 7,
        }
        assert found.groups["static"].most_left(5) == [("Zorps can't block.", 7)]


def test_share() -> None:
    assert share({}) is None
    assert share({"understood": 1, "open": 1, "passed": 1, "unread": 1}) == 0.5


# ---------------------------------------------------------------- the command


@pytest.fixture
def card_file(tmp_path: Path) -> Path:
    card = {"object": "card", "oracle_id": "00000000-0000-4000-8000-000000000001", "name": "Bosk", "layout": "normal", "cmc": 1}
    card |= {"type_line": "Creature — Elf", "power": "1", "toughness": "1", "colors": [], "color_identity": [], "legalities": {}}
    card |= {"oracle_text": "Flying\nBosk can't block.\nBosk can't be blocked by Zorps.", "mana_cost": "{G}", "keywords": ["Flying"]}
    path = tmp_path / "oracle-cards.json"
    path.write_text(json.dumps([card]), encoding="utf-8")
    return path


def test_command(card_file: Path) -> None:
    result = CliRunner().invoke(app, ["coverage", "cards", str(card_file), "--jobs", "1"])
    assert result.exit_code == 0
    assert "50.00%" in result.stdout
    assert "1 ~ can't be blocked by Zorps." in result.stdout


def test_command_as_json(card_file: Path) -> None:
    result = CliRunner().invoke(app, ["coverage", "cards", str(card_file), "--jobs", "1", "--json", "--top", "1", "--kind", "static"])
    assert json.loads(result.stdout) == {
        "cards": 1,
        "groups": {
            "static": {
                "holds": GROUPS["static"],
                "all": {"sentences": 2, "understood": 1, "open": 0, "passed": 0, "unread": 1, "share": 0.5},
                "creatures, Vehicles, Auras, Equipment": {
                    "sentences": 2,
                    "understood": 1,
                    "open": 0,
                    "passed": 0,
                    "unread": 1,
                    "share": 0.5,
                },
                "left": [{"sentence": "~ can't be blocked by Zorps.", "times": 1}],
            }
        },
    }


def test_command_without_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["coverage", "cards"])
    assert result.exit_code
    assert "lawmage data import" in str(result.exception)


def test_command_with_a_kind_that_is_none(card_file: Path) -> None:
    result = CliRunner().invoke(app, ["coverage", "cards", str(card_file), "--kind", "statc"])
    assert 'did you mean "static"' in str(result.exception)


# ---------------------------------------------------------------- floors


#: Which part is understood at least, on creatures, Vehicles, Auras and Equipment.
FLOORS = {"keyword lines": 0.98, "static": 0.95, "static, conditional": 0.85, "static, other": 0.62, "deck construction": 0.99}


def check_floors(found: Coverage, floors: Mapping[str, float]) -> None:
    shares = {name: share(group.of_fighters) or 0 for name, group in found.groups.items()}
    assert {name: round(shares[name], 4) for name, floor in floors.items() if shares[name] < floor} == {}


def test_floors_for_some_cards(shared: Path) -> None:
    found = measure(islice(faces_in(shared / "data" / "cards" / "oracle-cards.json.xz"), 0, None, 10))
    assert found.cards > 3_000
    # Of some groups there are a few sentences only.
    check_floors(found, {"keyword lines": 0.97, "static": 0.9, "static, conditional": 0.6, "static, other": 0.6, "deck construction": 0.95})


@pytest.mark.slow
def test_floors_for_all_cards(shared: Path) -> None:
    found = measure(faces_in(shared / "data" / "cards" / "oracle-cards.json.xz"), jobs=2)
    assert found.cards == 34_745
    check_floors(found, FLOORS)
