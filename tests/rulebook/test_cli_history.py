"""`lawmage diff`, `translate`, `locate`, `drift`: what a person sees, what a program reads, exit statuses, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lawmage.cli import app
from lawmage.errors import DataError, InputError, UnknownNameError
from lawmage.rulebook.encoded import encoded_release
from lawmage.rulebook.parse import read
from lawmage.rulebook.store import install

from .made import release

GATES = "Gates open at dawn and are shut again when the bell has rung twice. See rule 100.2."
MOAT = "The moat is filled with dark water in which an old crocodile sleeps."


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for installed texts."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def two() -> None:
    """Two made-up releases after the shipped ones, so that lineage between them is computed."""
    install(release("2030-01-01", {"100.1": GATES, "100.2": MOAT}, {"Bell": "See Gate."}), [], [], file="old.txt")
    newer = {"100.1": "A rule that is new.", "100.2": GATES.replace("twice", "once"), "100.3": MOAT}
    install(release("2031-01-01", newer, {"Bell": "See Gate."}), [], [], file="new.txt")


def run(*words: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=stdin, env={"COLUMNS": "80", "NO_COLOR": "1"})


def answer(*words: str, status: int = 0, stdin: str | None = None) -> dict[str, Any]:
    result = run(*words, "--json", stdin=stdin)
    assert result.exit_code == status
    document = json.loads(result.stdout)
    assert isinstance(document, dict)
    return document


def lines(result: Result) -> list[str]:
    return [line.rstrip() for line in result.stdout.splitlines()]


# --- diff


@pytest.mark.usefixtures("two")
def test_diff_for_people() -> None:
    result = run("diff", "2030-01-01", "2031-01-01")
    assert result.exit_code == 0
    assert lines(result) == [
        "2030-01-01 to 2031-01-01",
        "  moved                   1",
        "  moved and reworded      1",
        "  new                     1",
        "",
        "100.1  new  Heading 100",
        "    {+A rule that is new.+}",
        "100.2  was 100.1, reworded  Heading 100",
        "    Gates open at dawn and are shut again when the bell has rung [-twice-]",
        "    {+once+}. See rule 100.2.",
        "100.3  was 100.2  Heading 100",
    ]
    assert result.stderr == ""


@pytest.mark.usefixtures("two")
def test_diff_for_programs() -> None:
    document = answer("diff", "2031-01-01", "2030-01-01")
    assert (document["old"], document["new"]) == ("2030-01-01", "2031-01-01")
    assert {kind: count for kind, count in document["counts"].items() if count} == {"moved": 1, "moved and reworded": 1, "new": 1}
    second = document["changes"][1]
    assert (second["old"], second["new"], second["kind"]) == ("100.1", "100.2", "moved and reworded")
    assert ["delete", " twice"] in second["words"]
    assert ["insert", " once"] in second["words"]


def test_diff_without_texts_has_numbers_and_says_what_is_missing() -> None:
    result = run("diff", "2026-02-27", "2026-04-17")
    assert result.exit_code == 0
    assert "  moved                 110" in lines(result)
    assert "733.1  was 732.1  Handling Illegal Actions" in lines(result)
    assert result.stderr == "For the words, install the text of 2026-02-27, 2026-04-17: lawmage data import FILE\n"
    assert all(change["words"] is None for change in answer("diff", "2026-02-27", "2026-04-17")["changes"])


def test_diff_of_a_release_with_itself() -> None:
    result = run("diff", "2026-08-07", "2026-08-07")
    assert result.exit_code == 1
    assert lines(result) == ["2026-08-07 to 2026-08-07", "  Nothing changed."]


def test_history_of_one_rule() -> None:
    result = run("diff", "2017-06-05", "2026-08-07", "rule 701.15")
    assert result.exit_code == 0
    assert lines(result)[:4] == [
        "701.15 Goad  as numbered in 2026-08-07",
        "2017-06-05 to 2018-07-13",
        "  701.37  was 701.36",
        "  701.37a  was 701.36a",
    ]
    assert "701.15 Sacrifice  as numbered in 2017-06-05" in lines(result)
    document = answer("diff", "2017-06-05", "2026-08-07", "701.15")
    assert [history["release"] for history in document["histories"]] == ["2026-08-07", "2017-06-05"]
    assert document["histories"][0]["steps"][-1]["changes"][0] == {
        "kind": "moved",
        "old": "701.38",
        "new": "701.15",
        "heading": "",
        "references_only": False,
        "examples_changed": False,
        "words": None,
    }


def test_history_in_which_nothing_happened() -> None:
    result = run("diff", "2015-01-23", "2026-08-07", "607.2a")
    assert result.exit_code == 1
    assert lines(result)[1] == "  Nothing changed."


def test_history_of_a_number_of_a_third_release() -> None:
    goad = answer("diff", "2017-06-05", "2026-08-07", "701.38", "--release", "2020-11-20")
    assert [(history["number"], history["release"]) for history in goad["histories"]] == [("701.15", "2026-08-07")]
    order = answer("diff", "2020-11-20", "2026-08-07", "509.2", "--release", "2017-06-05")
    assert [(history["number"], history["release"]) for history in order["histories"]] == [("509.2", "2020-11-20")]
    assert order["histories"][0]["steps"][-1]["changes"][0]["kind"] == "gone"
    late = answer("diff", "2015-01-23", "2017-06-05", "701.70", "--release", "2026-08-07", status=1)
    assert late["histories"] == []


# --- translate


def test_translate() -> None:
    result = run("translate", "702.21", "2020-11-20")
    assert result.exit_code == 0
    assert lines(result) == [
        "702.21 of 2020-11-20 (Banding) is 702.22 in 2026-08-07, with the same words.",
        "  2021-06-18  702.22 was 702.21",
        "What 2026-08-07 calls 702.21 is another rule (Ward).",
    ]
    document = answer("translate", "702.21", "2020-11-20", "2026-08-07")
    assert document == {
        "number": "702.21",
        "from": "2020-11-20",
        "to": "2026-08-07",
        "kind": "moved",
        "became": ["702.22"],
        "reworded": False,
        "references_only": False,
        "steps": [{"from": "2020-11-20", "to": "2021-06-18", "links": [{"kind": "moved", "old": "702.21", "new": "702.22"}]}],
    }


def test_translate_what_is_gone_and_what_is_not_there_yet() -> None:
    gone = run("translate", "509.2", "2024-09-20")
    assert gone.exit_code == 1
    assert lines(gone)[:2] == [
        "509.2 of 2024-09-20 (Declare Blockers Step) has no counterpart in 2026-08-07.",
        "  2024-11-08  509.2 is gone",
    ]
    early = run("translate", "701.15", "2026-08-07", "2015-01-23")
    assert early.exit_code == 1
    assert "  2016-08-26  701.35 is new" in lines(early)
    assert answer("translate", "509.2", "2024-09-20", status=1)["became"] == []


def test_translate_what_was_split() -> None:
    shown = run("translate", "201.3", "2015-01-23", "2016-08-26").stdout
    assert "is 201.3, 201.3a, 201.3b, 201.3c in 2016-08-26" in " ".join(shown.split())
    assert "201.3b split from 201.3" in shown


# --- locate


@pytest.mark.usefixtures("two")
def test_locate_for_people() -> None:
    result = run("locate", f"Menu\n{GATES.replace('100.2', '')}\n\n{MOAT}")
    assert result.exit_code == 0
    assert lines(result) == [
        "?  Menu  shorter than 40 characters, and no heading",
        "100.1  Gates open at dawn and are shut again when the bell has run…  2030-01-01",
        "    restored: Gates open at dawn and are shut again when the bell has rung",
        "    twice. See rule 100.2.",
        "100.2  The moat is filled with dark water in which an old crocodil…  2030-01-01",
        "and 2031-01-01",
        "",
        "2 of 3 passages located",
        "2 of them read so in 2030-01-01",
    ]


@pytest.mark.usefixtures("two")
def test_locate_for_programs_from_standard_input() -> None:
    for words in (("locate", "-"), ("locate",)):
        document = answer(*words, stdin=f"Menu\r\n{MOAT}\r\n")
        assert (document["located"], document["restored"], document["releases"]) == (1, 0, ["2030-01-01", "2031-01-01"])
        assert document["passages"][0]["rule"] is None
        assert document["passages"][0]["kind"] == "not rules text"
        assert document["passages"][1] == {
            "passage": MOAT,
            "kind": "rules text",
            "rule": "100.3",
            "part": "text",
            "also": [],
            "releases": ["2030-01-01", "2031-01-01"],
            "numbers": {"100.2": ["2030-01-01"], "100.3": ["2031-01-01"]},
            "exact": True,
            "likeness": 100.0,
            "restored": MOAT,
            "references": [],
        }


@pytest.mark.usefixtures("two")
def test_locate_in_one_release() -> None:
    document = answer("locate", "--release", "2030-01-01", MOAT)
    assert (document["passages"][0]["rule"], document["releases"]) == ("100.2", ["2030-01-01"])
    assert answer("locate", "--release", "2030-01-01", "A rule that is new.", status=1)["located"] == 0


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        (b"", "standard input: is empty; expected passages of text"),
        (b" \n\n", "standard input: is empty; expected passages of text"),
        (b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4, r"standard input: .*; expected passages of plain text"),
        (b"%PDF-1.7 ...", "standard input: is a PDF; expected passages of plain text"),
        (b"x" * (4 * 2**20 + 1), "standard input: is larger than 4 MB; expected passages of text"),
        (b"line\n" * 10_001, "there are 10,001 paragraphs to locate; expected at most 10,000"),
    ],
)
def test_bad_standard_input_is_one_sentence(stdin: bytes, message: str) -> None:
    result = run("locate", "-", stdin=stdin)
    assert isinstance(result.exception, InputError)
    with pytest.raises(InputError, match=message):
        raise result.exception


@pytest.mark.usefixtures("two")
def test_one_very_long_passage_is_no_rule() -> None:
    assert answer("locate", "-", stdin="the old crocodile sleeps in dark water " * 50_000, status=1)["passages"][0]["rule"] is None


def test_locate_needs_a_text() -> None:
    result = run("locate", MOAT)
    assert isinstance(result.exception, DataError)
    assert (
        str(result.exception)
        == "no text of a release is installed; download the rulebook from its publisher, then: lawmage data import FILE"
    )
    assert str(run("locate", "--release", "2026-08-07", MOAT).exception).startswith("the text of 2026-08-07 is not installed; ")


# --- drift


def test_drift_where_nothing_drifted() -> None:
    result = run("drift", encoded_release())
    assert result.exit_code == 0
    assert result.stdout.endswith(f"encoded rules read in {encoded_release()} as they were encoded.\n")
    assert answer("drift", encoded_release())["drifted"] == []


def test_drift_without_texts() -> None:
    result = run("drift", "2025-02-07")
    assert result.exit_code == 1
    assert "701.5a  moved to 701.4a  kb/keywords/701.005-cast.ttl" in lines(result)
    assert f"For the words, install the text of {encoded_release()}, 2025-02-07" in result.stderr
    item = next(item for item in answer("drift", "2025-02-07", status=1)["drifted"] if item["rule"] == "701.5a")
    assert item == {
        "rule": "701.5a",
        "kind": "moved",
        "became": ["701.4a"],
        "references_only": False,
        "files": ["kb/keywords/701.005-cast.ttl"],
        "text": None,
        "texts": [None],
    }


def test_drift_with_both_texts(release_files: list[Path]) -> None:
    for file in release_files[-4:]:
        install(read(file), [], [], file=file.name)
    document = answer("drift", "2025-11-14", status=1)
    reworded = [item for item in document["drifted"] if item["kind"] == "reworded"]
    assert reworded
    assert all(item["text"] and item["texts"][0] and item["text"] != item["texts"][0] for item in reworded)
    result = run("drift", "2025-11-14")
    assert "[-" in result.stdout
    assert "{+" in result.stdout
    assert result.stderr == ""


# --- what is misspelt


def test_releases_may_be_given_as_an_option() -> None:
    assert answer("translate", "702.21", "2020-11-20", "--release", "2021-06-18") == answer(
        "translate", "702.21", "2020-11-20", "2021-06-18"
    )
    assert answer("drift", "--release", "2026-04-17", status=1) == answer("drift", "2026-04-17", status=1)
    for words in (("drift", "2026-04-17", "--release", "2026-08-07"), ("diff", "2026-02-27", "2026-04-17", "--release", "2026-08-07")):
        assert isinstance(run(*words).exception, InputError)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("diff", "2026-02-27", "2026-04-18"), "there is no release 2026-04-18; the nearest are 2026-04-17 and "),
        (("diff", "Foundations", "2026-04-17"), '"Foundations" is not a release'),
        (("diff", "2026-02-27", "2026-04-17", "999.9"), 'has no rule "999.9"'),
        (("translate", "702.21", "2020-1-1"), "the nearest are 2019-10-04 and 2020-04-17"),
        (("translate", "702.999", "2020-11-20"), 'the release 2020-11-20 has no rule "702.999"; did you mean'),
        (("translate", "Goat", "2020-11-20"), 'did you mean 701.38 "Goad"?'),
        (("drift", "2026-03"), "the nearest are 2026-02-27 and 2026-04-17"),
        (("locate", "--release", "soon", "text"), '"soon" is not a release'),
    ],
)
def test_what_is_unknown_is_named_with_a_suggestion(words: tuple[str, ...], message: str) -> None:
    result = run(*words)
    assert isinstance(result.exception, UnknownNameError | InputError)
    assert message in str(result.exception)
