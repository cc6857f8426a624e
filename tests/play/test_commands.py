"""`lawmage check`, `enumerate` and `test` as a person or program sees them: words, JSON, exit statuses."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from lawmage.play import knowledge

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "menace.yaml"
OPEN = """
battlefield:
  v: {controller: A, pt: 2/2, text: "This creature can't be blocked as long as you've drawn two or more cards this turn."}
  b: {controller: D, pt: 1/1}
attack: [v]
propose: {none: {}, one: {b: v}}
"""
UNREAD = """
battlefield:
  v: {controller: A, pt: 2/2, text: "Creatures can't block sideways."}
  b: {controller: D, pt: 1/1}
attack: [v]
propose: {none: {}}
"""


#: What a board does not tell that says nothing of it.
DRAWN = "you've drawn two or more cards this turn (`drawn_this_turn` under `history` would tell)"


def test_check_in_words(run: Any) -> None:
    status, output, errors = run("check", str(EXAMPLE))
    assert (status, errors) == (1, "")
    assert all(len(line.rstrip()) <= 80 for line in output.splitlines())
    text = " ".join(output.split())
    assert "nobody illegal no creature blocks 509.1c requirements obeyed: 0 of the 1 that can be obeyed together" in text
    assert 'ogre says "This creature must be blocked if able"; better: elf and guard block ogre' in text
    assert "702.111b ogre can't be blocked by fewer than 2 creatures (ogre has menace)" in text
    assert "both legal elf and guard block ogre obeys 1 requirement" in text


def test_check_as_json(run: Any) -> None:
    status, output, _ = run("check", "--json", str(EXAMPLE))
    answer = json.loads(output)["files"][0]
    assert (status, answer["judge"], answer["count"], answer["release"]) == (1, "block", 1, knowledge.knowledge().release)
    assert answer["file"] == str(EXAMPLE)
    assert {name: proposal["verdict"] for name, proposal in answer["proposals"].items()} == {
        "nobody": "illegal",
        "one": "illegal",
        "both": "legal",
    }
    nobody = answer["proposals"]["nobody"]
    assert nobody["requirements"] == {"obeyed": 0, "maximum": 1, "better": {"elf": ["ogre"], "guard": ["ogre"]}, "clash": [], "met": []}
    assert [(violation["rule"], violation["objects"]) for violation in nobody["violations"]] == [("509.1c", ["ogre"])]
    assert answer["proposals"]["both"]["requirements"]["met"] == ['ogre says "This creature must be blocked if able"']
    assert nobody["cites"] == ["509.1b", "509.1c", "702.111b"]
    assert 0 < nobody["seconds"] < 60


def test_an_open_condition_is_tried_both_ways(run: Any) -> None:
    status, output, _ = run("check", "--json", OPEN)
    proposals = json.loads(output)["files"][0]["proposals"]
    assert status == 3
    assert (proposals["none"]["verdict"], proposals["none"]["not_understood"]) == ("legal", [])
    assert proposals["none"]["assumptions"] == [f"it makes no difference whether {DRAWN}"]
    assert (proposals["one"]["verdict"], proposals["one"]["assumptions"]) == ("undecided", [])
    assert proposals["one"]["not_understood"] == [
        "the board does not say whether you've drawn two or more cards this turn (`drawn_this_turn` under `history` would tell)"
    ]


def test_what_is_not_understood_is_named(run: Any) -> None:
    status, output, _ = run("check", UNREAD)
    assert status == 3
    assert "not understood v: Creatures can't block sideways." in " ".join(output.split())
    status, output, errors = run("enumerate", UNREAD)
    assert (status, output) == (3, "")
    assert "undecided, not understood: v: Creatures can't block sideways." in " ".join(errors.split())


@pytest.mark.parametrize(
    ("files", "status"),
    [
        (["legal"], 0),
        (["legal", "illegal"], 1),
        (["illegal", "undecided"], 3),
        (["undecided", "illegal", "bad", "legal"], 2),
    ],
)
def test_the_status_of_several_files(run: Any, files: list[str], status: int) -> None:
    plain = "battlefield:\n  v: {controller: A, pt: 2/2}\n  b: {controller: D, pt: 1/1, tapped: true}\nattack: [v]\n"
    texts = {
        "legal": plain + "propose: {p: {}}\n",
        "illegal": plain + "propose: {p: {b: v}}\n",
        "undecided": UNREAD,
        "bad": "battlefield: 3\n",
    }
    found, output, errors = run("check", "--json", *(texts[name] for name in files))
    assert found == status
    assert len(json.loads(output)["files"]) == len(files)
    assert ("error:" in errors) == ("bad" in files)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "battlefield:\n  m: {controller: A, pt: 2/2, keywords: [meance]}\nattack: [m]\n",
            [":2:", '"meance" on m', 'did you mean "menace"'],
        ),
        ("battlefield:\n  m: {controller: A, pt: 2/2, colour: red}\n", [":2:", "colour", "colors"]),
        ("judge: deck\ndecks:\n  x: {fill: Forest}\n", ["has decks and no board", "lawmage test"]),
        ("battlefield:\n  m: {controller: A, pt: 2/2}\nattack: [m]\npropose: {p: {bb: m}}\n", [":4:", "bb"]),
        ("battlefield: [1, 2]\n", [":1:", "map"]),
        ("", ["nothing is written here"]),
        (
            "battlefield:\n  m: {controller: A, pt: 2/2}\n  b: {controller: D, pt: 2/2}\nattack: [m]\n"
            'effects: [{controller: A, text: "Target creature blocks this turn if able."}]\npropose: {p: {}}\n',
            [":5:", "speaks of objects that it does not name", "affects"],
        ),
        ("judge: cast\nhand:\n  m: {owner: A}\npropose: {p: {cast: m}}\nexpect: {count: 1}\n", ["nothing to count or list", "cast"]),
        (
            "release: 2014-01-23\nbattlefield:\n  m: {controller: A, pt: 2/2}\nattack: [m]\n",
            ["2014-01-23", "the oldest known is 2015-01-23"],
        ),
    ],
)
def test_bad_input_is_one_sentence(run: Any, text: str, words: list[str]) -> None:
    status, output, errors = run("check", text)
    assert (status, output) == (2, "")
    assert errors.count("error:") == 1
    assert [word for word in words if word not in " ".join(errors.split())] == []


def test_a_missing_file(run: Any) -> None:
    status, _, errors = run("check", "no-such-file.yaml")
    assert status == 2
    assert "no-such-file.yaml: cannot read this file" in errors


def test_enumerate(run: Any) -> None:
    status, output, _ = run("enumerate", str(EXAMPLE))
    assert (status, output) == (0, "elf and guard block ogre\n1 legal declaration\n")
    status, output, _ = run("enumerate", "--count", str(EXAMPLE))
    assert (status, output) == (0, "1 legal declaration\n")
    status, output, _ = run("enumerate", "--json", str(EXAMPLE))
    answer = json.loads(output)["files"][0]
    assert (answer["count"], answer["declarations"]) == (1, [{"elf": ["ogre"], "guard": ["ogre"]}])


def test_enumerate_a_few(run: Any) -> None:
    free = "battlefield:\n" + "".join(f"  a{i}: {{controller: A, pt: 1/1}}\n  b{i}: {{controller: D, pt: 1/1}}\n" for i in range(4))
    free += "attack: [a0, a1, a2, a3]\n"
    status, output, _ = run("enumerate", "--json", "--limit", "3", free)
    declarations = json.loads(output)["files"][0]["declarations"]
    assert (status, len(declarations)) == (0, 3)
    assert len({json.dumps(declaration, sort_keys=True) for declaration in declarations}) == 3
    assert json.loads(run("enumerate", "--count", "--json", free)[1])["files"][0]["count"] == 5**4


def test_counting_stops_at_the_time_limit(run: Any) -> None:
    board = "battlefield:\n" + "".join(f"  b{i}: {{controller: D, pt: 1/1}}\n" for i in range(12))
    numbers = list(itertools.combinations_with_replacement(("two", "three", "four", "five"), 2))
    for i, (least, most) in enumerate(numbers):
        text = f"This creature can't be blocked except by {least} or more creatures. It can't be blocked by more than {most} creatures."
        board += f'  a{i}: {{controller: A, pt: 1/1, text: "{text}"}}\n'
    board += f"attack: [{', '.join(f'a{i}' for i in range(len(numbers)))}]\n"
    status, _, errors = run("enumerate", "--count", "--time-limit", "0.2", board)
    assert status == 3
    assert "counting was stopped at the time limit" in " ".join(errors.split())


def test_test(run: Any, tmp_path: Path) -> None:
    status, output, _ = run("test", str(EXAMPLE))
    assert (status, output) == (0, "4 passed, 0 failed\n")
    wrong = EXAMPLE.read_text(encoding="utf-8").replace("nobody: illegal", "nobody: legal")
    status, output, _ = run("test", "--json", wrong)
    report = json.loads(output)
    assert (status, report["passed"], report["failed"]) == (1, 3, 1)
    assert report["files"][0]["expectations"][0] == {"name": "nobody", "expected": "legal", "actual": "illegal", "pass": False}
    status, output, errors = run("test", UNREAD)
    assert (status, output) == (2, "0 passed, 1 failed\n")
    assert "has no `expect`" in " ".join(errors.split())
    status, _, errors = run("test", str(tmp_path / "nowhere"))
    assert status == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    status, _, errors = run("test", str(empty))
    assert status == 2
    assert "there are no scenario files" in " ".join(errors.split())


def test_the_same_open_condition_of_two_objects_may_stand_differently(run: Any) -> None:
    text = OPEN.replace("battlefield:\n", 'battlefield:\n  w: {controller: A, pt: 2/2, text: "This creature must be blocked if able."}\n')
    text = text.replace(
        'text: "This creature must be blocked if able."',
        "text: \"This creature can't be blocked as long as you've drawn two or more cards this turn.\"",
    )
    text = text.replace("attack: [v]", "attack: [v, w]").replace("one: {b: v}", "one: {b: v}, other: {b: w}")
    proposals = json.loads(run("check", "--json", text)[1])["files"][0]["proposals"]
    assert [proposals[name]["verdict"] for name in ("none", "one", "other")] == ["legal", "undecided", "undecided"]
    named = [[end.rpartition(" ")[2] for end in proposals[name]["not_understood"]] for name in ("one", "other")]
    assert named == [["(v)"], ["(w)"]]
