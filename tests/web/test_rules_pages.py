"""The pages of the rulebook: each number has one, links lead somewhere, what is typed is never taken for HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag

import httpx
import pytest
from tests.shown_numbers import ungrouped
from tests.web.conftest import Site, serving

from lawmage.answers.coverage import coverage
from lawmage.answers.reading import contents, reading
from lawmage.keywords import load_keywords
from lawmage.rulebook.model import GlossaryEntry, Node, Rulebook
from lawmage.rulebook.store import choose_release, install, load_graph, shipped_releases
from lawmage.web.pages.links import Links, marked, name_of

NEWEST = "2026-08-07"
OLD, LATER = "2024-09-20", "2024-11-08"
#: A page of each sort.
PAGES = [
    "/rules",
    "/rules?release=2015-01-23",
    "/rules/glossary",
    "/rules/7",
    "/rules/702",
    "/rules/702.2",
    "/rules/702.2b",
    "/rules/702.2?release=2015-01-23",
    "/rules/glossary:Deathtouch",
    "/rules/702.2/history",
    "/rules/704/history",
    "/rules/glossary:Lethal%20Damage/history",
    "/rules/702.2/graph",
    "/rules/7/graph?part=2",
    "/rules/glossary:Deathtouch/graph",
    "/chain",
    "/chain?start=702.2&end=510.1",
    "/chain?start=510.1&end=702.2&release=2015-01-23",
    "/diff",
    "/diff?old=2015-01-23&new=2026-08-07&part=2",
    "/diff?old=2026-02-27&new=2026-04-17&kind=moved",
    "/translate",
    "/translate?number=702.21&start=2020-11-20",
    "/translate?number=510.1c&start=2024-09-20&end=2024-11-08",
    "/search",
    "/search?q=deathtouch",
    "/search?q=nothinglikeit+deathtouch",
    "/keywords",
    "/keywords?release=2015-01-23",
    "/keywords/menace",
    "/keywords/flashback",
    "/keywords/destroy",
    "/keywords/landwalk",
    "/locate",
    "/coverage",
    "/coverage/510",
    "/coverage/702?part=2",
    "/sparql",
]
HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "'; DROP TABLE rules; --",
    "{{ 7 * 7 }}",
    "%00\u202e\ufeff",
    "a" * 5000,
]
VOID = {"meta", "link", "input", "br", "img", "hr"}


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.address, timeout=60, trust_env=False, headers={"Accept": "text/html"}) as client:
        yield client


class Read(HTMLParser):
    """Reads a page, and finds fault with it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings = 0
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []
        assert len(set(self.ids)) == len(self.ids), [each for each in self.ids if self.ids.count(each) > 1]
        assert self.headings == 1

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attributes]
        assert len(set(names)) == len(names)
        assert not [name for name in names if name.startswith("on") or name == "style"]
        given = dict(attributes)
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if tag == "a":
            self.links.append(given["href"] or "")
        self.headings += tag == "h1"
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("ul", "ol"):
            assert "p" not in self.open

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> after {self.text[-100:]}"

    def handle_data(self, data: str) -> None:
        self.text += data


def read(client: httpx.Client, address: str, status: int = 200) -> Read:
    response = client.get(address)
    assert response.status_code == status, f"{address}: {response.text[-2000:]}"
    assert len(response.content) < 100_000, address
    return Read(response.text)


# ---------------------------------------------------------------- every page


@pytest.mark.parametrize("address", PAGES)
def test_each_page_is_well_formed_and_small(client: httpx.Client, address: str) -> None:
    page = read(client, address)
    assert all(link.startswith(("/", "#", "https://www.w3.org/")) for link in page.links)
    assert {urldefrag(link).fragment for link in page.links if link.startswith("#")} <= {*page.ids}


def numbers() -> list[str]:
    return [place.number for place in load_graph(NEWEST).places]


@pytest.mark.parametrize(
    "address",
    ["/coverage", "/coverage/702", "/diff?old=2015-01-23&new=2026-08-07", "/search?q=creature", "/rules", "/keywords", "/rules/7/graph"],
)
def test_large_numbers_have_separators(client: httpx.Client, address: str) -> None:
    assert ungrouped(re.sub(r"<[^>]*>", " ", client.get(address).text)) == []


