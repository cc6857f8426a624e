"""Reading a release of the Comprehensive Rules from the publisher's text file.

The file is a title, an introduction, a table of contents, the numbered rules with their examples, a glossary and credits, one
paragraph a line. The publisher's slips (a dot too many, a space missing, entries run together) are read as they are meant and
listed as `Slip`; the text itself is never changed but for white space at the ends of lines.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from lawmage.errors import InputError
from lawmage.rulebook.encoding import MAXIMUM_SIZE, decode, normalize_line_ends
from lawmage.rulebook.model import GlossaryEntry, Node, Rulebook, Slip, number_above

__all__ = ["parse", "read", "read_bytes", "rebuild"]

_TITLE = "Magic: The Gathering Comprehensive Rules"
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_EFFECTIVE = re.compile(rf"effective as of ({'|'.join(_MONTHS)})\s+(\d{{1,2}}),\s*(\d{{4}})")
_NUMBERED = re.compile(r"(\d{3})\.(\d+)([a-z]{0,2})(?![a-z])(\.?)(\s*)(.*)")
_TITLED = re.compile(r"(\d{3}|\d)\.\s+(.*)")
_EXAMPLE = "Example:"
_CLOSING = "'\"’”)]"
#: Several times what the longest release has.
_MOST_LINES = 50_000
#: What a sentence ends with, before closing quotes and brackets. Titles may end with an exclamation mark.
_STOPS = (".", ":", "?")
_LONGEST_TITLE = 80
_RUN_TOGETHER = re.compile(r"(.*[a-z)])(1\. \S.*)")
#: Subrule letters in order; the publisher skips l and o (see the introduction of the rules).
_SUBRULE_LETTERS = "abcdefghijkmnpqrstuvwxyz"


def read(path: str | Path) -> Rulebook:
    """Read a release from a file; see `parse`."""
    return parse(read_bytes(path), file=str(path))


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a file that should hold a release.

    Raises:
        InputError: if it can't be read. Of a file far larger than a rulebook only the beginning is read; `parse` refuses it.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(MAXIMUM_SIZE + 1)
    except IsADirectoryError:
        raise InputError("is a folder; expected a file", file=path) from None
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror or error})", file=path) from None


def parse(data: bytes, *, file: str | None = None) -> Rulebook:
    """Read a release from the bytes of its text file, whatever its encoding and line ends.

    Args:
        data: the whole file.
        file: its name, for messages.

    Raises:
        InputError: if it isn't a whole release of Magic's Comprehensive Rules.
    """
    text = decode(data, file=file)
    lines = normalize_line_ends(text).split("\n")
    if len(lines) > _MOST_LINES:
        raise InputError(f"has {len(lines):,} lines; expected a rulebook of about 10,000", file=file)
    places = _find_parts(lines, file)
    title = _join(lines, places.title, places.introduction)
    release = _read_date(title, file)
    slips = [*_line_end_slips(text), *_line_slips(lines)]
    contents = tuple(_join(lines, places.contents + 1, places.body).split("\n"))
    nodes = tuple(_finish(_read_body(lines, places.body, places.glossary, slips), slips))
    _compare_with_contents(contents, nodes, places.contents + 1, slips, file)
    glossary = _read_glossary(lines, places.glossary + 1, places.credits, slips)
    return Rulebook(
        release=release,
        nodes=nodes,
        glossary=glossary,
        introduction=_join(lines, places.introduction + 1, places.contents),
        credits=_join(lines, places.credits + 1, len(lines)),
        contents=contents,
        slips=tuple(sorted(slips, key=lambda slip: slip.line)),
        title=title,
    )


def rebuild(rulebook: Rulebook) -> str:
    """Return the release as text again: what the publisher's file says, but for white space."""
    parts = [rulebook.title, "Introduction", rulebook.introduction, "Contents", "\n".join(rulebook.contents)]
    for node in rulebook.nodes:
        examples = [f"{_EXAMPLE} {example}" for example in node.examples]
        parts.append("\n".join([f"{node.printed_number} {node.heading or node.text}", *examples]))
    parts.append("Glossary")
    parts.extend(f"{entry.term}\n{entry.text}" for entry in rulebook.glossary)
    parts.extend(("Credits", rulebook.credits))
    return "\n\n".join(parts) + "\n"


def _join(lines: list[str], start: int, end: int) -> str:
    return "\n".join(stripped for line in lines[start:end] if (stripped := line.strip()))


@dataclass(frozen=True, slots=True)
class _Places:
    """The indices of the lines where the parts of the file begin."""

    title: int
    introduction: int
    contents: int
    body: int
    glossary: int
    credits: int


