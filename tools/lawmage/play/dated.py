"""Answers as of a release: what its rules do not have yet, and the numbers that its rules have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from lawmage.board import Board, Object, Scenario
from lawmage.constraints import Constraint
from lawmage.errors import InputError
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.reading import Holder, Reading
from lawmage.rulebook.model import sort_key
from lawmage.text.words import turn

if TYPE_CHECKING:
    from lawmage.rulebook.lineage import Lineage

__all__ = ["Judged", "cited_in", "dated_words", "facts_of_then", "in_numbering_of", "refuse_release", "refuse_what_is_newer"]

#: What each sort of dated thing on a board is called.
_CALLED = {"type": "card type", "counter": "counter", "keyword": "keyword", "designation": "designation", "symbol": "mana symbol"}
_SYMBOL = re.compile(r"\{([^{}]+)\}")


class Judged(Protocol):
    """What is judged as of a release: a board, what its words say, what kb/ knows, and the file that it comes from."""

    @property
    def board(self) -> Board: ...  # noqa: D102
    @property
    def reading(self) -> Reading: ...  # noqa: D102
    @property
    def known(self) -> Knowledge: ...  # noqa: D102
    @property
    def release(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> str | None: ...  # noqa: D102


def refuse_release(scenario: Scenario) -> None:
    """Raise InputError if kb/ and asp/ don't encode what the rules of the scenario's release say on its judgement."""
    release = scenario.release
    if release is None or release == (known := knowledge()).release:
        return
    from lawmage.rulebook.store import no_release, shipped_releases

    if release not in shipped_releases():
        raise InputError(no_release(release, shipped_releases()), file=scenario.file)
    if not any(dated.sort == "judgement" and dated.word == scenario.judge and dated.holds(release) for dated in known.dated):
        raise InputError(
            f"verdicts as of the release {release} are not available; this version knows the rules of {known.release}", file=scenario.file
        )


def refuse_what_is_newer(judged: Judged) -> None:
    """Raise InputError if anything on the board has no rule in the release of what is judged."""
    release = judged.release
    if release == judged.known.release:
        return
    absent = {(dated.sort, dated.word): dated for dated in judged.known.dated if dated.sort in _CALLED and not dated.holds(release)}
    for name, sort, word in dated_words(judged.board, judged.reading):
        if (sort, word) in absent:
            since = absent[sort, word].since
            thing = judged.board.objects.get(name)
            raise InputError(
                f"{name} has the {_CALLED[sort]} {word}, which the rules have since {since}, not in the release {release}",
                file=judged.file,
                line=thing.line or None if thing else None,
            )


def dated_words(board: Board, reading: Reading) -> Iterator[tuple[str, str, str]]:
    """Yield all on a board that a release may not have: the object or effect that has it, the sort (as in `Dated`) and the word."""
    for holder in (*reading.objects, *reading.effects):
        thing = board.objects.get(holder.name)
        for sort, word in (*_words_of(holder), *(() if thing is None else _words_on(thing))):
            yield holder.name, sort, word


def _words_on(thing: Object) -> Iterator[tuple[str, str]]:
    """Yield the words for what an object is, and is given, each with its sort: a release may not have them."""
    yield from (("type", word) for word in thing.types)
    yield from (("counter", word) for word in thing.counters)
    if thing.goaded_by:
        yield "designation", "goaded"
    yield from (("designation", word) for word in thing.designations)


def _words_of(holder: Holder) -> Iterator[tuple[str, str]]:
    """Yield the keywords and mana symbols in what an object or effect says; of symbols such as {W/B/P} their form `color/color/P`."""
    yield from (("keyword", use.keyword) for use in (*holder.keywords, *holder.counters))
    for state in holder.states:
        yield from (("symbol", re.sub("[WUBRG]", "color", symbol)) for symbol in _SYMBOL.findall(state.value or ""))


def facts_of_then(
    release: str, known: Knowledge, board: Board, numbers: Mapping[str, int], constraints: Sequence[Constraint | None]
) -> Iterator[tuple[str, tuple[int | str, ...]]]:
    """Yield the facts on the rules that `release` has and the encoded release has not, and on what they ask about; none if it has none.

    They say which rules these are, which constraints speak of a turn, and what attacked or blocked before in this one.

    Args:
        release, known: the release, and what kb/ says of all.
        board: the board, with what happened before.
        numbers: the integer in asp/ of each object.
        constraints: the constraint behind each integer; None where there is none.
    """
    rules = _rules_of(release, known)
    if not rules:
        return
    yield from (("dated", (rule,)) for rule in rules)
    for number, constraint in enumerate(constraints):
        if constraint is not None and turn("within_a_turn").search(constraint.source.lower()):
            yield "within_a_turn", (number,)
    for predicate, key in (("attacked_before", "attacked"), ("blocked_before", "blocked")):
        yield from ((predicate, (numbers[name],)) for name in board.history.get(key, ()) if name in numbers)


@lru_cache(maxsize=64)
def _rules_of(release: str, known: Knowledge) -> tuple[str, ...]:
    """Return the words in asp/ for the rules that `release` has and the encoded release has not."""
    return tuple(dated.word for dated in known.dated if dated.sort == "rule" and dated.holds(release))


@lru_cache(maxsize=1)
def _lineages() -> Mapping[tuple[str, str], Lineage]:
    from lawmage.rulebook.history import load_shipped

    return load_shipped()


@lru_cache(maxsize=2048)
def _translated(number: str, start: str, end: str) -> str:
    from lawmage.rulebook.history import follow
    from lawmage.rulebook.store import shipped_releases

    between = [release for release in shipped_releases() if min(start, end) <= release <= max(start, end)]
    became = follow(number, start, end, [_lineages()[pair] for pair in pairwise(between)]).became
    return became[0] if became else ""


def _number(number: str, release: str, known: Knowledge) -> str:
    """Return the number in `release` of a rule, or of the one that said the same; nothing where none did.

    A rule that the encoded release has no more is written with the last release that had it, as in `2017-06-05:704.5j`.
    """
    start, _, rest = number.rpartition(":")
    if release == known.release and not start:
        return number
    found = _translated(rest, start or known.release, release)
    if not found:
        stood = (dated.rule for dated in known.dated if dated.sort == "place" and dated.word == number and dated.holds(release))
        found = next((there for rule in stood if (there := _number(rule, release, known))), "")
    return found


def in_numbering_of(release: str, number: str, known: Knowledge) -> str:
    """Return the number that a rule of the encoded release has in `release`; the same where it has none there.

    Raises:
        DataError: if the shipped lineage is damaged.
    """
    return _number(number, release, known) or number


def cited_in(release: str, rules: Iterable[str], known: Knowledge) -> tuple[str, ...]:
    """Return the numbers that rules of the encoded release have in `release`, without those that it does not have, as in the rulebook.

    Raises:
        DataError: as `in_numbering_of`.
    """
    return tuple(sorted({found for rule in rules if (found := _number(rule, release, known))}, key=sort_key))
