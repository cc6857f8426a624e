"""`lawmage lethal`: boards by hand, and the command."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lawmage.board import Attack, Scenario
from lawmage.cli import main
from lawmage.errors import LawmageError
from lawmage.play import UndecidedError
from lawmage.play.best_block import damage_of, score_of
from lawmage.play.lethal import LethalVerdict, lethal
from lawmage.play.lethal_blocks import BlockSearch, Clock
from lawmage.scenario import scenario_from

A, D = "A", "D"


def thing(controller: str, pt: str, *keywords: str, text: str = "", **more: Any) -> dict[str, Any]:
    return {"controller": controller, "pt": pt, "keywords": list(keywords), "text": text, **more}


def board(things: dict[str, dict[str, Any]], life: int = 20, *, defender: dict[str, Any] | None = None, **more: Any) -> Scenario:
    return scenario_from({"players": {"A": {}, "D": {"life": life, **(defender or {})}}, "battlefield": things, **more})


def turns_at(things: dict[str, dict[str, Any]], life: int, **more: Any) -> LethalVerdict:
    """Check that the attack is lethal at `life` and not at one more; return the verdict there."""
    yes = lethal(board(things, life, **more))
    assert (yes.verdict, yes.reason) == ("yes", "")
    no = lethal(board(things, life + 1, **more))
    assert (no.verdict, no.reason) == ("no", "")
    return no


def test_nothing_blocks() -> None:
    verdict = lethal(board({"a": thing(A, "2/2"), "b": thing(A, "1/1")}, 3))
    assert (verdict.verdict, verdict.attack) == ("yes", {"a": "D", "b": "D"})


def test_a_creature_is_blocked() -> None:
    no = turns_at({"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "1/1")}, 2)
    assert [defence.block for defence in no.defences] == [{"x": ("a",)}]
    assert no.defences[0].answers == "every attack"


def test_trample_and_menace_compete_for_blockers() -> None:
    turns_at({"t": thing(A, "5/5", "trample"), "m": thing(A, "4/4", "menace"), "x": thing(D, "2/2"), "y": thing(D, "1/1")}, 5)


def test_deathtouch_makes_one_damage_lethal() -> None:
    turns_at({"t": thing(A, "4/4", "trample", "deathtouch"), "x": thing(D, "0/9"), "y": thing(D, "0/9")}, 2)


def test_first_strike_stops_a_trampler() -> None:
    no = lethal(board({"t": thing(A, "6/2", "trample"), "x": thing(D, "2/1", "first strike")}, 1))
    assert (no.verdict, no.defences[0].block) == ("no", {"x": ("t",)})
    assert lethal(board({"t": thing(A, "6/3", "trample"), "x": thing(D, "2/1", "first strike")}, 5)).verdict == "yes"


def test_double_strike_counts_twice() -> None:
    turns_at({"d": thing(A, "3/3", "double strike")}, 6)
    turns_at({"d": thing(A, "3/3", "double strike", "trample"), "x": thing(D, "0/4")}, 2)


def test_poison() -> None:
    assert lethal(board({"i": thing(A, "3/3", "infect"), "t": thing(A, "1/1", "toxic 2")}, defender={"poison": 5})).verdict == "yes"
    assert lethal(board({"i": thing(A, "3/3", "infect"), "t": thing(A, "1/1", "toxic 2")}, defender={"poison": 4})).verdict == "no"


def test_commander_damage() -> None:
    things = {"c": thing(A, "5/5", commander=True), "a": thing(A, "1/1"), "x": thing(D, "1/1", "reach")}
    no = lethal(board(things, defender={"commander_damage": {"c": 16}}))
    assert (no.verdict, no.defences[0].block) == ("no", {"x": ("c",)})
    flying = things | {"c": thing(A, "5/5", "shadow", commander=True)}
    assert lethal(board(flying, defender={"commander_damage": {"c": 16}})).verdict == "yes"
    assert lethal(board(flying, defender={"commander_damage": {"c": 15}})).verdict == "no"


def test_no_block_answers_two_ways_to_lose() -> None:
    """Either the infected one or the large one has to be let through."""
    things = {"i": thing(A, "2/2", "infect"), "a": thing(A, "5/5"), "x": thing(D, "1/1")}
    assert lethal(board(things, 5, defender={"poison": 8})).verdict == "yes"
    assert lethal(board(things, 6, defender={"poison": 8})).verdict == "no"


def test_life_gained_by_blocking() -> None:
    turns_at({"a": thing(A, "3/3", "shadow"), "b": thing(A, "1/1"), "x": thing(D, "2/2", "lifelink")}, 3)


def test_a_smaller_attack_gives_no_life() -> None:
    """With both attacking, the lifelinker blocks one and gains; the one that can't be blocked wins alone."""
    verdict = lethal(board({"a": thing(A, "3/3", "shadow"), "b": thing(A, "0/1"), "x": thing(D, "2/2", "lifelink")}, 3))
    assert (verdict.verdict, verdict.attack) == ("yes", {"a": "D"})


