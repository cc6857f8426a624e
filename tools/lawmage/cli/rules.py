"""`lawmage rule`, `lawmage deps`, `lawmage path`: one rule, what depends on what, how one rule leads to another."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, emit_json, stderr, stdout

if TYPE_CHECKING:
    from lawmage.rulebook.graph import Dependency, Edge, Place, RulesGraph
    from lawmage.rulebook.model import Rulebook

__all__ = ["register"]

_INSTALL = "The text isn't installed; download the rulebook from its publisher, then: lawmage data import FILE"


class Format(StrEnum):
    """How `lawmage deps` writes its answer."""

    TREE = "tree"
    JSON = "json"
    DOT = "dot"
    MERMAID = "mermaid"
    GRAPHML = "graphml"


Number = Annotated[str, typer.Argument(metavar="NUMBER", help="A section (7), chapter (702), rule (702.2) or subrule (702.2c).")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command("rule", epilog="Example: lawmage rule 702.2c")(rule)
    app.command("deps", epilog="Example: lawmage deps 702.2 --transitive --depth 2")(deps)
    app.command("path", epilog="Example: lawmage path 702.2 510.1")(path)


def rule(number: Number, as_json: JsonFlag = False, release: ReleaseOption = None) -> None:
    """Show a rule: heading, text if installed, what it cites, what cites it, what carries it out, and the cases that show it.

    What cites its subrules, and what they cite, is listed too.
    """
    from lawmage.cli._rules_words import print_rule
    from lawmage.rulebook.coverage import NOTHING, encoding_of
    from lawmage.rulebook.encoded import encoded_by, encoded_release

    graph, rulebook = _load(release, with_text=True)
    place = graph.find(number)
    is_encoded = graph.release == encoded_release()
    files = encoded_by(place.number) if is_encoded else []
    encoding = encoding_of(place.number) if is_encoded else NOTHING
    if as_json:
        emit_json(_rule_as_json(graph, rulebook, place, files) | {"encoding": encoding.as_json()})
        return
    print_rule(graph, rulebook, place, files, encoding)
    if rulebook is None:
        stderr().print(_INSTALL, markup=False)


def deps(
    number: Number,
    reverse: Annotated[bool, typer.Option("--reverse", help="What depends on it, rather than what it depends on.")] = False,
    transitive: Annotated[bool, typer.Option("--transitive", help="Follow references as far as they go.")] = False,
    depth: Annotated[int | None, typer.Option("--depth", min=1, metavar="N", help="Follow references so many steps.")] = None,
    form: Annotated[Format, typer.Option("--format", help="How to write the answer.")] = Format.TREE,
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
) -> None:
    """List what a rule depends on: what it and its subrules refer to.

    A rule, chapter or section stands for everything under it, at the start and at each step.
    """
    from lawmage.rulebook.graph import dependencies

    form = Format.JSON if as_json else form
    graph, rulebook = _load(release, with_text=form is Format.TREE)
    place = graph.find(number)
    answer = dependencies(graph, place.number, reverse=reverse, transitive=transitive, depth=depth)
    if form is Format.JSON:
        emit_json(
            {
                "release": graph.release,
                "number": place.number,
                "heading": place.heading,
                "reverse": reverse,
                "transitive": transitive or (depth or 1) > 1,
                "depth": depth,
                "count": len(answer),
                "dependencies": [_dependency_as_json(graph, item) for item in answer],
            }
        )
    elif form is Format.TREE:
        from lawmage.cli._rules_words import print_tree

        print_tree(graph, rulebook, place, answer, reverse=reverse)
    else:
        from lawmage.rulebook.drawing import as_dot, as_graphml, as_mermaid

        draw = {Format.DOT: as_dot, Format.MERMAID: as_mermaid, Format.GRAPHML: as_graphml}[form]
        sys.stdout.write(draw(graph, place.number, answer, reverse=reverse))


def path(
    start: Annotated[str, typer.Argument(metavar="FROM", help="A number.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="A number.")],
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
) -> None:
    """Show how one rule leads to another: a shortest chain of references. Exit status 1 if there is none.

    The chain may begin in a subrule of FROM and end in one of TO.
    """
    from lawmage.rulebook.graph import find_path

    graph, rulebook = _load(release, with_text=not as_json)
    first, last = graph.find(start), graph.find(end)
    steps = find_path(graph, first.number, last.number)
    if as_json:
        emit_json(
            {
                "release": graph.release,
                "from": first.number,
                "to": last.number,
                "found": steps is not None,
                "path": [] if steps is None else [first.number, *(step.target for step in steps)],
                "steps": [{"from": step.source, "to": step.target, "kind": step.kind, "via": step.via} for step in steps or ()],
            }
        )
    elif steps is None:
        stdout().print(f"No chain of references leads from {first.number} to {last.number}.", markup=False)
    else:
        from lawmage.cli._rules_words import print_path

        print_path(graph, rulebook, first, steps)
    if steps is None:
        raise typer.Exit(NO)


def _load(release: str | None, *, with_text: bool) -> tuple[RulesGraph, Rulebook | None]:
    from lawmage.rulebook.store import choose_release, load_graph, load_installed

    chosen = choose_release(release)
    installed = load_installed(chosen) if with_text else None
    return load_graph(chosen), installed.rulebook if installed else None


def _rule_as_json(graph: RulesGraph, rulebook: Rulebook | None, place: Place, files: list[str]) -> dict[str, Any]:
    from lawmage.cli._rules_words import text_and_examples

    text, examples = text_and_examples(rulebook, place.number)
    numbers = graph.within(place.number)
    return {
        "release": graph.release,
        "number": place.number,
        "kind": place.kind,
        "heading": place.heading,
        "parent": place.parent,
        "text": text if rulebook else None,
        "examples": examples if rulebook else None,
        "children": [
            {
                "number": child,
                "heading": graph.by_number[child].heading,
                "text": text_and_examples(rulebook, child)[0] if rulebook else None,
            }
            for child in graph.children.get(place.number, ())
        ],
        "cites": [_edge_as_json(edge) for number in numbers for edge in graph.edges_from.get(number, ())],
        "cited_by": [_edge_as_json(edge) for number in numbers for edge in graph.edges_to.get(number, ())],
        "encoded_by": files,
        "fingerprint": place.fingerprint,
    }


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
