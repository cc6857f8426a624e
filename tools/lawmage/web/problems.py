"""What is answered where there is no answer: problem details (RFC 9457) for programs, a page for people.

The sentence is the one that the command line prints.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from lawmage.errors import DataError, LawmageError, UnknownNameError
from lawmage.web.pool import BusyError, CrashedError, FaultError, StoppedError

__all__ = ["AT_FAULT", "PROBLEM", "add_handlers", "document_of", "for_programs", "problem", "status_of"]

PROBLEM = "application/problem+json"
#: Where programs ask; elsewhere people do.
_FOR_PROGRAMS = ("/api", "/sparql")
_STATUS: Mapping[type[LawmageError], int] = {
    BusyError: 429,
    StoppedError: 503,
    CrashedError: 503,
    DataError: 503,
    FaultError: 500,
    UnknownNameError: 404,
}
_OTHER = 422
#: What stands for an error in an answer on files, by what is at fault (see `lawmage.answers.answered.reason`).
AT_FAULT: Mapping[str, type[LawmageError]] = {"data": DataError, "lawmage": FaultError}
#: Requests that are turned away for now may come again after so many seconds.
_RETRY_AFTER = {429: "1", 503: "5"}


def status_of(error: LawmageError) -> int:
    """Return the HTTP status for an error."""
    return next((status for kind, status in _STATUS.items() if isinstance(error, kind)), _OTHER)


def document_of(status: int, sentence: str, **members: Any) -> dict[str, Any]:
    """Return the problem details; `members` are further ones, such as the line of a file."""
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": sentence, **members}


def for_programs(path: str) -> bool:
    """Tell whether a program asks for this path, which wants problem details and no page."""
    return any(path == root or path.startswith(f"{root}/") for root in _FOR_PROGRAMS)


def problem(request: Request, status: int, sentence: str, headers: Mapping[str, str] | None = None, **members: Any) -> Response:
    """Return the response for a request that cannot be answered."""
    headers = dict(headers or {})
    if status in _RETRY_AFTER:
        headers.setdefault("Retry-After", _RETRY_AFTER[status])
    if not for_programs(request.url.path):
        return _page(request, status, sentence, headers)
    # Half a surrogate pair, which JSON can spell, is no text.
    body = json.dumps(document_of(status, sentence, **members), ensure_ascii=False).encode(errors="replace")
    return Response(body, status, headers, PROBLEM)


def _page(request: Request, status: int, sentence: str, headers: Mapping[str, str]) -> Response:
    title = HTTPStatus(status).phrase
    try:
        from lawmage.web.pages.render import page

        response: Response = page(request, "problem.html", status=status, title=title, sentence=sentence)
    except ImportError:
        response = HTMLResponse(f"<!doctype html><title>{title}</title><h1>{title}</h1><p>{escape(sentence)}</p>")
    response.status_code = status
    response.headers.update(headers)
    return response


def add_handlers(app: FastAPI) -> None:
    """Have every error of `app` answered as a problem."""
    app.add_exception_handler(LawmageError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, LawmageError)
    place = {name: value for name in ("file", "line") if (value := getattr(error, name, None)) is not None}
    status = status_of(error)
    if status == 404 and request.method == "POST" and for_programs(request.url.path):
        status = _OTHER  # the address is right; it is the body or a parameter that names what nothing has
    return problem(request, status, str(error), **place)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem(request, 422, "; ".join(_told(one) for one in error.errors()))


def _told(error: Mapping[str, Any]) -> str:
    """Return what pydantic found, such as `limit: input should be greater than 0, but is "-1"`."""
    *_, name = error["loc"]
    said = str(error["msg"])
    found = f", but is {json.dumps(error['input'], ensure_ascii=False, default=str)[:80]}" if isinstance(error.get("input"), str) else ""
    return f"{name}: {said[:1].lower()}{said[1:]}{found}"


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem(request, error.status_code, _sentence(request, error), error.headers)


def _sentence(request: Request, error: HTTPException) -> str:
    if error.status_code == 404:
        return f"there is nothing at {request.url.path[:200]}"
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        return f"{request.url.path[:200]} does not take {request.method}" + (f"; expected {allowed}" if allowed else "")
    return str(error.detail)


async def _fault(request: Request, _error: Exception) -> Response:
    return problem(request, 500, "lawmage has a fault that this request has met; please report the request")
