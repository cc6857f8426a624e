"""/sparql: the protocol, the formats of results, and that no query harms, waits for ever or reaches anything outside."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph
import pytest
from defusedxml import ElementTree  # type: ignore[import-untyped]
from rdflib import Graph, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from tests.visitors import listening
from tests.web.conftest import ROOT, run_apart, serving

from lawmage.errors import InputError
from lawmage.query_words import refuse_other_sources
from lawmage.web.confined import cut_off
from lawmage.web.pool import BusyError
from lawmage.web.settings import Settings
from lawmage.web.sparql import _AT_ONCE, _Questions
from lawmage.web.sparql_formats import GRAPHS, TABLES, choose

NEWEST, OLDEST = "2026-08-07", "2015-01-23"
LM = "PREFIX lm: <urn:lawmage:vocabulary:> "
SECTIONS = LM + "SELECT ?number ?heading { ?section a lm:Section ; lm:number ?number ; lm:heading ?heading } ORDER BY ?number"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
SPARQL_XML = "{http://www.w3.org/2005/sparql-results#}"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server that gives a query four seconds."""
    with (
        serving(tmp_path_factory.mktemp("home"), "--workers", "2", "--time-limit", "4") as running,
        httpx.Client(base_url=running.address, timeout=60, trust_env=False) as client,
    ):
        yield client


def get(client: httpx.Client, query: str, *, accept: str = "", **more: str) -> httpx.Response:
    return client.get("/sparql", params={"query": query, **more}, headers={"Accept": accept or "*/*"})


def rows(response: httpx.Response) -> list[dict[str, str]]:
    assert response.status_code == 200, response.text
    return [{name: term["value"] for name, term in row.items()} for row in response.json()["results"]["bindings"]]


def refusal(response: httpx.Response, status: int) -> str:
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert document["status"] == status
    sentence: str = document["detail"]
    return sentence


# ---------------------------------------------------------------- the protocol


def test_a_query_can_be_sent_in_three_ways(client: httpx.Client) -> None:
    expected = rows(get(client, SECTIONS))
    assert len(expected) == 9
    assert expected[0] == {"number": "1", "heading": "Game Concepts"}
    form = client.post("/sparql", data={"query": SECTIONS})
    itself = client.post("/sparql", content=SECTIONS, headers={"Content-Type": "application/sparql-query; charset=UTF-8"})
    assert rows(form) == rows(itself) == expected


@pytest.mark.parametrize(
    ("content_type", "body", "status", "sentence"),
    [
        ("application/x-www-form-urlencoded", b"query=ASK{}&query=ASK{}", 400, 'the request has the parameter "query" 2 times'),
        ("application/x-www-form-urlencoded", b"release=2026-08-07", 400, 'the request has no parameter "query"'),
        ("application/x-www-form-urlencoded", b"query=%ff", 400, "no form of at most 50 fields in UTF-8"),
        ("application/x-www-form-urlencoded", b"a&" * 60, 400, "no form of at most 50 fields"),
        ("application/x-www-form-urlencoded", b"update=CLEAR+ALL", 403, "updates are refused"),
        ("application/sparql-update", b"CLEAR ALL", 403, "updates are refused"),
        ("application/sparql-query", b"\xff", 400, "not a text in UTF-8"),
        ("application/sparql-query; charset=utf-16", b"ASK{}", 415, 'the body is in "utf-16"'),
        ("text/plain", b"ASK{}", 415, 'the body is "text/plain"; expected application/sparql-query'),
        ("", b"ASK{}", 415, 'the body is ""; expected application/sparql-query'),
    ],
)
def test_what_the_protocol_does_not_allow(client: httpx.Client, content_type: str, body: bytes, status: int, sentence: str) -> None:
    response = client.post("/sparql", content=body, headers={"Content-Type": content_type})
    assert sentence in refusal(response, status)


def test_a_query_in_the_address_and_another_in_the_body(client: httpx.Client) -> None:
    response = client.post("/sparql", params={"query": "ASK {}"}, data={"query": "ASK {}"})
    assert "2 times; expected it once" in refusal(response, 400)


