"""Files that were changed at random: each gives cards or one sentence, and JSON in pieces is what it is as a whole."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.cards.importing import import_cards
from lawmage.cards.json_stream import JsonStream
from lawmage.cards.sources import CardFile
from lawmage.errors import InputError

from .published import MTGJSON, SCRYFALL, atomic

WHOLE = [json.dumps(document, ensure_ascii=False).encode() for document in (SCRYFALL, atomic(*MTGJSON))]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
FILE = Path("made.json")


def in_pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def said(call: Callable[[], object]) -> str:
    """Return the sentence that a call ends with; empty if it goes well."""
    try:
        call()
    except InputError as error:
        sentence = str(error)
    else:
        return ""
    assert sentence.isprintable()
    return sentence


@given(st.lists(JSON, max_size=6), st.integers(1, 40), st.booleans())
@settings(max_examples=150, deadline=None)
def test_an_array_in_pieces(items: list[Any], size: int, spaced: bool) -> None:
    data = json.dumps(items, indent=1 if spaced else None, ensure_ascii=False).encode("utf-8", "surrogatepass")
    assert list(JsonStream(in_pieces(data, size), FILE).items()) == items


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=6), st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_an_object_in_pieces(held: dict[str, Any], size: int) -> None:
    stream = JsonStream(in_pieces(json.dumps(held).encode(), size), FILE)
    assert {key: stream.value() for key in stream.pairs()} == held
    assert stream.peek() == ""


@given(st.sampled_from(WHOLE), st.floats(0, 1), st.integers(0, 30), st.binary(max_size=10))
@settings(max_examples=150, deadline=None)
def test_changed_files(whole: bytes, place: float, taken: int, given_instead: bytes) -> None:
    start = int(place * len(whole))
    with tempfile.TemporaryDirectory() as folder:
        path, target = Path(folder) / "changed.json", Path(folder) / "cards.sqlite"
        path.write_bytes(whole[:start] + given_instead + whole[start + taken :])
        sentence = said(lambda: import_cards(path, target=target, processes=1))
        assert target.exists() is not bool(sentence)
        assert not sentence or sentence.startswith(str(path))


KEYS = sorted({key for card in SCRYFALL for key in card} | {key for face in MTGJSON for key in face})


@given(st.sampled_from(["scryfall", "mtgjson"]), st.sampled_from(KEYS), JSON)
@settings(max_examples=150, deadline=None)
def test_a_value_of_another_kind(source: str, key: str, value: Any) -> None:
    document = [SCRYFALL[0] | {key: value}] if source == "scryfall" else {"data": {"A": [MTGJSON[0] | {key: value}]}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.json"
        path.write_bytes(json.dumps(document).encode())
        said(lambda: list(CardFile(path).records()))
