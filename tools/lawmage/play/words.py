"""From what asp/ derives to sentences. The sentences themselves are in kb/vocabulary.ttl (lm:says)."""

from __future__ import annotations

from collections.abc import Iterable

import clingo

from lawmage.play.facts import Problem
from lawmage.play.knowledge import Knowledge
from lawmage.play.verdict import Declaration, Violation

__all__ = ["Sentences", "declaration_in_words"]


def declaration_in_words(declaration: Declaration) -> str:
    """Return a declaration of blockers as a phrase: `b1 and b2 block m, b3 blocks v`."""
    by_attackers: dict[tuple[str, ...], list[str]] = {}
    for blocker, attackers in declaration.items():
        by_attackers.setdefault(tuple(attackers), []).append(blocker)
    phrases = [
        f"{_listed(blockers)} {'blocks' if len(blockers) == 1 else 'block'} {_listed(attackers)}"
        for attackers, blockers in by_attackers.items()
    ]
    return ", ".join(phrases) or "no creature blocks"


def _listed(names: Iterable[str]) -> str:
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


class Sentences:
    """Sentences about one problem, with the objects named as in the file."""

    def __init__(self, problem: Problem, known: Knowledge) -> None:
        self.problem = problem
        self.known = known

    def violation(self, rule: clingo.Symbol, why: clingo.Symbol, blocker: clingo.Symbol, attacker: clingo.Symbol) -> Violation:
        """Return the violation that `violated(_, rule, why, blocker, attacker)` states."""
        names = {"blocker": self._name(blocker), "attacker": self._name(attacker)}
        objects = tuple(name for name in (names["attacker"], names["blocker"]) if name)
        if why.name or why.type is not clingo.SymbolType.Function:
            return Violation(rule.string, objects, self.known.breaches[why.name].says.format_map(names))
        number, holder = (argument.number for argument in why.arguments)
        constraint = self.problem.constraints[number]
        assert constraint is not None
        names |= {"number": str(constraint.number or ""), "value": constraint.value or ""}
        sentence = self.known.kinds[constraint.kind].says.format_map({key: value or "it" for key, value in names.items()})
        return Violation(rule.string, objects, f"{sentence} ({self._because(number, holder)})")

    def too_few(self, obeyed: int, maximum: int, missing: Iterable[tuple[clingo.Symbol, ...]], better: Declaration) -> Violation:
        """Return the violation of a declaration that obeys fewer requirements than another could."""
        breach = self.known.breaches["too_few_requirements"]
        objects: list[str] = []
        reasons: list[str] = []
        for number, holder, _, subject in sorted(missing):
            involved = [self._name(each) for each in (subject.arguments if subject.type is clingo.SymbolType.Function else [subject])]
            objects += involved
            reasons.append(f"{self._because(number.number, holder.number)}" + (f" for {involved[1]}" if len(involved) > 1 else ""))
        said = breach.says.format(obeyed=obeyed, maximum=maximum)
        told = "; ".join(dict.fromkeys(reasons))
        return Violation(breach.by, tuple(dict.fromkeys(objects)), f"{said}; disobeyed: {told}; better: {declaration_in_words(better)}")

    def _name(self, symbol: clingo.Symbol) -> str:
        return self.problem.holders[symbol.number] if symbol.type is clingo.SymbolType.Number else ""

    def _because(self, number: int, holder: int) -> str:
        name = self.problem.holders[holder]
        keyword = self.problem.keyword_of.get(number)
        constraint = self.problem.constraints[number]
        assert constraint is not None
        return f"{name} has {keyword}" if keyword else f'{name} says "{constraint.source.rstrip(".")}"'
