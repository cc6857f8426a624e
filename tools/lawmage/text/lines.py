"""The layout of rules text: abilities, one a line; labels before a dash; sentences; the words by which an object calls itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

__all__ = ["abilities", "own_names", "sentences", "straight", "without_label", "without_reminders"]

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "\t": " ", "\r": "\n"})
_SENTENCE_END = re.compile(r'[.!?]["\']?\s+(?=[A-Z~"•{+-])')
_DASH = re.compile(r'([^—"{}:.|]{1,80}?) — (.+)')
_ROW = re.compile(r"(\d+\+?(?:—\d+)?) \| (.+)")


def abilities(text: str) -> Iterator[str]:
    """Yield the lines of `text` in plain characters, without reminder text (207.2)."""
    for line in without_reminders(straight(text)).split("\n"):
        if line.strip():
            yield line.strip()


def straight(text: str) -> str:
    """Return `text` with plain quotation marks, apostrophes and spaces."""
    return text.translate(_STRAIGHT)


def without_reminders(text: str) -> str:
    """Return `text` without what stands in parentheses; one that is never closed stays."""
    kept: list[str] = []
    opened: list[int] = []
    for character in text:
        if character == ")" and opened:
            del kept[opened.pop() :]
            continue
        if character == "(":
            opened.append(len(kept))
        kept.append(character)
    return "".join(kept)


def without_label(line: str) -> tuple[str, str]:
    """Return what stands behind a label ("Threshold — ", "8+ | "), and the label."""
    match = _ROW.fullmatch(line) or _DASH.fullmatch(line)
    return (match[2], match[1].strip()) if match else (line, "")


def sentences(line: str, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield the sentences of a paragraph; full stops in quotations and in names end none."""
    closed = [match.span() for match in re.finditer(r'"[^"]*"', line)]
    for name in names:
        if "." in name:
            closed += [match.span() for match in re.finditer(re.escape(name), line)]
    start = 0
    for match in _SENTENCE_END.finditer(line):
        if not any(first <= match.start() < behind - 1 for first, behind in closed):
            yield line[start : match.end()].strip()
            start = match.end()
    if line[start:].strip():
        yield line[start:].strip()


def own_names(name: str) -> tuple[str, ...]:
    """Return the words by which rules text of an object called `name` means it: the name, and that up to its comma (201.5c).

    Cards that were changed for online play have the mark "A-" before their names, and call themselves with and without it.
    """
    bare = name.removeprefix("A-")
    return tuple(dict.fromkeys(part for whole in (name, bare) for part in (whole, whole.split(",")[0].strip()) if part))
