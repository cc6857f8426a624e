"""The fingerprints of encoded rules are complete and current; drift lists what another release has otherwise."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from lawmage.errors import DataError
from lawmage.resources import data_folder
from lawmage.rulebook.drift import drift, encoded_rules, fingerprints_now, load_fingerprints, main
from lawmage.rulebook.encoded import encoded_release
from lawmage.rulebook.lineage import GONE, MOVED, MOVED_AND_REWORDED, REWORDED
from lawmage.rulebook.store import install, load_graph

from .made import release

REPAIR = "look at `lawmage drift`, then run: python -m lawmage.rulebook.drift"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for installed texts."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of kb/ and asp/ that a test may change."""
    for name in ("kb", "asp"):
        shutil.copytree(data_folder(name), tmp_path / name)
    monkeypatch.setenv("LAWMAGE_DATA", str(tmp_path))
    return tmp_path


# --- what is kept


def test_fingerprints_are_complete_and_current() -> None:
    kept, now = load_fingerprints(), fingerprints_now()
    assert sorted(now.keys() - kept.keys()) == [], f"encoded since; {REPAIR}"
    assert sorted(kept.keys() - now.keys()) == [], f"no longer encoded; {REPAIR}"
    assert kept == now, REPAIR


def test_what_is_encoded_is_what_the_files_name() -> None:
    rules = encoded_rules()
    assert "asp/509-declare-blockers.lp" in rules["509.1b"]
    assert {"kb/keywords/702.111-menace.ttl"} <= set(rules["702.111b"])
    assert "kb/vocabulary.ttl" in rules["509.1c"]
    headers = (data_folder("asp") / "509-declare-blockers.lp").read_text(encoding="utf-8")
    listed = re.search(r"% Rules: ([^%]*)", headers)
    assert listed is not None
    assert set(re.findall(r"\d{3}\.\d+[a-z]?", listed[1])) <= rules.keys()
    assert list(rules) == [number for number in load_graph(encoded_release()).by_number if number in rules]


def test_what_is_no_rule_number_is_not_taken_for_one(copied: Path) -> None:
    before = encoded_rules()
    (copied / "asp" / "other.lp").write_text("% version 1.702.3, 12702.3, 702.19bcd and 3.14\n")
    (copied / "kb" / "other.ttl").write_text('<urn:a> <urn:b> "as in rule 100.1a", "7.1", 702.19 .\n')
    assert encoded_rules() == before
    (copied / "asp" / "other.lp").write_text('violated("100.1a") :- 100.6b, 100.4c.\n')
    assert encoded_rules().keys() - before.keys() == {"100.1a", "100.4c", "100.6b"}


def test_a_number_that_the_release_does_not_have_is_named(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copied / "asp" / "other.lp").write_text("% 702.999a\n")
    with pytest.raises(DataError, match=r"asp/other\.lp names 702\.999a, which the release 2026-08-07 doesn't have"):
        fingerprints_now()
    assert main([]) == 2
    assert "702.999a" in capsys.readouterr().err


def test_the_chore_writes_what_is_kept(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = copied / "kb" / "rules" / "encoded.ttl"
    shipped = file.read_text()
    file.unlink()
    with pytest.raises(DataError, match=r"encoded\.ttl can't be read"):
        load_fingerprints()
    assert main([]) == 0
    assert file.read_text() == shipped, REPAIR
    assert main(["surplus"]) == 2
    assert "It is made by" in capsys.readouterr().err


def test_a_damaged_file_is_named(copied: Path) -> None:
    (copied / "kb" / "rules" / "encoded.ttl").write_text("not turtle")
    with pytest.raises(DataError, match=r"encoded\.ttl can't be read"):
        load_fingerprints()


# --- what drifted


def test_nothing_drifts_in_the_release_that_is_encoded() -> None:
    assert drift(encoded_release()) == []


def test_drift_to_older_releases() -> None:
    drifted = {item.rule: item for item in drift("2025-06-06")}
    assert drifted["702.2c"].translation.kind == REWORDED  # lethal damage: reworded in 2025-11-14
    assert "509.1b" not in drifted
    assert "kb/keywords/702.002-deathtouch.ttl" in drifted["702.2c"].files
    earlier = {item.rule: item.translation for item in drift("2025-02-07")}
    assert (earlier["701.15a"].kind, earlier["701.15a"].became) == (MOVED, ("701.38a",))
    assert (earlier["701.4a"].kind, earlier["701.4a"].became) == (GONE, ())
    assert earlier["509.1"].references_only
    assert earlier.keys() > drifted.keys()


def test_drift_to_a_newer_release_that_is_installed() -> None:
    """As far as two small made-up texts go: the rules that they lack are gone."""
    texts = {
        "702.19": "Trample",
        "702.19a": "Trampling is an art of large animals.",
        "702.19b": "The rest goes on to what stands behind the wall.",
    }
    newer = {
        "702.19": "Trample",
        "702.19a": "A new beginning.",
        "702.19b": texts["702.19a"],
        "702.19c": texts["702.19b"].replace("rest", "remainder"),
    }
    install(release(encoded_release(), texts), [], [], file="old.txt")
    install(release("2031-01-01", newer), [], [], file="new.txt")
    drifted = {item.rule: item.translation for item in drift("2031-01-01")}
    assert (drifted["702.19a"].kind, drifted["702.19a"].became) == (MOVED, ("702.19b",))
    assert (drifted["702.19b"].kind, drifted["702.19b"].became) == (MOVED_AND_REWORDED, ("702.19c",))


def test_drift_to_a_release_without_text_of_the_encoded_one() -> None:
    install(release("2031-01-01", {"702.19": "Trample"}), [], [], file="new.txt")
    with pytest.raises(DataError, match=rf"install that of {encoded_release()}"):
        drift("2031-01-01")
