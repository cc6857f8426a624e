"""`lawmage keyword`: what a keyword is, by which rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, emit_json, fail, stdout
from lawmage.errors import InputError
from lawmage.keywords import Cost, Keyword, Variant, Word, find_keyword, load_keywords, load_words

__all__ = ["register"]

Name = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]", help="A name, a rule number, or as written on a card; without it, all are listed.", show_default=False
    ),
]


def register(app: typer.Typer) -> None:
    """Add this subject's command to `app`."""
    app.command("keyword", epilog="Examples: lawmage keyword menace, lawmage keyword protection from red")(keyword_)


def keyword_(name: Name = None, as_json: JsonFlag = False, release: ReleaseOption = None) -> None:
    """Show a keyword: kind, zones, written forms, stacking, costs, constraints and rules."""
    by = _date(release)
    if not name:
        _list([keyword for keyword in load_keywords().values() if by is None or keyword.since <= by], as_json)
        return
    keyword = find_keyword(" ".join(name))
    if by is not None and by < keyword.since:
        if as_json:
            emit_json({"keyword": keyword.name, "release": by.isoformat(), "since": keyword.since.isoformat(), "found": False})
        else:
            fail(f"{keyword.name} has no rule in the release of {by}; its first is that of {keyword.since}")
        raise typer.Exit(NO)
    if as_json:
        emit_json(_as_json(keyword))
    else:
        _print(keyword, load_words())


def _date(release: str | None) -> date | None:
    if release is None:
        return None
    try:
        return date.fromisoformat(release)
    except ValueError:
        raise InputError(f'"{release}" is not a date; expected one such as 2026-08-07') from None


# ---------------------------------------------------------------- all of them


def _list(keywords: Iterable[Keyword], as_json: bool) -> None:
    if as_json:
        rows = [{"keyword": k.name, "rule": k.rule, "kind": _terms(k.kinds), "since": k.since.isoformat()} for k in keywords]
        emit_json({"keywords": rows})
        return
    table = Table.grid(padding=(0, 2))
    for keyword in keywords:
        table.add_row(Text(keyword.name, style="bold"), keyword.rule, ", ".join(_terms(keyword.kinds)))
    stdout().print(table)


# ---------------------------------------------------------------- one of them, for people


def _print(keyword: Keyword, words: dict[str, Word]) -> None:
    console = stdout()
    console.print(
        Text.assemble((keyword.name, "bold"), "  ", keyword.rule, "  ", "keyword action" if keyword.action else "keyword ability")
    )
    facts = Table.grid(padding=(0, 2))
    facts.add_column(no_wrap=True, style="dim")
    facts.add_column()
    for label, lines in _facts(keyword, words):
        if lines:
            facts.add_row(label, Text("\n".join(lines)))
    console.print(facts)
    console.print()
    rules = Table.grid(padding=(0, 2))
    rules.add_column(no_wrap=True)
    rules.add_column()
    for statement in keyword.statements:
        sorts = ", ".join(words[sort].label for sort in statement.sorts)
        rules.add_row(statement.rule, Text.assemble((sorts, "dim"), ": " if statement.gist else "", statement.gist))
    console.print(rules)


def _facts(keyword: Keyword, words: dict[str, Word]) -> Iterator[tuple[str, list[str]]]:
    def labels(terms: Iterable[str]) -> str:
        return ", ".join(words[term].label for term in terms)

    if keyword.abilities:
        kinds = [f"{labels(ability.kinds).replace(', ', ' or ')}: {labels(ability.places)}" for ability in keyword.abilities]
        yield "abilities", [*kinds, f"({', '.join(dict.fromkeys((*keyword.kind_rules, *keyword.place_rules)))})"]
    else:
        yield "kind", [f"{labels(keyword.kinds)} ({', '.join(keyword.kind_rules)})"]
        yield "functions", [f"{labels(keyword.places)} ({', '.join(keyword.place_rules)})"] if keyword.places else []
    yield "written", [*keyword.forms]
    yield "stands on", [", ".join(keyword.appears_on)] if keyword.appears_on else []
    yield "when", [labels(keyword.timing)] if keyword.timing else []
    yield "triggers", [words[event].label for event in keyword.events]
    yield "costs", [_cost(cost, words) for cost in keyword.costs]
    yield "imposes", [f"{imposed.reading} ({imposed.rule})" for imposed in keyword.imposes]
    yield "instances", [_stacking(keyword, words)] if keyword.stacking else []
    yield "designates", [f"{', '.join(keyword.designations)} ({', '.join(keyword.designation_rules)})"] if keyword.designations else []
    yield "counter", ["a keyword counter can give it (122.1b)"] if keyword.counter_allowed else []
    yield "variants", [line for variant in keyword.variants for line in _variant(variant, words)]
    yield "since", [_since(keyword)]


