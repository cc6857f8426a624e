"""What each command answers, as functions from values in memory to the JSON document that it prints with `--json`.

Nothing that a caller gives is opened as a file. The command line, the HTTP API, the pages and the Model Context Protocol server all
answer with these.

    >>> from lawmage.answers import ANSWERS
    >>> ANSWERS["rule"]("702.111").document["heading"]
    'Menace'

`ANSWERS` names them all, so that another process can be sent a name and arguments. A module is loaded when it is first asked.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping

from lawmage.answers.answered import Answered
from lawmage.answers.source import Source

__all__ = ["ANSWERS", "Answered", "Source"]

#: The module and function for each name.
_PLACES = {
    "board": "tables.board",
    "scenario_file": "tables.scenario_file",
    "check": "checking.check",
    "enumerate": "declarations.enumerate_",
    "outcome": "outcomes.outcome",
    "lethal": "lethality.lethal",
    "test": "expectations.run_tests",
    "scenario": "scenarios.scenario",
    "formats": "formats.formats",
    "deck": "decks.deck",
    "convert": "decks.convert",
    "pairings": "pairings.pairings",
    "card": "cards.card",
    "complete": "cards.complete",
    "contents": "reading.contents",
    "reading": "reading.reading",
    "rule": "rules.rule",
    "deps": "rules.deps",
    "path": "rules.path",
    "search": "searching.search",
    "keyword": "keywords.keyword",
    "keywords": "keywords.keywords",
    "diff": "history.diff",
    "history": "history.history",
    "translate": "history.translate",
    "locate": "history.locate",
    "drift": "history.drift",
    "query": "queries.query",
    "queries": "queries.queries",
    "coverage": "coverage.coverage",
    "coverage_cards": "coverage.coverage_cards",
    "data_status": "data.data_status",
    "releases": "data.releases",
}


class _Answers(Mapping[str, Callable[..., Answered]]):
    """The functions by name; their modules are loaded when they are first asked for."""

    def __getitem__(self, name: str) -> Callable[..., Answered]:
        module, _, function = _PLACES[name].partition(".")
        found: Callable[..., Answered] = getattr(importlib.import_module(f"lawmage.answers.{module}"), function)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


#: What each command answers, by its name.
ANSWERS: Mapping[str, Callable[..., Answered]] = _Answers()
