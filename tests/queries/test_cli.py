"""`lawmage query`: names, files, formats, exit statuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawmage.cli import app
from lawmage.errors import InputError, UnknownNameError
from lawmage.queries import stored_queries

RELEASE = ["--release", "2026-08-07"]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["query", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.stdout


def test_all_are_listed() -> None:
    out = run()
    names = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != " "]
    assert {*stored_queries(), "central", "components", "condensation"} == set(names)
    assert all(len(line) <= 80 for line in out.splitlines())
    listed = json.loads(run("--json"))["queries"]
    assert [query["name"] for query in listed] == names
    deps = next(query for query in listed if query["name"] == "deps")
    assert deps["parameters"][0] | {"meaning": ""} == {
        "name": "rule", "kind": "rule", "example": "702.2", "default": None, "required": True, "meaning": ""
    }  # fmt: skip


def test_a_table() -> None:
    lines = run("most-cited", "--param", "n=4", *RELEASE).splitlines()
    assert lines[0].split() == ["number", "sources", "kind", "heading"]
    assert len(lines) == 5
    assert all(len(line) <= 80 for line in lines)


def test_json_and_csv() -> None:
    document = json.loads(run("deps", "-p", "rule=702.15", "--json", *RELEASE))
    assert document["count"] == len(document["rows"]) == 4
    assert document["rows"][-1] == {"number": "702.164", "kind": "Rule", "heading": "Toxic"}
    assert document["release"] == "2026-08-07"
    rows = list(csv.reader(io.StringIO(run("deps", "-p", "rule=702.15", "--csv", *RELEASE))))
    assert rows[0] == document["columns"]
    assert [row[0] for row in rows[1:]] == [row["number"] for row in document["rows"]]


def test_no_rows() -> None:
    assert run("dependents", "-p", "rule=702.111b", *RELEASE, status=1) == "No rows.\n"
    assert run("numbers-twice", *RELEASE) == "No rows.\n"


def test_analyses() -> None:
    assert run("condensation", *RELEASE).splitlines()[0].split() == ["size", "groups"]


def test_show() -> None:
    assert run("deps", "--show") == stored_queries()["deps"].text


def test_the_release_is_chosen() -> None:
    assert "702.175~2" in run("headings", "-p", "above=702", "--csv", "--release", "2024-09-20")


def test_own_files(tmp_path: Path) -> None:
    path = tmp_path / "own.rq"
    path.write_text("PREFIX lm: <urn:lawmage:vocabulary:> SELECT ?n { ?n a lm:Section } ORDER BY ?n", encoding="utf-8")
    assert run(str(path), *RELEASE).split() == ["n", *"123456789"]
    assert json.loads(run(str(path), "--limit", "2", "--json", *RELEASE))["more"]
    path.write_text("ASK { ?s a <urn:nothing> }", encoding="utf-8")
    assert run(str(path), *RELEASE, status=1).split() == ["answer", "false"]
    path.write_text("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", encoding="utf-8")
    run(str(path), "--time-limit", "1", *RELEASE, status=3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dops"], 'there is no query "dops"'),
        (["missing.rq"], "missing.rq: can't be read"),
        (["deps", "-p", "rule"], '--param takes NAME=VALUE, not "rule"'),
        (["deps", "-p", "rule=1", "-p", "rule=2"], "given twice"),
        (["deps", "-p", "rule=702.2", "--release", "2020-01-01"], "no release"),
    ],
)
def test_mistakes(arguments: list[str], sentence: str) -> None:
    with pytest.raises((InputError, UnknownNameError)) as caught:
        run(*arguments)
    assert sentence in str(caught.value)


def test_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "own.rq"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text in UTF-8"):
        run(str(path))
