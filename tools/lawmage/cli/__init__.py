"""The command line: how it starts and how it ends. The commands are put together in `commands`, which is read only in `main`."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from lawmage.errors import LawmageError

if TYPE_CHECKING:
    from lawmage.cli.commands import app

__all__ = ["app", "main"]

# What a shell says of a program that was ended by SIGINT, or by SIGPIPE: no answer.
_INTERRUPTED = 130
_CUT_OFF = 141


def __getattr__(name: str) -> Any:
    if name == "app":
        from lawmage.cli.commands import app

        return app
    raise AttributeError(name)


def main() -> None:
    """Run the command line; errors, faults and what cannot be written become one sentence on standard error and exit status 2."""
    try:
        _prepare_streams()
        _run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _run() -> None:
    from lawmage.cli._shared import BAD_INPUT, ReaderLeftError, fail
    from lawmage.cli.commands import app

    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except LawmageError as error:
        fail(str(error))
        sys.exit(BAD_INPUT)
    except (BrokenPipeError, ReaderLeftError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffers would fail again
        sys.exit(_CUT_OFF)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT):
            _tell_fault(error)
        fail(f"the answer can't be written ({error.strerror})")
        os._exit(BAD_INPUT)  # what is left in the buffers would fail again
    except Exception as error:
        _tell_fault(error)


def _tell_fault(error: Exception) -> NoReturn:
    """Say what an error is that is a fault of ours, and where it was raised; LAWMAGE_TRACEBACK=1 shows how it came there."""
    if os.environ.get("LAWMAGE_TRACEBACK"):
        raise error
    import traceback

    from lawmage.cli._shared import BAD_INPUT, fail

    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {os.path.basename(last.filename)}, line {last.lineno}"  # noqa: PTH119
    fail(f"lawmage has a fault that this question has met ({where}); please report it together with the question")
    sys.exit(BAD_INPUT)


def _prepare_streams() -> None:
    """Have standard streams that were closed read and write nothing; what the terminal has no characters for is no error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
