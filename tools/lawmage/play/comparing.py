"""One board under two releases: whether a verdict differs, and the smallest set of changes of the rules that makes the difference.

What the rules did not always have is data (kb/vocabulary.ttl, lm:Dated). Each such fact that one of the releases has and the other has
not is taken as in the other, one, two and more at a time, until the verdict turns.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.play.dated import cited_in, dated_words
from lawmage.play.judging import Answer, ProposalVerdict, judge
from lawmage.play.knowledge import Dated, Knowledge, knowledge, supposing
from lawmage.play.reading import read_board
from lawmage.rulebook.model import sort_key

__all__ = ["Change", "Compared", "Comparison", "compare"]

#: With more changes than this that could bear on a board, only sets of up to `_MOST_TOGETHER` are tried.
_FEW, _MOST_TOGETHER = 8, 2
#: What bears on every board; other changes bear on those that have the thing.
_EVERYWHERE = ("rule", "judgement")


@dataclass(frozen=True, slots=True)
class Change:
    """Something that one of two releases has and the other has not.

    Attributes:
        sort, word: what it is, as in kb/ (see `lawmage.play.knowledge.Dated`).
        rules: the rule that it stands in, or that took its place, in the numbering of each release; None where there is none.
        since, until: the first and the last release that has it, empty where unlimited.
        says: what it is, in a sentence.
    """

    sort: str
    word: str
    rules: tuple[str | None, str | None]
    since: str
    until: str
    says: str

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        when = {"since": self.since or None, "until": self.until or None}
        return {"sort": self.sort, "word": self.word, "rules": list(self.rules), **when, "says": self.says}


@dataclass(frozen=True, slots=True)
class Compared:
    """A proposal under two releases.

    Attributes:
        name: of the proposal.
        verdicts: under each release; None where the release does not have what is on the board.
        refusals: why there is no verdict, empty where there is one.
        same: whether the two say the same.
        because: the smallest set of changes with which the earlier release says what the later says; empty if they say the same, or if
            no set was found.
        reworded: of the rules that both verdicts cite, those whose words changed between the releases, numbered in each.
    """

    name: str
    verdicts: tuple[ProposalVerdict | None, ProposalVerdict | None]
    refusals: tuple[str, str]
    same: bool
    because: tuple[Change, ...] = ()
    reworded: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "same": self.same,
            "verdicts": [None if verdict is None else verdict.as_json() for verdict in self.verdicts],
            "refused": [refusal or None for refusal in self.refusals],
            "because": [change.as_json() for change in self.because],
            "reworded": [list(pair) for pair in self.reworded],
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """One scenario under two releases."""

    file: str | None
    judge: str
    releases: tuple[str, str]
    proposals: tuple[Compared, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        compared = {one.name: one.as_json() for one in self.proposals}
        return {"lawmage": 1, "file": self.file, "judge": self.judge, "releases": list(self.releases), "compared": compared}


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is answered under one release: an answer, or why there is none."""

    answer: Answer | None
    refusal: str = ""

    def says(self, name: str) -> object:
        """Return what is compared between releases: the verdict, and what comes of it."""
        return self.refusal if self.answer is None else _said(self.answer.proposals[name])


def compare(scenario: Scenario, releases: tuple[str, str], *, seconds: float | None = 10.0) -> Comparison:
    """Judge `scenario` under two releases and find what makes a difference between the verdicts.

    Args:
        scenario: the board and the proposals; its own release, and what it expects, are left aside.
        releases: the two, as ISO dates.
        seconds: the time allowed for each search of each judgement.

    Raises:
        InputError: for a release that is not known, and if the board can be judged under neither release.
    """
    from lawmage.rulebook.store import no_release, shipped_releases

    if scenario.judge == "lethal":
        raise InputError("asks whether an attack is lethal; only verdicts on what is proposed are compared", file=scenario.file)
    for release in releases:
        if release not in shipped_releases():
            raise InputError(no_release(release, shipped_releases()), file=scenario.file)
    known = knowledge()
    plain = replace(scenario, expect=None)
    first, second = (_judged(plain, release, seconds) for release in releases)
    if first.answer is None and second.answer is None:
        raise InputError(first.refusal)
    changes = list(_changes(plain, releases, known))
    compared = []
    turned: dict[tuple[Dated, ...], _Judged] = {}
    for name in (first.answer or second.answer).proposals:  # type: ignore[union-attr]
        same = first.says(name) == second.says(name)
        because: Sequence[Dated] = ()
        if not same:
            # The earlier of the two is asked otherwise: the newest is the one that the programs are written for.
            later = second if releases[0] <= releases[1] else first
            because = _turning(plain, min(releases), known, changes, turned, name, later.says(name), seconds)
        verdicts = tuple(None if one.answer is None else one.answer.proposals[name] for one in (first, second))
        compared.append(
            Compared(
                name,
                (verdicts[0], verdicts[1]),
                (first.refusal, second.refusal),
                same,
                tuple(_change(dated, releases, known) for dated in because),
                tuple(_reworded(verdicts[0], releases)) if same and verdicts[0] is not None else (),
            )
        )
    return Comparison(scenario.file, scenario.judge, releases, tuple(compared))


