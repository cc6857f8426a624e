"""The board page in a real browser: a combat is put on the table by hand, judged, mended and judged again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from tests.web.conftest import Site

LURE = "All creatures able to block this creature do so."


def verdict(page: Page, wanted: str) -> str:
    """Wait for a verdict, and return what is said of it."""
    from playwright.sync_api import expect

    expect(page.locator("#verdict .badge").first).to_have_text(wanted, timeout=15_000)
    return page.locator("#verdict").inner_text()


def add(page: Page, side: str, **typed: str) -> None:
    """Type a creature in, and press Add."""
    panel = page.locator(f"#{side}-adding")
    if panel.get_attribute("open") is None:
        panel.locator("summary").first.click()
    cards = page.locator(".card").count()
    for field, text in typed.items():
        if not page.locator(f"#{side}-{field}").is_visible():
            page.locator(f"#{side}-more > summary").click()
        page.fill(f"#{side}-{field}", text)
    page.click(f"#{side}-add")
    until(page, f"document.querySelectorAll('.card').length > {cards}")
    settle(page)


def until(page: Page, expression: str) -> None:
    """Wait until an expression holds; the page's policy forbids what `wait_for_function` does."""
    for _ in range(750):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"this never holds: {expression}")


def settle(page: Page) -> None:
    """Wait until htmx has swapped what was asked for last."""
    until(page, "!document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added')")


def press(page: Page, label: str) -> None:
    """Click the choice that is called `label`."""
    page.get_by_role("checkbox", name=label, exact=True).click(force=True)
    settle(page)


def lure_and_menace(page: Page) -> None:
    """Build the board: an attacker with menace that all able creatures block, one more, and three who may block."""
    page.goto("/board")
    add(page, "p0", size="3/3", keywords="menace", text=LURE, **{"name-it": "Lure"})
    add(page, "p0", size="2/2", **{"name-it": "Bear"})
    add(page, "p1", size="1/1", **{"name-it": "Elf"})
    add(page, "p1", size="1/4", count="2", **{"name-it": "Guard"})


def test_lure_and_menace_is_built_judged_mended_and_judged(browser_page: Page) -> None:
    page = browser_page
    lure_and_menace(page)
    press(page, "Elf blocks Bear")
    page.click("#judge")
    said = verdict(page, "illegal")
    assert "This block is not legal" in said
    assert "exactly 1 legal block" in said
    assert {"509.1c"} <= set(page.locator("#verdict .reasons a.rule").all_inner_texts())
    assert page.locator("#verdict .reasons a.rule").first.get_attribute("href") == "/rules/509.1c"
    assert page.locator("svg.lines path.better").count() == 3
    assert page.locator("svg.lines path.now").count() == 1
    page.click("#apply-better")
    said = verdict(page, "legal")
    assert "What combat does" in said
    assert page.locator("svg.lines path.now").count() == 3
    assert page.locator("svg.lines path.better").count() == 0
    assert page.get_by_role("checkbox", name="Elf blocks Lure").is_checked()
    assert not page.get_by_role("checkbox", name="Elf blocks Bear").is_checked()


