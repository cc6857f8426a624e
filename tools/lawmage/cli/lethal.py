"""`lawmage lethal`: is there an attack that wins whatever the blocks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from lawmage.answers.answered import Answered
from lawmage.cli._shared import JsonFlag, ReleaseOption, each_file, finish, source_of, stdout

if TYPE_CHECKING:
    from lawmage.play.lethal import LethalVerdict
    from lawmage.play.verdict import Declaration

__all__ = ["register"]

_STYLES = {"yes": "bold green", "no": "bold red", "undecided": "bold yellow"}
#: More defences than this are not shown to people.
_MOST_SHOWN = 12


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("lethal", epilog="Example: lawmage lethal board.yaml --player D\n\nExit status: 0 yes, 1 no, 2 bad input, 3 undecided.")(
        lethal
    )


def lethal(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files, YAML or JSON, in which no blocks are declared.")],
    player: Annotated[str | None, typer.Option("--player", metavar="NAME", help="The defending player, where there are several.")] = None,
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", min=0.01, help="Answer undecided where it takes longer.")
    ] = 10.0,
) -> None:
    """Say whether an attack wins this combat whatever the blocks: by life, poison or commander damage.

    The attacking player divides damage knowing the blocks. Where an attack is declared, the question is about that attack.
    """
    from lawmage.answers.lethality import answer_on
    from lawmage.answers.scenarios import read
    from lawmage.play.lethal import lethal as find

    def answer(file: Path) -> Answered:
        scenario = read(source_of(file), release)
        verdict = find(scenario, player=player, seconds=time_limit)
        if not as_json:
            _print(stdout(), scenario.title or str(file), verdict)
        return answer_on(scenario, str(file), verdict)

    finish(each_file(files, answer), as_json=as_json)


def _print(console: Console, title: str, verdict: LethalVerdict) -> None:
    console.print(Text.assemble((title, "bold"), ": ", (verdict.verdict, _STYLES[verdict.verdict])))
    if verdict.attack is not None:
        console.print(Padding(Text(f"{_told(verdict.attack, 'attacks')}: {verdict.player} loses whatever blocks."), (0, 0, 0, 2)))
    else:
        for defence in verdict.defences[:_MOST_SHOWN]:
            attack = f"against {_told(defence.attack, 'attacks')}: " if defence.attack else ""
            console.print(
                Padding(Text(f"{attack}{_told(defence.block, 'blocks') or 'no block'} (answers {defence.answers})"), (0, 0, 0, 2))
            )
        if len(verdict.defences) > _MOST_SHOWN:
            console.print(Padding(Text(f"and {len(verdict.defences) - _MOST_SHOWN} more defences (--json)", style="dim"), (0, 0, 0, 2)))
    for what, (least, most) in verdict.bounds.items():
        console.print(Padding(Text(f"the attack takes between {least} and {most} of {what}, against the best block"), (0, 0, 0, 2)))
    if verdict.reason:
        console.print(Padding(Text.assemble(("undecided ", "yellow"), verdict.reason), (0, 0, 0, 2)))


def _told(declaration: Declaration, verb: str) -> str:
    """Return a declaration in words."""
    parts = []
    for name, others in declaration.items():
        whom = others if isinstance(others, str) else " and ".join(others)
        parts.append(f"{name} {verb} {whom}")
    return ", ".join(parts)
