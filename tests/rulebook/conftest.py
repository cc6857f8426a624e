"""A small made-up rulebook, and the official releases where they are beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.parse import parse, read

SAMPLE = """\
Magic: The Gathering Comprehensive Rules

These rules are effective as of March 4, 2030.

Introduction

A made-up rulebook for tests. (Subrule 200.1k would be followed by 200.1m.)

Contents

1. Basics
100. General
101. Turns

2. Parts
200. Names

Glossary

Credits

1. Basics

100. General

100.1. A sentence about games. See rule 101, “Turns.”
Example: A first example, as in rule 101.1b.
Example: A second example.

100.1a A subrule. This is an exception to rule 101.1.

100.1b Another subrule (see rules 101.1a–c and 200.1). See also section 2, “Parts.”

100.2. Turn Order

100.2a The order “stays” as it is for Lim-Dûl™—always. Follow the steps in 101.1a and 101.1c.

101. Turns

101.1. Turns have parts:

101.1a The first part.
     It goes on in a second paragraph. See rules 100.2 and 101.

101.1b The second part.

101.1c The third part. See rule 100.9.

2. Parts

200. Names

200.1. A name is a name. It deals 3 damage, costs 1,000 coins and was made in 1993 for 20 life.

Glossary

Name
What something is called. See rule 200, “Names.”

Part, Piece (Obsolete)
1. A portion of a turn. See rule 101.1.
2. A portion of a thing. See Name. See also Turn and Piece.

Turn
A unit of time. See rule 101, “Turns,” and rules 100.1a–b. See Nothing.

Credits

Somebody wrote this.

© 2030 Somebody.
"""


@pytest.fixture(scope="session")
def sample_text() -> str:
    return SAMPLE


@pytest.fixture(scope="session")
def sample() -> Rulebook:
    return parse(SAMPLE.encode())


@pytest.fixture(scope="session")
def release_files(shared: Path) -> list[Path]:
    """The official releases, oldest first."""
    files = sorted((shared / "data" / "rules").glob("*.txt"))
    assert len(files) == 23
    return files


@pytest.fixture(scope="session")
def releases(release_files: list[Path]) -> list[Rulebook]:
    return [read(file) for file in release_files]


@pytest.fixture(scope="session")
def newest(releases: list[Rulebook]) -> Rulebook:
    return releases[-1]