def _judged(scenario: Scenario, release: str, seconds: float | None) -> _Judged:
    try:
        return _Judged(judge(replace(scenario, release=release), seconds=seconds))
    except InputError as error:
        return _Judged(None, str(error))


def _said(verdict: ProposalVerdict) -> object:
    if hasattr(verdict, "players") and hasattr(verdict, "objects"):
        lost = {name: {**state, "lost": bool(state.get("lost"))} for name, state in verdict.players.items()}
        return verdict.verdict, lost, {name: dict(state) for name, state in verdict.objects.items()}
    return verdict.verdict


def _changes(scenario: Scenario, releases: tuple[str, str], known: Knowledge) -> Iterator[Dated]:
    """Yield what one release has and the other has not, as far as it could bear on the board."""
    there = {(sort, word) for _, sort, word in dated_words(scenario.board, read_board(scenario.board, known, file=scenario.file))}
    for dated in known.dated:
        bears = dated.sort in _EVERYWHERE or (dated.sort, dated.word) in there
        if bears and dated.sort != "place" and dated.holds(releases[0]) != dated.holds(releases[1]):
            yield dated


def _turning(
    scenario: Scenario,
    release: str,
    known: Knowledge,
    changes: Sequence[Dated],
    turned: dict[tuple[Dated, ...], _Judged],
    name: str,
    wanted: object,
    seconds: float | None,
) -> Sequence[Dated]:
    """Return the smallest set of changes that, taken as in the other release, makes `release` say `wanted`; none if none was found."""
    for size in range(1, 1 + (len(changes) if len(changes) <= _FEW else _MOST_TOGETHER)):
        for chosen in itertools.combinations(changes, size):
            if chosen not in turned:
                with supposing(_otherwise(known, release, chosen)):
                    turned[chosen] = _judged(scenario, release, seconds)
            if turned[chosen].says(name) == wanted:
                return chosen
    return ()


def _otherwise(known: Knowledge, release: str, chosen: Iterable[Dated]) -> Knowledge:
    """Return what is known, but that `release` has what it has not of `chosen`, and has not what it has."""
    changed = set(chosen)
    dated = tuple(one if one not in changed else replace(one, since="9999" if one.holds(release) else "", until="") for one in known.dated)
    return replace(known, dated=dated)


def _change(dated: Dated, releases: tuple[str, str], known: Knowledge) -> Change:
    first, second = (next(iter(cited_in(release, [dated.rule], known)), None) for release in releases)
    says = dated.comment or f"The rules have the {dated.sort} {dated.word}."
    return Change(dated.sort, dated.word, (first, second), dated.since, dated.until, says)


def _reworded(verdict: ProposalVerdict, releases: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the rules that a verdict under the first release cites and whose words changed since, or before, numbered in each."""
    from lawmage.rulebook.history import follow, load_shipped
    from lawmage.rulebook.store import shipped_releases

    between = [release for release in shipped_releases() if min(releases) <= release <= max(releases)]
    lineages: Mapping[tuple[str, str], Any] = load_shipped()
    along = [lineages[pair] for pair in pairwise(between)]
    for rule in sorted(verdict.cites, key=sort_key):
        found = follow(rule, *releases, along)
        if found.reworded and not found.references_only:
            yield rule, ", ".join(found.became)
