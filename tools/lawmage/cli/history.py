"""`lawmage diff`, `lawmage translate`, `lawmage locate`, `lawmage drift`: the rulebook through its releases."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, emit_json, stderr
from lawmage.errors import DataError, InputError

if TYPE_CHECKING:
    from lawmage.rulebook.diff import Change, History
    from lawmage.rulebook.drift import Drifted
    from lawmage.rulebook.history import Translation
    from lawmage.rulebook.locate import Located
    from lawmage.rulebook.model import Rulebook

__all__ = ["register"]

#: More than any rulebook.
_LARGEST_INPUT = 4 * 2**20
_MOST_PASSAGES = 10_000

Old = Annotated[str, typer.Argument(metavar="OLD", help="The date of a release.")]
New = Annotated[str, typer.Argument(metavar="NEW", help="The date of a later release.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command("diff", epilog="Examples: lawmage diff 2026-02-27 2026-04-17, lawmage diff 2015-01-23 2026-08-07 701.15")(diff)
    app.command("translate", epilog="Example: lawmage translate 702.21 2020-11-20")(translate_)
    app.command("locate", epilog='Examples: lawmage locate "Deathtouch is a static ability.", lawmage locate - < page.txt')(locate_)
    app.command("drift", epilog="Example: lawmage drift 2026-08-07")(drift_)


# ---------------------------------------------------------------- diff


def diff(
    old: Old,
    new: New,
    number: Annotated[
        str | None, typer.Argument(metavar="[NUMBER]", help="Show this rule's history through all releases between.", show_default=False)
    ] = None,
    as_json: JsonFlag = False,
    release: Annotated[str | None, typer.Option("--release", metavar="DATE", help="The release in whose numbering NUMBER is.")] = None,
) -> None:
    """Show what changed between two releases, word by word where their texts are installed. Exit status 1 if nothing did.

    With NUMBER, the history of that rule and of what stands under it. A number that is another rule in OLD than in NEW has two.
    """
    from lawmage.rulebook.history import known_release

    older, newer = sorted((known_release(old), known_release(new)))
    numbering = known_release(release) if release else None
    if number is not None:
        _diff_one(older, newer, number, numbering, as_json=as_json)
    elif numbering is None:
        _diff_all(older, newer, as_json=as_json)
    else:
        raise InputError("--release says in whose numbering NUMBER is; expected a NUMBER after the two releases")


def _diff_all(older: str, newer: str, *, as_json: bool) -> None:
    from lawmage.rulebook.diff import changes, compose
    from lawmage.rulebook.history import lineages_between
    from lawmage.rulebook.store import load_graph

    graphs = load_graph(older), load_graph(newer)
    lineage = compose(lineages_between(older, newer), *graphs)
    text = _texts()
    found = changes(lineage.links, text(older), text(newer), *graphs)
    if as_json:
        counts = lineage.counts()
        counts["references only"] = sum(link.references_only for link in lineage.links)
        counts["examples changed"] = sum(link.examples_changed for link in lineage.links)
        emit_json({"old": older, "new": newer, "counts": counts, "changes": [_change_as_json(change) for change in found]})
    else:
        from lawmage.cli._history_words import print_changes, print_counts

        print_counts(lineage)
        print_changes(found)
        _say_what_is_missing([older, newer], text)
    if not found:
        raise typer.Exit(NO)


def _diff_one(older: str, newer: str, number: str, numbering: str | None, *, as_json: bool) -> None:
    from lawmage.rulebook.diff import histories
    from lawmage.rulebook.history import lineages_between, translate
    from lawmage.rulebook.store import load_graph

    graphs = load_graph(older), load_graph(newer)
    lineages = lineages_between(older, newer)
    text = _texts()
    if numbering is None:
        found = histories(number, *graphs, lineages, text)
    else:
        asked = [(end, name) for end in (newer, older) for name in translate(number, numbering, end).became]
        end = asked[0][0] if asked else newer  # the older one only for what the newer one no longer has
        names = [name for release, name in asked if release == end]
        found = [each for name in names for each in histories(name, *graphs, lineages, text) if each.release == end]
    if as_json:
        emit_json({"old": older, "new": newer, "number": number, "histories": [_history_as_json(history) for history in found]})
    else:
        from lawmage.cli._history_words import print_history

        for history in found:
            print_history(history)
        steps = [step for history in found for step in history.steps]
        _say_what_is_missing(sorted({release for step in steps for release in (step.older, step.newer)}), text)
    if not any(history.steps for history in found):
        raise typer.Exit(NO)


def _texts() -> Callable[[str], Rulebook | None]:
    """Return a function that gives the text of a release, read once, or None where it isn't installed."""
    from lawmage.rulebook.store import load_installed

    def text(release: str) -> Rulebook | None:
        installed = load_installed(release)
        return installed.rulebook if installed else None

    return cache(text)


def _say_what_is_missing(releases: Iterable[str], text: Callable[[str], Rulebook | None]) -> None:
    missing = [release for release in releases if text(release) is None]
    if missing:
        stderr().print(f"For the words, install the text of {', '.join(missing)}: lawmage data import FILE", markup=False, soft_wrap=True)


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


