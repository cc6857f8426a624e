"""The processes that answer, and the one that they are forked from.

`python -m lawmage.web.workers TASK` loads what answering needs and then waits on its standard input, a socket, for orders to fork: a new
worker costs some milliseconds and shares the memory of what is loaded. Each order brings a socket for the new worker. When the server is
gone, however that came to be, the socket is closed; then all workers are killed and the process ends.

A worker reads a request (the name of a function, its arguments, and the seconds after which nobody waits for the answer; pickled, after
the length), calls the function, and writes the reply: a kind, the exit status that the command line would have, and a JSON document. It
renounces memory beyond a limit, and has itself killed when it is far too late.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import os
import pickle
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lawmage import errors
from lawmage.errors import CheckerDisagreementError, InputError, LawmageError
from lawmage.web.warming import warm

__all__ = ["FORK", "HEADER", "KILL", "ORDER", "REPLY", "Kind", "Task", "main"]

#: Before a message: its length in bytes.
HEADER = struct.Struct("!I")
#: Before a reply's document: its kind and the exit status.
REPLY = struct.Struct("!BB")
#: An order to the forking process: what to do, and for KILL the process.
ORDER = struct.Struct("!cI")
FORK, KILL = b"F", b"K"


class Kind:
    """What a reply brings."""

    ANSWER, ERROR, MEMORY = range(3)


@dataclass(frozen=True, slots=True)
class Task:
    """What workers are for.

    Attributes:
        answers: the functions that answer, as `module:attribute` of a mapping.
        memory: the address space of a worker, in bytes.
        answer: the size of an answer, in bytes.
        limits: the greatest values of arguments, which functions that have such arguments get where the request says nothing or more.
    """

    answers: str
    memory: int
    answer: int
    limits: Mapping[str, float]


def main() -> None:
    """Load, then fork workers as ordered until the server is gone."""
    task = Task(**json.loads(sys.argv[1]))
    orders = socket.socket(fileno=os.dup(0))
    # A terminal interrupts all processes of a command, and a service manager ends them all: here it is the closed socket that says so.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    answers = _load(task)
    # What is loaded stays: without this the collector would write into every page that the workers share.
    gc.collect()
    gc.freeze()
    # A request makes many small things and hardly a cycle.
    gc.set_threshold(20_000, 20, 20)
    alive: set[int] = set()
    signal.signal(signal.SIGCHLD, lambda *_: _reap(alive))
    while True:
        order, sockets, _, _ = socket.recv_fds(orders, ORDER.size, 1)
        # Nobody's death is noted while it is decided who lives.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        if len(order) < ORDER.size:
            break
        what, process = ORDER.unpack(order)
        if what == FORK and sockets:
            alive.add(_fork(sockets[0], orders, answers, task))
            os.close(sockets[0])
        elif process in alive:
            os.kill(process, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for process in alive:
        os.kill(process, signal.SIGKILL)


def _load(task: Task) -> Mapping[str, Callable[..., Any]]:
    answers: Mapping[str, Callable[..., Any]] = _named(task.answers)
    warm(answers)
    return answers


def _named(name: str) -> Any:
    """Return what `module:attribute` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _reap(alive: set[int]) -> None:
    """Forget those that have died. The system forgets them here, too, so that no number in `alive` is ever another process."""
    for process in tuple(alive):
        with suppress(ChildProcessError):
            if os.waitpid(process, os.WNOHANG)[0]:
                alive.discard(process)


def _fork(number: int, orders: socket.socket, answers: Mapping[str, Callable[..., Any]], task: Task) -> int:
    """Fork a worker that talks through the socket of this file number, and return its process."""
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        _become_worker(number, orders, answers, task)
    return process


def _become_worker(number: int, orders: socket.socket, answers: Mapping[str, Callable[..., Any]], task: Task) -> None:
    status = 1
    try:
        orders.close()
        with open(os.devnull) as nothing:  # noqa: PTH123 -- a device
            os.dup2(nothing.fileno(), 0)
        _renounce(task.memory)
        with socket.socket(fileno=number) as connection:
            _work(connection, answers, task)
        status = 0
    finally:
        # Not `sys.exit`: nothing that the forking process has prepared for its own end is to run here.
        os._exit(status)


def _renounce(memory: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(connection: socket.socket, answers: Mapping[str, Callable[..., Any]], task: Task) -> None:
    """Answer requests until the server closes the connection."""
    connection.sendall(HEADER.pack(os.getpid()))
    stream = connection.makefile("rb")
    while len(header := stream.read(HEADER.size)) == HEADER.size:
        name, arguments, seconds = pickle.loads(stream.read(*HEADER.unpack(header)))
        # The server kills who is late. If it is gone, this does.
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)
        kind, status, document = _answer(_named(name) if ":" in name else answers[name], arguments, task)
        signal.setitimer(signal.ITIMER_REAL, 0)
        connection.sendall(HEADER.pack(REPLY.size + len(document)) + REPLY.pack(kind, status) + document)


def _answer(function: Callable[..., Any], arguments: dict[str, Any], task: Task) -> tuple[int, int, bytes]:
    try:
        for name in task.limits.keys() & _parameters(function):
            given = arguments.get(name)
            arguments[name] = task.limits[name] if given is None else min(given, task.limits[name])
        answered = function(**arguments)
        document = json.dumps(answered.document, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
        if len(document) > task.answer:
            raise InputError(f"the answer has {len(document):,} bytes; expected at most {task.answer:,}; ask for less")
        return Kind.ANSWER, answered.status, document
    except CheckerDisagreementError as error:
        return _fault(error)
    except LawmageError as error:
        return Kind.ERROR, 2, json.dumps(_told(error)).encode()
    except MemoryError:
        return Kind.MEMORY, 2, b""
    except Exception as error:
        # "bad_alloc" is how clingo says that there is no memory.
        return (Kind.MEMORY, 2, b"") if "bad_alloc" in str(error) else _fault(error)


@lru_cache(maxsize=100)
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(function).parameters)


def _told(error: LawmageError) -> dict[str, Any]:
    kind = next(kind for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
    place = {"message": error.message, "file": error.file, "line": error.line} if isinstance(error, InputError) else {}
    return {"error": kind.__name__, "sentence": str(error), **place}


def _fault(error: Exception) -> tuple[int, int, bytes]:
    """Report a fault of lawmage's own: its place to whoever runs the server, a sentence to whoever asked."""
    traceback.print_exception(error)
    sentence = str(error) if isinstance(error, LawmageError) else "lawmage has a fault that this request has met; please report the request"
    return Kind.ERROR, 2, json.dumps({"error": "FaultError", "sentence": sentence}).encode()


if __name__ == "__main__":
    main()
