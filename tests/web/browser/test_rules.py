"""The pages of the rulebook in a real browser: from 702.2 to 510.1 by links, in the graph, by the form and by keys alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.web.browser.test_board import until
from tests.web.browser.test_looks import CONTRAST, PHONE, SMALL
from tests.web.conftest import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from tests.web.conftest import Site

#: How 702.2 leads to 510.1.
WAY = ["704", "117", "703", "510.1"]
ADDRESSES = [
    "/rules",
    "/rules/glossary",
    "/rules/702",
    "/rules/510.1",
    "/rules/702.2?release=2015-01-23",
    "/rules/510.1c/history",
    "/rules/702.2/graph",
    "/chain?start=702.2&end=510.1",
    "/diff?old=2024-09-20&new=2024-11-08",
    "/translate?number=702.21&start=2020-11-20",
    "/search?q=deathtouch",
    "/keywords",
    "/keywords/flashback",
    "/locate",
    "/coverage",
    "/coverage/510",
    "/sparql?query=SELECT+*+%7B%3Fs+%3Fp+%3Fo%7D+LIMIT+5",
]
#: Without those that only repeat what others show.
SHORT = [address for address in ADDRESSES if address not in ("/rules/glossary", "/rules/702", "/keywords", "/coverage")]
UNNAMED = (
    "[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]"
    ".filter((one) => !one.labels.length && !one.ariaLabel).map((one) => one.outerHTML)"
)


def is_at(page: Page, address: str) -> None:
    page.wait_for_url(re.compile(re.escape(address) + "$"))


def rest(page: Page) -> None:
    """Wait until the graph has drawn what was asked for."""
    until(page, "!document.querySelector('#graph').hasAttribute('aria-busy') && !!document.querySelector('#chosen h2')")
    until(page, "!document.querySelector('#graph')._cyreg.cy.animated()")


def box(page: Page, number: str) -> dict[str, float] | None:
    """Return where a rule's box is on the screen, or None if it has none."""
    found: dict[str, float] | None = page.evaluate(
        """(id) => {
          const board = document.querySelector("#graph"), node = board._cyreg.cy.getElementById(id), at = board.getBoundingClientRect();
          return node.empty() ? null : { x: at.x + node.renderedPosition().x, y: at.y + node.renderedPosition().y };
        }""",
        number,
    )
    return found


def is_chosen(page: Page, number: str) -> None:
    until(page, f"document.querySelector('#chosen h2 a').innerText === '{number}'")


# ---------------------------------------------------------------- from 702.2 to 510.1


def test_by_links(browser_page: Page) -> None:
    page = browser_page
    page.goto("/rules")
    page.get_by_role("link", name="702 Keyword Abilities").click()
    page.get_by_role("link", name="702.2 Deathtouch").click()
    for number in WAY:
        page.get_by_role("region", name=re.compile("^Cites")).get_by_role("link", name=number, exact=True).click()
        is_at(page, f"/rules/{number}")
        assert page.locator("h1").inner_text().startswith(number)
    page.get_by_role("link", name="510.1c", exact=True).first.click()
    is_at(page, "/rules/510.1c")


def test_by_links_without_scripts(chromium: Browser, site: Site) -> None:
    with opened(chromium, site, java_script_enabled=False) as page:
        page.goto("/rules/702.2/graph")
        assert not page.locator("#walk").is_visible()
        for number in WAY:
            page.get_by_role("region", name=re.compile("^Cites")).get_by_role("link", name=number, exact=True).click()
            is_at(page, f"/rules/{number}/graph")
        page.goto("/search")
        page.get_by_role("searchbox").fill("menace")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("link", name="menace", exact=True).first.click()
        is_at(page, "/keywords/menace")


