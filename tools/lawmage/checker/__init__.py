"""An independent check of verdicts on declarations of attackers (508.1) and blockers (509.1): is what a verdict claims true?

Written from the rulebook, without the solver: nothing of asp/, clingo, or the modules that prepare and read programs is used. What
the words on a board state is taken from `lawmage.play.reading`, as constraints of the vocabulary. What a kind of constraint *means*
is written here a second time, on purpose, and only here outside asp/: two meanings written apart seldom have the same fault. What a
keyword means stays data.

Confirmed are: each violation; that a declaration called legal disobeys no restriction; how many requirements are obeyed; that a
better declaration disobeys no restriction, costs nothing, and obeys as many requirements as claimed and more than the proposal; that
what a clash, and the requirements obeyed, name is on the board.

Not confirmed is any maximum: that nothing obeys more cannot be told from a witness, which is why there is a solver. Nor that a clash
cannot be kept, that a list of violations is complete, or the words of messages. What the checker does not know (a kind, a test) makes
it silent about all that this could touch.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from lawmage.board import Board, Proposal, Scenario
from lawmage.checker import attacks, blocks
from lawmage.checker.attacks import Attacks
from lawmage.checker.blocks import Blocks
from lawmage.checker.declared import Broken, Obeyed
from lawmage.checker.growth import growth_on
from lawmage.checker.table import Table, open_conditions
from lawmage.checker.words import Named
from lawmage.constraints import tests_in
from lawmage.errors import CheckerDisagreementError, UnknownNameError, suggestion
from lawmage.play.command_zone import with_command_zone
from lawmage.play.dated import in_numbering_of
from lawmage.play.knowledge import knowledge
from lawmage.play.reading import read_board
from lawmage.play.verdict import Answer, ProposalVerdict, Violation

__all__ = ["check_answer", "check_verdict"]

_STEPS: Mapping[str, type[Attacks] | type[Blocks]] = {step.judge: step for step in (Attacks, Blocks)}
_KINDS = {"attack": attacks.KINDS, "block": blocks.KINDS}
#: Groups of the vocabulary (kb/vocabulary.ttl) of which an unknown member touches only what bears the group's name.
_FORBIDDING, _REQUIRING = frozenset({"restriction", "cost"}), frozenset({"requirement"})
#: With more open conditions than this nothing is checked: they would be taken in too many ways.
_MOST_OPEN = 10


def check_verdict(scenario: Scenario, name: str, verdict: ProposalVerdict) -> list[str]:
    """Return sentences about what is not so in the verdict on the proposal `name`; none if it is confirmed.

    Of an undecided verdict only the violations are checked. Verdicts of other kinds than `attack` and `block` are not.

    Raises:
        UnknownNameError: if nothing of that name is proposed.
        InputError: as `lawmage.play.judge`.
    """
    proposed = [proposal.name for proposal in scenario.proposals]
    if name not in proposed:
        raise UnknownNameError(f'nothing is proposed by the name "{name}"{suggestion(name, proposed)}')
    return list(_Check(scenario).disagreements(name, verdict)) if scenario.judge in _STEPS else []


def check_answer(scenario: Scenario, answer: Answer) -> None:
    """Check the verdicts on all proposals of `scenario`.

    Raises:
        CheckerDisagreementError: about the first that is not confirmed.
        InputError: as `lawmage.play.judge`.
    """
    if scenario.judge not in _STEPS or not answer.proposals:
        return
    check = _Check(scenario)
    for name, verdict in answer.proposals.items():
        found = list(check.disagreements(name, verdict))
        if found:
            raise CheckerDisagreementError(name, found, file=scenario.file)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is true of one player's part of a proposal, and of their part of a better declaration, with the open conditions taken one way.

    `better` is what that part disobeys and obeys and whether it costs something, or None where the verdict names none.
    """

    broken: set[Broken]
    obeyed: set[Obeyed]
    better: tuple[set[Broken], set[Obeyed], bool] | None

    @property
    def fine(self) -> bool:
        """Whether the better declaration is one: allowed, free, and obeying more."""
        return self.better is not None and not self.better[0] and not self.better[2] and len(self.better[1]) > len(self.obeyed)


