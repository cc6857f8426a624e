"""The application: limits, then pages, the API and the SPARQL endpoint, all of which ask the pool."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from lawmage import __version__
from lawmage.web import api
from lawmage.web.api.docs import describe
from lawmage.web.limits import Limits
from lawmage.web.pool import Pool
from lawmage.web.problems import add_handlers
from lawmage.web.settings import Settings

__all__ = ["create_app"]

_STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings, pool: Pool | None = None) -> FastAPI:
    """Return the application.

    Args:
        settings: its limits.
        pool: the processes that answer; it is started and closed with the application. By default a new one.
    """
    pool = pool or Pool(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with pool:
            yield

    app = FastAPI(
        title="lawmage",
        version=__version__,
        license_info={"name": "MIT"},
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: route.name.rstrip("_"),
        middleware=[Middleware(Limits, settings=settings)],
    )
    app.openapi = partial(describe, app)  # type: ignore[method-assign]
    app.state.pool = pool
    app.state.settings = settings
    add_handlers(app)
    for router in (*api.routers, *_optional("lawmage.web.sparql"), *_optional("lawmage.web.pages")):
        app.include_router(router)
    if _STATIC.is_dir():
        app.mount("/static", GZipMiddleware(StaticFiles(directory=_STATIC)), name="static")
    return app


def _optional(module: str) -> Sequence[APIRouter]:
    if importlib.util.find_spec(module) is None:
        return ()
    found = importlib.import_module(module)
    routers: Sequence[APIRouter] = found.routers if hasattr(found, "routers") else [found.router]
    return routers