def _find_parts(lines: list[str], file: str | None) -> _Places:
    stripped = [line.strip() for line in lines]
    title = next((index for index, line in enumerate(stripped) if line), 0)
    if not stripped[title].startswith(_TITLE):
        raise InputError(f'isn\'t the rulebook of Magic; expected it to begin with "{_TITLE}"', file=file, line=title + 1)

    def find(name: str, start: int) -> int:
        try:
            return stripped.index(name, start)
        except ValueError:
            raise InputError(f'isn\'t a whole rulebook; the part "{name}" is missing', file=file) from None

    introduction = find("Introduction", title)
    contents = find("Contents", introduction)
    first = next((line for line in stripped[contents + 1 :] if _TITLED.match(line)), "1. Game Concepts")
    body = find(first, find(first, contents) + 1)
    glossary = find("Glossary", body)
    return _Places(title, introduction, contents, body, glossary, find("Credits", glossary))


def _read_date(title: str, file: str | None) -> str:
    match = _EFFECTIVE.search(title)
    if match is None:
        raise InputError('has no date; expected "These rules are effective as of ..." under the title', file=file)
    try:
        return datetime.date(int(match[3]), _MONTHS.index(match[1]) + 1, int(match[2])).isoformat()
    except ValueError:
        raise InputError(f"has no such date as {match[1]} {match[2]}, {match[3]}", file=file) from None


def _line_end_slips(text: str) -> Iterator[Slip]:
    if "\r" not in text:
        return
    both = text.count("\r\n")
    counts = {"\r\n": both, "\r": text.count("\r") - both, "\n": text.count("\n") - both}
    used = {end: count for end, count in counts.items() if count}
    if len(used) > 1:
        listed = ", ".join(f"{count} {end!r}" for end, count in used.items())
        rarest = min(used, key=used.__getitem__)
        place = re.search({"\r\n": "\r\n", "\r": "\r(?!\n)", "\n": "(?<!\r)\n"}[rarest], text)
        assert place is not None
        yield Slip("mixed line ends", normalize_line_ends(text[: place.start()]).count("\n") + 1, listed)


def _line_slips(lines: list[str]) -> Iterator[Slip]:
    """Slips that a line shows by itself."""
    curly = any("“" in line for line in lines)
    straight = 0
    for line_number, line in enumerate(lines, 1):
        if line and line[-1].isspace():
            yield Slip("space at the end of a line" if line.strip() else "line of white space", line_number, repr(line[-20:]))
        if line[:1].isspace() and line.strip():
            yield Slip("indented line", line_number, line.strip()[:40])
        if '"' in line or "'" in line:
            if curly:
                yield Slip("straight quotation mark", line_number, "among typographic ones")
            straight = straight or line_number
    if straight and not curly:
        yield Slip("straight quotation mark", straight, "in the whole file")


@dataclass(slots=True)
class _Draft:
    """A node while its lines are being read."""

    line: int
    number: str
    kind: str
    label: str
    paragraphs: list[str]
    examples: list[list[str]] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Add a paragraph to what was read last."""
        (self.examples[-1] if self.examples else self.paragraphs).append(text)


def _read_body(lines: list[str], start: int, end: int, slips: list[Slip]) -> list[_Draft]:
    drafts: list[_Draft] = []
    sections: set[str] = set()
    blank = True
    for line_number, line in enumerate(lines[start:end], start + 1):
        text = line.strip()
        if not text:
            blank = True
            continue
        draft = _read_head(text, line_number, slips)
        if draft is not None and draft.number not in sections:
            if draft.kind == "section":
                sections.add(draft.number)
            if not blank:
                slips.append(Slip("no blank line before a number", line_number, draft.number))
            drafts.append(draft)
        else:
            if blank:
                slips.append(Slip("blank line inside a rule", line_number, drafts[-1].number))
            if text.startswith(_EXAMPLE):
                drafts[-1].examples.append([_read_example(text, line_number, slips)])
            else:
                if len(text) < 3:
                    slips.append(Slip("stray line", line_number, text))
                drafts[-1].add(text)
        blank = False
    return drafts


def _read_head(text: str, line_number: int, slips: list[Slip]) -> _Draft | None:
    """Return the node that `text` begins, or None where it continues the one before."""
    match = _NUMBERED.match(text)
    if match is None:
        match = _TITLED.match(text)
        if match is None:
            return None
        return _Draft(line_number, match[1], "section" if len(match[1]) == 1 else "chapter", "", [match[2]])
    chapter, rule, letters, dot, space, rest = match.groups()
    number = f"{chapter}.{rule}{letters}"
    if dot and letters:
        slips.append(Slip("dot after a subrule's number", line_number, number + dot))
    if not dot and not letters:
        slips.append(Slip("no dot after a rule's number", line_number, number))
    if len(space) != 1:
        slips.append(Slip("more than a space after a number" if space else "no space after a number", line_number, number))
    label = number + dot if bool(dot) == bool(letters) else ""
    return _Draft(line_number, number, "subrule" if letters else "rule", label, [rest])


def _read_example(text: str, line_number: int, slips: list[Slip]) -> str:
    example = text.removeprefix(_EXAMPLE)
    if not example.startswith(" "):
        slips.append(Slip("no space after Example:", line_number, text[:20]))
    if example.lstrip().startswith(_EXAMPLE):
        slips.append(Slip("the word Example twice", line_number, text[:20]))
    return example.strip()


def _finish(drafts: list[_Draft], slips: list[Slip]) -> Iterator[Node]:
    """Give each draft its parent, tell a number's second use apart, and check the order of numbers."""
    uses: dict[str, int] = {}
    bearer: dict[str, str] = {}
    siblings: dict[str, str] = {}
    for draft in drafts:
        printed, above = draft.number, number_above(draft.number)
        before, siblings[above] = siblings.get(above, ""), printed
        uses[printed] = uses.get(printed, 0) + 1
        again = f"~{uses[printed]}" if uses[printed] > 1 else ""
        if again:
            slips.append(Slip("number used twice", draft.line, printed))
        elif "." in printed and printed != (expected := _number_after(before, above)):
            slips.append(Slip("number out of order", draft.line, f"{printed} where {expected} is next"))
        while above and above not in bearer:
            above = number_above(above)
        if draft.kind == "subrule" and not again and "~" in bearer.get(above, ""):
            again = bearer[above].removeprefix(above)
        bearer[printed] = printed + again
        yield _node(draft, printed + again, bearer.get(above), slips)


