"""Legal plays that differ from an illegal one in a single part: nothing is nearer, so the first that is found is nearest.

What bars a play and what could be chosen is read off the model that the verdict is derived from (`derived.Model`). Where a target, or
what is done to pay, is replaced, only the facts about that are other ones, and whether it is wrong is derived from what is so anyway.
Nothing is known where nothing is found here: no more is tried than is cheap.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from lawmage.play.derived import Model
from lawmage.play.facts import Problem
from lawmage.play.play_problem import Play, PlayProblem
from lawmage.play.play_targets import shares
from lawmage.play.stratified import Key, Row
from lawmage.resources import data_folder

__all__ = ["BARRED", "FOUND_LATER", "MISTARGETED", "UNPAID", "Looked", "OneChange", "Raw", "begin", "names_in", "taken_among"]

#: The proposal of a play, as `lawmage.board.Proposal.raw` has it.
Raw: TypeAlias = Mapping[str, Any]

#: What is done to pay: the verb, and the object.
_Given: TypeAlias = tuple[str, int]
#: More lists of targets, or of what is done to pay, are not looked at.
_MOST_TRIED = 30
#: Of more than so many that there could be, none are.
_MOST_LISTED = 2_000
#: The facts about the targets that are proposed, and about what is done to pay.
_TARGETS = (("targeted", 3), ("surplus", 1), ("chosen_targets", 0))
_GIVEN = (("given", 2), ("named", 0))
#: No facts about what is found when all else of a proposal is settled.
FOUND_LATER: Mapping[Key, Iterable[Row]] = dict.fromkeys((*_TARGETS, *_GIVEN), ())
#: What the verdict is derived from: that a play cannot begin so, that its costs cannot be paid, that its targets are wrong.
BARRED, UNPAID, MISTARGETED = ("barred", 5), ("unpaid", 5), ("mistargeted", 4)


def begin() -> Path:
    """Return the program that judges whether a play can begin."""
    return data_folder("asp") / "entry" / "begin-play.lp"


def names_in(problem: Problem) -> dict[int | str, str]:
    """Return the names of objects and players by what they are called in asp/."""
    found: dict[int | str, str] = {f"p({number})": name for name, number in problem.players.items()}
    found.update(problem.holders.items())
    return found


@dataclass(frozen=True, slots=True)
class Looked:
    """A play of which nothing is left open, its facts, and what is derived of them; None where only clingo can do that."""

    play: Play
    problem: PlayProblem
    model: Model | None


def taken_among(problem: PlayProblem, texts: Collection[str]) -> list[tuple[int, int]]:
    """Return the facts `taken`, where the open conditions that are written so are fulfilled."""
    return [key for key, text in problem.base.conditions.items() if text in texts]


@dataclass(frozen=True, slots=True)
class OneChange:
    """A play that is illegal.

    Attributes:
        model: what is derived about it.
        problem: its facts.
        raw: what was proposed.
    """

    model: Model
    problem: PlayProblem
    raw: Raw

    def ways(self) -> list[int]:
        """Return the ways that are meant."""
        return sorted(self.model.rows("candidate", 1))

    def ways_open(self, model: Model, also: Iterable[tuple[str, int]] = (BARRED, UNPAID, MISTARGETED)) -> list[int]:
        """Return the ways of which a model says nothing that is wrong, of these kinds."""
        wrong = {row[0] for key in also if key != MISTARGETED for row in model.rows(*key)}
        if "none" in wrong or (MISTARGETED in also and model.rows(*MISTARGETED)):
            return []
        return [way for way in self.ways() if way not in wrong]

    def is_barred(self) -> bool:
        """Return whether no way that is meant can begin."""
        return not self.ways_open(self.model, [BARRED])

    def ways_begun(self) -> list[int]:
        """Return the ways in which something could be legal if targets and what is done to pay were named otherwise."""
        return self.ways_open(self.model.instead(FOUND_LATER))

    def in_way(self, name: str | None, facts: Mapping[Key, Iterable[Row]]) -> Model | None:
        """Return the model where a card is cast in the way that goes by `name`, or by none, and some facts are other ones.

        None where something else depends on which way is named.
        """
        words: dict[str, int] = {}
        for word in itertools.chain.from_iterable(way.names for way in self.problem.ways):
            words.setdefault(word.lower(), len(words) + 1)
        using = self.raw.get("using", ())
        named = [one.lower() for one in ([using] if isinstance(using, str) else using)] + ([] if name is None else [name.lower()])
        plain = all(one in words for one in named) and all(
            way.plain for way in self.problem.ways if not {word.lower() for word in way.names}.isdisjoint(named)
        )
        return self.model.instead({("using", 1): [] if name is None else [words[name.lower()]], **facts}) if plain else None

    def others(self) -> Iterator[tuple[Raw, Model] | tuple[None, None]]:
        """Yield proposals with one target, or one object that something is done to, replaced, added or dropped, in which that is right.

        Each with its model; without them where not all are looked at.
        """
        if not self.ways_begun():
            return
        if "targets" in self.raw and self.model.rows(*MISTARGETED) and self.ways_open(self.model, self._apart_from(_TARGETS)):
            yield from self._other_targets()
        if "with" in self.raw and self.ways_open(self.model, self._apart_from(_GIVEN)):
            yield from self._other_given()

    def _apart_from(self, facts: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return of what is wrong that on which these facts have no bearing."""
        return [key for key in (BARRED, UNPAID, MISTARGETED) if not self.model.bears(key, facts)]

    # ------------------------------------------------------------ targets

    def _other_targets(self) -> Iterator[tuple[Raw, Model] | tuple[None, None]]:
        names = names_in(self.problem.base)
        place = {term: number for number, term in enumerate(self._terms(), start=1)}
        terms = {names[term]: term for term in place}
        wanted = [terms[name] for name in self.raw["targets"]]
        legal: dict[int, list[int | str]] = {}
        for aim, term in self.model.rows("legal_target", 2):
            legal.setdefault(aim, []).append(term)
        if len(legal) * sum(map(len, legal.values())) * (len(wanted) + 1) > _MOST_LISTED:
            yield None, None
            return
        lists = [(changed, len(changed) != len(wanted), sum(place[term] for term in changed)) for changed in self._edited(wanted, legal)]
        for changed, _, _ in itertools.islice(sorted(lists, key=lambda one: one[1:]), _MOST_TRIED):
            model = self.model.instead(dict(zip(_TARGETS, (*self._aimed(changed), [()]), strict=True)))
            if not model.rows(*MISTARGETED):
                yield {**self.raw, "targets": tuple(names[term] for term in changed)}, model
        if len(lists) > _MOST_TRIED:
            yield None, None

    def _terms(self) -> Iterable[int | str]:
        base = self.problem.base
        return (*base.numbers.values(), *(f"p({number})" for number in base.players.values()))

    def _edited(self, wanted: Sequence[int | str], legal: Mapping[int, Sequence[int | str]]) -> Iterator[tuple[int | str, ...]]:
        """Yield the lists with one target replaced, dropped or added, by one that is legal where it stands."""
        same, more = self._slots(len(wanted)), self._slots(len(wanted) + 1)
        for number, _ in enumerate(wanted):
            rest = wanted[number + 1 :]
            yield (*wanted[:number], *rest)
            if number < len(same):
                yield from ((*wanted[:number], term, *rest) for term in legal.get(same[number][0], ()) if term != wanted[number])
        for number, (aim, _) in enumerate(more[: len(wanted) + 1]):
            yield from ((*wanted[:number], term, *wanted[number:]) for term in legal.get(aim, ()))

    def _slots(self, length: int) -> list[tuple[int, int]]:
        """Return for which instance of "target" each of so many targets is chosen, and as which."""
        split = shares(self.problem.aims, length)
        return [(aim, number) for aim, share in enumerate(split, start=1) for number in range(1, share + 1)]

    def _aimed(self, targets: Sequence[int | str]) -> tuple[list[Any], list[Any]]:
        """Return the facts of these targets: those that are chosen for something, and those beyond."""
        slots = self._slots(len(targets))
        return [(*slot, target) for slot, target in zip(slots, targets, strict=False)], list(targets[len(slots) :])

    # ------------------------------------------------------------ what is done to pay

    def _other_given(self) -> Iterator[tuple[Raw, Model] | tuple[None, None]]:
        names = names_in(self.problem.base)
        given = dict.fromkeys(self.model.rows("given", 2))
        verbs = {(cost, act): verb for cost, act, verb in self.model.rows("calls_for", 3)}
        usable = dict.fromkeys((verbs[cost, act], thing) for cost, act, thing in self.model.rows("usable", 3))
        new = [one for one in usable if one not in given]
        if len(new) * (len(given) + 1) > _MOST_LISTED:
            yield None, None
            return
        changed: list[tuple[int, int, _Given | None, _Given | None]] = [(1, -thing, (verb, thing), None) for verb, thing in given]
        changed += [(1, thing, None, (verb, thing)) for verb, thing in new]
        changed += [(2, other[1] - one[1], one, other) for one in given for other in new if one[0] == other[0]]
        for _, _, dropped, added in itertools.islice(sorted(changed, key=lambda one: one[:2]), _MOST_TRIED):
            kept = [*(one for one in given if one != dropped), *([added] if added else [])]
            model = self.model.instead({("given", 2): kept})
            if self.ways_open(model):
                yield {**self.raw, "with": self._written(kept, names)}, model
        if len(changed) > _MOST_TRIED:
            yield None, None

    def _written(self, given: Iterable[tuple[str, int]], names: Mapping[int | str, str]) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {verb: [] for verb in self.raw["with"]}
        for verb, thing in given:
            found.setdefault(verb, []).append(names[thing])
        return {verb: tuple(things) for verb, things in found.items() if things}