def test_numbers_have_pages(client: httpx.Client) -> None:
    """Every 150th number, and the chapters with most under them."""
    for number in [*numbers()[::150], "1", "205", "701", "702", "704.5", "903"]:
        page = read(client, f"/rules/{quote(number, safe='')}")
        assert name_of(number) in page.text


@pytest.mark.slow
@pytest.mark.parametrize("page", ["", "/graph", "/history"])
def test_every_number_has_pages(client: httpx.Client, page: str) -> None:
    for number in numbers() if page != "/history" else numbers()[::10]:
        read(client, f"/rules/{quote(number, safe='')}{page}")


@pytest.mark.slow
def test_every_number_of_every_release_has_a_page(client: httpx.Client) -> None:
    for release in shipped_releases():
        for place in load_graph(release).places[::20]:
            read(client, f"/rules/{quote(place.number, safe='')}?release={release}")


@pytest.mark.slow
def test_every_keyword_and_chapter_has_a_page(client: httpx.Client) -> None:
    for keyword in load_keywords().values():
        assert keyword.name in read(client, f"/keywords/{quote(keyword.name)}").text.casefold()
    with_rules = {chapter["number"] for chapter in coverage().document["chapters"]}
    for section in contents().document["sections"]:
        for chapter in section["chapters"]:
            read(client, f"/coverage/{chapter['number']}", status=200 if chapter["number"] in with_rules else 404)


def follow(client: httpx.Client, step: int) -> int:
    found = sorted({urldefrag(link).url for address in PAGES for link in read(client, address).links if link.startswith("/")})
    for link in found[::step]:
        assert client.get(link).status_code == 200, link
    return len(found)


def test_links_lead_somewhere(client: httpx.Client) -> None:
    assert follow(client, 40) > 1000


@pytest.mark.slow
def test_every_link_leads_somewhere(client: httpx.Client) -> None:
    follow(client, 1)


# ---------------------------------------------------------------- what stands on them


def test_contents(client: httpx.Client) -> None:
    page = read(client, "/rules")
    assert "510 Combat Damage Step" in " ".join(page.text.split())
    assert "/rules/510" in page.links
    assert [option for option in shipped_releases() if option not in page.text] == []
    old = read(client, "/rules?release=2015-01-23")
    assert "/rules/510?release=2015-01-23" in old.links


def test_a_rule(client: httpx.Client) -> None:
    page = read(client, "/rules/702.2")
    text = " ".join(page.text.split())
    assert "702.2 Deathtouch" in text
    assert "The text isn't installed; download the rulebook from its publisher, then: lawmage data import FILE" in text
    assert "in short a creature it has damaged since the last check is destroyed, whatever the amount (704.5h)" in text
    assert "kb/keywords/702.002-deathtouch.ttl" in text
    assert {"/rules/704", "/rules/120.4a", "/rules/glossary:Deathtouch", "/rules/702.1", "/rules/702.3", "/rules/702"} <= {*page.links}
    assert {"/rules/702.2/history", "/rules/702.2/graph", "/keywords/deathtouch", "/rules/704.5h"} <= {*page.links}
    subrule = " ".join(read(client, "/rules/702.2b").text.split())
    assert "2 statements, each needed by a case" in subrule
    assert "702.2b-deathtouch" in subrule


def test_another_release_is_not_forgotten(client: httpx.Client) -> None:
    page = read(client, "/rules/702.2?release=2015-01-23")
    onward = [link for link in page.links if link.startswith("/rules/")]
    assert onward
    assert all(link.endswith("?release=2015-01-23") for link in onward)
    assert "This is the release of 2015-01-23" in page.text