class _Check:
    """One scenario, seen by each player who declares, with the open conditions taken in every way."""

    def __init__(self, scenario: Scenario) -> None:
        scenario = with_command_zone(scenario)
        self.known = knowledge()
        self.release = scenario.release or self.known.release
        self.reading = read_board(scenario.board, self.known, file=scenario.file)
        self.board = self._with_attackers_tapped(scenario.board)
        self.step = _STEPS[scenario.judge]
        self.proposals = {proposal.name: proposal for proposal in scenario.proposals}
        unsettled = open_conditions(self.reading, self.known, scenario.judge)
        several = len(unsettled) > _MOST_OPEN
        ways = [] if several else itertools.product(*([None, condition] for condition in unsettled))
        taken = [frozenset(condition for condition in way if condition) for way in ways]
        self.views = {player: [self.step(self._table(player, way), player) for way in taken] for player in self.step.players(self.board)}
        self.tables = [view.table for views in self.views.values() for view in views]
        self.unknown = set().union(*(table.unknown for table in self.tables)) | ({"open"} if several else set())

    def _with_attackers_tapped(self, board: Board) -> Board:
        """Tap the attackers of which the file does not say whether they are (508.1f), but for those that attacking leaves (702.20b)."""
        unsaid = [attack.attacker for attack in board.attacks or () if board.objects[attack.attacker].tapped is None]
        said = (constraint for holder in (*self.reading.objects, *self.reading.effects) for constraint in holder.states)
        if not unsaid or not any("tapped" in tests_in(constraint) for constraint in said):
            return board
        table = Table(
            replace(board, attacks=None),
            self.reading,
            self.known,
            Attacks.judge,
            meant=attacks.KINDS,
            targets=attacks.TARGETS,
            defending=Attacks.only_defending(board, board.active),
            taken=frozenset(),
            release=self.release,
        )
        tapped = [name for name in unsaid if name in table.beings and not table.about("attacks_untapped", name)]
        return replace(board, objects=board.objects | {name: replace(board.objects[name], tapped=True) for name in tapped})

    def _table(self, player: str, taken: frozenset[tuple[str, str]]) -> Table:
        judge, defending = self.step.judge, self.step.only_defending(self.board, player)
        table = partial(
            Table,
            self.board,
            self.reading,
            self.known,
            judge,
            meant=_KINDS[judge],
            targets=attacks.TARGETS,
            defending=defending,
            taken=taken,
            release=self.release,
        )
        found = table()
        growth = growth_on(found) if judge == Blocks.judge else {}
        return table(growth=growth) if growth else found

    def _rule(self, number: str) -> str:
        """Return the number that a rule has in the release."""
        return in_numbering_of(self.release, number, self.known)

    def disagreements(self, name: str, verdict: ProposalVerdict) -> Iterator[str]:
        """Yield what is not so in `verdict`."""
        if self.unknown - _FORBIDDING - _REQUIRING:
            return
        parts = {player: list(self._parts(player, self.proposals[name], verdict)) for player in self.views}
        yield from self._violations(parts, verdict)
        if verdict.verdict == "undecided":
            return
        if verdict.verdict == "illegal" and not verdict.violations:
            yield "it is called illegal without a violation"
        if verdict.verdict == "legal":
            yield from self._legality(parts, verdict)
        if not self.unknown & _REQUIRING:
            yield from _counts(parts, verdict)
        yield from self._words(verdict)

    def _parts(self, player: str, proposal: Proposal, verdict: ProposalVerdict) -> Iterator[_Part]:
        declared = self.step.proposed(self.board, player, proposal)
        better = self.step.named(self.board, player, verdict.requirements.better or {})
        for view in self.views[player]:
            judged = (view.broken(better), view.obeyed(better), view.priced(better)) if better.pairs else None
            yield _Part(view.broken(declared), view.obeyed(declared), judged)

    def _words(self, verdict: ProposalVerdict) -> Iterator[str]:
        named = Named(self.board, self.reading, self.known, self.tables)
        for text in verdict.requirements.clash:
            if not named.in_a_clash(text):
                yield f'a clash names what is not on the board: "{text}"'
        for text in verdict.requirements.met:
            if not named.is_stated(text):
                yield f'a requirement is called obeyed that is not on the board: "{text}"'
        if verdict.requirements.met and len(verdict.requirements.met) != verdict.requirements.obeyed:
            yield f"{len(verdict.requirements.met)} requirements are named, and {verdict.requirements.obeyed} called obeyed"

    # ------------------------------------------------------------ violations

    def _violations(self, parts: Mapping[str, list[_Part]], verdict: ProposalVerdict) -> Iterator[str]:
        found = {(self._rule(rule), objects) for ways in parts.values() for part in ways for rule, objects in part.broken}
        for violation in verdict.violations:
            if violation.rule == self._rule(self.step.too_few):
                yield from self._too_few(parts, violation)
            elif (violation.rule, frozenset(violation.objects)) not in found and not self.unknown & _FORBIDDING:
                yield f"it does not disobey {violation.rule} as claimed for {_listed(violation.objects)}"
        if verdict.verdict != "undecided" and self._claims_better(verdict) != (verdict.requirements.better is not None):
            yield f"a violation of {self.step.too_few} and a better declaration do not come together"

    def _claims_better(self, verdict: ProposalVerdict) -> bool:
        return any(violation.rule == self._rule(self.step.too_few) for violation in verdict.violations)

    def _too_few(self, parts: Mapping[str, list[_Part]], violation: Violation) -> Iterator[str]:
        """Yield what is wrong with the better declaration that shows a violation of 508.1d or 509.1c."""
        claimed = [ways for ways in parts.values() if any(part.better is not None for part in ways)]
        if not claimed:
            yield f"no better declaration shows that {violation.rule} is disobeyed"
        for ways in claimed:
            if not any(part.fine for part in ways):
                yield from self._not_better(ways)
        only_better = [part.better[1] - part.obeyed for ways in claimed for part in ways if part.better]
        missing = {name for obeyed in only_better for _, objects in obeyed for name in objects}
        if not set(violation.objects) <= missing and not self.unknown & _REQUIRING:
            yield f"{_listed(set(violation.objects) - missing)} has no requirement that only the better declaration obeys"

    def _not_better(self, ways: Iterable[_Part]) -> Iterator[str]:
        part = next(iter(ways))
        assert part.better is not None
        broken, obeyed, priced = part.better
        for rule, objects in sorted((rule, sorted(objects)) for rule, objects in broken):
            yield f"the better declaration disobeys {rule} for {_listed(objects)}"
        if priced:
            yield "the better declaration has a cost"
        if len(obeyed) <= len(part.obeyed) and not self.unknown & _REQUIRING:
            yield f"the better declaration obeys {len(obeyed)} requirements, the proposal {len(part.obeyed)}"

    def _legality(self, parts: Mapping[str, list[_Part]], verdict: ProposalVerdict) -> Iterator[str]:
        if verdict.violations:
            yield "it is called legal with a violation"
        broken = {broken for ways in parts.values() for part in ways for broken in part.broken}
        for rule, objects in sorted((rule, sorted(objects)) for rule, objects in broken):
            yield f"it disobeys {rule} for {_listed(objects)} and is called legal"
        if verdict.requirements.maximum is None:
            yield "it is called legal without a maximum"


