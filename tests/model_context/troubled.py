"""Answers that never come where a question is about trouble, and those of lawmage otherwise."""

from __future__ import annotations

import os
import time
from typing import Any

from lawmage.answers import ANSWERS, Answered

__all__ = ["TROUBLED"]


def _slow_if_troubled(name: str) -> Any:
    def answer(**arguments: Any) -> Answered:
        if "trouble" in repr(arguments):
            time.sleep(600)
        return ANSWERS[name](**arguments)

    return answer


def _search(**arguments: Any) -> Answered:
    if "trouble" in repr(arguments):
        os._exit(1)
    return ANSWERS["search"](**arguments)


TROUBLED = {name: _slow_if_troubled(name) for name in ANSWERS} | {"search": _search}
