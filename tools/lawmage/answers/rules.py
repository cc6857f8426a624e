"""What `lawmage rule`, `deps` and `path` answer: one rule, what depends on what, how one rule leads to another."""

from __future__ import annotations

from typing import Any

from lawmage.answers.answered import NO, YES, Answered
from lawmage.rulebook.coverage import NOTHING, RuleEncoding, encoding_of
from lawmage.rulebook.encoded import encoded_by, encoded_release
from lawmage.rulebook.graph import Dependency, Edge, Place, RulesGraph, dependencies, find_path
from lawmage.rulebook.model import GLOSSARY, Rulebook
from lawmage.rulebook.store import choose_release, load_graph, load_installed

__all__ = ["deps", "encoding_in", "load", "path", "rule", "text_and_examples"]


def rule(number: str, *, release: str | None = None) -> Answered:
    """Show a rule: heading, text if installed, what it cites, what cites it, what carries it out, and the cases that show it.

    Args:
        number: of a section (7), chapter (702), rule (702.2) or subrule (702.2c), or `glossary:TERM`.
        release: by default the newest known.

    Raises:
        UnknownNameError: if there is no such rule or release.
        DataError: if the installed text is damaged.
    """
    graph, rulebook = load(release)
    place = graph.find(number)
    files, encoding = encoding_in(graph, place)
    text, examples = text_and_examples(rulebook, place.number)
    numbers = graph.within(place.number)
    return Answered(
        {
            "release": graph.release,
            "number": place.number,
            "kind": place.kind,
            "heading": place.heading,
            "parent": place.parent,
            "text": text if rulebook else None,
            "examples": list(examples) if rulebook else None,
            "children": [
                {
                    "number": child,
                    "heading": graph.by_number[child].heading,
                    "text": text_and_examples(rulebook, child)[0] if rulebook else None,
                }
                for child in graph.children.get(place.number, ())
            ],
            "cites": [_edge_as_json(edge) for each in numbers for edge in graph.edges_from.get(each, ())],
            "cited_by": [_edge_as_json(edge) for each in numbers for edge in graph.edges_to.get(each, ())],
            "encoded_by": files,
            "fingerprint": place.fingerprint,
            "encoding": encoding.as_json(),
        }
    )


def deps(number: str, *, reverse: bool = False, transitive: bool = False, depth: int | None = None, release: str | None = None) -> Answered:
    """List what a rule depends on: what it and its subrules refer to.

    Args:
        number: as for `rule`.
        reverse: whether what depends on it is meant instead.
        transitive: whether references are followed as far as they go.
        depth: how many steps they are followed.
        release: by default the newest known.

    Raises:
        UnknownNameError: if there is no such rule or release.
    """
    graph = load_graph(choose_release(release))
    place = graph.find(number)
    found = dependencies(graph, place.number, reverse=reverse, transitive=transitive, depth=depth)
    return Answered(
        {
            "release": graph.release,
            "number": place.number,
            "heading": place.heading,
            "reverse": reverse,
            "transitive": transitive or (depth or 1) > 1,
            "depth": depth,
            "count": len(found),
            "dependencies": [_dependency_as_json(graph, item) for item in found],
        }
    )


def path(start: str, end: str, *, release: str | None = None) -> Answered:
    """Show how one rule leads to another: a shortest chain of references.

    Args:
        start, end: as for `rule`; the chain may begin in a subrule of one and end in one of the other.
        release: by default the newest known.

    Raises:
        UnknownNameError: if there is no such rule or release.
    """
    graph = load_graph(choose_release(release))
    first, last = graph.find(start), graph.find(end)
    steps = find_path(graph, first.number, last.number)
    document = {
        "release": graph.release,
        "from": first.number,
        "to": last.number,
        "found": steps is not None,
        "path": [] if steps is None else [first.number, *(step.target for step in steps)],
        "steps": [{"from": step.source, "to": step.target, "kind": step.kind, "via": step.via} for step in steps or ()],
    }
    return Answered(document, NO if steps is None else YES)


def load(release: str | None) -> tuple[RulesGraph, Rulebook | None]:
    """Return a release with its text, where that is installed.

    Raises:
        UnknownNameError: if there is no such release.
        DataError: if the installed text is damaged.
    """
    chosen = choose_release(release)
    installed = load_installed(chosen)
    return load_graph(chosen), installed.rulebook if installed else None


def encoding_in(graph: RulesGraph, place: Place) -> tuple[list[str], RuleEncoding]:
    """Return the files that carry a rule out, and what encodes it; nothing but in the release that is encoded."""
    if graph.release != encoded_release():
        return [], NOTHING
    return encoded_by(place.number), encoding_of(place.number)


def text_and_examples(rulebook: Rulebook | None, number: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a part and its examples; nothing where the text isn't installed."""
    if rulebook is None:
        return "", ()
    if number.startswith(GLOSSARY):
        entry = rulebook.by_term.get(number.removeprefix(GLOSSARY))
        return (entry.text, ()) if entry else ("", ())
    node = rulebook.by_number.get(number)
    return (node.text, node.examples) if node else ("", ())


def _dependency_as_json(graph: RulesGraph, item: Dependency) -> dict[str, Any]:
    place = graph.by_number.get(item.number)
    return {
        "number": item.number,
        "heading": place.heading if place else "",
        "depth": item.depth,
        "reached_from": item.reached_from,
        "references": [_edge_as_json(edge) for edge in item.edges],
    }


def _edge_as_json(edge: Edge) -> dict[str, str]:
    return {"source": edge.source, "part": edge.part, "target": edge.target, "kind": edge.kind}
