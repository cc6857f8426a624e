"""What `lawmage data status` answers: which releases and cards are known, which are installed with their text, and how old they are."""

from __future__ import annotations

import datetime
from typing import Any

from lawmage.answers.answered import Answered
from lawmage.cards.store import CardStore, installed_file, shipped_file
from lawmage.errors import LawmageError
from lawmage.resources import home
from lawmage.rulebook.store import choose_release, installed_releases, load_installed, shipped_releases

__all__ = ["data_status", "releases"]


def data_status() -> Answered:
    """Show which releases and cards are known, which of them are installed with their text, and how old they are.

    Raises:
        DataError: if lawmage's own data are missing.
    """
    return Answered({"home": str(home()), "rules": _rules_status(), "cards": _cards_status()})


def releases() -> Answered:
    """List the releases that are known, oldest first, those whose text is installed, and the newest.

    Raises:
        DataError: if lawmage's own data are missing.
    """
    installed = installed_releases()
    return Answered({"releases": sorted({*shipped_releases(), *installed}), "installed": list(installed), "newest": choose_release()})


def _rules_status() -> dict[str, Any]:
    installed: list[dict[str, str]] = []
    for release in installed_releases():
        try:
            found = load_installed(release)
            assert found is not None  # it is among the installed
            installed.append({"release": release, "file": found.file, "imported": found.imported})
        except LawmageError as error:
            installed.append({"release": release, "error": str(error)})
    newest = choose_release()
    return {"shipped": sorted(shipped_releases()), "installed": installed, "newest": newest, "age_days": _age(newest)}


def _cards_status() -> dict[str, Any]:
    """Return what is said of the facts that come with lawmage and of the imported cards; None for those that aren't there."""
    found: dict[str, Any] = {}
    for name, file in (("shipped", shipped_file()), ("installed", installed_file())):
        if not file.is_file():
            found[name] = None
            continue
        try:
            with CardStore.open(file) as store:
                found[name] = {
                    "date": store.date,
                    "source": store.source,
                    "version": store.version,
                    "cards": store.count,
                    "faces": store.faces,
                    "texts": store.with_text,
                    "age_days": _age(store.date),
                }
        except LawmageError as error:
            found[name] = {"error": str(error)}
    return found


def _age(date: str) -> int:
    """Return how many days ago a date was."""
    return (datetime.datetime.now(datetime.UTC).date() - datetime.date.fromisoformat(date)).days
