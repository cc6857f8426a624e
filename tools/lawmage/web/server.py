"""Running the application with uvicorn until a signal ends it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from lawmage.errors import DataError, InputError
from lawmage.web.pool import Pool
from lawmage.web.settings import Settings

__all__ = ["listen", "run"]

#: How long answers that are under way have when the server is ended.
_SECONDS_TO_END = 5
#: How many files may be open beside connections, some of which are being closed: programs, pages, workers.
_OTHER_FILES = 500


def run(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        settings: where to listen, and the limits.
        ready: is told the address as soon as it answers.

    Raises:
        InputError: if it cannot listen there.
        DataError: if it cannot be started.
    """
    _allow_files(settings.connections)
    listening = listen(settings.host, settings.port)
    pool = Pool(settings)
    pool.prepare()  # before the framework is imported: both take their time
    import uvicorn

    from lawmage.web.app import create_app
    from lawmage.web.connections import Connection

    Connection.head_seconds = settings.body_seconds

    class Server(uvicorn.Server):
        """Ends when it is told to, and says when it is there."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready(_address(listening))

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, self.handle_exit)
            yield

    config = uvicorn.Config(
        create_app(settings, pool),
        http=Connection,
        ws="none",
        limit_concurrency=settings.connections,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SECONDS_TO_END,
        lifespan="on",
    )
    with listening:
        server = Server(config)
        server.run(sockets=[listening])
    if not server.started:
        raise DataError("the server could not be started; what it printed says why")


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address.

    Raises:
        InputError: if it is taken, or not this machine's.
    """
    with ExitStack() as stack:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            listening = stack.enter_context(socket.socket(family, kind, protocol))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError as error:
            reason = error.strerror or str(error)
            told = f"{reason[:1].lower()}{reason[1:]}"
            raise InputError(f"cannot listen at {host} port {port} ({told}); choose another with --host or --port") from None
        stack.pop_all()
    return listening


def _allow_files(connections: int) -> None:
    """Let this process have as many files open as that many connections take, if it may."""
    try:
        import resource
    except ImportError:  # not on Windows, where nothing is served
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _address(listening: socket.socket) -> str:
    host, port, *_ = listening.getsockname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"
