"""`lawmage deck`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lawmage.cli import app
from lawmage.decks.reading import read_deck

from .conftest import LEGAL, MISSPELT, TOO_FEW


def run(*words: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["deck", *map(str, words)], input=stdin, env={"COLUMNS": "100", "NO_COLOR": "1"})


def answers(*words: str | Path, status: int, stdin: str | None = None) -> list[dict[str, Any]]:
    result = run(*words, "--json", stdin=stdin)
    assert result.exit_code == status, result.output
    document = json.loads(result.stdout)
    found = document["decks"]
    assert isinstance(found, list)
    return found


def test_a_legal_deck(folder: Path) -> None:
    (answer,) = answers(folder / "a-legal.txt", status=0)
    wanted = {
        "file": str(folder / "a-legal.txt"),
        "format": "commander",
        "commanders": ["Isamaru, Hound of Konda"],
        "companion": None,
        "color_identity": ["W"],
        "cards": 100,
        "verdict": "legal",
        "violations": [],
        "repair": None,
    }
    assert {name: answer[name] for name in wanted} == wanted
    assert answer["ban_list"] is not None


def test_the_example() -> None:
    (answer,) = answers(Path(__file__).parents[2] / "examples" / "deck.txt", status=1)
    assert [violation["rule"] for violation in answer["violations"]] == ["903.5c", "ban list"]
    assert answer["repair"]["size"] == 4


def test_an_illegal_deck(folder: Path) -> None:
    (answer,) = answers(folder / "b-too-few.txt", status=1)
    assert [violation["rule"] for violation in answer["violations"]] == ["903.5a"]


def test_the_table_and_the_picture(folder: Path) -> None:
    result = run(folder / "b-too-few.txt", "--no-repair")
    assert result.exit_code == 1
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert lines[0].endswith("b-too-few.txt: illegal in commander")
    assert any(line.strip().startswith("903.5a") for line in lines)
    assert any("creature  1" in line and "land" not in line for line in lines)
    assert any("land      98  ██████████████" in line for line in lines)
    assert any(line.strip().startswith("commander      Isamaru, Hound of Konda   W") for line in lines)


def test_a_misspelt_name(folder: Path) -> None:
    result = run(folder / "inside" / "c-misspelt.txt")
    assert result.exit_code == 2
    assert 'c-misspelt.txt:6: no card is called "Sol Rong"; did you mean "Sol Ring"' in result.stderr
    (answer,) = answers(folder / "inside" / "c-misspelt.txt", status=2)
    assert (answer["not_found"][0]["name"], answer["not_found"][0]["line"], "verdict" in answer) == ("Sol Rong", 6, False)


def test_what_is_no_deck(folder: Path) -> None:
    result = run(folder / "inside" / "d-no-deck.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error:" in result.stderr
    (answer,) = answers(folder / "nowhere.txt", status=2)
    assert answer["error"].endswith("nowhere.txt: can't be read (No such file or directory)")


def test_the_highest_status_of_several_files(folder: Path) -> None:
    found = answers(folder / "a-legal.txt", folder / "b-too-few.txt", status=1)
    assert [answer["verdict"] for answer in found] == ["legal", "illegal"]
    assert len(answers(folder / "b-too-few.txt", folder / "inside" / "d-no-deck.txt", status=2)) == 2


def test_several_decks_in_a_file(folder: Path) -> None:
    found = answers(folder / "inside" / "e-several.json", status=1)
    assert [(answer["title"], answer["verdict"]) for answer in found] == [("one", "legal"), ("two", "illegal")]


def test_standard_input() -> None:
    (answer,) = answers("-", status=0, stdin=LEGAL)
    assert answer["file"] == "-"


def test_the_commander_that_the_command_line_names() -> None:
    text = "1 Isamaru, Hound of Konda\n1 Kytheon, Hero of Akros\n98 Plains\n"
    (answer,) = answers("-", "--commander", "kytheon, hero of akros", status=0, stdin=text)
    assert answer["commanders"] == ["Kytheon, Hero of Akros // Gideon, Battle-Forged"]
    (other,) = answers("-", "--commander", "Kytheon, Hero of Akros", status=0, stdin=LEGAL.replace("99", "98") + "1 Kytheon, Hero of Akros")
    assert (other["commanders"], other["cards"]) == (["Kytheon, Hero of Akros // Gideon, Battle-Forged"], 100)


def test_a_commander_that_the_list_lacks_is_counted_beside_it() -> None:
    (answer,) = answers("-", "--commander", "Isamaru, Hound of Konda", status=0, stdin="99 Plains\n")
    assert answer["cards"] == 100
    assert answer["notices"] == ["Isamaru, Hound of Konda is not in the list, so it is counted beside it"]


def test_a_commander_that_does_not_exist() -> None:
    (answer,) = answers("-", "--commander", "Isamaru, Hound of Conda", status=2, stdin="99 Plains\n")
    assert 'no card is called "Isamaru, Hound of Conda"; did you mean "Isamaru, Hound of Konda"' in answer["error"]


def test_a_companion_that_the_command_line_names() -> None:
    (answer,) = answers("-", "--companion", "Lurrus of the Dream-Den", status=1, stdin=LEGAL)
    assert (answer["companion"]["name"], answer["companion"]["verdict"]) == ("Lurrus of the Dream-Den", "illegal")


def test_commanders_in_a_sideboard() -> None:
    (answer,) = answers("-", status=0, stdin="99 [M10:1] Plains\nSB: 1 [CHK:1] Isamaru, Hound of Konda\n")
    assert answer["commanders"] == ["Isamaru, Hound of Konda"]
    assert answer["notices"] == ["line 2: Isamaru, Hound of Konda in the sideboard is read as the commander"]


def test_a_commander_behind_an_empty_line() -> None:
    (answer,) = answers("-", status=0, stdin="99 Plains\n\n1 Isamaru, Hound of Konda\n")
    assert (answer["commanders"], len(answer["notices"])) == (["Isamaru, Hound of Konda"], 2)


def test_a_commander_and_a_companion_in_a_sideboard() -> None:
    text = "50 [A:1] Plains\n49 [A:2] Swamp\nSB: 1 [A:3] Lurrus of the Dream-Den\nSB: 1 [A:4] Elas il-Kor, Sadistic Pilgrim\n"
    (answer,) = answers("-", status=0, stdin=text)
    assert (answer["commanders"], answer["companion"]) == (
        ["Elas il-Kor, Sadistic Pilgrim"],
        {"name": "Lurrus of the Dream-Den", "verdict": "legal"},
    )


# ---------------------------------------------------------------- lists that name no commander

TWO_COULD_LEAD = "1 Isamaru, Hound of Konda\n1 Kytheon, Hero of Akros\n98 Plains\n"


def test_the_only_choice_is_proposed_and_said() -> None:
    text = "99 Plains\n1 Isamaru, Hound of Konda\n"
    (answer,) = answers("-", status=0, stdin=text)
    assert (answer["commanders"], answer["proposed"]) == (["Isamaru, Hound of Konda"], ["Isamaru, Hound of Konda"])
    assert "the list names no commander" in answer["assumptions"][0]
    assert "Isamaru, Hound of Konda leads the deck: the list names no commander" in run("-", stdin=text).stdout


def test_of_several_choices_none_is_taken() -> None:
    (answer,) = answers("-", status=2, stdin=TWO_COULD_LEAD)
    assert answer["proposed"] == [["Isamaru, Hound of Konda"], ["Kytheon, Hero of Akros // Gideon, Battle-Forged"]]
    assert "2 choices fit it" in answer["error"]
    assert "verdict" not in answer


def test_a_title_that_names_one_of_them() -> None:
    (answer,) = answers("-", status=0, stdin=f"// NAME: Kytheon, Hero of Akros\n{TWO_COULD_LEAD}")
    assert answer["proposed"] == ["Kytheon, Hero of Akros // Gideon, Battle-Forged"]


def test_a_list_that_nothing_could_lead() -> None:
    (answer,) = answers("-", status=1, stdin="100 Plains\n")
    assert (answer["commanders"], [violation["rule"] for violation in answer["violations"]]) == ([], ["903.3"])


def test_names_that_are_written_in_other_ways() -> None:
    text = "COMMANDER: Isamaru, Hound of Konda\n1 Propaganda // Propaganda\n1 Fire\n97 Plains"
    (answer,) = answers("-", status=1, stdin=text)
    named = {name for violation in answer["violations"] for name in violation["cards"]}
    assert {"Propaganda", "Fire // Ice"} <= named


def test_an_unknown_format(folder: Path) -> None:
    (answer,) = answers(folder / "a-legal.txt", "--format", "comander", status=2)
    assert answer["error"].startswith('there is no format "comander"; did you mean "commander"')


def test_an_old_release_and_an_old_ban_list(folder: Path) -> None:
    (answer,) = answers(folder / "a-legal.txt", "--release", "2020-04-17", "--ban-list", "2019-08-01", status=0)
    assert (answer["release"], answer["ban_list"]) == ("2020-04-17", "2019-07-08")


def test_a_list_that_is_too_long_is_judged_but_not_searched() -> None:
    (answer,) = answers("-", "--repair", status=1, stdin="1 Isamaru, Hound of Konda\n" + "1 Plains\n" * 700)
    assert ([violation["rule"] for violation in answer["violations"]], answer["repair"]) == (["903.3", "903.5a"], None)


# ---------------------------------------------------------------- writing


def test_writing_in_another_form(folder: Path) -> None:
    result = run(folder / "a-legal.txt", "--to", "moxfield")
    assert result.exit_code == 0
    assert read_deck(result.stdout.encode(), "written").counts() == {"commander": 1, "main": 99}


def test_what_is_left_out_is_said() -> None:
    result = run("-", "--to", "arena", stdin=LEGAL + "\nMaybeboard\n2 Island\n")
    assert "left out, as arena has no place for it: 2 of maybeboard" in result.stderr
    assert "Island" not in result.stdout


def test_writing_needs_one_deck_and_a_known_form(folder: Path) -> None:
    assert "--to writes one deck, but there are 2" in str(run(folder / "inside" / "e-several.json", "--to", "csv").exception)
    assert 'did you mean "moxfield"' in str(run(folder / "a-legal.txt", "--to", "moxfeld").exception)


# ---------------------------------------------------------------- many decks


def test_a_folder(folder: Path) -> None:
    result = run(folder)
    assert result.exit_code == 2
    assert "2 legal" in result.stdout
    assert "b-too-few.txt: 903.5a" in result.stdout
    assert [answer.get("verdict") for answer in answers(folder, status=2)] == ["legal", "illegal", None, None, "legal", "illegal"]


def test_results_in_a_file(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "results.csv"
    result = run(folder / "a-legal.txt", folder / "b-too-few.txt", "--output", output, "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert [deck["verdict"] for deck in document.pop("decks")] == ["legal", "illegal"]
    summary = {"output": str(output), "files": 2, "kept": 0, "verdicts": {"legal": 1, "illegal": 1}, "rules": {"903.5a": 1}}
    assert document == summary
    assert len(output.read_text(encoding="utf-8").splitlines()) == 3


def test_standard_input_is_one_deck(tmp_path: Path) -> None:
    assert "standard input is one deck" in str(run("-", "--output", tmp_path / "results.csv", stdin=TOO_FEW).exception)


@pytest.mark.parametrize("text", ["", "<a>", "{", MISSPELT])
def test_no_traceback(text: str) -> None:
    result = run("-", stdin=text)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: -")
    assert result.stderr.count("\n") == 1
