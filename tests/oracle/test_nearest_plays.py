"""The play offered for an illegal one is legal and as near as any legal one; where none is offered, none is legal: by trying all casts.

`LAWMAGE_EXAMPLES=10` tries ten times as many.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawmage.play import judge
from lawmage.scenario import scenario_from

from .nearest_plays import LIFE, Cast, Creature, Table, distance, every_cast, lawful, nearest
from .plays import Spell, State
from .test_plays import braces, scenario, states

EXAMPLES = 40 * int(os.environ.get("LAWMAGE_EXAMPLES", "1"))

costs = st.lists(st.sampled_from(["1", "2", "W", "U", "W/U", "2/B", "R/P", "X"]), max_size=3).map(tuple)
MAIN = State("A", "A", "main1", lost_life=frozenset("D"))
NUMBERS = {(0, 0): "You gain 1 life", (1, 1): "Destroy target creature", (2, 2): "Destroy two target creatures", (0, 2): ""}
NUMBERS[0, 2] = "Destroy up to two target creatures"
COSTS = {1: "As an additional cost to cast this spell, sacrifice a creature.", 2: ""}
COSTS[2] = "As an additional cost to cast this spell, sacrifice two creatures."


@st.composite
def tables(draw: Any) -> Table:
    state = draw(st.just(MAIN) | states())
    some = draw(st.sampled_from(["sometimes", "", ""]))
    spell = Spell(
        owner="A",
        kind=draw(st.sampled_from(["instant", "sorcery"])),
        zone=draw(st.sampled_from(["hand", "hand", "graveyard"])),
        cost=draw(costs),
        flashback=draw(costs.filter(bool)) if some or draw(st.booleans()) else None,
        spectacle=draw(costs.filter(bool)) if some else None,
        kicker=draw(st.none() | st.sampled_from([("1",), ("R",)])),
    )
    creature = st.tuples(st.sampled_from("AD"), st.sampled_from(["", "", "", "hexproof", "shroud"]))
    made = draw(st.lists(creature, max_size=4))
    modal = draw(st.sampled_from([False, False, True]))
    number = st.sampled_from(sorted(NUMBERS))
    return Table(
        replace(state, pool=draw(st.just(()) | st.lists(st.sampled_from("WURC"), min_size=1, max_size=4).map(tuple))),
        spell,
        draw(st.sampled_from("AAAD")),
        tuple(Creature(f"c{place}", controller, keyword) for place, (controller, keyword) in enumerate(made)),
        tuple(draw(st.lists(number, min_size=2, max_size=2))) if modal else (draw(number),),
        modal,
        draw(st.sampled_from([0, 0, 1, 2])),
    )


@st.composite
def casts(draw: Any, table: Table) -> Cast:
    names = [one.name for one in table.creatures]
    modes = draw(st.none() | st.lists(st.sampled_from([1, 2]), max_size=2).map(tuple)) if table.modal else None
    listed = st.lists(st.sampled_from(names), max_size=2).map(tuple) if names else st.just(())
    asked = [cost for cost in (table.spell.cost, table.spell.flashback, table.spell.spectacle, table.spell.kicker) if cost]
    has_x = any("X" in cost for cost in asked)
    return Cast(
        way=draw(st.sampled_from(["", "", "flashback", "spectacle"])),
        kicked=draw(st.sampled_from([0, 0, 1, 2])),
        modes=modes,
        targets=draw(st.none() | listed),
        sacrificed=draw(st.none() | listed.map(lambda some: tuple(dict.fromkeys(some)))),
        pay=draw(st.none() | st.lists(st.sampled_from(["1", "2", "W", "U", "R", LIFE]), max_size=4).map(tuple)),
        x=draw(st.sampled_from([0, 1, 2])) if has_x else 0,
    )


def written(table: Table, cast: Cast) -> dict[str, Any]:
    """Return a scenario that proposes the cast."""
    made = scenario(table.state, table.spell, table.player, table.state.pool or None)
    texts = [COSTS[table.sacrifices]] if table.sacrifices else []
    modes = [NUMBERS[number] for number in table.targets]
    texts += ["Choose one —\n" + "\n".join(f"• {mode}." for mode in modes)] if table.modal else [f"{modes[0]}."]
    made[table.spell.zone]["s"]["text"] = "\n".join(texts)
    for one in table.creatures:
        made["battlefield"][one.name] = {"controller": one.controller, "pt": "1/1", "keywords": [one.keyword] if one.keyword else []}
    proposal: dict[str, Any] = {"cast": "s", "by": table.player}
    proposal |= {"using": cast.way} if cast.way else {}
    proposal |= {"extra": ["kicker"] * cast.kicked} if cast.kicked else {}
    proposal |= {"modes": [str(mode) for mode in cast.modes]} if cast.modes is not None else {}
    proposal |= {"targets": list(cast.targets)} if cast.targets is not None else {}
    proposal |= {"with": {"sacrifice": list(cast.sacrificed)}} if cast.sacrificed is not None else {}
    if cast.pay is not None:
        life = 2 * cast.pay.count(LIFE)
        proposal["pay"] = braces(one for one in cast.pay if one != LIFE) + (f", {life} life" if life else "")
    proposal |= {"x": cast.x} if cast.x else {}
    return made | {"propose": {"p": proposal}}


def read(found: Any) -> Cast:
    """Return the cast that is offered."""
    pay = None
    if "pay" in found:
        life = re.search(r"(\d+) life", found["pay"])
        pay = (*_split(re.findall(r"\{(\w+)\}", found["pay"])), *(LIFE,) * (int(life[1]) // 2 if life else 0))
    return Cast(
        way=found.get("using", ""),
        kicked=len(found.get("extra", ())),
        modes=tuple(int(mode) for mode in found["modes"]) if "modes" in found else None,
        targets=tuple(found["targets"]) if "targets" in found else None,
        sacrificed=tuple(found["with"].get("sacrifice", ())) if "with" in found else None,
        pay=pay,
        x=found.get("x", 0),
    )


def _split(symbols: list[str]) -> tuple[str, ...]:
    return tuple(one for symbol in symbols for one in (("1",) * int(symbol) if symbol.isdecimal() else (symbol,)))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_the_nearest_cast(data: st.DataObject) -> None:
    table = data.draw(tables())
    cast = data.draw(casts(table))
    proposed = replace(cast, pay=None if cast.pay is None else _split(list(cast.pay)))
    verdict = judge(scenario_from(written(table, cast)), explain=True, explain_seconds=60.0).proposals["p"]
    assert verdict.not_understood == ()
    assert verdict.verdict == ("legal" if lawful(table, proposed) else "illegal")
    if verdict.verdict == "legal":
        assert verdict.nearest is None
        assert not verdict.no_nearest
        return
    least = nearest(table, proposed)
    if least is None:
        assert verdict.nearest is None
        assert verdict.no_nearest
        return
    assert verdict.nearest is not None
    found = read(verdict.as_json()["nearest"])
    assert lawful(table, found)
    assert distance(proposed, found) == least
    again = written(table, cast) | {"propose": {"p": verdict.as_json()["nearest"]}}
    assert judge(scenario_from(again)).proposals["p"].verdict == "legal"


HAPPY = {"controller": "D", "text": "Creatures you control have hexproof as long as you are happy."}


@settings(max_examples=EXAMPLES // 2, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_the_nearest_cast_whatever_holds(data: st.DataObject) -> None:
    """What is offered where something is open is legal either way, and as near as anything that is."""
    table = data.draw(tables())
    cast = data.draw(casts(table))
    proposed = replace(cast, pay=None if cast.pay is None else _split(list(cast.pay)))
    shielded = tuple(replace(one, keyword=one.keyword or "hexproof") if one.controller == "D" else one for one in table.creatures)
    cases = [table, replace(table, creatures=shielded)]
    made = written(table, cast)
    made["effects"] = [*made.get("effects", ()), HAPPY]
    verdict = judge(scenario_from(made), explain=True, explain_seconds=60.0).proposals["p"]
    legal = [lawful(one, proposed) for one in cases]
    assert verdict.verdict == ("legal" if all(legal) else "undecided" if any(legal) else "illegal")
    if verdict.verdict != "illegal":
        return
    distances = [changes for other, changes in every_cast(table, proposed) if all(lawful(one, other) for one in cases)]
    if not distances:
        assert verdict.nearest is None
    # Where what is nearest in each case is not legal in all, nothing may be told.
    if verdict.no_nearest:
        assert not distances
    if verdict.nearest is not None:
        found = read(verdict.as_json()["nearest"])
        assert all(lawful(one, found) for one in cases)
        assert distance(proposed, found) == min(distances)
