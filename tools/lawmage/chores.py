"""What the chores of a checkout share (`python -m lawmage.rulebook.ship FILE` and others): usage, errors, exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from lawmage.errors import LawmageError

__all__ = ["run_chore"]


def run_chore(
    chore: Callable[[Sequence[str]], Iterable[object]],
    arguments: Sequence[str],
    usage: str | None,
    *,
    least: int = 0,
    most: int | None = None,
) -> int:
    """Run a chore, print what it makes, and return the exit status: 2 for wrong usage, which prints `usage`, and for errors of ours.

    Args:
        chore: makes what its arguments name; yields a line on each thing made.
        arguments: of the command line, at least and at most so many.
        usage: the docstring of the chore's module.
    """
    if not least <= len(arguments) <= (len(arguments) if most is None else most):
        print(usage, file=sys.stderr)
        return 2
    try:
        for made in chore(arguments):
            print(made)
    except LawmageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0
