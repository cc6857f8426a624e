"""`lawmage rule`, `lawmage deps`, `lawmage path`: one rule, what depends on what, how one rule leads to another."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, finish, stderr, stdout

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
    from lawmage.answers.rules import encoding_in, load
    from lawmage.answers.rules import rule as answer
    from lawmage.cli._rules_words import print_rule

    if as_json:
        finish(answer(number, release=release))
    graph, rulebook = load(release)
    place = graph.find(number)
    print_rule(graph, rulebook, place, *encoding_in(graph, place))
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
    from lawmage.answers.rules import deps as answer
    from lawmage.answers.rules import load
    from lawmage.rulebook.graph import dependencies

    if as_json or form is Format.JSON:
        finish(answer(number, reverse=reverse, transitive=transitive, depth=depth, release=release))
    graph, rulebook = load(release)
    place = graph.find(number)
    found = dependencies(graph, place.number, reverse=reverse, transitive=transitive, depth=depth)
    if form is Format.TREE:
        from lawmage.cli._rules_words import print_tree

        print_tree(graph, rulebook, place, found, reverse=reverse)
    else:
        from lawmage.rulebook.drawing import as_dot, as_graphml, as_mermaid

        draw = {Format.DOT: as_dot, Format.MERMAID: as_mermaid, Format.GRAPHML: as_graphml}[form]
        sys.stdout.write(draw(graph, place.number, found, reverse=reverse))


def path(
    start: Annotated[str, typer.Argument(metavar="FROM", help="A number.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="A number.")],
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
) -> None:
    """Show how one rule leads to another: a shortest chain of references. Exit status 1 if there is none.

    The chain may begin in a subrule of FROM and end in one of TO.
    """
    from lawmage.answers.rules import load
    from lawmage.answers.rules import path as answer
    from lawmage.rulebook.graph import find_path

    if as_json:
        finish(answer(start, end, release=release))
    graph, rulebook = load(release)
    first, last = graph.find(start), graph.find(end)
    steps = find_path(graph, first.number, last.number)
    if steps is None:
        stdout().print(f"No chain of references leads from {first.number} to {last.number}.", markup=False)
        raise typer.Exit(NO)
    from lawmage.cli._rules_words import print_path

    print_path(graph, rulebook, first, steps)
