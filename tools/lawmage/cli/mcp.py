"""`lawmage mcp`: a Model Context Protocol server."""

from __future__ import annotations

import importlib.util
import signal
import sys
from contextlib import suppress
from typing import Annotated

import typer

from lawmage.cli._shared import stderr
from lawmage.errors import InputError
from lawmage.web.settings import Settings

__all__ = ["register"]

_DEFAULTS = Settings()


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("mcp", epilog="Example: lawmage mcp, as the command of a client's configuration (docs/serve.md)")(mcp)


def mcp(
    http: Annotated[
        int | None,
        typer.Option(
            "--http", metavar="PORT", min=1, max=65535, help="Serve HTTP at this port of this machine, in place of standard input."
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, metavar="N", help="Judge in so many processes.")] = 1,
    time_limit: Annotated[
        float,
        typer.Option("--time-limit", min=0.05, metavar="SECONDS", help="Stop a question after so long; what it leaves open is undecided."),
    ] = _DEFAULTS.seconds,
    objects: Annotated[int, typer.Option("--objects", min=1, metavar="N", help="The objects that a board may have.")] = _DEFAULTS.objects,
    memory: Annotated[
        int, typer.Option("--memory", min=256, metavar="MIB", help="The address space of each process that judges.")
    ] = _DEFAULTS.worker_memory >> 20,
) -> None:
    """Answer a language model: a Model Context Protocol server on standard input and output, with tools for all that lawmage judges."""
    if importlib.util.find_spec("mcp") is None:
        raise InputError("this needs the extra mcp, which isn't installed; install it with: pip install 'lawmage[mcp]'")
    from lawmage.mcp.server import run

    if http is None:
        # Nothing else interrupts waiting for input; the processes that judge end when this one is gone.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if http is None and sys.stdin.isatty():
        stderr().print("Waiting for the messages of a client on standard input; stop it with Ctrl-C.", markup=False)
    with suppress(KeyboardInterrupt):
        run(Settings(workers=workers, seconds=time_limit, objects=objects, worker_memory=memory << 20), port=http)
