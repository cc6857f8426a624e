"""The first page: what this is, and three doors."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from lawmage.web.pages.render import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    """Return the first page."""
    return page(request, "home.html")
