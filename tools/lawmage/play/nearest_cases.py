"""The nearest legal play where a card has several faces, and where it is open what holds on the board.

To name another face is one change; all faces that may be meant are looked at. Of what is open, what is offered is legal whatever holds. If
something is nearest in one case, and legal in all, and in no case something is legal that is nearer than the nearest in that one, it is
nearest; and where nothing is legal in one case, nothing is legal in all.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lawmage.play.nearest_play import Found, Judge, NearestPlay
from lawmage.play.one_change import Looked, Raw
from lawmage.play.play_problem import Play

__all__ = ["Cases", "Start", "nearest_of"]

#: The open conditions that are taken to be fulfilled; None: all ways to take them are looked at.
Taken: TypeAlias = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Start:
    """A play to begin with.

    Attributes:
        play: it.
        face: the name of the face that was named for it, or has to be.
        looked_at: it with each choice of what it leaves open.
        is_proposed: whether it was proposed, and is illegal; or it is what was proposed, of another face.
    """

    play: Play
    face: str
    looked_at: Sequence[Looked]
    is_proposed: bool


@dataclass(frozen=True, slots=True)
class Cases:
    """What is asked about plays.

    Attributes:
        judge: returns whom to ask where some open conditions are taken to be fulfilled, and the others not.
        is_legal: whether what a file proposes so is legal.
    """

    judge: Callable[[Taken], Judge]
    is_legal: Callable[[Raw], bool]


def nearest_of(cases: Cases, starts: Sequence[Start], *, seconds: float) -> Found:
    """Return the nearest of the legal plays that are nearest to each start; or that there is none, or nothing if that is not known."""
    deadline = time.monotonic() + seconds
    best, unclear, nothing = Found(), False, ""
    for start in starts:
        if best.play is not None and best.changes <= 1:
            break
        found = _nearest_to(cases, start, deadline)
        if found.play is None:
            unclear = unclear or not found.nothing
            nothing = nothing or found.nothing
            continue
        found = replace(found, changes=found.changes + (not start.is_proposed), play=_with_face(found.play, start.face))
        if best.play is None or found.changes < best.changes:
            best = found
    if best.play is None:
        return Found() if unclear else Found(nothing=nothing)
    # What is not known is at least one change away.
    if (unclear and best.changes > 1) or (any(start.face for start in starts) and not cases.is_legal(best.play)):
        return Found()
    return best


def _with_face(raw: Raw, face: str) -> Raw:
    """Return a proposal with the name of a face under `using`."""
    using = raw.get("using", ())
    names = [using] if isinstance(using, str) else list(using)
    return {**raw, "using": [face, *names] if names else face} if face else raw


def _nearest_to(cases: Cases, start: Start, deadline: float) -> Found:
    """Return what is nearest to one play, if it is illegal, or the play itself."""

    def left() -> float:
        return max(deadline - time.monotonic(), 0.0)

    judge = cases.judge(None)
    if not start.is_proposed and judge.verdict(start.play).verdict == "legal":
        return Found(start.play.raw)
    texts = sorted({text for looked in start.looked_at for text in looked.problem.base.conditions.values()})
    if not texts:
        return NearestPlay(judge, start.play, start.looked_at, seconds=left()).find(is_illegal=start.is_proposed)
    whatever = f", whether or not this holds: {'; '.join(texts)}"
    if start.is_proposed:
        found = NearestPlay(judge, start.play, start.looked_at, seconds=left()).find(search=False)
        if found.play is not None or found.nothing:
            return replace(found, nothing=found.nothing and found.nothing + whatever)
    nearest: list[Found] = []
    for taken in map(frozenset, itertools.chain.from_iterable(itertools.combinations(texts, size) for size in range(len(texts) + 1))):
        one = cases.judge(taken)
        found = NearestPlay(one, start.play, list(one.looks(start.play)), seconds=left()).find(is_illegal=start.is_proposed)
        if found.play is None:
            return replace(found, nothing=found.nothing and found.nothing + whatever)
        nearest.append(found)
    furthest = max(found.changes for found in nearest)
    for found in nearest:
        if found.changes == furthest and found.play is not None and judge.verdict(replace(start.play, raw=found.play)).verdict == "legal":
            return found
    return Found()
