"""The HTTP API: the commands, with the JSON that they print."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from lawmage.answers.source import Source
from lawmage.web.asking import ask_encoded

__all__ = ["DESCRIPTION", "routers"]

DESCRIPTION = "Magic: The Gathering's rulebook as data, and a solver that proves what it allows."

router = APIRouter(prefix="/api")
routers = (router,)


@router.post("/check")
async def check(request: Request) -> Response:
    """Judge what a scenario proposes."""
    source = Source("scenario", (await request.body()).decode())
    reply = await ask_encoded(request, "check", sources=[source])
    return Response(reply.body, media_type="application/json")


@router.get("/rule/{number}")
async def rule(request: Request, number: str) -> Response:
    """Show a rule."""
    reply = await ask_encoded(request, "rule", number=number)
    return Response(reply.body, media_type="application/json")