def test_a_chain_as_on_the_command_line(client: httpx.Client) -> None:
    page = read(client, "/chain?start=702.2&end=510.1")
    assert "A shortest chain of references, 4 steps" in page.text
    assert [link for link in page.links if link in ("/rules/704", "/rules/117", "/rules/703", "/rules/510.1")] == [
        "/rules/704",
        "/rules/117",
        "/rules/703",
        "/rules/510.1",
    ]
    assert "No chain of references leads from 9 to glossary" not in page.text
    nowhere = read(client, "/chain?start=702.2&end=glossary:Deathtouch")
    assert "No chain of references leads from 702.2 to Deathtouch" in nowhere.text


def test_a_number_in_another_release(client: httpx.Client) -> None:
    page = read(client, "/translate?number=702.21&start=2020-11-20")
    text = " ".join(page.text.split())
    assert "702.21 of 2020-11-20 is 702.22 in 2026-08-07, with the same words" in text
    assert {"/rules/702.21?release=2020-11-20", "/rules/702.22"} <= {*page.links}


def test_history_without_texts_shows_what_changed(client: httpx.Client) -> None:
    text = " ".join(read(client, "/rules/510.1c/history").text.split())
    assert "2024-11-08 since 2024-09-20 510.1c reworded, examples changed" in text
    assert "For the words, install the text of 2024-09-20, 2024-11-08" in text


def test_search_marks_what_is_found(client: httpx.Client) -> None:
    response = client.get("/search", params={"q": "deatht*"})
    assert "<mark>Deathtouch</mark>" in response.text
    assert "titles, glossary terms and keywords alone" in response.text
    assert "searched for “deathtouch” instead" in client.get("/search", params={"q": "deathtuch"}).text


def test_keywords(client: httpx.Client) -> None:
    page = read(client, "/keywords")
    assert {f"/keywords/{quote(name.name)}" for name in load_keywords().values()} <= {*page.links}
    assert "/keywords/menace?release=2015-01-23" not in read(client, "/keywords?release=2015-01-23").links
    menace = " ".join(read(client, "/keywords/menace").text.split())
    assert "can't be blocked except by 2 or more (702.111b)" in menace
    assert "redundant (702.111c)" in menace


def test_coverage(client: httpx.Client) -> None:
    text = " ".join(read(client, "/coverage").text.split())
    assert re.search(r"out of scope ?1,\d{3} ", text)
    assert "in the release of 2026-08-07" in text
    assert "sentences that concern combat or deck building on 34,745 cards" in text
    assert re.search(r"static, conditional ?[1-9]\d\d \([1-9]\d\d\)", text)
    chapter = " ".join(read(client, "/coverage/510").text.split())
    assert re.search(r"510\.1c encoded \d+ \d+", chapter)


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        ("/rules/702.999", 404, 'the release 2026-08-07 has no rule "702.999"; did you mean'),
        ("/rules/nonsense/graph", 404, 'has no rule "nonsense"'),
        ("/rules/702.2?release=1999-01-01", 404, "there is no release 1999-01-01; the oldest known is 2015-01-23"),
        ("/rules?release=../../etc/passwd", 422, '"../../etc/passwd" is not a release, which is named by its date; the newest known is '),
        ("/rules/../../etc/passwd", 404, "there is nothing at /etc/passwd"),
        ("/rules/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 404, "has no rule"),
        ("/chain?start=702.2&end=702.999", 404, 'has no rule "702.999"'),
        ("/diff?old=2015-01-24", 404, "there is no release 2015-01-24; the nearest are 2015-01-23 and 2016-08-26"),
        ("/translate?number=999.1&start=2015-01-23", 404, 'the release 2015-01-23 has no rule "999.1"'),
        ("/keywords/menacing", 404, 'there is no keyword "menacing"; did you mean "menace"?'),
        ("/keywords/menace?release=2015-01-23", 404, "menace has no rule in the release of 2015-01-23; its first is that of 2016-08-26"),
        ("/coverage/999", 404, 'has no rule in a chapter "999"'),
        ("/diff?part=x", 422, "part: input should be a valid integer"),
    ],
)
def test_errors_are_the_sentences_of_the_command_line(client: httpx.Client, address: str, status: int, sentence: str) -> None:
    page = read(client, address, status)
    assert sentence in page.text
    assert "problem" in page.ids