# ---------------------------------------------------------------- translate


def translate_(
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="A rule number, or glossary:TERM.")],
    start: Annotated[str, typer.Argument(metavar="FROM", help="The release in whose numbering it is.")],
    end: Annotated[str | None, typer.Argument(metavar="[TO]", help="Another release (default: newest known).", show_default=False)] = None,
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
) -> None:
    """Say what a number of one release is in another, older or newer. Exit status 1 if the rule isn't there."""
    from lawmage.rulebook.history import known_release, translate
    from lawmage.rulebook.store import load_graph

    first, last = known_release(start), _one_release(end, release)
    answer = translate(number, first, last)
    graphs = load_graph(first), load_graph(last)
    if as_json:
        emit_json(_translation_as_json(answer))
    else:
        from lawmage.cli._history_words import print_translation

        print_translation(answer, *graphs)
    if not answer.became:
        raise typer.Exit(NO)


def _one_release(argument: str | None, option: str | None) -> str:
    """Return the release that was given as an argument or as --release, or the newest known."""
    from lawmage.rulebook.history import known_release
    from lawmage.rulebook.store import choose_release

    if argument and option and argument != option:
        raise InputError(f"two releases are given, {argument} and --release {option}; expected one")
    wanted = argument or option
    return known_release(wanted) if wanted else choose_release()


def _translation_as_json(answer: Translation) -> dict[str, Any]:
    return {
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


# ---------------------------------------------------------------- locate


def locate_(
    text: Annotated[str, typer.Argument(metavar="[TEXT | -]", help="A passage, or - for standard input.")] = "-",
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
) -> None:
    """Find which rule a passage comes from, and in which releases it reads so; put lost references back.

    Each paragraph is looked up in all installed texts. Exit status 1 if none is from a rulebook.
    """
    from lawmage.rulebook.history import known_release
    from lawmage.rulebook.locate import Library, locate, passages, releases_of
    from lawmage.rulebook.store import installed_releases

    document = _standard_input() if text == "-" else text
    found = passages(document)
    if not found:
        raise InputError("there is no text to locate; expected a passage of at least 40 characters")
    if len(found) > _MOST_PASSAGES:
        raise InputError(f"there are {len(found):,} paragraphs to locate; expected at most {_MOST_PASSAGES:,}")
    wanted = [known_release(release)] if release else list(installed_releases())
    library = Library(rulebook for rulebook in map(_texts(), wanted) if rulebook is not None)
    if not library:
        which = f"the text of {release} is not" if release else "no text of a release is"
        raise DataError(f"{which} installed; download the rulebook from its publisher, then: lawmage data import FILE")
    answers = locate(found, library)
    likely = releases_of(answers)
    if as_json:
        emit_json(
            {
                "located": sum(answer.rule is not None for answer in answers),
                "restored": sum(len(answer.references) for answer in answers),
                "releases": list(likely),
                "passages": [_located_as_json(answer) for answer in answers],
            }
        )
    else:
        from lawmage.cli._history_words import print_located

        print_located(answers, likely)
    if not likely:
        raise typer.Exit(NO)


def _standard_input() -> str:
    from lawmage.rulebook.encoding import decode

    if sys.stdin.isatty():
        stderr().print("Type or paste the passages; end with an empty line and Ctrl-D.", markup=False)
    data = sys.stdin.buffer.read(_LARGEST_INPUT + 1)
    if len(data) > _LARGEST_INPUT:
        raise InputError(f"is larger than {_LARGEST_INPUT >> 20} MB; expected passages of text", file="standard input")
    if not data.strip():
        raise InputError("is empty; expected passages of text", file="standard input")
    try:
        return decode(data)
    except InputError as error:
        raise InputError(error.message.partition("; expected")[0] + "; expected passages of plain text", file="standard input") from None


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


# ---------------------------------------------------------------- drift


def drift_(
    release: Annotated[
        str | None, typer.Argument(metavar="[RELEASE]", help="A release (default: newest known).", show_default=False)
    ] = None,
    as_json: JsonFlag = False,
    option: ReleaseOption = None,
) -> None:
    """List the rules we encode whose text or number is another in a release. Exit status 1 if there are any.

    With both texts installed, shows what changed word by word.
    """
    from lawmage.rulebook.drift import drift, load_fingerprints
    from lawmage.rulebook.encoded import encoded_release

    other = _one_release(release, option)
    encoded = encoded_release()
    found = drift(other)
    count = len(load_fingerprints())
    text = _texts()
    if as_json:
        emit_json({"encoded": encoded, "release": other, "rules": count, "drifted": [_drifted_as_json(item, text) for item in found]})
    else:
        from lawmage.cli._history_words import print_drift

        print_drift(found, count, encoded, other, text)
        _say_what_is_missing([encoded, other] if found else [], text)
    if found:
        raise typer.Exit(NO)


def _drifted_as_json(item: Drifted, text: Callable[[str], Rulebook | None]) -> dict[str, Any]:
    from lawmage.rulebook.diff import text_of_part

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
