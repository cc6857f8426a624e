"""Decks as text, one card a line: Moxfield, Archidekt, MTG Arena, MTGO, TappedOut, Deckstats, XMage, `.dec`, `.mwDeck` and lists by hand.

They differ in marks and headings, not in kind, so one reader takes them all. Each line is a card, a heading, a comment or a setting;
anything else is an error that names it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from lawmage.decks.deck import Deck, Entry, Notice
from lawmage.decks.lines import LONGEST_LINE, CardLine, read_card_line
from lawmage.decks.sections import ENDED_BY_A_BLANK_LINE, section_of
from lawmage.decks.stated import place_stated, stated_in
from lawmage.errors import InputError

__all__ = ["read_text"]

_COMMENT = re.compile(r"(?://+|#+|;+)\s*")
_SETTING = re.compile(
    r"(?i)(deck ?name|name|title|author|creator|format|source|date|description|layout(?: \w+)?)\s*:\s*(.*)",
)
_PRINTING_FIRST = re.compile(r"(?:SB:\s*)?\d+ \[\w+(:[^\]]+)?\]")
_ARCHIDEKT = re.compile(r"\d+x .*(?:\[[A-Z].*\]|\^)$")
_TITLES = frozenset({"deckname", "deck name", "name", "title"})
_HEADING = re.compile(r"(\D{1,50}?)\s*(?:[(\[]\d+[)\]])?\s*(:?)=*")
_COUNTED_HEADING = re.compile(r"\D{1,50}(?:\(\d+\)|:)=*")
#: MTGO, MTG Arena and most sites write a sideboard of no more cards than this after an empty line.
_SIDEBOARD_AFTER_BLANK_LINE = 15
_COMMANDERS_BEFORE_BLANK_LINE = 2


@dataclass(slots=True)
class _State:
    source: str
    section: str = "main"
    headings: bool = False
    about: bool = False
    title: str | None = None
    blocks: list[list[Entry]] = field(default_factory=lambda: [[]])
    stated: list[tuple[str, str]] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    countless: list[tuple[int, str]] = field(default_factory=list)
    counted: bool = False
    signs: set[str] = field(default_factory=set)


def read_text(text: str, source: str) -> Deck:
    r"""Return the deck that a text lists; line ends are `\n`.

    Raises:
        InputError: naming the first line that is no card, heading, comment or setting.
    """
    state = _State(source)
    for number, line in enumerate(text.split("\n"), start=1):
        _read_line(line.strip(), number, state)
    if state.counted and state.countless:
        number, line = state.countless[0]
        found = line if len(line) <= 80 else line[:77] + "..."
        raise InputError(
            f'found "{found}"; expected a number of copies and a card\'s name, a heading such as Sideboard, or a comment after //',
            file=source,
            line=number,
        )
    if state.countless:
        state.notices.append(Notice(0, "no line gives a number of copies, so each is read as one"))
    if not state.headings:
        _divide(state)
    entries, left = place_stated([entry for block in state.blocks for entry in block], state.stated)
    return Deck(source, _form(state), state.title, tuple(entries), left, tuple(state.notices))


def _read_line(line: str, number: int, state: _State) -> None:
    if not line:
        _blank_line(state)
    elif comment := _COMMENT.match(line):
        _read_comment(line[comment.end() :], state)
    elif line.casefold() == "about":
        state.about = True
    elif state.about and line.casefold().startswith("name "):
        state.title = line[5:].strip()
    elif setting := _SETTING.fullmatch(line):
        _read_setting(setting, state)
    elif not _read_heading(line, number, state):
        _read_card(line, number, state)


def _blank_line(state: _State) -> None:
    if state.section in ENDED_BY_A_BLANK_LINE and state.blocks[-1]:
        state.section = "main"
    if state.blocks[-1]:
        state.blocks.append([])


def _read_comment(comment: str, state: _State) -> None:
    if setting := _SETTING.fullmatch(comment):
        _read_setting(setting, state)
    elif stated := stated_in(comment):
        state.stated.append(stated)
    elif section := section_of(comment):
        _start(section, state)
    elif state.section in ENDED_BY_A_BLANK_LINE:
        _start("main", state)


def _read_setting(setting: re.Match[str], state: _State) -> None:
    word = setting[1].casefold()
    if word in _TITLES:
        state.title = state.title or setting[2].strip() or None
    if word.startswith("layout"):
        state.signs.add("xmage")


def _read_heading(line: str, number: int, state: _State) -> bool:
    heading = _HEADING.fullmatch(line)
    if heading is None:
        return False
    section = section_of(heading[1])
    if section is None:
        if not _COUNTED_HEADING.fullmatch(line):
            return False
        state.notices.append(Notice(number, f'"{line}" is read as a heading'))
        section = "main" if state.section in ENDED_BY_A_BLANK_LINE else state.section
    elif heading[1] == "Deck" and not heading[2]:
        state.signs.add("arena")
    _start(section, state)
    return True


def _start(section: str, state: _State) -> None:
    state.section, state.headings, state.about = section, True, False
    if state.blocks[-1]:
        state.blocks.append([])


def _read_card(line: str, number: int, state: _State) -> None:
    if len(line) > LONGEST_LINE:
        raise InputError(f"is {len(line):,} characters long; expected a card's name", file=state.source, line=number)
    card = read_card_line(line)
    if not card.name:
        raise InputError(f'found "{line[:80]}"; expected a card\'s name', file=state.source, line=number)
    if card.count is None and card.section is None:
        state.countless.append((number, line))
    elif card.count is not None:
        state.counted = True
    if card.section is not None:
        state.headings = True
    state.signs |= _signs(line, card)
    state.blocks[-1].append(card.entry(state.section, number))


def _divide(state: _State) -> None:
    """Sort out a text without headings, where an empty line may part the commander or the sideboard from the deck."""
    blocks = [block for block in state.blocks if block]
    sizes = [sum(entry.count for entry in block) for block in blocks]
    first = 0
    if 2 <= len(blocks) <= 3 and len(blocks[0]) == sizes[0] <= _COMMANDERS_BEFORE_BLANK_LINE and sizes[1] > _SIDEBOARD_AFTER_BLANK_LINE:
        blocks[0] = [replace(entry, section="commander") for entry in blocks[0]]
        state.notices.append(Notice(blocks[0][0].line, "what stands before the first empty line is read as the commander"))
        first = 1
    if len(blocks) - first == 2 and sizes[-1] <= _SIDEBOARD_AFTER_BLANK_LINE < sizes[-2]:
        blocks[-1] = [replace(entry, section="sideboard") for entry in blocks[-1]]
        state.notices.append(Notice(blocks[-1][0].line, "what stands after the last empty line is read as the sideboard"))
    state.blocks = blocks


def _signs(line: str, card: CardLine) -> set[str]:
    signs = set()
    if line.startswith("SB:"):
        signs.add("dec")
    if "*CMDR*" in line:
        signs.add("tappedout")
    if "[" in line and (found := _PRINTING_FIRST.match(line)):
        signs.add("xmage" if found[1] else "mwdeck")
    if line.endswith(("]", "^")) and _ARCHIDEKT.match(line):
        signs.add("archidekt")
    if (card.set_code and line.endswith((f") {card.collector_number}", "*F*", "*E*"))) or " #" in line:
        signs.add("moxfield")
    return signs


def _form(state: _State) -> str:
    """Name the form after its surest sign; `text` where there is none."""
    return next((form for form in ("tappedout", "xmage", "archidekt", "arena", "moxfield", "mwdeck", "dec") if form in state.signs), "text")
