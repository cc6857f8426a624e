"""`lawmage keyword`: what a keyword is, by which rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, emit_json, fail, stdout

if TYPE_CHECKING:
    from lawmage.keywords import Cost, Keyword, Variant, Word

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
    from lawmage.keywords import find_keyword, load_keywords, load_words
    from lawmage.rulebook.encoded import encoded_release
    from lawmage.rulebook.store import choose_release

    known = choose_release(release or encoded_release())
    if not name:
        _list([keyword for keyword in load_keywords().values() if keyword.since.isoformat() <= known], as_json)
        return
    keyword = find_keyword(" ".join(name))
    if known < keyword.since.isoformat():
        if as_json:
            emit_json({"keyword": keyword.name, "release": known, "since": keyword.since.isoformat(), "found": False})
        else:
            fail(f"{keyword.name} has no rule in the release of {known}; its first is that of {keyword.since}")
        raise typer.Exit(NO)
    rules = _rules(keyword, known, encoded_release())
    if as_json:
        emit_json(_as_json(keyword, known, rules))
    else:
        _print(keyword, known, rules, load_words(), first=min(other.since for other in load_keywords().values()))


# ---------------------------------------------------------------- its rules


@dataclass(frozen=True, slots=True)
class _Rule:
    """One of a keyword's rules as of a release: what sort of statement it is and its gist if it is encoded, its text if installed."""

    number: str
    sorts: tuple[str, ...] = ()
    gist: str = ""
    text: str = ""


def _rules(keyword: Keyword, release: str, encoded: str) -> list[_Rule]:
    from lawmage.rulebook.store import load_installed

    installed = load_installed(release)
    texts = {number: node.text for number, node in installed.rulebook.by_number.items()} if installed else {}
    if release == encoded:
        return [_Rule(s.rule, s.sorts, s.gist, texts.get(s.rule, "")) for s in keyword.statements]
    # other releases number their rules in other ways; what the catalogue says about each is not known to hold there
    return [_Rule(number, text=texts.get(number, "")) for number in _numbers(keyword, release)]


def _numbers(keyword: Keyword, release: str) -> list[str]:
    from lawmage.rulebook.catalogue import heading_names
    from lawmage.rulebook.store import load_graph

    graph = load_graph(release)
    names = {keyword.name, keyword.former_name} - {""}
    for chapter in ("701", "702"):
        for number in graph.children.get(chapter, ()):
            if names & {*heading_names(graph.by_number[number].heading)}:
                return graph.within(number)[1:]
    return []


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


def _print(keyword: Keyword, release: str, rules: list[_Rule], words: dict[str, Word], *, first: date) -> None:
    console = stdout()
    console.print(
        Text.assemble((keyword.name, "bold"), "  ", keyword.rule, "  ", "keyword action" if keyword.action else "keyword ability")
    )
    facts = _grid(style="dim")
    for label, lines in _facts(keyword, words):
        if lines:
            facts.add_row(label, Text("\n".join(lines)))
    facts.add_row("since", _since(keyword, first))
    console.print(facts)
    console.print()
    if not any(rule.sorts for rule in rules):
        console.print(f"Its rules in the release of {release}:")
    table = _grid()
    for rule in rules:
        sorts = ", ".join(words[sort].label for sort in rule.sorts)
        said = [(sorts, "dim"), ": " if sorts and rule.gist else "", rule.gist, "\n" if rule.text and sorts else "", rule.text]
        table.add_row(rule.number, Text.assemble(*said))
    console.print(table)


def _grid(*, style: str | None = None) -> Table:
    """Return a table without lines: a narrow column that is never broken, and a wide one."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style=style)
    table.add_column()
    return table


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
    yield "works", [_worked_out(keyword)]
    yield "variants", [line for variant in keyword.variants for line in _variant(variant, words)]


def _worked_out(keyword: Keyword) -> str:
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


def _since(keyword: Keyword, first: date) -> str:
    # the oldest release that is known says only that the keyword is no younger
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


def _as_json(keyword: Keyword, release: str, rules: list[_Rule]) -> dict[str, Any]:
    return {
        "keyword": keyword.name,
        "release": release,
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
        "works": _worked_out(keyword).partition(":")[0].partition(",")[0],
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
        "rules": [{"number": r.number, "says": _terms(r.sorts), "gist": r.gist or None, "text": r.text or None} for r in rules],
    }


def _cost_as_json(cost: Cost) -> dict[str, Any]:
    return {
        "kind": _terms([cost.kind])[0],
        "rule": cost.rule,
        "pays": cost.pays,
        "optional": cost.optional,
        "repeatable": cost.repeatable,
    }
