"""Makes asp/README.md from the headers of the programs: `python tests/asp/headers.py`."""

from __future__ import annotations

from pathlib import Path

ASP = Path(__file__).resolve().parents[2] / "asp"

_OPENING = """# The programs

What each takes and gives, from its header (renewed by `python tests/asp/headers.py`). Predicates that start with `_` are private
to their file. Programs that are run are in `entry/`.
"""


def header(program: str) -> str:
    """Return the comment at the top of a program, without the comment marks."""
    lines = []
    for line in program.splitlines():
        if not line.startswith("%"):
            break
        lines.append(line.removeprefix("%").removeprefix(" "))
    return "\n".join(lines)


def readme() -> str:
    """Return what asp/README.md has to be."""
    files = sorted(ASP.glob("*.lp")) + sorted((ASP / "entry").glob("*.lp"))
    parts = [f"## {file.relative_to(ASP).as_posix()}\n\n```\n{header(file.read_text(encoding='utf-8'))}\n```\n" for file in files]
    return _OPENING + "\n" + "\n".join(parts)


if __name__ == "__main__":
    (ASP / "README.md").write_text(readme(), encoding="utf-8")
