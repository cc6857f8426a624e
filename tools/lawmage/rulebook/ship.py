"""The chore that makes the files of kb/rules/ from the publisher's texts.

    python -m lawmage.rulebook.ship FILE...

writes kb/rules/RELEASE.trig.xz for each file: numbers, headings, references and fingerprints, and no text. Run it in a checkout when
a new release is out, or when references or fingerprints are found in another way; a test compares the files with the texts.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lawmage.chores import run_chore
from lawmage.resources import data_folder
from lawmage.rulebook.graph import build_graph
from lawmage.rulebook.parse import read
from lawmage.rulebook.rdf import pack, to_trig
from lawmage.rulebook.references import find_references
from lawmage.rulebook.store import SHIPPED_SUFFIX, write_aside

__all__ = ["main", "ship"]


def ship(source: Path, folder: Path) -> Path:
    """Write the structure of the release in the text file `source` into `folder`, and return the file made."""
    rulebook = read(source)
    target = folder / f"{rulebook.release}{SHIPPED_SUFFIX}"
    write_aside(target, pack(to_trig(build_graph(rulebook, find_references(rulebook)[0]))))
    return target


def main(arguments: list[str]) -> int:
    """Ship each file named; return the exit status."""
    return run_chore(lambda names: (ship(Path(name), data_folder("kb") / "rules") for name in names), arguments, __doc__, least=1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