def test_a_passage_without_texts(client: httpx.Client) -> None:
    response = client.post("/locate", data={"text": "A creature with deathtouch is a creature with deathtouch."})
    assert response.status_code == 503
    assert "no text of a release is installed" in Read(response.text).text
    assert client.post("/locate", data={"text": " "}).status_code == 422
    assert client.post("/locate", files={"text": ("x.txt", b"\xff\xfe")}).status_code == 422


@pytest.mark.parametrize("typed", HOSTILE)
def test_what_is_typed_is_never_html(client: httpx.Client, typed: str) -> None:
    for address in (
        "/search?q={}",
        "/rules/{}",
        "/chain?start={0}&end={0}",
        "/translate?number={}",
        "/keywords/{}",
        "/diff?old={}&kind={}",
    ):
        response = client.get(address.format(quote(typed), quote(typed)))
        assert response.status_code in (200, 404, 414, 422), (address, response.status_code)
        if response.status_code != 414:
            page = Read(response.text)
            assert "alert(1)</script>" not in response.text
            assert "<img" not in response.text
            assert "49" not in page.text or "{{" not in typed
    assert client.post("/locate", data={"text": typed * 20}).status_code in (422, 503)


# ---------------------------------------------------------------- with texts


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server whose user has installed texts: made-up ones, of some rules."""
    home = tmp_path_factory.mktemp("texts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWMAGE_HOME", str(home))
        for release, words in ((OLD, "one after the other"), (LATER, "all at once"), (NEWEST, "all at once")):
            install(made_up(release, words), (), (), file="made-up.txt")
    with serving(home, "--workers", "1") as running, httpx.Client(base_url=running.address, timeout=60, trust_env=False) as client:
        yield client


def made_up(release: str, words: str) -> Rulebook:
    node = Node("510.1c", "subrule", "510.1", text=f"The machines <count> their sparks {words}, as in rule 702.2b and rule 704.")
    nodes = (
        Node("5", "section", None, "Turn Structure"),
        Node("510", "chapter", "5", "Combat Damage Step"),
        Node("510.1", "rule", "510", text="This made-up rule says that a machine counts what it has."),
        node._replace(examples=("A machine of the second kind counts to three, and another one to four.",)),
        Node("7", "section", None, "Additional Rules"),
        Node("702", "chapter", "7", "Keyword Abilities"),
        Node("702.2", "rule", "702", "Deathtouch"),
        Node("702.2b", "subrule", "702.2", text="The machine <b>stops</b> & see rule 704 and section 7; not 999.9."),
    )
    return replace(
        Rulebook(release, nodes, (GlossaryEntry("Deathtouch", "What a machine has that stops others."),), "", "", ()), title="Made up"
    )


def test_texts_are_shown_with_their_links(texts: httpx.Client) -> None:
    response = texts.get("/rules/702.2")
    page = Read(response.text)
    assert "The machine <b>stops</b> & see rule 704 and section 7; not 999.9." in page.text
    assert "<b>stops" not in response.text
    assert 'rule <a class="rule" href="/rules/704">704</a> and section 7; not 999.9.' in response.text
    assert "isn't installed" not in page.text
    assert "isn't installed" in texts.get("/rules/702.2?release=2015-01-23").text
    combat = Read(texts.get("/rules/510.1").text).text
    assert "a machine counts what it has" in combat
    assert "Example: A machine of the second kind" in " ".join(combat.split())
    assert "What a machine has" in texts.get("/rules/glossary:Deathtouch").text


def test_words_that_changed_are_marked(texts: httpx.Client) -> None:
    for address in ("/rules/510.1c/history", f"/diff?old={OLD}&new={LATER}"):
        response = texts.get(address)
        Read(response.text)
        assert "<del>one after the other</del> <ins>all at once</ins>," in response.text, address
        assert "&lt;count&gt;" in response.text
        assert f'<a class="rule" href="/rules/702.2b?release={LATER}">702.2b</a>' in response.text


def test_texts_are_searched_and_passages_found(texts: httpx.Client) -> None:
    found = texts.get("/search", params={"q": "sparks"})
    assert "&lt;count&gt; their <mark>sparks</mark> all at once" in found.text
    passage = "The machines count their sparks one after the other, as in rule and rule."
    response = texts.post("/locate", data={"text": passage})
    page = Read(response.text)
    assert response.status_code == 200
    assert "1 of 1 passages located" in page.text
    assert f"/rules/510.1c?release={OLD}" in page.links


# ---------------------------------------------------------------- pieces


def test_links_name_the_release_only_if_it_is_not_the_newest() -> None:
    links = Links(NEWEST, NEWEST)
    assert links.url("702.2b", "graph") == "/rules/702.2b/graph"
    assert links.in_release(OLD).url("glossary:You, Your") == f"/rules/glossary:You%2C%20Your?release={OLD}"
    assert links.at() == links.at(first=False) == ""
    assert links.in_release(OLD).at(first=False) == f"&release={OLD}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see rule 702.2b.", 'see rule <a class="rule" href="/rules/702.2b">702.2b</a>.'),
        ("rules 601.2f–h", 'rules <a class="rule" href="/rules/601.2f">601.2f</a>–h'),
        ("rule 704, section 7", 'rule <a class="rule" href="/rules/704">704</a>, section <a class="rule" href="/rules/7">7</a>'),
        ("704 cards, 3.14, 1.702.2, 702.2.1 and 100/100", "704 cards, 3.14, 1.702.2, 702.2.1 and 100/100"),
        ("<b>\n&", "&lt;b&gt;<br>&amp;"),
    ],
)
def test_numbers_in_texts_are_links(text: str, expected: str) -> None:
    assert Links(NEWEST, NEWEST).prose(text) == expected


def test_only_known_numbers_are_links_where_they_are_known() -> None:
    assert Links(NEWEST, NEWEST).prose("702.2b and 704.5h", ["704.5h"]) == '702.2b and <a class="rule" href="/rules/704.5h">704.5h</a>'


def test_marks_stand_where_they_belong() -> None:
    assert marked("<a>bc", [(3, 4), (0, 1), (0, 2)]) == "<mark>&lt;</mark>a&gt;<mark>b</mark>c"


def test_pieces_of_changed_texts() -> None:
    links = Links(NEWEST, NEWEST)
    pieces = [("equal", "See rule"), ("delete", " 702.1"), ("insert", " 702.2"), ("equal", " <now>")]
    assert links.words(pieces, links.in_release(OLD)) == (
        f'See rule <del><a class="rule" href="/rules/702.1?release={OLD}">702.1</a></del> '
        '<ins><a class="rule" href="/rules/702.2">702.2</a></ins> &lt;now&gt;'
    )


def test_reading_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    part = reading("rule 702.2").document
    assert (part["number"], part["kind"], part["title"]) == ("702.2", "rule", "Deathtouch")
    assert [each["number"] for each in part["above"]] == ["7", "702"]
    assert (part["previous"], part["next"]) == ("702.1", "702.3")
    assert [each["number"] for each in part["parts"]][:3] == ["702.2", "702.2a", "702.2b"]
    assert part["cites"] == [{"number": "704", "heading": "State-Based Actions", "kinds": ["cites"], "here": ["702.2b"]}]
    assert [each["number"] for each in part["cited_by"]] == ["120.4a", "glossary:Deathtouch"]
    assert part["keyword"] == "deathtouch"
    assert reading("100.1").document["previous"] is None
    assert reading("702.2", release="2015-01-23").document["encoded_by"] == []
    for number in ("1", "9"):
        assert all(end["number"] in load_graph().by_number for end in reading(number).document["cited_by"])


def test_contents_of_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path))
    document = contents().document
    assert document["release"] == choose_release()
    assert len(document["sections"]) == 9
    chapters = {chapter["number"]: chapter for section in document["sections"] for chapter in section["chapters"]}
    assert chapters["510"]["heading"] == "Combat Damage Step"
    assert sum(chapter["rules"] for chapter in chapters.values()) == sum(
        place.kind in ("rule", "subrule") for place in load_graph(document["release"]).places
    )
    assert {unquote(entry["number"]) for entry in document["glossary"]} >= {"glossary:Deathtouch"}
