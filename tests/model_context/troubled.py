"""Answers of which some never come."""

from __future__ import annotations

import os
import time
from typing import Any

from lawmage.answers import ANSWERS, Answered


def endless(**_: Any) -> Answered:
    """Take longer than any test."""
    time.sleep(600)
    return Answered({})


def deadly(**_: Any) -> Answered:
    """Die."""
    os._exit(1)


TROUBLED = {"rule": ANSWERS["rule"], "check": endless, "deck": endless, "lethal": deadly}
