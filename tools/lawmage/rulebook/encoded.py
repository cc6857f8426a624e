"""Which of our own files carry out a rule: those of asp/, of kb/keywords/ and kb/formats/, and kb/vocabulary.ttl, that name its number."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from lawmage.resources import Stamp, data_folder, stamp_of

__all__ = ["encoded_by", "encoded_release"]


def encoded_release() -> str:
    """Return the release whose numbers asp/ and kb/ use, as kb/vocabulary.ttl says."""
    match = re.search(r'lm:encodes "(\d{4}-\d\d-\d\d)"', (data_folder("kb") / "vocabulary.ttl").read_text(encoding="utf-8"))
    return match[1] if match else ""


def encoded_by(number: str) -> list[str]:
    """Return the files that name a rule number of the encoded release, such as `asp/509-declare-blockers.lp`."""
    named = re.compile(rf"(?<![\d.]){re.escape(number)}(?![\da-z]|\.\d)")
    kb = data_folder("kb")
    files = [*sorted(data_folder("asp").rglob("*.lp")), *sorted((kb / "keywords").glob("*.ttl"))]
    files += [*sorted((kb / "formats").glob("*.ttl")), kb / "vocabulary.ttl"]
    return [name for name, text in _texts(stamp_of(*files), tuple(files)) if named.search(text)]


@lru_cache(maxsize=2)
def _texts(_stamp: Stamp, files: tuple[Path, ...]) -> tuple[tuple[str, str], ...]:
    """Return the names of files, such as `asp/509-declare-blockers.lp`, and their texts."""
    roots = {name: data_folder(name) for name in ("asp", "kb")}
    return tuple(
        (f"{name}/{file.relative_to(root).as_posix()}", file.read_text(encoding="utf-8"))
        for file in files
        for name, root in roots.items()
        if file.is_relative_to(root)
    )
