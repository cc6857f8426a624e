"""Makes docs/keywords.md from kb/keywords/ and tests/cases/702/: `python tests/keywords/keyword_table.py`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lawmage.keywords import Keyword, load_keywords
from lawmage.play.keyword_uses import keyword_uses
from lawmage.play.knowledge import knowledge
from lawmage.play.worked_out import worked_out
from lawmage.scenario import load_scenario
from lawmage.text.forms import parse_keywords

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "keywords.md"
CASES = ROOT / "tests" / "cases" / "702"

_OPENING = """# Keyword abilities

What each keyword of chapter 702 does here, by which rules, and the scenarios in tests/cases/702/ that show it. Renewed by
`python tests/keywords/keyword_table.py`. A keyword that is not worked out, or not in the part that a play uses, makes that play undecided.
Where a keyword only triggers, that it does and how often is told, and what the ability then does is not followed.
"""
#: No more cases than this are named in a row.
_MOST_CASES = 3
#: What kinds of costs are called in the table.
_KINDS = {
    "alternative_cost": "alternative cost",
    "additional_cost": "additional cost",
    "activation_cost": "activated",
    "special_action_cost": "special action",
    "payment_method": "way to pay",
    "mana_cost_instead": "other mana cost",
}


def abilities() -> list[Keyword]:
    """Return the keyword abilities, in the order of the rulebook."""
    return [keyword for keyword in load_keywords().values() if not keyword.action]


def works(rule: str) -> bool:
    """Return whether every keyword of a rule of 702 is worked out."""
    return all(worked_out(keyword.name).works for keyword in abilities() if keyword.rule == rule)


@cache
def cases_of() -> dict[str, list[str]]:
    """Return the names of the scenario files by the rule of a keyword: those named after it, and those in which an object has it."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    rules = {keyword.name: keyword.rule for keyword in abilities()}
    rules |= {variant.name: keyword.rule for keyword in abilities() for variant in keyword.variants}
    forms = knowledge().forms
    for file in sorted(CASES.glob("*.yaml")):
        found[file.stem.partition("-")[0].rstrip("abcdefghijklmnopqrstuvwxyz")][file.stem] = None
        if "\ndecks:" in file.read_text(encoding="utf-8"):
            continue
        for thing in load_scenario(file).board.objects.values():
            written = [*thing.keywords, *(line.partition(" —")[0] for line in thing.text.splitlines())]
            for use in (use for one in written for use in parse_keywords(one, forms)):
                found[rules.get(use.keyword, "")][file.stem] = None
            for label in (line.partition(" —")[0].lower() for line in thing.text.splitlines() if " — " in line):
                found[rules.get(label, "")][file.stem] = None
    return {rule: sorted(names) for rule, names in found.items()}


def _does(keyword: Keyword) -> Iterator[str]:
    uses = keyword_uses()[keyword.name]
    yield from (imposed.kind.replace("_", " ") for imposed in keyword.imposes)
    yield from (_KINDS[cost.kind] for cost in uses.costs if cost.kind in _KINDS)
    for happening in uses.happenings:
        how = "triggered" if happening.triggered else "designation" if happening.kind == "designates" else "replacement or static"
        yield f"{happening.kind.replace('_', ' ')} ({how}, {happening.event.replace('_', ' ')})"
    yield from (condition.says for condition in uses.conditions)
    yield from (f"see {file}" for file in uses.meant_in)


def _row(keyword: Keyword, cases: dict[str, list[str]]) -> str:
    status = worked_out(keyword.name)
    state = "yes" if status.works else f"in part; not {'; '.join(status.left_out)}" if status.begun else "no"
    uses = keyword_uses()[keyword.name]
    rules = dict.fromkeys(
        [imposed.rule for imposed in keyword.imposes]
        + [cost.rule for cost in uses.costs]
        + [happening.rule for happening in uses.happenings]
        + [target.rule for target in uses.targets]
    )
    of_rule = cases.get(keyword.rule, [])
    own = [name for name in of_rule if name.startswith(f"{keyword.rule}-") or re.match(rf"{re.escape(keyword.rule)}[a-z]", name)]
    shown = ", ".join((own or of_rule)[:_MOST_CASES])
    return f"| {keyword.rule} | {keyword.name} | {state} | {', '.join(dict.fromkeys(_does(keyword)))} | {', '.join(rules)} | {shown} |"


def table() -> str:
    """Return what docs/keywords.md has to be."""
    cases = cases_of()
    rules = dict.fromkeys(keyword.rule for keyword in abilities())
    count = sum(map(works, rules))
    rows = [_row(keyword, cases) for keyword in abilities()]
    head = "| rule | keyword | works | as what | by rules | cases |\n|---|---|---|---|---|---|\n"
    return (
        f"{_OPENING}\nOf {len(rules)} rules, 702.2 to 702.{len(rules) + 1}, {count} are worked out in full.\n\n{head}"
        + "\n".join(rows)
        + "\n"
    )


if __name__ == "__main__":
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(table(), encoding="utf-8")
