"""Whose fault it is: what a request gets wrong is 422, what the server lacks is 503."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import httpx
import pytest
from tests.web.conftest import ROOT, serving

from lawmage.answers.answered import Answered, each
from lawmage.errors import CheckerDisagreementError
from lawmage.web.problems import AT_FAULT, status_of

YAML = {"Content-Type": "application/yaml"}
BOARD = "battlefield: {m: {controller: A, pt: 1/1}}\nattack: {m: D}\npropose: {p: {}}\n"
WITH_CARD = BOARD.replace("pt: 1/1", "card: Grizzly Bears")
EXPECTED = "expect: {p: legal}\n"
MISSING = "no cards are installed"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Asks a server whose data have no cards."""
    data = tmp_path_factory.mktemp("data")
    for name in ("asp", "queries"):
        (data / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "kb", data / "kb", ignore=shutil.ignore_patterns("cards"))
    with (
        serving(tmp_path_factory.mktemp("home"), "--workers", "1", "--time-limit", "120", LAWMAGE_DATA=str(data)) as running,
        httpx.Client(base_url=running.address, timeout=180) as client,
    ):
        yield client


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("check", WITH_CARD),
        ("check?compare=2015-01-23&compare=2026-08-07", WITH_CARD),
        ("enumerate", WITH_CARD),
        ("outcome", WITH_CARD),
        ("lethal", WITH_CARD),
        ("test", WITH_CARD + EXPECTED),
        ("scenario", WITH_CARD),
        ("deck", "1 Forest"),
    ],
)
def test_what_the_server_lacks_is_not_the_fault_of_a_file(client: httpx.Client, path: str, body: str) -> None:
    headers = YAML if path != "deck" else {"Content-Type": "text/plain"}
    response = client.post(f"/api/{path}", content=body, headers=headers)
    assert (response.status_code, response.json()["status"]) == (503, 503), response.text
    assert MISSING in response.json()["detail"]


@pytest.mark.parametrize("address", ["/api/card?name=Forest", "/api/complete?prefix=fo", "/api/pairings", "/api/coverage/cards"])
def test_what_the_server_lacks_is_not_the_fault_of_a_question(client: httpx.Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 503, response.text
    assert MISSING in response.json()["detail"]


def test_rdf_of_what_the_server_lacks(client: httpx.Client) -> None:
    assert client.post("/api/check", content=WITH_CARD, headers=YAML | {"Accept": "text/turtle"}).status_code == 503


def test_what_a_file_gets_wrong_is_its_own_fault(client: httpx.Client) -> None:
    assert client.post("/api/check", content=BOARD, headers=YAML).status_code == 200
    response = client.post("/api/check", content=BOARD.replace("pt", "pp"), headers=YAML)
    assert (response.status_code, "pp" in response.json()["detail"]) == (422, True)
    house = {"files": [{"text": "1 Forest"}], "format_text": "name: x\nbased_on: nothing"}
    assert client.post("/api/deck", json=house).status_code == 422


def test_of_several_files_each_says_what_is_at_fault(client: httpx.Client) -> None:
    files = [{"file": str(number), "text": text} for number, text in enumerate((BOARD, WITH_CARD, "nothing: 1"))]
    response = client.post("/api/check", json={"files": files})
    assert response.status_code == 200
    told = response.json()["files"]
    assert [one.get("fault") for one in told] == [None, "data", None]
    assert ["error" in one for one in told] == [False, True, True]


def test_pages_say_so_too(client: httpx.Client) -> None:
    response = client.post("/deck", data={"text": "1 Forest", "format": "commander"})
    assert (response.status_code, MISSING in response.text) == (503, True)
    response = client.get("/coverage")
    assert (response.status_code, MISSING in response.text) == (200, True)
    response = client.post("/board/load", data={"text": WITH_CARD})
    assert (response.status_code, MISSING in response.text) == (503, True)
    assert client.post("/board/load", data={"text": "nothing: 1"}).status_code == 422


def test_openapi_says_which_is_which(client: httpx.Client) -> None:
    document = client.get("/api/openapi.json").json()
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if path.startswith("/api"):
                assert "data that the server lacks" in operation["responses"]["503"]["description"], path
                assert "not what was expected" in operation["responses"]["422"]["description"], path
                assert "500" in operation["responses"], path


def test_a_verdict_that_the_checker_does_not_confirm_is_lawmages_own_fault() -> None:
    def disputed() -> Answered:
        raise CheckerDisagreementError("p", ["one thing"])

    (told,) = each([("board.yaml", disputed)]).document["files"]
    assert told["fault"] == "lawmage"
    assert status_of(AT_FAULT[told["fault"]](told["error"])) == 500
