"""What the API says of itself: OpenAPI, and a page made from it that needs no other server and no script."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from lawmage.web.api.schemas import SCHEMAS
from lawmage.web.problems import for_programs

__all__ = ["describe", "router"]

router = APIRouter(prefix="/api", include_in_schema=False)

_DESCRIPTION = """\
Each command of lawmage as a request, with the JSON document that the command prints with --json. Nothing is kept: the same request has
the same answer, until the data or lawmage itself are newer.

Scenarios and decks are sent as the body itself. A scenario may be JSON or YAML, a deck may have any form that is recognised. Several files
come as one JSON document, {"files": [{"file": NAME, "text": TEXT}]}; a scenario may also be given as an object under "scenario".

Legal, illegal and undecided are all 200; the header Lawmage-Status has the command line's exit status. What is wrong with a request is told
in one sentence, that of the command line, as problem details (RFC 9457) under "detail".

Limits: the size of a request, the objects on a board, the time that a request may take (then what is judged is undecided), its memory,
and how many requests may wait (429, come again)."""


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of what programs may ask."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=_DESCRIPTION, license_info=app.license_info, routes=app.routes
        )
        document["paths"] = {path: told for path, told in document["paths"].items() if for_programs(path)}
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        schemas.update(SCHEMAS)
        app.openapi_schema = document
    return app.openapi_schema


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The OpenAPI document."""
    return Response(json.dumps(describe(request.app), ensure_ascii=False), media_type="application/json")


@router.get("/docs")
async def docs(request: Request) -> Response:
    """A page on every request, its parameters and examples."""
    from lawmage.web.pages.render import page

    document = describe(request.app)
    operations = [
        {"path": path, "method": method.upper(), **operation}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    for operation in operations:
        operation["examples"] = list(_examples(operation))
    return page(
        request, "api/docs.html", description=_DESCRIPTION.split("\n\n"), version=document["info"]["version"], operations=operations
    )


def _examples(operation: dict[str, Any]) -> Any:
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        for example in content.get("examples", {}).values():
            value = example["value"]
            yield media, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
