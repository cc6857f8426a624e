"""What a reader of the rulebook needs: the table of contents, and a part of it with its surroundings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawmage.answers.answered import Answered
from lawmage.answers.rules import load, text_and_examples
from lawmage.keywords import load_keywords
from lawmage.play.paraphrases import paraphrases
from lawmage.resources import data_folder
from lawmage.rulebook.coverage import NOTHING, RuleEncoding, coverage
from lawmage.rulebook.diff import heading_of
from lawmage.rulebook.encoded import encoded_by, encoded_release
from lawmage.rulebook.graph import GLOSSARY_ENTRY, Edge, Place, RulesGraph, in_order
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.store import choose_release, load_graph

__all__ = ["contents", "reading"]


def contents(*, release: str | None = None) -> Answered:
    """Return the sections and chapters of a release, and the terms of its glossary.

    Args:
        release: by default the newest known.

    Raises:
        UnknownNameError: if there is no such release.
    """
    graph = load_graph(choose_release(release))
    sections = [
        {
            **_named(place),
            "chapters": [
                _named(graph.by_number[chapter]) | {"rules": len(graph.within(chapter)) - 1}
                for chapter in graph.children.get(place.number, ())
            ],
        }
        for place in graph.places
        if place.kind == "section"
    ]
    glossary = [_named(place) for place in graph.places if place.kind == GLOSSARY_ENTRY]
    return Answered({"release": graph.release, "sections": sections, "glossary": glossary})


def reading(number: str, *, release: str | None = None) -> Answered:
    """Return a part of the rulebook as a reader wants to see it.

    Args:
        number: of a section (7), chapter (702), rule (702.2) or subrule (702.2c), or `glossary:TERM`.
        release: by default the newest known.

    Returns:
        Beside what says where it stands (`above`, `previous`, `next`): its `parts`, itself first, then what stands directly under it,
        each with text and examples (None if not installed), the numbers that it refers to, and a gist where there is one of ours;
        `cites` and `cited_by`, the other ends of the references from and to it and all under it, with their kinds; what encodes it.

    Raises:
        UnknownNameError: if there is no such rule or release.
        DataError: if the installed text is damaged.
    """
    graph, rulebook = load(release)
    place = graph.find(number)
    is_encoded = graph.release == encoded_release()
    files = encoded_by(place.number) if is_encoded else []
    encoding = _encodings(data_folder("kb")).get(place.number, NOTHING) if is_encoded else NOTHING
    gists = paraphrases().gists if is_encoded else {}
    keyword = next((one.name for one in load_keywords().values() if one.rule == place.number), None) if is_encoded else None
    numbers = graph.within(place.number)
    alike = [each.number for each in graph.places if each.kind == place.kind]
    index = alike.index(place.number)
    from_here = [edge for each in numbers for edge in graph.edges_from.get(each, ())]
    to_here = [edge for each in numbers for edge in graph.edges_to.get(each, ())]
    return Answered(
        {
            "release": graph.release,
            **_named(place),
            "kind": place.kind,
            "title": heading_of(graph, place.number),
            "installed": rulebook is not None,
            "above": [_named(graph.by_number[each]) for each in reversed([*graph.above(place.number)][1:])],
            "previous": alike[index - 1] if index else None,
            "next": alike[index + 1] if index + 1 < len(alike) else None,
            "parts": [
                _part(graph, rulebook, graph.by_number[each], gists.get(each, ""))
                for each in (place.number, *graph.children.get(place.number, ()))
            ],
            "cites": _ends(graph, from_here, [edge.target for edge in from_here], [edge.source for edge in from_here]),
            "cited_by": _ends(graph, to_here, [edge.source for edge in to_here], [edge.target for edge in to_here]),
            "keyword": keyword,
            "encoded_by": files,
            "encoding": encoding.as_json(),
        }
    )


@lru_cache(maxsize=2)
def _encodings(_kb: Path) -> Mapping[str, RuleEncoding]:
    """Return what encodes each rule: read once for each folder, as it takes as long for all as for one."""
    return {rule.number: rule.encoding for rule in coverage().rules}


def _named(place: Place) -> dict[str, Any]:
    return {"number": place.number, "heading": place.heading}


def _part(graph: RulesGraph, rulebook: Rulebook | None, place: Place, gist: str) -> dict[str, Any]:
    text, examples = text_and_examples(rulebook, place.number)
    return {
        **_named(place),
        "kind": place.kind,
        "text": text or None,
        "examples": list(examples),
        "refers_to": sorted({edge.target for edge in graph.edges_from.get(place.number, ())}),
        "gist": gist,
        "under": len(graph.children.get(place.number, ())),
    }


def _ends(graph: RulesGraph, edges: list[Edge], there: list[str], here: list[str]) -> list[dict[str, Any]]:
    """Return the other ends of references in the order of the book, each once with the kinds of reference and where they are here."""
    found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for edge, other, own in zip(edges, there, here, strict=True):
        if other not in graph.by_number:  # the introduction is no part
            continue
        kinds, places = found.setdefault(other, ({}, {}))
        kinds[edge.kind] = None
        places[own] = None
    return [
        {"number": number, "heading": heading_of(graph, number), "kinds": list(found[number][0]), "here": _in_order(found[number][1])}
        for number in _in_order(found)
    ]


def _in_order(numbers: Iterable[str]) -> list[str]:
    return sorted(numbers, key=in_order)
