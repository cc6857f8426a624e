"""What `lawmage diff`, `translate`, `locate` and `drift` print for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.padding import Padding
from rich.text import Text

from lawmage.cli._shared import stdout
from lawmage.rulebook.diff import DELETE, EQUAL, Change, History, Piece, heading_of, shortened, text_of_part, word_changes
from lawmage.rulebook.drift import Drifted
from lawmage.rulebook.graph import RulesGraph
from lawmage.rulebook.history import Translation
from lawmage.rulebook.lineage import GONE, MERGED, MOVED, MOVED_AND_REWORDED, NEW, SAME, SPLIT, Lineage, Link
from lawmage.rulebook.locate import LEAST_LENGTH, Located
from lawmage.rulebook.model import GLOSSARY, Rulebook

__all__ = ["print_changes", "print_counts", "print_drift", "print_history", "print_located", "print_translation"]

_NUMBER = "bold cyan"
_HEADING = "bold"
_ASIDE = "dim"
_LONGEST_PASSAGE = 60


def _name(number: str | None) -> str:
    return (number or "").replace(GLOSSARY, "Glossary: ")


# ---------------------------------------------------------------- changes


def print_counts(lineage: Lineage) -> None:
    """Print how much changed between two releases, by kind."""
    console = stdout()
    console.print(Text(f"{lineage.older} to {lineage.newer}", _HEADING))
    shown = {kind: count for kind, count in lineage.counts().items() if count}
    for kind, count in shown.items():
        console.print(f"  {kind:{max(map(len, shown))}} {count:6,}", markup=False)
    if renumbered := sum(link.references_only for link in lineage.links):
        console.print(f"  {renumbered:,} of the reworded ones only in the numbers they refer to", markup=False)
    if examples := sum(link.examples_changed for link in lineage.links):
        console.print(f"  {examples:,} with other examples", markup=False)
    console.print("" if lineage.links else "  Nothing changed.", markup=False)


def print_changes(changes: Iterable[Change], depth: int = 0) -> None:
    """Print each change: what became of what, and the words."""
    console = stdout()
    for change in changes:
        line = Text.assemble((_name(change.link.new or change.link.old), _NUMBER), "  ", _what(change.link))
        if change.heading and not (change.link.new or change.link.old or "").startswith(GLOSSARY):
            line.append(f"  {change.heading}", _HEADING)
        console.print(Padding(line, (0, 0, 0, depth), expand=False))
        if change.words is not None and any(piece.operation != EQUAL for piece in change.words):
            console.print(Padding(_marked(change.words), (0, 0, 0, depth + 4), expand=False))


def _what(link: Link) -> str:
    """Say in words what a link says."""
    place = {
        MOVED: f"was {_name(link.old)}",
        MOVED_AND_REWORDED: f"was {_name(link.old)}, reworded",
        SPLIT: f"split from {_name(link.old)}",
        MERGED: f"merged from {_name(link.old)}",
        SAME: "the same",
    }.get(link.kind, link.kind)
    references = " only in the numbers it refers to" if link.references_only else ""
    return place + references + (", examples changed" if link.examples_changed else "")


def _marked(pieces: Sequence[Piece]) -> Text:
    """Show deletions as [-words-] and insertions as {+words+}, with the words around them."""
    text = Text()
    for index, piece in enumerate(pieces):
        if piece.operation == EQUAL:
            after_mark = " " if text and piece.text[0].isalnum() else ""
            text.append(after_mark + shortened(piece.text, first=index == 0, last=index == len(pieces) - 1))
            continue
        words = piece.text.lstrip()
        text.append(piece.text[: len(piece.text) - len(words)])
        deleted = piece.operation == DELETE
        text.append(f"[-{words}-]" if deleted else f"{{+{words}+}}", "red strike" if deleted else "green")
    return text


def print_history(history: History) -> None:
    """Print the history of one rule, step by step."""
    console = stdout()
    console.print(
        Text.assemble(
            (_name(history.number), _NUMBER), (f" {history.heading}" if not history.number.startswith(GLOSSARY) else "", _HEADING)
        )
        + Text(f"  as numbered in {history.release}", _ASIDE)
    )
    for step in history.steps:
        console.print(Text(f"{step.older} to {step.newer}", _HEADING))
        print_changes(step.changes, depth=2)
    if not history.steps:
        console.print("  Nothing changed.")
    console.print()


# ---------------------------------------------------------------- translation


def print_translation(answer: Translation, start: RulesGraph, end: RulesGraph) -> None:
    """Print what a number is in another release, and what happened on the way."""
    console = stdout()
    heading = "" if answer.number.startswith(GLOSSARY) else f" ({heading_of(start, answer.number)})"
    subject = Text.assemble((_name(answer.number), _NUMBER), f" of {answer.start}{heading} ")
    if not answer.became:
        console.print(subject + Text(f"has no counterpart in {answer.end}."))
    else:
        names = ", ".join(map(_name, answer.became))
        words = "with the same words" if not answer.reworded else "reworded"
        if answer.reworded and answer.references_only:
            words = "reworded only in the numbers it refers to"
        console.print(subject + Text.assemble("is ", (names, _NUMBER), f" in {answer.end}, {words}."))
    for step in answer.steps:
        for link in step.links:
            console.print(Text(f"  {step.newer}  ", _ASIDE) + _link_words(link))
    if answer.number in end.by_number and answer.number not in answer.became:
        other = heading_of(end, answer.number)
        console.print(Text(f"What {answer.end} calls {_name(answer.number)} is another rule ({other})."))


def _link_words(link: Link) -> Text:
    if link.kind == NEW:
        return Text.assemble((_name(link.new), _NUMBER), " is new")
    if link.kind == GONE:
        return Text.assemble((_name(link.old), _NUMBER), " is gone")
    return Text.assemble((_name(link.new), _NUMBER), f" {_what(link)}")


# ---------------------------------------------------------------- passages


def print_located(answers: Sequence[Located], likely: Sequence[str]) -> None:
    """Print what was found about each passage, and in which releases most of them read so."""
    console = stdout()
    for answer in answers:
        start = answer.passage if len(answer.passage) <= _LONGEST_PASSAGE else answer.passage[: _LONGEST_PASSAGE - 1] + "…"
        if answer.rule is None:
            why = f"shorter than {LEAST_LENGTH} characters, and no heading" if len(answer.passage) < LEAST_LENGTH else "not rules text"
            console.print(Text.assemble(("?", _NUMBER), f"  {start}", (f"  {why}", _ASIDE)))
            continue
        part = "" if answer.part in ("text", "entry") else f", {answer.part}"
        how = "" if answer.exact else f"; {answer.likeness:.0f} % alike"
        also = f"; also {', '.join(map(_name, answer.also))}" if answer.also else ""
        line = Text.assemble((_name(answer.rule), _NUMBER), (part, _ASIDE), f"  {start}")
        console.print(line + Text(f"  {_ranges(answer.releases)}{how}{also}", _ASIDE))
        if answer.references:
            console.print(Padding(Text.assemble(("restored: ", _ASIDE), answer.restored), (0, 0, 0, 4), expand=False))
    console.print()
    located = [answer for answer in answers if answer.rule is not None]
    console.print(f"{len(located):,} of {len(answers):,} passages located", markup=False)
    if likely:
        agreeing = sum(likely[-1] in answer.releases for answer in located)
        console.print(f"{agreeing} of them read so in {_ranges(likely)}", markup=False)


def _ranges(releases: Sequence[str]) -> str:
    if len(releases) < 3:
        return " and ".join(releases)
    return f"{releases[0]} to {releases[-1]} ({len(releases)} releases)"


# ---------------------------------------------------------------- drift


def print_drift(drifted: Sequence[Drifted], count: int, encoded: str, release: str, text: Callable[[str], Rulebook | None]) -> None:
    """Print the encoded rules that aren't in `release` as they are in `encoded`, with their words where both texts are installed."""
    console = stdout()
    if not drifted:
        console.print(f"All {count:,} encoded rules read in {release} as they were encoded.", markup=False)
        return
    console.print(f"{len(drifted):,} of {count:,} rules, encoded as of {encoded}, are not the same in {release}:", markup=False)
    old, new = text(encoded), text(release)
    for item in drifted:
        answer = item.translation
        became = "" if answer.became in ((), (item.rule,)) else f" to {', '.join(answer.became)}"
        kind = f"{answer.kind} only in the numbers it refers to" if answer.reworded and answer.references_only else answer.kind
        console.print(Text.assemble((item.rule, _NUMBER), f"  {kind}{became}", (f"  {', '.join(item.files)}", _ASIDE)))
        if old is not None and new is not None and answer.reworded:
            for number in answer.became:
                pieces = word_changes(text_of_part(old, item.rule) or "", text_of_part(new, number) or "")
                console.print(Padding(_marked(pieces), (0, 0, 0, 4), expand=False))
