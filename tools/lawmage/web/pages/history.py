"""The rulebook through its releases: how a rule changed, what changed between two releases, what a number is in another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from lawmage.errors import LawmageError
from lawmage.rulebook.diff import shortened
from lawmage.web.asking import ask
from lawmage.web.pages.links import Links, Releases, known_releases, name_of
from lawmage.web.pages.render import page
from lawmage.web.problems import status_of

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
#: How many changes a page shows, and how long their words may be together.
_CHANGES = 60
_CHARACTERS = 45_000


@router.get("/rules/{number:path}/history")
async def history(request: Request, number: str, release: str | None = None, part: int = 1) -> HTMLResponse:
    """Return how a rule changed over the releases, newest change first."""
    releases = await known_releases(request)
    rule = (await ask(request, "reading", number=number, release=release or None)).document
    document = (await ask(request, "history", number=rule["number"], release=rule["release"])).document
    # A step with more changes than a page holds becomes several.
    steps = [
        {"number": one["number"], "release": one["release"], "from": step["from"], "to": step["to"], "changes": changes}
        for one in document["histories"]
        for step in reversed(one["steps"])
        for changes in _pages(_shortened(step["changes"]), [*map(_size, step["changes"])])
    ]
    pages = _pages(steps, [sum(map(_size, step["changes"])) for step in steps])
    links = Links(rule["release"], releases.newest)
    values: dict[str, Any] = {"rule": rule, "oldest": document["old"], "links": links, "releases": releases, "name_of": name_of}
    missing = sorted({name for step in steps for name in (step["from"], step["to"])} - releases.installed)
    return page(request, "rules/history.html", **values, missing=missing, **_chosen(pages, part))


@router.get("/diff")
async def diff(request: Request, old: str = "", new: str = "", kind: str = "", part: int = 1) -> HTMLResponse:
    """Return what changed between two releases."""
    releases = await known_releases(request)
    newer, older = new or releases.newest, old or releases.known[min(1, len(releases.known) - 1)]
    try:
        document = (await ask(request, "diff", old=older, new=newer)).document
    except LawmageError as error:
        return _without_answer(request, "rules/diff.html", error, releases, old=older, new=newer, kind=kind)
    wanted = _shortened([change for change in document["changes"] if not kind or change["kind"] == kind])
    pages = _pages(wanted, [*map(_size, wanted)], _CHANGES)
    values: dict[str, Any] = {
        "old": document["old"],
        "new": document["new"],
        "kind": kind,
        "counts": document["counts"],
        "releases": releases,
    }
    missing = sorted({document["old"], document["new"]} - releases.installed)
    links = {name: Links(document[name], releases.newest) for name in ("old", "new")}
    return page(
        request,
        "rules/diff.html",
        **values,
        missing=missing,
        links=links,
        sentence="",
        name_of=name_of,
        total=len(wanted),
        **_chosen(pages, part),
    )


@router.get("/translate")
async def translate(request: Request, number: str = "", start: str = "", end: str = "") -> HTMLResponse:
    """Return what a number of one release is in another."""
    releases = await known_releases(request)
    values: dict[str, Any] = {"number": number, "start": start or releases.newest, "end": end or releases.newest}
    if not number.strip():
        return page(request, "rules/translate.html", **values, releases=releases, translation=None, sentence="", name_of=name_of, links={})
    try:
        document = (await ask(request, "translate", number=number, **{name: values[name] for name in ("start", "end")})).document
    except LawmageError as error:
        return _without_answer(request, "rules/translate.html", error, releases, translation=None, **values)
    links = {name: Links(name, releases.newest) for name in {document["from"], document["to"], *(step["to"] for step in document["steps"])}}
    return page(
        request, "rules/translate.html", **values, releases=releases, translation=document, sentence="", name_of=name_of, links=links
    )


def _without_answer(request: Request, template: str, error: LawmageError, releases: Releases, **values: Any) -> HTMLResponse:
    """Return the page with what is wrong with what was asked."""
    nothing: dict[str, Any] = {"counts": {}, "missing": [], "links": {}, "shown": [], "part": 1, "parts": 1, "total": 0, "name_of": name_of}
    return page(request, template, status_code=status_of(error), sentence=str(error), releases=releases, **(nothing | values))


# ---------------------------------------------------------------- words


def _shortened(changes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return changes with long unchanged stretches cut in the middle."""
    found = []
    for change in changes:
        words = change["words"]
        if words is not None:
            last = len(words) - 1
            words = [
                (kind, shortened(text, first=index == 0, last=index == last) if kind == "equal" else text)
                for index, (kind, text) in enumerate(words)
            ]
            if all(kind == "equal" for kind, _ in words):
                words = None
        found.append(change | {"words": words})
    return found


def _size(change: dict[str, Any]) -> int:
    """Return about how many characters a change takes on a page."""
    return 300 + sum(len(text) + 20 for _, text in change["words"] or ())


def _pages(items: Sequence[Any], sizes: Sequence[int], most: int = 1000) -> list[list[Any]]:
    """Return items on pages of a size; a page has at least one."""
    pages: list[list[Any]] = []
    room = 0
    for item, size in zip(items, sizes, strict=True):
        if not pages or room < size or len(pages[-1]) == most:
            pages.append([])
            room = _CHARACTERS
        pages[-1].append(item)
        room -= size
    return pages


def _chosen(pages: list[list[Any]], part: int) -> dict[str, Any]:
    number = min(max(part, 1), max(len(pages), 1))
    return {"shown": pages[number - 1] if pages else [], "part": number, "parts": max(len(pages), 1)}
