"""Commands about rules."""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this subject's commands to `app`."""
    del app
