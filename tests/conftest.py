"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# CI draws the same boards each time, so that what it says is about the change; elsewhere every run draws others.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of official rulebooks and card files beside the checkout; tests that need it skip without it."""
    folder = ROOT.parent / "shared"
    if not (folder / "data" / "rules").is_dir():
        pytest.skip("the official texts are not beside this checkout (../shared/data)")
    return folder
