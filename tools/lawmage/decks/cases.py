"""Files of decks with what is expected of them, which `lawmage test` runs.

    lawmage: 1
    judge: deck
    title: Seven of one and eight of another
    format: commander                  # default; or a file of a format
    release: 2026-08-07                # of the rules; default: the newest known
    ban_list: 2026-02-09               # default: the newest known on the release's date
    decks:
      p1: {commander: [Isamaru, Hound of Konda], main: {Seven Dwarves: 7}, fill: Plains}
    expect:
      p1: legal
      p2: {verdict: illegal, rules: [903.5b], identity: WR, companion: illegal, cards: [Seven Dwarves], commander: .., repair: 2}

Names in lists are written in quotes where they have a comma. `main` is a map from names to numbers, or a list; `sideboard`, `companion`
and `signature` are lists. `fill` names a card of which the main deck has as many more as the format's smallest deck needs. Of an
expectation, `rules` are all that are broken, `cards` all that are named in violations, `violations` is how many there are, `repair` how
many cards change in a smallest repair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawmage.cards.card import Card
from lawmage.cards.names import find
from lawmage.cards.store import CardStore
from lawmage.decks.formats import Format, present_name, shipped_format
from lawmage.decks.legality import Judge
from lawmage.decks.repair import repair
from lawmage.decks.resolved import ResolvedDeck, ResolvedEntry
from lawmage.decks.verdict import DeckVerdict, letters
from lawmage.errors import InputError, UnknownNameError
from lawmage.yaml_place import Place
from lawmage.yaml_tree import Node, load_tree, parse_tree

__all__ = ["DeckCase", "has_decks", "is_deck_case", "load_deck_case", "outcomes", "read_deck_case"]

_KEYS = ("lawmage", "judge", "title", "format", "release", "ban_list", "decks", "expect")
_SECTIONS = ("commander", "main", "companion", "sideboard", "signature")
_EXPECTED = ("verdict", "rules", "identity", "companion", "cards", "violations", "repair")
_VERDICTS = ("legal", "illegal", "undecided")
_JUDGED = re.compile(r"^judge: *deck\s*$", re.MULTILINE)
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class DeckCase:
    """Decks by name, and what is expected of each: by what part of the verdict, as JSON has it."""

    title: str
    judge: Judge
    decks: Mapping[str, ResolvedDeck]
    expect: Mapping[str, Mapping[str, Any]]


def is_deck_case(file: Path) -> bool:
    """Return whether a file has decks and no board: whether it says `judge: deck`."""
    try:
        with file.open(encoding="utf-8", errors="replace") as text:
            return has_decks(text.read(1 << 20))
    except OSError:
        return False


def has_decks(text: str) -> bool:
    """Return whether the text of a file has decks and no board."""
    return bool(_JUDGED.search(text))


def load_deck_case(path: Path, release: str | None = None) -> DeckCase:
    """Read a file of decks and expectations; `release` replaces what it says.

    Raises:
        InputError: if it isn't one; the message names the line.
        UnknownNameError: if there is no such format.
    """
    return _case(load_tree(path), str(path), release, lambda name: str(path.parent / name) if Path(name).suffix else name)


def read_deck_case(text: str, *, file: str, release: str | None = None) -> DeckCase:
    """Read the text of a file of decks and expectations; `file` is its name for messages. Its format is one that comes with lawmage.

    Raises:
        InputError, UnknownNameError: as `load_deck_case`.
    """
    return _case(parse_tree(text, file=file), file, release, shipped_format)


def _case(tree: Node, file: str, release: str | None, format_called: Callable[[str], Format | str]) -> DeckCase:
    fields = Place(tree, "", file).fields(_KEYS)
    for key in ("decks", "expect"):
        if key not in fields:
            raise InputError(f'the key "{key}" is missing', file=file)
    judge = Judge(
        format_called(fields["format"].text() if "format" in fields else "commander"),
        fields["release"].text() if release is None and "release" in fields else release,
        fields["ban_list"].text() if "ban_list" in fields else None,
    )
    with CardStore.open() as store:
        decks = {name: _deck(place, store, judge) for name, place in fields["decks"].entries().items()}
    expect = {name: _expected(place) for name, place in fields["expect"].entries().items()}
    for name, place in fields["expect"].entries().items():
        place.known(name, list(decks), "a deck", key=True)
    return DeckCase(fields["title"].text() if "title" in fields else "", judge, decks, expect)


def outcomes(case: DeckCase) -> Iterator[tuple[str, Any, Any]]:
    """Yield for each part of each expectation its name, what is expected, and what is answered."""
    verdicts = dict(zip(case.decks, case.judge.judge(list(case.decks.values())), strict=True))
    for name, expected in case.expect.items():
        for part, value in expected.items():
            yield f"{name}.{part}" if len(expected) > 1 else name, value, _actual(part, case.decks[name], verdicts[name], case.judge)


def _actual(part: str, deck: ResolvedDeck, verdict: DeckVerdict, judge: Judge) -> Any:
    match part:
        case "rules":
            return sorted({violation.rule for violation in verdict.violations})
        case "cards":
            return sorted({card for violation in verdict.violations for card in violation.cards})
        case "identity":
            return "".join(letters(verdict.color_identity or ())) or "C"
        case "companion":
            return None if verdict.companion is None else verdict.companion.verdict
        case "violations":
            return len(verdict.violations)
        case "repair":
            return repair(deck, judge).size
        case _:
            return verdict.verdict


def _expected(place: Place) -> dict[str, Any]:
    if not place.is_map:
        return {"verdict": place.word(_VERDICTS)}
    read: dict[str, Any] = {}
    for part, inside in place.fields(_EXPECTED).items():
        if part in ("rules", "cards"):
            read[part] = sorted(item.text() for item in inside.items())
        elif part in ("repair", "violations"):
            read[part] = inside.integer(0, _MOST)
        else:
            read[part] = inside.text() if part == "identity" else inside.word(_VERDICTS)
    return read


def _deck(place: Place, store: CardStore, judge: Judge) -> ResolvedDeck:
    fields = place.fields((*_SECTIONS, "fill"))
    entries = [entry for section in _SECTIONS if section in fields for entry in _entries(fields[section], section, store)]
    if "fill" in fields:
        listed = sum(entry.count for entry in entries if entry.section in ("commander", "main", "signature"))
        wanted = max((made.number or 0 for made, _ in judge.vocabulary.provisions if made.kind == "minimum_size"), default=0)
        if wanted > listed:
            entries.append(ResolvedEntry(wanted - listed, _card(fields["fill"], fields["fill"].text(), store), "main"))
    return ResolvedDeck(place.file or "", None, tuple(entries))


def _entries(place: Place, section: str, store: CardStore) -> Iterator[ResolvedEntry]:
    if place.is_map:
        for name, number in place.entries().items():
            yield ResolvedEntry(number.integer(1, _MOST), _card(number, name, store), section, number.line)
    else:
        for item in place.items() if place.is_list else (place,):
            yield ResolvedEntry(1, _card(item, item.text(), store), section, item.line)


def _card(place: Place, name: str, store: CardStore) -> Card:
    try:
        return find(store, name)
    except UnknownNameError as error:
        present = present_name(name)
        if present is not None:
            return find(store, present)
        raise place.error(f"names no card: {error}") from None
    except InputError as error:
        raise place.error(str(error)) from None
