"""What a scenario file expects, compared with the answer. Only what is given is compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lawmage.play.lethal_judging import LethalAnswer
from lawmage.play.verdict import Answer

__all__ = ["Comparison", "compared", "expects_nearest"]

#: Lists of which only some members may be given, but for empty ones; what died is compared as a set.
_SOME_OF = ("damage", "triggers", "cites", "assumptions")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is expected under a name, and what the answer is; of a map only the parts that are expected."""

    name: str
    expected: Any
    actual: Any
    whole: bool = False

    @property
    def holds(self) -> bool:
        """Whether they agree, in all that there is where the whole is expected."""
        return bool(self.expected == self.actual) if self.whole else _agree(self.expected, self.actual)


def compared(expect: Mapping[str, Any], answer: Answer) -> Iterator[Comparison]:
    """Yield a comparison for each expectation: `count`, `counts`, verdicts and parts of answers by the names of proposals.

    For `judge: lethal` these are `lethal`, `attack`, `block` and `max_damage`.
    """
    lethal = answer.proposals.get("lethal")
    if isinstance(lethal, LethalAnswer):
        for name, expected in expect.items():
            yield Comparison(name, expected, lethal.expected(name, expected), whole=name in ("attack", "block"))
        return
    for name, expected in expect.items():
        if name == "count":
            yield Comparison(name, expected, answer.count)
        elif name == "counts":
            yield Comparison(name, expected, None if answer.counts is None else dict(answer.counts))
        elif isinstance(expected, Mapping):
            found = answer.proposals[name].as_json()
            yield Comparison(name, expected, {key: found.get(key) for key in expected})
        else:
            yield Comparison(name, expected, answer.proposals[name].verdict)


def expects_nearest(expect: Mapping[str, Any] | None) -> bool:
    """Return whether anything is expected of what is nearest to an illegal proposal, which is looked for only where it is asked for."""
    return any(isinstance(one, Mapping) and "nearest" in one for one in (expect or {}).values())


def _agree(expected: Any, actual: Any, key: str = "") -> bool:
    if isinstance(expected, Mapping):
        return isinstance(actual, Mapping) and all(name in actual and _agree(value, actual[name], name) for name, value in expected.items())
    if not isinstance(expected, list | tuple):
        return bool(expected == actual) or (key == "ability" and str(actual).startswith(f"{expected} "))
    if actual is None:
        return False
    if key == "died":
        return set(expected) == set(actual)
    if key in _SOME_OF and expected:
        return all(any(_agree(one, other) for other in actual) for one in expected)
    return len(expected) == len(actual) and all(_agree(one, other) for one, other in zip(expected, actual, strict=True))
