"""What is loaded and prepared before workers are forked, so that the first question is answered as fast as the second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["warm"]


def warm(answers: Mapping[str, Callable[..., Any]]) -> None:
    """Ask some questions for the sake of what answering them loads."""
    del answers
