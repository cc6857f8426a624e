"""Which releases are known, and where they are: their structure ships in kb/rules/, their texts are installed by the user.

An installed release is one JSON file in `resources.home()`/rules, named by its date, with the text and the references found in it.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import tempfile
from bisect import bisect
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawmage.errors import DataError, InputError, UnknownNameError
from lawmage.resources import data_folder, home
from lawmage.rulebook.graph import RulesGraph, build_graph
from lawmage.rulebook.model import GlossaryEntry, Node, Reference, Rulebook, Slip, Unresolved
from lawmage.rulebook.rdf import from_trig, unpack

__all__ = [
    "SHIPPED_SUFFIX",
    "Installed",
    "choose_release",
    "install",
    "installed_releases",
    "load_graph",
    "load_installed",
    "nearest_releases",
    "no_release",
    "shipped_releases",
    "write_aside",
]

SHIPPED_SUFFIX = ".trig.xz"
_INSTALLED_SUFFIX = ".json"
_FORMAT = 1
#: How many releases a process keeps in memory once it has read them; one has some 6 MB.
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Installed:
    """An installed release: its text, its references, when it was imported and the name of the file it came from."""

    rulebook: Rulebook
    references: tuple[Reference, ...]
    unresolved: tuple[Unresolved, ...]
    imported: str
    file: str


def shipped_releases() -> dict[str, Path]:
    """Return the releases whose structure comes with lawmage, oldest first."""
    return _dated(data_folder("kb") / "rules", SHIPPED_SUFFIX)


def installed_releases() -> dict[str, Path]:
    """Return the releases whose text the user has imported, oldest first."""
    return _dated(home() / "rules", _INSTALLED_SUFFIX)


def _dated(folder: Path, suffix: str) -> dict[str, Path]:
    found = {path.name.removesuffix(suffix): path for path in sorted(folder.glob(f"*{suffix}"))} if folder.is_dir() else {}
    return {release: path for release, path in found.items() if _is_date(release)}


def _is_date(name: str) -> bool:
    try:
        return datetime.date.fromisoformat(name).isoformat() == name
    except ValueError:
        return False


def choose_release(wanted: str | None = None) -> str:
    """Return the release that an answer is about: the one wanted, or the newest known.

    Raises:
        InputError: if it is no date.
        UnknownNameError: if it is neither shipped nor installed; the message has those that are nearest.
    """
    known = sorted({*shipped_releases(), *installed_releases()})
    if not known:
        raise DataError("kb/rules/ is empty; install lawmage again, or import a release with: lawmage data import FILE")
    if wanted is None:
        return known[-1]
    if wanted not in known:
        raise (UnknownNameError if _is_date(wanted) else InputError)(no_release(wanted, known))
    return wanted


def no_release(wanted: str, known: Iterable[str]) -> str:
    """Return the sentence for `wanted`, which is none of the `known` releases: what it is, and those that are nearest."""
    said = f"there is no release {wanted}" if _is_date(wanted) else f'"{wanted[:40]}" is not a release, which is named by its date'
    return f"{said}; {nearest_releases(wanted, known)}"


def nearest_releases(wanted: str, known: Iterable[str]) -> str:
    """Return the `known` releases that are nearest to a text which is none, in words."""
    dates, day = sorted(known), _day_in(wanted)
    place = bisect(dates, day) if day else len(dates)
    if day in dates:
        return f'did you mean "{day}"?'
    if place == len(dates):
        return f"the newest known is {dates[-1]}"
    return f"the nearest are {dates[place - 1]} and {dates[place]}" if place else f"the oldest known is {dates[0]}"


def _day_in(text: str) -> str:
    """Return a text that compares with dates as what a person may have meant does; an empty one if that is no day or year."""
    numbers = re.findall(r"[0-9]+", text[:100])
    if len(numbers) == 1 and len(numbers[0]) == len("20260807"):
        numbers = [numbers[0][:4], numbers[0][4:6], numbers[0][6:]]
    return "-".join(number.zfill(2) for number in numbers) if numbers and len(numbers[0]) == len("2026") else ""


def load_graph(release: str | None = None) -> RulesGraph:
    """Return the structure of a release, by default the newest known.

    Raises:
        UnknownNameError: if the release is not known.
        DataError: if its file is damaged.
    """
    chosen = choose_release(release)
    shipped = shipped_releases().get(chosen)
    if shipped is not None:
        return _graph_in(shipped, _written(shipped))
    installed = load_installed(chosen)
    assert installed is not None  # a known release that isn't shipped
    return build_graph(installed.rulebook, installed.references)


def _written(path: Path) -> tuple[int, ...]:
    """Return what changes when a file is written again; nothing where it can't be looked at, and so can't be read."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ino, found.st_size


@lru_cache(maxsize=_KEPT)
def _graph_in(shipped: Path, _written: tuple[int, ...]) -> RulesGraph:
    return from_trig(unpack(shipped.read_bytes()))


def load_installed(release: str) -> Installed | None:
    """Return the text and references of a release, or None if it isn't installed.

    Raises:
        DataError: if its file is damaged or was written by another version of lawmage.
    """
    path = installed_releases().get(release)
    return None if path is None else _installed_in(path, release, _written(path))


@lru_cache(maxsize=_KEPT)
def _installed_in(path: Path, release: str, _written: tuple[int, ...]) -> Installed:
    try:
        document = json.loads(path.read_bytes())
        if document["format"] != _FORMAT or document["release"] != release:
            raise ValueError("written by another version")
        return _read(document)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} can't be read ({error}); import the release again with: lawmage data import FILE") from None


def install(rulebook: Rulebook, references: Iterable[Reference], unresolved: Iterable[Unresolved], *, file: str) -> Path:
    """Keep a release in the user's folder and return its file. What was there before stays until the new one is whole.

    Raises:
        InputError: if the folder can't be written to.
    """
    document = {
        "format": _FORMAT,
        "release": rulebook.release,
        "file": file,
        "imported": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "title": rulebook.title,
        "introduction": rulebook.introduction,
        "contents": rulebook.contents,
        "nodes": [tuple(node) for node in rulebook.nodes],
        "glossary": [astuple(entry) for entry in rulebook.glossary],
        "credits": rulebook.credits,
        "slips": [astuple(slip) for slip in rulebook.slips],
        "references": [tuple(reference) for reference in references],
        "unresolved": [astuple(reference) for reference in unresolved],
    }
    path = home() / "rules" / f"{rulebook.release}{_INSTALLED_SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_aside(path, json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror or error})", file=path) from None
    return path


def _read(document: dict[str, Any]) -> Installed:
    nodes = [
        Node(number, kind, parent, heading, text, tuple(examples), label)
        for number, kind, parent, heading, text, examples, label in document["nodes"]
    ]
    return Installed(
        rulebook=Rulebook(
            release=document["release"],
            nodes=tuple(nodes),
            glossary=tuple(GlossaryEntry(*row) for row in document["glossary"]),
            introduction=document["introduction"],
            credits=document["credits"],
            contents=tuple(document["contents"]),
            slips=tuple(Slip(*row) for row in document["slips"]),
            title=document["title"],
        ),
        references=tuple(Reference(*row) for row in document["references"]),
        unresolved=tuple(Unresolved(*row) for row in document["unresolved"]),
        imported=document["imported"],
        file=document["file"],
    )


def write_aside(path: Path, data: bytes) -> None:
    """Write a file so that it is either whole or as it was: write a temporary file beside it, then rename that."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    aside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.chmod(0o644)
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
