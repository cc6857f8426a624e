"""`lawmage keyword`: what a keyword is, by which rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, fail, finish, stdout

if TYPE_CHECKING:
    from lawmage.answers.keywords import KeywordRule
    from lawmage.keywords import Cost, Keyword, Variant, Word

__all__ = ["register"]

Name = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="A name, a rule number, or as written on a card; without it, all are listed.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add this subject's command to `app`."""
    app.command("keyword", epilog="Examples: lawmage keyword menace, lawmage keyword protection from red")(keyword_)


def keyword_(name: Name = None, as_json: JsonFlag = False, release: ReleaseOption = None) -> None:
    """Show a keyword: kind, zones, written forms, stacking, costs, constraints and rules."""
    from lawmage.answers.keywords import keyword, keyword_rules, keywords, keywords_of
    from lawmage.keywords import find_keyword, load_keywords, load_words

    typed = " ".join(name or ())
    if not typed:
        if as_json:
            finish(keywords(release=release))
        _list(keywords_of(release))
        return
    answered = keyword(typed, release=release)
    if as_json:
        finish(answered)
    found, known = find_keyword(typed), answered.document["release"]
    if answered.status == NO:
        fail(f"{found.name} has no rule in the release of {known}; its first is that of {found.since}")
        raise typer.Exit(NO)
    _print(found, known, keyword_rules(found, known), load_words(), first=min(other.since for other in load_keywords().values()))


def _list(keywords: Iterable[Keyword]) -> None:
    from lawmage.answers.keywords import terms_in_words

    table = Table.grid(padding=(0, 2))
    for keyword in keywords:
        table.add_row(Text(keyword.name, style="bold"), keyword.rule, ", ".join(terms_in_words(keyword.kinds)))
    stdout().print(table)


def _print(keyword: Keyword, release: str, rules: list[KeywordRule], words: dict[str, Word], *, first: date) -> None:
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
    from lawmage.answers.keywords import worked_out_in_words

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
    yield "works", [worked_out_in_words(keyword)]
    yield "variants", [line for variant in keyword.variants for line in _variant(variant, words)]


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
