"""Functions for the pool to ask that do what no function should."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lawmage.answers.answered import Answered
from lawmage.errors import InputError, UnknownNameError

__all__ = ["ANSWERS"]


def echo(**said: Any) -> Answered:
    return Answered({"said": said, "process": os.getpid()}, 1)


def sleeps(seconds: float, **_: Any) -> Answered:
    time.sleep(seconds)
    return Answered({"slept": seconds})


def dies() -> Answered:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def dies_once(mark: str) -> Answered:
    """Die unless the file `mark` is there."""
    if Path(mark).exists():
        return Answered({"process": os.getpid()})
    Path(mark).touch()
    return dies()


def hogs() -> Answered:
    return Answered({"size": len(bytearray(8 << 30))})


def recurses() -> Answered:
    return recurses()


def refuses() -> Answered:
    raise InputError("this is not it", file="x.yaml", line=3)


def knows_nothing() -> Answered:
    raise UnknownNameError('there is no "x"; did you mean "y"?')


def limited(objects: int = 1_000_000, time_limit: float = 1_000_000.0) -> Answered:
    return Answered({"objects": objects, "time_limit": time_limit})


ANSWERS: Mapping[str, Callable[..., Answered]] = {
    "echo": echo,
    "card": echo,
    "check": sleeps,
    "enumerate": sleeps,
    "sleeps": sleeps,
    "dies": dies,
    "dies_once": dies_once,
    "hogs": hogs,
    "recurses": recurses,
    "refuses": refuses,
    "knows_nothing": knows_nothing,
    "limited": limited,
}