@pytest.mark.parametrize(
    "update", ["CLEAR ALL", "LOAD <http://127.0.0.1/>", "INSERT DATA { <a:a> <a:b> <a:c> }", "DELETE WHERE { ?s ?p ?o }"]
)
def test_updates_are_refused(client: httpx.Client, update: str) -> None:
    assert "updates are refused" in refusal(client.get("/sparql", params={"update": update}), 403)
    assert "not a SPARQL query that only asks" in refusal(get(client, update), 400)
    assert rows(get(client, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"))[0]["n"] > "0"


def test_other_methods(client: httpx.Client) -> None:
    assert "does not take PUT" in refusal(client.put("/sparql", content=b"ASK {}"), 405)


def test_a_syntax_error_has_its_place(client: httpx.Client) -> None:
    response = get(client, "SELECT *\nWHERE { ?s ?p }")
    assert refusal(response, 400).startswith("query:2: this is not a SPARQL query that only asks (column ")
    assert response.json()["line"] == 2


def test_other_sites_may_not_read_answers(client: httpx.Client) -> None:
    response = client.get("/sparql", params={"query": "ASK {}"}, headers={"Origin": "https://example.org"})
    assert not [name for name in response.headers if name.startswith("access-control-")]
    assert client.options("/sparql", headers={"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}).status_code == 405


# ---------------------------------------------------------------- which data are asked


def test_the_release_in_the_default_graph(client: httpx.Client) -> None:
    query = LM + "SELECT ?release { ?release a lm:Release }"
    assert rows(get(client, query)) == [{"release": f"urn:lawmage:rules:{NEWEST}"}]
    assert rows(get(client, query, release=OLDEST)) == [{"release": f"urn:lawmage:rules:{OLDEST}"}]
    assert rows(get(client, query)) == [{"release": f"urn:lawmage:rules:{NEWEST}"}]
    assert "there is no release 1999-01-01; the oldest known is 2015-01-23" in refusal(get(client, query, release="1999-01-01"), 404)


def test_the_releases_are_named_graphs(client: httpx.Client) -> None:
    query = LM + "SELECT ?graph (COUNT(*) AS ?n) { GRAPH ?graph { ?part a lm:Keyword } } GROUP BY ?graph"
    assert rows(get(client, query)) == []
    names = rows(get(client, "SELECT ?graph { GRAPH ?graph {} } ORDER BY ?graph"))
    assert len(names) == 24
    assert names[0] == {"graph": f"urn:lawmage:rules:{OLDEST}"}
    assert names[-1] == {"graph": "urn:lawmage:rules:lineage"}


@pytest.mark.parametrize("where", ["protocol", "query"])
def test_other_graphs_can_be_chosen(client: httpx.Client, where: str) -> None:
    old, lineage = f"urn:lawmage:rules:{OLDEST}", "urn:lawmage:rules:lineage"
    select = LM + "SELECT ?release ?graph {{ ?release a lm:Release . GRAPH ?graph {{ ?s ?p ?o }} }} LIMIT 1"
    if where == "protocol":
        fields = {"query": select.format(), "default-graph-uri": old, "named-graph-uri": lineage}
        response = client.get("/sparql", params=fields)
    else:
        response = get(client, select.replace("ph {{", f"ph FROM <{old}> from\tnamed<{lineage}> {{{{", 1).format())
    assert rows(response) == [{"release": old, "graph": lineage}]


def test_graphs_that_are_not_here_are_refused(client: httpx.Client) -> None:
    away = "http://127.0.0.1/data.ttl"
    for parameter in ("default-graph-uri", "named-graph-uri"):
        assert f'no graph "{away}" here; nothing is fetched' in refusal(get(client, "ASK { ?s ?p ?o }", **{parameter: away}), 400)
    for clause in (f"FROM <{away}>", f"FROM NAMED <{away}>", "FROM a:b", "FROM#\n<urn:lawmage:rules:lineage>", "FROM <lineage>"):
        query = f"BASE <urn:lawmage:rules:> PREFIX a: <http://127.0.0.1/> SELECT * {clause} {{ ?s ?p ?o }}"
        assert "may use FROM only with the whole name of a graph" in refusal(get(client, query), 400)


@pytest.mark.parametrize("query", ["SELECT ?from { BIND(1 AS ?from) }", "ASK { FILTER('from <a:b>' = 'x' || true) } # FROM <a:b>"])
def test_the_word_from_may_stand_elsewhere(client: httpx.Client, query: str) -> None:
    assert get(client, query).status_code == 200


# ---------------------------------------------------------------- formats


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", "a/x"),
        ("*/*", "a/x"),
        ("b/*", "b/y"),
        ("a/x;q=0.5, b/y", "b/y"),
        ("a/x;q=0.5, */*;q=0.6", "b/y"),
        ("a/*;q=0, */*", "b/y"),
        ("A/X ; charset=utf-8 ; Q=0.1", "a/x"),
        ("a/x;q=0", None),
        ("c/z", None),
        ("a/x;q=nonsense", "a/x"),
        ("b/y;q=1.0, a/x;q=1.0", "a/x"),
        (", ,b/y;;", "b/y"),
    ],
)
def test_the_best_of_what_is_accepted(accept: str, expected: str | None) -> None:
    assert choose(accept, ["a/x", "b/y"]) == expected


@pytest.mark.parametrize("accept", [types[0] for types in TABLES.values()])
def test_tables(client: httpx.Client, accept: str) -> None:
    response = get(client, SECTIONS, accept=accept)
    assert response.headers["Content-Type"].partition(";")[0] == accept
    assert response.headers["Vary"] == "Accept"
    if accept.endswith("json"):
        found = [[row["number"], row["heading"]] for row in rows(response)]
    elif accept.endswith("xml"):
        results = ElementTree.fromstring(response.content).iter(f"{SPARQL_XML}result")
        found = [[each.text for each in row.iter(f"{SPARQL_XML}literal")] for row in results]
    else:
        tabs = accept.endswith("values")
        header, *found = csv.reader(io.StringIO(response.text), delimiter="\t" if tabs else ",")
        assert header == (["?number", "?heading"] if tabs else ["number", "heading"])
    assert found[:2] == [["1", "Game Concepts"], ["2", "Parts of a Card"]]
    assert len(found) == 9


def test_yes_and_no(client: httpx.Client) -> None:
    assert get(client, "ASK {}").json()["boolean"] is True
    assert get(client, "ASK { FILTER(false) }", accept="application/sparql-results+xml").text.count("false") == 1
    assert get(client, "ASK {}", accept="text/csv").text.strip() == "true"


@pytest.mark.parametrize("accept", [types[0] for types in GRAPHS.values()])
@pytest.mark.parametrize(
    "query", [LM + "CONSTRUCT { ?s lm:heading ?o } WHERE { ?s a lm:Section ; lm:heading ?o }", LM + "DESCRIBE lm:Section"]
)
def test_graphs(client: httpx.Client, query: str, accept: str) -> None:
    response = get(client, query, accept=accept)
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"].partition(";")[0] == accept
    if accept in ("text/turtle", "application/n-triples", "application/rdf+xml"):
        count = len(Graph().parse(data=response.text, format=accept))
    else:
        count = len(list(pyoxigraph.parse(response.text, format=pyoxigraph.RdfFormat.from_media_type(accept))))
    assert count == 9 if "CONSTRUCT" in query else count > 1


def test_what_is_not_accepted(client: httpx.Client) -> None:
    assert "application/sparql-results+json" in refusal(get(client, "ASK {}", accept="image/png"), 406)
    said = refusal(get(client, "SELECT * { ?s ?p ?o } LIMIT 1", accept="text/turtle"), 406)
    assert "application/sparql-results+json" in said
    assert "text/turtle" not in said
    assert get(client, "SELECT * { ?s ?p ?o } LIMIT 1", accept="text/turtle, text/csv;q=0.1").headers["Content-Type"].startswith("text/csv")
    assert 'there is no format "png"; expected one of json, xml, csv' in refusal(get(client, "ASK {}", format="png"), 400)


def test_the_format_may_be_a_parameter(client: httpx.Client) -> None:
    assert get(client, SECTIONS, accept=BROWSER, format="csv").headers["Content-Type"].startswith("text/csv")


# ---------------------------------------------------------------- what the service says of itself


def test_service_description(client: httpx.Client) -> None:
    response = client.get("/sparql", headers={"Accept": "text/turtle"})
    assert response.headers["Content-Type"].startswith("text/turtle")
    found = Graph().parse(data=response.text, format="turtle")
    sd = "http://www.w3.org/ns/sparql-service-description#"
    assert list(found.objects(None, URIRef(f"{sd}endpoint"))) == [URIRef(str(client.base_url.join("/sparql")))]
    names = {str(name) for name in found.objects(None, URIRef(f"{sd}name"))}
    assert names == {row["graph"] for row in rows(get(client, "SELECT DISTINCT ?graph { GRAPH ?graph {} }"))}
    assert len(set(found.objects(None, URIRef(f"{sd}resultFormat")))) == len(TABLES) + len(GRAPHS)
    assert "text/turtle, text/html" in refusal(client.get("/sparql", headers={"Accept": "image/png"}), 406)


def test_every_example_is_answered(client: httpx.Client) -> None:
    page = client.get("/sparql", headers={"Accept": BROWSER})
    assert page.status_code == 200
    names = [part.partition('"')[0] for part in page.text.split("/sparql?example=")[1:]]
    assert len(names) > 5
    for name in names:
        form = client.get("/sparql", params={"example": name}, headers={"Accept": BROWSER}).text
        written = form.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
        query = ElementTree.fromstring(f"<p>{written}</p>").text or ""
        assert get(client, query).status_code == 200, name


def test_the_queries_of_the_documentation(client: httpx.Client) -> None:
    text = (ROOT / "docs" / "sparql.md").read_text(encoding="utf-8")
    queries = [part.partition("```")[0] for part in text.split("```sparql\n")[1:]]
    citing, releases = (rows(get(client, query)) for query in queries)
    assert {"number": "703.4k", "heading": "Turn-Based Actions"} in citing
    assert [len(releases), releases[0]["release"]] == [23, f"urn:lawmage:rules:{OLDEST}"]
    for said in ("16,000 characters", "8 MiB", *TABLES, *GRAPHS):
        assert said in text


def test_the_page_shows_rows(client: httpx.Client) -> None:
    page = get(client, LM + 'SELECT ?x ("<b>" AS ?y) { ?x lm:number "702.2" }', accept=BROWSER)
    assert page.status_code == 200
    assert page.headers["Content-Type"].startswith("text/html")
    assert 'href="/rules/702.2"' in page.text
    assert "&lt;b&gt;" in page.text
    assert "<b>" not in page.text
    many = get(client, "SELECT * { ?s ?p ?o }", accept=BROWSER)
    assert "first rows only" in many.text
    assert len(many.content) < 100_000
    wrong = get(client, "SELECT", accept=BROWSER)
    assert wrong.status_code == 400
    assert "not a SPARQL query that only asks" in wrong.text
    assert "true" in get(client, "ASK {}", accept=BROWSER).text
    assert get(client, "CONSTRUCT WHERE { ?s ?p ?o }", accept=BROWSER).status_code == 200


# ---------------------------------------------------------------- a client that others wrote


def test_rdflib_as_a_client(client: httpx.Client) -> None:
    store = SPARQLStore(query_endpoint=str(client.base_url.join("/sparql")), returnFormat="json", method="GET")
    graph = Graph(store=store)
    found = {str(row[0]): str(row[1]) for row in graph.query(SECTIONS)}  # type: ignore[index]
    assert found["7"] == "Additional Rules"
    assert bool(graph.query(LM + "ASK { ?s a lm:Section }"))
    deathtouch = URIRef(f"urn:lawmage:rules:{NEWEST}:702.2")
    assert str(graph.value(deathtouch, URIRef("urn:lawmage:vocabulary:heading"))) == "Deathtouch"
    assert (deathtouch, URIRef("urn:lawmage:vocabulary:number"), None) in graph


# ---------------------------------------------------------------- hostile queries


@pytest.fixture(scope="module")
def visitors() -> Iterator[tuple[str, list[bytes]]]:
    """A server on this machine, by its address, and what it was sent."""
    with listening() as seen:
        yield seen


OUTSIDE = [
    "SELECT * { SERVICE <URL> { ?s ?p ?o } }",
    "SELECT * { SERVICE SILENT <URL> { ?s ?p ?o } }",
    "SELECT * { SERVICE SILENT <URL> { SERVICE SILENT <URL> { ?s ?p ?o } } }",
    "ASK { FILTER EXISTS { sErViCe\t<URL> { ?s ?p ?o } } }",
    "ASK { { SELECT * { MINUS { SERVICE <URL> { ?s ?p ?o } } } } }",
    "SELECT * { ?s ?p 1SERVICE <URL> { ?s ?p ?o } }",
    "PREFIX a: <URL> SELECT * { SERVICEa: { ?s ?p ?o } }",
    "PREFIX a: <URL> SELECT * { SERVICESILENTa: { ?s ?p ?o } }",
    "PREFIX service: <URL> SELECT * { SERVICE service: { ?s ?p ?o } }",
    "PREFIX : <URL> SELECT * { SERVICE: { ?s ?p ?o } }",
    "BASE <URL> SELECT * { SERVICE <x> { ?s ?p ?o } }",
    "SELECT * { BIND(<URL> AS ?server) SERVICE ?server { ?s ?p ?o } }",
    "SELECT * { VALUES ?service { <URL> } SERVICE SILENT ?service { ?s ?p ?o } }",
    "SELECT * { ?a ?b ?c FILTER(?a<?b)SERVICE#>\n<URL> { ?s ?p ?o } }",
    "SELECT * { ?a ?b ?c FILTER(?a<?b&&'x>y' = 'z') SERVICE <URL> { ?s ?p ?o } FILTER('}' = 'z') }",
    "SELECT * { ?a ?b '''#''' #'''\n SERVICE <URL> { ?s ?p ?o } }",
    "SELECT * { #\r SERVICE <URL> { ?s ?p ?o } }",
    "SELECT * { SERVICE#\n<URL> { ?s ?p ?o } }",
    "SELECT * { \\u0053ERVICE <URL> { ?s ?p ?o } }",
    "SELECT * { S\\U00000045RVICE <URL> { ?s ?p ?o } }",
    "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <URL> { ?s ?p ?o } }",
    "DESCRIBE ?s { SERVICE <URL> { ?s ?p ?o } }",
    "SELECT * FROM <URL> { ?s ?p ?o }",
    "SELECT * FROM NAMED <URL> { GRAPH ?g { ?s ?p ?o } }",
    "PREFIX a: <URL> SELECT * FROMa: { ?s ?p ?o }",
    "PREFIX NAMED: <URL> SELECT * FROM NAMED: { ?s ?p ?o }",
    "LOAD <URL>",
]


@pytest.mark.parametrize("query", OUTSIDE)
def test_nothing_outside_is_reached(client: httpx.Client, visitors: tuple[str, list[bytes]], query: str) -> None:
    url, seen = visitors
    said = refusal(get(client, query.replace("URL", url)), 400)
    assert "may not use SERVICE" in said or "with escapes" in said or "may use FROM only" in said or "not a SPARQL query" in said
    assert not seen


@pytest.mark.parametrize("query", [query for query in OUTSIDE if query.startswith("SELECT") and "\\" not in query])
def test_the_word_is_found_where_it_is_used(query: str) -> None:
    with pytest.raises(InputError, match=r"may not use SERVICE|may use FROM only"):
        refuse_other_sources(query.replace("URL", "http://127.0.0.1:9999/"), "query", graphs=())


def test_workers_can_open_nothing(visitors: tuple[str, list[bytes]]) -> None:
    """Were a SERVICE overlooked, it would still reach nothing."""
    url, seen = visitors
    with cut_off(), pytest.raises(OSError, match="open files"):
        pyoxigraph.Store().query(f"ASK {{ SERVICE <{url}> {{ ?s ?p ?o }} }}")
    assert not seen
    with open("/dev/null"):  # noqa: PTH123 -- afterwards files can be opened again
        pass


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o } #SERVICE <a:b> {",
        "SELECT ?service ?Service { ?service ?Service ?o } LIMIT 1",
        "SELECT * { ?s ?p 'SERVICE <a:b> { }' } LIMIT 1",
        "PREFIX service: <urn:service:> SELECT * { service:service ?SERVICE <urn:SERVICE> }",
        "SELECT * { ?s ?p 'x'@service }",
    ],
)
def test_the_word_service_may_stand_elsewhere(client: httpx.Client, query: str) -> None:
    assert get(client, query.replace("} #", "} LIMIT 1 #")).status_code == 200


