"""Mana costs as written on cards (107.4)."""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["mana_amounts"]

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_KINDS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless"}


def mana_amounts(written: str) -> dict[str, int]:
    """Return how much mana of each kind (`white` ... `green`, `colorless`, `generic`) the cost `written` asks for.

    Anything that is not a sequence of numbers and single symbols in braces, such as `{2}{W}`, gives an empty answer.
    """
    if _SYMBOL.sub("", written).strip():
        return {}
    amounts: Counter[str] = Counter()
    for symbol in _SYMBOL.findall(written):
        if symbol.isdecimal():
            amounts["generic"] += int(symbol)
        elif symbol.upper() in _KINDS:
            amounts[_KINDS[symbol.upper()]] += 1
        else:
            return {}
    return dict(amounts)
