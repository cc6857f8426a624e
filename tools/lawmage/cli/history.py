"""`lawmage diff`, `lawmage translate`, `lawmage locate`, `lawmage drift`: the rulebook through its releases."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, finish, stderr
from lawmage.errors import InputError

if TYPE_CHECKING:
    from lawmage.rulebook.model import Rulebook

__all__ = ["register"]

#: More than any rulebook.
_LARGEST_INPUT = 4 * 2**20

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
        str | None, typer.Argument(metavar="NUMBER", help="Show this rule's history through all releases between.", show_default=False)
    ] = None,
    as_json: JsonFlag = False,
    release: Annotated[str | None, typer.Option("--release", metavar="DATE", help="The release in whose numbering NUMBER is.")] = None,
) -> None:
    """Show what changed between two releases, word by word where their texts are installed. Exit status 1 if nothing did.

    With NUMBER, the history of that rule and of what stands under it. A number that is another rule in OLD than in NEW has two.
    """
    from lawmage.answers.history import diff as answer
    from lawmage.rulebook.store import choose_release

    if as_json or (number is None and release is not None):
        finish(answer(old, new, number, release=release))
    older, newer = sorted((choose_release(old), choose_release(new)))
    if number is None:
        _print_diff(older, newer)
    else:
        _print_histories(older, newer, number, None if release is None else choose_release(release))


def _print_diff(older: str, newer: str) -> None:
    from lawmage.answers.history import texts
    from lawmage.cli._history_words import print_changes, print_counts
    from lawmage.rulebook.diff import changes, compose
    from lawmage.rulebook.history import lineages_between
    from lawmage.rulebook.store import load_graph

    graphs = load_graph(older), load_graph(newer)
    lineage = compose(lineages_between(older, newer), *graphs)
    text = texts()
    found = changes(lineage.links, text(older), text(newer), *graphs)
    print_counts(lineage)
    print_changes(found)
    _say_what_is_missing([older, newer], text)
    if not found:
        raise typer.Exit(NO)


def _print_histories(older: str, newer: str, number: str, numbering: str | None) -> None:
    from lawmage.answers.history import find_histories, texts
    from lawmage.cli._history_words import print_history

    text = texts()
    found = find_histories(older, newer, number, numbering, text)
    for history in found:
        print_history(history)
    steps = [step for history in found for step in history.steps]
    _say_what_is_missing(sorted({release for step in steps for release in (step.older, step.newer)}), text)
    if not steps:
        raise typer.Exit(NO)


def _say_what_is_missing(releases: Iterable[str], text: Callable[[str], Rulebook | None]) -> None:
    missing = [release for release in releases if text(release) is None]
    if missing:
        stderr().print(f"For the words, install the text of {', '.join(missing)}: lawmage data import FILE", markup=False, soft_wrap=True)


# ---------------------------------------------------------------- translate


def translate_(
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="A rule number, or glossary:TERM.")],
    start: Annotated[str, typer.Argument(metavar="FROM", help="The release in whose numbering it is.")],
    end: Annotated[str | None, typer.Argument(metavar="TO", help="Another release (default: newest known).", show_default=False)] = None,
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
) -> None:
    """Say what a number of one release is in another, older or newer. Exit status 1 if the rule isn't there."""
    from lawmage.answers.history import translate as answer

    last = _one_release(end, release)
    if as_json:
        finish(answer(number, start, last))
    from lawmage.cli._history_words import print_translation
    from lawmage.rulebook.history import translate
    from lawmage.rulebook.store import choose_release, load_graph

    found = translate(number, choose_release(start), last)
    print_translation(found, load_graph(found.start), load_graph(found.end))
    if not found.became:
        raise typer.Exit(NO)


def _one_release(argument: str | None, option: str | None) -> str:
    """Return the release that was given as an argument or as --release, or the newest known."""
    from lawmage.rulebook.store import choose_release

    if argument is not None and option is not None and argument != option:
        raise InputError(f"two releases are given, {argument} and --release {option}; expected one")
    return choose_release(option if argument is None else argument)


# ---------------------------------------------------------------- locate


def locate_(
    text: Annotated[str, typer.Argument(metavar="TEXT|-", help="A passage, or - for standard input.")] = "-",
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
) -> None:
    """Find which rule a passage comes from, and in which releases it reads so; put lost references back.

    Each paragraph is looked up in all installed texts. Exit status 1 if none is from a rulebook.
    """
    from lawmage.answers.history import locate, located_in

    document = _standard_input() if text == "-" else text
    if as_json:
        finish(locate(document, release=release))
    from lawmage.cli._history_words import print_located

    found, likely = located_in(document, release)
    print_located(found, likely)
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


# ---------------------------------------------------------------- drift


def drift_(
    release: Annotated[str | None, typer.Argument(metavar="RELEASE", help="A release (default: newest known).", show_default=False)] = None,
    as_json: JsonFlag = False,
    option: ReleaseOption = None,
) -> None:
    """List the rules we encode whose text or number is another in a release. Exit status 1 if there are any.

    With both texts installed, shows what changed word by word.
    """
    from lawmage.answers.history import drift as answer

    other = _one_release(release, option)
    if as_json:
        finish(answer(other))
    from lawmage.answers.history import texts
    from lawmage.cli._history_words import print_drift
    from lawmage.rulebook.drift import drift, load_fingerprints
    from lawmage.rulebook.encoded import encoded_release

    encoded = encoded_release()
    found = drift(other)
    text = texts()
    print_drift(found, len(load_fingerprints()), encoded, other, text)
    _say_what_is_missing([encoded, other] if found else [], text)
    if found:
        raise typer.Exit(NO)
