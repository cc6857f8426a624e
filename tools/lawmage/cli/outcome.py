"""`lawmage outcome`: what combat does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lawmage.answers.answered import Answered
from lawmage.cli._explanations import ExplainFlag, ExplainToOption, Explanations
from lawmage.cli._shared import JsonFlag, ReleaseOption, each_file, finish, source_of, stdout

if TYPE_CHECKING:
    from lawmage.play.events import EventVerdict
    from lawmage.play.outcome import OutcomeVerdict
    from lawmage.play.verdict import ProposalVerdict

__all__ = ["register"]

_STEPS = {"first": "First combat damage step", "regular": "Combat damage step"}


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("outcome", epilog="Example: lawmage outcome examples/outcome.yaml")(outcome)


def outcome(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            readable=False,
            help="Scenario files, YAML or JSON, or - for standard input, in which attackers have been declared.",
        ),
    ],
    as_json: JsonFlag = False,
    explain: ExplainFlag = False,
    explain_to: ExplainToOption = None,
    release: ReleaseOption = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", min=0.01, help="Stop following the ways to divide damage after so long.")
    ] = 10.0,
) -> None:
    """Say what combat does: damage by step, deaths, life, counters, triggers."""
    from lawmage.answers.outcomes import follow
    from lawmage.answers.scenarios import read

    explanations = Explanations(wanted=explain, file=explain_to)
    console = stdout()

    def answer(file: Path) -> Answered:
        found = follow(read(source_of(file), release), time_limit, explain=bool(explanations))
        explanations.add(found.title, found.verdicts.release, found.why)
        if not as_json:
            console.print(Text(found.title, style="bold"))
            for name, verdict in found.verdicts.proposals.items():
                _print_verdict(console, name, verdict)
            if explain:
                explanations.print(console)
        return found.answer()

    answered = each_file(files, answer)
    explanations.write()
    finish(answered, as_json=as_json)


# ---------------------------------------------------------------- what people see


def _print_verdict(console: Console, name: str, verdict: ProposalVerdict) -> None:
    from lawmage.play.events import EventVerdict
    from lawmage.play.outcome import OutcomeVerdict
    from lawmage.play.words import nearest_in_words

    style = {"legal": "bold green", "illegal": "bold red", "undecided": "bold yellow"}[verdict.verdict]
    console.print(Text.assemble("  ", (name, "bold"), " ", ("" if verdict.verdict == "legal" else verdict.verdict, style)))
    for violation in verdict.violations:
        console.print(Padding(Text.assemble((violation.rule, "cyan"), " ", violation.message), (0, 0, 0, 4)))
    if verdict.has_nearest:
        console.print(Padding(Text(f"nearest legal: {nearest_in_words(verdict, 'outcome')}"), (0, 0, 0, 4)))
    if isinstance(verdict, OutcomeVerdict):
        _print_outcome(console, verdict)
    elif isinstance(verdict, EventVerdict):
        _print_event(console, verdict)
    for sentence in verdict.not_understood:
        console.print(Padding(Text.assemble(("not understood ", "yellow"), sentence), (0, 0, 0, 4)))
    for sentence in verdict.assumptions:
        console.print(Padding(Text(sentence, style="dim"), (0, 0, 0, 4)))
    if verdict.cites:
        console.print(Padding(Text(f"rules {', '.join(verdict.cites)}", style="dim"), (0, 0, 0, 4)))


def _print_outcome(console: Console, verdict: OutcomeVerdict) -> None:
    if verdict.ways > 1:
        told = f"There are {verdict.ways} ways to divide the damage; what differs between them is shown from least to most."
        console.print(Padding(Text(told), (0, 0, 0, 4)))
    if verdict.before:
        console.print(Padding(Text(f"Before damage {_died(verdict.before)}."), (0, 0, 0, 4)))
    for step in verdict.steps or ():
        table = _table(_STEPS[step.step], "source", "target", "damage")
        for one in step.damage:
            table.add_row(one.source, one.target, f"{one.amount:,}")
        console.print(Padding(table, (0, 0, 0, 4)))
        if step.died:
            console.print(Padding(Text(f"{_died(step.died)}."), (0, 0, 0, 4)))
    table = _table("Players", "player", "life", "poison", "commander damage", "")
    for name, state in verdict.players.items():
        commanders = ", ".join(f"{source} {amount}" for source, amount in (state["commander_damage"] or {}).items())
        cells = [_cell(verdict, f"players.{name}.{key}", state[key]) for key in ("life", "poison")]
        table.add_row(name, *cells, commanders, f"loses the game ({state['lost']})" if state["lost"] else "")
    console.print(Padding(table, (0, 0, 0, 4)))
    table = _table("Permanents", "permanent", "zone", "damage", "counters")
    for name, state in verdict.objects.items():
        counters = ", ".join(f"{kind} {count:,}" for kind, count in (state["counters"] or {}).items())
        table.add_row(name, *(_cell(verdict, f"objects.{name}.{key}", state[key]) for key in ("zone", "damage")), counters)
    console.print(Padding(table, (0, 0, 0, 4)))
    for trigger in verdict.triggers or ():
        times = "" if trigger.times == 1 else f" {trigger.times:,} times"
        console.print(
            Padding(Text.assemble(f"{trigger.ability} of {trigger.source} triggers{times} (", (trigger.rule, "cyan"), ")"), (0, 0, 0, 4))
        )


def _print_event(console: Console, verdict: EventVerdict) -> None:
    told = [
        f"{one.ability} of {one.source} triggers{'' if one.times == 1 else f' {one.times:,} times'} ({one.rule})"
        for one in verdict.triggers
    ]
    told += [f"{player} creates {count:,} x {token}" for player, token, count in verdict.creates]
    for name, state in (*verdict.players.items(), *verdict.objects.items()):
        shown = [f"{key} {_told(value)}" for key, value in state.items() if value not in (None, [], {}, False, 0)]
        told.append(f"{name}: {', '.join(shown)}")
    told += [f"to be chosen: {choice}" for choice in verdict.choices]
    told += [f"it is {verdict.daytime}"] if verdict.daytime else []
    for line in told:
        console.print(Padding(Text(line), (0, 0, 0, 4)))


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{kind} {count:,}" for kind, count in value.items())
    return " and ".join(value) if isinstance(value, list) else str(value)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in ("damage", "life", "poison") else "left", overflow="fold")
    return table


def _died(died: Any) -> str:
    return ", ".join(f"{name} leaves the battlefield ({', '.join(rules)})" for name, rules in died.items())


def _cell(verdict: OutcomeVerdict, where: str, value: Any) -> str:
    """Return a value, or between what it lies where the ways differ."""
    differs = verdict.differences.get(where)
    if isinstance(differs, dict):
        return f"{differs['least']:,} to {differs['most']:,}"
    if differs is not None:
        return " or ".join(map(_shown, differs))
    return _shown(value)


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else value or "none"
