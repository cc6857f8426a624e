"""Answers as of a release: what its rules do not have yet, and the numbers that its rules have."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from lawmage.board import Scenario
from lawmage.errors import InputError
from lawmage.play.damage_facts import Combat
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.rulebook.model import sort_key

__all__ = ["cited_in", "in_numbering_of", "refuse_release", "refuse_what_is_newer"]


def refuse_release(scenario: Scenario) -> None:
    """Raise InputError if kb/ and asp/ don't encode what the rules of the scenario's release say on its judgement."""
    known, release = knowledge(), scenario.release
    if release is None or release == known.release:
        return
    if not any(dated.sort == "judgement" and dated.word == scenario.judge and dated.holds(release) for dated in known.dated):
        raise InputError(
            f"verdicts as of the release {release} are not available; this version knows the rules of {known.release}", file=scenario.file
        )
    from lawmage.rulebook.store import shipped_releases

    if release not in shipped_releases():
        raise InputError(f"there is no release {release}; known are {', '.join(shipped_releases())}", file=scenario.file)


def refuse_what_is_newer(combat: Combat) -> None:
    """Raise InputError if anything on the board has no rule in the combat's release."""
    release = combat.release
    if release == combat.known.release:
        return
    absent = {(dated.sort, dated.word): dated for dated in combat.known.dated if dated.sort != "judgement" and not dated.holds(release)}
    for thing in combat.board.objects.values():
        words = [("type", word) for word in thing.types] + [("counter", word) for word in thing.counters]
        holder = next((one for one in combat.reading.objects if one.name == thing.id), None)
        words += [("keyword", use.keyword) for use in (*holder.keywords, *holder.counters)] if holder else []
        for word in words:
            if word in absent:
                kind = {"type": "card type", "counter": "counter", "keyword": "keyword"}[word[0]]
                raise InputError(
                    f"{thing.id} has the {kind} {word[1]}, which the rules have since {absent[word].since}, not in the release {release}",
                    file=combat.file,
                    line=thing.line or None,
                )


@lru_cache(maxsize=2048)
def _translated(number: str, start: str, end: str) -> str:
    from lawmage.rulebook.history import translate

    became = translate(number, start, end).became
    return became[0] if became else ""


def in_numbering_of(release: str, number: str, known: Knowledge) -> str:
    """Return the number that a rule of the encoded release has in `release`; the same where it has none there.

    Raises:
        DataError: if the shipped lineage is damaged.
    """
    return number if release == known.release else _translated(number, known.release, release) or number


def cited_in(release: str, rules: Iterable[str], known: Knowledge) -> tuple[str, ...]:
    """Return the numbers that rules of the encoded release have in `release`, without those that it does not have, as in the rulebook.

    Raises:
        DataError: as `in_numbering_of`.
    """
    if release == known.release:
        return tuple(sorted(set(rules), key=sort_key))
    return tuple(sorted({found for rule in rules if (found := _translated(rule, known.release, release))}, key=sort_key))