def _node(draft: _Draft, number: str, parent: str | None, slips: list[Slip]) -> Node:
    text = "\n".join(draft.paragraphs)
    end = text.rstrip(_CLOSING)[-1:]
    heading = draft.kind in ("section", "chapter") or (draft.kind == "rule" and end not in _STOPS and len(text) <= _LONGEST_TITLE)
    if not heading and end not in _STOPS and end != "!":
        slips.append(Slip("no full stop at the end", draft.line, number))
    return Node(
        number=number,
        kind=draft.kind,
        parent=parent,
        heading=text if heading else "",
        text="" if heading else text,
        examples=tuple("\n".join(example) for example in draft.examples),
        label=draft.label,
    )


def _number_after(before: str, above: str) -> str:
    """Return the number that comes after the sibling `before`, or first under `above` if there is none yet."""
    if "." not in above:
        return f"{above}.{int(before.partition('.')[2] or 0) + 1}"
    letters = before.removeprefix(above)
    following = _SUBRULE_LETTERS.find(letters[-1:]) + 1 if letters else 0
    return above + letters[:-1] + (_SUBRULE_LETTERS[following] if following < len(_SUBRULE_LETTERS) else "aa")


def _compare_with_contents(contents: tuple[str, ...], nodes: tuple[Node, ...], line: int, slips: list[Slip], file: str | None) -> None:
    titles = {node.number: node.heading for node in nodes if node.kind in ("section", "chapter")}
    listed = {match[1]: match[2] for text in contents if (match := _TITLED.fullmatch(text))}
    missing = next((number for number in listed if number not in titles), None)
    if missing is not None:
        raise InputError(f"isn't a whole rulebook; {missing}, which the contents list, is missing", file=file)
    for number, title in titles.items():
        if listed.get(number) != title:
            slips.append(Slip("title differs from the contents", line, f"{number} {title!r}, {listed.get(number)!r}"))


def _read_glossary(lines: list[str], start: int, end: int, slips: list[Slip]) -> tuple[GlossaryEntry, ...]:
    entries: list[GlossaryEntry] = []
    for line_number, block in _blocks(lines, start, end):
        for first, entry in _split_entries(block):
            term, definitions = entry[0], entry[1:]
            if first:
                slips.append(Slip("no blank line before a glossary entry", line_number + first, term))
            joined = _RUN_TOGETHER.fullmatch(term)
            if joined is not None:
                slips.append(Slip("glossary term and text on one line", line_number + first, joined[1]))
                term, definitions = joined[1], [joined[2], *definitions]
            if not definitions:
                slips.append(Slip("glossary term without a text", line_number + first, term))
            entries.append(GlossaryEntry(term, "\n".join(definitions)))
    return tuple(entries)


def _blocks(lines: list[str], start: int, end: int) -> Iterator[tuple[int, list[str]]]:
    """Yield each run of lines between blank ones with the number of its first line."""
    block: list[str] = []
    for line_number, line in enumerate([*lines[start:end], ""], start + 1):
        if line.strip():
            block.append(line.strip())
        elif block:
            yield line_number - len(block), block
            block = []


def _split_entries(block: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the entries in a block (nearly always one): a term is a line that doesn't end as a sentence does."""
    starts = [0]
    for index, (line, _) in enumerate(pairwise(block)):
        if index > 1 and len(line) <= _LONGEST_TITLE and line.rstrip(_CLOSING)[-1:] not in _STOPS:
            starts.append(index)
    for first, last in pairwise([*starts, len(block)]):
        yield first, block[first:last]
