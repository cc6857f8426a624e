"""What lawmage says of paying with permanents to attack and to block on small random boards is what trying every way says."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, note
from hypothesis import strategies as st

from lawmage.play import count_declarations, judge
from lawmage.play.best_block import best_block
from lawmage.play.lethal import lethal
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


# What is done in these boards changes nothing in combat: nothing is sacrificed or returned that fights.
harmless = st.builds(
    Creature,
    asks=st.one_of(
        st.just(()),
        st.just(()),
        st.builds(Ask, act=st.sampled_from(["sacrifice", "return"]), what=st.sampled_from(["land", "artifact", "either"])).map(
            lambda ask: (ask,)
        ),
        st.builds(Ask, act=st.sampled_from(["tap", "tap_undeclared"]), what=st.sampled_from(["creature", "other", "land"])).map(
            lambda ask: (ask,)
        ),
    ),
    pays=st.sampled_from([0, 0, 1]),
)
sides = st.builds(
    Board,
    creatures=st.lists(harmless, min_size=1, max_size=3).map(tuple),
    things=st.lists(things, max_size=2).map(tuple),
    pool=st.sampled_from([None, 0, 1]),
    attack=st.booleans(),
)


def _least(power: int, attackers: int, defenders: Board) -> int:
    """Return the least damage that so many attackers do, each of which one creature can block."""
    return max(0, attackers - max(len(acting) for acting in oracle.choices(defenders) if oracle.payable(defenders, acting))) * power


@EXAMPLES
@given(sides.map(lambda side: replace(side, attack=True)), sides.map(lambda side: replace(side, attack=False)), st.integers(1, 7))
def test_lethal_and_best_block(attackers: Board, defenders: Board, life: int) -> None:
    mine, theirs = (oracle.to_scenario(side, {}) for side in (attackers, defenders))
    del mine["battlefield"]["o"], theirs["battlefield"]["o"], theirs["battlefield"]["m"]
    things = {f"a{name}": thing | ({"pt": "2/2"} if "pt" in thing else {}) for name, thing in mine["battlefield"].items()}
    players = {"A": mine["players"]["A"], "D": theirs["players"]["D"] | {"life": life}}
    board = {"players": players, "battlefield": things | theirs["battlefield"]}
    note(str(board))
    most = max(len(acting) for acting in oracle.choices(attackers) if oracle.payable(attackers, acting))
    assert lethal(scenario_from(board), player="D", seconds=None).verdict == ("yes" if _least(2, most, defenders) >= life else "no")
    # What has been declared has been paid for.
    scenario = scenario_from(board | {"attack": [f"ac{index}" for index in range(len(attackers.creatures))]})
    left = life - _least(2, len(attackers.creatures), defenders)
    assert lethal(scenario, player="D", seconds=None).verdict == ("yes" if left <= 0 else "no")
    assert best_block(scenario, seconds=None).score.life == left
