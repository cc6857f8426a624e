"""A repair of a deck in words, from the JSON of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["change_in_words", "repair_in_words"]


def repair_in_words(repair: Mapping[str, Any]) -> str:
    """Return what is said of a repair before its changes: `2 changes would make it legal`."""
    if not repair["possible"]:
        return "no changes were found that would make it legal"
    size = "one change" if repair["size"] == 1 else f"{repair['size']:,} changes"
    return f"{size} would make it legal" + ("" if repair["proved"] else ", perhaps not the fewest")


def change_in_words(change: Mapping[str, Any]) -> str:
    """Return one change of a repair, such as `remove 1 Black Lotus`."""
    return f"{change['action']} {change['count']:,} {change['card'] or change['what']}"
