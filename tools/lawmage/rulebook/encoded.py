"""Which of our own files carry out a rule: those of asp/ and kb/keywords/ that name its number."""

from __future__ import annotations

import re

from lawmage.resources import data_folder

__all__ = ["encoded_by", "encoded_release"]


def encoded_release() -> str:
    """Return the release whose numbers asp/ and kb/ use, as kb/vocabulary.ttl says."""
    match = re.search(r'lm:encodes "(\d{4}-\d\d-\d\d)"', (data_folder("kb") / "vocabulary.ttl").read_text(encoding="utf-8"))
    return match[1] if match else ""


def encoded_by(number: str) -> list[str]:
    """Return the files that name a rule number of the encoded release, such as `asp/509-declare-blockers.lp`."""
    named = re.compile(rf"(?<![\d.]){re.escape(number)}(?![\da-z]|\.\d)")
    folders = {"asp": data_folder("asp").rglob("*.lp"), "kb": (data_folder("kb") / "keywords").glob("*.ttl")}
    return [
        f"{name}/{path.relative_to(data_folder(name)).as_posix()}"
        for name, paths in folders.items()
        for path in sorted(paths)
        if named.search(path.read_text(encoding="utf-8"))
    ]
