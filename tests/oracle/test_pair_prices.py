"""What lawmage says of costs that depend on who blocks whom on small random boards is what trying every way says."""

from __future__ import annotations

from hypothesis import given, note, settings
from hypothesis import strategies as st

from lawmage.play import count_declarations, judge
from lawmage.scenario import scenario_from

from . import pair_prices as oracle
from .pair_prices import Attacker, Blocker, Board
from .test_blocks import EXAMPLES

boards = st.builds(
    Board,
    attackers=st.lists(
        st.builds(Attacker, strong=st.booleans(), must=st.booleans(), each=st.sampled_from([(), (), (1,), (1, 1), (2,)])),
        min_size=1,
        max_size=3,
    ).map(tuple),
    blockers=st.lists(
        st.builds(
            Blocker,
            flat=st.sampled_from([0, 0, 1]),
            counters=st.sampled_from([0, 0, 0, 1, 2]),
            against=st.sampled_from([(), (), (1,), (1, 2)]),
            must=st.booleans(),
            two=st.booleans(),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
    pool=st.sampled_from([None, 0, 1, 2, 3]),
    wave=st.sampled_from([0, 0, 1]),
    hand=st.sampled_from([0, 0, 0, 1, 2]),
)


@settings(EXAMPLES, max_examples=EXAMPLES.max_examples // 2)
@given(st.data())
def test_pair_prices(data: st.DataObject) -> None:
    board = data.draw(boards)
    proposals = {}
    for number in range(4):
        block = data.draw(st.sampled_from(list(oracle.blocks(board))))
        owed = {place: oracle.owed(board, place, blocked) for place, blocked in enumerate(block)}
        slips = {place: data.draw(st.sampled_from([0, 0, 0, 0, 1, -1])) for place in owed}
        proposals[f"p{number}"] = block, {place: max(0, amount + slips[place]) for place, amount in owed.items()}
    mapping = oracle.to_scenario(board, proposals)
    note(str(mapping))
    answer = judge(scenario_from(mapping), seconds=None, checked=True, explain=True)
    expected = {name: "illegal" if oracle.wrong(board, *proposal) else "legal" for name, proposal in proposals.items()}
    assert {name: verdict.verdict for name, verdict in answer.proposals.items()} == expected
    assert count_declarations(scenario_from(mapping), seconds=None) == oracle.count(board)
