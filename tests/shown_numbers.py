"""Numbers as people are shown them."""

from __future__ import annotations

import re

__all__ = ["ungrouped"]

#: Four digits and more that are no part of a date, a name or a number with separators.
_UNGROUPED = re.compile(r"(?<![\w.,/:-])\d{4,}(?![\w-])")


def ungrouped(text: str) -> list[str]:
    """Return the numbers over 999 in a text that stand without thousands separators."""
    return _UNGROUPED.findall(text)
