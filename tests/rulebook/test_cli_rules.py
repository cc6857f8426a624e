"""The commands rule, deps, path and data as a user meets them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.shown_numbers import ungrouped

from lawmage.cli import main


class Answer(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Answer]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line on a machine where nothing is installed yet."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str | Path) -> Answer:
        monkeypatch.setattr(sys, "argv", ["lawmage", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = int(stop.code or 0)
        return Answer(status, *capsys.readouterr())

    return run


@pytest.fixture
def sample_file(tmp_path: Path, sample_text: str) -> Path:
    path = tmp_path / "sample.txt"
    path.write_text(sample_text, encoding="utf-16")
    return path


# --- on a fresh machine


def test_rule_answers_without_any_text(run: Run) -> None:
    answer = run("rule", "702.2")
    assert answer.status == 0
    assert answer.out.splitlines()[:4] == [
        "7 Additional Rules",
        "  702 Keyword Abilities",
        "    702.2 Deathtouch",
        "      702.2a, 702.2b, 702.2c, 702.2d, 702.2e, 702.2f",
    ]
    assert "Refers to: 704 State-Based Actions" in answer.out
    assert "Deathtouch (glossary)" in answer.out
    assert "lawmage data import FILE" in answer.err


def test_rule_as_json(run: Run) -> None:
    answer = run("rule", "702.2", "--json")
    assert (answer.status, answer.err) == (0, "")
    document = answer.json
    assert (document["number"], document["heading"], document["kind"], document["parent"]) == ("702.2", "Deathtouch", "rule", "702")
    assert (document["text"], document["examples"], document["release"]) == (None, None, "2026-08-07")
    assert [child["number"] for child in document["children"]] == [f"702.2{letter}" for letter in "abcdef"]
    assert {"source": "702.2b", "part": "text", "target": "704", "kind": "cites"} in document["cites"]
    assert {"source": "glossary:Deathtouch", "part": "text", "target": "702.2", "kind": "defined by"} in document["cited_by"]


@pytest.mark.parametrize("number", ["7", "702", "702.2c", "glossary:Deathtouch"])
def test_every_kind_of_part_can_be_shown(run: Run, number: str) -> None:
    assert run("rule", number).status == 0
    assert run("deps", number).status == 0
    assert run("rule", number, "--json").json["number"] == number


def test_rules_name_the_files_that_carry_them_out(run: Run) -> None:
    assert "asp/509-declare-blockers.lp" in run("rule", "509.1b", "--json").json["encoded_by"]
    assert run("rule", "509.1b", "--json", "--release", "2024-09-20").json["encoded_by"] == []  # numbers of another release


def test_a_number_used_twice_is_pointed_out(run: Run) -> None:
    assert "702.175~2 Impending" in run("rule", "702.175", "--release", "2024-09-20").out
    assert "702.175~2 Impending" in run("rule", "702.175~2", "--release", "2024-09-20").out


@pytest.mark.parametrize(
    ("release", "number", "heading"),
    [
        ("2026-08-07", "702.22", "Banding"),
        ("2026-08-07", "702.46", "Soulshift"),
        ("2020-11-20", "702.21", "Banding"),
        ("2021-06-18", "702.21", "Ward"),
        ("2026-08-07", "717", "Attraction Cards"),
        ("2026-08-07", "701.14", "Fight"),
        ("2020-04-17", "701.12", "Fight"),
        ("2017-06-05", "701.11", "Fight"),
        ("2026-08-07", "701.15", "Goad"),
        ("2025-02-07", "701.15", "Regenerate"),
        ("2026-08-07", "701.19", "Regenerate"),
    ],
)
def test_questions_that_people_have_asked_about_numbers(run: Run, release: str, number: str, heading: str) -> None:
    assert run("rule", number, "--json", "--release", release).json["heading"] == heading


def test_deps_as_a_tree(run: Run) -> None:
    answer = run("deps", "702.2", "--depth", "2")
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert lines[0] == "702.2 Deathtouch"
    assert lines[1].startswith("└── 704 State-Based Actions  cites (in 702.2b)")
    assert all(line.startswith(("    ├── ", "    └── ", "    │")) for line in lines[2:])


def test_deps_as_json(run: Run) -> None:
    document = run("deps", "702.2", "--transitive", "--json").json
    entries = {entry["number"]: entry for entry in document["dependencies"]}
    assert document["count"] == len(entries) == len(document["dependencies"])
    assert document["transitive"] is True
    assert "702.2" not in entries
    assert entries["704"]["depth"] == 1
    assert entries["510.1"]["depth"] == 4
    assert document == run("deps", "702.2", "--transitive", "--format", "json").json


def test_deps_in_reverse(run: Run) -> None:
    entries = {entry["number"] for entry in run("deps", "702.2", "--reverse", "--json").json["dependencies"]}
    assert entries == {"120.4a", "glossary:Deathtouch"}


@pytest.mark.parametrize(("form", "start"), [("dot", "digraph rules {"), ("mermaid", "flowchart LR"), ("graphml", "<graphml ")])
def test_deps_as_drawings(run: Run, form: str, start: str) -> None:
    answer = run("deps", "702.2", "--format", form)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(start)
    assert "704 State-Based Actions" in answer.out


def test_nothing_is_an_answer_about_dependencies(run: Run) -> None:
    assert run("deps", "702.2a") == (0, "702.2a\nIt refers to nothing.\n", "")
    assert run("deps", "702.2a", "--reverse").out == "702.2a\nNothing refers to it.\n"
    assert run("deps", "702.2a", "--json").json["dependencies"] == []


def test_path(run: Run) -> None:
    answer = run("path", "702.2", "510.1")
    assert answer.status == 0
    assert answer.out.splitlines()[0] == "702.2 Deathtouch"
    assert answer.out.splitlines()[1] == "  cites (in 702.2b) 704 State-Based Actions"
    document = run("path", "702.2", "510.1", "--json").json
    assert document["found"] is True
    assert document["path"][0] == "702.2"
    assert document["path"][-1] == "510.1"
    assert [step["to"] for step in document["steps"]] == document["path"][1:]


def test_no_path_is_exit_status_1(run: Run) -> None:
    answer = run("path", "510.1c", "702.2")
    assert (answer.status, answer.out) == (1, "No chain of references leads from 510.1c to 702.2.\n")
    answer = run("path", "510.1c", "702.2", "--json")
    assert (answer.status, answer.json["found"], answer.json["path"]) == (1, False, [])


@pytest.mark.parametrize("command", [["rule"], ["deps"], ["path", "702.2"]])
def test_unknown_numbers_and_releases_are_refused(run: Run, command: list[str]) -> None:
    answer = run(*command, "702.2z")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == 'error: the release 2026-08-07 has no rule "702.2z"; did you mean "702.2f"?\n'
    answer = run(*command, "702.2c", "--release", "2026-08-08")
    assert (answer.status, answer.out) == (2, "")
    assert "no release 2026-08-08; the newest known is 2026-08-07" in answer.err


def test_options_are_checked(run: Run) -> None:
    assert run("deps", "702.2", "--depth", "0").status == 2
    assert run("deps", "702.2", "--format", "pdf").status == 2


def test_status_of_a_fresh_machine(run: Run, tmp_path: Path) -> None:
    document = run("data", "status", "--json").json
    assert document["home"] == str(tmp_path / "home")
    assert document["rules"]["installed"] == []
    assert (len(document["rules"]["shipped"]), document["rules"]["newest"]) == (23, "2026-08-07")
    assert isinstance(document["rules"]["age_days"], int)
    assert "none with text" in run("data", "status").out


# --- with a text


def test_import_then_read(run: Run, sample_file: Path) -> None:
    answer = run("data", "import", sample_file)
    assert answer.status == 0
    assert "2030-03-04: 10 rules, 3 glossary entries, 2 examples" in answer.out
    assert "101.1c (text) refers to 100.9, which doesn't exist" in answer.out
    assert "indented line 1" in answer.out
    answer = run("rule", "100.1")  # the newest known release is now this one
    assert answer.err == ""
    assert "    100.1 A sentence about games. See rule 101, “Turns.”" in answer.out
    assert "    Example: A second example." in answer.out
    assert "      100.1a A subrule." in answer.out
    answer = run("rule", "101.1a")
    assert answer.out.count("It goes on in a second paragraph.") == 1
    assert max(map(len, run("rule", "100").out.splitlines())) <= 80
    assert "What something is called." in run("rule", "glossary:name").out
    document = run("rule", "100.1", "--json").json
    assert document["text"].startswith("A sentence")
    assert len(document["examples"]) == 2
    assert document["children"][0]["text"].startswith("A subrule.")
    assert "101.1a The first part." in run("path", "100.1b", "101.1a").out
    installed = run("data", "status", "--json").json["rules"]["installed"]
    assert [(row["release"], row["file"]) for row in installed] == [("2030-03-04", "sample.txt")]
    assert "2030-03-04 with text, imported" in run("data", "status").out


def test_brackets_in_texts_are_printed_as_they_are(run: Run, sample_file: Path, sample_text: str) -> None:
    sample_file.write_text(sample_text.replace("The second part.", "“[Cost]: [bold]effect[/bold].”"), encoding="utf-8")
    run("data", "import", sample_file)
    assert "101.1b “[Cost]: [bold]effect[/bold].”" in run("rule", "101.1b").out
    assert "101.1b “[Cost]: [bold]effect[/bold].”" in run("path", "100.1b", "101.1b").out


def test_import_of_several_files_as_json(run: Run, sample_file: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    answer = run("data", "import", "--json", tmp_path / "empty.txt", sample_file, tmp_path / "none.txt")
    assert answer.status == 2
    empty, good, none = answer.json["files"]
    assert "is empty" in empty["error"]
    assert "can't be read" in none["error"]
    assert (good["kind"], good["release"], good["rules"]) == ("rules", "2030-03-04", 10)
    assert answer.err.count("error:") == 2
    assert run("rule", "100.2", "--json").json["heading"] == "Turn Order"


def test_import_can_check_shapes(run: Run, sample_file: Path) -> None:
    assert run("data", "import", "--validate", sample_file).status == 0


def test_missing_pyshacl_is_explained(run: Run, sample_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    answer = run("data", "import", "--validate", sample_file)
    assert answer.status == 2
    assert "pip install pyshacl" in answer.err
    assert run("data", "status", "--json").json["rules"]["installed"] == []


def test_a_damaged_installed_file_is_named(run: Run, sample_file: Path, tmp_path: Path) -> None:
    run("data", "import", sample_file)
    (tmp_path / "home" / "rules" / "2030-03-04.json").write_bytes(b"{")
    answer = run("rule", "100.1")
    assert answer.status == 2
    assert "import the release again" in answer.err
    assert "import the release again" in run("data", "status").out


def test_all_official_releases_can_be_imported(run: Run, release_files: list[Path]) -> None:
    answer = run("data", "import", "--json", *release_files)
    assert answer.status == 0
    newest = answer.json["files"][-1]
    assert (newest["release"], newest["rules"], newest["glossary"], newest["examples"]) == ("2026-08-07", 3162, 739, 277)
    assert (newest["references"]["total"], newest["references"]["unresolved"]) == (2201, [])
    text = run("rule", "702.2c", "--json").json["text"]
    assert "lethal damage" in text
    old = run("rule", "702.2", "--release", "2015-01-23")
    assert (old.status, old.err) == (0, "")
    assert max(map(len, old.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("coverage",), "3,"),
        (("diff", "2015-01-23", "2026-08-07"), "1,"),
        (("search", "creature"), "found"),
        (("deps", "702", "--transitive", "--depth", "1"), "702"),
        (("data", "status"), "34,"),
        (("pairings",), ","),
    ],
)
def test_large_numbers_have_separators(run: Run, words: tuple[str, ...], shown: str) -> None:
    answer = run(*words)
    assert shown in answer.out
    assert ungrouped(answer.out) == []
