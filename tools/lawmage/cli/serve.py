"""`lawmage serve`: the web page, the HTTP API and the SPARQL endpoint."""

from __future__ import annotations

import importlib.util
import sys
from typing import Annotated

import typer

from lawmage.cli._shared import JsonFlag, emit_json, stderr
from lawmage.errors import InputError
from lawmage.web.settings import Settings

__all__ = ["register"]

_DEFAULTS = Settings()
_NEEDED = ("fastapi", "jinja2", "python_multipart", "uvicorn")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("serve", epilog="Example: lawmage serve --port 8080")(serve)


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Listen at this address.")] = _DEFAULTS.host,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, metavar="N", help="The port; 0 takes a free one.")] = _DEFAULTS.port,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, metavar="N", help="Judge in so many processes.")] = _DEFAULTS.workers,
    time_limit: Annotated[
        float,
        typer.Option("--time-limit", min=0.05, metavar="SECONDS", help="Stop a request after so long; what it leaves open is undecided."),
    ] = _DEFAULTS.seconds,
    at_once: Annotated[int, typer.Option("--at-once", min=1, metavar="N", help="So many requests may wait.")] = _DEFAULTS.at_once,
    body_bytes: Annotated[int, typer.Option("--body-bytes", min=1000, metavar="N", help="The largest request.")] = _DEFAULTS.body_bytes,
    objects: Annotated[int, typer.Option("--objects", min=1, metavar="N", help="The objects that a board may have.")] = _DEFAULTS.objects,
    body_seconds: Annotated[
        float, typer.Option("--body-seconds", min=0.1, metavar="SECONDS", help="Cut off who takes longer to send a request.")
    ] = _DEFAULTS.body_seconds,
    connections: Annotated[
        int, typer.Option("--connections", min=10, metavar="N", help="So many clients may be connected.")
    ] = _DEFAULTS.connections,
    memory: Annotated[
        int, typer.Option("--memory", min=256, metavar="MIB", help="The address space of each process that judges.")
    ] = _DEFAULTS.worker_memory >> 20,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", metavar="NAME", help="Also answer under this name; may be repeated.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Serve the web page, the HTTP API (/api) and SPARQL (/sparql). It listens on this machine only unless --host says otherwise."""
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        raise InputError("serving needs what comes with the extra web, which isn't installed; install it with: pip install 'lawmage[web]'")
    settings = Settings(
        host=host,
        port=port,
        workers=workers,
        seconds=time_limit,
        at_once=at_once,
        body_bytes=body_bytes,
        objects=objects,
        body_seconds=body_seconds,
        connections=connections,
        worker_memory=memory << 20,
        allowed_hosts=tuple(name.lower() for name in allow_host or ()),
    )
    from lawmage.web.server import run

    if not settings.is_loopback:
        stderr().print("[yellow]warning:[/] other machines can reach this server, and nothing asks them who they are", soft_wrap=True)

    def ready(address: str) -> None:
        if as_json:
            emit_json({"address": address})
            sys.stdout.flush()
        else:
            stderr().print(f"lawmage answers at {address}  (stop it with Ctrl-C)", markup=False, soft_wrap=True)

    run(settings, ready)
