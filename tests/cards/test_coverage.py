"""How much of the cards' text is understood: what is counted where, the command, and floors for the whole card file."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawmage.answers.coverage import coverage_cards
from lawmage.cards.card import Face
from lawmage.cards.coverage import GROUPS, Coverage, faces_in, measure, measured, sentences_of, share
from lawmage.cards.coverage_record import recorded_coverage, shipped_figures, write_figures
from lawmage.cards.importing import import_cards
from lawmage.cards.store import CardStore, write_store
from lawmage.cli import app
from lawmage.errors import DataError
from lawmage.play.knowledge import knowledge
from lawmage.resources import data_folder

from .made import card, face, store_of

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
    static, conditional | understood | As long as you have N or more cards in hand, ~ can't block.
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
    result = CliRunner().invoke(app, ["coverage", "cards", "--json"])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    with CardStore.open() as store:
        assert (told["cards"], told["texts"]) == (store.count, False)
    assert (
        told["groups"]["static"]["all"]["sentences"] > told["groups"]["static"]["creatures, Vehicles, Auras, Equipment"]["sentences"] > 500
    )
    assert all(group["left"] == [] for group in told["groups"].values())
    again = CliRunner().invoke(app, ["coverage", "cards", "--again"])
    assert "have no texts" in str(again.exception)


def test_what_is_measured_on_import_is_shown_at_once(card_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))
    import_cards(card_file)
    again = json.loads(CliRunner().invoke(app, ["coverage", "cards", "--json", "--again", "--jobs", "1"]).stdout)
    monkeypatch.setattr("lawmage.cards.coverage.sentences_of", None)  # nothing is read
    shown = json.loads(CliRunner().invoke(app, ["coverage", "cards", "--json"]).stdout)
    assert shown == again
    assert shown["groups"]["static"]["left"] == [{"sentence": "~ can't be blocked by Zorps.", "times": 1}]
    assert coverage_cards(top=0, kinds=["static"]).document["groups"]["static"]["left"] == []


def test_cards_that_an_older_version_imported_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    store_of(tmp_path, [card(face("Bosk", "Bosk can't block."))]).close()
    shown = json.loads(CliRunner().invoke(app, ["coverage", "cards", "--json", "--jobs", "1"]).stdout)
    assert shown["groups"]["static"]["all"]["understood"] == 1
    with pytest.raises(DataError, match="older lawmage"):
        coverage_cards()


@pytest.mark.parametrize("packed", [b"", b"x", zlib.compress(b"[]"), zlib.compress(b'{"cards": 1, "groups": {}}')])
def test_a_damaged_record_is_told(packed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cards.sqlite"
    write_store(path, [], date="2026-08-07", source="made", with_text=True, game_changers=False, coverage=packed)
    with CardStore.open(path) as store, pytest.raises(DataError, match="can't be read"):
        recorded_coverage(store)


def test_figures_are_read_as_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured([(Face("Bosk", types=types, text="This creature can't block."),) for types in (("creature",), ("enchantment",))])
    (tmp_path / "kb" / "cards").mkdir(parents=True)
    shutil.copytree(data_folder("queries"), tmp_path / "queries")
    write_figures(found, tmp_path / "kb" / "cards" / "coverage.ttl")
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    read = shipped_figures()
    assert read is not None
    assert (read.cards, read.groups["static"].outcomes, read.groups["static"].of_fighters) == (2, {"understood": 2}, {"understood": 1})
    (tmp_path / "kb" / "cards" / "coverage.ttl").write_text("nothing", encoding="utf-8")
    with pytest.raises(DataError, match="install lawmage again"):
        shipped_figures()


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


@pytest.mark.slow
def test_the_figures_that_ship_are_as_texts_are_read_now(shared: Path) -> None:
    found, shipped = measure(faces_in(shared / "data" / "cards" / "AtomicCards.json.xz"), jobs=2), shipped_figures()
    assert shipped is not None
    assert (shipped.cards, {name: (group.outcomes, group.of_fighters) for name, group in shipped.groups.items()}) == (
        found.cards,
        {name: (group.outcomes, group.of_fighters) for name, group in found.groups.items()},
    )
