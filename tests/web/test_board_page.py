"""The board page without a browser: links, edits, files, and what is not to be believed."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from lawmage.answers import ANSWERS, Answered, Source
from lawmage.errors import InputError
from lawmage.web.pages import routers
from lawmage.web.pages.board import examples
from lawmage.web.pages.board_edits import Fields, apply_declaration, edited, new_board
from lawmage.web.pages.board_link import MAX_LINK, MAX_UNFOLDED, packed, unpacked
from lawmage.web.problems import add_handlers

ROOT = Path(__file__).resolve().parents[2]


class Direct:
    """A pool that answers in this process."""

    async def ask(self, name: str, /, **arguments: Any) -> Answered:
        return ANSWERS[name](**arguments)


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    app.state.pool = Direct()
    add_handlers(app)
    for router in routers:
        app.include_router(router)
    return TestClient(app, raise_server_exceptions=True)


def read(data: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a scenario and what is drawn of it."""
    document = ANSWERS["board"](Source("board", json.dumps(data))).document
    return document["scenario"], document["board"]


def change(data: dict[str, Any], **fields: str | list[str]) -> dict[str, Any]:
    """Return a scenario as a form with these fields changes it; `__` stands for the stroke of a field's name."""
    scenario, drawn = read(data)
    values = {name.replace("__", "/"): [value] if isinstance(value, str) else value for name, value in fields.items()}
    new = edited(scenario, drawn, Fields(values))
    read(new)
    return new


def verdicts(text: str) -> dict[str, str]:
    (answer,) = ANSWERS["check"]([Source("board", text)]).document["files"]
    return {name: one["verdict"] for name, one in answer["proposals"].items()}


def link_of(page: str) -> str:
    found = re.search(r'name="b" value="([^"]*)"', page)
    assert found
    return found[1]


# Links.


@pytest.mark.parametrize("path", [*examples().values(), ROOT / "examples" / "menace.yaml"], ids=lambda path: path.stem)
def test_a_link_holds_the_whole_board(path: Path) -> None:
    scenario = ANSWERS["scenario"](Source(path.name, path.read_text(encoding="utf-8"))).document["scenario"]
    link = packed(scenario)
    assert unpacked(link) == scenario
    assert re.fullmatch("[A-Za-z0-9_-]+", link)
    assert len(link) < 1000 < MAX_LINK


def test_a_link_that_unfolds_to_more_than_a_scenario_is_refused() -> None:
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = squeezer.compress(b'{"title":"' + b"a" * (50 * MAX_UNFOLDED) + b'"}') + squeezer.flush()
    with pytest.raises(InputError, match="larger than 1,048,576 bytes"):
        unpacked(base64.urlsafe_b64encode(bomb).decode().rstrip("="))


@pytest.mark.parametrize("text", ["", "a", "!", "AAAA", "é", packed({"title": "x"})[:-4], packed({"a": 1}) + "AAAA", "W10", "[]"])
def test_what_is_no_link_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(InputError, match="holds no board"):
        unpacked(text)


@settings(max_examples=40, deadline=None)
@given(
    st.text(st.characters(codec="ascii"), max_size=200) | st.binary(max_size=200).map(lambda some: base64.urlsafe_b64encode(some).decode())
)
def test_no_link_does_harm(text: str) -> None:
    try:
        found = unpacked(text)
    except InputError:
        return
    assert isinstance(found, dict)


# Edits.


def test_creatures_are_added_with_names_of_their_own() -> None:
    data = change(new_board(), do="add/A", **{"new-size/A": "9/9", "new-keywords/A": "menace, trample", "new-attacks/A": "1"})
    data = change(data, do="add/D", **{"new-card/D": "grizzly bears", "new-count/D": "3"})
    assert list(data["battlefield"]) == ["9/9 menace", "grizzly bears", "grizzly bears (2)", "grizzly bears (3)"]
    assert data["battlefield"]["9/9 menace"] == {"controller": "A", "pt": "9/9", "keywords": ["menace", "trample"]}
    assert data["attack"] == {"9/9 menace": "D"}


def test_what_is_added_to_a_card_stands_beside_it() -> None:
    data = change(new_board(), do="add/A", **{"new-card/A": "Grizzly Bears", "new-keywords/A": "flying"})
    assert data["battlefield"]["Grizzly Bears"] == {"controller": "A", "card": "Grizzly Bears", "also": {"keywords": ["flying"]}}
    scenario, drawn = read(data)
    values = {"drawn": ["1"], "keywords/Grizzly Bears": [""]}
    assert edited(scenario, drawn, Fields(values))["battlefield"]["Grizzly Bears"] == {"controller": "A", "card": "Grizzly Bears"}


