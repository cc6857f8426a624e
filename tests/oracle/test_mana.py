"""What lawmage says of paying to attack and to block on small random boards is what trying every way to pay says."""

from __future__ import annotations

from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

from lawmage.play import count_declarations, judge
from lawmage.scenario import scenario_from

from . import mana as oracle
from .mana import Board, Creature, Source
from .test_blocks import EXAMPLES

COSTS = ["", "", "{1}", "{2}", "{W}", "{U}{U}", "{W/U}", "{W/U}{B}", "{C}", "{W/P}", "{1}{W/P}", "{W/P}{U/P}", "{W/U/P}"]
COSTS += ["{S}", "{S}{W}", "{1}{S}", "{2/W}", "{2/W}{2/W}", "{2/W}{2/U}", "{2/W}{W/P}", "{2/B}{W/U}", "{2/W}{S}"]
LETTERS = "WUBCS"
adds = st.sampled_from([("W",), ("U",), ("WU",), ("C", "C"), ("WUBRG",), ("W", "U"), ("B",)])
creatures = st.builds(
    Creature,
    cost=st.sampled_from(COSTS),
    adds=st.one_of(st.just(()), adds.filter(lambda one: one != ("WUBRG",))),
    vigilance=st.booleans(),
    haste=st.booleans(),
    sick=st.integers(0, 3).map(lambda number: number == 0),
    tapped=st.integers(0, 5).map(lambda number: number == 0),
    snow=st.booleans(),
)
sources = st.one_of(
    st.builds(Source, types=st.sampled_from(["W", "U", "WU", "UB"]), tapped=st.booleans(), snow=st.booleans()),
    st.builds(
        Source,
        adds=adds.filter(lambda one: one != ("WUBRG",)),
        tapped=st.integers(0, 3).map(lambda number: number == 0),
        snow=st.booleans(),
    ),
)
boards = st.builds(
    Board,
    creatures=st.lists(creatures, min_size=1, max_size=4).map(tuple),
    sources=st.lists(sources, max_size=3).map(tuple),
    pool=st.text(alphabet=LETTERS, max_size=3),
    life=st.integers(1, 5),
    attack=st.booleans(),
)


@st.composite
def payments(draw: st.DrawFn, board: Board) -> dict[int, str]:
    """Return a strategy of declarations with payments that often are right: halves of the symbols, sometimes with one too many or few."""
    paid = {}
    for number, creature in enumerate(board.creatures):
        if draw(st.booleans()):
            letters, life = "", 0
            for symbol in oracle.symbols_of(creature.cost):
                half = draw(st.sampled_from([*LETTERS] if symbol == "1" else symbol.split("/")))
                if half == "2":
                    half = draw(st.text(alphabet=LETTERS, min_size=2, max_size=2))
                letters, life = (letters, life + 2) if half == "P" else (letters + half, life)
            slip = draw(st.integers(0, 9)) if creature.cost else 9
            letters = letters[1:] if slip == 0 else letters + draw(st.sampled_from(LETTERS)) if slip == 1 else letters
            life += slip == 2
            paid[number] = letters + (str(life) if life else "")
    return paid


@EXAMPLES
@given(st.data())
def test_payments(data: st.DataObject) -> None:
    board = data.draw(boards)
    proposals = {f"p{number}": data.draw(payments(board)) for number in range(4)}
    mapping: dict[str, Any] = oracle.to_scenario(board, proposals)
    note(str(mapping))
    answer = judge(scenario_from(mapping), seconds=None, checked=True)
    expected = {name: "illegal" if oracle.wrong(board, paid) else "legal" for name, paid in proposals.items()}
    assert {name: verdict.verdict for name, verdict in answer.proposals.items()} == expected


@EXAMPLES
@given(boards)
def test_counts(board: Board) -> None:
    mapping = oracle.to_scenario(board, {})
    note(str(mapping))
    assert count_declarations(scenario_from(mapping), seconds=None) == oracle.count(board)
