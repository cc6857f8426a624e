"""Runs over many decks: complete, in order, resumed, never stopped by a bad deck."""

from __future__ import annotations

import csv
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from lawmage.decks.answers import Question
from lawmage.decks.corpus import COLUMNS, RESULT_FORMS, Summary, files_in, judge_corpus, results_of
from lawmage.decks.reading import read_decks
from lawmage.errors import InputError, UnknownNameError

ALL = ["a-legal.txt", "b-too-few.txt", "c-misspelt.txt", "d-no-deck.txt", "e-several.json"]
VERDICTS = {"legal": 2, "illegal": 2, "error": 2}


def run(folder: Path, output: Path, **options: Any) -> Summary:
    return judge_corpus(files_in([folder]), Question(), output, **options)


def rows(output: Path) -> list[dict[str, Any]]:
    return list(results_of(output))


def test_files_of_folders(folder: Path) -> None:
    assert [file.name for file in files_in([folder])] == ALL
    assert [file.name for file in files_in([folder / "inside", folder / "a-legal.txt"])] == [*ALL[2:], ALL[0]]
    assert len(files_in([folder, folder])) == len(ALL)
    with pytest.raises(InputError, match="no such file or folder"):
        files_in([folder / "nowhere"])


def test_every_deck_has_a_line(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "results.jsonl"
    counted: list[int] = []
    summary = run(folder, output, done=counted.append)
    assert (summary.files, summary.kept, dict(summary.verdicts)) == (5, 0, VERDICTS)
    assert sum(counted) == 5
    found = rows(output)
    assert [(Path(row["file"]).name, row["deck"], row.get("verdict")) for row in found] == [
        ("a-legal.txt", "1/1", "legal"),
        ("b-too-few.txt", "1/1", "illegal"),
        ("c-misspelt.txt", "1/1", None),
        ("d-no-deck.txt", "1/1", None),
        ("e-several.json", "1/2", "legal"),
        ("e-several.json", "2/2", "illegal"),
    ]
    assert 'c-misspelt.txt:6: no card is called "Sol Rong"' in found[2]["error"]
    assert 'd-no-deck.txt:1: found "this is"' in found[3]["error"]
    assert summary.rules["903.5a"] == 1
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["results.jsonl"]


@pytest.mark.parametrize("suffix", RESULT_FORMS)
def test_what_is_unchanged_is_kept(folder: Path, tmp_path: Path, judged: list[str], suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: corpus)")
    output = tmp_path / f"results{suffix}"
    run(folder, output)
    before = rows(output)
    assert judged == ALL
    judged.clear()
    assert run(folder, output).kept == 5
    assert (judged, rows(output)) == ([], before)
    (folder / "b-too-few.txt").write_text((folder / "a-legal.txt").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "inside" / "d-no-deck.txt").unlink()
    summary = run(folder, output)
    assert judged == ["b-too-few.txt"]
    assert dict(summary.verdicts) == {"legal": 3, "illegal": 1, "error": 1}
    assert [Path(str(row["file"])).name for row in rows(output)] == [*ALL[:3], ALL[4], ALL[4]]


def test_another_question_is_asked_anew(folder: Path, tmp_path: Path, judged: list[str]) -> None:
    output = tmp_path / "results.jsonl"
    run(folder, output)
    judged.clear()
    summary = judge_corpus(files_in([folder]), Question(ban_list="2020-01-01"), output)
    assert (summary.kept, judged) == (0, ALL)


def test_a_format_that_changed_is_asked_anew(folder: Path, tmp_path: Path, judged: list[str]) -> None:
    house, output = tmp_path / "house.yaml", tmp_path / "results.jsonl"
    for banned in ("Sol Ring", "Plains"):
        house.write_text(f"lawmage: 1\nformat: house\nbased_on: commander\nbanned: [{banned}]\n", encoding="utf-8")
        judge_corpus(files_in([folder / "a-legal.txt"]), Question(format=str(house)), output)
    assert judged == ["a-legal.txt", "a-legal.txt"]
    assert rows(output)[0]["verdict"] == "illegal"


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_an_interrupted_run_goes_on(folder: Path, tmp_path: Path, judged: list[str], suffix: str) -> None:
    output = tmp_path / f"results{suffix}"
    run(folder, tmp_path / f"whole{suffix}")
    judged.clear()

    def interrupt(_: int) -> None:
        if len(judged) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(folder, output, done=interrupt)
    assert not output.exists()
    assert judged == ALL[:3]
    summary = run(folder, output)
    assert (summary.kept, judged) == (3, ALL)
    assert output.read_bytes() == (tmp_path / f"whole{suffix}").read_bytes()


def test_lines_that_were_cut_off_are_written_again(folder: Path, tmp_path: Path, judged: list[str]) -> None:
    output = tmp_path / "results.jsonl"
    run(folder, output)
    whole = output.read_bytes()
    judged.clear()
    output.write_bytes(whole[:-20])
    assert run(folder, output).kept == 4
    assert (judged, output.read_bytes()) == (["e-several.json"], whole)
    journal = tmp_path / "other.jsonl.part"
    journal.write_bytes(b'["half a li')
    assert run(folder, tmp_path / "other.jsonl").kept == 0
    assert (tmp_path / "other.jsonl").read_bytes() == whole


def test_a_fault_of_ours_stops_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(data: bytes, name: str) -> Any:
        if "b-too-few" in name:
            raise ZeroDivisionError("a fault")
        return read_decks(data, name)

    monkeypatch.setattr("lawmage.decks.answers.read_decks", faulty)
    summary = run(folder, tmp_path / "results.jsonl")
    assert dict(summary.verdicts) == {"legal": 2, "illegal": 1, "error": 3}
    assert "lawmage failed on it (ZeroDivisionError: a fault)" in rows(tmp_path / "results.jsonl")[1]["error"]


def test_a_table(folder: Path, tmp_path: Path) -> None:
    (folder / "a-legal.txt").write_text("// NAME: =1+1\n" + (folder / "a-legal.txt").read_text(encoding="utf-8"), encoding="utf-8")
    run(folder, tmp_path / "results.csv")
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as opened:
        table = list(csv.DictReader(opened))
    assert tuple(table[0]) == COLUMNS
    assert {row["title"] for row in table[:1]} == {"'=1+1"}  # no formula for a spreadsheet
    assert next(results_of(tmp_path / "results.csv"))["title"] == "=1+1"
    assert (table[1]["verdict"], table[1]["commanders"], table[1]["cards"], table[1]["rules"]) == (
        "illegal",
        "Isamaru, Hound of Konda",
        "99",
        "903.5a",
    )


def test_parquet(folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra: corpus)")
    run(folder, tmp_path / "results.parquet")
    table = parquet.read_table(tmp_path / "results.parquet")
    assert tuple(table.column_names) == COLUMNS
    assert table.column("cards").to_pylist() == [100, 99, None, None, 100, 100]


def test_without_pyarrow(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"install it with: pip install 'lawmage\[corpus\]'"):
        run(folder, tmp_path / "results.parquet")


def test_processes_and_a_cluster_answer_the_same(folder: Path, tmp_path: Path) -> None:
    run(folder, tmp_path / "one.jsonl")
    run(folder, tmp_path / "two.jsonl", jobs=2)
    assert (tmp_path / "two.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    pytest.importorskip("distributed", reason="dask.distributed is not installed (extra: cluster)")
    run(folder, tmp_path / "cluster.jsonl", cluster="local")
    assert (tmp_path / "cluster.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()


def test_a_name_that_is_no_text(folder: Path, tmp_path: Path) -> None:
    try:
        (folder / os.fsdecode(b"e\xff.txt")).write_bytes((folder / "a-legal.txt").read_bytes())
    except OSError:
        pytest.skip("this file system has only names that are text")
    for suffix in RESULT_FORMS[:2]:
        output = tmp_path / f"results{suffix}"
        assert run(folder, output).files == 6
        assert run(folder, output).kept == 6
        assert str(rows(output)[2]["file"]).endswith("e\\udcff.txt")


def test_results_inside_the_folder_are_no_deck(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert run(folder, Path("results.jsonl")).files == 5
    assert run(folder, Path("results.jsonl")).files == 5


def test_two_runs_into_one_file(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "results.jsonl"
    with pytest.raises(InputError, match="is being written by another run"):
        run(folder, output, done=lambda _: run(folder / "inside", output))


def test_results_that_are_not_ours(folder: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.csv"
    foreign.write_text("name,age\nA,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="is no results file of lawmage's"):
        run(folder, foreign)
    assert foreign.read_text(encoding="utf-8") == "name,age\nA,1\n"
    with pytest.raises(InputError, match=r'ends in "\.txt"; expected one of \.jsonl, \.csv, \.parquet'):
        run(folder, tmp_path / "results.txt")


def test_a_question_that_cannot_be_answered(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match='there is no format "comander"; did you mean "commander"'):
        judge_corpus(files_in([folder]), Question(format="comander"), tmp_path / "results.jsonl")
    with pytest.raises(UnknownNameError, match='no card is called "Isamarru"'):
        judge_corpus(files_in([folder]), Question(commanders=("Isamarru",)), tmp_path / "results.jsonl")
    assert list(tmp_path.glob("results*")) == []


def test_a_file_that_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    files = [*files_in([folder]), folder / "gone.txt"]
    assert judge_corpus(files, Question(), tmp_path / "results.jsonl").verdicts["error"] == 3
    assert json.loads((tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()[-1])["error"].endswith(
        "gone.txt: can't be read (No such file or directory)"
    )