NEVER_ENDING = [
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "SELECT (COUNT(*) AS ?n) { ?s (!<a:a>|^!<a:b>)* ?o . ?o (!<a:a>)* ?x }",
    "ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(CONCAT(STR(?a), STR(?d)) = STR(?g)) }",
]


@pytest.mark.parametrize("query", [NEVER_ENDING[0], *(pytest.param(query, marks=pytest.mark.slow) for query in NEVER_ENDING[1:])])
def test_a_query_that_runs_too_long_is_stopped(client: httpx.Client, query: str) -> None:
    assert "takes longer than a request may take (4 seconds)" in refusal(get(client, query), 503)
    assert get(client, "ASK {}").json()["boolean"] is True


@pytest.mark.slow
def test_a_query_that_needs_too_much_memory_is_stopped(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--workers", "1", "--time-limit", "60") as running,
        httpx.Client(base_url=running.address, timeout=300, trust_env=False) as client,
    ):
        said = refusal(get(client, "SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY ?a"), 503)
        assert "probably because it needs too much memory" in said
        assert get(client, "ASK {}").json()["boolean"] is True


def test_an_answer_that_is_too_large_is_no_answer(client: httpx.Client) -> None:
    assert "its answer has more than 8 MiB; ask for less" in refusal(get(client, "SELECT * { GRAPH ?g { ?s ?p ?o } }"), 400)
    assert "more than 8 MiB" in refusal(get(client, "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }"), 400)
    long = (
        "SELECT (REPLACE(REPLACE(REPLACE('" + "a" * 1000 + "', 'a', '" + "a" * 1000 + "'), 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa') AS ?x) {}"
    )
    assert get(client, long).status_code in (400, 503)
    assert get(client, "ASK {}").json()["boolean"] is True


