"""What lawmage says of paying with permanents to attack and to block on small random boards is what trying every way says."""

from __future__ import annotations

from hypothesis import given, note
from hypothesis import strategies as st

from lawmage.play import count_declarations, judge
from lawmage.scenario import scenario_from

from . import acts as oracle
from .acts import WHAT, Ask, Board, Creature, Thing
from .test_blocks import EXAMPLES

# "An untapped artifact or land" is not read.
asks = st.builds(
    Ask,
    act=st.sampled_from(["sacrifice", "sacrifice", "return", "tap", "tap", "tap_undeclared"]),
    what=st.sampled_from(sorted(WHAT)),
    number=st.sampled_from([1, 1, 1, 2]),
).filter(lambda ask: not (ask.taps and ask.what == "either"))
creatures = st.builds(
    Creature,
    asks=st.sampled_from([0, 0, 1, 1, 2, 3]).flatmap(lambda number: st.lists(asks, min_size=number, max_size=number).map(tuple)),
    pays=st.sampled_from([0, 0, 0, 1, 2]),
    must=st.booleans(),
    vigilant=st.booleans(),
)
things = st.builds(
    Thing,
    types=st.sampled_from([frozenset({"land"}), frozenset({"artifact"}), frozenset({"land", "artifact"})]),
    tapped=st.sampled_from([False, False, True]),
    adds=st.sampled_from(["", "", "rock", "treasure", "spawn"]),
)
boards = st.builds(
    Board,
    creatures=st.lists(creatures, min_size=1, max_size=3).map(tuple),
    things=st.lists(things, max_size=3).map(tuple),
    pool=st.sampled_from([None, 0, 1]),
    attack=st.booleans(),
)


@st.composite
def declarations(draw: st.DrawFn, board: Board) -> dict[int, dict[str, list[str]]]:
    """Return a strategy of declarations for which often the right number of permanents, each once, is given for each cost."""
    declared: dict[int, dict[str, list[str]]] = {}
    left = draw(st.permutations(board.names()))
    for number, creature in enumerate(board.creatures):
        if draw(st.booleans()):
            acts: dict[str, list[str]] = {}
            for ask in creature.asks:
                types = WHAT[ask.what][2]
                liked = [name for name in left if not types or types & board.types(name)]
                chosen = liked[: ask.number] if draw(st.integers(0, 9)) else draw(st.permutations([*board.names(), "o"]))[: ask.number]
                left = [name for name in left if name not in chosen]
                acts.setdefault(ask.act.split("_")[0], []).extend(chosen)
            declared[number] = {act: list(dict.fromkeys(names)) for act, names in acts.items() if names}
            if creature.asks and not draw(st.integers(0, 9)):
                act = draw(st.sampled_from(["sacrifice", "return", "tap"]))
                declared[number][act] = list(dict.fromkeys([*declared[number].get(act, []), draw(st.sampled_from(board.names()))]))
    return declared


@EXAMPLES
@given(st.data())
def test_acts(data: st.DataObject) -> None:
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
