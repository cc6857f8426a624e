"""The formats that come with lawmage, and the forms in which decks are written: what a page offers to choose from."""

from __future__ import annotations

from lawmage.answers.answered import Answered
from lawmage.decks.formats import deck_knowledge
from lawmage.decks.writing import FORMS

__all__ = ["formats"]


def formats() -> Answered:
    """Return `{"formats": [{"name", "label"}], "forms": [..]}`, each in its own order.

    Raises:
        DataError: if the folder kb/formats/ is missing or damaged.
    """
    known = deck_knowledge().formats
    return Answered({"formats": [{"name": one.name, "label": one.label} for one in known.values()], "forms": list(FORMS)})