def test_a_query_that_is_too_long(client: httpx.Client) -> None:
    response = client.post("/sparql", data={"query": "ASK {}" + " " * 20_000})
    assert "a query has at most 16,000 characters, and this one 20,006" in refusal(response, 400)


@pytest.mark.parametrize(
    "query",
    [
        "ASK {FILTER(" + "!" * 15_900 + "1)}",
        "ASK {FILTER(" + "(" * 7_900 + "1" + ")" * 7_900 + ")}",
        "ASK {" + "{" * 7_900 + "}" * 7_900 + "}",
        "SELECT * {BIND(1" + "+1" * 3_000 + " AS ?x)}",
        "ASK {FILTER REGEX('" + "a" * 3_000 + "', '" + "(a*)*" * 1_000 + "b')}",
        "ASK {FILTER REGEX('a', '((a{1000}){1000}){1000}')}",
        "SELECT * {VALUES ?x {" + "1 " * 7_900 + "}}",
        "SELECT * {?s " + "^" * 15_000 + "<a:b> ?o}",
        "",
        "\x00",
    ],
)
def test_deep_and_wide_queries(client: httpx.Client, query: str) -> None:
    assert client.post("/sparql", data={"query": query}).status_code in (200, 400)
    assert get(client, "ASK {}").json()["boolean"] is True


