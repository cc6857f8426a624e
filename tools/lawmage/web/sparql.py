"""`/sparql`: the rules graph for programs that speak SPARQL 1.1 (protocol, query language and result formats), and a page for people.

It only answers questions. The default graph is the release that `release` names, by default the newest, with all of kb/; every release
is a named graph besides, `urn:lawmage:rules:` and its date, and `urn:lawmage:rules:lineage` says what became of each rule.

Nothing is fetched: SERVICE is refused, and so is FROM with a graph that is not here. A query has a time, a memory and a size of its
answer; where it needs more, that is an error, and no answer is ever cut off. Only the page shows less than all, and says so.

Pages of other sites may not read the answers (there are no CORS headers): the server stands on the machine of the person who looks at
them. Whoever offers the endpoint to the public can allow it in the proxy in front.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from email.message import Message
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.datastructures import QueryParams

from lawmage.answers.answered import Answered
from lawmage.errors import InputError, LawmageError
from lawmage.web.asking import ask
from lawmage.web.pages.render import page
from lawmage.web.pool import BusyError, CrashedError, Pool, StoppedError
from lawmage.web.problems import problem, status_of
from lawmage.web.settings import Settings
from lawmage.web.sparql_formats import GRAPHS, PAGE, TABLES, choose
from lawmage.web.sparql_service import describe

__all__ = ["router"]

_EXAMPLES = "lawmage.web.sparql_examples:examples"
_FORM = "application/x-www-form-urlencoded"
_QUERY, _UPDATE = "application/sparql-query", "application/sparql-update"
#: Queries that are worked on or wait.
_AT_ONCE = 8
_WORKERS = 2
_MEMORY = 1 << 30
#: A worker holds on to the memory of its largest answer.
_WORKER_REQUESTS = 200
_MOST_PARAMETERS = 50
#: What the protocol has for a query that is none.
_MALFORMED = 400


class _RefusedError(Exception):
    """A request that the protocol doesn't allow, or that asks for something other than an answer."""

    def __init__(self, status: int, sentence: str) -> None:
        self.status = status
        self.sentence = sentence
        super().__init__(sentence)


class _Questions:
    """The processes that answer queries; they are started when the first query comes, as they hold every release in memory."""

    def __init__(self, settings: Settings) -> None:
        self._settings = replace(
            settings,
            answers="lawmage.web.sparql_worker:ANSWERS",
            workers=min(settings.workers, _WORKERS),
            lookups=0,
            worker_memory=_MEMORY,
            worker_requests=_WORKER_REQUESTS,
        )
        self._starting = asyncio.Lock()
        self._pool: Pool | None = None
        self._asked = 0

    async def ask(self, **arguments: Any) -> Answered:
        """Return what `lawmage.web.sparql_worker.answer` answers. Raises as `Pool.ask`."""
        if self._asked >= _AT_ONCE:
            raise BusyError(f"{_AT_ONCE} queries are being answered already; ask again later")
        self._asked += 1
        try:
            async with self._starting:
                if self._pool is None:
                    pool = Pool(self._settings)
                    await pool.start()
                    self._pool = pool
            return await self._pool.ask("sparql", **arguments)
        except CrashedError:
            raise StoppedError("the query was stopped, probably because it needs too much memory; ask for less") from None
        finally:
            self._asked -= 1

    async def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            await self._pool.close()


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.sparql = _Questions(app.state.settings)
    try:
        yield
    finally:
        await app.state.sparql.close()


router = APIRouter(lifespan=_lifespan, include_in_schema=False)


@router.get("/sparql")
async def by_get(request: Request) -> Response:
    """Answer the query in the address; without one, describe the service to programs, and show a form to people."""
    return await _answered(request, _parameters(request.query_params), asked=False)


@router.post("/sparql")
async def by_post(request: Request) -> Response:
    """Answer the query in the body: a form, or a query by itself."""
    try:
        parameters = _parameters(request.query_params)
        content = _content_type(request)
        body = await request.body()
        if content == _FORM:
            parameters = _parameters(QueryParams([*request.query_params.multi_items(), *_fields(body)]))
        elif content == _QUERY:
            parameters["query"] = [*parameters.get("query", []), _decoded(body)]
        elif content == _UPDATE:
            parameters["update"] = [""]
        else:
            raise _RefusedError(415, f'the body is "{content[:100]}"; expected {_QUERY} or {_FORM}')
    except _RefusedError as refused:
        return problem(request, refused.status, refused.sentence)
    return await _answered(request, parameters, asked=True)


def _parameters(given: QueryParams) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in given.multi_items():
        found.setdefault(name, []).append(value)
    return found