def test_planeswalkers_have_loyalty() -> None:
    data = change(new_board(), do="add/D", **{"new-type/D": "planeswalker", "new-size/D": "4", "new-name/D": "W"})
    assert data["battlefield"] == {"W": {"controller": "D", "types": ["planeswalker"], "loyalty": 4}}


BOARD: dict[str, Any] = {
    "title": "t",
    "battlefield": {
        "m": {"controller": "A", "pt": "3/3"},
        "n": {"controller": "A", "pt": "3/3"},
        "b": {"controller": "D", "pt": "2/2"},
        "w": {"controller": "D", "types": ["planeswalker"], "loyalty": 4},
    },
    "hand": {"h": {"owner": "A", "types": ["instant"], "mana_cost": "{U}"}},
    "turn": {"phase": "combat"},
    "history": {"gained_life": ["A"]},
    "effects": [{"controller": "D", "text": "Creatures you control block this turn if able."}],
    "attack": {"m": {"target": "D", "pay": "{2}"}, "n": "w"},
    "propose": {"one": {"b": "m"}, "two": {"b": {"attackers": ["n"], "pay": "{1}"}}},
    "expect": {"one": "legal"},
}


def form(**changed: list[str]) -> dict[str, list[str]]:
    """Return the fields of the form as they are for BOARD, but for those that are changed."""
    same = {
        "drawn": ["1"],
        "shown": ["two"],
        "attack/m": ["", "D"],
        "attack/n": ["", "w"],
        "block/b": ["n"],
        "life/A": ["20"],
        "life/D": ["20"],
    }
    return same | {name.replace("__", "/"): value for name, value in changed.items()}


def test_what_is_not_changed_stays_word_by_word() -> None:
    scenario, drawn = read(BOARD)
    assert edited(scenario, drawn, Fields(form())) == BOARD


def test_keys_that_are_not_drawn_outlive_changes() -> None:
    scenario, drawn = read(BOARD)
    new = edited(scenario, drawn, Fields(form(attack__n=[""], block__b=["m"], life__D=["7"], tapped__b=["on"])))
    assert new["attack"] == {"m": {"target": "D", "pay": "{2}"}}
    assert new["propose"] == {"one": {"b": "m"}, "two": {"b": "m"}}
    assert new["players"] == {"A": {}, "D": {"life": 7}}
    assert new["battlefield"]["b"] == {"controller": "D", "pt": "2/2", "tapped": True}
    for key in ("hand", "turn", "history", "effects", "expect", "title"):
        assert new[key] == BOARD[key]
    read(new)


def test_what_does_not_attack_any_more_is_not_blocked() -> None:
    scenario, drawn = read(BOARD)
    new = edited(scenario, drawn, Fields(form(attack__n=[""])))
    assert new["propose"] == {"one": {"b": "m"}, "two": {}}


def test_an_object_that_is_removed_leaves_attacks_and_blocks() -> None:
    scenario, drawn = read(BOARD)
    new = edited(scenario, drawn, Fields(form(do=["remove/n"])))
    assert "n" not in json.dumps([new["battlefield"], new["attack"], new["propose"]["two"]]).replace("controller", "").replace(
        "planeswalker", ""
    )
    read(new)
    new = edited(scenario, drawn, Fields(form(do=["remove/w"])))
    assert new["attack"] == {"m": {"target": "D", "pay": "{2}"}}


def test_the_proposed_attack_is_declared_when_blocks_are_asked_about() -> None:
    data = {"battlefield": BOARD["battlefield"], "propose": {"attack": {"m": "D"}}}
    blocks = change(data, step="block")
    assert (blocks["attack"], blocks["propose"]) == ({"m": "D"}, {"blocks": {}})
    again = change(blocks, step="attack")
    assert "attack" not in again
    assert again["propose"] == {"attack": {"m": "D"}}


def test_a_list_of_attackers_is_understood() -> None:
    new = change({"battlefield": BOARD["battlefield"], "attack": ["m"]}, drawn="1", **{"attack/n": ["", "w"], "attack/m": ["", "D"]})
    assert new["attack"] == {"m": "D", "n": "w"}


