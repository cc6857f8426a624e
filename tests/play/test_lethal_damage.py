"""`lawmage lethal --max-damage`: boards by hand, attackers that yield to others, bounds, and the commands that explain."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lawmage.answers.declarations import enumerate_
from lawmage.answers.lethality import lethal as answer_lethal
from lawmage.answers.source import Source
from lawmage.board import Attack
from lawmage.cli import main
from lawmage.errors import InputError
from lawmage.play import UndecidedError, lethal_damage
from lawmage.play import lethal as lethal_module
from lawmage.play.combat_explain import explain_best_block, explain_damage, explain_lethal
from lawmage.play.explain import Step
from lawmage.play.lethal import lethal
from lawmage.play.lethal_attacks import AttackSearch
from lawmage.play.lethal_blocks import BlockSearch, Clock
from lawmage.play.lethal_damage import DamageVerdict, max_damage
from lawmage.scenario import scenario_from

from .test_lethal import A, D, board, thing

TWO = {"controller": D, "text": "No more than two creatures can attack each combat."}


def damage(things: dict[str, dict[str, Any]], life: int = 20, **more: Any) -> DamageVerdict:
    found = max_damage(board(things, life, **more), seconds=None)
    assert (found.verdict, found.reason) == ("found", "")
    return found


def test_the_largest_is_blocked() -> None:
    found = damage({"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "1/1")})
    assert (found.at_least, found.at_most, found.attack, found.block) == (2, 2, {"a": "D", "b": "D"}, {"x": ("a",)})


def test_two_of_four_may_attack() -> None:
    """The two that can't be blocked do 4, the two larger ones nothing; so does one of each: 2."""
    things = {"a": thing(A, "5/5"), "b": thing(A, "5/5"), "c": thing(A, "2/2", "shadow"), "d": thing(A, "2/2", "shadow")}
    found = damage(things | {"x": thing(D, "1/1"), "y": thing(D, "1/1")}, effects=[TWO])
    assert (found.at_least, found.attack) == (4, {"c": "D", "d": "D"})


def test_damage_is_damage_whatever_results() -> None:
    """Infect gives counters, a blocker with lifelink gives life back, and the player is dead after the first step."""
    things = {"i": thing(A, "2/2", "infect"), "d": thing(A, "3/3", "double strike", "shadow"), "x": thing(D, "2/2", "lifelink")}
    assert damage(things, 3).at_least == 6
    assert damage(things | {"i": thing(A, "2/2", "infect", "shadow")}, 3).at_least == 8


def test_a_declared_attack_on_a_planeswalker_does_the_player_nothing() -> None:
    things = {"a": thing(A, "5/5"), "w": {"controller": D, "types": ["planeswalker"], "loyalty": 4}}
    assert damage(things, attack={"a": "w"}).at_least == 0
    assert damage(things, attack={"a": "D"}).at_least == 5


def test_requirements_are_followed_attack_by_attack() -> None:
    lure = thing(A, "1/1", text="All creatures able to block this creature do so.")
    found = damage({"l": lure, "a": thing(A, "4/4"), "b": thing(A, "3/3"), "x": thing(D, "1/1"), "y": thing(D, "1/1")})
    assert (found.at_least, found.attack) == (7, {"l": "D", "a": "D", "b": "D"})


def test_exalted_makes_one_attacker_better_than_two() -> None:
    found = damage({"a": thing(A, "2/2", "shadow", "exalted"), "b": thing(A, "1/1", "exalted")})
    assert (found.at_least, found.attack) == (4, {"a": "D"})


def test_one_of_two_opponents() -> None:
    scenario = scenario_from({"players": {"A": {}, "D": {}, "E": {}}, "battlefield": {"a": thing(A, "3/3"), "x": thing(D, "1/1")}})
    assert [max_damage(scenario, player=player).at_least for player in "DE"] == [0, 3]


