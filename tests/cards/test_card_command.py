"""`lawmage card`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lawmage.cards.store import installed_file
from lawmage.cli import app
from lawmage.errors import InputError, UnknownNameError

from .made import card, face, store_of


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder without installed data: the facts that come with lawmage are used."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def made(home: Path) -> None:
    """Cards with texts, installed."""
    wolf = face(
        "Test Wolf",
        "Menace\nThis creature can't be blocked by more than one creature.\nOther Wolf creatures you control get +1/+1.\n"
        "This creature must be blocked on every second Tuesday.\nWhenever this creature attacks, draw a card.",
        mana_cost="{1}{G}",
        subtypes=("Wolf",),
        colors=("green",),
    )
    pair = (face("Left", "Flying", types=("enchantment",)), face("Right", types=("instant",), mana_cost="{R}"))
    store_of(home, [card(wolf, color_identity=("green",), mana_value=2), card(*pair, layout="split"), card(face("Right", types=("land",)))])
    assert installed_file() == home / "cards.sqlite"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["card", *words], env={"COLUMNS": "80", "NO_COLOR": "1"})


def answer(*words: str) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert isinstance(document, dict)
    return document


def words_of(result: Result) -> str:
    assert all(len(line.rstrip()) <= 80 for line in result.stdout.splitlines())
    return " ".join(result.stdout.split())


@pytest.mark.usefixtures("made")
def test_a_card_for_people() -> None:
    said = words_of(run("test", "wolf"))
    for expected in (
        "Test Wolf mana value 2, identity green",
        "type Creature — Wolf",
        "power/toughness 2/2",
        "Menace 702.111",
        "This creature can't be blocked by more than one creature. can't be blocked by more than 1 509.1b",
        "gets +1/+1 613.4c",
        "This creature must be blocked on every second Tuesday. (could bear on: attack, block",
        "not followed Whenever this creature attacks, draw a card.",
        "legal in commander",
    ):
        assert expected in said


@pytest.mark.usefixtures("made")
def test_a_card_for_programs() -> None:
    document = answer("Test Wolf")
    (wolf,) = document["faces"]
    assert (document["card"], document["found"], document["color_identity"], document["mana_value"]) == ("Test Wolf", True, ["green"], 2)
    assert (wolf["types"], wolf["power"], wolf["mana_cost"], wolf["colors"]) == (["creature"], "2", "{1}{G}", ["green"])
    assert wolf["keywords"] == [{"written": "Menace", "keyword": "menace", "rule": "702.111"}]
    assert [(one["kind"], one["rule"]) for one in wolf["states"]] == [("max_blockers", "509.1b"), ("gets", "613.4c")]
    assert wolf["states"][0]["sentence"] == "This creature can't be blocked by more than one creature."
    assert [one["sentence"] for one in wolf["not_understood"]] == ["This creature must be blocked on every second Tuesday."]
    assert wolf["not_followed"] == ["Whenever this creature attacks, draw a card."]


@pytest.mark.usefixtures("made")
def test_each_face_is_shown() -> None:
    assert [one["name"] for one in answer("left/right")["faces"]] == ["Left", "Right"]
    said = words_of(run("Left"))
    assert "Left // Right split" in said
    assert "Flying 702.9" in said
    assert "Instant mana cost {R}" in said


@pytest.mark.usefixtures("made")
def test_a_full_name_wins() -> None:
    assert answer("right")["card"] == "Right"


@pytest.mark.usefixtures("made")
def test_rules_in_the_numbering_of_another_release() -> None:
    document = answer("Test Wolf", "--release", "2017-06-05")
    assert document["release"] == "2017-06-05"
    assert document["faces"][0]["keywords"][0]["rule"] == "702.110"
    assert answer("Test Wolf", "--release", "2015-01-23")["faces"][0]["keywords"][0]["rule"] is None


def test_the_facts_that_come_with_lawmage() -> None:
    document = answer("delver", "of", "secrets")
    front, back = document["faces"]
    assert (document["layout"], document["color_identity"], front["power"], back["power"]) == ("transform", ["blue"], "1", "3")
    assert [one["rule"] for one in back["keywords"]] == ["702.9"]
    assert (front["text"], back["text"]) == (None, None)
    assert answer("Silent Arbiter")["faces"][0]["states"][0]["sentence"] is None


def test_no_such_card() -> None:
    result = run("Grizly", "Bears")
    assert result.exit_code == 1
    assert 'no card is called "Grizly Bears"; did you mean "Grizzly Bears"?' in " ".join(result.stderr.split())
    result = run("Grizly Bears", "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (
        1,
        {
            "card": "Grizly Bears",
            "found": False,
            "error": 'no card is called "Grizly Bears"; did you mean "Grizzly Bears"?',
            "suggestions": ["Grizzly Bears"],
        },
    )


def test_several_cards() -> None:
    result = run("Fire")
    assert isinstance(result.exception, InputError)
    assert 'write "Fire // Ice" or "Start // Fire"' in str(result.exception)


def test_no_such_release() -> None:
    assert isinstance(run("Grizzly Bears", "--release", "1999-01-01").exception, UnknownNameError)


def test_help_has_an_example() -> None:
    assert "lawmage card grizzly bears" in " ".join(run("--help").stdout.split())
