"""What `lawmage diff`, `translate`, `locate` and `drift` answer: the rulebook through its releases."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from lawmage.answers.answered import NO, YES, Answered
from lawmage.errors import DataError, InputError
from lawmage.rulebook.diff import Change, History, changes, compose, histories, text_of_part
from lawmage.rulebook.drift import Drifted, load_fingerprints
from lawmage.rulebook.drift import drift as find_drift
from lawmage.rulebook.encoded import encoded_release
from lawmage.rulebook.history import lineages_between
from lawmage.rulebook.history import translate as find_translation
from lawmage.rulebook.locate import Library, Located, passages, releases_of
from lawmage.rulebook.locate import locate as find_passages
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.store import choose_release, installed_releases, load_graph, load_installed, shipped_releases

__all__ = ["diff", "drift", "find_histories", "history", "locate", "located_in", "texts", "translate"]

_MOST_PASSAGES = 10_000


def diff(old: str, new: str, number: str | None = None, *, release: str | None = None) -> Answered:
    """Show what changed between two releases, word by word where their texts are installed; with `number`, that rule's history.

    Args:
        old, new: the dates of two releases, in either order.
        number: a rule. A number that is another rule in one of them than in the other has two histories.
        release: the one in whose numbering `number` is.

    Raises:
        UnknownNameError: if there is no such release or rule.
        InputError: for a release without a number.
        DataError: if the installed text is damaged.
    """
    older, newer = sorted((choose_release(old), choose_release(new)))
    numbering = None if release is None else choose_release(release)
    if number is not None:
        found = find_histories(older, newer, number, numbering, texts())
        document: dict[str, Any] = {"old": older, "new": newer, "number": number, "histories": [_history_as_json(one) for one in found]}
        return Answered(document, YES if any(one.steps for one in found) else NO)
    if numbering is not None:
        raise InputError("--release says in whose numbering NUMBER is; expected a NUMBER after the two releases")
    graphs = load_graph(older), load_graph(newer)
    lineage = compose(lineages_between(older, newer), *graphs)
    text = texts()
    changed = changes(lineage.links, text(older), text(newer), *graphs)
    counts = lineage.counts()
    counts["references only"] = sum(link.references_only for link in lineage.links)
    counts["examples changed"] = sum(link.examples_changed for link in lineage.links)
    document = {"old": older, "new": newer, "counts": counts, "changes": [_change_as_json(change) for change in changed]}
    return Answered(document, YES if changed else NO)


def history(number: str, *, release: str | None = None) -> Answered:
    """Show a rule's history through all known releases; see `diff`.

    Args:
        number: a rule.
        release: the one in whose numbering it is; without it, that of the oldest or the newest.

    Raises:
        UnknownNameError: if there is no such release or rule.
        DataError: if the installed text is damaged.
    """
    return diff(min(known_releases()), choose_release(), number, release=release)


def known_releases() -> list[str]:
    """Return the dates of the releases that are known, oldest first."""
    return sorted({*shipped_releases(), *installed_releases()})


def find_histories(older: str, newer: str, number: str, numbering: str | None, text: Callable[[str], Rulebook | None]) -> list[History]:
    """Return the histories of a rule between two releases.

    Args:
        older, newer: the releases.
        number: the rule.
        numbering: the release in whose numbering it is; None for that of the two.
        text: gives the text of a release (`texts`).

    Raises:
        UnknownNameError: if there is no such rule.
    """
    graphs = load_graph(older), load_graph(newer)
    lineages = lineages_between(older, newer)
    if numbering is None:
        return histories(number, *graphs, lineages, text)
    asked = [(end, name) for end in (newer, older) for name in find_translation(number, numbering, end).became]
    end = asked[0][0] if asked else newer  # the older one only for what the newer one no longer has
    names = [name for release, name in asked if release == end]
    return [each for name in names for each in histories(name, *graphs, lineages, text) if each.release == end]


def texts() -> Callable[[str], Rulebook | None]:
    """Return a function that gives the text of a release, read once, or None where it isn't installed."""

    def text(release: str) -> Rulebook | None:
        installed = load_installed(release)
        return installed.rulebook if installed else None

    return cache(text)


def _change_as_json(change: Change) -> dict[str, Any]:
    link = change.link
    return {
        "kind": link.kind,
        "old": link.old,
        "new": link.new,
        "heading": change.heading,
        "references_only": link.references_only,
        "examples_changed": link.examples_changed,
        "words": None if change.words is None else [[piece.operation, piece.text] for piece in change.words],
    }


