"""A flow of greatest gain, by successive best paths: what counting declarations rests on (`bound`, `nearest`)."""

from __future__ import annotations

import time
from collections import deque
from typing import TypeAlias

__all__ = ["SINK", "SOURCE", "USING", "Flow", "Node"]

Node: TypeAlias = int
#: Where a flow begins and ends, and what it passes first where no more than so many may act.
SOURCE, USING, SINK = -1, -2, -3


class Flow:
    """A flow of greatest gain from the source to the sink; its other nodes are `USING` and the numbers below `nodes`."""

    def __init__(self, nodes: int) -> None:
        self.ends: list[Node] = []
        self.left: list[int] = []
        self.gain: list[int] = []
        self.out: list[list[int]] = [[] for _ in range(nodes + 3)]

    def edge(self, start: Node, end: Node, room: int, gain: int) -> int:
        """Add an edge and return its number; where nothing can flow, there may be none of that number."""
        number = len(self.ends)
        if room > 0:
            self.out[start].append(number)
            self.out[end].append(number + 1)
            self.ends += (end, start)
            self.left += (room, 0)
            self.gain += (gain, -gain)
        return number

    def used(self, edge: int) -> int:
        """Return how much flows over an edge."""
        return self.left[edge + 1]

    def greatest_gain(self, deadline: float | None = None) -> int:
        """Return the greatest gain, or what was gained by the deadline (`time.monotonic`)."""
        total = 0
        while (path := self._best_path()) is not None:
            gain, edges = path
            if gain <= 0 or (deadline is not None and time.monotonic() > deadline):
                break
            amount = min([self.left[edge] for edge in edges])
            for edge in edges:
                self.left[edge] -= amount
                self.left[edge ^ 1] += amount
            total += gain * amount
        return total

    def _best_path(self) -> tuple[int, list[int]] | None:
        ends, left, gains, out = self.ends, self.left, self.gain, self.out
        best: list[int | None] = [None] * len(out)
        came = [-1] * len(out)
        best[SOURCE] = 0
        queue: deque[Node] = deque([SOURCE])
        while queue:
            node = queue.popleft()
            here = best[node]
            assert here is not None
            for edge in out[node]:
                if left[edge]:
                    end = ends[edge]
                    reached = here + gains[edge]
                    known = best[end]
                    if known is None or reached > known:
                        best[end] = reached
                        came[end] = edge
                        if end != SINK and end not in queue:
                            queue.append(end)
        gain = best[SINK]
        if gain is None:
            return None
        edges: list[int] = []
        end = SINK
        while end != SOURCE:
            edges.append(came[end])
            end = ends[came[end] ^ 1]
        return gain, edges[::-1]
