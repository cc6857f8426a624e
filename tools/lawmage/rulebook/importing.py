"""Importing a release: read the publisher's file, find its references, keep both in the user's folder."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lawmage.errors import InputError
from lawmage.rulebook.counts import Counts, count
from lawmage.rulebook.graph import build_graph
from lawmage.rulebook.model import Rulebook, Unresolved
from lawmage.rulebook.parse import parse, read_bytes
from lawmage.rulebook.references import Misprint, find_misprints, find_references
from lawmage.rulebook.store import install
from lawmage.rulebook.validate import validate

__all__ = ["Report", "import_release"]


@dataclass(frozen=True, slots=True)
class Report:
    """What was imported from a file, and what is wrong in it.

    Attributes:
        unresolved: references to what the release doesn't have.
        misprints: references whose printed title belongs to another number.
    """

    file: str
    rulebook: Rulebook
    counts: Counts
    unresolved: tuple[Unresolved, ...]
    misprints: tuple[Misprint, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the report as `lawmage data import --json` prints it."""
        missing = {(item.source, item.target) for item in self.unresolved}
        return {
            "file": self.file,
            "kind": "rules",
            "release": self.rulebook.release,
            "rules": self.counts.rules + self.counts.subrules,
            "glossary": self.counts.glossary,
            "examples": self.counts.examples,
            "references": {
                "total": self.counts.references + len(missing),
                "resolved": self.counts.references,
                "unresolved": [asdict(item) for item in self.unresolved],
                "mentions": self.counts.mentions,
                "misprints": [{**item.reference._asdict(), "title": item.title, "meant": item.meant} for item in self.misprints],
            },
            "slips": [asdict(slip) for slip in self.rulebook.slips],
        }


def import_release(path: Path, *, check_shapes: bool = False) -> Report:
    """Read a release from the publisher's text file and install it.

    Args:
        path: the file, in any encoding.
        check_shapes: also check its graph against kb/rules/shapes.ttl before anything is written.

    Raises:
        InputError: if the file isn't a whole release, or its graph breaks a shape. Nothing is written then.
        DataError: if shapes are to be checked and pyshacl is missing.
    """
    data = read_bytes(path)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        raise InputError("looks like a card file (JSON); expected the rulebook's text", file=path)
    rulebook = parse(data, file=str(path))
    references, unresolved = find_references(rulebook)
    if check_shapes and (faults := validate(build_graph(rulebook, references))):
        raise InputError(f"breaks {len(faults)} shapes of the rules graph, first: {faults[0]}", file=path)
    install(rulebook, references, unresolved, file=path.name)
    misprints = find_misprints(rulebook, references)
    return Report(str(path), rulebook, count(rulebook, references, unresolved), tuple(unresolved), tuple(misprints))
