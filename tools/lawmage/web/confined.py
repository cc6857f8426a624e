"""Working on what a stranger wrote: with nothing that could be opened, and with a stack as deep as it may be nested."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["cut_off", "deeply"]

Result = TypeVar("Result")
#: A parser goes as deep as its text is nested; this is enough for some 16,000 brackets.
_STACK = 128 << 20


@contextmanager
def cut_off() -> Iterator[None]:
    """Let nothing be opened meanwhile: a new file or connection would need a number, and there are none."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def deeply(work: Callable[[], Result]) -> Result:
    """Call a function with a large stack."""
    done: list[Result] = []
    failed: list[BaseException] = []

    def call() -> None:
        try:
            done.append(work())
        except BaseException as error:  # a panic of the engine is no Exception
            failed.append(error)

    threading.stack_size(_STACK)
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
