"""What `lawmage rule`, `deps` and `path` print for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from lawmage.answers.rules import text_and_examples
from lawmage.cli._shared import stdout
from lawmage.rulebook.coverage import RuleEncoding
from lawmage.rulebook.drawing import title
from lawmage.rulebook.graph import Dependency, Edge, Place, RulesGraph, Step, in_order
from lawmage.rulebook.model import GLOSSARY, Rulebook

__all__ = ["print_path", "print_rule", "print_tree"]

_NUMBER = "bold cyan"
_HEADING = "bold"
_ASIDE = "dim"
_LONGEST_LIST = 60
_LONGEST_LABEL = 60
_MOST_CASES = 8


def _label(graph: RulesGraph, rulebook: Rulebook | None, number: str) -> Text:
    """A part in one line: its number, and its heading or the first paragraph of its text."""
    place = graph.by_number.get(number)
    if number.startswith(GLOSSARY) and place:
        return Text.assemble(("Glossary: ", _ASIDE), (place.heading, _HEADING))
    heading = place.heading if place else ""
    text = "" if heading else text_and_examples(rulebook, number)[0].partition("\n")[0]
    return Text.assemble((number, _NUMBER), " " if heading or text else "", (heading, _HEADING), text)


def print_rule(graph: RulesGraph, rulebook: Rulebook | None, place: Place, files: list[str], encoding: RuleEncoding) -> None:
    """Print a part with what is above and under it, its references and what carries it out."""
    console = stdout()
    above = list(graph.above(place.number))[:0:-1]
    for depth, number in enumerate(above):
        _print_indented(_label(graph, None, number), depth)
    depth = len(above)
    text, examples = text_and_examples(rulebook, place.number)
    paragraphs = text.split("\n")
    _print_indented(_label(graph, rulebook, place.number), depth)
    if (again := place.number + "~2") in graph.by_number:
        _print_indented(Text.assemble(("The publisher used this number twice: see also ", _ASIDE), title(graph, again)), depth)
    for paragraph in paragraphs if place.number.startswith(GLOSSARY) else paragraphs[1:]:
        _print_indented(Text(paragraph), depth)
    for example in examples:
        _print_indented(Text.assemble(("Example: ", "italic"), example), depth)
    children = [_label(graph, None if place.kind == "chapter" else rulebook, child) for child in graph.children.get(place.number, ())]
    if all(" " not in child.plain for child in children):
        children = [Text(", ").join(children)] if children else []
    for child in children:
        _print_indented(child, depth + 1)
    console.print()
    numbers = graph.within(place.number)
    _print_list("Refers to", graph, (edge.target for number in numbers for edge in graph.edges_from.get(number, ())))
    _print_list("Referred to by", graph, (edge.source for number in numbers for edge in graph.edges_to.get(number, ())))
    if files:
        console.print(Text.assemble(("Carried out by: ", _HEADING), ", ".join(files)))
    _print_encoding(encoding)
    console.print(Text(f"Release of {graph.release}", _ASIDE))


def _print_encoding(encoding: RuleEncoding) -> None:
    """Print what encodes a rule, file by file, and the cases that show it."""
    console = stdout()
    if encoding.encodings:
        console.print(Text("Encoded in:", _HEADING))
    by_file: dict[str, list[str]] = {}
    for each, case in encoding.encodings:
        what = str(each.line) if each.line else each.text
        by_file.setdefault(each.file, []).append(what + {None: " (not tried)", "": " (no case needs it)"}.get(case, ""))
    for file, those in by_file.items():
        console.print(f"  {file}: {', '.join(dict.fromkeys(those))}", markup=False)
    shown = encoding.shown
    for word, names in (("Kept", shown.kept), ("Broken", shown.broken), ("Applied", shown.applied)):
        if names:
            more = f" and {len(names) - _MOST_CASES} more" if len(names) > _MOST_CASES else ""
            console.print(Text.assemble((f"{word} in the cases: ", _HEADING), ", ".join(names[:_MOST_CASES]), more))
    if shown.kept or shown.broken or shown.applied:
        console.print(Text("Cases are files in tests/cases/, by chapter", _ASIDE))


def _print_indented(text: Text, depth: int) -> None:
    console = stdout()
    margin = Text("  " * depth)
    for line in text.wrap(console, max(console.width - 2 * depth, 20)):
        line.rstrip()
        console.print(margin + line)


def _print_list(name: str, graph: RulesGraph, numbers: Iterable[str]) -> None:
    listed = sorted(set(numbers), key=in_order)
    if listed:
        more = f"; and {len(listed) - _LONGEST_LIST} more" if len(listed) > _LONGEST_LIST else ""
        names = "; ".join(title(graph, number) for number in listed[:_LONGEST_LIST])
        stdout().print(Text.assemble((f"{name}: ", _HEADING), names, more))


def print_tree(graph: RulesGraph, rulebook: Rulebook | None, place: Place, answer: list[Dependency], *, reverse: bool) -> None:
    """Print an answer about dependencies as a tree: each entry under the one it was reached from."""
    from rich.tree import Tree

    root = Tree(_label(graph, rulebook, place.number))
    branches = {place.number: root}
    for item in answer:
        label = _label(graph, rulebook, item.number)
        label.truncate(_LONGEST_LABEL, overflow="ellipsis")
        label.append("  " + _by_which_reference(item.edges, item.reached_from, reverse=reverse), _ASIDE)
        branches[item.number] = branches[item.reached_from].add(label)
    console = stdout()
    console.print(root)
    if not answer:
        console.print("Nothing refers to it." if reverse else "It refers to nothing.")


def _by_which_reference(edges: Iterable[Edge], end: str, *, reverse: bool = False) -> str:
    """Say of which kind references are, and in which texts under `end` they stand or, in reverse, at which parts they point."""
    kinds = dict.fromkeys(edge.kind for edge in edges)
    others = dict.fromkeys(edge.target if reverse else edge.source for edge in edges)
    via = [number for number in others if number != end]
    return ", ".join(kinds) + (f" ({'to' if reverse else 'in'} {', '.join(via)})" if via else "")


def print_path(graph: RulesGraph, rulebook: Rulebook | None, start: Place, steps: list[Step]) -> None:
    """Print a chain of references, one step a line."""
    console = stdout()
    lines = [_label(graph, rulebook, start.number)]
    for step in steps:
        via = f" (in {step.via})" if step.via not in ("", step.source) else ""
        lines.append(Text.assemble((f"{step.kind}{via} ", _ASIDE), _label(graph, rulebook, step.target)))
    for depth, line in enumerate(lines):
        line.truncate(max(_LONGEST_LABEL, console.width - 2 * depth), overflow="ellipsis")
        _print_indented(line, depth)
