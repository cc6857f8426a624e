"""A user's own query: read only, cut off from everything, stopped in time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.visitors import listening

from lawmage.errors import InputError, LawmageError, UnknownNameError
from lawmage.query_process import LONGEST_QUERY, TimeLimitError, ask_own

RELEASE = "2026-08-07"
LM = "PREFIX lm: <urn:lawmage:vocabulary:> "


def ask(text: str, **more: object) -> tuple[tuple[object, ...], ...]:
    return ask_own(LM + text, "own.rq", release=RELEASE, **more).rows  # type: ignore[arg-type]


@pytest.fixture
def visitors() -> Iterator[tuple[str, list[bytes]]]:
    """A server on this machine, by its address, and what it was sent."""
    with listening() as seen:
        yield seen


def test_select() -> None:
    assert ask('SELECT ?rule WHERE { ?rule lm:heading "Deathtouch" ; a lm:Rule }') == (("702.2",),)


def test_ask() -> None:
    assert ask("ASK { ?rule a lm:Section }") == ((True,),)
    assert ask("ASK { ?rule a lm:Paragraph }") == ((False,),)


def test_construct() -> None:
    rows = ask('CONSTRUCT { ?rule lm:title ?heading } WHERE { ?rule lm:heading ?heading ; lm:number "702.2" }')
    assert rows == (("702.2", "title", "Deathtouch"),)


def test_parameters() -> None:
    assert ask("SELECT ?heading ?rule WHERE { ?rule lm:heading ?heading ; a lm:Rule }", given={"heading": "Deathtouch"}) == (("702.2",),)
    with pytest.raises(InputError, match=r"own.rq: \?wrong is no variable of its SELECT"):
        ask("SELECT ?rule WHERE { ?rule lm:heading ?heading }", given={"wrong": "1"})


@pytest.mark.parametrize("name", ["a b", "", "?rule", "1-2"])
def test_no_names_of_variables(name: str) -> None:
    with pytest.raises(InputError, match=r"own\.rq: "):
        ask("SELECT ?rule WHERE { ?rule lm:heading ?heading }", given={name: "1"})


def test_columns_that_are_not_there() -> None:
    rows = ask_own(f"# Titles.\n# Columns:\n#   nothing  it\n{LM}SELECT ?n {{ ?n a lm:Section }} LIMIT 1", "own.rq", release=RELEASE).rows
    assert len(rows[0]) == 1


def test_declared_parameters() -> None:
    comment = "# Titles.\n# Parameters:\n#   rule  rule  702.2  which\n# Columns:\n#   title  its title\n"
    text = f"{comment}{LM}SELECT ?rule ?title {{ ?rule lm:heading ?title }}"
    assert ask_own(text, "own.rq", {"rule": "rule 702.2."}, release=RELEASE).rows == (("Deathtouch",),)
    with pytest.raises(InputError, match="needs the parameter rule"):
        ask_own(text, "own.rq", release=RELEASE)
    with pytest.raises(UnknownNameError, match="has no rule"):
        ask_own(text, "own.rq", {"rule": "702.2q"}, release=RELEASE)


def test_named_graphs() -> None:
    rows = ask('SELECT ?release { GRAPH ?release { ?part lm:heading "Battle Cry" ; a lm:Rule } } ORDER BY ?release LIMIT 2')
    assert rows == (("2015-01-23",), ("2016-08-26",))


@pytest.mark.parametrize(
    "text",
    [
        "DELETE WHERE { ?s ?p ?o }",
        "INSERT DATA { lm:a lm:b lm:c }",
        "LOAD <http://127.0.0.1/>",
        "CLEAR ALL",
        "SELECT ?s WHERE { ?s ?p ?o } ; DROP ALL",
        "ASK { ?s ?p }",
        "",
    ],
)
def test_anything_but_a_question_is_refused(text: str) -> None:
    with pytest.raises(LawmageError, match=r"own.rq:1: this is not a SPARQL query that only asks"):
        ask(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
        "SELECT * {{ service silent <{url}> {{ ?s ?p ?o }} }}",
        "SELECT * {{ ?a ?b ?c FILTER(?a<?b)SERVICE#>\n<{url}> {{ ?s ?p ?o }} }}",
        "SELECT * {{ ?a ?b 1SERVICE <{url}> {{ ?s ?p ?o }} }}",
        "PREFIX SERVICEa: <{url}> SELECT * {{ SERVICESILENTSERVICEa: {{ ?s ?p ?o }} }}",
        "SELECT * {{ \\u0053ERVICE <{url}> {{ ?s ?p ?o }} }}",
        "ASK {{ FILTER EXISTS {{ SERVICE\t<{url}> {{ ?s ?p ?o }} }} }}",
    ],
)
def test_other_servers_are_not_asked(visitors: tuple[str, list[bytes]], text: str) -> None:
    url, seen = visitors
    with pytest.raises(InputError, match=r"may not (use|write) SERVICE"):
        ask(text.format(url=url))
    assert seen == []


def test_other_servers_are_out_of_reach_besides(visitors: tuple[str, list[bytes]]) -> None:
    pytest.importorskip("resource", reason="this system has no limits for processes")
    url, seen = visitors
    program = """
import sys
import pyoxigraph
from lawmage import query_process
query_process._renounce()
try:
    pyoxigraph.Store().query(sys.argv[1])
except OSError:
    print("out of reach")
"""
    query = f"ASK {{ SERVICE <{url}> {{ ?s ?p ?o }} }}"
    done = subprocess.run([sys.executable, "-c", program, query], capture_output=True, text=True, check=True)
    assert done.stdout == "out of reach\n"
    assert seen == []


def test_from_loads_nothing(visitors: tuple[str, list[bytes]]) -> None:
    url, seen = visitors
    assert ask(f"SELECT * FROM <{url}> FROM NAMED <file:///etc/passwd> WHERE {{ ?s ?p ?o }}") == ()
    assert seen == []


@pytest.mark.parametrize(
    "text", ["SELECT ?service { ?service a lm:Section }", "SELECT ?x { BIND(lm:service AS ?x) }", "SELECT ?x { ?x ?y ?z } #SERVICE"]
)
def test_names_may_contain_the_word(text: str) -> None:
    assert ask(text)


def test_time_limit() -> None:
    with pytest.raises(TimeLimitError, match=r"own.rq: stopped after 1.5 seconds"):
        ask("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", seconds=1.5)


def test_row_limit() -> None:
    answer = ask_own("SELECT ?s { ?s ?p ?o }", "own.rq", release=RELEASE, limit=12)
    assert len(answer.rows) == 12
    assert answer.more


def test_nothing_can_be_opened_and_memory_is_limited() -> None:
    pytest.importorskip("resource", reason="this system has no limits for processes")
    program = """
from lawmage import query_process
query_process._renounce()
for attempt in (lambda: open("/dev/null"), lambda: bytearray(query_process._MEMORY)):
    try:
        attempt()
    except (OSError, MemoryError) as error:
        print(type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["OSError", "MemoryError"]


def test_length_limit() -> None:
    with pytest.raises(InputError, match="at most 100,000 characters"):
        ask_own("#" * (LONGEST_QUERY + 1), "own.rq", release=RELEASE)