def _since(keyword: Keyword) -> str:
    # the oldest release that is known says only that the keyword is no younger
    first = min(other.since for other in load_keywords().values())
    since = f"{keyword.since} or before" if keyword.since == first else f"{keyword.since}"
    return f"{since}, as {keyword.former_name} until {keyword.renamed}" if keyword.renamed else since


def _cost(cost: Cost, words: dict[str, Word]) -> str:
    how = [word for word, holds in (("optional", cost.optional), ("any number of times", cost.repeatable)) if holds]
    return f"{words[cost.kind].label}{', ' + ', '.join(how) if how else ''}: {cost.pays} ({cost.rule})"


def _stacking(node: Keyword | Variant, words: dict[str, Word]) -> str:
    same = " if they are the same" if node.same_only else ""
    return f"{', '.join(words[term].label for term in node.stacking)}{same} ({', '.join(node.stacking_rules)})"


def _variant(variant: Variant, words: dict[str, Word]) -> Iterator[str]:
    written = [form for form in variant.forms if form != variant.name]
    yield f"{variant.name} ({variant.rule}){': ' if written else ''}{', '.join(written)}"
    yield from (f"  {_cost(cost, words)}" for cost in variant.costs)


# ---------------------------------------------------------------- one of them, for programs


def _terms(terms: Iterable[str]) -> list[str]:
    """Return terms of the vocabulary as words: `EachTriggers` is `each triggers`."""
    return [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", term).lower() for term in terms]


def _as_json(keyword: Keyword) -> dict[str, Any]:
    return {
        "keyword": keyword.name,
        "rule": keyword.rule,
        "action": keyword.action,
        "since": keyword.since.isoformat(),
        "former_name": keyword.former_name or None,
        "kind": _terms(keyword.kinds),
        "kind_rules": [*keyword.kind_rules],
        "abilities": [{"kind": _terms(ability.kinds), "zones": _terms(ability.places)} for ability in keyword.abilities],
        "zones": _terms(keyword.places),
        "zone_rules": [*keyword.place_rules],
        "written": [*keyword.forms],
        "stands_on": [*keyword.appears_on],
        "timing": _terms(keyword.timing),
        "triggers_on": _terms(keyword.events),
        "costs": [_cost_as_json(cost) for cost in keyword.costs],
        "stacking": _terms(keyword.stacking),
        "stacking_rules": [*keyword.stacking_rules],
        "stacking_same_only": keyword.same_only,
        "counter": keyword.counter_allowed,
        "designations": [*keyword.designations],
        "imposes": [{"kind": imposed.kind, "rule": imposed.rule, "reading": imposed.reading} for imposed in keyword.imposes],
        "variants": [
            {
                "name": variant.name,
                "rule": variant.rule,
                "written": [*variant.forms],
                "costs": [_cost_as_json(cost) for cost in variant.costs],
                "stacking": _terms(variant.stacking),
            }
            for variant in keyword.variants
        ],
        "rules": [{"number": s.rule, "says": _terms(s.sorts), "gist": s.gist or None} for s in keyword.statements],
    }


def _cost_as_json(cost: Cost) -> dict[str, Any]:
    return {
        "kind": _terms([cost.kind])[0],
        "rule": cost.rule,
        "pays": cost.pays,
        "optional": cost.optional,
        "repeatable": cost.repeatable,
    }