def test_what_holds_is_taken_in_words() -> None:
    board = {"battlefield": {"x": {"controller": "A", "pt": "1/1", "text": "t", "conditions": {"the moon is full": True}}}}
    scenario, drawn = read(board)
    same = {"drawn": ["1"], "conditions/x": ["the moon is full: yes"]}
    assert edited(scenario, drawn, Fields(same))["battlefield"] == board["battlefield"]
    other = same | {"conditions/x": ["the moon is full: No; it is late;"]}
    assert edited(scenario, drawn, Fields(other))["battlefield"]["x"]["conditions"] == {"the moon is full": False, "it is late": True}


def test_payments_and_goading_are_taken() -> None:
    scenario, drawn = read(BOARD)
    new = edited(scenario, drawn, Fields(form(pay__m=["{3}"], pay__b=[""], pay__n=["{1}"], goaded__m=["D", "A"])))
    assert new["attack"] == {"m": {"target": "D", "pay": "{3}"}, "n": {"target": "w", "pay": "{1}"}}
    assert new["propose"]["two"] == {"b": ["n"]}
    assert new["battlefield"]["m"]["goaded_by"] == ["D"]
    read(new)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"do": "add/A"}, "nothing is typed in to add"),
        ({"do": "add/A", "new-size/A": "2/2", "new-count/A": "31"}, "must be from 1 to 30"),
        ({"do": "add/A", "new-size/A": "2/2", "new-count/A": "many"}, 'must be a whole number, but is "many"'),
        ({"do": "add/A", "new-size/A": "big"}, "must be a whole number"),
        ({"do": "add/A", "new-size/A": "*/2"}, "must be power and toughness as two whole numbers"),
        ({"do": "add/A", "new-card/A": "Grizly Bers"}, 'did you mean "Grizzly Bears"'),
        ({"drawn": "1", "life/A": "lots"}, "the life of A must be a whole number"),
    ],
)
def test_what_can_not_be_taken_is_refused_in_one_sentence(fields: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        change(new_board(), **fields)


def test_only_a_declaration_is_applied() -> None:
    assert apply_declaration(BOARD, "two", '{"b": ["m"]}')["propose"]["two"] == {"b": "m"}
    for text in ("", "[]", "{", "1", '"b"'):
        with pytest.raises(InputError, match="no declaration"):
            apply_declaration(BOARD, "two", text)


# Files.


@pytest.mark.parametrize("path", [*examples().values(), ROOT / "examples" / "menace.yaml"], ids=lambda path: path.stem)
def test_what_is_saved_is_judged_as_what_was_loaded(client: TestClient, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    page = client.post("/board/load", files={"file": (path.name, text)})
    assert page.status_code == 200
    saved = client.post("/board/save", data={"b": link_of(page.text)})
    assert saved.headers["content-disposition"] == 'attachment; filename="board.yaml"'
    assert verdicts(saved.text) == verdicts(text)
    assert ANSWERS["scenario"](Source("saved", saved.text)).document == ANSWERS["scenario"](Source("loaded", text)).document


_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=12) | st.sampled_from(
    [
        "yes",
        "null",
        "1.0",
        "0x1F",
        "2026-08-07",
        "a: b",
        "- a",
        "#",
        "{2}",
        "'",
        '"',
        "0o7",
        "1e3",
        "~",
        ".nan",
        "bands",
        "?~",
        "x\x85",
        "x\u2028y",
        "[]",
        "a, b",
    ]
)


@settings(max_examples=30, deadline=None)
@given(names=st.lists(_WORDS, min_size=1, max_size=4, unique=True), words=_WORDS, number=st.integers(0, 99))
def test_any_name_and_text_outlive_saving(names: list[str], words: str, number: int) -> None:
    data = {"title": words, "battlefield": {name: {"controller": "A", "pt": "2/2", "text": words, "damage": number} for name in names}}
    try:
        before, _ = read(data)
    except InputError:
        return
    saved = ANSWERS["scenario_file"](Source("board", json.dumps(before))).document["text"]
    assert ANSWERS["scenario"](Source("saved", saved)).document["scenario"] == before


@pytest.mark.parametrize("path", list(examples().values()), ids=lambda path: path.stem)
def test_examples_are_what_they_expect(path: Path) -> None:
    report = ANSWERS["test"]([Source(path.name, path.read_text(encoding="utf-8"))]).document
    assert (report["passed"], report["failed"]) == (1, 0)


def test_a_file_that_is_no_scenario_is_refused_and_stays_to_be_mended(client: TestClient) -> None:
    page = client.post("/board/load", data={"text": "battlefield: {x: {controller: A, pt: 2/2, keyword: [menace]}}"})
    assert page.status_code == 422
    assert "the pasted text:1: the key &#34;keyword&#34; is not known in battlefield.x; did you mean &#34;keywords&#34;?" in page.text
    assert "keyword: [menace]" in page.text


# What is not to be believed.


@settings(max_examples=40, deadline=None)
@given(
    board=st.sampled_from([BOARD, new_board(), {"battlefield": BOARD["battlefield"]}, {"attack": 5}, {"propose": []}]),
    fields=st.dictionaries(
        st.sampled_from(
            ["drawn", "shown", "step", "show", "live", "apply", "do", "attack/m", "block/b", "life/A", "tapped/b", "counters/b", "size/b"]
        )
        | st.sampled_from(
            [
                "new-attacks/A",
                "new-card/A",
                "new-size/A",
                "new-count/A",
                "new-keywords/D",
                "new-effect/D",
                "keywords/m",
                "text/m",
                "damage/m",
            ]
        ),
        st.text(max_size=20)
        | st.sampled_from(
            ["judge", "lethal", "enter", "add/A", "add/", "remove/m", "remove/D", "copy/b", "add-effect/D", "remove-effect/0"]
        )
        | st.sampled_from(["attack", "block", "D", "m", "1", "-1", "2/2", '{"b": ["m"]}', '{"b": 5}', '{"x": {"y": []}}', "+1/+1: 2"]),
        max_size=6,
    ),
)
def test_no_form_is_a_fault(client: TestClient, board: dict[str, Any], fields: dict[str, str]) -> None:
    page = client.post("/board", data={"b": packed(board), **fields}, headers={"HX-Request": "true"})
    assert page.status_code in (200, 422)
    assert 'id="workspace"' in page.text


def test_what_is_no_creature_is_not_added_as_an_attacker(client: TestClient) -> None:
    fields = {"b": packed(new_board()), "drawn": "1", "do": "add/A", "new-attacks/A": "1", "new-card/A": "Sol Ring"}
    page = client.post("/board", data=fields)
    assert unpacked(link_of(page.text)) == new_board() | {"battlefield": {"Sol Ring": {"controller": "A", "card": "Sol Ring"}}}


@pytest.mark.parametrize("do", ["add/A", "remove/m", "copy/m"])
@pytest.mark.parametrize("step", ["attack", "block"])
def test_the_step_may_change_with_anything_else(client: TestClient, step: str, do: str) -> None:
    for board in ({"battlefield": BOARD["battlefield"]}, BOARD):
        fields = {"b": packed(board), "drawn": "1", "step": step, "do": do, "new-size/A": "1/1", "new-attacks/A": "1"}
        assert client.post("/board", data=fields).status_code == 200


def test_text_of_a_board_is_text(client: TestClient) -> None:
    name = "<script>alert(1)</script>\"'"
    page = client.get(
        "/board", params={"b": packed({"title": name, "battlefield": {name: {"controller": "A", "pt": "1/1", "text": name}}})}
    )
    assert page.status_code == 200
    assert "<script>alert" not in page.text


def test_pages_are_compressed_for_those_who_take_it(client: TestClient) -> None:
    plain = client.get("/board", headers={"Accept-Encoding": "identity"})
    small = client.get("/board", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert small.text == plain.text
    assert int(small.headers["content-length"]) < int(plain.headers["content-length"]) / 2


def test_links_that_are_no_board_get_an_empty_one_and_a_sentence(client: TestClient) -> None:
    page = client.get("/board", params={"b": "nonsense"})
    assert page.status_code == 422
    assert "this link holds no board" in page.text
    assert client.get("/board", params={"example": "nonsense"}).status_code == 422


def test_the_nearest_legal_play_is_offered_and_applied(client: TestClient) -> None:
    hand = {name: {"owner": owner, "types": ["instant"], "mana_cost": "{R}"} for name, owner in (("s", "A"), ("t", "D"))}
    proposals = {"p": {"cast": "s", "pay": "{U}"}, "q": {"cast": "t", "by": "A"}}
    fields = {"b": packed({"judge": "cast", "hand": hand, "propose": proposals}), "do": "judge"}
    page = client.post("/board", data={**fields, "shown": "p"}).text
    assert "cast s, paying {R}." in page
    play = re.search(r'name="apply" value="([^"]*)"', page)
    assert play
    applied = client.post("/board", data={**fields, "shown": "p", "apply": unescape(play[1])}).text
    assert '<span class="badge legal">legal</span>' in applied
    assert "No way for A to cast t is legal now." in client.post("/board", data={**fields, "shown": "q"}).text
