"""The pages that people read: each module has a `router`; `routers` are all of them."""

from __future__ import annotations

from fastapi import APIRouter

from lawmage.web.pages import board, deck, home, rules

__all__ = ["routers"]

#: The routers of all pages, for the application to include.
routers: tuple[APIRouter, ...] = (home.router, board.router, deck.router, rules.router)