def test_first_strike_kills_before_life_is_gained() -> None:
    things = {"f": thing(A, "2/2", "first strike"), "a": thing(A, "2/2", "shadow"), "x": thing(D, "2/2", "lifelink")}
    both = {"f": "D", "a": "D"}
    assert lethal(board(things, 2, attack=both)).verdict == "yes"
    assert lethal(board(things | {"x": thing(D, "2/3", "lifelink")}, 2, attack=both)).verdict == "no"


def test_requirements_take_blockers_away() -> None:
    lure = thing(A, "1/1", text="All creatures able to block this creature do so.")
    things = {"l": lure, "a": thing(A, "4/4"), "x": thing(D, "1/1"), "y": thing(D, "1/1")}
    verdict = lethal(board(things, 4))
    assert (verdict.verdict, verdict.attack) == ("yes", {"l": "D", "a": "D"})
    assert lethal(board(things, 5)).verdict == "no"


@pytest.mark.parametrize("text", ["This creature must be blocked if able.", "All creatures able to block this creature do so."])
def test_requirements_are_about_few_attackers(text: str) -> None:
    """Of 2^12 attacks it is asked about those with the creature that has to be blocked, and those without it."""
    things = {f"a{n}": thing(A, f"{1 + n % 4}/2") for n in range(12)} | {f"x{n}": thing(D, "1/1") for n in range(6)}
    no = turns_at(things | {"a0": thing(A, "1/1", text=text)}, {"This": 11, "All ": 29}[text[:4]])
    assert len(no.defences) <= 4
    assert {"this attack", "every attack"}.isdisjoint(defence.answers for defence in no.defences)


def test_few_may_attack() -> None:
    """Of four creatures two may attack: the two that can't be blocked."""
    things = {"a": thing(A, "5/5"), "b": thing(A, "5/5"), "c": thing(A, "2/2", "shadow"), "d": thing(A, "2/2", "shadow")}
    things |= {"x": thing(D, "1/1"), "y": thing(D, "1/1")}
    effects = [{"controller": D, "text": "No more than two creatures can attack each combat."}]
    verdict = lethal(board(things, 4, effects=effects))
    assert (verdict.verdict, verdict.attack) == ("yes", {"c": "D", "d": "D"})
    assert lethal(board(things, 5, effects=effects)).verdict == "no"


