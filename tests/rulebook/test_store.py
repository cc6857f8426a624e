"""Installing releases: whole or not at all, and the same when read again."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from lawmage.errors import DataError, InputError, UnknownNameError
from lawmage.rulebook import importing
from lawmage.rulebook.importing import import_release
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.references import find_references
from lawmage.rulebook.store import choose_release, install, installed_releases, load_graph, load_installed, write_aside


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("LAWMAGE_HOME", str(folder))
    return folder


@pytest.fixture
def sample_file(tmp_path: Path, sample_text: str) -> Path:
    path = tmp_path / "sample.txt"
    path.write_text(sample_text, encoding="utf-8")
    return path


def test_an_installed_release_is_read_back_as_it_was(sample: Rulebook, home: Path) -> None:
    references, unresolved = find_references(sample)
    assert load_installed("2030-03-04") is None
    path = install(sample, references, unresolved, file="sample.txt")
    assert path == home / "rules" / "2030-03-04.json"
    found = load_installed("2030-03-04")
    assert found is not None
    assert found.rulebook == sample
    assert (list(found.references), list(found.unresolved)) == (references, unresolved)
    assert found.file == "sample.txt"


def test_a_release_that_does_not_ship_is_known_once_installed(sample_file: Path) -> None:
    assert choose_release() == "2026-08-07"
    import_release(sample_file)
    assert choose_release() == "2030-03-04"
    assert load_graph().find("100.2").heading == "Turn Order"


def test_import_reports_counts_and_faults(sample_file: Path) -> None:
    report = import_release(sample_file, check_shapes=True).as_json()
    assert {key: report[key] for key in ("kind", "release", "rules", "glossary", "examples")} == {
        "kind": "rules",
        "release": "2030-03-04",
        "rules": 10,
        "glossary": 3,
        "examples": 2,
    }
    references = report["references"]
    assert references["total"] == references["resolved"] + 4
    assert {"source": "101.1c", "part": "text", "target": "100.9", "start": 25, "end": 30} in references["unresolved"]
    assert references["mentions"] == 17
    assert {slip["kind"] for slip in report["slips"]} == {"indented line"}
    json.dumps(report)


def test_a_bad_file_changes_nothing(sample_file: Path, home: Path, tmp_path: Path) -> None:
    import_release(sample_file)
    before = (home / "rules" / "2030-03-04.json").read_bytes()
    bad = tmp_path / "bad.txt"
    bad.write_bytes(sample_file.read_bytes()[:-300])
    with pytest.raises(InputError):
        import_release(bad)
    assert (home / "rules" / "2030-03-04.json").read_bytes() == before
    assert [path.name for path in (home / "rules").iterdir()] == ["2030-03-04.json"]


def test_an_interrupted_import_leaves_the_old_one(sample_file: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_release(sample_file)
    before = (home / "rules" / "2030-03-04.json").read_bytes()

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        import_release(sample_file)
    assert (home / "rules" / "2030-03-04.json").read_bytes() == before
    assert [path.name for path in (home / "rules").iterdir()] == ["2030-03-04.json"]


def test_a_graph_that_breaks_a_shape_is_not_installed(sample_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "validate", lambda graph: [f"{graph.release}: wrong"])
    with pytest.raises(InputError, match="breaks 1 shapes of the rules graph, first: 2030-03-04: wrong"):
        import_release(sample_file, check_shapes=True)
    assert installed_releases() == {}


def test_card_files_are_not_known_yet(tmp_path: Path) -> None:
    for name, content in (("oracle.json", "[{}]"), ("atomic.json", '\ufeff {"data": {}}')):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match="looks like a card file"):
            import_release(path)


@pytest.mark.parametrize("content", [b"", b"{}", b"not json", b'{"format": 99, "release": "2030-03-04"}', b"\xff\xfe"])
def test_a_damaged_installed_file_is_named(home: Path, content: bytes) -> None:
    path = home / "rules" / "2030-03-04.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"2030-03-04\.json can't be read .*import the release again"):
        load_installed("2030-03-04")


def test_other_files_in_the_folder_are_passed_over(home: Path) -> None:
    folder = home / "rules"
    folder.mkdir(parents=True)
    for name in ("notes.json", "2030-13-04.json", "20300304.json", ".2030-03-04.json.x", "2030-03-04.txt"):
        (folder / name).touch()
    assert installed_releases() == {}


def test_a_folder_that_cannot_be_written_is_named(sample: Rulebook, home: Path) -> None:
    home.touch()
    with pytest.raises(InputError, match="can't be written"):
        install(sample, [], [], file="sample.txt")


def test_writing_aside_replaces_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"one", b"two"):
        write_aside(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.glob("*file*")) == [path]


def test_the_official_texts_survive_installing(releases: list[Rulebook]) -> None:
    for rulebook in (releases[0], releases[-1]):
        references, unresolved = find_references(rulebook)
        install(rulebook, references, unresolved, file="x")
        found = load_installed(rulebook.release)
        assert found is not None
        assert dataclasses.astuple(found.rulebook) == dataclasses.astuple(rulebook)
        assert list(found.references) == references


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("../../etc", "the newest known is 2026-08-07"),
        ("", "the newest known is 2026-08-07"),
        ("latest ", "the newest known is 2026-08-07"),
        ("Foundations", "the newest known is 2026-08-07"),
        ("2020-13-45", "the nearest are 2020-11-20 and 2021-06-18"),
        ("1999", "the oldest known is 2015-01-23"),
        ("20260807", 'did you mean "2026-08-07"?'),
        ("2026-8-7", 'did you mean "2026-08-07"?'),
        ("2026-08-07\n", 'did you mean "2026-08-07"?'),
        ("MagicCompRules 20250207", 'did you mean "2025-02-07"?'),
    ],
)
def test_what_is_no_date_is_not_a_release(wanted: str, nearest: str) -> None:
    with pytest.raises(InputError) as refused:
        choose_release(wanted)
    assert str(refused.value) == f'"{wanted}" is not a release, which is named by its date; {nearest}'


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("2021-01-01", "the nearest are 2020-11-20 and 2021-06-18"),
        ("1999-01-01", "the oldest known is 2015-01-23"),
        ("2030-01-01", "the newest known is 2026-08-07"),
    ],
)
def test_a_date_that_is_no_release_is_told_the_nearest(wanted: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError) as refused:
        choose_release(wanted)
    assert str(refused.value) == f"there is no release {wanted}; {nearest}"


@pytest.mark.parametrize("command", ["card Forest", "check FILE", "keyword menace", "lethal FILE", "rule 702.2", "search menace", "drift"])
@pytest.mark.parametrize("wanted", ["", "../../etc"])
def test_every_command_says_what_is_not_a_release(
    command: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lawmage.cli import main

    file = tmp_path / "board.yaml"
    file.write_text("battlefield: {m: {controller: A, pt: 1/1}}\nattack: {m: D}\npropose: {p: {}}\n")
    monkeypatch.setattr("sys.argv", ["lawmage", *command.replace("FILE", str(file)).split(), "--release", wanted])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert f'"{wanted}" is not a release, which is named by its date' in capsys.readouterr().err
