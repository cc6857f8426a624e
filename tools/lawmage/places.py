"""What stands at a path that a user gave. Where a system refuses the question, as it does for very long names, nothing stands there."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["is_file", "is_folder", "is_there"]


def is_folder(path: str | Path) -> bool:
    """Return whether there is a folder; unlike `Path.is_dir`, this never raises."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: str | Path) -> bool:
    """Return whether there is a file; unlike `Path.is_file`, this never raises."""
    return os.path.isfile(path)  # noqa: PTH113


def is_there(path: str | Path) -> bool:
    """Return whether there is anything; unlike `Path.exists`, this never raises."""
    return os.path.exists(path)  # noqa: PTH110