@pytest.fixture
def calm_page(chromium: Browser, site: Site) -> Iterator[Page]:
    """A window of somebody who wants no motion: the graph stands still at once."""
    with opened(chromium, site, viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as page:
        yield page


def test_in_the_graph(calm_page: Page) -> None:
    page = calm_page
    page.goto("/rules/702.2/graph")
    for number in WAY:
        rest(page)
        for _ in range(5):
            if box(page, number):
                break
            more = page.evaluate(
                "document.querySelector('#graph')._cyreg.cy.nodes('.more').filter((n) => n.data('side') === 'cites').last().id()"
            )
            click(page, more)
            rest(page)
        click(page, number)
        is_chosen(page, number)
    rest(page)
    assert [*page.locator("#chosen p").first.locator("a").all_inner_texts()] == ["702.2", *WAY]
    click(page, "510.1")
    is_at(page, "/rules/510.1")


def click(page: Page, number: str) -> None:
    """Click a box of the graph, moving the graph first if the box lies outside."""
    # The graph notes with the next picture that the window was scrolled.
    page.evaluate(
        """async (id) => {
          const board = document.querySelector("#graph"), graph = board._cyreg.cy;
          board.scrollIntoView({ block: "center" });
          graph.center(graph.getElementById(id));
          for (let pictures = 0; pictures < 3; pictures += 1) await new Promise(requestAnimationFrame);
        }""",
        number,
    )
    place = box(page, number)
    assert place is not None
    page.mouse.click(place["x"], place["y"])


def test_in_the_list_beside_the_graph(browser_page: Page) -> None:
    page = browser_page
    page.goto("/rules/702.2/graph")
    for number in WAY:
        rest(page)
        page.locator(f"#chosen a[data-walk='{number}']").first.click()
        is_chosen(page, number)
        assert box(page, number) is not None
    assert page.url.endswith("/rules/702.2/graph")


def test_by_the_form(browser_page: Page) -> None:
    page = browser_page
    page.goto("/rules/702.2")
    page.get_by_role("link", name="Chain from here").click()
    assert page.get_by_label("From").input_value() == "702.2"
    page.get_by_label("To", exact=True).fill("rule 510.1")
    page.get_by_role("button", name="Show the chain").click()
    steps = page.locator("ol.chain > li")
    assert steps.count() == 5
    assert [steps.nth(index).locator("a").last.inner_text() for index in range(5)] == ["702.2", *WAY]
    page.goto("/rules/702.2/graph")
    page.get_by_label("How does 702.2 lead to").fill("510.1")
    page.get_by_role("button", name="Show the chain").click()
    is_at(page, "/chain?start=702.2&end=510.1")


def test_by_keys_alone(calm_page: Page) -> None:
    page = calm_page
    page.goto("/rules/702.2/graph")
    rest(page)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "graph":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for number in WAY:
        page.keyboard.press("ArrowRight")
        seek(page, number)
        page.keyboard.press("Enter")
        until(page, f"document.querySelector('#graph')._cyreg.cy.getElementById('{number}').hasClass('expanded')")
        rest(page)
        is_chosen(page, number)
    page.keyboard.press("0")
    page.keyboard.press("o")
    is_at(page, "/rules/510.1")


def seek(page: Page, number: str) -> None:
    """Go up and down a column of the graph to a number, and have more shown where it ends before that."""
    for _ in range(60):
        told = page.locator("#chosen").inner_text()
        if re.match(rf"{re.escape(number)}\b(?!\.)", told):
            return
        place = box(page, number)
        if place is None and told.endswith("shows them"):
            page.keyboard.press("Enter")
            rest(page)
            continue
        current = page.evaluate("document.querySelector('#graph')._cyreg.cy.nodes('.chosen').first().id()")
        here = box(page, current)
        assert here is not None
        page.keyboard.press("ArrowDown" if place is None or place["y"] > here["y"] else "ArrowUp")
    raise AssertionError(f"{number} is not found by keys")


# ---------------------------------------------------------------- searching


def test_results_come_as_one_types(browser_page: Page) -> None:
    page = browser_page
    page.goto("/rules")
    page.get_by_role("link", name="Search", exact=True).click()
    page.locator("#q:focus").wait_for()
    page.keyboard.type("deathtou", delay=5)
    page.get_by_role("link", name="deathtouch", exact=True).first.wait_for()
    assert page.evaluate("document.activeElement.id") == "q"
    assert page.url.endswith("/search?q=deathtou&release=")
    page.keyboard.press("Control+A")
    page.keyboard.type("trample", delay=5)
    page.get_by_role("link", name="trample", exact=True).first.wait_for()
    assert page.locator("#results mark").first.inner_text().lower() == "trample"
    page.get_by_label("Release").select_option("2015-01-23")
    page.get_by_text("found in the release of 2015-01-23").wait_for()


# ---------------------------------------------------------------- looks


@pytest.mark.parametrize(
    ("scheme", "addresses"),
    [
        ("light", SHORT[::2]),
        ("dark", SHORT[1::2]),
        pytest.param("light", ADDRESSES, marks=pytest.mark.slow),
        pytest.param("dark", ADDRESSES, marks=pytest.mark.slow),
    ],
)
def test_text_stands_out_and_all_has_a_name(chromium: Browser, site: Site, scheme: Literal["light", "dark"], addresses: list[str]) -> None:
    with opened(chromium, site, viewport={"width": 1280, "height": 900}, color_scheme=scheme, reduced_motion="reduce") as page:
        for address in addresses:
            show(page, address)
            found: dict[str, Any] = page.evaluate(CONTRAST)
            assert found["count"] > 10
            assert found["low"] == [], address
            assert page.locator("h1").count() == 1, address
            assert page.title().endswith("lawmage"), address
            assert page.evaluate(UNNAMED) == [], address


def test_a_phone_shows_all_without_moving_sideways_and_fingers_hit(chromium: Browser, site: Site) -> None:
    with opened(chromium, site, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        for address in ADDRESSES:
            show(page, address)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
            assert page.evaluate(SMALL) == [], address
        page.goto("/rules/702.2/graph")
        rest(page)
        page.locator("#graph").scroll_into_view_if_needed()
        place = box(page, "704")
        assert place is not None
        page.touchscreen.tap(place["x"], place["y"])
        is_chosen(page, "704")


def show(page: Page, address: str) -> None:
    page.goto(address)
    if "graph" in address:
        rest(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def test_the_graph_follows_the_scheme(browser_page: Page) -> None:
    page = browser_page
    color = "document.querySelector('#graph')._cyreg.cy.nodes().first().style('color')"
    page.goto("/rules/702.2/graph")
    rest(page)
    light = page.evaluate(color)
    page.emulate_media(color_scheme="dark")
    until(page, f"{color} !== {light!r}")
