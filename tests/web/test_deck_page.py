"""The deck page without a browser."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.web.test_board_page import Direct

from lawmage.web.pages import deck
from lawmage.web.problems import add_handlers

LIST = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n98 Plains\n1 Llanowar Elves\n"


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    app.state.pool = Direct()
    add_handlers(app)
    app.include_router(deck.router)
    return TestClient(app)


def words(page: str) -> str:
    """Return the text of a page, spaces folded."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).replace("&#39;", "'").replace("&#34;", '"').split())


def test_all_that_is_wrong_stands_with_its_rule(client: TestClient) -> None:
    page = client.post("/deck", data={"text": LIST.replace("98", "97"), "format": "commander"})
    assert page.status_code == 200
    said = words(page.text)
    assert "illegal" in said
    assert '<a class="rule" href="/rules/903.5c">903.5c</a>' in page.text
    assert '<a class="rule" href="/rules/903.5a">903.5a</a>' in page.text
    assert "would make it legal" in said


def test_a_commander_that_is_chosen_leads_the_deck(client: TestClient) -> None:
    listed = LIST.replace("Commander\n", "")
    page = client.post("/deck", data={"text": listed, "choose": '["Isamaru, Hound of Konda"]'})
    assert 'value="Isamaru, Hound of Konda"' in page.text
    assert "no card is designated as the commander" not in words(page.text)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": " \n"}, "there is no list; paste one, or choose a file"),
        ({"text": LIST, "format": "komander"}, 'there is no format "komander"; did you mean "commander"?'),
        ({"text": "something\n1 Forest\n98 Plains"}, 'line 1: found "something"; expected a number of copies'),
        ({"text": "100 Planes of Nowhere"}, 'line 1: no card is called "Planes of Nowhere"'),
    ],
)
def test_errors_are_the_sentences_of_the_command_line(client: TestClient, fields: dict[str, str], sentence: str) -> None:
    assert sentence in words(client.post("/deck", data=fields).text)


def test_a_file_takes_the_place_of_what_was_pasted(client: TestClient) -> None:
    page = client.post("/deck", data={"text": "1 Forest"}, files={"file": ("mine.txt", LIST.encode("utf-16"))})
    assert "98 Plains" in page.text
    assert "1 Forest" not in page.text


def test_what_is_written_in_another_form_is_the_same_deck(client: TestClient) -> None:
    written = client.post("/deck/convert", data={"text": LIST, "to": "arena"})
    assert written.headers["content-disposition"] == 'attachment; filename="deck.txt"'
    assert "98 Plains" in written.text
    refused = client.post("/deck/convert", data={"text": LIST, "to": "papyrus"})
    assert refused.status_code == 422
    assert "papyrus" in words(refused.text)


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["text", "format", "commander", "companion", "choose", "name", "to", "file"]),
        st.text(max_size=60) | st.sampled_from([LIST, "commander", "[]", "[1]", '{"a": 1}', "<deck/>", "{", "a,b\n1,2"]),
        max_size=5,
    )
)
def test_no_form_is_a_fault(client: TestClient, fields: dict[str, str]) -> None:
    assert client.post("/deck", data=fields).status_code in (200, 422)
    assert client.post("/deck/convert", data=fields).status_code in (200, 422)
