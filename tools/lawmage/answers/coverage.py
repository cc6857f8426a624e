"""What `lawmage coverage` answers: which rules are encoded; how much of what is written on cards is understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lawmage.answers.answered import Answered
from lawmage.cards.coverage import GROUPS, Coverage, Group, share
from lawmage.cards.coverage_record import OUTCOMES, recorded_coverage
from lawmage.cards.store import CardStore
from lawmage.errors import DataError, UnknownNameError, suggestion
from lawmage.rulebook.coverage import STATUSES
from lawmage.rulebook.coverage import Coverage as RulesCoverage
from lawmage.rulebook.coverage import coverage as rules_coverage
from lawmage.rulebook.store import load_graph

__all__ = ["FIGHTERS", "about", "answer_on_cards", "check_kinds", "coverage", "coverage_cards", "figures", "headings_in", "reasons"]

#: What the cards that fight are called.
FIGHTERS = "creatures, Vehicles, Auras, Equipment"


def coverage() -> Answered:
    """Tell which rules of the newest release are encoded, support what is, only define words, are out of scope, or are open."""
    covered = rules_coverage()
    headings = headings_in(covered)
    chapters: list[dict[str, Any]] = [
        {"number": number, "heading": headings.get(number, ""), "rules": counts.total(), **{status: counts[status] for status in STATUSES}}
        for number, counts in covered.by_chapter().items()
    ]
    return Answered(
        {
            "release": covered.release,
            "rules": len(covered.rules),
            "statuses": {status: sum(rule.status == status for rule in covered.rules) for status in STATUSES},
            "reasons": {status: why for status in STATUSES if (why := reasons(covered, status))},
            "chapters": chapters,
            "each": [
                {"number": rule.number, "status": rule.status, "reason": rule.reason, **rule.encoding.as_json()} for rule in covered.rules
            ],
            "untried": [f"{each.file}:{each.line}" if each.line else each.file for each in covered.untried],
        }
    )


def headings_in(covered: RulesCoverage) -> dict[str, str]:
    """Return the headings of the release that is covered, by number."""
    return {place.number: place.heading for place in load_graph(covered.release).places if place.heading}


def reasons(covered: RulesCoverage, status: str) -> dict[str, int]:
    """Return how many rules have that status for which reason, the most frequent first."""
    return {reason: number for reason, number in covered.reasons(status).most_common() if reason}


def coverage_cards(*, top: int = 20, kinds: Sequence[str] = ()) -> Answered:
    """Tell how many sentences of the cards that concern combat or deck building are understood, as recorded when they were imported.

    Args:
        top: how many of the most frequent sentences that are not understood are listed.
        kinds: only sentences of these kinds.

    Raises:
        UnknownNameError: if there is no such kind.
        DataError: if there are no cards, or nothing was recorded.
    """
    check_kinds(kinds)
    with CardStore.open() as store:
        found = recorded_coverage(store)
        if found is None:
            raise DataError("the cards were imported by an older lawmage, which did not record what it understood; import them again")
        return answer_on_cards(found, kinds, top, about(store))


def about(store: CardStore) -> dict[str, Any]:
    """Return what is said of the cards that were measured: their day and source, and whether their texts are installed."""
    return {"date": store.date, "source": store.source, "texts": store.with_text}


def check_kinds(kinds: Sequence[str]) -> None:
    """Raise an UnknownNameError for what is no kind of sentences."""
    for name in kinds:
        if name not in GROUPS:
            known = f"expected one of: {'; '.join(GROUPS)}"
            raise UnknownNameError(f'there is no kind of sentences "{name}"; {known}{suggestion(name, GROUPS)}')


def answer_on_cards(found: Coverage, kinds: Sequence[str], top: int, said: Mapping[str, Any]) -> Answered:
    """Return the answer on cards that were read; `said` is what is said of them besides."""
    groups = {name: group for name, group in found.groups.items() if not kinds or name in kinds}
    return Answered({"cards": found.cards, **said, "groups": {name: _group_as_json(name, group, top) for name, group in groups.items()}})


def _group_as_json(name: str, group: Group, top: int) -> dict[str, Any]:
    return {
        "holds": GROUPS[name],
        "all": figures(group.outcomes),
        FIGHTERS: figures(group.of_fighters),
        "left": [{"sentence": sentence, "times": times} for sentence, times in group.most_left(top)],
    }


def figures(outcomes: Mapping[str, int]) -> dict[str, Any]:
    """Return how many sentences had which outcome, and the share that is understood."""
    part = share(dict(outcomes))
    counts = {name: outcomes.get(name, 0) for name in OUTCOMES}
    return {"sentences": sum(outcomes.values()), **counts, "share": None if part is None else round(part, 4)}
