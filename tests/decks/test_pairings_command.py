"""`lawmage pairings`."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from lawmage.cli import app


def test_one_card_all_cards_and_none() -> None:
    run = CliRunner().invoke(app, ["pairings", "amy", "pond", "--json"])
    answer = json.loads(run.stdout)
    assert (run.exit_code, answer["card"], answer["count"]) == (0, "Amy Pond", len(answer["pairs"]))
    assert {"cards": ["Amy Pond", "Rory Williams"], "rule": "702.124j"}.items() <= answer["pairs"][0].items()
    assert {pair["rule"] for pair in answer["pairs"]} == {"702.124j", "702.124m"}
    counted = CliRunner().invoke(app, ["pairings", "--count"])
    assert counted.exit_code == 0
    assert int(counted.stdout) > 3000
    none = CliRunner().invoke(app, ["pairings", "grizzly bears"])
    assert (none.exit_code, none.stdout) == (1, "")
    assert "can't be a commander together" in none.stderr


def test_as_of_a_release_without_partners() -> None:
    run = CliRunner().invoke(app, ["pairings", "--count", "--release", "2015-01-23"])
    assert (run.exit_code, run.stdout) == (1, "0\n")


def test_why_two_cards_can_be_commanders() -> None:
    run = CliRunner().invoke(app, ["pairings", "amy", "pond", "--explain"])
    said = " ".join(run.stdout.replace("│", "").split())
    assert "So by partner with [name]: Rory Williams." in said
    assert "So by Doctor's companion: The Eighth Doctor" in said
    why = json.loads(CliRunner().invoke(app, ["pairings", "--json", "--count", "--explain"]).stdout)["explanation"]
    assert {"702.124j", "702.124m"} <= {step["rule"] for step in why["children"]}
