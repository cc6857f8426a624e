"""What happens where the checker does not confirm a verdict: no verdict, and a sentence that asks for a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lawmage.board import Proposal
from lawmage.cli import main
from lawmage.errors import CheckerDisagreementError
from lawmage.play import ProposalVerdict, judge
from lawmage.play.declarations import Declarations
from lawmage.scenario import load_scenario

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "menace.yaml"
SOLD = """
battlefield:
  a: {controller: A, pt: 2/2, keywords: [menace]}
  b: {controller: D, pt: 1/1}
attack: [a]
propose: {none: {}, alone: {b: a}}
expect: {none: legal, alone: illegal}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sold.yaml"
    path.write_text(SOLD, encoding="utf-8")
    return path


@pytest.fixture
def sold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that calls everything legal."""

    def legal(_: Declarations, proposals: Sequence[Proposal]) -> dict[str, ProposalVerdict]:
        return {proposal.name: ProposalVerdict("legal") for proposal in proposals}

    monkeypatch.setattr(Declarations, "judge", legal)


def status_of(*words: str | Path) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["lawmage", *map(str, words)])
        with pytest.raises(SystemExit) as caught:
            main()
    return int(caught.value.code or 0)


@pytest.mark.usefixtures("sold")
def test_judge(file: Path) -> None:
    scenario = load_scenario(file)
    assert {verdict.verdict for verdict in judge(scenario).proposals.values()} == {"legal"}
    with pytest.raises(CheckerDisagreementError, match=r"on the proposal alone \(.*702\.111b.*report this") as caught:
        judge(scenario, checked=True)
    assert (caught.value.proposal, caught.value.file) == ("alone", str(file))
    assert caught.value.disagreements == ("it disobeys 702.111b for a and is called legal",)


@pytest.mark.usefixtures("sold")
@pytest.mark.parametrize("command", ["check", "test"])
def test_no_verdict_is_printed(command: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(command, file) == 2
    told = capsys.readouterr()
    assert "legal" not in told.out
    assert str(file) in told.err
    assert "proposal alone" in told.err
    assert "please report this" in told.err


@pytest.mark.usefixtures("sold")
def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("check", file, "--json") == 2
    (answer,) = json.loads(capsys.readouterr().out)["files"]
    assert "proposals" not in answer
    assert "please report this" in answer["error"]


def test_nothing_is_said_where_all_is_confirmed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("check", file, EXAMPLE) == 1
    assert capsys.readouterr().err == ""
    assert status_of("test", file) == 0
