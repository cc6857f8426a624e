"""What `lawmage keyword` answers: what a keyword is, by which rules; and all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lawmage.answers.answered import NO, Answered
from lawmage.keywords import Cost, Keyword, find_keyword, load_keywords
from lawmage.rulebook.catalogue import heading_names
from lawmage.rulebook.encoded import encoded_release
from lawmage.rulebook.store import choose_release, load_graph, load_installed

__all__ = ["KeywordRule", "keyword", "keyword_rules", "keywords", "keywords_of", "terms_in_words", "worked_out_in_words"]


def keyword(name: str, *, release: str | None = None) -> Answered:
    """Show a keyword: kind, zones, written forms, stacking, costs, constraints and rules.

    Args:
        name: its name, a rule's number, or as written on a card.
        release: by default the one that is encoded.

    Raises:
        UnknownNameError: if there is no such keyword or release.
        DataError: if the installed text is damaged.
    """
    known = choose_release(encoded_release() if release is None else release)
    found = find_keyword(name)
    if known < found.since.isoformat():
        return Answered({"keyword": found.name, "release": known, "since": found.since.isoformat(), "found": False}, NO)
    return Answered(_as_json(found, known, keyword_rules(found, known)))


def keywords(*, release: str | None = None) -> Answered:
    """List all keywords of a release, by default the one that is encoded.

    Raises:
        UnknownNameError: if there is no such release.
    """
    rows = [
        {"keyword": one.name, "rule": one.rule, "kind": terms_in_words(one.kinds), "since": one.since.isoformat()}
        for one in keywords_of(release)
    ]
    return Answered({"keywords": rows})


def keywords_of(release: str | None) -> list[Keyword]:
    """Return the keywords that a release has, by default the one that is encoded.

    Raises:
        UnknownNameError: if there is no such release.
    """
    known = choose_release(encoded_release() if release is None else release)
    return [one for one in load_keywords().values() if one.since.isoformat() <= known]


@dataclass(frozen=True, slots=True)
class KeywordRule:
    """One of a keyword's rules as of a release: what sort of statement it is and its gist if it is encoded, its text if installed."""

    number: str
    sorts: tuple[str, ...] = ()
    gist: str = ""
    text: str = ""


def keyword_rules(keyword: Keyword, release: str) -> list[KeywordRule]:
    """Return the rules of a keyword as of a release."""
    installed = load_installed(release)
    texts = {number: node.text for number, node in installed.rulebook.by_number.items()} if installed else {}
    if release == encoded_release():
        return [KeywordRule(s.rule, s.sorts, s.gist, texts.get(s.rule, "")) for s in keyword.statements]
    # other releases number their rules in other ways; what the catalogue says about each is not known to hold there
    return [KeywordRule(number, text=texts.get(number, "")) for number in _numbers(keyword, release)]


def _numbers(keyword: Keyword, release: str) -> list[str]:
    graph = load_graph(release)
    names = {keyword.name, keyword.former_name} - {""}
    for chapter in ("701", "702"):
        for number in graph.children.get(chapter, ()):
            if names & {*heading_names(graph.by_number[number].heading)}:
                return graph.within(number)[1:]
    return []


def terms_in_words(terms: Iterable[str]) -> list[str]:
    """Return terms of the vocabulary as words: `EachTriggers` is `each triggers`."""
    return [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", term).lower() for term in terms]


def _as_json(keyword: Keyword, release: str, rules: list[KeywordRule]) -> dict[str, Any]:
    return {
        "keyword": keyword.name,
        "release": release,
        "rule": keyword.rule,
        "action": keyword.action,
        "since": keyword.since.isoformat(),
        "former_name": keyword.former_name or None,
        "kind": terms_in_words(keyword.kinds),
        "kind_rules": [*keyword.kind_rules],
        "abilities": [{"kind": terms_in_words(ability.kinds), "zones": terms_in_words(ability.places)} for ability in keyword.abilities],
        "zones": terms_in_words(keyword.places),
        "zone_rules": [*keyword.place_rules],
        "written": [*keyword.forms],
        "stands_on": [*keyword.appears_on],
        "timing": terms_in_words(keyword.timing),
        "triggers_on": terms_in_words(keyword.events),
        "costs": [_cost_as_json(cost) for cost in keyword.costs],
        "stacking": terms_in_words(keyword.stacking),
        "stacking_rules": [*keyword.stacking_rules],
        "stacking_same_only": keyword.same_only,
        "works": worked_out_in_words(keyword).partition(":")[0].partition(",")[0],
        "counter": keyword.counter_allowed,
        "designations": [*keyword.designations],
        "imposes": [{"kind": imposed.kind, "rule": imposed.rule, "reading": imposed.reading} for imposed in keyword.imposes],
        "variants": [
            {
                "name": variant.name,
                "rule": variant.rule,
                "written": [*variant.forms],
                "costs": [_cost_as_json(cost) for cost in variant.costs],
                "stacking": terms_in_words(variant.stacking),
            }
            for variant in keyword.variants
        ],
        "rules": [{"number": r.number, "says": terms_in_words(r.sorts), "gist": r.gist or None, "text": r.text or None} for r in rules],
    }


def _cost_as_json(cost: Cost) -> dict[str, Any]:
    return {
        "kind": terms_in_words([cost.kind])[0],
        "rule": cost.rule,
        "pays": cost.pays,
        "optional": cost.optional,
        "repeatable": cost.repeatable,
    }


def worked_out_in_words(keyword: Keyword) -> str:
    """Say whether plays that use a keyword are judged: `yes`, `in part, but not ..` or `no: ..`."""
    if keyword.action:
        return "only what it imposes on attacks and blocks" if keyword.imposes else "no: it is only in the catalogue"
    from lawmage.play.worked_out import worked_out

    status = worked_out(keyword.name)
    if status.works:
        return "yes"
    return (
        f"in part, but not {'; '.join(status.left_out)}"
        if status.begun
        else "no: it is only in the catalogue; a play that uses it is undecided"
    )
