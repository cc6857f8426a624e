"""What was measured of the texts of a file of cards (`lawmage.cards.coverage`), recorded when it was imported so that nobody waits for it.

In an imported file of cards it is all there, with the sentences that are left over. Of the cards that come with lawmage, which have no
texts, kb/cards/coverage.ttl has the figures alone.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lawmage.cards.coverage import GROUPS, Coverage, Group
from lawmage.cards.store import CardStore
from lawmage.errors import DataError, InputError
from lawmage.resources import data_folder
from lawmage.rulebook.store import write_aside

__all__ = ["OUTCOMES", "figures_in_turtle", "packed_coverage", "recorded_coverage", "shipped_figures", "write_figures"]

#: What can become of a sentence.
OUTCOMES = ("understood", "open", "passed", "unread")
#: What is recorded of a group.
_PARTS = ("outcomes", "of_fighters", "left")
#: More than this no coverage of a quarter of a million cards has.
_LARGEST = 64 << 20
_HEAD = """\
# How many sentences of the cards in cards.sqlite concern combat or building a deck, by sort, and what became of them.
# Made by: python -m lawmage.cards.ship

@prefix lm: <urn:lawmage:vocabulary:> .

"""


def packed_coverage(found: Coverage) -> bytes:
    """Return what was measured as it stands in a file of cards; the same is always the same bytes."""
    groups = {name: {part: dict(sorted(getattr(group, part).items())) for part in _PARTS} for name, group in found.groups.items()}
    return zlib.compress(json.dumps({"cards": found.cards, "groups": groups}, ensure_ascii=False).encode(errors="replace"), 9)


def recorded_coverage(store: CardStore) -> Coverage | None:
    """Return what was measured of the cards of a store; None where it was not recorded. Without texts, no sentences are left over.

    Raises:
        DataError: if the record is damaged.
    """
    if not store.with_text:
        return shipped_figures()
    packed = store.coverage
    return None if packed is None else _unpacked(packed, store.path)


def _unpacked(packed: bytes, path: Path) -> Coverage:
    try:
        unpacking = zlib.decompressobj()
        document: dict[str, Any] = json.loads(unpacking.decompress(packed, _LARGEST))
        groups = {name: Group(*(_counts(document["groups"][name][part]) for part in _PARTS)) for name in GROUPS}
        return Coverage(int(document["cards"]), groups)
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} can't be read ({error}); import the cards again with: lawmage data import FILE") from None


def _counts(counted: Mapping[str, Any]) -> Counter[str]:
    return Counter({what: int(times) for what, times in counted.items()})


# ---------------------------------------------------------------- the cards that come with lawmage


def figures_in_turtle(found: Coverage) -> str:
    """Return the figures, without the sentences, in the words of kb/cards/vocabulary.ttl."""
    lines = [f"lm:cardsThatShip a lm:CardsRead ; lm:cards {found.cards} ."]
    for name, group in found.groups.items():
        for on_fighters, counts in ((True, group.of_fighters), (False, group.outcomes - group.of_fighters)):
            told = " ; ".join(f"lm:{outcome} {counts[outcome]}" for outcome in OUTCOMES)
            lines.append(f'[] a lm:SentencesRead ; lm:ofGroup "{name}" ; lm:onFighters {str(on_fighters).lower()} ; {told} .')
    return _HEAD + "\n".join(lines) + "\n"


def write_figures(found: Coverage, path: Path) -> None:
    """Write the figures to a file.

    Raises:
        InputError: if it can't be written.
    """
    try:
        write_aside(path, figures_in_turtle(found).encode())
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror or error})", file=path) from None


def shipped_figures() -> Coverage | None:
    """Return the figures of the cards that come with lawmage; None where there are none.

    Raises:
        DataError: if the file is damaged.
    """
    path = data_folder("kb") / "cards" / "coverage.ttl"
    if not path.is_file():
        return None
    import pyoxigraph

    from lawmage.play.knowledge import rows_of

    store = pyoxigraph.Store()
    try:
        store.load(path=str(path), format=pyoxigraph.RdfFormat.TURTLE)
    except (OSError, SyntaxError) as error:
        raise DataError(f"{path} can't be read ({error}); install lawmage again") from None
    found = Coverage()
    for row in rows_of(store, data_folder("queries") / "compile" / "card-coverage.rq"):
        found.cards = row["cards"]
        if row["group"] in found.groups:
            counts = Counter({outcome: row[outcome] for outcome in OUTCOMES if row[outcome]})
            group = found.groups[row["group"]]
            group.outcomes.update(counts)
            if row["onFighters"]:
                group.of_fighters.update(counts)
    return found
