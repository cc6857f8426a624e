"""`lawmage keyword`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lawmage.cli import app
from lawmage.errors import InputError, UnknownNameError
from lawmage.rulebook.parse import read
from lawmage.rulebook.store import install


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for installed texts."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["keyword", *words], env={"COLUMNS": "80", "NO_COLOR": "1"})


def answer(*words: str) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert isinstance(document, dict)
    return document


def test_a_keyword_for_people() -> None:
    result = run("menace")
    assert result.exit_code == 0
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert lines[0] == "menace  702.111  keyword ability"
    assert "kind       evasion ability (702.111a)" in lines
    assert "imposes    can't be blocked except by 2 or more (702.111b)" in lines
    assert "instances  redundant (702.111c)" in lines
    assert "counter    a keyword counter can give it (122.1b)" in lines
    assert "since      2016-08-26" in lines


@pytest.mark.parametrize("name", ["partner", "suspend", "protection", "gift", "∞", "goad", "search"])
def test_it_fits_80_columns(name: str) -> None:
    lines = run(name).stdout.splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 80


def test_several_abilities_costs_and_variants_are_shown() -> None:
    shown = run("suspend").stdout
    assert "static ability: hand" in shown
    assert shown.count("triggered ability: exile") == 2
    assert "special action cost: {cost} (702.62a)" in shown
    kicker = run("kicker").stdout
    assert "multikicker (702.33c): multikicker {cost}" in kicker
    assert "additional cost, optional, any number of times: {cost} (702.33c)" in kicker
    assert "as totem armor until 2024-09-20" in run("umbra armor").stdout


def test_brackets_are_no_markup() -> None:
    assert "partner with [name]" in run("partner").stdout


def test_a_keyword_for_programs() -> None:
    trample = answer("trample")
    assert trample["keyword"] == "trample"
    assert trample["rule"] == "702.19"
    assert trample["kind"] == ["static"]
    assert trample["zones"] == ["battlefield"]
    assert trample["stacking"] == ["redundant"]
    assert trample["stacking_rules"] == ["702.19g"]
    assert trample["since"] == "2015-01-23"
    assert trample["counter"] is True
    assert trample["written"] == ["trample"]
    assert [variant["name"] for variant in trample["variants"]] == ["trample over planeswalkers"]
    assert [rule["number"] for rule in trample["rules"]] == [f"702.19{letter}" for letter in "abcdefg"]
    assert answer("menace")["imposes"] == [{"kind": "min_blockers", "rule": "702.111b", "reading": "can't be blocked except by 2 or more"}]
    assert answer("cycling")["costs"][0]["kind"] == "activation cost"
    assert answer("storm")["stacking"] == ["each triggers"]


def test_as_written_on_a_card() -> None:
    assert answer("protection", "from", "red")["keyword"] == "protection"
    assert answer("islandwalk")["keyword"] == "landwalk"


def test_all_of_them() -> None:
    result = run()
    assert result.exit_code == 0
    rows = [line.split("  ") for line in result.stdout.splitlines()]
    assert len(rows) == 265
    assert max(map(len, result.stdout.splitlines())) <= 80
    listed = answer()["keywords"]
    assert len(listed) == 265
    assert {"keyword": "flying", "rule": "702.9", "kind": ["evasion"], "since": "2015-01-23"} in listed


def test_as_of_a_release() -> None:
    early = run("menace", "--release", "2015-01-23")
    assert early.exit_code == 1
    assert early.stdout == ""
    assert "its first is that of 2016-08-26" in early.stderr
    assert run("menace", "--release", "2016-08-26").exit_code == 0
    found = json.loads(run("menace", "--release", "2015-01-23", "--json").stdout)
    assert found == {"keyword": "menace", "release": "2015-01-23", "since": "2016-08-26", "found": False}
    # the two first rules are no keywords; the chapters had 31 and 108 rules
    assert len(answer("--release", "2015-01-23")["keywords"]) == 30 + 107 + 1


def test_rules_of_a_release_are_in_its_own_numbering() -> None:
    goad = answer("goad", "--release", "2019-01-25")
    assert goad["rule"] == "701.15"
    assert [rule["number"] for rule in goad["rules"]] == ["701.37a"]
    assert [rule["number"] for rule in answer("umbra armor", "--release", "2019-01-25")["rules"]] == ["702.88a"]
    assert "Its rules in the release of 2019-01-25:" in run("goad", "--release", "2019-01-25").stdout


def test_texts_are_shown_where_they_are_installed(shared: Path) -> None:
    assert {rule["text"] for rule in answer("menace")["rules"]} == {None}
    for date in ("20190125", "20260807"):
        install(read(shared / "data" / "rules" / f"MagicCompRules {date}.txt"), (), (), file="")
    texts = {rule["number"]: rule["text"] for rule in answer("menace")["rules"]}
    assert texts["702.111a"].startswith("Menace is")
    assert texts["702.111a"] in run("menace").stdout
    early = answer("umbra armor", "--release", "2019-01-25")["rules"]
    assert early[0]["text"].startswith("Totem armor")


def test_misspelt() -> None:
    for words in (("flyng",), ("menace", "--release", "tomorrow"), ("menace", "--release", "2019-01-26")):
        assert isinstance(run(*words).exception, InputError if "tomorrow" in words else UnknownNameError)


def test_misspelt_from_outside() -> None:
    done = subprocess.run([sys.executable, "-m", "lawmage", "keyword", "flyng"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == 'error: there is no keyword "flyng"; did you mean "flying"?\n'
