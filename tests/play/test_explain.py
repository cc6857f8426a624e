"""Explanations: what they name and quote, what they say, and the forms that they are written in."""

from __future__ import annotations

import json
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lawmage.decks.cases import is_deck_case, load_deck_case
from lawmage.decks.explain import explain_deck
from lawmage.play import judge_and_explain
from lawmage.play.explain import Step, quoted_from
from lawmage.play.explanation_files import to_html, to_markdown
from lawmage.play.knowledge import knowledge, loaded, rows_of
from lawmage.play.paraphrases import paraphrases
from lawmage.play.proposal_words import proposal_in_words
from lawmage.resources import data_folder
from lawmage.rulebook.store import load_graph
from lawmage.scenario import load_scenario, scenario_from

CASES = Path(__file__).resolve().parents[1] / "cases"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LISTED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "shared_cases.toml").read_text(encoding="utf-8"))
MUST = "This creature must be blocked if able."
MENACE: dict[str, Any] = {
    "battlefield": {
        "m": {"controller": "A", "pt": "9/9", "keywords": ["menace"], "text": MUST},
        "b": {"controller": "D", "pt": "2/2"},
        "c": {"controller": "D", "pt": "2/2"},
    },
    "attack": {"m": "D"},
    "propose": {"none": {}, "one": {"b": "m"}, "two": {"b": "m", "c": "m"}},
}


#: What a board does not tell that says nothing of it.
DRAWN = "you've drawn two or more cards this turn (`drawn_this_turn` under `history` would tell)"


@pytest.fixture(autouse=True)
def shipped_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no test depend on what is installed."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))


def explained(board: dict[str, Any]) -> dict[str, Step]:
    return judge_and_explain(scenario_from(board))[1]


def said(step: Step) -> list[tuple[str | None, str]]:
    return [(one.rule, one.sentence) for one in step.walk()]


def rules_of_case(name: str) -> set[str]:
    """Return the rules that the explanations of all proposals, or decks, of a file under tests/cases/ name."""
    file = CASES / f"{name}.yaml"
    if not is_deck_case(file):
        return {rule for step in judge_and_explain(load_scenario(file))[1].values() for rule in step.rules}
    case = load_deck_case(file)
    verdicts = case.judge.judge(list(case.decks.values()))
    return {rule for verdict in verdicts for rule in explain_deck(verdict.as_json(), case.judge.format).rules}


# ---------------------------------------------------------------- what they name


@pytest.mark.parametrize("name", LISTED["situations"])
def test_explanations_name_the_rules_that_are_listed_with_a_situation(name: str) -> None:
    situation = LISTED["situations"][name]
    named = set[str]().union(*map(rules_of_case, situation["cases"]))
    assert {*situation["rules"]} - named == {*LISTED["exceptions"].get(name, {"rules": []})["rules"]}


def test_nearly_all_rules_listed_with_situations_are_named() -> None:
    listed = sum(len(situation["rules"]) for situation in LISTED["situations"].values())
    excepted = sum(len(one["rules"]) for name, one in LISTED["exceptions"].items() if name in LISTED["situations"])
    assert len(LISTED["situations"]) == 89
    assert excepted / listed < 0.01


