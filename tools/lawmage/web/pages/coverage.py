"""Which rules are encoded, which are out of scope and why, and which are open."""

from __future__ import annotations

from math import ceil

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from lawmage.errors import DataError, UnknownNameError
from lawmage.web.asking import ask
from lawmage.web.pages.links import Links, known_releases
from lawmage.web.pages.render import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
#: How many rules a page lists.
_RULES = 250
#: How many sentences that are not understood it lists of each kind.
_SENTENCES = 5


@router.get("/coverage")
async def coverage(request: Request) -> HTMLResponse:
    """Return how much of each chapter is encoded."""
    releases = await known_releases(request)
    document = (await ask(request, "coverage")).document
    cards, sentence = None, ""
    try:
        cards = (await ask(request, "coverage_cards", top=_SENTENCES)).document
    except DataError as error:  # the rules are covered as they are
        sentence = str(error)
    links = Links(document["release"], releases.newest)
    return page(request, "rules/coverage.html", covered=document, cards=cards, sentence=sentence, links=links)


@router.get("/coverage/{chapter}")
async def chapter_(request: Request, chapter: str, part: int = 1) -> HTMLResponse:
    """Return what is said of each rule of a chapter."""
    releases = await known_releases(request)
    document = (await ask(request, "coverage")).document
    found = next((each for each in document["chapters"] if each["number"] == chapter), None)
    if found is None:
        raise UnknownNameError(f'the release {document["release"]} has no rule in a chapter "{chapter}"')
    rules = [each for each in document["each"] if each["number"].partition(".")[0] == chapter]
    parts = max(ceil(len(rules) / _RULES), 1)
    part = min(max(part, 1), parts)
    values = {"chapter": found, "rules": rules[(part - 1) * _RULES : part * _RULES], "part": part, "parts": parts}
    return page(request, "rules/covered_chapter.html", **values, links=Links(document["release"], releases.newest))