def test_too_many_at_once_are_told_to_come_again() -> None:
    class Slow:
        async def ask(self, _name: str, **_arguments: object) -> None:
            await asyncio.Event().wait()

    async def crowd() -> None:
        questions = _Questions(Settings())
        questions._pool = Slow()  # type: ignore[assignment]
        asked = [asyncio.create_task(questions.ask(text="ASK {}")) for _ in range(_AT_ONCE)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="8 queries are being answered already"):
            await questions.ask(text="ASK {}")
        asked[0].cancel()
        await asyncio.wait(asked[:1])
        place = asyncio.create_task(questions.ask(text="ASK {}"))
        await asyncio.sleep(0)
        assert not place.done()
        for task in (*asked, place):
            task.cancel()
        await asyncio.wait([*asked, place])

    run_apart(crowd())


def test_answers_are_json_of_the_standard(client: httpx.Client) -> None:
    document = json.loads(get(client, 'SELECT ?a ?b ?c { VALUES (?a ?b ?c) { (<a:b> "x"@en UNDEF) } }').text)
    assert document == {
        "head": {"vars": ["a", "b", "c"]},
        "results": {"bindings": [{"a": {"type": "uri", "value": "a:b"}, "b": {"type": "literal", "value": "x", "xml:lang": "en"}}]},
    }
