"""The nearest declaration that lawmage offers where something is to be paid is what trying every declaration and payment says.

It is legal with what is said to be paid, no other legal one differs in fewer creatures, nor as few in fewer pairs, unless somebody pays for
what was not proposed, and no other way to pay keeps more of the permanents that were named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st

from lawmage.play import ProposalVerdict, judge
from lawmage.scenario import scenario_from

from . import acts, mana, pair_prices
from .test_acts import boards as boards_with_acts
from .test_acts import declarations
from .test_blocks import EXAMPLES
from .test_mana import boards as boards_with_mana
from .test_mana import payments
from .test_pair_prices import boards as boards_with_pair_prices

HALF = settings(EXAMPLES, max_examples=EXAMPLES.max_examples // 2)


def judged(mapping: dict[str, Any]) -> dict[str, ProposalVerdict]:
    """Return the verdicts on a scenario, with what is nearest; for each of these that it is legal as it is told."""
    note(str(mapping))
    found = dict(judge(scenario_from(mapping), seconds=None, explain=True, explain_seconds=60, checked=True).proposals)
    again = {name: proposed(verdict) for name, verdict in found.items() if verdict.nearest is not None}
    verdicts = judge(scenario_from(mapping | {"propose": again}), seconds=None, checked=True).proposals
    assert {name: verdict.verdict for name, verdict in verdicts.items()} == dict.fromkeys(again, "legal"), again
    assert all((verdict.verdict == "illegal") == (verdict.nearest is not None) for verdict in found.values())
    return found


def proposed(verdict: ProposalVerdict) -> dict[str, Any]:
    """Return what is nearest in the form of a proposal, with what pays for it."""
    answer = verdict.as_json()
    paid = {"pay": answer.get("nearest_pay", {}), "with": answer.get("nearest_with", {})}
    return {
        name: {"target" if isinstance(others, str) else "attackers": others}
        | {key: each[name] for key, each in paid.items() if name in each}
        for name, others in answer["nearest"].items()
    }


def acting(declared: Mapping[str, Any]) -> set[int]:
    """Return the numbers of the creatures in a declaration."""
    return {int(name[1:]) for name in declared}


@HALF
@given(st.data())
def test_acts(data: st.DataObject) -> None:
    board = data.draw(boards_with_acts)
    proposals = {f"p{number}": data.draw(declarations(board)) for number in range(3)}
    for name, verdict in judged(acts.to_scenario(board, proposals)).items():
        if verdict.nearest is None:
            continue
        named = proposals[name]
        free = {number for number, creature in enumerate(board.creatures) if not creature.asks and not creature.pays}
        legal = [one for one in map(set, acts.choices(board)) if one <= free | named.keys() and some_way(board, sorted(one))]
        found = acting(verdict.nearest)
        assert len(found ^ named.keys()) == min(len(one ^ named.keys()) for one in legal)
        given = {number: verdict.nearest_with.get(f"c{number}", {}) for number in found}
        assert not acts.wrong(board, given)
        assert kept(given, named) == max(kept(way, named) for way in ways_to_pay(board, sorted(found)))


def some_way(board: acts.Board, one: list[int]) -> bool:
    """Tell whether these creatures may act, some way to pay for them being there."""
    return any(True for _ in ways_to_pay(board, one))


def ways_to_pay(board: acts.Board, one: list[int]) -> Iterator[dict[int, dict[str, tuple[str, ...]]]]:
    """Yield every legal way to have these creatures act."""
    asked = {(number, ask.act.partition("_")[0]): 0 for number in one for ask in board.creatures[number].asks}
    for number in one:
        for ask in board.creatures[number].asks:
            asked[number, ask.act.partition("_")[0]] += ask.number
    for chosen in product(*[combinations(board.names(), size) for size in asked.values()]):
        way: dict[int, dict[str, tuple[str, ...]]] = {number: {} for number in one}
        for (number, act), names in zip(asked, chosen, strict=True):
            way[number][act] = names
        if not acts.wrong(board, way):
            yield way


def kept(given: Mapping[int, acts.Given], named: Mapping[int, acts.Given]) -> int:
    """Return how many permanents pay as was named."""
    return sum(name in named.get(number, {}).get(act, ()) for number, by in given.items() for act, names in by.items() for name in names)


@HALF
@given(st.data())
def test_mana(data: st.DataObject) -> None:
    board = data.draw(boards_with_mana)
    proposals = {f"p{number}": data.draw(payments(board)) for number in range(3)}
    for name, verdict in judged(mana.to_scenario(board, proposals)).items():
        if verdict.nearest is not None:
            named = set(proposals[name])
            free = {number for number, creature in enumerate(board.creatures) if not creature.cost}
            legal = [one for one in map(set, mana.choices(board)) if one <= free | named and mana.payable(board, sorted(one))]
            assert len(acting(verdict.nearest) ^ named) == min(len(one ^ named) for one in legal)


@HALF
@given(st.data())
def test_pair_prices(data: st.DataObject) -> None:
    board = data.draw(boards_with_pair_prices)
    blocks = list(pair_prices.blocks(board))
    proposals = {}
    for number in range(3):
        block = data.draw(st.sampled_from(blocks))
        owed = {place: pair_prices.owed(board, place, blocked) for place, blocked in enumerate(block)}
        proposals[f"p{number}"] = block, {place: max(0, amount - data.draw(st.sampled_from([0, 0, 1]))) for place, amount in owed.items()}
    for name, verdict in judged(pair_prices.to_scenario(board, proposals)).items():
        if verdict.nearest is None:
            continue
        wanted = proposals[name][0]
        at = {int(blocker[1:]): tuple(sorted(int(one[1:]) for one in attackers)) for blocker, attackers in verdict.nearest.items()}
        found = tuple(at.get(place, ()) for place in range(len(wanted)))
        assert apart(found, wanted) == min(apart(one, wanted) for one in blocks if legal_and_asked(board, one, wanted))


def legal_and_asked(board: pair_prices.Board, block: pair_prices.Block, wanted: pair_prices.Block) -> bool:
    """Tell whether a block is legal if it is paid for, and nothing is paid that what was proposed does not cost as well."""
    owed = {place: pair_prices.owed(board, place, blocked) for place, blocked in enumerate(block)}
    if pair_prices.wrong(board, block, owed):
        return False
    for place, blocked in enumerate(block):
        for attacker in blocked:
            if attacker not in wanted[place] and costs(board, place, attacker, wanted[place]):
                return False
    return True


def costs(board: pair_prices.Board, place: int, attacker: int, wanted: tuple[int, ...]) -> bool:
    """Tell whether it costs something that a creature blocks an attacker that it was not proposed to block."""
    blocker = board.blockers[place]
    for_blocking = blocker.flat + blocker.counters + board.hand
    for_this = pair_prices.owed(board, place, (attacker,)) - for_blocking
    return for_this > 0 or (for_blocking > 0 and not wanted)


def apart(one: pair_prices.Block, other: pair_prices.Block) -> tuple[int, int]:
    """Return in how many creatures, and in how many pairs, two blocks differ."""
    return sum(a != b for a, b in zip(one, other, strict=True)), sum(len(set(a) ^ set(b)) for a, b in zip(one, other, strict=True))
