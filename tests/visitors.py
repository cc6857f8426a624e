"""A server that nobody is to visit: what is sent to it shows that something reached out."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["listening"]


@contextmanager
def listening() -> Iterator[tuple[str, list[bytes]]]:
    """Listen on a free port of this machine; gives the address, and a list of what is sent there."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    seen.append(connection.recv(1000))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/", seen
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