def test_a_changed_block_is_judged_again_at_once(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board?example=must-be-blocked")
    page.click("#judge")
    verdict(page, "illegal")
    press(page, "Elf blocks Brute")
    assert "702.111b" in verdict(page, "illegal")
    press(page, "Bear blocks Brute")
    verdict(page, "legal")


def test_a_block_is_drawn_with_the_pointer(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board?example=must-be-blocked")
    page.wait_for_selector(".grip", state="attached")
    blocker = page.locator(".card", has=page.get_by_role("heading", name="Elf"))
    grip, attacker = blocker.locator(".grip").bounding_box(), page.locator("#o0").bounding_box()
    assert grip is not None
    assert attacker is not None
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(attacker["x"] + 40, attacker["y"] + 60, steps=4)
    assert page.locator("path.drawing").count() == 1
    page.mouse.up()
    settle(page)
    page.wait_for_selector("svg.lines path.now", state="attached")
    assert page.get_by_role("checkbox", name="Elf blocks Brute").is_checked()


def test_an_attack_is_judged_and_what_it_attacks_is_chosen(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board?example=must-attack")
    page.click("#judge")
    assert "508.1d" in verdict(page, "illegal")
    page.get_by_label("What Brute attacks").select_option("D")
    settle(page)
    until(page, "document.querySelectorAll('svg.lines path.attack').length == 1")
    page.click("#judge")
    # 701.15b: with two players there is nobody else to attack
    verdict(page, "legal")
    assert page.get_by_label("What Brute attacks").input_value() == "D"


def test_blocks_are_asked_about_after_the_attack(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board")
    page.locator("#step-attack").check(force=True)
    page.wait_for_selector("#judge:has-text('Judge the attack')")
    settle(page)
    add(page, "p0", size="2/2", **{"name-it": "Bear"})
    add(page, "p1", size="2/2", **{"name-it": "Wolf"})
    page.click("#judge")
    verdict(page, "legal")
    page.locator("#step-block").check(force=True)
    page.wait_for_selector("#judge:has-text('Judge the blocks')")
    press(page, "Wolf blocks Bear")
    page.click("#judge")
    assert "Gone: Bear, Wolf" in verdict(page, "legal")


def test_lethal_is_a_button(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board?example=trample-and-deathtouch")
    page.click("#lethal")
    verdict(page, "no")
    page.fill("#p1-life", "4")
    page.keyboard.press("Tab")
    settle(page)
    page.click("#lethal")
    page.wait_for_selector("#verdict-is")
    assert page.input_value("#p1-life") == "4"


def test_a_shared_link_is_the_board(browser_page: Page) -> None:
    page = browser_page
    lure_and_menace(page)
    press(page, "Elf blocks Bear")
    until(page, "location.search.startsWith('?b=')")
    address = page.url
    assert page.input_value("#link") == address
    page.goto("/")
    page.goto(address)
    assert page.locator(".card h3 span").all_inner_texts() == ["Lure", "Bear", "Elf", "Guard", "Guard (2)"]
    assert page.get_by_role("checkbox", name="Elf blocks Bear").is_checked()
    page.click("#judge")
    verdict(page, "illegal")


def test_the_way_back_undoes_a_step(browser_page: Page) -> None:
    from playwright.sync_api import expect

    page = browser_page
    page.goto("/board?example=must-be-blocked")
    add(page, "p1", size="4/4")
    assert page.locator(".card").count() == 4
    page.go_back()
    expect(page.locator(".card")).to_have_count(3, timeout=15_000)


def test_a_card_is_found_as_one_types(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board")
    field = page.locator("#p0-card")
    field.fill("grizzly be")
    option = page.get_by_role("option", name="Grizzly Bears")
    option.wait_for()
    assert field.get_attribute("aria-expanded") == "true"
    field.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == option.get_attribute("id")
    assert option.get_attribute("aria-selected") == "true"
    field.press("Enter")
    assert field.input_value() == "Grizzly Bears"
    assert field.get_attribute("aria-expanded") == "false"
    field.press("Enter")
    page.wait_for_selector(".card")
    assert "Grizzly Bears" in page.locator(".card").inner_text()
    assert "2/2" in page.locator(".card").inner_text()


def test_a_keyword_is_completed_after_the_comma(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board")
    field = page.locator("#p0-keywords")
    field.fill("flying, men")
    page.get_by_role("option", name="menace").click()
    assert field.input_value() == "flying, menace"


def test_a_misspelt_card_gets_the_sentence_of_the_command_line_and_stays_typed(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board?example=must-be-blocked")
    page.locator("#p1-adding > summary").click()
    page.fill("#p1-card", "Grizly Bers")
    page.click("#p1-add")
    page.wait_for_selector("#sentence")
    assert 'did you mean "Grizzly Bears"' in page.inner_text("#sentence")
    assert page.input_value("#p1-card") == "Grizly Bers"
    assert page.locator(".card").count() == 3


def test_state_that_matters_is_set_on_the_card(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board?example=must-be-blocked")
    elf = page.locator(".card", has=page.get_by_role("heading", name="Elf"))
    elf.locator(".more > summary").click()
    elf.get_by_label("Counters").fill("+1/+1: 2")
    elf.get_by_label("Counters").press("Tab")
    elf.get_by_text("4/4").wait_for()
    settle(page)
    assert elf.locator(".more").get_attribute("open") is not None, "the details closed as the page was swapped"
    elf.get_by_label("tapped").check()
    elf.locator(".tag", has_text="tapped").wait_for()
    settle(page)
    page.click("#judge")
    # one of the two that could have blocked together is tapped, so that nothing has to block
    verdict(page, "legal")


def test_what_the_board_does_not_say_can_be_said(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board")
    add(page, "p0", size="4/4", text="This creature can't be blocked unless the moon is full.", **{"name-it": "Wolf"})
    add(page, "p1", size="0/4", **{"name-it": "Wall"})
    press(page, "Wall blocks Wolf")
    page.click("#judge")
    assert "the board does not say whether the moon is full" in verdict(page, "undecided")
    settle(page)
    wolf = page.locator("#o0")
    wolf.locator(".more > summary").click()
    wolf.get_by_label("What holds").fill("the moon is full")
    wolf.get_by_label("What holds").press("Tab")
    verdict(page, "legal")
    settle(page)
    wolf.get_by_label("What holds").fill("the sun is up")
    wolf.get_by_label("What holds").press("Tab")
    page.wait_for_selector("#sentence")
    assert 'Wolf has no open condition "the sun is up"' in page.inner_text("#sentence")
    assert wolf.get_by_label("What holds").input_value() == "the sun is up: yes", "what was typed is lost"


def test_an_attack_that_wins_is_applied(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board")
    page.locator("#step-attack").check(force=True)
    page.wait_for_selector("#judge:has-text('Judge the attack')")
    settle(page)
    page.fill("#p1-life", "3")
    page.press("#p1-life", "Tab")
    settle(page)
    add(page, "p0", size="4/4", keywords="flying", **{"name-it": "Dragon"})
    press(page, "Dragon attacks D")
    page.click("#lethal")
    verdict(page, "yes")
    page.click("#apply-lethal")
    verdict(page, "legal")
    assert page.get_by_role("checkbox", name="Dragon attacks D").is_checked()


def test_a_server_that_is_busy_is_told_of_and_the_board_stays(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board?example=must-be-blocked")
    page.route(
        "**/board",
        lambda route: route.fulfill(
            status=429, content_type="text/html", body='<p id="problem">64 requests are waiting already; ask again later</p>'
        ),
    )
    page.click("#judge")
    page.locator("#notice", has_text="ask again later").wait_for()
    assert page.locator(".card").count() == 3
    page.unroute("**/board")
    page.click("#judge")
    verdict(page, "illegal")
    assert page.inner_text("#notice") == ""


def test_a_file_is_loaded_and_saved(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board")
    page.locator("#file > summary").click()
    page.set_input_files(
        "#load-file",
        {"name": "mine.yaml", "mimeType": "application/yaml", "buffer": b"battlefield: {x: {controller: A, pt: 2/2}}\nattack: [x]"},
    )
    page.get_by_role("button", name="Load").click()
    page.wait_for_selector(".card")
    page.locator("#file > summary").click()
    with page.expect_download() as download:
        page.click("#save")
    saved = download.value.path().read_text(encoding="utf-8")
    assert download.value.suggested_filename == "board.yaml"
    assert "x: {controller: A, pt: 2/2}" in saved


def test_a_bad_file_is_refused_with_its_line(browser_page: Page) -> None:
    page = browser_page
    page.goto("/board")
    page.locator("#file > summary").click()
    page.fill("#load-text", "battlefield:\n  x: {controller: A, pt: 2/2, keyword: [menace]}")
    page.get_by_role("button", name="Load").click()
    page.wait_for_selector("#sentence")
    assert re.search(r"the pasted text:2: .*did you mean \"keywords\"\?", page.inner_text("#sentence"))
    assert "keyword: [menace]" in page.input_value("#load-text")


def test_with_the_keyboard_alone(browser_page: Page) -> None:
    """The whole way with Tab, arrows, Space and Enter: the focus is seen at each stop, and is where one was after each swap."""
    page = browser_page
    page.goto("/board")
    focused = "document.activeElement.id"

    def tab_to(identity: str) -> None:
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate(focused) == identity:
                assert page.evaluate("document.activeElement.matches(':focus-visible')")
                return
        raise AssertionError(f"Tab does not lead to {identity}")

    tab_to("p0-size")
    page.keyboard.type("9/9")
    tab_to("p0-keywords")
    page.keyboard.type("men")
    page.get_by_role("option", name="menace").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.input_value("#p0-keywords") == "menace"
    page.keyboard.press("Enter")
    page.wait_for_selector("#o0")
    settle(page)
    assert page.evaluate(focused) == "p0-card", "after adding one goes on with the next card"
    tab_to("p1-size")
    page.keyboard.type("2/2")
    page.keyboard.press("Enter")
    page.wait_for_selector("#o1")
    settle(page)
    page.evaluate("document.getElementById('main').focus()")
    tab_to("o1-block-1")
    page.keyboard.press("Space")
    page.wait_for_selector(".card.blocking")
    settle(page)
    assert page.evaluate(focused) == "o1-block-1", "the swap lost the focus"
    tab_to("judge")
    page.keyboard.press("Enter")
    assert "702.111b" in verdict(page, "illegal")
    settle(page)
    assert page.evaluate(focused) == "verdict-is"
    tab_to("apply-nearest")
    page.keyboard.press("Enter")
    verdict(page, "legal")


def test_without_scripts(chromium: Browser, site: Site) -> None:
    from tests.web.conftest import opened

    with opened(chromium, site, java_script_enabled=False) as page:
        page.goto("/board")
        page.fill("#p0-size", "9/9")
        page.fill("#p0-keywords", "menace")
        page.press("#p0-keywords", "Enter")
        page.fill("#p1-size", "2/2")
        page.click("#p1-add")
        page.get_by_role("checkbox", name="2/2 blocks 9/9 menace").check(force=True)
        page.click("#judge")
        said = verdict(page, "illegal")
        assert "702.111b" in said
        page.click("#apply-nearest")
        verdict(page, "legal")
        page.locator("#share > summary").click()
        page.get_by_role("link", name="Open").click()
        assert page.get_by_role("checkbox", name="2/2 blocks 9/9 menace").is_checked() is False
        assert page.locator(".card").count() == 2
