"""What lawmage says of sacrificing to attack and to block on small random boards is what trying every way says."""

from __future__ import annotations

from hypothesis import given, note
from hypothesis import strategies as st

from lawmage.play import count_declarations, judge
from lawmage.scenario import scenario_from

from . import sacrifices as oracle
from .sacrifices import Board, Creature
from .test_blocks import EXAMPLES

creatures = st.builds(
    Creature,
    asks=st.sampled_from([(), (), (1,), (1,), (2,), (1, 1), (1, 2)]),
    must=st.booleans(),
)
boards = st.builds(
    Board,
    creatures=st.lists(creatures, min_size=1, max_size=4).map(tuple),
    lands=st.integers(0, 4),
    others=st.integers(0, 1),
    creatures_pay=st.booleans(),
    attack=st.booleans(),
)


@st.composite
def declarations(draw: st.DrawFn, board: Board) -> dict[int, list[str]]:
    """Return a strategy of declarations for which often the right number of permanents, each once, is sacrificed."""
    given: dict[int, list[str]] = {}
    left = draw(st.permutations(board.offered()))
    for number, creature in enumerate(board.creatures):
        if draw(st.booleans()):
            needed = sum(creature.asks)
            given[number], left = left[:needed], left[needed:]
            slip = draw(st.integers(0, 9)) if needed else 9
            if slip == 0:
                given[number] = given[number][1:]
            elif slip == 1:
                stray = draw(st.sampled_from([*board.offered(), *(f"o{other}" for other in range(board.others)), "c0"]))
                given[number] = list(dict.fromkeys([*given[number], stray]))
    return given


@EXAMPLES
@given(st.data())
def test_sacrifices(data: st.DataObject) -> None:
    board = data.draw(boards)
    proposals = {f"p{number}": data.draw(declarations(board)) for number in range(4)}
    mapping = oracle.to_scenario(board, proposals)
    note(str(mapping))
    answer = judge(scenario_from(mapping), seconds=None, checked=True)
    expected = {name: "illegal" if oracle.wrong(board, given) else "legal" for name, given in proposals.items()}
    assert {name: verdict.verdict for name, verdict in answer.proposals.items()} == expected


@EXAMPLES
@given(boards)
def test_counts(board: Board) -> None:
    mapping = oracle.to_scenario(board, {})
    note(str(mapping))
    assert count_declarations(scenario_from(mapping), seconds=None) == oracle.count(board)
