"""What is said of many objects in the same words is said once."""

from __future__ import annotations

import pytest

from lawmage.play.declaration_words import declaration_in_words
from lawmage.play.together_words import gathered, named, number_of_names, runs

MUST = 'says "This creature must be blocked if able"'


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a"], "a"),
        (["a1", "a2", "a3"], "a1, a2 and a3"),
        (["a1", "a2", "a3", "a4"], "a1 to a4"),
        (["a9", "a10", "a11", "a12", "b"], "a9 to a12 and b"),
        (["a1", "a2", "a4", "a5"], "a1, a2, a4 and a5"),
        (["a1", "b2", "c3", "d4"], "a1, b2, c3 and d4"),
        (["a08", "a09", "a10", "a11"], "a08, a09, a10 and a11"),
        (["1", "2", "3", "4"], "1 to 4"),
    ],
)
def test_names_that_follow_one_another(names: list[str], told: str) -> None:
    assert named(names) == told
    assert sum(map(number_of_names, runs(names))) == len(names)


@pytest.mark.parametrize(
    ("declaration", "told"),
    [
        ({f"b{i}": (f"a{i}",) for i in range(4)}, "b0 to b3 block a0 to a3 (one on each, in this order)"),
        ({f"b{i}": (f"a{i // 2}",) for i in range(8)}, "b0 to b7 block a0 to a3 (two on each, in this order)"),
        ({f"b{i}": (f"a{i}",) for i in range(3)}, "b0 blocks a0, b1 blocks a1, b2 blocks a2"),
        ({f"b{i}": (f"a{3 - i}",) for i in range(4)}, "b0 blocks a3, b1 blocks a2, b2 blocks a1, b3 blocks a0"),
        ({f"b{i}": ("a", "v") for i in range(5)}, "b0 to b4 block a and v"),
        ({"b": ("a1", "a2", "a3", "a4")}, "b blocks a1 to a4"),
        ({"c": ("v",), **{f"b{i}": (f"a{i}",) for i in range(4)}}, "c blocks v, b0 to b3 block a0 to a3 (one on each, in this order)"),
        ({"b1": ("a1",), "b2": ("a1",), "b3": ("a2",), "b4": ("a3",)}, "b1 and b2 block a1, b3 blocks a2, b4 blocks a3"),
    ],
)
def test_declarations_in_which_each_does_the_same(declaration: dict[str, tuple[str, ...]], told: str) -> None:
    assert declaration_in_words(declaration) == told


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ([f"a {MUST}", f"b {MUST}"], [f"a {MUST}", f"b {MUST}"]),
        ([f"a{i} {MUST} (509.1c)" for i in range(5)], [f"each of a0 to a4 {MUST} (509.1c)"]),
        ([f"{name} has menace" for name in "abc"], ["each of a, b and c has menace"]),
        ([f'l says "Lure" for b{i} (509.1c)' for i in range(5)], ['l says "Lure" for b0 to b4 (509.1c)']),
        (["it is so", *(f"{name} has menace" for name in "ab")], ["it is so", "a has menace", "b has menace"]),
        ([f'{name} says "It attacks for {name}"' for name in "abc"], [f'{name} says "It attacks for {name}"' for name in "abc"]),
        ([f'{name} says "It attacks for free"' for name in "abc"], ['each of a, b and c says "It attacks for free"']),
        ([f"a {MUST} (509.1c)", f"b {MUST} (508.1d)", f"c {MUST}"], [f"a {MUST} (509.1c)", f"b {MUST} (508.1d)", f"c {MUST}"]),
    ],
)
def test_what_several_say(texts: list[str], told: list[str]) -> None:
    assert gathered(texts) == told
