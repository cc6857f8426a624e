"""What callers give: names of cards begun, texts in place of files, boards that are too large; nothing of it is opened as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawmage.answers import ANSWERS, Source
from lawmage.errors import InputError, UnknownNameError

HOUSE = "lawmage: 1\nformat: house\nbased_on: commander\nbanned: [Plains]\n"
DECK = Source("deck", "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n99 Plains\n")


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))


def names(prefix: str, limit: int = 12) -> list[str]:
    found = ANSWERS["complete"](prefix, limit=limit).document["names"]
    assert isinstance(found, list)
    return found


def test_names_of_cards_are_completed() -> None:
    assert names("Grizzly B") == ["Grizzly Bears"]
    assert names("grizzlyb", limit=1) == ["Grizzly Bears"]
    assert names("Æther Vi")[0] == "Aether Vial"
    assert "Fire // Ice" in names("fire /")


def test_a_full_name_comes_before_that_of_a_face_and_one_that_begins_so_before_one_that_has_it() -> None:
    found = names("ice", limit=100)
    begun = [name for name in found if name.casefold().startswith("ice")]
    assert found[: len(begun)] == begun
    assert found.index("Fire // Ice") >= len(begun)
    assert names("bears", limit=100)[0].startswith("Bears")
    assert "Grizzly Bears" in names("bears", limit=100)


def test_names_that_nothing_begins_with_are_guessed() -> None:
    assert names("grizly bears")[0] == "Grizzly Bears"
    assert names("qqqqqqqq") == []


@pytest.mark.parametrize("prefix", ["", " ", "!", "\0"])
def test_an_empty_name_begins_no_name(prefix: str) -> None:
    assert names(prefix) == []


@pytest.mark.parametrize(("limit", "most"), [(-1, 0), (0, 0), (3, 3), (1000, 100)])
def test_names_are_as_many_as_asked_for(limit: int, most: int) -> None:
    assert len(names("a", limit=limit)) == most


def test_a_format_of_ones_own_is_a_text_and_never_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    (answer,) = ANSWERS["deck"]([DECK], format=str(file)).document["decks"]
    assert answer["error"].startswith(f'there is no format "{str(file)[:80]}"')
    (answer,) = ANSWERS["deck"]([DECK], format_text=HOUSE).document["decks"]
    assert (answer["format"], answer["verdict"]) == ("house", "illegal")
    with pytest.raises(InputError, match=r"^format_text:4: "):
        ANSWERS["deck"]([DECK], format_text=HOUSE.replace("banned", "band"))


def test_decks_with_expectations_name_no_file_either(tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    case = f"judge: deck\nformat: {tmp_path}/house.yaml\ndecks: {{p: {{main: {{Plains: 1}}}}}}\nexpect: {{p: illegal}}\n"
    (report,) = ANSWERS["test"]([Source("case", case)]).document["files"]
    assert report["error"].startswith("there is no format")
    assert ANSWERS["test"]([Source("case", case.replace(f"format: {tmp_path}/house.yaml\n", ""))]).document["passed"] == 1


def test_a_query_is_a_name_and_never_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.rq"
    file.write_text("SELECT * {}", encoding="utf-8")
    with pytest.raises(UnknownNameError, match="there is no query"):
        ANSWERS["query"](str(file))


def test_a_scenario_becomes_plain_data() -> None:
    text = "release: 2026-08-07\nbattlefield: {m: {controller: A, pt: 1/1, tapped: true, damage: 0}}\npropose: {p: {m: D}}\n"
    document = ANSWERS["scenario"](Source("board", text)).document
    thing = {"controller": "A", "pt": "1/1", "tapped": True, "damage": 0}
    assert document == {"scenario": {"release": "2026-08-07", "battlefield": {"m": thing}, "propose": {"p": {"m": "D"}}}}
    with pytest.raises(InputError, match=r'^board:2: the key "tap" is not known in battlefield\.m'):
        ANSWERS["scenario"](Source("board", text.replace("tapped", "tap")))


@pytest.mark.parametrize("name", ["check", "test", "outcome", "lethal"])
def test_a_board_may_be_refused_for_its_size(name: str) -> None:
    source = Source(
        "board", "battlefield: {a: {controller: A, pt: 1/1}, b: {controller: A, pt: 1/1}}\npropose: {p: {a: D}}\nexpect: {p: legal}"
    )
    given = {"sources": [source]} if name in ("check", "test") else {"source": source}
    (answer,) = ANSWERS[name](**given, objects=1).document["files"]
    assert answer["error"] == "board: the board has 2 objects; expected at most 1"


@pytest.mark.parametrize("name", ["enumerate", "scenario"])
def test_a_board_may_be_refused_for_its_size_at_once(name: str) -> None:
    with pytest.raises(InputError, match=r"^board: the board has 2 objects; expected at most 1$"):
        ANSWERS[name](Source("board", "battlefield: {a: {controller: A, pt: 1/1}, b: {controller: A, pt: 1/1}}"), objects=1)


def test_half_a_character_is_refused() -> None:
    (answer,) = ANSWERS["deck"]([Source("deck", "1 Plains\n1 \ud800")]).document["decks"]
    assert answer["error"] == "deck:2: has half of a surrogate pair, which is no character"
    (answer,) = ANSWERS["check"]([Source("board", "title: \ud800\nbattlefield: {}")]).document["files"]
    assert answer["error"].startswith("board:1: ")


def test_releases_are_listed() -> None:
    document = ANSWERS["releases"]().document
    assert document["installed"] == []
    assert document["newest"] == max(document["releases"])
    assert document["releases"] == sorted(document["releases"])


def test_verdicts_can_be_asked_for_as_rdf() -> None:
    board = "battlefield: {a: {controller: A, pt: 1/1}}\npropose: {p: {a: D}}"
    answered = ANSWERS["check"]([Source("board", board), Source("none", "")], form="turtle")
    assert "prov:" in answered.document["turtle"]
    assert [file["file"] for file in answered.document["files"]] == ["none"]
    assert answered.status == 2
