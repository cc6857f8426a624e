"""Random combats for hypothesis in which blockers have been declared: up to three attackers and three blockers.

As in boards.py, everything is drawn from short lists whose first element is the plainest. No attacker with trample is blocked by a
creature with banding: see damage.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from hypothesis import assume
from hypothesis import strategies as st

from .boards import maybe, rarely
from .damage import Assignment, Battle, Combat, Fighter, Planeswalker, Player, Step, choices, legal_assignments, sources

__all__ = ["assignments", "combats", "legal_steps"]

#: Combats with more divisions than this are left out.
MOST_DIVISIONS = 3000
TRAMPLE = ("trample", "trample over planeswalkers")
KEYWORDS = st.tuples(
    maybe(["trample", "trample", "trample over planeswalkers"], 2),
    maybe(["first strike", "double strike"], 5),
    maybe(["deathtouch"], 4),
    maybe(["lifelink"], 6),
    maybe(["wither", "infect"], 8),
    maybe(["toxic 1", "toxic 2"], 10),
    maybe(["indestructible"], 8),
    maybe(["banding"], 10),
    maybe(["protection from red", "protection from green"], 8),
).map(lambda lists: tuple(chain.from_iterable(lists)))


@st.composite
def fighters(draw: st.DrawFn, name: str, controller: str) -> Fighter:
    """Draw a creature that state-based actions leave alone."""
    toughness = draw(st.integers(1, 4))
    fighter = Fighter(
        name,
        controller,
        draw(st.sampled_from([2, 1, 3, 0, 4])),
        toughness,
        draw(KEYWORDS),
        draw(st.sampled_from([frozenset(), frozenset({"red"}), frozenset({"green"})])),
        plus=draw(rarely(6).map(int)),
        by_toughness=draw(rarely(12)),
        as_unblocked=controller == "A" and draw(rarely(10)),
        commander=controller == "A" and draw(rarely(8)),
    )
    kept = draw(st.sampled_from(["", *[""] * 9, "spared", "harmless", "shell", "shields", "umbra"]))
    fighter = replace(
        fighter,
        spared=kept == "spared",
        harmless=kept == "harmless",
        shell=int(kept == "shell"),
        shields=int(kept == "shields"),
        umbra=kept == "umbra",
    )
    most = fighter.toughness + 1 if fighter.has("indestructible") else fighter.toughness - 1
    return replace(fighter, damage=draw(st.integers(0, most)) if draw(rarely(4)) else 0)


@st.composite
def combats(draw: st.DrawFn) -> Combat:
    """Draw a combat of A, who attacks, and D."""
    attackers = [draw(fighters(f"a{n}", "A")) for n in range(1, draw(st.sampled_from([1, 2, 2, 3])) + 1)]
    blockers = [draw(fighters(f"b{n}", "D")) for n in range(1, draw(st.sampled_from([1, 0, 2, 2, 3])) + 1)]
    target = st.sampled_from(["D", "D", "D", "w", "s"])
    attacks = {fighter.name: draw(target) for fighter in attackers}
    gone = "w" in attacks.values() and draw(rarely(4))
    names = [fighter.name for fighter in attackers]
    blocks = {
        fighter.name: tuple(sorted(draw(st.sets(st.sampled_from(names), min_size=1, max_size=2 if draw(rarely(3)) else 1))))
        for fighter in blockers
        if not draw(rarely(8))
    }
    banded = [n for n in names if attacks[n] == attacks[names[0]]]
    with_banding = [fighter.name for fighter in attackers if fighter.has("banding") and fighter.name in banded]
    bands = (frozenset(banded[:2]),) if len(banded) > 1 and set(with_banding) & set(banded[:2]) and draw(rarely(2)) else ()
    if any(fighter.has("banding") for fighter in blockers):
        attackers = [replace(f, keywords=tuple(k for k in f.keywords if k not in TRAMPLE)) for f in attackers]
    if gone:
        attackers = [replace(fighter, as_unblocked=False) for fighter in attackers]
    used = set(attacks.values())
    combat = Combat(
        (*attackers, *blockers),
        attacks,
        blocks,
        (Player("A", draw(st.sampled_from([20, 3]))), Player("D", draw(st.sampled_from([20, 5])), draw(st.sampled_from([0, 7])))),
        (Planeswalker("w", "D", draw(st.integers(1, 4))),) if "w" in used and not gone else (),
        (Battle("s", draw(st.sampled_from(["A", "D"])), "D", 30),) if "s" in used else (),
        bands,
        "w" if gone else None,
        frozenset(name for name in names if draw(rarely(8))),
    )
    if not any(fighter.shell for fighter in combat.fighters):
        # What is prevented and multiplied in which order would be chosen (616.1).
        combat = replace(combat, doubled=draw(st.sampled_from([(), *[()] * 6, ("A",), ("D",), ("A", "A")])))
    assume(divisions_of(combat, "first") <= MOST_DIVISIONS and divisions_of(combat, "regular") <= MOST_DIVISIONS)
    return combat


def divisions_of(combat: Combat, step: Step) -> int:
    """Return how many assignments there are in all before totals are checked."""
    return math.prod(len(choices(combat, name)) for name in sources(combat, step))


def legal_steps(combat: Combat, step: Step) -> st.SearchStrategy[Assignment]:
    """Return a strategy of legal assignments of both players together in one step."""
    both = [st.sampled_from(legal_assignments(combat, step, player)) for player in ("A", "D")]
    return st.tuples(*both).map(lambda chosen: {**chosen[0], **chosen[1]})


@st.composite
def assignments(draw: st.DrawFn, combat: Combat, step: Step, legal: Sequence[Assignment]) -> Assignment:
    """Draw an assignment that may be anything, or a legal one in which a point has moved, or a source has been left out."""
    recipients = ["D", *(f.name for f in combat.fighters), *(w.name for w in combat.planeswalkers), *(b.name for b in combat.battles)]
    assignment = {source: dict(amounts) for source, amounts in draw(st.sampled_from(legal)).items()}
    if not assignment or draw(rarely(4)):
        shares = st.dictionaries(st.sampled_from(recipients), st.integers(1, 4), min_size=1, max_size=2)
        return {source: draw(shares) for source in sources(combat, step)}
    source = draw(st.sampled_from(sorted(assignment)))
    if draw(rarely(4)):
        del assignment[source]
        return assignment
    amounts = assignment[source]
    less, more = draw(st.sampled_from(sorted(amounts))), draw(st.sampled_from(recipients))
    amounts[less] -= 1
    amounts[more] = amounts.get(more, 0) + 1
    return assignment | {source: {name: amount for name, amount in amounts.items() if amount}}
