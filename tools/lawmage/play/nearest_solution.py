"""How asp/ has found a play to be done that is nearest: the targets, what is done to pay, the mana (asp/601-nearest.lp)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import clingo

from lawmage.play.one_change import Raw, names_in
from lawmage.play.payment import in_symbols
from lawmage.play.play_problem import PlayProblem

__all__ = ["Solution", "paid_in_words"]


class Solution:
    """What asp/ found: the targets, what is done to pay, the mana.

    Attributes:
        changes: how many parts are other ones than was proposed.
    """

    def __init__(self, atoms: Sequence[clingo.Symbol], problem: PlayProblem, proposed: Raw, x: int) -> None:
        self.proposed = proposed
        self.x = x
        self.atoms: dict[str, list[list[clingo.Symbol]]] = {}
        for atom in sorted(atoms):
            self.atoms.setdefault(atom.name, []).append(atom.arguments)
        self.names = {str(term): name for term, name in names_in(problem.base).items()}
        self.repaid = "repaid" in self.atoms
        others = len(self._of("other_target")) + sum(number.number for _, number in self._of("changed"))
        self.changes = others + self.repaid + (x != proposed.get("x", 0))

    def _of(self, name: str) -> list[list[clingo.Symbol]]:
        return self.atoms.get(name, [])

    def parts(self) -> dict[str, Any]:
        """Return these parts as a proposal has them; those that were not proposed are left out."""
        found = {"targets": self._targets, "with": self._given, "pay": self._pay}
        parts = {key: part() for key, part in found.items() if key in self.proposed}
        return parts | ({"x": self.x} if self.x or "x" in self.proposed else {})

    def _targets(self) -> tuple[str, ...]:
        return tuple(self.names[str(target)] for _, target in self._of("put"))

    def _given(self) -> Mapping[str, tuple[str, ...]]:
        """Return what is done to which objects: those that stay first, in their order."""
        was: Mapping[str, tuple[str, ...]] = self.proposed["with"]
        found: dict[str, list[str]] = {verb: [] for verb in was}
        for verb, thing in self._of("given"):
            found.setdefault(verb.name, []).append(self.names[str(thing)])
        ordered = {
            verb: (*(name for name in was.get(verb, ()) if name in names), *(name for name in names if name not in was.get(verb, ())))
            for verb, names in found.items()
        }
        return {verb: names for verb, names in ordered.items() if names}

    def _pay(self) -> str:
        """Return the mana, and the life, that is paid."""
        if not self.repaid:
            return str(self.proposed["pay"])
        mana: Counter[str] = Counter()
        for unit, kind, number in self._of("spends"):
            if not (unit.type is clingo.SymbolType.Function and unit.name == "help"):
                mana[kind.name] += number.number
        life = sum(number.number for (number,) in self._of("for_life"))
        done = [way.number for (way,) in self._of("done")]
        life += sum(number.number for way, number in self._of("owes_life") if way.number in done)
        return paid_in_words(+mana, life)


def paid_in_words(mana: Mapping[str, int], life: int) -> str:
    """Return mana, and life, as proposals have what is paid."""
    paid = in_symbols(mana)
    return f"{paid}, {life} life" if life else paid
