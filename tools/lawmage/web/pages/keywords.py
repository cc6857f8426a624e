"""The keywords: all of them, and what is known of each."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from lawmage.web.asking import ask
from lawmage.web.pages.links import Links, known_releases
from lawmage.web.pages.render import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/keywords")
async def keywords(request: Request, release: str | None = None) -> HTMLResponse:
    """Return all keywords of a release."""
    releases = await known_releases(request)
    document = (await ask(request, "keywords", release=release or None)).document
    links = Links(release or releases.newest, releases.newest)
    kinds = sorted({kind for each in document["keywords"] for kind in each["kind"]})
    return page(request, "rules/keywords.html", keywords=document["keywords"], kinds=kinds, links=links, releases=releases)


@router.get("/keywords/{name:path}")
async def keyword(request: Request, name: str, release: str | None = None) -> HTMLResponse:
    """Return a keyword: what it is, what it costs, what it imposes, its rules."""
    releases = await known_releases(request)
    answered = await ask(request, "keyword", name=name, release=release or None)
    links = Links(answered.document["release"], releases.newest)
    status = 200 if answered.status == 0 else 404
    return page(request, "rules/keyword.html", status_code=status, keyword=answered.document, links=links, releases=releases)
