"""What layouts.toml says, as values."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["Layouts", "load_layouts"]


@dataclass(frozen=True, slots=True)
class Layouts:
    """How the publishers' files are to be read; layouts.toml explains each of these.

    Attributes:
        colors: the rulebook's colours by the letter of their mana symbol, in its order.
        renamed: by layout and keyword (lower case), what the layout is called here.
    """

    colors: dict[str, str]
    combined: frozenset[str]
    renamed: dict[tuple[str, str], str]
    melding: frozenset[str]
    not_cards: frozenset[str]
    doubled: frozenset[str]
    supertypes: frozenset[str]
    one_subtype: frozenset[str]
    long_subtypes: tuple[str, ...]
    defines_colors: re.Pattern[str]
    spares_identity: re.Pattern[str]


@lru_cache(maxsize=1)
def load_layouts() -> Layouts:
    """Return what layouts.toml says."""
    told = tomllib.loads(Path(__file__).with_name("layouts.toml").read_text(encoding="utf-8"))
    layouts, types = told["layouts"], told["types"]
    return Layouts(
        colors=told["colors"],
        combined=frozenset(layouts["combined"]),
        renamed={(layout, keyword): name for layout, keyword, name in layouts["renamed"]},
        melding=frozenset(layouts["melding"]),
        not_cards=frozenset(layouts["not_cards"]),
        doubled=frozenset(layouts["doubled"]),
        supertypes=frozenset(types["supertypes"]),
        one_subtype=frozenset(types["one_subtype"]),
        long_subtypes=tuple(types["long_subtypes"]),
        defines_colors=re.compile(told["text"]["defines_colors"]),
        spares_identity=re.compile(told["text"]["spares_identity"]),
    )