def test_bounds_where_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the flow and a block of its own say is kept; with several attacks also what the best of them does."""
    things = {"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "1/1")}

    def over(*_: object) -> None:
        raise UndecidedError("the time limit was reached")

    with monkeypatch.context() as patched:
        patched.setattr(BlockSearch, "answer", over)
        found = max_damage(board(things))
        assert (found.verdict, found.at_least, found.at_most, found.reason) == ("undecided", 2, 7, "the time limit was reached")
    monkeypatch.setattr(AttackSearch, "forbid", over)
    found = max_damage(board(things | {"c": thing(A, "1/1")}, effects=[TWO]))
    assert (found.verdict, found.at_least) == ("undecided", 2)
    assert found.at_most is not None
    assert found.at_most >= 2


# ---------------------------------------------------------------- attackers that yield


@pytest.mark.parametrize(
    ("one", "other", "yields"),
    [
        (thing(A, "2/2"), thing(A, "3/1"), [("a", "b")]),
        (thing(A, "2/2"), thing(A, "2/1"), [("b", "a")]),
        (thing(A, "3/3"), thing(A, "2/2", "flying"), []),
        (thing(A, "2/2"), thing(A, "2/2", "flying"), [("a", "b")]),
        (thing(A, "2/2"), thing(A, "2/2", "menace"), [("a", "b")]),
        (thing(A, "3/3"), thing(A, "3/1", "trample"), [("a", "b")]),
        # A blocker with first strike may destroy one and not the other.
        (thing(A, "3/3", "trample"), thing(A, "4/1", "trample"), []),
        (thing(A, "3/3", "trample"), thing(A, "3/4", "trample", "deathtouch"), [("a", "b")]),
        (thing(A, "2/2"), thing(A, "3/3", text="This creature can't attack alone."), []),
        (thing(A, "2/2", text="This creature attacks each combat if able."), thing(A, "3/3"), []),
        (thing(A, "2/2", "infect"), thing(A, "3/3"), []),
        (thing(A, "2/2", commander=True), thing(A, "3/3"), []),
    ],
)
def test_who_yields_to_whom(one: dict[str, Any], other: dict[str, Any], yields: list[tuple[str, str]]) -> None:
    others = {"c": thing(A, "9/9", "shadow"), "x": thing(D, "1/1", "first strike"), "y": thing(D, "1/1")}
    found = lethal(board({"a": one, "b": other} | others, 30, effects=[TWO]))
    assert [pair for pair in found.yields if set(pair) == {"a", "b"}] == yields


def test_nobody_yields_where_blocking_gives_life() -> None:
    """With more power on the board than life, but one that gains from whatever it blocks."""
    things = {"a": thing(A, "2/2"), "b": thing(A, "3/3"), "c": thing(A, "1/1"), "x": thing(D, "2/2", "lifelink")}
    assert lethal(board(things, 5, effects=[TWO])).yields == ()


@pytest.mark.parametrize("seed", range(6))
def test_leaving_attacks_out_changes_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On boards too large to try everything the answers are the same where no attack is left out for another."""
    rng = random.Random(seed)
    words = ["flying", "deathtouch", "trample", "trample", "menace", "reach", "infect", "first strike", "double strike"]
    things = {
        f"{side}{number}": thing(controller, f"{rng.randint(0, 4)}/{rng.randint(1, 4)}", *rng.sample(words, rng.choice([0, 0, 1])))
        for side, controller in (("a", A), ("x", D))
        for number in range(6)
    }
    effects = [{"controller": D, "text": "No more than four creatures can attack each combat."}]
    boards = [board(things, life, defender={"poison": 6}, effects=effects) for life in (2, 4, 6, 9)]
    answers = [(lethal(one).verdict, max_damage(one).at_least) for one in boards]

    def nothing(*_: object) -> Iterator[tuple[str, str]]:
        return iter(())

    for module in (lethal_module, lethal_damage):
        monkeypatch.setattr(module, "yielding", nothing)
    assert [(lethal(one).verdict, max_damage(one).at_least) for one in boards] == answers


def test_the_least_that_a_block_leaves() -> None:
    """What is asked of an attack alone: the least damage, and whether so much is certain."""
    things = {"t": thing(A, "5/5", "trample"), "m": thing(A, "4/4", "menace"), "x": thing(D, "2/2"), "y": thing(D, "1/1")}
    search = BlockSearch(board(things), [Attack("t", "D"), Attack("m", "D")], "D", Clock(None))
    least, block = search.least(["t", "m"])
    assert least == 5
    assert search._damage(block) == 5
    assert search.least(["t"]) == (2, {"x": ("t",), "y": ("t",)})


# ---------------------------------------------------------------- explanations


def sentences(step: Step) -> str:
    return "\n".join(f"{one.rule or ''} {one.sentence}" for one in step.walk())


