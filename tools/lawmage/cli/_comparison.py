"""What `lawmage check --compare` prints."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lawmage.play.comparing import Change, Compared, Comparison
from lawmage.play.declaration_words import listed
from lawmage.play.verdict import ProposalVerdict

__all__ = ["print_comparison"]

_STYLE = {"legal": "bold green", "illegal": "bold red", "undecided": "bold yellow"}


def print_comparison(console: Console, title: str, comparison: Comparison) -> None:
    """Print the verdicts of two releases beside each other, and under them what makes the difference."""
    console.print(Text(title, style="bold"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in ("proposal", *comparison.releases):
        table.add_column(column, overflow="fold")
    for one in comparison.proposals:
        table.add_row(one.name, *(_verdict(verdict) for verdict in one.verdicts))
    console.print(Padding(table, (0, 0, 1, 2)))
    for refusal in dict.fromkeys(_refusals(comparison)):
        console.print(Padding(Text(refusal), (0, 0, 0, 2)))
    told: dict[tuple[str, ...], tuple[list[Text], list[str]]] = {}
    for one in comparison.proposals:
        lines = _told(one, comparison.releases)
        told.setdefault(tuple(map(str, lines)), (lines, []))[1].append(one.name)
    for lines, names in told.values():
        first, *rest = lines
        console.print(Padding(Text.assemble((listed(names), "bold"), ": ", first), (0, 0, 0, 2)))
        for line in rest:
            console.print(Padding(line, (0, 0, 0, 4)))


def _verdict(verdict: ProposalVerdict | None) -> Text:
    return Text("not judged", style="yellow") if verdict is None else Text(verdict.verdict, style=_STYLE[verdict.verdict])


def _refusals(comparison: Comparison) -> list[str]:
    return [f"{comparison.releases[index]}: {text}" for one in comparison.proposals for index, text in enumerate(one.refusals) if text]


def _told(one: Compared, releases: tuple[str, str]) -> list[Text]:
    if one.same:
        if one.verdicts[0] is None:
            return [Text("the same under both")]
        reworded = ", ".join(_both(*pair) for pair in one.reworded)
        return [Text(f"the same under both; {f'reworded of the rules cited: {reworded}' if reworded else 'no rule cited was reworded'}")]
    differs = [Text(line) for line in _differences(one)]
    if not one.because and None in one.verdicts:
        return [Text("judged under one of the two only")]
    if not one.because:
        return [Text("which change of the rules makes the difference was not found"), *differs]
    return [Text("what makes the difference is"), *(_change(change, releases) for change in one.because), *differs]


def _differences(one: Compared) -> Iterator[str]:
    """Yield what comes out differently, where that is more than a verdict."""
    for kind in ("players", "objects"):
        old, new = (getattr(verdict, kind, {}) for verdict in one.verdicts)
        for name, state in old.items():
            for key, value in state.items():
                if name in new and new[name].get(key) != value and not (key == "lost" and value and new[name].get(key)):
                    yield f"{name}: {key} {_shown(value)}, then {_shown(new[name].get(key))}"


def _shown(value: object) -> str:
    return "none" if value in (None, {}) else str(value)


def _change(change: Change, releases: tuple[str, str]) -> Text:
    old, new = change.rules
    where = old if old == new else ", ".join(f"{rule} in {release}" for rule, release in zip(change.rules, releases, strict=True) if rule)
    when = " ".join(filter(None, [change.since and f"since {change.since}", change.until and f"until {change.until}"]))
    return Text.assemble((where or "", "cyan"), f" {change.says}", (f" ({when})" if when else "", "dim"))


def _both(old: str, new: str) -> str:
    return old if old == new else f"{old} (now {new or 'gone'})"