def test_a_declared_attack() -> None:
    things = {"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "1/1")}
    assert lethal(board(things, 2, attack={"a": "D"})).verdict == "no"
    assert lethal(board(things, 2, attack={"a": "D", "b": "D"})).verdict == "yes"
    assert lethal(board(things, 2, attack={})).verdict == "no"


def test_a_planeswalker_takes_the_damage() -> None:
    things = {"a": thing(A, "5/5"), "w": {"controller": D, "types": ["planeswalker"], "loyalty": 4}}
    assert lethal(board(things, 5)).verdict == "yes"
    assert lethal(board(things, 5, attack={"a": "w"})).verdict == "no"


def test_exalted_makes_one_attacker_better_than_two() -> None:
    things = {"a": thing(A, "2/2", "shadow", "exalted"), "b": thing(A, "0/1", "exalted")}
    verdict = lethal(board(things, 4))
    assert (verdict.verdict, verdict.attack) == ("yes", {"a": "D"})
    assert lethal(board(things, 5)).verdict == "no"


def test_a_shared_blocker_is_followed() -> None:
    """Two tramplers, one creature that blocks both: what one assigns to it the other need not."""
    text = "This creature can block an additional creature each combat."
    things = {"s": thing(A, "3/3", "trample"), "t": thing(A, "3/3", "trample"), "x": thing(D, "1/3", text=text)}
    turns_at(things, 3)


def test_bands_are_not_looked_at() -> None:
    things = {"a": thing(A, "2/2", "banding"), "b": thing(A, "2/2")}
    assert lethal(board(things, 4)).verdict == "yes"
    verdict = lethal(board(things, 5))
    assert (verdict.verdict, "in bands" in verdict.reason) == ("undecided", True)


def test_one_who_defends_in_a_band_divides_the_damage() -> None:
    """The defending player has all of the trampler's damage dealt to the blocker (702.22j)."""
    things = {"t": thing(A, "5/5", "trample"), "x": thing(D, "1/1", "banding")}
    assert lethal(board(things, 4)).verdict != "yes"


@pytest.mark.parametrize(
    ("attacker", "blocker", "in_numbers"),
    [
        (["trample"], [], True),
        (["infect", "toxic 1"], ["wither"], True),
        (["infect", "first strike", "trample"], [], True),
        # What is weakened in the first step lets less damage through.
        (["trample"], ["infect", "first strike"], False),
        (["wither", "first strike"], ["lifelink"], True),
        (["protection from red"], ["protection from red"], True),
        (["protection from red"], ["lifelink"], False),
        (["double strike", "trample"], ["protection from red"], False),
    ],
)
def test_where_numbers_say_it_all(attacker: list[str], blocker: list[str], in_numbers: bool) -> None:
    scenario = board({"a": thing(A, "3/3", *attacker), "x": thing(D, "2/2", *blocker)})
    assert BlockSearch(scenario, [Attack("a", "D")], "D", Clock(None)).in_numbers is in_numbers


REQUIREMENTS = [
    ("Target creature blocks this turn if able.", "x"),
    ("Target creature must be blocked this turn if able.", "a"),
    ("All creatures able to block target creature this turn do so.", "a"),
]


@pytest.mark.parametrize("seed", range(12))
def test_the_flow_says_what_the_search_says(seed: int) -> None:
    """On boards too large to try everything: what the flow proves, the search does not refute, nor the other way round."""
    rng = random.Random(seed)
    words = ["flying", "deathtouch", "trample", "trample", "menace", "reach", "lifelink", "infect", "first strike"]
    things = {
        f"{side}{number}": thing(controller, f"{rng.randint(0, 6)}/{rng.randint(1, 5)}", *rng.sample(words, rng.choice([0, 0, 1])))
        for side, controller in (("a", A), ("x", D))
        for number in range(7)
    }
    said = [rng.choice(REQUIREMENTS) for _ in range(seed % 3)]
    effects = [{"controller": A, "text": text, "affects": [f"{side}{rng.randrange(7)}"]} for text, side in said]
    attacks = [Attack(f"a{number}", "D") for number in range(7)]
    search = BlockSearch(board(things, 1 + seed, effects=effects), attacks, "D", Clock(None))
    assert search.in_numbers
    by_flow = search._by_flow(frozenset(), 256)
    assert by_flow is None or by_flow.lethal == search._searched(frozenset()).lethal


def test_what_is_not_understood() -> None:
    verdict = lethal(board({"a": thing(A, "2/2", text="Creatures block strangely this turn.")}, 2))
    assert verdict.verdict == "undecided"
    assert "not understood" in verdict.reason


def test_what_is_known_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def over(*_: object) -> None:
        raise UndecidedError("the time limit was reached")

    monkeypatch.setattr(BlockSearch, "answer", over)
    verdict = lethal(board({"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "1/1")}, 3))
    assert (verdict.verdict, verdict.bounds["life"]) == ("undecided", (2, 2))


def test_what_no_attack_exceeds_is_known_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of four may attack; the time is over after the first block was found: against that no two do more."""
    calls = []
    answer = BlockSearch.answer

    def once(search: BlockSearch, attackers: Any) -> Any:
        calls.append(attackers)
        if len(calls) > 1:
            raise UndecidedError("the time limit was reached")
        return answer(search, attackers)

    monkeypatch.setattr(BlockSearch, "answer", once)
    things = {
        "a": thing(A, "5/5"),
        "b": thing(A, "4/4", text="This creature can't attack alone."),
        "c": thing(A, "2/2", "shadow"),
        "d": thing(A, "1/1", "flying"),
        "x": thing(D, "1/1"),
    }
    effects = [{"controller": D, "text": "No more than two creatures can attack each combat."}]
    verdict = lethal(board(things, 5, effects=effects))
    assert verdict.verdict == "undecided"
    # 6 where it blocks the largest, 7 where it blocks the one after that.
    assert verdict.bounds["life"] in ((0, 6), (0, 7))


def test_time() -> None:
    things = {f"a{n}": thing(A, "1/1") for n in range(8)} | {f"x{n}": thing(D, "1/1") for n in range(8)}
    verdict = lethal(board(things, 3), seconds=0.000001)
    assert (verdict.verdict, verdict.reason) == ("undecided", "the time limit was reached")


@pytest.mark.parametrize("follow", [score_of, damage_of])
def test_time_while_a_block_is_followed(follow: Callable[..., object]) -> None:
    with pytest.raises(UndecidedError, match="the time limit was reached"):
        follow(board({"a": thing(A, "2/2")}, attack={"a": "D"}), {}, time.monotonic() - 1)


@pytest.mark.parametrize(
    ("more", "player", "sentence"),
    [
        ({"attack": {"a": "D"}, "block": {}}, None, "blocks have been declared"),
        ({}, "E", '"E" is no opponent of A'),
        ({"players": {"A": {}, "D": {}, "E": {}}}, None, "2 opponents"),
    ],
)
def test_what_it_is_not_asked_about(more: dict[str, Any], player: str | None, sentence: str) -> None:
    with pytest.raises(LawmageError, match=sentence):
        lethal(scenario_from({"battlefield": {"a": thing(A, "1/1")}, **more}), player=player)


def test_one_of_two_opponents() -> None:
    players = {"A": {}, "D": {"life": 2}, "E": {"life": 3}}
    things = {"a": thing(A, "3/3"), "x": thing(D, "1/1")}
    assert lethal(scenario_from({"players": players, "battlefield": things}), player="D").verdict == "no"
    assert lethal(scenario_from({"players": players, "battlefield": things}), player="E").verdict == "yes"


@pytest.mark.parametrize(
    ("life", "status", "told"), [(3, 0, "a attacks D: D loses whatever blocks"), (4, 1, "no creature blocks (answers")]
)
def test_the_command(
    life: int, status: int, told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "board.json"
    file.write_text(json.dumps({"players": {"A": {}, "D": {"life": life}}, "battlefield": {"a": thing(A, "3/3")}}), encoding="utf-8")
    for options in ((), ("--json",)):
        monkeypatch.setattr("sys.argv", ["lawmage", "lethal", str(file), *options])
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code or 0) == status
        out = capsys.readouterr().out
        if options:
            (answer,) = json.loads(out)["files"]
            assert answer["verdict"] == ("yes" if status == 0 else "no")
            assert answer["judge"] == "lethal"
        else:
            assert told in out


def test_the_command_with_bad_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.argv", ["lawmage", "lethal", str(tmp_path / "none.yaml")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "none.yaml" in capsys.readouterr().err


@pytest.mark.parametrize("attacking", [True, False])
def test_what_is_sacrificed_is_not_looked_at(attacking: bool) -> None:
    verb, who = ("attack", "A") if attacking else ("block", "D")
    things = {
        "a": {"controller": "A", "pt": "9/9"},
        "x": {"controller": who, "pt": "1/1", "text": f"This creature can't {verb} unless you sacrifice a creature."},
    }
    scenario = scenario_from({"players": {"A": {}, "D": {"life": 5}}, "battlefield": things, **({} if attacking else {"attack": ["a"]})})
    assert lethal(scenario, player="D").verdict == "undecided"
