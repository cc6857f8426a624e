"""Spoilt rulebooks are refused in one sentence or read without losing anything."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.errors import InputError
from lawmage.rulebook.encoding import decode
from lawmage.rulebook.graph import build_graph, dependencies
from lawmage.rulebook.model import sort_key
from lawmage.rulebook.parse import parse, rebuild
from lawmage.rulebook.rdf import from_trig, to_trig
from lawmage.rulebook.references import find_misprints, find_references

PIECES = [
    "100.1a",
    "100.1",
    "2. Parts",
    "101. Turns",
    "999.9z.",
    "1. x",
    "Example:",
    "See rule 101.1–z.",
    "\n",
    "\n\n",
    " ",
    "\r",
    "\xa0",
    "Glossary\n",
]

changes = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 60), st.sampled_from(PIECES) | st.text(max_size=20)),
    min_size=1,
    max_size=4,
)


def spoil(text: str, edits: list[tuple[float, int, str]]) -> str:
    for place, length, piece in edits:
        start = int(place * len(text))
        text = text[:start] + piece + text[start + length :]
    return text


@given(edits=changes)
@settings(max_examples=300, deadline=None)
def test_spoilt_rulebooks(edits: list[tuple[float, int, str]], sample_text: str) -> None:
    data = spoil(sample_text, edits).encode("utf-8", "replace")
    try:
        rulebook = parse(data, file="spoilt.txt")
    except InputError as refusal:
        message = str(refusal)
    else:
        message = ""
    assert "\n" not in message
    if message:
        return
    assert "".join(rebuild(rulebook).split()) == "".join(decode(data).split())
    assert len(rulebook.by_number) == len(rulebook.nodes)
    for node in rulebook.nodes:
        sort_key(node.number)
        assert node.parent is None or node.parent in rulebook.by_number
    references, _ = find_references(rulebook)
    find_misprints(rulebook, references)
    graph = build_graph(rulebook, references)
    for place in graph.places[:5]:
        dependencies(graph, place.number, transitive=True)
        dependencies(graph, place.number, reverse=True, transitive=True)
    if len(rulebook.by_term) == len(rulebook.glossary):
        assert {place.number for place in from_trig(to_trig(graph)).places} == {place.number for place in graph.places}


@given(data=st.binary(max_size=2000))
def test_noise_is_refused(data: bytes) -> None:
    try:
        parse(data)
    except InputError:
        return
    raise AssertionError("noise was taken for a rulebook")
