"""The deck page in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from tests.web.conftest import Site

LIST = "Commander\n1 Isamaru, Hound of Konda\n\nDeck\n98 Plains\n1 Llanowar Elves\n"


def verdict(page: Page, wanted: str) -> str:
    from playwright.sync_api import expect

    expect(page.locator("#answer .badge").first).to_have_text(wanted, timeout=15_000)
    return page.locator("#answer").inner_text()


def test_a_list_is_pasted(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deck")
    page.fill("#text", LIST)
    page.click("#check")
    said = verdict(page, "illegal")
    assert "Llanowar Elves has green in its colour identity" in said
    assert "would make it legal" in said
    assert page.locator("#answer .reasons a.rule").all_inner_texts() == ["903.5c"]
    assert page.locator(".pip").all_inner_texts() == ["W"]
    assert page.input_value("#text") == LIST
    page.fill("#text", LIST.replace("98 Plains\n1 Llanowar Elves", "99 Plains"))
    page.click("#check")
    verdict(page, "legal")


def test_commanders_are_proposed_as_buttons(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deck")
    page.fill("#text", "1 Isamaru, Hound of Konda\n1 Kytheon, Hero of Akros // Gideon, Battle-Forged\n98 Plains\n")
    page.click("#check")
    page.get_by_role("button", name="Isamaru, Hound of Konda").click()
    assert "Isamaru, Hound of Konda" in verdict(page, "legal")
    assert page.input_value("#commander-1") == "Isamaru, Hound of Konda"


def test_a_file_is_dropped(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deck")
    page.evaluate(
        """(text) => {
          const brought = new DataTransfer();
          brought.items.add(new File([text], "mine.txt", { type: "text/plain" }));
          document.getElementById("text").dispatchEvent(new DragEvent("drop", { dataTransfer: brought, bubbles: true, cancelable: true }));
        }""",
        LIST,
    )
    assert "Llanowar Elves" in verdict(page, "illegal")
    assert page.input_value("#text") == LIST


def test_a_list_is_written_in_another_form(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deck")
    page.fill("#text", LIST)
    page.click("#check")
    verdict(page, "illegal")
    page.locator("#convert > summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="cockatrice").click()
    assert download.value.suggested_filename == "deck.cod"
    assert "<cockatrice_deck" in download.value.path().read_text(encoding="utf-8")


def test_names_that_nothing_has_are_listed_with_their_lines(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deck")
    page.fill("#text", "1 Isamru, Hound of Konda\n99 Plans\n")
    page.click("#check")
    page.wait_for_selector("#verdict-is")
    said = page.inner_text("#answer")
    assert 'line 1: no card is called "Isamru, Hound of Konda"; did you mean "Isamaru, Hound of Konda"?' in said
    assert "line 2:" in said


def test_a_list_that_is_too_large_is_told_of(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deck")
    page.fill("#text", LIST)
    told = '{"status": 413, "detail": "the request has 9,999,999 bytes; expected at most 1,048,576"}'
    page.route("**/deck", lambda route: route.fulfill(status=413, content_type="application/problem+json", body=told))
    page.click("#check")
    page.locator("#notice", has_text="expected at most 1,048,576").wait_for()
    assert page.input_value("#text") == LIST


def test_without_scripts(chromium: Browser, site: Site) -> None:
    from tests.web.conftest import opened

    with opened(chromium, site, java_script_enabled=False) as page:
        page.goto("/deck")
        page.fill("#text", LIST)
        page.click("#check")
        verdict(page, "illegal")
