"""The programs of asp/: clingo has no complaint about any of them, and their headers tell the truth."""

from __future__ import annotations

import re
from pathlib import Path

import clingo
import pytest

from .headers import ASP, header, readme

PROGRAMS = sorted(ASP.glob("*.lp"))
ENTRIES = sorted((ASP / "entry").glob("*.lp"))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.name)
def test_clingo_has_no_complaint(entry: Path) -> None:
    messages: list[str] = []
    control = clingo.Control(logger=lambda _, message: messages.append(message))
    control.load(str(entry))
    control.ground([("base", [])])
    assert messages == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.name)
def test_entry_programs_only_include_and_show(entry: Path) -> None:
    code = [line for line in entry.read_text(encoding="utf-8").splitlines() if line and not line.startswith("%")]
    assert [line for line in code if not line.startswith(("#include", "#show"))] == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_programs_open_with_a_header(program: Path) -> None:
    told = header(program.read_text(encoding="utf-8"))
    assert [word for word in ("Purpose:", "Input", "Output:", "Rules:") if word not in told] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.name)
def test_private_predicates_stay_in_their_file(entry: Path) -> None:
    where: dict[str, set[str]] = {}
    for name in re.findall(r'#include "../(.+)"', entry.read_text(encoding="utf-8")):
        program = (ASP / name).read_text(encoding="utf-8")
        code = "\n".join(line for line in program.splitlines() if not line.startswith("%"))
        for predicate in re.findall(r"(?<!\w)(_[a-z]\w*)\(", code):
            where.setdefault(predicate, set()).add(name)
    assert where
    assert {predicate: files for predicate, files in where.items() if len(files) > 1} == {}


def test_the_readme_is_made_from_the_headers() -> None:
    assert (ASP / "README.md").read_text(encoding="utf-8") == readme()
