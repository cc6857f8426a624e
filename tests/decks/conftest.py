"""Small made-up decks, judged with the facts of cards that come with lawmage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lawmage.decks import answers

LEGAL = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n99 Plains\n"
TOO_FEW = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n98 Plains\n"
MISSPELT = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n98 Plains\n1 Sol Rong\n"
NO_DECK = "this is\nno deck\n1 at all\n"


@pytest.fixture(scope="package", autouse=True)
def shipped_cards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWMAGE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a deck of each kind, in two folders."""
    decks = tmp_path / "decks"
    (decks / "inside").mkdir(parents=True)
    (decks / "a-legal.txt").write_text(LEGAL, encoding="utf-8")
    (decks / "b-too-few.txt").write_text(TOO_FEW, encoding="utf-8")
    (decks / "inside" / "c-misspelt.txt").write_text(MISSPELT, encoding="utf-8")
    (decks / "inside" / "d-no-deck.txt").write_text(NO_DECK, encoding="utf-8")
    (decks / "inside" / "e-several.json").write_text(
        '{"decks": [{"name": "one", "commander": ["Isamaru, Hound of Konda"], "main": {"Plains": 99}},'
        ' {"name": "two", "commander": ["Isamaru, Hound of Konda"], "main": {"Island": 99}}]}',
        encoding="utf-8",
    )
    (decks / ".hidden").write_text(NO_DECK, encoding="utf-8")
    return decks


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are judged, in order, as long as that happens in this process."""
    seen: list[str] = []
    answer_files: Callable[..., list[list[answers.Answer]]] = answers.answer_files

    def watched(files: list[tuple[str, bytes | str]], question: answers.Question) -> list[list[answers.Answer]]:
        seen.extend(Path(name).name for name, _ in files)
        return answer_files(files, question)

    monkeypatch.setattr("lawmage.decks.corpus.answer_files", watched)
    return seen
