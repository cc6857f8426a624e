"""What is installed while the server runs is there at once: nothing is to be started again."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from tests.cards.made import card, face, store_of
from tests.web.conftest import serving

from lawmage.rulebook.model import Node, Rulebook
from lawmage.rulebook.store import install

RELEASE = "2030-03-04"
GRAPH = f"urn:lawmage:rules:{RELEASE}"
BOARD = "battlefield: {m: {controller: A, card: Made Up Machine}}\nattack: {m: D}\npropose: {p: {}}\n"
DECK = "Commander\n1 Made Up Machine\n\nDeck\n99 Plains\n"


def test_texts_and_cards_are_there_once_they_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    with (
        serving(tmp_path, "--workers", "2", "--time-limit", "120") as running,
        httpx.Client(base_url=running.address, timeout=180) as client,
    ):

        def statuses() -> dict[str, int]:
            graph = {"query": "SELECT * { ?rule ?what ?value } LIMIT 1", "default-graph-uri": GRAPH}
            asked = {
                "rule": client.get("/api/rule/100.1", params={"release": RELEASE}),
                "page": client.get("/rules/100.1", params={"release": RELEASE}),
                "search": client.get("/api/search", params={"words": "machine", "release": RELEASE}),
                "graph": client.get("/sparql", params=graph),
                "card": client.get("/api/card", params={"name": "Made Up Machine"}),
                "board": client.post("/api/check", content=BOARD, headers={"Content-Type": "application/yaml"}),
                "deck": client.post("/api/deck", content=DECK, headers={"Content-Type": "text/plain"}),
            }
            found = {name: response.status_code for name, response in asked.items()}
            return found | {"card": int(asked["card"].json().get("found", False))}

        # Twice, as two processes and what is kept of answers are to notice.
        before = [statuses() for _ in range(3)]
        assert before[0] == {"rule": 404, "page": 404, "search": 404, "graph": 400, "card": 0, "board": 422, "deck": 422}
        assert RELEASE not in client.get("/api/releases").json()["releases"]
        above = (Node("1", "section", None, "Basics"), Node("100", "chapter", "1", "General"))
        nodes = (*above, Node("100.1", "rule", "100", text="A machine is a made-up thing."))
        install(Rulebook(RELEASE, nodes, (), "", "", ()), (), (), file="made-up.txt")
        store_of(tmp_path, [card(face("Made Up Machine", supertypes=("legendary",))), card(face("Plains", types=("land",)))]).close()
        after = [statuses() for _ in range(3)]
        assert after == [{"rule": 200, "page": 200, "search": 200, "graph": 200, "card": 1, "board": 200, "deck": 200}] * 3
        assert client.get("/api/releases").json()["newest"] == RELEASE
        assert "made-up thing" in client.get("/rules/100.1", params={"release": RELEASE}).text