def test_every_shared_situation_is_listed_with_its_rules(shared: Path) -> None:
    lines = (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    situations = {case["id"]: case["rules"] for case in map(json.loads, lines)}
    unjudged = {name: one["rules"] for name, one in LISTED["exceptions"].items() if name not in LISTED["situations"]}
    assert situations == {name: one["rules"] for name, one in LISTED["situations"].items()} | unjudged
    assert all(one["reason"] for one in LISTED["exceptions"].values())


def test_what_explanations_say_of_rules_is_about_rules_that_exist() -> None:
    numbers = set(load_graph(knowledge().release).by_number)
    said_of = {
        row["rule"]: row["wherever"]
        for row in rows_of(loaded(data_folder("kb") / "explanations.ttl"), data_folder("queries") / "compile" / "explanations.rq")
    }
    assert len(said_of) > 100
    assert said_of.keys() - numbers == set()
    occasions = {occasion for occasion in paraphrases().occasions if re.match(r"\d{3}\.", occasion)}
    assert occasions - numbers == set()


def test_every_rule_that_a_verdict_cites_is_named() -> None:
    answer, steps = judge_and_explain(load_scenario(EXAMPLES / "menace.yaml"))
    assert all({*verdict.cites} <= {*steps[name].rules} for name, verdict in answer.proposals.items())


# ---------------------------------------------------------------- what they say


def test_an_illegal_block_names_the_keyword_and_what_gives_it_force() -> None:
    one = explained(MENACE)["one"]
    assert one.sentence == "one is illegal: b blocks m."
    assert one.rule == "509.1"
    violation = one.children[0]
    assert (violation.rule, violation.sentence) == ("702.111b", "m can't be blocked by fewer than 2 creatures (m has menace).")
    assert [child.rule for child in violation.children] == ["509.1b"]


def test_a_legal_block_tells_what_is_kept_and_why_not_more_can_be_obeyed() -> None:
    sentences = dict.fromkeys(sentence for _, sentence in said(explained(MENACE)["two"]))
    assert "m has menace: blocked by two or more creatures or by none. This is kept: b and c block m." in sentences
    assert any("It obeys 1 of the requirements, and no declaration that keeps all restrictions obeys more." in one for one in sentences)


def test_too_few_requirements_are_told_first_with_the_better_block() -> None:
    none = explained(MENACE)["none"]
    assert none.children[0].rule == "509.1c"
    assert none.children[0].sentence.endswith("It obeys 0 of 1 requirements that can be obeyed together; better: b and c block m.")
    assert f'm says "{MUST[:-1]}"' in none.children[0].children[0].sentence


def test_a_clash_is_told_with_the_rule_that_settles_it() -> None:
    board = {**MENACE, "battlefield": {name: MENACE["battlefield"][name] for name in "mb"}, "propose": {"none": {}}}
    clash = next(step for step in explained(board)["none"].walk() if step.rule == "101.2")
    assert [(part.rule, part.sentence) for part in clash.children] == [("702.111b", "m has menace."), ("509.1c", f'm says "{MUST[:-1]}".')]


def test_effects_are_told_with_the_names_of_what_they_name() -> None:
    board = {**MENACE, "effects": [{"controller": "A", "text": "Target creature can't block this turn.", "affects": ["b"]}]}
    told = [sentence for _, sentence in said(explained(board)["none"])]
    assert any("effect 1 says \"Target creature can't block this turn\", which is read as: b: can't block" in sentence for sentence in told)


def test_creatures_that_are_alike_are_all_named() -> None:
    creatures = {f"m{index}": {"controller": "A", "pt": "2/2", "keywords": ["menace"]} for index in range(5)}
    board = {
        "battlefield": {**creatures, "b": {"controller": "D", "pt": "2/2"}},
        "attack": dict.fromkeys(creatures, "D"),
        "propose": {"none": {}},
    }
    assert any(sentence.startswith("m0 to m4 have menace") for _, sentence in said(explained(board)["none"]))


def test_numbers_are_those_of_the_release() -> None:
    battlefield = {"c": {"controller": "A", "pt": "3/3", "goaded_by": ["D"]}}
    now = explained({"battlefield": battlefield, "propose": {"none": {}}})["none"]
    then = explained({"release": "2019-01-25", "battlefield": battlefield, "propose": {"none": {}}})["none"]
    assert "701.15b" in now.rules
    assert not any(rule.startswith("701.15") for rule in then.rules)
    assert "701.37a" in then.rules


def test_what_is_not_understood_is_said() -> None:
    board = {
        **MENACE,
        "battlefield": {**MENACE["battlefield"], "c": {"controller": "D", "pt": "2/2", "text": "Creatures can't block sideways."}},
    }
    one = explained(board)["two"]
    assert one.sentence.startswith("two is undecided")
    assert one.children[0] == Step(None, "Not understood, and it could matter: c: Creatures can't block sideways.")


# ---------------------------------------------------------------- quotes, Markdown, HTML

TREE = Step("509.1", "p is legal: <b> blocks *m*.", None, (Step("702.111b", "m has menace."), Step("702.111b", "again."), Step(None, "x.")))


def test_each_rule_is_quoted_once() -> None:
    quoted = quoted_from(TREE, {"702.111b": "Two or more."}.get, set())  # type: ignore[arg-type]
    assert [one.quote for one in quoted.walk()] == [None, "Two or more.", None, None]


class _Page(HTMLParser):
    """What an HTML page is made of; raises for tags that are not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name in ("src", "href", "onclick") for name, _ in attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_stands_alone_and_keeps_words_as_they_are() -> None:
    page = _Page()
    page.feed(to_html("Why", "2026-08-07", [("A <script>", [quoted_from(TREE, lambda rule: f"{rule} & more")])]))
    assert page.open == []
    assert not page.tags & {"script", "link", "img", "b2"}
    assert "<b> blocks *m*." in page.text
    assert "702.111b & more" in page.text
    assert "prefers-color-scheme: dark" in page.text


def test_markdown_keeps_words_as_they_are() -> None:
    text = to_markdown("Why", "2026-08-07", [("A *title*", [quoted_from(TREE, lambda _: "1\n2")])])
    assert "- **509.1** p is legal: \\<b\\> blocks \\*m\\*." in text
    assert "  > 1\n  > 2" in text
    assert "  - **702.111b** m has menace." in text


# ---------------------------------------------------------------- commands


def test_check_explains(run: Any) -> None:
    status, output, errors = run("check", "--explain", EXAMPLES / "menace.yaml")
    assert (status, errors) == (1, "")
    assert all(len(line.rstrip()) <= 80 for line in output.splitlines())
    assert "└── 509.1a Each blocker is untapped" in output


@pytest.mark.parametrize(("command", "example"), [("check", "menace.yaml"), ("outcome", "outcome.yaml")])
def test_json_has_the_explanation(run: Any, command: str, example: str) -> None:
    _, plain, _ = run(command, "--json", EXAMPLES / example)
    _, output, _ = run(command, "--json", "--explain", EXAMPLES / example)
    for name, proposal in json.loads(output)["files"][0]["proposals"].items():
        assert {"rule", "sentence", "quote", "children"} == proposal["explanation"].keys()
        assert name in proposal["explanation"]["sentence"]
    assert "explanation" not in plain


def test_a_deck_is_explained(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("Commander\n1 Isamaru, Hound of Konda\nDeck\n2 Sol Ring\n97 Plains\n", encoding="utf-8")
    page = tmp_path / "why.html"
    status, output, errors = run("deck", "--json", "--explain-to", page, file)
    assert (status, errors) == (1, "")
    tree = json.loads(output)["decks"][0]["explanation"]
    assert tree["children"][0]["rule"] == "903.5b"
    assert "903.5c" in {child["rule"] for child in tree["children"]}
    assert "Sol Ring" in page.read_text(encoding="utf-8")


def test_explanations_are_written_to_files(run: Any, tmp_path: Path) -> None:
    for name, start in (("why.md", "# Why"), ("why.html", "<!doctype html>")):
        assert run("check", "--explain-to", tmp_path / name, EXAMPLES / "menace.yaml")[0] == 1
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


@pytest.mark.parametrize("name", ["why.pdf", "missing/why.md"])
def test_a_file_that_cannot_be_written_is_a_sentence(run: Any, tmp_path: Path, name: str) -> None:
    status, _, errors = run("check", "--explain-to", tmp_path / name, EXAMPLES / "menace.yaml")
    assert status == 2
    assert len(errors.splitlines()) == 1
    assert name.rpartition("/")[2] in errors


def test_the_nearest_legal_declaration_comes_last() -> None:
    assert explained(MENACE)["one"].children[-1].sentence == "The nearest that is legal: b and c block m."


def test_comparisons_explain_nothing_else(run: Any) -> None:
    status, _, errors = run("check", "--compare", "2024-09-20", "2026-08-07", "--explain", EXAMPLES / "menace.yaml")
    assert status == 2
    assert "leave out --explain" in errors


def test_what_many_ask_is_told_once_and_the_better_block_is_not_repeated() -> None:
    creatures = {f"a{index}": {"controller": "A", "pt": "2/2", "text": MUST} for index in range(6)}
    creatures |= {f"b{index}": {"controller": "D", "pt": "2/2"} for index in range(5)}
    board = {"battlefield": creatures, "attack": {f"a{index}": "D" for index in range(6)}, "propose": {"none": {}}}
    told = [sentence for _, sentence in said(explained(board)["none"])]
    assert f'each of a0 to a5 says "{MUST[:-1]}".' in told
    assert any(sentence.endswith("better: b0 to b4 block a0 to a4 (one on each, in this order).") for sentence in told)
    assert told[-1] == "The better declaration is also the nearest that is legal."


def test_two_requirements_of_the_same_words_are_counted() -> None:
    creature = {"c": {"controller": "C", "pt": "3/3", "goaded_by": ["A"]}}
    board = {
        "judge": "attack",
        "players": {"C": {}, "A": {}, "B": {}},
        "active": "C",
        "battlefield": creature,
        "propose": {"p": {"c": "B"}},
    }
    assert any(sentence.endswith("It obeys: A has goaded c (2 requirements).") for _, sentence in said(explained(board)["p"]))


def test_what_is_only_perhaps_wrong_is_told_so() -> None:
    text = "This creature can't be blocked as long as you've drawn two or more cards this turn."
    creatures = {"a": {"controller": "A", "pt": "3/3", "text": text}, "b": {"controller": "D", "pt": "2/2"}}
    found = explained({"battlefield": creatures, "attack": {"a": "D"}, "propose": {"p": {"b": ["a"]}}})["p"]
    assert [step.sentence for step in found.children[:2]] == [
        f"The board does not say whether {DRAWN}, and that can decide.",
        "If what is open goes against it, this is wrong:",
    ]
    assert [step.rule for step in found.children[1].children] == ["509.1b"]


def test_what_is_only_perhaps_wrong_is_marked_in_words(run: Any) -> None:
    status, output, _ = run("check", CASES / "509" / "509.1b-a-condition-that-nobody-knows.yaml")
    assert status == 3
    assert output.count("perhaps 509.1b") == 1
    assert "perhaps 702.9b" not in output


def test_outcomes_tell_what_has_become_of_players_and_permanents() -> None:
    creatures = {"m": {"controller": "A", "pt": "3/3", "keywords": ["wither"]}, "n": {"controller": "A", "pt": "2/2"}}
    creatures["x"] = {"controller": "D", "pt": "1/9"}
    board = {"judge": "outcome", "battlefield": creatures, "attack": {"m": "D", "n": "D"}, "block": {"x": "m"}}
    told = [sentence for _, sentence in said(explained(board)["outcome"])]
    assert "D has 18 life, from 20." in told
    assert "x has 3 -1/-1 counters." in told


def test_a_tax_for_which_nothing_is_due_is_told_so() -> None:
    text = "Creatures can't attack you unless their controller pays {2} for each creature they control that's attacking you."
    field = {"c": {"controller": "A", "pt": "3/3"}, "e": {"controller": "B", "types": ["enchantment"], "text": text}}
    board = {"judge": "attack", "players": {"A": {}, "B": {}, "C": {}}, "active": "A", "battlefield": field}
    found = explained({**board, "propose": {"free": {"c": "C"}, "paid": {"c": {"target": "B", "pay": "{2}"}}}})
    assert any(sentence.endswith("This is kept: nothing has to be paid for that.") for _, sentence in said(found["free"]))
    assert any(sentence.endswith("This is kept: what it asks for is paid.") for _, sentence in said(found["paid"]))


def test_an_outcome_leaves_out_keywords_that_only_declarations_are_about() -> None:
    creatures = {"f": {"controller": "A", "pt": "3/3", "keywords": ["flying", "lifelink"]}, "w": {"controller": "D", "pt": "0/4"}}
    board = {"judge": "outcome", "battlefield": creatures, "attack": {"f": "D"}, "block": {}}
    rules = explained(board)["outcome"].rules
    assert "702.15b" in rules
    assert not [rule for rule in rules if rule.startswith("702.9")]


def test_those_that_nothing_blocks_are_named_together() -> None:
    creatures = {name: {"controller": "A", "pt": "2/2", "keywords": ["flying"]} for name in "xyz"}
    board = {"battlefield": {**creatures, "b": {"controller": "D", "pt": "2/2"}}, "attack": dict.fromkeys("xyz", "D"), "propose": {"p": {}}}
    assert any(sentence.endswith("This is kept: nothing blocks x, y and z.") for _, sentence in said(explained(board)["p"]))


def test_a_plane_is_no_commander() -> None:
    steps = judge_and_explain(load_scenario(CASES / "113" / "113.6p-a-plane-in-combat.yaml"))[1]
    assert not [rule for step in steps.values() for rule in step.rules if rule.startswith("903.")]


def test_whom_players_have_goaded_is_named_and_what_nobody_in_particular_is_attacked_is_not() -> None:
    answer, _ = judge_and_explain(load_scenario(CASES / "701" / "701.15b-two-goaded-one-attacker.yaml"))
    told = {name: " ".join(violation.message for violation in verdict.violations) for name, verdict in answer.proposals.items()}
    assert re.search(r"; disobeyed: A has goaded ([xy]); better: \1 attacks B$", told["none"])
    assert told["both"] == 'no more than 1 creature can attack (e says "No more than one creature can attack each combat")'


def test_what_pays_is_told_with_for_whom() -> None:
    scenario = load_scenario(CASES / "118" / "118.3-what-cannot-be-sacrificed.yaml")
    assert proposal_in_words(scenario, "y") == "x attacks D; to pay for x: sacrifice y"


def test_decks_are_explained_without_words_of_the_vocabulary_and_pairs_only_where_there_are_two_commanders() -> None:
    told: dict[int, set[bool]] = {1: set(), 2: set()}
    for file in sorted((CASES / "702").glob("702.124*.yaml")):
        case = load_deck_case(file)
        for verdict in case.judge.judge(list(case.decks.values())):
            answer = verdict.as_json()
            step = explain_deck(answer, case.judge.format)
            assert "lm:" not in " ".join(sentence for _, sentence in said(step))
            pairs = any("can be the commanders where one has" in one.sentence for one in step.walk())
            told.setdefault(len(answer["commanders"]), set()).add(pairs)
    assert told == {1: {False}, 2: {True}, 3: {True}}


def test_damage_to_many_is_told_of_each() -> None:
    field: dict[str, dict[str, Any]] = {"m": {"controller": "A", "pt": "5/9"}}
    field |= {f"b{index}": {"controller": "D", "pt": "0/3"} for index in range(5)}
    division = {"m": dict.fromkeys((f"b{index}" for index in range(5)), 1)}
    board = {"judge": "outcome", "battlefield": field, "attack": {"m": "D"}, "block": dict.fromkeys(list(field)[1:], "m")}
    told = [sentence for _, sentence in said(explained({**board, "propose": {"o": division}})["o"])]
    assert "In the combat damage step " + ", ".join(f"m deals 1 to b{index}" for index in range(5)) + "." in told
