"""Decks and cards: deck, convert, pairings, card, complete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from lawmage.errors import InputError
from lawmage.web.api.answering import KNOWN_PARAMETERS, Release, answer, answer_on, documented
from lawmage.web.api.bodies import DECKS, FileName, files_of
from lawmage.web.api.examples import body_of

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["decks and cards"], dependencies=[KNOWN_PARAMETERS])

_MOST_NAME = 300
_BanList = Annotated[str | None, Query(description="Use the ban list of this day (default: the newest known).", examples=["2026-02-09"])]


@router.post(
    "/deck",
    summary="Check decks",
    responses=documented("Decks", "Every violation, and a smallest repair.", body=True),
    openapi_extra=body_of("deck", DECKS, several=True),
)
async def deck(
    request: Request,
    file: FileName = "deck",
    format: Annotated[str, Query(max_length=100, description="The name of a format that comes with lawmage.")] = "commander",
    commander: Annotated[list[str] | None, Query(max_length=2, description="The commander; twice for two.")] = None,
    companion: Annotated[str | None, Query(max_length=_MOST_NAME, description="The companion.")] = None,
    release: Release = None,
    ban_list: _BanList = None,
    repair: Annotated[bool, Query(description="Look for a smallest set of changes that makes an illegal deck legal.")] = True,
    explain: Annotated[bool, Query(description="Explain each verdict step by step.")] = False,
) -> Response:
    """Is this deck valid: `lawmage deck`. Lists of all usual forms are recognised by their content.

    A format of your own comes as `format_text` in a JSON document `{"files": [{"file", "text"}], "format_text": ".."}`.
    """
    found = await files_of(request, DECKS, file)
    return await answer_on(
        request,
        "deck",
        found.sources,
        sources=found.sources,
        format=format,
        format_text=found.format_text,
        commanders=tuple(commander or ()),
        companion=companion,
        release=release,
        ban_list=ban_list,
        repair=repair,
        explain=explain,
    )


@router.post(
    "/convert",
    summary="Write a deck in another form",
    responses=documented("Converted", "The deck, and what the form has no place for.", body=True),
    openapi_extra=body_of("deck", DECKS),
)
async def convert(
    request: Request,
    to: Annotated[str, Query(max_length=100, description="moxfield, arena, mtgo, cockatrice, forge, xmage or csv.", examples=["csv"])],
    file: FileName = "deck",
) -> Response:
    """A deck in the form of another program: `lawmage deck --to FORM`."""
    sources = (await files_of(request, DECKS, file)).sources
    if len(sources) != 1:
        raise InputError(f"this takes one file, but the request has {len(sources)}")
    return await answer_on(request, "convert", sources, source=sources[0], to=to)


@router.get("/pairings", summary="Legal second commanders", responses=documented("Pairings", "The pairs."))
async def pairings(
    request: Request,
    name: Annotated[
        str | None, Query(max_length=_MOST_NAME, description="A card; without it, all pairs are meant.", examples=["amy pond"])
    ] = None,
    count: Annotated[bool, Query(description="Only how many there are.")] = False,
    format: Annotated[str, Query(max_length=100, description="The name of a format that comes with lawmage.")] = "commander",
    ban_list: _BanList = None,
    release: Release = None,
) -> Response:
    """Which cards may lead a deck together with this one: `lawmage pairings`."""
    return await answer(request, "pairings", name=name, count=count, format=format, ban_list=ban_list, release=release)


@router.get("/card", summary="A card", responses=documented("Card", "What lawmage knows of the card."))
async def card(
    request: Request,
    name: Annotated[
        str, Query(min_length=1, max_length=_MOST_NAME, description="As people type it, of the card or a face.", examples=["grizzly bears"])
    ],
    release: Release = None,
) -> Response:
    """Characteristics, keywords with their rules, what its text states, what is not understood: `lawmage card`."""
    return await answer(request, "card", name=name, release=release)


@router.get("/complete", summary="Names of cards as one types", responses=documented("Names", "Names that begin so, then similar ones."))
async def complete(
    request: Request,
    prefix: Annotated[str, Query(max_length=_MOST_NAME, description="What has been typed so far.", examples=["griz"])],
    limit: Annotated[int, Query(ge=1, le=100, description="The most names.")] = 12,
) -> Response:
    """Names of cards that begin so, then names that are similar."""
    return await answer(request, "complete", prefix=prefix, limit=limit)
