"""The rulebook to read: its contents, its glossary, each part of it with what cites what."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from lawmage.web.asking import ask
from lawmage.web.pages import coverage, graph, history, keywords, search
from lawmage.web.pages.links import Links, known_releases, name_of
from lawmage.web.pages.render import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
#: How many references of a kind a page of a rule lists; the page of its graph lists all.
_LISTED = 40

# The pages about a part (/rules/702.2/history) come before the part itself, whose name may have a stroke in it.
for _subject in (search, keywords, coverage, history, graph):
    router.include_router(_subject.router)


@router.get("/rules")
async def contents(request: Request, release: str | None = None) -> HTMLResponse:
    """Return the sections and chapters."""
    releases = await known_releases(request)
    document = (await ask(request, "contents", release=release or None)).document
    links = Links(document["release"], releases.newest)
    return page(request, "rules/contents.html", document=document, links=links, releases=releases)


@router.get("/rules/glossary")
async def glossary(request: Request, release: str | None = None) -> HTMLResponse:
    """Return the terms of the glossary."""
    releases = await known_releases(request)
    document = (await ask(request, "contents", release=release or None)).document
    letters: dict[str, list[Any]] = {}
    for entry in document["glossary"]:
        first = entry["heading"][:1].upper()
        letters.setdefault(first if first.isalpha() else "0–9", []).append(entry)
    return page(
        request,
        "rules/glossary.html",
        letters=dict(sorted(letters.items())),
        links=Links(document["release"], releases.newest),
        releases=releases,
    )


@router.get("/rules/{number:path}")
async def rule(request: Request, number: str, release: str | None = None) -> HTMLResponse:
    """Return a section, chapter, rule, subrule or glossary entry."""
    releases = await known_releases(request)
    document = (await ask(request, "reading", number=number, release=release or None)).document
    links = Links(document["release"], releases.newest)
    return page(request, "rules/rule.html", rule=document, links=links, releases=releases, name_of=name_of, listed=_LISTED)
