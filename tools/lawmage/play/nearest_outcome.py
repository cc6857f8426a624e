"""The legal damage of all combat damage steps that is nearest to what was proposed: as little as possible is assigned otherwise in all.

In each step, divisions are tried from the nearest on; what was proposed for later steps is mended on the combat as it goes on then. The
first step can be the only one that has to be mended, and still be mended in another way than the nearest, so that less is to be mended
later: whatever could lead to less in all is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol, TypeAlias, TypeVar

from lawmage.play.damage import Step
from lawmage.play.divisions import Division, TooManyError
from lawmage.play.nearest_division import moved, nearest_division

__all__ = ["Following", "nearest_outcome"]

#: More divisions of one step than this are not listed.
_MOST_DIVISIONS = 2000
#: What is proposed for one step: a map of `assign`, and of `by` and `step` where they are given.
_Given: TypeAlias = Mapping[str, Any]
_Line = TypeVar("_Line")


class Following(Protocol[_Line]):
    """How combat is followed from one combat damage step to the next."""

    def next_step(self, line: _Line, given: Sequence[_Given]) -> tuple[Step, _Given | None, Sequence[_Given]] | None:
        """Return the next step, what is given for it, and for later ones; None if there is none."""

    def after(self, line: _Line, step: Step, raw: _Given) -> Iterator[_Line]:
        """Yield how combat can go on if this damage is given; by what other players may choose there are several ways."""


def nearest_outcome(
    following: Following[_Line], line: _Line, given: Sequence[_Given], *, active: str, seconds_left: Callable[[], float]
) -> list[dict[str, Any]] | None:
    """Return what was given for each step, mended.

    Returns:
        What to propose for each step; None if that depends on what nobody proposes, or is not found in time.
    """
    try:
        found = _Search(following, active, seconds_left).mended(line, given, None)
    except TooManyError:
        return None
    return None if found is None else found[1]


class _Search:
    def __init__(self, following: Following[Any], active: str, seconds_left: Callable[[], float]) -> None:
        self.following = following
        self.active = active
        self.seconds_left = seconds_left

    def mended(self, line: Any, given: Sequence[_Given], below: int | None) -> tuple[int, list[dict[str, Any]]] | None:
        """Return how much is assigned otherwise, and the damage of the steps from here on; None if it is not less than `below`."""
        coming = self.following.next_step(line, given)
        if coming is None:
            if given:
                raise TooManyError("damage is given for more steps than there are")
            return 0, []
        step, raw, rest = coming
        if raw is None:
            raise TooManyError("a step for which no damage is given")
        best = None
        for distance, division in self._from_nearest(step, raw):
            if below is not None and distance >= below:
                break
            mended = {**raw, "assign": division}
            lines = list(islice(self.following.after(line, step, mended), 2))
            if len(lines) != 1:
                raise TooManyError("other players have a choice")
            later = self.mended(lines[0], rest, None if below is None else below - distance)
            if later is not None:
                below = distance + later[0]
                best = below, [{**{key: raw[key] for key in ("by", "step") if key in raw}, **division}, *later[1]]
                if not later[0]:
                    break
        return best

    def _from_nearest(self, step: Step, raw: _Given) -> Iterator[tuple[int, Division]]:
        """Yield the divisions of those players of whom the proposal speaks, the nearest first, each with how far it is."""
        divisions = step.divided(raw, self.active)
        near = nearest_division(divisions, raw["assign"], seconds=self.seconds_left())
        if near is None:
            return
        yield moved(near, raw["assign"]), near
        if divisions.count(self.seconds_left()) > _MOST_DIVISIONS:
            raise TooManyError("divisions of a step")
        others = sorted(((moved(one, raw["assign"]), one) for one in divisions.listed() if one != near), key=lambda each: each[0])
        for distance, one in others:
            if self.seconds_left() <= 0:
                raise TooManyError("the time is over")
            yield distance, one
