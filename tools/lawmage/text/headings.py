"""What the headings over abilities ask of the object that has them: so many counters of a kind, or a class level (711.2, 716.2, 721.2)."""

from __future__ import annotations

from functools import lru_cache

from lawmage.text.words import turn

__all__ = ["CLASS_LEVEL", "asked_by_heading"]

CLASS_LEVEL = "class level"
#: What is counted, and the turn of words.toml by which a heading asks for it.
_HEADINGS = {"level": "heading_level", "charge": "heading_charge", CLASS_LEVEL: "heading_class"}


@lru_cache(maxsize=1024)
def asked_by_heading(heading: str) -> tuple[str, int, int | None] | None:
    """Return what is counted, how many there must be at least and at most (None: any number); None for what is no such heading."""
    for what, name in _HEADINGS.items():
        if match := turn(name).fullmatch(heading.lower()):
            least, *most = (int(bound) for bound in match.groups() if bound is not None)
            return what, least, most[0] if most else None
    return None
