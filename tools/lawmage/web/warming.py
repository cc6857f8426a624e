"""What is loaded and prepared before workers are forked, so that the first question is answered as fast as the second."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

__all__ = ["warm"]

_CREATURE = {"pt": "2/2", "keywords": ["flying"], "text": "This creature must be blocked if able."}
_BOARD = {
    "battlefield": {f"{player}{number}": {"controller": player, **_CREATURE} for player in "AD" for number in range(3)},
    "attack": {"A0": "D", "A1": "D"},
}
_DECK = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n99 Plains"


def warm(answers: Mapping[str, Callable[..., Any]]) -> None:
    """Ask some questions for the sake of what answering them loads."""
    for name, arguments in _questions():
        if name in answers:
            # What is missing, damaged or faulty is for those to hear who ask for it.
            with suppress(Exception):
                answers[name](**arguments)


def _questions() -> Iterator[tuple[str, dict[str, Any]]]:
    from lawmage.answers.source import Source

    blocks = Source("warm", json.dumps(_BOARD | {"propose": {"p": {}}}))
    attacks = Source("warm", json.dumps({"battlefield": _BOARD["battlefield"], "propose": {"p": {}}}) + "\n# read as YAML")
    for source in (blocks, blocks, attacks):  # the first board of a process is searched, for which less is prepared
        yield "check", {"sources": [source], "explain": True}
    yield "outcome", {"source": Source("warm", json.dumps(_BOARD | {"judge": "outcome"}))}
    yield "deck", {"sources": [Source("warm", _DECK)]}
    yield "complete", {"prefix": "is"}
    yield "rule", {"number": "702.2"}
    yield "search", {"words": "deathtouch"}
    yield "keyword", {"name": "menace"}
