"""A smallest set of restrictions and requirements that cannot all hold together.

That each restriction is not given up and that each requirement is met are assumptions of one program (asp/508-clash.lp,
asp/509-clash.lp). If all together cannot be assumed, the solver names some that cannot; what those can do without is left out, one by one.
"""

from __future__ import annotations

import time

import clingo

__all__ = ["find_clash"]


def find_clash(control: clingo.Control, *, seconds: float) -> tuple[clingo.Symbol, ...]:
    """Return atoms `given_up(Why)` and `met(T,H,M,S)`: these restrictions cannot be kept while these requirements are met.

    None of them could be left out. An empty answer means that all can hold, or that the time was over before that was settled.
    """
    deadline = time.monotonic() + seconds
    atoms = {-atom.literal: atom.symbol for atom in control.symbolic_atoms.by_signature("given_up", 1)}
    atoms |= {atom.literal: atom.symbol for atom in control.symbolic_atoms.by_signature("met", 4)}
    core = _core(control, sorted(atoms), deadline)
    if core is None:
        return ()
    for literal in list(core):
        if literal in core:
            core = _core(control, [other for other in core if other != literal], deadline) or core
    return tuple(sorted(atoms[literal] for literal in core))


def _core(control: clingo.Control, assumed: list[int], deadline: float) -> list[int] | None:
    """Return some of the literals `assumed` that cannot all be true, or None if they can or the time is over."""
    with control.solve(assumptions=assumed, yield_=True, async_=True) as handle:
        handle.resume()
        if not handle.wait(max(0.0, deadline - time.monotonic())):
            handle.cancel()
            return None
        return None if handle.model() is not None else list(handle.core())
