"""The rules: rule, deps, path, search, keyword, diff, history, translate, locate, drift, stored queries, coverage, what is installed."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import JSONResponse

from lawmage.errors import InputError
from lawmage.web.api.answering import KNOWN_PARAMETERS, STATUS, Release, answer, answer_on, documented
from lawmage.web.api.bodies import TEXT, read_text
from lawmage.web.api.examples import body_of
from lawmage.web.asking import ask

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["rules"], dependencies=[KNOWN_PARAMETERS])

_MOST_TEXT = 1000
_MOST_ROWS = 10_000

Number: TypeAlias = Annotated[
    str,
    Path(max_length=200, description="A section (7), chapter (702), rule (702.2), subrule (702.2c), or glossary:TERM.", examples=["702.2"]),
]


@router.get("/rule/{number}", summary="A rule", responses=documented("Rule", "The rule."))
async def rule(request: Request, number: Number, release: Release = None) -> Response:
    """Heading, text if installed, what it cites, what cites it, what encodes it: `lawmage rule`."""
    return await answer(request, "rule", number=number, release=release)


@router.get("/deps/{number}", summary="What a rule depends on", responses=documented("Dependencies", "The rules."))
async def deps(
    request: Request,
    number: Number,
    reverse: Annotated[bool, Query(description="What depends on it instead.")] = False,
    transitive: Annotated[bool, Query(description="Follow references as far as they go.")] = False,
    depth: Annotated[int | None, Query(ge=1, le=1000, description="Follow references so many steps.")] = None,
    release: Release = None,
) -> Response:
    """What a rule refers to, or with `reverse` what refers to it: `lawmage deps`."""
    return await answer(request, "deps", number=number, reverse=reverse, transitive=transitive, depth=depth, release=release)


@router.get("/path/{start}/{end}", summary="How one rule leads to another", responses=documented("Path", "A shortest way."))
async def path(
    request: Request,
    start: Annotated[str, Path(max_length=200, description="A rule's number.", examples=["702.2"])],
    end: Annotated[str, Path(max_length=200, description="A rule's number.", examples=["510.1"])],
    release: Release = None,
) -> Response:
    """A shortest way along references: `lawmage path`."""
    return await answer(request, "path", start=start, end=end, release=release)


@router.get("/search", summary="Search rules, glossary and keywords", responses=documented("Found", "What is found, best first."))
async def search(
    request: Request,
    words: Annotated[
        str,
        Query(
            min_length=1, max_length=_MOST_TEXT, description='Words, a "quoted passage", the beginning of a word (deatht*), a rule number.'
        ),
    ],
    limit: Annotated[int, Query(ge=1, le=200, description="List so many.")] = 10,
    release: Release = None,
) -> Response:
    """Rules, glossary and keywords with these words: `lawmage search`."""
    return await answer(request, "search", words=words, limit=limit, release=release)


@router.get("/keyword", summary="A keyword", responses=documented("Keyword", "What lawmage knows of the keyword."))
async def keyword(
    request: Request,
    name: Annotated[
        str, Query(min_length=1, max_length=200, description="A name, a rule's number, or as written on a card.", examples=["menace"])
    ],
    release: Release = None,
) -> Response:
    """Kind, zones, stacking, cost, constraints, rules: `lawmage keyword`."""
    return await answer(request, "keyword", name=name, release=release)


@router.get("/keywords", summary="All keywords", responses=documented("Keywords", "The keywords."))
async def keywords(request: Request, release: Release = None) -> Response:
    """All keywords, each with its rule."""
    return await answer(request, "keywords", release=release)


@router.get("/diff/{old}/{new}", summary="What changed between two releases", responses=documented("Diff", "The changes."))
async def diff(
    request: Request,
    old: Annotated[str, Path(max_length=100, description="The date of a release.", examples=["2026-04-17"])],
    new: Annotated[str, Path(max_length=100, description="The date of a later release.", examples=["2026-08-07"])],
    number: Annotated[str | None, Query(max_length=200, description="Show this rule's history between them.", examples=["702.2"])] = None,
    release: Annotated[str | None, Query(description="The release in whose numbering the number is.")] = None,
) -> Response:
    """What became of each rule, or the history of one: `lawmage diff`."""
    return await answer(request, "diff", old=old, new=new, number=number, release=release)


@router.get("/history/{number}", summary="The history of a rule", responses=documented("Diff", "Its changes through all releases."))
async def history(request: Request, number: Number, release: Release = None) -> Response:
    """How a rule read and what its number was through all releases."""
    return await answer(request, "history", number=number, release=release)


@router.get("/translate/{number}", summary="A rule's number in another release", responses=documented("Translation", "What became of it."))
async def translate(
    request: Request,
    number: Number,
    start: Annotated[str, Query(max_length=100, description="The release in whose numbering it is.", examples=["2020-11-20"])],
    end: Annotated[str | None, Query(max_length=100, description="The other release (default: the newest known).")] = None,
) -> Response:
    """What became of a rule between two releases: `lawmage translate`."""
    return await answer(request, "translate", number=number, start=start, end=end)


@router.post(
    "/locate",
    summary="Which rules passages come from",
    responses=documented("Located", "Each passage with its rule.", body=True),
    openapi_extra=body_of("passage", TEXT),
)
async def locate(request: Request, release: Release = None) -> Response:
    """Which rule a passage comes from, and in which releases it reads so, among those that are installed: `lawmage locate`."""
    text = await read_text(request, TEXT)
    return await answer_on(request, "locate", (), text=text, release=release)


@router.get("/drift", summary="Encoded rules whose text changed", responses=documented("Drift", "The rules."))
async def drift(request: Request, release: Release = None) -> Response:
    """The encoded rules whose text is another than when they were encoded: `lawmage drift`."""
    return await answer(request, "drift", release=release)


@router.get("/queries", summary="The stored queries", responses=documented("Queries", "The queries with their parameters and columns."))
async def queries(request: Request) -> Response:
    """The stored SPARQL queries. Queries of your own go to /sparql."""
    return await answer(request, "queries")


@router.get("/query/{name}", summary="Run a stored query", responses=documented("Rows", "The rows."))
async def query(
    request: Request,
    name: Annotated[str, Path(max_length=100, description="A stored query (/api/queries lists them).", examples=["most-cited"])],
    param: Annotated[
        list[str] | None, Query(max_length=20, description="A parameter of the query as name=value; may be repeated.", examples=[["n=5"]])
    ] = None,
    release: Release = None,
    limit: Annotated[int, Query(ge=1, le=_MOST_ROWS, description="The most rows; `more` says whether there are others.")] = 1000,
) -> Response:
    """The rows of a stored query: `lawmage query NAME`."""
    return await answer(request, "query", name=name, parameters=_parameters(param or ()), release=release, limit=limit)


def _parameters(given: list[str] | tuple[()]) -> dict[str, str]:
    found = {}
    for item in given:
        key, sign, value = item.partition("=")
        if not sign:
            raise InputError(f'the parameter "{item[:100]}" has no value; write it as name=value')
        found[key] = value
    return found


@router.get(
    "/coverage", summary="What is encoded", responses=documented("Coverage", "Figures by status and chapter, and each rule's status.")
)
async def coverage(request: Request) -> Response:
    """Which rules are encoded, which are out of scope and why, which are open: `lawmage coverage`."""
    return await answer(request, "coverage")


@router.get(
    "/coverage/cards",
    summary="How much of what is written on cards is understood",
    responses=documented("CardCoverage", "Figures by kind of sentence."),
)
async def coverage_cards(
    request: Request,
    top: Annotated[int, Query(ge=0, le=1000, description="List so many of the most frequent sentences that are not understood.")] = 20,
    kind: Annotated[
        list[str] | None, Query(max_length=20, description="Only sentences of this kind; may be repeated.", examples=[["static"]])
    ] = None,
) -> Response:
    """How many sentences of cards that concern combat or deck building are understood: `lawmage coverage cards`."""
    return await answer(request, "coverage_cards", top=top, kinds=tuple(kind or ()))


@router.get("/status", summary="What is installed", responses=documented("Status", "Releases and cards, and how old they are."))
async def status(request: Request) -> Response:
    """Which releases and cards are known and installed: `lawmage data status`."""
    found = await ask(request, "data_status")
    # Where the files of this machine are is nobody's business.
    document = {key: value for key, value in found.document.items() if key != "home"}
    return JSONResponse(document, headers={STATUS: str(found.status)})


@router.get("/releases", summary="The releases of the rules", responses=documented("Releases", "The dates, oldest first."))
async def releases(request: Request) -> Response:
    """The releases that are known, those whose text is installed, and the newest."""
    return await answer(request, "releases")
