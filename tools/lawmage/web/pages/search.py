"""Finding rules: by words, and by a passage that somebody quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from lawmage.errors import LawmageError
from lawmage.web.asking import ask
from lawmage.web.pages.links import Links, known_releases, marked, name_of
from lawmage.web.pages.render import page
from lawmage.web.problems import status_of

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
_HITS, _MOST_HITS = 20, 100
_LONGEST = 300
#: How long an excerpt is, and how much of it stands before the first match where it doesn't begin at the beginning.
_EXCERPT, _LEAD = 320, 60


@router.get("/search")
async def search(request: Request, q: str = "", release: str | None = None, limit: int = _HITS) -> HTMLResponse:
    """Return what is found about words: rules, examples, the glossary and keywords."""
    releases = await known_releases(request)
    values: dict[str, Any] = {"q": q, "release": release or "", "releases": releases, "name_of": name_of}
    if not q.strip():
        return page(request, "rules/search.html", **values, found=None, hits=[], links=None, sentence="", more=0)
    try:
        limit = min(max(limit, 1), _MOST_HITS)
        found = (await ask(request, "search", words=q[:_LONGEST], release=release or None, limit=limit)).document
    except LawmageError as error:
        status = status_of(error)
        return page(
            request, "rules/search.html", status_code=status, **values, found=None, hits=[], links=None, sentence=str(error), more=0
        )
    links = Links(found["release"], releases.newest)
    hits = [_hit(hit) for hit in found["results"]]
    more = min(limit * 2 + 10, _MOST_HITS) if len(hits) < min(found["count"], _MOST_HITS) else 0
    return page(request, "rules/search.html", **values, found=found, hits=hits, links=links, sentence="", more=more)


def _hit(hit: dict[str, Any]) -> dict[str, Any]:
    return {
        "number": hit["number"],
        "kind": hit["kind"],
        "name": hit["title"] if hit["kind"] == "keyword" else "",
        "title": marked(hit["title"], hit["matches"]["title"]),
        "heading": hit["heading"],
        "excerpt": _excerpt(hit["text"] or "", hit["matches"]["text"]),
    }


def _excerpt(text: str, spans: Sequence[Sequence[int]]) -> Markup:
    """Return the beginning of a text, or the piece around its first match if that is further on."""
    start = 0
    if spans and spans[0][1] > _EXCERPT:
        start = text.find(" ", max(spans[0][0] - _LEAD, 0)) + 1
    end = len(text)
    if end - start > _EXCERPT:
        end = max(text.rfind(" ", start, start + _EXCERPT), start + _EXCERPT // 2)
    inside = [(first - start, min(last, end) - start) for first, last in spans if start <= first < end]
    return Markup("{}{}{}").format("… " if start else "", marked(text[start:end], inside), " …" if end < len(text) else "")


@router.get("/locate")
async def ask_for_passage(request: Request) -> HTMLResponse:
    """Return the form for a passage."""
    return page(request, "rules/locate.html", text="", found=None, links=None, sentence="", name_of=name_of)


@router.post("/locate")
async def locate(request: Request) -> HTMLResponse:
    """Return which rules the passages of the form come from, and in which releases they read so."""
    async with request.form() as form:
        text = form.get("text", "")
    text = text if isinstance(text, str) else ""
    releases = await known_releases(request)
    try:
        found = (await ask(request, "locate", text=text)).document
    except LawmageError as error:
        return page(
            request,
            "rules/locate.html",
            status_code=status_of(error),
            text=text,
            found=None,
            links=None,
            sentence=str(error),
            name_of=name_of,
        )
    links = {release: Links(release, releases.newest) for release in releases.known}
    return page(request, "rules/locate.html", text=text, found=found, links=links, sentence="", name_of=name_of)
