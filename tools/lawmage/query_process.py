"""A user's own query, run in a process of its own, so that it can be stopped and can reach nothing.

A query can only ask: updates are no queries, and SERVICE, by which SPARQL calls other servers, is refused. Where the system allows it,
the process besides gets a limit of memory and can open no file and no connection once the data are loaded.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict

from lawmage.errors import DataError, InputError, LawmageError, UnknownNameError
from lawmage.queries import ROW_LIMIT, Answer, bind, read_query, rows_wanted, solve
from lawmage.query_words import refuse_other_sources
from lawmage.rulebook.dataset import load_dataset
from lawmage.rulebook.store import choose_release

__all__ = ["LONGEST_QUERY", "TIME_LIMIT", "TimeLimitError", "ask_own", "main"]

#: Seconds, and characters.
TIME_LIMIT = 30.0
LONGEST_QUERY = 100_000
_MEMORY = 2 * 1024**3
_ERRORS = {error.__name__: error for error in (InputError, UnknownNameError, DataError)}


class TimeLimitError(LawmageError):
    """A query that took longer than it was given."""


def ask_own(
    text: str,
    name: str,
    given: Mapping[str, str] | None = None,
    *,
    release: str | None = None,
    limit: int = ROW_LIMIT,
    seconds: float = TIME_LIMIT,
    added: Mapping[str, str] | None = None,
) -> Answer:
    """Run somebody's query and return its rows.

    Args:
        text: SELECT, ASK, CONSTRUCT or DESCRIBE.
        name: what error messages call it, such as its file.
        given: values of its parameters (see `lawmage.queries`); of a query that declares none, values of variables of its SELECT:
            an IRI in angle brackets, or a text.
        release: the date of the release that is asked about, by default the newest known.
        limit: how many rows there are at most.
        seconds: how long it may take.
        added: Turtle documents to ask about besides (see `lawmage.rulebook.dataset.load_dataset`).

    Raises:
        InputError, UnknownNameError: if the query or a parameter is not as it has to be.
        TimeLimitError: if it takes longer.
    """
    if len(text) > LONGEST_QUERY:
        raise InputError(f"a query has at most {LONGEST_QUERY:,} characters, and this one {len(text):,}", file=name)
    task = {"text": text, "name": name, "given": dict(given or {}), "release": choose_release(release), "limit": limit}
    task["added"] = dict(added or {})
    command = [sys.executable, "-P", "-m", "lawmage.query_process"]
    try:
        done = subprocess.run(command, input=json.dumps(task).encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise TimeLimitError(f"{name}: stopped after {seconds:g} seconds; ask for less, or allow more time") from None
    try:
        result = json.loads(done.stdout)
    except ValueError:
        raise InputError("the query was stopped, probably because it needs too much memory; ask for less", file=name) from None
    if "error" in result:
        raise _ERRORS.get(result["error"], LawmageError)(result["message"])
    return Answer(result["release"], tuple(result["columns"]), tuple(map(tuple, result["rows"])), result["more"])


def main() -> None:
    """Do the task on standard input and print its result: an answer, or an error's class and message."""
    task = json.load(sys.stdin)
    query = read_query(task["text"], task["name"])
    try:
        refuse_other_sources(task["text"], task["name"])
        store = load_dataset(task["release"], graphs=query.graphs, added=task["added"])
        terms, wanted = bind(query, task["given"], store, task["release"]), rows_wanted(query, task["given"])
        _renounce()
        result = asdict(solve(store, query, terms, release=task["release"], wanted=wanted, limit=task["limit"]))
    except LawmageError as error:
        result = {"error": type(error).__name__, "message": str(error)}
    except (RuntimeError, OSError, ValueError) as error:  # what pyoxigraph raises while it works
        result = {"error": "InputError", "message": f"{task['name']}: {error}"}
    json.dump(result, sys.stdout)


def _renounce() -> None:
    """Give up memory beyond a limit and the right to open anything."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


if __name__ == "__main__":
    main()
