"""How much pages weigh as they are sent, when they are painted first, and how long judging takes until it is seen, in chromium.

python tests/bench/bench_pages.py [ROUNDS]

The first visit of each round has an empty cache. Times are milliseconds; medians, then the worst.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from playwright.sync_api import Browser, Page, Response, sync_playwright
from tests.bench.arguments import numbers
from tests.web.conftest import CHROMIUM, SWITCHES, Site, serving

from lawmage.web.pages.board_link import packed

PAINT = "performance.getEntriesByType('paint').find((one) => one.name === 'first-contentful-paint')?.startTime ?? 0"
SIDE = 10


def large_board() -> str:
    """Return the address of a board with ten creatures on each side, five of which attack."""
    names = [(f"{player.lower()}{number}", player) for player in "AD" for number in range(SIDE)]
    battlefield = {name: {"controller": player, "pt": "2/2", "keywords": ["menace"]} for name, player in names}
    attack = {f"a{number}": "D" for number in range(SIDE // 2)}
    return "/board?b=" + packed({"battlefield": battlefield, "attack": attack, "propose": {"blocks": {"d0": "a0"}}})


def visit(browser: Browser, site: Site, address: str) -> tuple[int, float]:
    """Return the bytes that a first visit loads, and when it was painted first."""
    context = browser.new_context(base_url=site.address)
    page = context.new_page()
    responses: list[Response] = []

    def note(response: Response) -> None:
        responses.append(response)

    page.on("response", note)
    page.goto(address, wait_until="networkidle")
    found = sum(response.request.sizes()["responseBodySize"] for response in responses), page.evaluate(PAINT)
    context.close()
    return found


def judged(page: Page, address: str) -> float:
    """Return the time from the press of the button until the verdict stands on the page."""
    page.goto(address)
    begun = perf_counter()
    page.click("#judge")
    page.wait_for_selector("#verdict-is")
    return (perf_counter() - begun) * 1000


def row(name: str, times: list[float], size: str = "") -> None:
    """Print one line."""
    print(f"{name:28} {size:>10} {statistics.median(times):8.0f} {max(times):8.0f}")


def main() -> None:
    """Print the figures."""
    (rounds,) = numbers(__doc__, rounds=7)
    boards = {"/board": "/board", "an example": "/board?example=lure-and-menace", f"{SIDE} v {SIDE}": large_board()}
    with tempfile.TemporaryDirectory() as home, serving(Path(home)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        print(f"{'first paint':28} {'bytes':>10} {'median':>8} {'worst':>8}")
        for name, address in {**boards, "/": "/", "/deck": "/deck", "/rules/702.2": "/rules/702.2"}.items():
            visits = [visit(browser, site, address) for _ in range(rounds)]
            row(name, [paint for _, paint in visits], f"{visits[0][0]:,}")
        page = browser.new_page(base_url=site.address)
        for name, address in boards.items():
            row(f"judge: {name}", [judged(page, address) for _ in range(rounds)])
        browser.close()


if __name__ == "__main__":
    main()
