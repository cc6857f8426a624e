"""Casting, judged by lawmage and by plain Python on random states; payments by trying every way to pay."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.play import judge
from lawmage.play.payment import Payment, pays
from lawmage.scenario import scenario_from

from .plays import Spell, State, allowed, payable, total

EXAMPLES = 35 * int(os.environ.get("LAWMAGE_EXAMPLES", "1"))

costs = st.lists(st.sampled_from(["1", "2", "W", "U", "R", "W/U", "2/B", "R/P"]), max_size=3).map(tuple)
players = st.sampled_from(["A", "D"])
times = st.sampled_from(
    [("main1", ""), ("main2", ""), ("beginning", "untap"), ("beginning", "upkeep"), ("combat", "declare_blockers"), ("end", "end")]
)
some = st.frozensets(players)


@st.composite
def spells(draw: Any) -> Spell:
    return Spell(
        owner=draw(players),
        kind=draw(st.sampled_from(["instant", "sorcery", "creature", "artifact"])),
        zone=draw(st.sampled_from(["hand", "hand", "graveyard"])),
        cost=draw(costs),
        flash=draw(st.booleans()),
        flashback=draw(st.none() | costs.filter(bool)),
        spectacle=draw(st.none() | costs.filter(bool)),
        kicker=draw(st.none() | costs.filter(bool)),
        way=draw(st.sampled_from(["", "", "flashback", "spectacle"])),
        kicked=draw(st.booleans()),
    )


@st.composite
def states(draw: Any) -> State:
    phase, step = draw(times)
    return State(
        active=draw(players),
        priority=draw(players | st.none()),
        phase=phase,
        step=step,
        stack=draw(st.booleans()),
        only_sorcery=draw(some),
        forbidden=draw(some),
        lost_life=draw(some),
        more=draw(st.integers(0, 2)),
        less=draw(st.integers(0, 3)),
    )


def braces(symbols: Any) -> str:
    return "".join(f"{{{symbol}}}" for symbol in symbols) or "{0}"


def scenario(state: State, spell: Spell, player: str, pool: tuple[str, ...] | None = None) -> dict[str, Any]:
    keywords = ["flash"] if spell.flash else []
    keywords += [f"{word} {braces(cost)}" for word in ("flashback", "spectacle", "kicker") if (cost := getattr(spell, word)) is not None]
    card = {"owner": spell.owner, "types": [spell.kind], "mana_cost": braces(spell.cost), "keywords": keywords}
    battlefield: dict[str, Any] = {}
    other = {"A": "D", "D": "A"}
    for name in state.only_sorcery:
        text = "Each opponent can cast spells only any time they could cast a sorcery."
        battlefield[f"t{name}"] = {"controller": other[name], "types": ["enchantment"], "text": text}
    for name in state.forbidden:
        text = "You can't cast instant or sorcery spells."
        battlefield[f"f{name}"] = {"controller": name, "types": ["enchantment"], "text": text}
    for number in range(state.more):
        battlefield[f"m{number}"] = {"controller": "A", "types": ["enchantment"], "text": "Spells cost {1} more to cast."}
    for number in range(state.less):
        battlefield[f"l{number}"] = {"controller": "A", "types": ["enchantment"], "text": "Spells cost {1} less to cast."}
    proposal: dict[str, Any] = {"cast": "s", "by": player}
    if spell.way:
        proposal["using"] = spell.way
    if spell.kicked:
        proposal["extra"] = ["kicker"]
    made: dict[str, Any] = {
        "players": {"A": {}, "D": {}},
        "judge": "cast",
        "active": state.active,
        "turn": {"phase": state.phase, "priority": state.priority, **({"step": state.step} if state.step else {})},
        "history": {"lost_life": sorted(state.lost_life)},
        "battlefield": battlefield,
        spell.zone: {"s": card},
        "propose": {"p": proposal},
    }
    if state.stack:
        made["stack"] = {"x": {"controller": "A", "types": ["instant"]}}
    if pool is not None:
        made["players"][player]["mana"] = "".join(f"{{{mana}}}" for mana in pool)
    return made


@settings(max_examples=EXAMPLES, deadline=None)
@given(states(), spells(), players)
def test_the_time_and_the_permission_agree(state: State, spell: Spell, player: str) -> None:
    if not spell.way and spell.zone == "graveyard":
        spell = Spell(**{**spell.__dict__, "way": "flashback"})
    verdict = judge(scenario_from(scenario(state, spell, player))).proposals["p"]
    assert verdict.not_understood == ()
    assert verdict.verdict == ("legal" if allowed(state, spell, player) else "illegal")


@settings(max_examples=EXAMPLES, deadline=None)
@given(states(), spells(), st.lists(st.sampled_from("WUBRGC"), max_size=6).map(tuple))
def test_the_total_and_what_pays_it_agree(state: State, spell: Spell, pool: tuple[str, ...]) -> None:
    main = State("A", "A", "main1", lost_life=frozenset("D"), more=state.more, less=state.less)
    there = "graveyard" if spell.way == "flashback" else "hand"
    spell = Spell(**{**spell.__dict__, "owner": "A", "zone": there, "kind": "instant"})
    if not allowed(main, spell, "A"):
        return
    verdict = judge(scenario_from(scenario(main, spell, "A", pool))).proposals["p"]
    owed = total(main, spell)
    found = verdict.as_json()["total"]
    generic = owed.pop("1", 0)
    shown = Counter(symbol for symbol in found.replace("{", " ").replace("}", " ").split())
    assert sum(int(symbol) * count for symbol, count in shown.items() if symbol.isdecimal()) == generic
    assert Counter({symbol: count for symbol, count in shown.items() if not symbol.isdecimal()}) == owed
    assert verdict.verdict == ("legal" if payable(owed + Counter({"1": generic}), pool) else "illegal")


@settings(max_examples=EXAMPLES, deadline=None)
@given(costs, costs, st.lists(st.sampled_from("WUBRGC"), max_size=5).map(tuple))
def test_a_payment_is_found_where_there_is_one(one: tuple[str, ...], other: tuple[str, ...], pool: tuple[str, ...]) -> None:
    words = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless"}
    owed: Counter[str] = Counter()
    for symbol in (*one, *other):
        owed[words.get(symbol, "generic" if symbol.isdecimal() else symbol)] += int(symbol) if symbol.isdecimal() else 1
    flat = Counter({"1": owed["generic"]}) + Counter(symbol for symbol in (*one, *other) if not symbol.isdecimal())
    mana = Counter(words[symbol] for symbol in pool)
    assert pays(Payment(dict(owed), dict(mana), exact=False)) == payable(flat, pool)
