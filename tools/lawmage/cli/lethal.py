"""`lawmage lethal`: is there an attack that wins whatever the blocks, or how much damage is certain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from lawmage.answers.answered import Answered
from lawmage.cli._explanations import ExplainFlag, ExplainToOption, Explanations
from lawmage.cli._shared import JsonFlag, ReleaseOption, each_file, finish, source_of, stdout

if TYPE_CHECKING:
    from lawmage.answers.lethality import Verdict
    from lawmage.play.lethal import LethalVerdict
    from lawmage.play.lethal_damage import DamageVerdict

__all__ = ["print_verdict", "register"]

_STYLES = {"yes": "bold green", "found": "bold green", "no": "bold red", "undecided": "bold yellow"}
#: More defences than this are not shown to people.
_MOST_SHOWN = 12


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("lethal", epilog="Example: lawmage lethal board.yaml --player D\n\nExit status: 0 yes, 1 no, 2 bad input, 3 undecided.")(
        lethal
    )


def lethal(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", readable=False, help="Scenario files, YAML or JSON, or - for standard input, in which no blocks are declared."
        ),
    ],
    player: Annotated[str | None, typer.Option("--player", metavar="NAME", help="The defending player, where there are several.")] = None,
    max_damage: Annotated[
        bool, typer.Option("--max-damage", help="Find the attack that does most damage for certain, and the block that leaves the least.")
    ] = False,
    explain: ExplainFlag = False,
    explain_to: ExplainToOption = None,
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", min=0.01, help="Answer undecided where it takes longer.")
    ] = 10.0,
) -> None:
    """Say whether an attack wins this combat whatever the blocks: by life, poison or commander damage.

    The attacking player divides damage knowing the blocks. Where an attack is declared, the question is about that attack.
    """
    from lawmage.answers.lethality import answer_on, explanation_of, find
    from lawmage.answers.scenarios import read, release_of

    explanations = Explanations(wanted=explain, file=explain_to)

    def answer(file: Path) -> Answered:
        scenario = read(source_of(file), release)
        verdict = find(scenario, player, time_limit, max_damage=max_damage)
        why = explanation_of(scenario, verdict) if explanations else None
        title = scenario.title or str(file)
        if why is not None:
            explanations.add(title, release_of(scenario), {"lethal": why})
        if not as_json:
            print_verdict(stdout(), title, verdict)
            if explain:
                explanations.print(stdout())
        return answer_on(scenario, str(file), verdict, why)

    answered = each_file(files, answer)
    explanations.write()
    finish(answered, as_json=as_json)


def print_verdict(console: Console, title: str, verdict: Verdict) -> None:
    """Print an answer for people, after the title of what was asked about."""
    from lawmage.play.lethal import LethalVerdict

    told = _of_attacks(verdict) if isinstance(verdict, LethalVerdict) else _of_damage(verdict)
    console.print(Text.assemble((title, "bold"), ": ", (verdict.verdict, _STYLES[verdict.verdict])))
    for line in told:
        console.print(Padding(line, (0, 0, 0, 2)))
    if verdict.reason:
        console.print(Padding(Text.assemble(("undecided ", "yellow"), verdict.reason), (0, 0, 0, 2)))


def _of_attacks(verdict: LethalVerdict) -> Iterator[Text]:
    """Yield the attack that wins, or the blocks that survive."""
    from lawmage.play.declaration_words import declaration_in_words

    if verdict.attack is not None:
        yield Text(f"{declaration_in_words(verdict.attack, 'attack')}: {verdict.player} loses whatever blocks.")
    else:
        for defence in verdict.defences[:_MOST_SHOWN]:
            attack = f"against {declaration_in_words(defence.attack, 'attack')}: " if defence.attack else ""
            yield Text(f"{attack}{declaration_in_words(defence.block)} (answers {defence.answers})")
        if len(verdict.defences) > _MOST_SHOWN:
            yield Text(f"and {len(verdict.defences) - _MOST_SHOWN} more defences (--json)", style="dim")
    for what, (least, most) in verdict.bounds.items():
        if most:
            number = f"{least:,}" if least == most else f"between {least:,} and {most:,}"
            yield Text(f"against the best block an attack takes {number} of {what}")


def _of_damage(verdict: DamageVerdict) -> Iterator[Text]:
    """Yield the damage that is certain, the attack and the block."""
    from lawmage.play.declaration_words import declaration_in_words

    exact = verdict.at_least == verdict.at_most
    beyond = "" if exact else ", or more" if verdict.at_most is None else f", and no attack does more than {verdict.at_most:,}"
    yield Text(f"{verdict.at_least:,} damage to {verdict.player} is certain{beyond}")
    if verdict.attack is not None:
        yield Text(f"attack: {declaration_in_words(verdict.attack, 'attack')}")
    if verdict.block is not None:
        yield Text(f"block that leaves the least: {declaration_in_words(verdict.block)}")