RACE = {"i": thing(A, "2/2", "infect"), "a": thing(A, "5/5"), "x": thing(D, "1/1")}


def test_why_an_attack_wins() -> None:
    """For each way to lose a block that keeps the player from it is shown, and what it leaves to the other."""
    scenario = board(RACE, 5, defender={"poison": 8})
    why = explain_lethal(scenario, lethal(scenario))
    told = sentences(why)
    assert why.sentence == "i and a attack D: D loses the game whatever blocks are declared."
    assert "508.1 the attack is legal: i and a attack D." in told
    assert "Where nothing blocks, 5 is done towards life, and 5 is enough; a block that brings it below that" in told
    assert "704.5c D loses the game" in told
    assert "704.5a D loses the game" in told
    assert "No legal block brings all of these below what is enough." in told


def test_why_no_block_is_enough_against_one_way_to_lose() -> None:
    scenario = board({"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "1/1")}, 2)
    told = sentences(explain_lethal(scenario, lethal(scenario)))
    assert "Where nothing blocks, 7 is done towards life, and 2 is enough: no legal block brings it below that." in told
    assert "No legal block leaves less than 2 damage to D; this one leaves that: x blocks a." in told


def test_why_a_block_survives() -> None:
    scenario = board(RACE, 6, defender={"poison": 8})
    told = sentences(explain_lethal(scenario, lethal(scenario)))
    assert "No attack wins: D has a block that survives each." in told
    assert "Against i and a attack D, answering every attack: x blocks i." in told
    assert "509.1 the block is legal: x blocks i." in told
    assert "loses the game" not in told


def test_why_restricted_attacks_are_survived() -> None:
    things = {f"a{n}": thing(A, f"{n}/{n}") for n in range(1, 5)} | {"x": thing(D, "1/1")}
    scenario = board(things, 4, effects=[TWO])
    told = sentences(explain_lethal(scenario, lethal(scenario)))
    assert "Against a3 and a4 attack D, answering attacks that it holds: x blocks a4." in told
    assert "An attack with a1 and without a2 is no better than one with a2 in the place of a1." in told


def test_why_it_is_undecided() -> None:
    scenario = board({"a": thing(A, "2/2", text="Creatures block strangely this turn.")}, 2)
    assert "was not decided: not understood" in sentences(explain_lethal(scenario, lethal(scenario)))
    assert "The greatest damage was not found (not understood" in sentences(explain_damage(scenario, max_damage(scenario)))


def test_why_damage_is_certain() -> None:
    """The player would be dead after the first step; damage is counted as though nobody lost."""
    scenario = board({"d": thing(A, "3/3", "double strike", "trample"), "x": thing(D, "0/1")}, 2)
    told = sentences(explain_damage(scenario, max_damage(scenario)))
    assert "5 damage to D is certain with the attack d attacks D." in told
    assert "In the first combat damage step d deals 1 to x, d deals 2 to D." in told
    assert "In the combat damage step d deals 3 to D." in told
    assert "No other legal attack does more than 5 for certain." in told
    assert "loses the game" not in told


def test_nothing_is_told_twice() -> None:
    """A rule that stands alone is not repeated for each block."""
    scenario = board(RACE, 5, defender={"poison": 8})
    steps = [one for one in explain_lethal(scenario, lethal(scenario)).walk() if one.rule and not one.children]
    assert len({(one.rule, one.sentence) for one in steps}) == len(steps)


def test_why_a_block_is_best() -> None:
    from lawmage.play.best_block import best_block

    scenario = board({"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "2/2")}, 6, attack={"a": "D", "b": "D"})
    told = sentences(explain_best_block(scenario, best_block(scenario)))
    assert told.startswith(" x blocks a: 4 life is left, and the value kept is")
    assert "In the combat damage step a deals 5 to x, b deals 2 to D, x deals 2 to a." in told


# ---------------------------------------------------------------- commands


def written(folder: Path, scenario: dict[str, Any]) -> Path:
    file = folder / "board.json"
    file.write_text(json.dumps(scenario), encoding="utf-8")
    return file


BOARD = {
    "title": "Two attackers",
    "players": {"A": {}, "D": {"life": 2}},
    "battlefield": {"a": thing(A, "5/5"), "b": thing(A, "2/2"), "x": thing(D, "1/1")},
}


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["lawmage", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = str(written(tmp_path, BOARD))
    assert run(monkeypatch, "lethal", file, "--max-damage") == 0
    out = capsys.readouterr().out
    assert "2 damage to D is certain" in out
    assert "attack: a and b attack D" in out
    assert "block that leaves the least: x blocks a" in out
    assert run(monkeypatch, "lethal", file, "--max-damage", "--json", "--explain") == 0
    (answer,) = json.loads(capsys.readouterr().out)["files"]
    assert [answer[key] for key in ("verdict", "max_damage", "at_least", "at_most")] == ["found", 2, 2, 2]
    assert (answer["attack"], answer["block"]) == ({"a": "D", "b": "D"}, {"x": ["a"]})
    assert answer["explanation"]["sentence"].startswith("2 damage to D is certain")


def test_an_undecided_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unread = {**BOARD, "battlefield": {"a": thing(A, "2/2", text="Creatures block strangely this turn.")}}
    file = str(written(tmp_path, unread))
    assert run(monkeypatch, "lethal", file, "--max-damage") == 3
    out = capsys.readouterr().out
    assert "0 damage to D is certain, or more" in out
    assert "not understood" in out


@pytest.mark.parametrize("ending", ["md", "html"])
def test_explanations_of_lethal_are_written(ending: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = tmp_path / f"why.{ending}"
    assert run(monkeypatch, "lethal", str(written(tmp_path, BOARD)), "--explain-to", str(target)) == 0
    assert "D loses the game whatever blocks are declared." in target.read_text(encoding="utf-8")


def test_a_best_block_is_explained(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = str(written(tmp_path, {**BOARD, "attack": {"a": "D"}}))
    assert run(monkeypatch, "enumerate", file, "--best", "--explain") == 0
    assert "x blocks a: 2 life is left" in " ".join(capsys.readouterr().out.split())
    assert run(monkeypatch, "enumerate", file, "--best", "--explain-to", str(tmp_path / "why.md")) == 0
    assert "x blocks a" in (tmp_path / "why.md").read_text(encoding="utf-8")
    assert run(monkeypatch, "enumerate", file, "--explain") == 2
    assert "say --best too" in capsys.readouterr().err


def test_answers_with_explanations() -> None:
    source = Source("board", json.dumps(BOARD))
    (lethal_answer,) = answer_lethal(source, explain=True).document["files"]
    assert lethal_answer["explanation"]["sentence"] == "a and b attack D: D loses the game whatever blocks are declared."
    attacked = Source("board", json.dumps({**BOARD, "attack": {"a": "D"}}))
    (best_answer,) = enumerate_(attacked, best=True, explain=True).document["files"]
    assert best_answer["best"]["explanation"]["sentence"].startswith("x blocks a: 2 life is left")


def test_check_says_whether_it_is_lethal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = str(written(tmp_path, {**BOARD, "judge": "lethal"}))
    assert run(monkeypatch, "check", file, "--explain") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "an attack that wins against D: yes" in out
    assert "D loses the game whatever blocks are declared." in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("check", "--compare", "2020-11-20", "2026-08-07"), "only verdicts on what is proposed are compared"),
        (("check", "--format", "turtle"), "only verdicts on what is proposed are written as RDF"),
        (("check", "--release", "1999-01-01"), "there is no release 1999-01-01"),
        (("lethal", "--release", "1999-01-01"), "there is no release 1999-01-01"),
        (("lethal", "--max-damage", "--release", "2020-11-21"), "there is no release 2020-11-21"),
    ],
)
def test_what_is_refused(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert run(monkeypatch, *words, str(written(tmp_path, {**BOARD, "judge": "lethal"}))) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("release", ["2020-11-20", "2015-01-23"])
def test_an_earlier_release(release: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every block is followed through combat, with orders of damage assignment where the release has them."""
    file = str(written(tmp_path, BOARD))
    assert run(monkeypatch, "lethal", file, "--release", release) == 0
    assert run(monkeypatch, "lethal", file, "--max-damage", "--release", release) == 0
    assert "2 damage to D is certain" in capsys.readouterr().out


def test_a_lethal_file_has_nothing_to_list() -> None:
    from lawmage.play import count_declarations

    with pytest.raises(InputError, match="nothing can be listed or counted"):
        count_declarations(scenario_from({**BOARD, "judge": "lethal"}))
