"""What faces.toml says of layouts: which faces count where, and what counters can change."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = ["faces_table"]


@lru_cache(maxsize=1)
def faces_table() -> dict[str, Any]:
    """Return faces.toml."""
    return tomllib.loads(Path(__file__).with_name("faces.toml").read_text(encoding="utf-8"))
