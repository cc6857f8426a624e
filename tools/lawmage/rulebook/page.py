"""One HTML page of the graph around a rule: a single file that opens from disk and loads nothing.

The page holds the structure of the whole release, so that every rule can be reached by clicking, and the texts of the rules around the
one it was made for where they are installed. What is drawn and how stands in the folder page/.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from lawmage.rulebook.drawing import title
from lawmage.rulebook.export import around
from lawmage.rulebook.graph import RulesGraph
from lawmage.rulebook.model import GLOSSARY, INTRODUCTION, Rulebook

__all__ = ["make_page"]


def make_page(graph: RulesGraph, number: str, depth: int, rulebook: Rulebook | None) -> str:
    """Return the page.

    Args:
        graph: the release.
        number: the rule that the page opens with; it has to exist.
        depth: how many references around it are shown at first.
        rulebook: the text of the release, if it is installed.
    """
    style, script = _part("page.css"), _part("page.js")
    return _fill(
        _part("page.html"),
        {
            "policy": f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'; form-action 'none'",
            "title": html.escape(f"{title(graph, number)} – Magic rules graph"),
            "release": html.escape(graph.release),
            "style": style,
            "script": script,
            "data": _json(_data(graph, number, depth, rulebook)),
        },
    )


def _part(name: str) -> str:
    return (files("lawmage.rulebook") / "page" / name).read_text(encoding="utf-8")


def _fill(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"@@(\w+)@@", lambda match: values[match[1]], template)


def _digest(text: str) -> str:
    """Return how a content security policy names an inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(document: Any) -> str:
    """Return a document as JSON in which nothing can end the element that it stands in."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _data(graph: RulesGraph, number: str, depth: int, rulebook: Rulebook | None) -> dict[str, Any]:
    places = [(place.number, place.heading, place.parent, place.kind) for place in graph.places]
    if INTRODUCTION in graph.edges_from:
        places.append((INTRODUCTION, "", None, INTRODUCTION))
    index = {place[0]: position for position, place in enumerate(places)}
    kinds = list(dict.fromkeys(edge.kind for edge in graph.edges))
    return {
        "release": graph.release,
        "start": number,
        "depth": depth,
        "installed": rulebook is not None,
        "kinds": kinds,
        "places": [(name, heading, index[parent] if parent else -1, kind) for name, heading, parent, kind in places],
        "edges": [(index[edge.source], index[edge.target], kinds.index(edge.kind)) for edge in graph.edges],
        "texts": _texts(graph, number, depth, rulebook) if rulebook else {},
    }


def _texts(graph: RulesGraph, number: str, depth: int, rulebook: Rulebook) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return text and examples of each part around a rule, and directly under such a part, that has any, by its number."""
    parts = [part for place in around(graph, number, depth).places for part in (place.number, *graph.children.get(place.number, ()))]
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for part in parts:
        if part.startswith(GLOSSARY):
            found[part] = (rulebook.by_term[part.removeprefix(GLOSSARY)].text, ())
        else:
            node = rulebook.by_number[part]
            found[part] = (node.text, node.examples)
    return {part: texts for part, texts in found.items() if any(texts)}
