"""Which keywords have to do with plays, as kb/ says, and the patterns of their names: sentences about plays are told by them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lawmage.text.words import pasts

__all__ = ["PlayKeywords"]

#: What may stand behind a word in place of its last "e", or with its last letter doubled.
_ENDINGS = "s|e?d|ing"
_NOTHING = re.compile("(?!)")


@dataclass(frozen=True, eq=False)
class PlayKeywords:
    """What keywords, and special actions, have to do with plays: by name, the kinds of plays (`cast`, `activate`, `special`, `target`).

    Attributes:
        bears_on: those on which they bear in any way.
        forbids, allows: those that could be made without them, or could not.
        paid: as what texts say that their costs were paid ("it was kicked").
        most_modes: those that stand before modes with costs, and how many modes may be chosen with them; 0 for any number.
        spares_players: those that players can have, and whose spells and abilities can't target those then (`opponents`', `anybody`'s).
        triggered: those that stand for a triggered ability, perhaps beside others.
        with_costs: those of spells with costs that have to be paid beside others.
        triggering_labels: those behind which, and a dash, the effect of a triggered ability stands.
    """

    bears_on: Mapping[str, frozenset[str]] = field(default_factory=dict)
    forbids: Mapping[str, frozenset[str]] = field(default_factory=dict)
    allows: Mapping[str, frozenset[str]] = field(default_factory=dict)
    paid: tuple[str, ...] = ()
    most_modes: Mapping[str, int] = field(default_factory=dict)
    spares_players: Mapping[str, str] = field(default_factory=dict)
    triggering_labels: frozenset[str] = frozenset()
    triggered: frozenset[str] = frozenset()
    with_costs: frozenset[str] = frozenset()

    def only_helps_to_cast(self, name: str) -> bool:
        """Return whether a spell that has the keyword `name` can be cast whenever it could be without it."""
        plays = self.bears_on.get(name, frozenset())
        hampers = name in self.with_costs or name in self.forbids or "target" in plays
        return not hampers and ("cast" in plays or name in self.triggered)

    def named(self, lower: str) -> frozenset[str]:
        """Return the kinds of plays on which those bear that a sentence, in lower case, names in some form ("equipped", "foretold")."""
        kinds: frozenset[str] = frozenset()
        return kinds.union(*(plays for pattern, plays in self._forms if pattern.search(lower)))

    @cached_property
    def _forms(self) -> list[tuple[re.Pattern[str], frozenset[str]]]:
        names: dict[frozenset[str], list[str]] = {}
        for name, plays in self.bears_on.items():
            names.setdefault(plays, []).append(name)
        return [(_any_of(map(_inflected, of_plays)), plays) for plays, of_plays in names.items()]

    @cached_property
    def barring(self) -> re.Pattern[str]:
        """What says that players can't do what a keyword lets them do ("can't cycle cards")."""
        return re.compile(rf"\bcan't {_any_of(map(_inflected, self.bears_on)).pattern}")

    @cached_property
    def forbidding(self) -> re.Pattern[str]:
        """The names of those that forbid plays."""
        return _any_of(map(re.escape, self.forbids))

    @cached_property
    def letting_cast(self) -> re.Pattern[str]:
        """The names of those that let something be cast."""
        return _any_of(re.escape(name) for name, plays in self.allows.items() if "cast" in plays)

    @cached_property
    def letting_activate(self) -> re.Pattern[str]:
        """The names of those that let abilities be activated."""
        return _any_of(re.escape(name) for name, plays in self.allows.items() if "activate" in plays)

    @cached_property
    def of_casts_and_targets(self) -> re.Pattern[str]:
        """The names of those that change what may be cast or targeted."""
        return _any_of(self._changing("cast", "target"))

    @cached_property
    def lasting(self) -> re.Pattern[str]:
        """The names of those of them that change it for what has them, and not as long as a spell is on the stack."""
        return _any_of((*self._changing("target"), self.letting_cast.pattern))

    def _changing(self, *plays: str) -> Iterator[str]:
        changed = itertools.chain(self.forbids.items(), self.allows.items())
        return (re.escape(name) for name, of_name in changed if not of_name.isdisjoint(plays))

    @cached_property
    def was_paid(self) -> re.Pattern[str]:
        """What texts say of costs that were paid; `~` is the spell."""
        said = {*self.paid, *(words.replace("this spell", "~") for words in self.paid)}
        return re.compile(rf"(?:{'|'.join(sorted(map(re.escape, said)))})\b") if said else _NOTHING


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    found = sorted(patterns, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(found)})\b") if found else _NOTHING


def _inflected(name: str) -> str:
    """Return a pattern for the forms of a name, the first word of which may be a verb or what is done."""
    first, _, rest = name.partition(" ")
    if first.endswith("ing"):
        return rf"(?:{re.escape(first[:-3])}(?:ing|e?[sd]?))" + (f" {re.escape(rest)}" if rest else "")
    stem = first.removesuffix("e")
    irregular = f"|{re.escape(pasts()[first])}" if first in pasts() else ""
    return rf"(?:{re.escape(stem)}e?(?:{re.escape(stem[-1])}?(?:{_ENDINGS}))?{irregular}){' ' if rest else ''}{re.escape(rest)}"
