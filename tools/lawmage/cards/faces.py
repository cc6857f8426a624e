"""What faces.toml says of layouts: which faces count where, and what counters settle."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = ["counters_for", "faces_table"]


@lru_cache(maxsize=1)
def faces_table() -> dict[str, Any]:
    """Return faces.toml."""
    return tomllib.loads(Path(__file__).with_name("faces.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1024)
def counters_for(heading: str) -> tuple[str, int, int | None] | None:
    """Return which counters, how many at least and how many at most the abilities under `heading` need (711.2, 721.2); None for others."""
    for kind, pattern in faces_table()["counters"].items():
        if match := re.match(pattern, heading):
            least, *most = (int(bound) for bound in match.groups() if bound is not None)
            return kind, least, most[0] if most else None
    return None
