"""From a board and a play that is proposed on it to facts for asp/: the ways in which it can be done, their costs, times and targets.

What keywords cost and when they may be used is data (`keyword_uses`); what texts say is read by `lawmage.text.plays`. Nothing here
decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lawmage.board import Board
from lawmage.play.facts import Problem, quoted
from lawmage.play.keyword_uses import KeywordUses
from lawmage.play.knowledge import Knowledge
from lawmage.play.mana import source_of
from lawmage.play.play_abilities import PlayAbilities
from lawmage.play.play_casting import PlayCasting
from lawmage.play.play_doubts import PlayDoubts
from lawmage.play.play_problem import Play, PlayProblem
from lawmage.play.play_texts import word_of
from lawmage.play.play_timing import PlayTiming
from lawmage.play.play_ways import MOST_MANA
from lawmage.play.reading import Reading

__all__ = ["Begun", "PlayBuilder", "build_play", "targets_in_doubt"]


def build_play(
    board: Board, reading: Reading, known: Knowledge, uses: Mapping[str, KeywordUses], play: Play, begun: Begun | None = None
) -> PlayProblem:
    """Return the facts of `play` on `board`; `reading` is of the objects in all zones.

    What is begun with one play serves others of the same kind, object, player and face.
    """
    if begun is not None and begun.state:
        builder = PlayBuilder.resumed(begun, play)
        base = builder.rest_of_problem()
    else:
        builder = PlayBuilder(board, reading, known, uses, play)
        builder.begun = begun
        base = builder.problem()
    return PlayProblem(
        base,
        base.facts,
        tuple(builder.ways),
        tuple(builder.costs),
        tuple(builder.aims),
        tuple(builder.offered),
        builder.modes,
        tuple(builder.choices),
        dict(builder.says),
        tuple(dict.fromkeys(builder.unread)),
        frozenset(builder.only_allowing),
        frozenset(builder.only_forbidding),
        tuple(dict.fromkeys(builder.untold)),
        tuple(dict.fromkeys(builder.assumptions)),
        builder.helped,
    )


def targets_in_doubt(board: Board, reading: Reading, known: Knowledge, uses: Mapping[str, KeywordUses], play: Play) -> bool:
    """Return whether something that is not understood could bear on a play for some targets only."""
    return PlayBuilder(board, reading, known, uses, play).targets_in_doubt()


@dataclass(slots=True)
class Begun:
    """What a builder knows before it looks at what is proposed; empty at first, and where that depends on it."""

    state: dict[str, Any] = field(default_factory=dict)


class PlayBuilder(PlayCasting, PlayAbilities, PlayDoubts, PlayTiming):
    """Makes the facts of a play."""

    begun: Begun | None = None

    @classmethod
    def resumed(cls, begun: Begun, play: Play) -> PlayBuilder:
        """Return a builder that goes on from what was begun with another play."""
        builder = cls.__new__(cls)
        vars(builder).update(_copied(begun.state), play=play)
        builder.facts = builder.facts.copy()
        builder.add = builder.facts.add
        return builder

    def rest_of_problem(self) -> Problem:
        """Return what `problem` does, if all that does not depend on the play is there."""
        self._propose()
        self.end_definitions()
        return self._problem_of([*self.board.objects.values()], frozenset())

    def extend(self) -> None:
        """Add what the play needs."""
        self._zones()
        self._time()
        self._history()
        self.add("play", self.play.kind)
        self.add("actor", self._player(self.play.player))
        self.add("played", self.numbers[self.play.object])
        self._cost_changes()
        self._untargetable()
        if self.begun is not None and not self.by_brackets:
            self.begun.state = _copied(vars(self))
            self.facts = self.facts.copy()
            self.add = self.facts.add
        self._propose()

    def _propose(self) -> None:
        """Add what is proposed."""
        getattr(self, f"_{self.play.kind}")()
        self._using()
        self._doubts()
        self._paid()
        self._not_understood()

    def _using(self) -> None:
        words: dict[str, int] = {}
        for number, way in enumerate(self.ways, start=1):
            for name in way.names:
                index = words.setdefault(name.lower(), len(words) + 1)
                self.add("means", number, index)
            self.add("way_rule", number, quoted(way.rule))
        for name in self._asked_names():
            self.add("using", words.setdefault(name.lower(), len(words) + 1))
        for one in self.play.raw.get("extra", ()):
            named = [f"{word} {value}" for word, value in one.items()] if isinstance(one, Mapping) else []
            if self._known_extras.isdisjoint([word_of(one), *named]):
                self.add("unknown", quoted(word_of(one)))

    def _paid(self) -> None:
        for thing in self.board.objects.values():
            source = source_of(thing) if thing.zone == "battlefield" and thing.controller == self.play.player else None
            if source is not None and thing.id != self.play.object:
                for place, kinds in enumerate(source.mana, start=1):
                    for kind in sorted(kinds):
                        self.add("adds_mana", self.numbers[thing.id], place, kind)
                if source.taps:
                    self.add("taps_to_add", self.numbers[thing.id])
        given = self.play.raw.get("with")
        if given is not None:
            self.add("named")
            for verb, names in given.items():
                for name in names:
                    self.add("given", verb, self.numbers[name])
                    if any(found.takes_off == "mana_cost" for found in self._keywords_of(self.thing)):
                        self._hybrid(name)
        if "x" in self.play.raw:
            self.add("x_value", min(self.play.raw["x"], MOST_MANA))


def _copied(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state to which things can be added that the other doesn't get."""
    return {name: value.copy() if value.__class__ in (dict, list, set) else value for name, value in state.items()}
