"""How the pages look and weigh: contrast, the size of a phone, targets for a finger, and what is sent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.web.conftest import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response
    from tests.web.conftest import Site

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
PHONE = {"width": 360, "height": 740}
#: Pages by their address; of some, what is pressed there, and what shows that it is done.
PAGES = {
    "/": ("", ""),
    "/board": ("", ""),
    "/board?example=lure-and-menace": ("#judge", "#verdict-is"),
    "/board?example=trample-and-deathtouch": ("#judge", "#verdict-is"),
    "/board?example=must-attack": ("#judge", "#verdict-is"),
    "/deck": ("#check", "#sentence"),
}

#: Controls that are less than 24 px wide or high, and not links within a line of text (WCAG 2.2, 2.5.8).
SMALL = """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")].filter((one) => {
  if (!one.checkVisibility({ visibilityProperty: true }) || one.closest(".away, .skip, [aria-hidden=true]")) return false;
  const around = one.closest("label.check, label.chip, .segments label") || one, box = around.getBoundingClientRect();
  const alone = one.parentElement.textContent.trim() === one.textContent.trim();
  const inline = one.tagName === "A" && getComputedStyle(one).display === "inline" && !alone;
  return !inline && box.width && (box.width < 24 || box.height < 24);
}).map((one) => one.outerHTML.slice(0, 100))"""


def show(page: Page, address: str) -> None:
    page.goto(address)
    button, done = PAGES[address]
    if button:
        page.click(button)
        page.wait_for_selector(done)
        page.wait_for_timeout(100)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(chromium: Browser, site: Site, scheme: Literal["light", "dark"]) -> None:
    with opened(chromium, site, viewport={"width": 1280, "height": 900}, color_scheme=scheme, reduced_motion="reduce") as page:
        for address in PAGES:
            show(page, address)
            found: dict[str, Any] = page.evaluate(CONTRAST)
            assert found["count"] > 15
            assert found["low"] == [], address


def test_a_phone_shows_all_without_moving_sideways_and_fingers_hit(chromium: Browser, site: Site) -> None:
    with opened(chromium, site, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        for address in PAGES:
            show(page, address)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
            assert page.evaluate(SMALL) == [], address


def test_pages_weigh_little(browser_page: Page) -> None:
    """Of what a first visit loads: bytes as they are sent, headers left out."""
    for address in ("/board?example=lure-and-menace", "/deck"):
        responses: list[Response] = []

        def note(response: Response, seen: list[Response] = responses) -> None:
            seen.append(response)

        browser_page.on("response", note)
        browser_page.goto(address, wait_until="networkidle")
        browser_page.remove_listener("response", note)
        sizes = [response.request.sizes()["responseBodySize"] for response in responses]
        assert len(sizes) >= 5
        assert sum(sizes) < 100_000


def test_each_page_has_one_heading_landmarks_and_a_way_past_the_top(browser_page: Page) -> None:
    for address in PAGES:
        browser_page.goto(address)
        assert browser_page.locator("h1").count() == 1, address
        assert browser_page.title().endswith("lawmage"), address
        for landmark in ("banner", "navigation", "main", "contentinfo"):
            assert browser_page.get_by_role(landmark).count() == 1, (address, landmark)
        browser_page.keyboard.press("Tab")
        assert browser_page.evaluate("document.activeElement.className") == "skip"
        unnamed = browser_page.evaluate(
            "[...document.querySelectorAll('input:not([type=hidden]), select, textarea:not([hidden])')]"
            ".filter((one) => !one.labels.length && !one.ariaLabel).map((one) => one.outerHTML)"
        )
        assert unnamed == [], address