def _counts(parts: Mapping[str, list[_Part]], verdict: ProposalVerdict) -> Iterator[str]:
    """Yield what is wrong with the numbers of requirements; each player's open conditions may have been taken in any way."""
    obeyed = _sums({len(part.obeyed) for part in ways} for ways in parts.values())
    if verdict.requirements.obeyed not in obeyed:
        yield f"it obeys {_either(obeyed)} requirements, not {verdict.requirements.obeyed}"
    maximum = verdict.requirements.maximum
    if maximum is None:
        return
    # Where a player could do better, the better declaration obeys the maximum; where not, the maximum is no more than is obeyed.
    better = [{len(part.better[1]) for part in ways if part.better and part.fine} for ways in parts.values()]
    shown = _sums(numbers for numbers in better if numbers)
    rest = sum(max(len(part.obeyed) for part in ways) for ways, numbers in zip(parts.values(), better, strict=True) if not numbers)
    if not any(number <= maximum <= number + rest for number in shown):
        yield f"the maximum is called {maximum}, but what is shown obeys {_either({number + rest for number in shown})}"


def _sums(choices: Iterable[set[int]]) -> set[int]:
    """Return all sums of one number of each set."""
    sums = {0}
    for numbers in choices:
        sums = {one + other for one in sums for other in numbers}
    return sums


def _either(numbers: set[int]) -> str:
    return " or ".join(map(str, sorted(numbers)))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "the whole declaration"
