"""Searching the rulebook, with its text and without."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from lawmage.cli import app
from lawmage.errors import DataError, UnknownNameError
from lawmage.rulebook import search_index
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.parse import parse
from lawmage.rulebook.search import Answer, Hit, search
from lawmage.rulebook.search_index import index_file
from lawmage.rulebook.store import install


@pytest.fixture(scope="module")
def fresh_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fresh")


@pytest.fixture
def without_text(monkeypatch: pytest.MonkeyPatch, fresh_folder: Path) -> Path:
    """A fresh machine; its indexes are kept from test to test."""
    monkeypatch.setenv("LAWMAGE_HOME", str(fresh_folder))
    return fresh_folder


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: Rulebook) -> Path:
    """A machine with the made-up rulebook of 2030-03-04."""
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    install(sample, (), (), file="sample.txt")
    return tmp_path


def places(answer: Answer) -> list[tuple[str, str]]:
    return [(hit.kind, hit.number) for hit in answer.hits]


def marked(hit: Hit) -> list[str]:
    return [hit.title[start:end] for start, end in hit.title_matches] + [hit.text[start:end] for start, end in hit.text_matches]


# ---------------------------------------------------------------- without a text


def test_a_fresh_machine_knows_headings_terms_and_keywords(without_text: Path) -> None:
    answer = search("deathtouch")
    assert not answer.with_text
    assert places(answer)[:3] == [("rule", "702.2"), ("glossary entry", "glossary:Deathtouch"), ("keyword", "702.2")]
    assert [hit.text for hit in answer.hits[:2]] == ["", ""]
    assert answer.hits[2].text.startswith("static ability; ")
    assert [marked(hit)[0] for hit in answer.hits[:3]] == ["Deathtouch", "Deathtouch", "deathtouch"]
    assert index_file(answer.release).parent == without_text / "rules"


@pytest.mark.usefixtures("without_text")
def test_every_number_is_known() -> None:
    answer = search("702.2c")
    assert places(answer) == [("subrule", "702.2c")]
    assert answer.hits[0].heading == "Deathtouch"


@pytest.mark.usefixtures("without_text")
@pytest.mark.parametrize(
    ("query", "found"), [("702.2", "702.2"), ("rule 702.2.", "702.2"), ("CR 103", "103"), ("section 7", "7"), ("7", "7")]
)
def test_a_number_stands_for_what_is_under_it(query: str, found: str) -> None:
    answer = search(query, limit=5000)
    assert answer.hits[0].number == found
    others = {hit.number.removeprefix(found) for hit in answer.hits}
    letters = [rest for rest in others if rest]
    assert letters
    if "." in found:
        assert all(rest.isalpha() for rest in letters)
    else:
        assert all(rest[0] == "." or len(found) == 1 for rest in letters)
    numbers = [hit.number for hit in answer.hits[1:] if hit.kind in ("chapter", "rule", "subrule")]
    assert numbers == [number for number in all_numbers() if number in set(numbers)]


def all_numbers() -> list[str]:
    from lawmage.rulebook.store import load_graph

    return [place.number for place in load_graph().places]


@pytest.mark.usefixtures("without_text")
@pytest.mark.parametrize(
    ("query", "number", "title"),
    [
        ("totem armor", "702.89", "totem armor"),
        ("multikicker", "702.33c", "multikicker"),
        ("∞", "702.186", "∞"),
        ("Doctor’s companion", "702.124m", "Doctor's companion"),
        ("jump-start", "702.133", "Jump-Start"),
        ("jump start", "702.133", "Jump-Start"),
    ],
)
def test_names(query: str, number: str, title: str) -> None:
    answer = search(query)
    assert answer.corrections == {}
    assert (number, title) in [(hit.number, hit.title) for hit in answer.hits[:3]]


@pytest.mark.usefixtures("without_text")
def test_a_keyword_as_of_a_release() -> None:
    armor = [hit for hit in search("totem armor", release="2019-01-25").hits if hit.kind == "keyword"]
    assert [(hit.number, hit.title) for hit in armor] == [("702.88", "totem armor")]
    assert not [hit for hit in search("umbra", release="2019-01-25").hits if hit.kind == "keyword"]
    goad = next(hit for hit in search("goad", release="2019-01-25").hits if hit.kind == "keyword")
    assert (goad.number, goad.text) == ("701.37", "keyword action")


# ---------------------------------------------------------------- typing errors


@pytest.mark.usefixtures("without_text")
@pytest.mark.parametrize(
    ("query", "instead", "number"),
    [
        ("deathtuch", {"deathtuch": "deathtouch"}, "702.2"),
        ("Trampel", {"trampel": "trample"}, "702.19"),
        ("death touch", {"death touch": "deathtouch"}, "702.2"),
        ("firststrike", {"firststrike": '"first strike"'}, "702.7"),
        ("fist-strik", {"fist-strik": '"first strike"'}, "702.7"),
        ('"frist strike"', {'"frist strike"': '"first strike"'}, "702.7"),
        ("indestruct", {}, "702.12"),
        ("deatht", {"deatht": "deatht*"}, "702.2"),
        ("tremple*", {"tremple*": "trample"}, "702.19"),
        ("lifelink xqzptk", {"xqzptk": ""}, "702.15"),
        ("702.2x", {"702.2x": "702.2"}, "702.2"),
        ("702.999z", {"702.999z": "702"}, "702"),
    ],
)
def test_typing_errors_are_forgiven(query: str, instead: dict[str, str], number: str) -> None:
    answer = search(query)
    assert answer.corrections == instead
    assert number in [hit.number for hit in answer.hits[:3]]
    for said in instead.values():
        assert said in answer.searched


@pytest.mark.usefixtures("home")
def test_a_missing_apostrophe(sample_text: str) -> None:
    install(parse(sample_text.replace("A subrule.", "This can’t be cast.").encode()), (), (), file="")
    answer = search("cant")
    assert answer.corrections == {"cant": "can't"}
    assert places(answer) == [("subrule", "100.1a")]
    assert marked(answer.hits[0]) == ["can’t"]


@pytest.mark.usefixtures("without_text")
@pytest.mark.parametrize("query", ["xqzptk", "", " ", "***", '""', "999.9", "a" * 1000, "\0", "()"])
def test_nothing_is_like_it(query: str) -> None:
    answer = search(query)
    assert (answer.total, answer.hits, answer.searched) == (0, (), "")


# ---------------------------------------------------------------- with a text


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("sentence games", [("rule", "100.1")]),
        ("SENTENCES game", [("rule", "100.1")]),
        ("second part", [("subrule", "101.1b"), ("subrule", "101.1a")]),
        ('"second part"', [("subrule", "101.1b")]),
        ("“Second  part”", [("subrule", "101.1b")]),
        ("first example", [("example", "100.1")]),
        ("lim-dul", [("subrule", "100.2a")]),
        ("1,000 coins", [("rule", "200.1")]),
        ("coi* damag*", [("rule", "200.1")]),
        ("101.1b example", [("example", "100.1")]),
        ("portion piece", [("glossary entry", "glossary:Part, Piece (Obsolete)")]),
    ],
)
def test_what_is_found(query: str, found: list[tuple[str, str]]) -> None:
    answer = search(query)
    assert answer.with_text
    assert answer.release == "2030-03-04"
    assert places(answer) == found
    assert answer.every


@pytest.mark.usefixtures("home")
def test_a_number_finds_itself_then_its_subrules_then_what_names_it() -> None:
    answer = search("101.1")
    assert [(hit.kind, hit.number) for hit in answer.hits][:4] == [
        ("rule", "101.1"),
        ("subrule", "101.1a"),
        ("subrule", "101.1b"),
        ("subrule", "101.1c"),
    ]
    assert ("subrule", "100.1a") in places(answer)[4:]
    assert "101.1" in marked(next(hit for hit in answer.hits if hit.number == "100.1a"))


@pytest.mark.usefixtures("home")
def test_titles_come_first() -> None:
    assert places(search("turns"))[:3] == [("chapter", "101"), ("rule", "100.2"), ("glossary entry", "glossary:Turn")]
    assert places(search("turn"))[:3] == [("glossary entry", "glossary:Turn"), ("chapter", "101"), ("rule", "100.2")]
    assert places(search("name"))[:2] == [("glossary entry", "glossary:Name"), ("chapter", "200")]


@pytest.mark.usefixtures("home")
def test_if_nothing_has_all_words_some_are_enough() -> None:
    answer = search("coins example")
    assert not answer.every
    assert {("rule", "200.1"), ("example", "100.1")} <= set(places(answer))


@pytest.mark.usefixtures("home")
def test_what_matches_is_marked() -> None:
    hit = search("coin damages").hits[0]
    assert (hit.number, marked(hit)) == ("200.1", ["damage", "coins"])
    assert (hit.heading, hit.part) == ("Names", "")
    example = search("second example").hits[0]
    assert (example.kind, example.part, marked(example)) == ("example", "example 2", ["second", "example"])


@pytest.mark.usefixtures("home")
def test_limit() -> None:
    everything = search("the", limit=1000)
    assert everything.total == len(everything.hits) > 5
    few = search("the", limit=2)
    assert few.total == everything.total
    assert few.hits == everything.hits[:2]


@pytest.mark.usefixtures("home")
def test_which_release() -> None:
    assert search("deathtouch", release="2026-08-07").hits[0].number == "702.2"
    assert not search("deathtouch", release="2026-08-07").with_text
    with pytest.raises(UnknownNameError):
        search("deathtouch", release="2026-08-08")


def test_a_number_used_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_text: str) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    twice = sample_text.replace("101.1. Turns have parts:", "100.2. Order of Turns\n\n101.1. Turns have parts:")
    install(parse(twice.encode()), (), (), file="")
    assert [hit.number for hit in search("100.2").hits][:2] == ["100.2", "100.2~2"]


# ---------------------------------------------------------------- hostile queries

HOSTILE = [
    "AND",
    "OR NOT NEAR",
    "NEAR(a b, 2)",
    'name" OR "turn',
    "title : name",
    "{title text} : name",
    "^name",
    "na + me",
    "-name",
    "'; DROP TABLE search; --",
    '"',
    '"name',
    "na*me*",
    "*",
    "((((",
    "name\0turn",
    "\x1b[31mname\x1b[0m",
    "\udcff\ud800",
    "﷽" * 400,
    "i̇" * 400,
    "a" * 10**6,
    "a b " * 250_000,
    '"' * 10**6,
    "na* " * 10**5,
    "1" * 10**5,
    "100." * 10**5,
    "a-" * 10**5,
]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_queries(query: str) -> None:
    check(search(query))


def check(answer: Answer) -> None:
    """What holds for any query."""
    assert len(answer.query) <= 1000
    assert (answer.query + answer.searched + "".join(answer.corrections)).isprintable()
    assert len(answer.hits) == min(answer.total, 10)
    for hit in answer.hits:
        assert all(0 <= start < end <= len(hit.text) for start, end in hit.text_matches)
        assert all(0 <= start < end <= len(hit.title) for start, end in hit.title_matches)
    json.dumps(answer.corrections).encode()


@pytest.mark.usefixtures("without_text")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(["flying", "sta", "*", '"', "AND", "702.2", "7", "-", "(", ":", "^", "'", "\0", " ", " "]) | st.text(), max_size=8
    )
)
def test_any_string_is_a_query(pieces: list[str]) -> None:
    check(search("".join(pieces)))


# ---------------------------------------------------------------- the index


def test_the_index_is_made_once(home: Path) -> None:
    assert not index_file("2030-03-04").exists()
    search("name")
    assert index_file("2030-03-04").parent == home / "rules"
    before = index_file("2030-03-04").stat()
    search("turn")
    after = index_file("2030-03-04").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert sorted(path.name for path in (home / "rules").iterdir()) == ["2030-03-04.json", "2030-03-04.search"]


@pytest.mark.usefixtures("home")
def test_it_is_made_again_for_another_text(sample_text: str) -> None:
    assert search("coins").total == 1
    install(parse(sample_text.replace("coins", "dollars").encode()), (), (), file="")
    assert search('"coins"').total == 0
    assert search("dollars").total == 1


@pytest.mark.usefixtures("home")
def test_it_is_made_again_when_the_text_is_gone(sample: Rulebook) -> None:
    path = install(Rulebook("2026-08-07", sample.nodes, sample.glossary, "", "", ()), (), (), file="")
    assert search("made in 1993", release="2026-08-07").hits[0].number == "200.1"
    path.unlink()
    assert "1993" in search("made in 1993", release="2026-08-07").corrections


@pytest.mark.usefixtures("home")
def test_it_is_made_again_for_another_format(monkeypatch: pytest.MonkeyPatch) -> None:
    search("name")
    before = index_file("2030-03-04").read_bytes()
    monkeypatch.setattr(search_index, "_FORMAT", 2)
    assert search("name").total
    assert index_file("2030-03-04").read_bytes()[-32:] != before[-32:]


@pytest.mark.usefixtures("home")
def test_a_damaged_index_is_made_again() -> None:
    answer = search("name turn")
    path = index_file("2030-03-04")
    good = path.read_bytes()
    damages = [b"", b"x", good[:100], good[: len(good) // 2], good[:-1], good[:-32], bytes(len(good)), good + b"x", b"SQLite format 3\0"]
    # one byte, anywhere
    damages += [good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :] for place in range(0, len(good), len(good) // 40)]
    for damage in damages:
        path.write_bytes(damage)
        assert search("name turn") == answer
        assert path.read_bytes() == good


@pytest.mark.usefixtures("home")
def test_something_else_in_its_place() -> None:
    index_file("2030-03-04").mkdir()
    assert search("coins").total == 1


@pytest.mark.usefixtures("home")
def test_a_failure_while_it_is_written_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(search_index, "write_aside", fail)
    assert search("coins").total == 1
    assert not index_file("2030-03-04").exists()


def test_a_home_that_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "file"))
    assert search("menace").hits[0].number == "702.111"


def test_a_home_with_an_odd_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: Rulebook) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "a?mode=rw#b%20c é"))
    install(sample, (), (), file="")
    assert [search("coins").total for _ in range(2)] == [1, 1]


def test_a_damaged_release(home: Path) -> None:
    (home / "rules" / "2030-03-04.json").write_bytes(b"{")
    with pytest.raises(DataError, match="import the release again"):
        search("coins")


@pytest.mark.usefixtures("home")
def test_an_sqlite_that_cannot_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "_TABLES", search_index._TABLES.replace("fts5", "fts99"))
    with pytest.raises(DataError, match="use a Python whose SQLite has FTS5"):
        search("coins")


# ---------------------------------------------------------------- the command


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, ["search", *arguments], env={"COLUMNS": "80", "NO_COLOR": "1"} | environment)


@pytest.mark.usefixtures("home")
def test_for_people() -> None:
    result = run("sentence", "games")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.rstrip() for line in result.stdout.splitlines()] == [
        "100.1  General: A sentence about games. See rule 101, “Turns.”",
        "1 found in the release of 2030-03-04 (with text)",
    ]


@pytest.mark.usefixtures("home")
def test_what_was_done_is_said() -> None:
    result = run("sentense", "--limit", "1")
    assert result.stderr == "Nothing has sentense; searched for sentence instead.\n"
    assert "1 found in the release" in result.stdout
    assert "of what has some of it" in run("coins", "example").stderr
    assert "found, 2 shown in the release" in run("the", "--limit", "2").stdout
    nothing = run("xqzptk")
    assert (nothing.exit_code, nothing.stderr) == (1, "Nothing has xqzptk; nothing is like it.\n")
    assert nothing.stdout == "Nothing found in the release of 2030-03-04 (with text)\n"


@pytest.mark.usefixtures("without_text")
def test_a_fresh_machine_is_told_how_to_get_the_text() -> None:
    result = run("menace")
    assert result.exit_code == 0
    assert "(headings, glossary terms and keywords alone)" in " ".join(result.stdout.split())
    assert result.stderr == "The text isn't installed; get it with: lawmage data update\n"


def test_an_old_text_is_searched_and_said_to_be_old(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_text: str) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    install(parse(sample_text.replace("March 4, 2030", "March 4, 2014").encode()), (), (), file="")
    result = run("coins")
    assert "1 found in the release of 2014-03-04 (with text)" in result.stdout
    assert "The newest known release is " in result.stderr


@pytest.mark.usefixtures("home")
def test_matches_are_highlighted_on_a_terminal() -> None:
    shown = run("coins", NO_COLOR="", FORCE_COLOR="1").stdout
    assert "\x1b[1;33mcoins\x1b[0m" in shown


@pytest.mark.usefixtures("home")
def test_for_programs() -> None:
    result = run("--json", "coins")
    assert (result.exit_code, result.stderr) == (0, "")
    document: dict[str, Any] = json.loads(result.stdout)
    (found,) = document.pop("results")
    assert document == {
        "query": "coins",
        "searched": "coins",
        "corrections": {},
        "match": "all",
        "release": "2030-03-04",
        "text": True,
        "count": 1,
    }
    text = found.pop("text")
    ((start, end),) = found.pop("matches")["text"]
    assert text[start:end] == "coins"
    assert found == {"number": "200.1", "kind": "rule", "part": None, "title": "", "heading": "Names"}
    nothing = run("--json", "xqzptk")
    assert (nothing.exit_code, json.loads(nothing.stdout)["results"]) == (1, [])


@pytest.mark.usefixtures("home")
def test_hostile_words_on_the_command_line() -> None:
    for query in HOSTILE:
        for options in (["--json"], []):
            result = run(*options, "--", query)
            assert result.exit_code in (0, 1)
            assert "\x1b" not in result.output
            result.output.encode()


@pytest.mark.usefixtures("home")
def test_bad_usage_from_outside() -> None:
    for arguments in (["--release", "tomorrow", "x"], ["--limit", "0", "x"], []):
        done = subprocess.run([sys.executable, "-m", "lawmage", "search", *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- the official text


@pytest.fixture(scope="module")
def official_folder(newest: Rulebook, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWMAGE_HOME", str(folder))
        install(newest, (), (), file="")
    return folder


@pytest.fixture
def official(monkeypatch: pytest.MonkeyPatch, official_folder: Path, newest: Rulebook) -> Rulebook:
    """The newest release, installed."""
    monkeypatch.setenv("LAWMAGE_HOME", str(official_folder))
    return newest


@pytest.mark.usefixtures("official")
@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("deathtouch lethal damage", "702.2c"),
        ("legend rule", "glossary:Legend Rule"),
        ("comander tax", "glossary:Commander Tax"),
        ("summoning sickness", "glossary:Summoning Sickness Rule"),
        ("state-based actions", "704"),
        ("menace redundant", "702.111c"),
        ('"maximum possible number of requirements"', "509.1c"),
        ("first strke", "702.7"),
        ("can't be blocked except by two or more creatures", "702.111b"),
    ],
)
def test_what_people_look_for(query: str, number: str) -> None:
    assert number in [hit.number for hit in search(query).hits[:3]]


def test_each_number_and_each_title_finds_itself(official: Rulebook) -> None:
    for node in official.nodes[::40]:
        assert search(node.number, limit=1).hits[0].number == node.number
    for node in [node for node in official.nodes if node.heading][::12]:
        assert node.heading in [hit.title for hit in search(node.heading, limit=3).hits]
    for entry in official.glossary[::12]:
        assert entry.term in [hit.title for hit in search(entry.term).hits]


@pytest.mark.usefixtures("official")
def test_a_quotation_stands_there_as_it_is() -> None:
    answer = search('"deals combat damage"', limit=1000)
    assert answer.total > 5
    for hit in answer.hits:
        assert "deals combat damage" in hit.text
    looser = search("deals combat damage", limit=1000)
    assert looser.total > answer.total


@pytest.mark.usefixtures("official")
@pytest.mark.parametrize("query", ["creature", "the", "702", "damage step", "xqzptk", "partner"])
def test_it_fits_80_columns(query: str) -> None:
    assert max(map(len, run(query, "--limit", "100").stdout.splitlines())) <= 80
