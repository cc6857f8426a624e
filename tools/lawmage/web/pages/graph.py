"""What cites what, as a graph to walk and as lists of the same links; and how one rule leads to another."""

from __future__ import annotations

from math import ceil
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from lawmage.errors import LawmageError
from lawmage.web.asking import ask
from lawmage.web.pages.links import Links, known_releases, name_of
from lawmage.web.pages.render import page
from lawmage.web.problems import status_of

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
#: How many references each way a page lists.
_LISTED = 150


@router.get("/rules/{number:path}/graph")
async def neighbours(request: Request, number: str, release: str | None = None, part: int = 1) -> HTMLResponse:
    """Return what a part cites and what cites it."""
    releases = await known_releases(request)
    document = (await ask(request, "reading", number=number, release=release or None)).document
    links = Links(document["release"], releases.newest)
    parts = max(ceil(len(document[side]) / _LISTED) for side in ("cites", "cited_by")) or 1
    part = min(max(part, 1), parts)
    listed = slice((part - 1) * _LISTED, part * _LISTED)
    return page(request, "rules/graph.html", rule=document, links=links, name_of=name_of, listed=listed, part=part, parts=parts)


@router.get("/chain")
async def chain(request: Request, start: str = "", end: str = "", release: str | None = None) -> HTMLResponse:
    """Return a shortest chain of references from one rule to another."""
    releases = await known_releases(request)
    chosen = release or releases.newest
    values: dict[str, Any] = {"start": start, "end": end, "links": Links(chosen, releases.newest), "releases": releases, "name_of": name_of}
    if not (start.strip() and end.strip()):
        return page(request, "rules/chain.html", chain=None, headings={}, sentence="", **values)
    try:
        document = (await ask(request, "path", start=start, end=end, release=release or None)).document
    except LawmageError as error:
        return page(request, "rules/chain.html", status_code=status_of(error), chain=None, headings={}, sentence=str(error), **values)
    headings = {}
    for number in document["path"]:
        headings[number] = (await ask(request, "reading", number=number, release=release or None)).document["title"]
    return page(request, "rules/chain.html", chain=document, headings=headings, sentence="", **values)
