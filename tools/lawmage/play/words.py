"""From what asp/ derives to sentences. The sentences themselves are in kb/vocabulary.ttl (lm:says)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import cached_property, lru_cache, partial

from lawmage.play.dated import in_numbering_of
from lawmage.play.declaration_words import declaration_in_words, payment_in_words
from lawmage.play.facts import Problem
from lawmage.play.knowledge import Knowledge
from lawmage.play.play_words import PLAYS, play_in_words
from lawmage.play.stratified import Value, in_order
from lawmage.play.together_words import gathered
from lawmage.play.verdict import Declaration, ProposalVerdict, Violation

__all__ = ["Sentences", "nearest_in_words"]

#: How the words for what players have done to something end.
_IT = " it"


def nearest_in_words(verdict: ProposalVerdict, judge: str) -> str:
    """Return the legal declaration or play that is nearest to one that was judged, with what has to be paid for it."""
    if judge in PLAYS:
        return play_in_words(verdict.nearest or {}, judge)
    words = "; then ".join(declaration_in_words(step, judge) for step in verdict.nearest_steps or (verdict.nearest or {},))
    return words + payment_in_words(verdict.nearest_pay, verdict.nearest_with)


class Sentences:
    """Sentences about one problem, with the objects named as in the file.

    `roles` are the words by which kb/'s sentences call the acting creature and what it acts on; rules have their numbers in `release`.
    """

    def __init__(self, problem: Problem, known: Knowledge, roles: tuple[str, str], release: str) -> None:
        # What sentences need, without the facts: verdicts hold on to it until they are read.
        self.holders, self.constraints = problem.holders, problem.constraints
        self.keyword_of, self.rules = problem.keyword_of, problem.rules
        self.known = known
        self.release = release
        self.roles = roles
        self.judge = "block" if roles[0] == "blocker" else "attack"
        self._players = problem.players
        #: What is said of constraints, by their numbers, as far as it was asked for.
        self._said: dict[int, str] = {}

    def name(self, value: Value) -> str:
        """Return the name of an object or player, or an empty text for `none`."""
        return self.holders[value] if isinstance(value, int) else self.players.get(value, "")

    @cached_property
    def players(self) -> dict[str, str]:
        """The name of each player by their term in asp/."""
        return {f"p({number})": name for name, number in self._players.items()}

    def rule(self, number: str) -> str:
        """Return the number that a rule has in the release."""
        return _rule(self.release, number, self.known)

    def violation(self, rule: str, why: Value, actor: Value, other: Value) -> Violation:
        """Return the violation that `violated(_, rule, why, actor, other)` states."""
        acting, acted_on = self.roles
        names = {acting: self.name(actor), acted_on: self.name(other)}
        objects = tuple(name for name in (names[acted_on], names[acting]) if name)
        number_of_rule = self.rule(rule.strip('"'))
        if isinstance(why, str):
            said = self.known.breaches[why].says.format_map({key: value or "it" for key, value in names.items()})
            return Violation(number_of_rule, objects, said)
        number, holder = why
        constraint = self.constraints[number]
        assert constraint is not None
        names |= {"number": str(constraint.number or ""), "value": constraint.value or ""}
        says = self.known.kinds[constraint.kind].says.replace("(s)", "" if constraint.number == 1 else "s")
        if not names[acted_on]:
            # Nobody in particular: `can't attack`, not `can't attack it`.
            says = says.removesuffix(f" {{{acted_on}}}")
        sentence = says.format_map({key: value or "it" for key, value in names.items()})
        return Violation(number_of_rule, objects, f"{sentence} ({self._because(number, holder)})", (number, holder))

    def too_few(self, breach: str, obeyed: int, maximum: int, missing: Collection[tuple[Value, ...]], better: Declaration) -> Violation:
        """Return the violation of a declaration that obeys fewer requirements than another could, in words once they are read."""
        found = self.known.breaches[breach]
        told = partial(self._too_few, found.says, obeyed, maximum, missing, better)
        return Violation.said_when_read(self.rule(found.by), partial(self._disobeyed, missing), told)

    def _disobeyed(self, missing: Collection[tuple[Value, ...]]) -> tuple[str, ...]:
        """Return the objects that requirements are about."""
        named: dict[str, None] = {}
        for _, _, _, subject in in_order(missing):
            if isinstance(subject, int):
                named[self.holders[subject]] = None
            else:
                named.update(dict.fromkeys(self._involved(subject)))
        return tuple(named)

    def _too_few(self, says: str, obeyed: int, maximum: int, missing: Collection[tuple[Value, ...]], better: Declaration) -> str:
        reasons: list[str] = []
        because: dict[tuple[int, int], str] = {}
        for number, holder, _, subject in in_order(missing):
            said_of = because.get((number, holder))
            if said_of is None:
                said_of = because[number, holder] = self._because(number, holder)
            reasons.append(_about(said_of, self._involved(subject)))
        said = says.format(obeyed=obeyed, maximum=maximum)
        told = "; ".join(gathered(dict.fromkeys(reasons)))
        better_words = declaration_in_words(better, self.judge)
        return f"{said}; disobeyed: {told}; better: {better_words}"

    def requirement(self, number: int, holder: int, time: Value, subject: Value) -> str:
        """Return the requirement that `obeyed(_, number, holder, time, subject)` speaks of."""
        del time
        said = self._because(number, holder)
        if subject == holder and not said.endswith(_IT):
            return said
        involved = self._involved(subject)
        if len(involved) > 1 or involved[0] == self.holders[holder] or said.endswith(_IT):
            return _about(said, involved)
        # Who states it is not whom it is about.
        return f"{said} for {involved[0]}"

    def _involved(self, subject: Value) -> list[str]:
        """Return the creature that a requirement is about, and the other one where it is about a pair."""
        if isinstance(subject, int):
            return [self.holders[subject]]
        return [self.name(each) for each in (subject if isinstance(subject, tuple) else [subject])]

    def part_of_clash(self, why: Value) -> str:
        """Return what a part of a clash says: a restriction (T,H) or a word of kb/ (lm:Breach), or a requirement (T,H,M,S)."""
        if isinstance(why, str):
            found = self.known.breaches[why]
            return f"{found.says.format_map(defaultdict(lambda: 'a creature'))} ({self.rule(found.by)})"
        said = self.requirement(*why) if len(why) > 2 else self._because(*why)
        return f"{said} ({self.rule(self.rules[why[0]])})"

    def _because(self, number: int, holder: int) -> str:
        said = self._said.get(number)
        if said is None:
            constraint = self.constraints[number]
            assert constraint is not None
            said = self._said[number] = self.keyword_of.get(number) or f'says "{constraint.source.rstrip(".")}"'
        return f"{self.holders[holder]} {said}"


@lru_cache(maxsize=4096)
def _rule(release: str, number: str, known: Knowledge) -> str:
    return in_numbering_of(release, number, known)


def _about(requirement: str, involved: list[str]) -> str:
    """Return a requirement in words, with whom it is about where it says what a player has done, and the other creature of a pair."""
    if requirement.endswith(_IT):
        return f"{requirement.removesuffix(_IT)} {involved[0]}"
    return f"{requirement} for {involved[1]}" if len(involved) > 1 else requirement
