"""Judging plays: check, enumerate, outcome, lethal, test, and scenario files as data."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query, Request, Response

from lawmage.errors import InputError
from lawmage.web.api.answering import KNOWN_PARAMETERS, Release, answer_as_turtle, answer_on, documented
from lawmage.web.api.bodies import SCENARIOS, FileName, files_of
from lawmage.web.api.examples import body_of

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["plays"], dependencies=[KNOWN_PARAMETERS])

_NAME = "scenario"
_TURTLE = "text/turtle"

Seconds: TypeAlias = Annotated[
    float,
    Query(gt=0, le=3600, description="Stop a search after so many seconds, or after half of what a request may take, if that is less."),
]
Explain: TypeAlias = Annotated[bool, Query(description="Explain each verdict step by step.")]
Compare: TypeAlias = Annotated[
    list[str] | None,
    Query(
        min_length=2,
        max_length=2,
        description="Judge under two releases instead (give it twice), and name the rules that make a difference.",
    ),
]


@router.post(
    "/check",
    summary="Judge what a scenario proposes",
    responses=documented("Verdicts", "The verdicts.", body=True, **{_TURTLE: {"schema": {"type": "string"}}}),
    openapi_extra=body_of("scenario", SCENARIOS, several=True),
)
async def check(
    request: Request,
    file: FileName = _NAME,
    release: Release = None,
    explain: Explain = False,
    compare: Compare = None,
    time_limit: Seconds = 10.0,
) -> Response:
    """Legal, illegal and why, or undecided, for each proposal: `lawmage check`.

    What takes longer than a request may take is answered undecided; what is only told beside a verdict (a smallest clash, a nearest legal
    declaration) is left out where it would take more than a second. With `Accept: text/turtle` the answer is RDF with its provenance.
    """
    sources = (await files_of(request, SCENARIOS, file)).sources
    turtle = _TURTLE in request.headers.get("accept", "")
    if turtle and (explain or compare):
        raise InputError("RDF explains itself; leave out explain and compare")
    options: dict[str, Any] = {"explain": explain, "compare": tuple(compare)} if compare else {"explain": explain}
    options |= {"sources": sources, "release": release, "time_limit": time_limit}
    if not turtle:
        return await answer_on(request, "check", sources, **options)
    return await answer_as_turtle(request, "check", **options)


@router.post(
    "/enumerate",
    summary="List legal declarations",
    responses=documented("Declarations", "The declarations, or how many there are.", body=True),
    openapi_extra=body_of("scenario", SCENARIOS),
)
async def enumerate_(
    request: Request,
    file: FileName = _NAME,
    release: Release = None,
    count: Annotated[bool, Query(description="Only how many there are.")] = False,
    limit: Annotated[int | None, Query(ge=1, le=10_000, description="List no more than so many, and don't count.")] = None,
    best: Annotated[bool, Query(description="Only a best block: not to lose, then most life, then most value kept.")] = False,
    explain: Annotated[bool, Query(description="Explain the best block step by step.")] = False,
    time_limit: Seconds = 10.0,
) -> Response:
    """The legal declarations for the next step, listed, counted, or a best block: `lawmage enumerate`."""
    (source,) = sources = await _one(request, file)
    options = {"release": release, "count": count, "limit": limit, "best": best, "explain": explain, "time_limit": time_limit}
    return await answer_on(request, "enumerate", sources, source=source, **options)


@router.post(
    "/outcome",
    summary="What combat does",
    responses=documented("Verdicts", "Damage by step, deaths, life, counters, triggers.", body=True),
    openapi_extra=body_of("outcome", SCENARIOS),
)
async def outcome(
    request: Request, file: FileName = _NAME, release: Release = None, explain: Explain = False, time_limit: Seconds = 10.0
) -> Response:
    """Damage by step, deaths, life, counters and triggers: `lawmage outcome`."""
    (source,) = sources = await _one(request, file)
    return await answer_on(request, "outcome", sources, source=source, release=release, explain=explain, time_limit=time_limit)


@router.post(
    "/lethal",
    summary="Is there an attack that wins whatever the blocks",
    responses=documented("Lethal", "The attack, or a defence against every attack.", body=True),
    openapi_extra=body_of("scenario", SCENARIOS),
)
async def lethal(
    request: Request,
    file: FileName = _NAME,
    release: Release = None,
    player: Annotated[str | None, Query(max_length=200, description="The defending player, where there are several.")] = None,
    max_damage: Annotated[
        bool, Query(description="Find the attack that does most damage for certain, and the block that leaves least.")
    ] = False,
    explain: Explain = False,
    time_limit: Seconds = 10.0,
) -> Response:
    """An attack that wins whatever the blocks, or a block for each attack: `lawmage lethal`."""
    (source,) = sources = await _one(request, file)
    options = {"release": release, "player": player, "max_damage": max_damage, "explain": explain, "time_limit": time_limit}
    return await answer_on(request, "lethal", sources, source=source, **options)


@router.post(
    "/test",
    summary="Compare with what scenario files expect",
    responses=documented("Tests", "What was expected, and what is so.", body=True),
    openapi_extra=body_of("scenario", SCENARIOS, several=True),
)
async def run_tests(request: Request, file: FileName = _NAME, release: Release = None, time_limit: Seconds = 10.0) -> Response:
    """What scenario files with the key `expect` expect, beside what is answered: `lawmage test`."""
    sources = (await files_of(request, SCENARIOS, file)).sources
    return await answer_on(request, "test", sources, sources=sources, release=release, time_limit=time_limit)


@router.post(
    "/scenario",
    summary="A scenario file as JSON",
    responses=documented("Scenario", "The scenario.", body=True),
    openapi_extra=body_of("scenario", SCENARIOS),
)
async def scenario(request: Request, file: FileName = _NAME) -> Response:
    """The scenario that a file of YAML or JSON is, as JSON. It is checked, and nothing is judged."""
    (source,) = sources = await _one(request, file)
    return await answer_on(request, "scenario", sources, source=source)


async def _one(request: Request, file: str) -> tuple[Any]:
    sources = (await files_of(request, SCENARIOS, file)).sources
    if len(sources) != 1:
        raise InputError(f"this takes one file, but the request has {len(sources)}")
    return (sources[0],)
