"""The page around a rule is one file that loads nothing, holds what it should and keeps what comes from outside apart from its program."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest

from lawmage.rulebook.graph import Edge, Place, RulesGraph
from lawmage.rulebook.model import GlossaryEntry, Node, Rulebook
from lawmage.rulebook.page import make_page
from lawmage.rulebook.store import load_graph

HOSTILE = """</script><script>alert(1)</script> "quotes" & 'more' <!-- @@style@@ \u2028 ]]>"""


class Page(HTMLParser):
    """The elements of a page with their attributes, and what stands in script and style."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {}
        self._open = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag
        self.inside.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = "" if tag else self._open

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inside[self._open][-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.inside["script"][0])


@pytest.fixture(scope="module")
def newest() -> RulesGraph:
    return load_graph("2026-08-07")


@pytest.fixture(scope="module")
def source(newest: RulesGraph) -> str:
    return make_page(newest, "702.2", 1, None)


def made() -> tuple[RulesGraph, Rulebook]:
    """A release whose every word is hostile."""
    places = (
        Place("1", "section", None, HOSTILE, ""),
        Place("100", "chapter", "1", HOSTILE, ""),
        Place("100.1", "rule", "100", "", "", ("",)),
        Place("100.2", "rule", "100", "", ""),
        Place(f"glossary:{HOSTILE}", "glossary entry", None, HOSTILE, ""),
    )
    nodes = (
        Node("1", "section", None, heading=HOSTILE),
        Node("100", "chapter", "1", heading=HOSTILE),
        Node("100.1", "rule", "100", text=HOSTILE, examples=(HOSTILE,)),
        Node("100.2", "rule", "100", text="Far away."),
    )
    edges = (Edge(f"glossary:{HOSTILE}", "text", "100.1", "defined by"), Edge("introduction", "text", "100", "cites"))
    book = Rulebook("2030-01-01", nodes, (GlossaryEntry(HOSTILE, HOSTILE),), "", "", ())
    return RulesGraph("2030-01-01", places, edges), book


def test_nothing_is_loaded(source: str) -> None:
    page = Page(source)
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "audio", "video", "source", "use", "image"), tag
        assert not {"src", "srcset", "data", "action", "formaction", "background", "poster"} & set(attributes), tag
        assert not any(name.startswith("on") or name == "style" for name in attributes), tag
        assert (attributes.get("href") or "#").startswith("#")
    addresses = set(re.findall(r"\w+://[^\"'\s]+", source))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of SVG, which is loaded from nowhere
    assert "url(" not in page.inside["style"][0]
    assert "@import" not in source
    assert not re.search(
        r"\b(fetch|XMLHttpRequest|WebSocket|import|eval|innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b", page.inside["script"][1]
    )


def test_the_policy_allows_its_own_program_and_nothing_else(source: str) -> None:
    page = Page(source)
    policy = next(attributes["content"] for tag, attributes in page.elements if tag == "meta" and "http-equiv" in attributes)
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "style-src": digest(page.inside["style"][0]),
        "script-src": digest(page.inside["script"][1]),
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_it_holds_the_release(newest: RulesGraph, source: str) -> None:
    data = Page(source).data
    numbers = [place[0] for place in data["places"]]
    assert set(numbers) == {*newest.by_number, "introduction"}
    found = {(numbers[source], numbers[target], data["kinds"][kind]) for source, target, kind in data["edges"]}
    assert found == {(edge.source, edge.target, edge.kind) for edge in newest.edges}
    parents = {number: numbers[parent] if parent >= 0 else None for number, _, parent, _ in data["places"]}
    assert all(parents[place.number] == place.parent for place in newest.places)
    assert (data["start"], data["depth"], data["texts"], data["installed"]) == ("702.2", 1, {}, False)


def test_words_from_outside_stay_words() -> None:
    graph, book = made()
    source = make_page(graph, "100.1", 1, book)
    page = Page(source)
    assert [tag for tag, _ in page.elements].count("script") == 2
    assert source.count("</script>") == 2
    assert source.count("</style>") == 1
    assert "<!--" not in source
    assert page.data["texts"]["100.1"] == [HOSTILE, [HOSTILE]]
    assert page.data["places"][0][1] == HOSTILE
    start = make_page(graph, f"glossary:{HOSTILE}", 1, book)
    assert [tag for tag, _ in Page(start).elements].count("script") == 2
    assert Page(start).inside["title"][0].startswith(HOSTILE)


def test_texts_of_what_is_shown() -> None:
    graph, book = made()
    data = Page(make_page(graph, f"glossary:{HOSTILE}", 1, book)).data
    # the entry, the rule that it points at, and what stands directly under what these stand under
    assert set(data["texts"]) == {f"glossary:{HOSTILE}", "100.1", "100.2"}
    assert data["installed"]


def test_every_kind_of_reference_has_a_look(newest: RulesGraph) -> None:
    script = (files("lawmage.rulebook") / "page" / "page.js").read_text(encoding="utf-8")
    styles = dict(re.findall(r'"([a-z ]+)": "(\w+)"', script.partition("const STYLES")[2].partition("\n")[0]))
    assert {edge.kind for edge in newest.edges} == set(styles)
    style = (files("lawmage.rulebook") / "page" / "page.css").read_text(encoding="utf-8")
    looks = {name: re.search(rf"^\.{name} {{ (.*) }}$", style, re.MULTILINE) for name in styles.values()}
    assert all(looks.values())
    assert len({look[1] for look in looks.values() if look}) == len(looks)


def test_elements_that_the_program_asks_for_exist(source: str) -> None:
    page = Page(source)
    ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    script = page.inside["script"][1]
    assert {*re.findall(r'\$\("(\w+)"\)', script), *re.findall(r'listen\("(\w+)"', script)} <= ids
    labels = {attributes.get("for") for tag, attributes in page.elements if tag == "label"}
    fields = {attributes["id"] for tag, attributes in page.elements if tag in ("input", "select")}
    assert fields <= labels


# ---------------------------------------------------------------- contrast (WCAG 2.2, 1.4.3 and 1.4.11)


def luminance(color: str) -> float:
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(scheme: str) -> None:
    style = (files("lawmage.rulebook") / "page" / "page.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in style.split("@media", 2)[:2])
    assert set(light) == set(dark)
    color = light if scheme == "light" else dark
    grounds = ("paper", "panel", "node", "focus")
    for words in ("ink", "soft"):
        assert all(contrast(color[words], color[ground]) >= 4.5 for ground in grounds), words
    assert all(contrast(color["link"], color[ground]) >= 4.5 for ground in ("paper", "panel"))
    for shape in ("line", "focus-line", "cites", "exception", "defined", "see"):
        assert contrast(color[shape], color["paper"]) >= 3, shape