def _content_type(request: Request) -> str:
    """Return the media type of the body.

    Raises:
        _RefusedError: if it is in another encoding than UTF-8.
    """
    header = Message()
    header["Content-Type"] = request.headers.get("Content-Type", "")
    charset = header.get_content_charset("utf-8")
    if charset not in ("utf-8", "us-ascii"):
        raise _RefusedError(415, f'the body is in "{charset[:50]}"; expected UTF-8')
    return request.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def _fields(body: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(_decoded(body), keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS)
    except ValueError:
        raise _RefusedError(400, f"the body is no form of at most {_MOST_PARAMETERS} fields in UTF-8") from None


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise _RefusedError(400, "the body is not a text in UTF-8") from None


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a client asks for: a query, in which release and graphs, and what it takes for an answer."""

    query: str
    release: str | None
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    table: str | None
    graph: str | None
    page: bool


def _read(parameters: Mapping[str, list[str]], accept: str) -> _Asked:
    """Return what is asked.

    Raises:
        _RefusedError: if the protocol doesn't allow it.
    """
    if "update" in parameters or "using-graph-uri" in parameters or "using-named-graph-uri" in parameters:
        raise _RefusedError(403, "this endpoint only answers questions; updates are refused")
    query = _one(parameters, "query")
    if query is None:
        raise _RefusedError(400, 'the request has no parameter "query"')
    return _Asked(
        query,
        _one(parameters, "release") or None,
        tuple(parameters.get("default-graph-uri", ())),
        tuple(parameters.get("named-graph-uri", ())),
        *_formats(_one(parameters, "format"), accept),
    )


def _one(parameters: Mapping[str, list[str]], name: str) -> str | None:
    values = parameters.get(name, [])
    if len(values) > 1:
        raise _RefusedError(400, f'the request has the parameter "{name}" {len(values)} times; expected it once')
    return values[0] if values else None


def _formats(wanted: str | None, accept: str) -> tuple[str | None, str | None, bool]:
    """Return the media types for the two forms of answers, and whether a page is wanted instead of either."""
    if wanted:
        if wanted not in (*TABLES, *GRAPHS):
            raise _RefusedError(400, f'there is no format "{wanted[:50]}"; expected one of {", ".join((*TABLES, *GRAPHS))}')
        return next(iter(TABLES.get(wanted, ())), None), next(iter(GRAPHS.get(wanted, ())), None), False
    tables, graphs = _all(TABLES), _all(GRAPHS)
    return choose(accept, tables), choose(accept, graphs), choose(accept, [*tables, *graphs, PAGE]) == PAGE


def _all(formats: Mapping[str, Sequence[str]]) -> list[str]:
    return [media_type for types in formats.values() for media_type in types]


def _name(formats: Mapping[str, Sequence[str]], media_type: str | None) -> str | None:
    return next((name for name, types in formats.items() if media_type in types), None)


# ---------------------------------------------------------------- answers


async def _answered(request: Request, parameters: Mapping[str, list[str]], *, asked: bool) -> Response:
    accept = request.headers.get("Accept", "")
    try:
        if not asked and "query" not in parameters and "update" not in parameters:
            return await _introduced(request, parameters, accept)
        wanted = _read(parameters, accept)
        if wanted.page:
            return await _shown(request, wanted)
        return await _written(request, wanted)
    except _RefusedError as refused:
        return problem(request, refused.status, refused.sentence)
    except InputError as error:
        place: dict[str, Any] = {} if error.line is None else {"line": error.line}
        return problem(request, _MALFORMED, str(error), **place)


async def _written(request: Request, asked: _Asked) -> Response:
    if asked.table is None and asked.graph is None:
        raise _RefusedError(406, _acceptable((*_all(TABLES), *_all(GRAPHS))))
    document = await _ask(request, asked, table=_name(TABLES, asked.table), graph=_name(GRAPHS, asked.graph))
    of_graph = document["form"] == "graph"
    if document["body"] is None:
        raise _RefusedError(406, _acceptable(_all(GRAPHS if of_graph else TABLES)))
    media_type = asked.graph if of_graph else asked.table
    return Response(document["body"], media_type=media_type, headers={"Vary": "Accept"})


def _acceptable(types: Iterable[str]) -> str:
    return f"the answer can be written as {', '.join(dict.fromkeys(types))}, and none of these is accepted"


async def _ask(request: Request, asked: _Asked, **how: Any) -> dict[str, Any]:
    questions: _Questions = request.app.state.sparql
    graphs = {"default_graphs": asked.default_graphs, "named_graphs": asked.named_graphs}
    return (await questions.ask(text=asked.query, release=asked.release, **graphs, **how)).document


async def _introduced(request: Request, parameters: Mapping[str, list[str]], accept: str) -> Response:
    """Answer a request that asks nothing."""
    kind = choose(accept, ["text/turtle", PAGE])
    if kind is None:
        raise _RefusedError(406, _acceptable(["text/turtle", PAGE]))
    if kind == PAGE:
        return await _form(request, example=_one(parameters, "example") or "", release=_one(parameters, "release") or "")
    known = (await ask(request, "releases")).document
    formats = [*(types[0] for types in TABLES.values()), *(types[0] for types in GRAPHS.values())]
    description = describe(str(request.url.replace(query="")), known["releases"], formats)
    return Response(description, media_type="text/turtle", headers={"Vary": "Accept"})


async def _shown(request: Request, asked: _Asked) -> Response:
    """Return the page with the query and its first rows, or with what is wrong with it."""
    try:
        answer = await _ask(request, asked, page=True)
    except LawmageError as error:
        return await _form(
            request,
            query=asked.query,
            release=asked.release or "",
            status=_MALFORMED if isinstance(error, InputError) else status_of(error),
            sentence=str(error),
        )
    names = GRAPHS if answer["form"] == "graph" else TABLES
    fields = {"query": asked.query} | ({"release": asked.release} if asked.release else {})
    downloads = [(name, f"/sparql?{urlencode({**fields, 'format': name})}") for name in names]
    return await _form(request, query=asked.query, release=asked.release or "", answer=answer, downloads=downloads)


async def _form(
    request: Request,
    *,
    query: str = "",
    example: str = "",
    release: str = "",
    status: int = 200,
    sentence: str = "",
    answer: dict[str, Any] | None = None,
    downloads: Iterable[tuple[str, str]] = (),
) -> Response:
    examples = (await ask(request, _EXAMPLES)).document["examples"]
    known = (await ask(request, "releases")).document
    chosen = next((each["text"] for each in examples if each["name"] == example), "")
    values = {"query": query or chosen, "release": release or known["newest"], "examples": examples, "releases": known["releases"][::-1]}
    return page(
        request,
        "rules/sparql.html",
        status_code=status,
        **values,
        sentence=sentence,
        answer=answer,
        downloads=downloads,
        newest=known["newest"],
    )
