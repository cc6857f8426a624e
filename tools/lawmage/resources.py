"""Where lawmage's own data and the user's installed data are.

The folders kb/, asp/ and queries/ stand beside tools/ in a checkout and inside the package in a wheel.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from lawmage.errors import DataError

__all__ = ["Stamp", "data_folder", "data_folders", "home", "installed_stamp", "stamp_of"]

#: Paths with times and sizes; see `stamp_of`.
Stamp: TypeAlias = tuple[tuple[str, int, int], ...]

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """Return the folder `kb`, `asp` or `queries`: in LAWMAGE_DATA if set, else lawmage's own.

    Raises:
        DataError: if this installation lacks it.
    """
    return _found(name, os.environ.get("LAWMAGE_DATA"))


def data_folders(*names: str) -> tuple[Path, ...]:
    """Return several folders as `data_folder` does. Raises as it does."""
    return _all_found(names, os.environ.get("LAWMAGE_DATA"))


@lru_cache(maxsize=64)
def _all_found(names: tuple[str, ...], chosen: str | None) -> tuple[Path, ...]:
    return tuple(_found(name, chosen) for name in names)


@lru_cache(maxsize=64)
def _found(name: str, chosen: str | None) -> Path:
    for root in [Path(chosen)] if chosen else [_PACKAGE / "_data", _PACKAGE.parent.parent]:
        folder = root / name
        if folder.is_dir():
            return folder
    raise DataError(f"the folder {name}/ is missing from this installation of lawmage; install it again")


def stamp_of(*files: Path) -> Stamp:
    """Return what is another value as soon as one of these files changes, so that what was read of them can be kept by it."""
    found = []
    for file in files:
        status = file.stat()
        found.append((str(file), status.st_mtime_ns, status.st_size))
    return tuple(found)


def installed_stamp() -> Stamp:
    """Return what is another value as soon as the user installs other texts or cards: each is written aside and renamed."""
    return stamp_of(*(path for name in ("rules", "cards.sqlite") if (path := home() / name).exists()))


def home() -> Path:
    """Return the folder for installed data: LAWMAGE_HOME if set, else the platform's user data folder."""
    chosen = os.environ.get("LAWMAGE_HOME")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("lawmage", appauthor=False))