def _history_as_json(history: History) -> dict[str, Any]:
    return {
        "number": history.number,
        "release": history.release,
        "heading": history.heading,
        "steps": [
            {"from": step.older, "to": step.newer, "changes": [_change_as_json(change) for change in step.changes]}
            for step in history.steps
        ],
    }


def translate(number: str, start: str, end: str | None = None) -> Answered:
    """Say what a number of one release is in another, older or newer.

    Args:
        number: a rule, or `glossary:TERM`.
        start: the release in whose numbering it is.
        end: the other release; by default the newest known.

    Raises:
        UnknownNameError: if there is no such release or rule.
    """
    answer = find_translation(number, choose_release(start), choose_release(end))
    document = {
        "number": answer.number,
        "from": answer.start,
        "to": answer.end,
        "kind": answer.kind,
        "became": list(answer.became),
        "reworded": answer.reworded,
        "references_only": answer.reworded and answer.references_only,
        "steps": [
            {"from": step.older, "to": step.newer, "links": [{"kind": link.kind, "old": link.old, "new": link.new} for link in step.links]}
            for step in answer.steps
        ],
    }
    return Answered(document, YES if answer.became else NO)


def locate(text: str, *, release: str | None = None) -> Answered:
    """Find which rule each paragraph comes from, and in which releases it reads so; put lost references back.

    Args:
        text: passages of rules, one a paragraph.
        release: look only in this one; by default in all that are installed.

    Raises:
        InputError: if there is no paragraph, or too many.
        UnknownNameError: if there is no such release.
        DataError: if no text is installed, or one is damaged.
    """
    found, likely = located_in(text, release)
    document = {
        "located": sum(one.rule is not None for one in found),
        "restored": sum(len(one.references) for one in found),
        "releases": list(likely),
        "passages": [_located_as_json(one) for one in found],
    }
    return Answered(document, YES if likely else NO)


def located_in(text: str, release: str | None) -> tuple[list[Located], tuple[str, ...]]:
    """Return what is found about each paragraph, and the releases in which most of them read so. Raises as `locate`."""
    found = passages(text)
    if not found:
        raise InputError("there is no text to locate; expected a passage of at least 40 characters")
    if len(found) > _MOST_PASSAGES:
        raise InputError(f"there are {len(found):,} paragraphs to locate; expected at most {_MOST_PASSAGES:,}")
    wanted = list(installed_releases()) if release is None else [choose_release(release)]
    library = Library(rulebook for rulebook in map(texts(), wanted) if rulebook is not None)
    if not library:
        which = "no text of a release is" if release is None else f"the text of {release} is not"
        raise DataError(f"{which} installed; download the rulebook from its publisher, then: lawmage data import FILE")
    answers = find_passages(found, library)
    return answers, releases_of(answers)


def _located_as_json(answer: Located) -> dict[str, Any]:
    numbers: dict[str, list[str]] = {}
    for each, number in (answer.numbers or {}).items():
        numbers.setdefault(number, []).append(each)
    return {
        "passage": answer.passage,
        "kind": answer.kind,
        "rule": answer.rule,
        "part": answer.part or None,
        "also": list(answer.also),
        "releases": list(answer.releases),
        "numbers": numbers,
        "exact": answer.exact,
        "likeness": round(answer.likeness, 1),
        "restored": answer.restored,
        "references": list(answer.references),
    }


def drift(release: str | None = None) -> Answered:
    """List the rules that are encoded whose text or number is another in a release, by default the newest known.

    Raises:
        UnknownNameError: if there is no such release.
        DataError: if the installed text is damaged.
    """
    other = choose_release(release)
    found = find_drift(other)
    text = texts()
    document = {
        "encoded": encoded_release(),
        "release": other,
        "rules": len(load_fingerprints()),
        "drifted": [_drifted_as_json(item, text) for item in found],
    }
    return Answered(document, NO if found else YES)


def _drifted_as_json(item: Drifted, text: Callable[[str], Rulebook | None]) -> dict[str, Any]:
    answer = item.translation
    return {
        "rule": item.rule,
        "kind": answer.kind,
        "became": list(answer.became),
        "references_only": answer.reworded and answer.references_only,
        "files": list(item.files),
        "text": text_of_part(text(answer.start), item.rule),
        "texts": [text_of_part(text(answer.end), number) for number in answer.became],
    }
