"""`lawmage check`, `lawmage enumerate`, `lawmage test`: judging the scenarios of files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from lawmage.answers.answered import Answered
from lawmage.cli._explanations import ExplainFlag, ExplainToOption, Explanations
from lawmage.cli._shared import NO, UNDECIDED, YES, JsonFlag, ReleaseOption, each_file, fail, finish, source_of, stdout
from lawmage.errors import InputError, LawmageError
from lawmage.places import is_folder

if TYPE_CHECKING:
    from lawmage.board import Scenario
    from lawmage.play.lethal_judging import LethalAnswer
    from lawmage.play.verdict import Answer, ProposalVerdict

__all__ = ["register"]

_STYLE = {"legal": "bold green", "illegal": "bold red", "undecided": "bold yellow"}
_SUFFIXES = (".yaml", ".yml", ".json")

Files = Annotated[list[Path], typer.Argument(metavar="FILE", readable=False, help="Scenario files, YAML or JSON, or - for standard input.")]
Seconds = Annotated[
    float,
    typer.Option("--time-limit", metavar="SECONDS", min=0.01, help="Stop a search after so long; what it leaves open is undecided."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command("check", epilog="Example: lawmage check examples/menace.yaml")(check)
    app.command("enumerate", epilog="Example: lawmage enumerate examples/menace.yaml --count")(enumerate_)
    app.command("test", epilog="Example: lawmage test tests/cases")(run_tests)


class Form(StrEnum):
    """The forms in which `lawmage check` answers."""

    TEXT = "text"
    JSON = "json"
    TURTLE = "turtle"


def check(
    files: Files,
    as_json: JsonFlag = False,
    form: Annotated[
        Form, typer.Option("--format", help="Print sentences, JSON, or RDF with its provenance (kb/verdicts.ttl).")
    ] = Form.TEXT,
    explain: ExplainFlag = False,
    explain_to: ExplainToOption = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option("--compare", metavar="RELEASE RELEASE", help="Judge under two releases, and name the rules that make a difference."),
    ] = None,
    release: ReleaseOption = None,
    time_limit: Seconds = 10.0,
) -> None:
    """Judge what scenario files propose: legal, illegal and why, or undecided."""
    if compare is not None:
        if explain or explain_to is not None or form is Form.TURTLE:
            raise InputError("--compare answers in words or JSON and explains itself; leave out --explain, --explain-to and --format")
        _compare(files, compare, time_limit, as_json=as_json or form is Form.JSON)
        return
    from lawmage.answers.checking import check_scenario
    from lawmage.answers.scenarios import read

    as_json = as_json or form is Form.JSON
    explanations = Explanations(wanted=explain, file=explain_to)
    judged: list[tuple[Answer, bytes, str]] = []
    console = stdout()

    def answer(file: Path) -> Answered:
        found = check_scenario(read(source_of(file), release), time_limit, explain=bool(explanations))
        answered = found.answer()
        explanations.add(found.title, found.verdicts.release, found.why)
        if form is Form.TURTLE:
            judged.append((found.verdicts, file.read_bytes(), found.title))
        elif not as_json:
            _print_answer(console, found.scenario, found.verdicts)
            if explain:
                explanations.print(console)
        return answered

    answered = each_file(files, answer)
    explanations.write()
    if form is Form.TURTLE and not as_json:
        from lawmage.play.provenance import to_turtle

        sys.stdout.write(to_turtle(judged))
    finish(answered, as_json=as_json)


def _compare(files: list[Path], releases: tuple[str, str], seconds: float, *, as_json: bool) -> None:
    """Print how verdicts differ between two releases; the exit status is that of the verdicts under the second."""
    from lawmage.answers.checking import answer_on_comparison
    from lawmage.answers.scenarios import read
    from lawmage.cli._comparison import print_comparison
    from lawmage.play.comparing import compare

    console = stdout()

    def answer(file: Path) -> Answered:
        scenario = read(source_of(file))
        found = compare(scenario, releases, seconds=seconds)
        if not as_json:
            print_comparison(console, scenario.title or str(file), found)
        return answer_on_comparison(found)

    finish(each_file(files, answer), as_json=as_json)


def enumerate_(
    file: Annotated[Path, typer.Argument(metavar="FILE", readable=False, help="A scenario file, YAML or JSON, or - for standard input.")],
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="List no more than so many.")] = None,
    best: Annotated[bool, typer.Option("--best", help="Print a best block: not to lose, then most life, then most value kept.")] = False,
    explain: ExplainFlag = False,
    explain_to: ExplainToOption = None,
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
    time_limit: Seconds = 10.0,
) -> None:
    """List the legal declarations, count them, or find a best block.

    The value that a block keeps is the power and toughness of what the defending player has left, less those of what the other has left.

    The attacking player divides damage as is worst for the other.
    """
    from lawmage.answers.declarations import enumerate_ as answer
    from lawmage.answers.declarations import refuse_explanation
    from lawmage.answers.scenarios import read
    from lawmage.play import UndecidedError

    explanations = Explanations(wanted=explain, file=explain_to)
    refuse_explanation(best, bool(explanations))
    source = source_of(file)
    if as_json:
        if explain_to is not None:
            raise InputError("--explain-to writes a file beside words; with --json say --explain")
        finish(answer(source, release=release, count=count, limit=limit, best=best, explain=explain, time_limit=time_limit))
    scenario = read(source, release)
    try:
        found = _print_best(scenario, time_limit, explanations) if best else _print_declarations(scenario, count, limit, time_limit)
    except UndecidedError as error:
        fail(f"{file}: undecided, {error}")
        raise typer.Exit(UNDECIDED) from None
    raise typer.Exit(YES if found else NO)


def _print_best(scenario: Scenario, seconds: float, explanations: Explanations) -> bool:
    from lawmage.answers.declarations import best_of
    from lawmage.answers.scenarios import release_of
    from lawmage.play.declaration_words import declaration_in_words

    found, why = best_of(scenario, seconds, explain=bool(explanations))
    lost = f"{found.life_lost:,} life lost, {found.score.life:,} left" + (", and the game is lost" if found.score.loses else "")
    stdout().print(f"{declaration_in_words(found.block)}: {lost}; value kept {found.score.value:,}", markup=False, highlight=False)
    if why is not None:
        explanations.add(scenario.title or scenario.file or "", release_of(scenario), {"best": why})
        explanations.write()
        if explanations.wanted:
            explanations.print(stdout())
    return True


def _print_declarations(scenario: Scenario, count: bool, limit: int | None, seconds: float) -> bool:
    """Print the declarations, their number or both, and return whether there are any."""
    from lawmage.play import count_declarations, enumerate_declarations
    from lawmage.play.declaration_words import declaration_in_words

    console = stdout()
    number = count_declarations(scenario, seconds=seconds) if count or limit is None else None
    listed = False
    for declaration in () if count else enumerate_declarations(scenario, limit, seconds=seconds):
        console.print(declaration_in_words(declaration, scenario.judge), markup=False, soft_wrap=True)
        listed = True
    if number is not None:
        _print_count(console, number)
    return bool(number) or listed


def run_tests(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", readable=False, help="Scenario files, or folders of them.")],
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
    time_limit: Seconds = 10.0,
) -> None:
    """Run scenario files that carry `expect`, and compare."""
    from lawmage.answers.expectations import failed, summed

    reports: list[dict[str, Any]] = []
    console = stdout()
    for file in _scenario_files(paths):
        try:
            reports.append(_report(file, release, time_limit))
        except LawmageError as error:
            fail(str(error))
            reports.append(failed(str(file), error))
        for result in reports[-1]["expectations"]:
            if not (result["pass"] or as_json):
                console.print(
                    Text.assemble(("failed ", "bold red"), f"{file}: {result['name']} is {result['actual']}, not {result['expected']}")
                )
    answered = summed(reports)
    if not as_json:
        console.print(f"{answered.document['passed']} passed, {answered.document['failed']} failed")
    finish(answered, as_json=as_json)


def _report(file: Path, release: str | None, seconds: float) -> dict[str, Any]:
    """Return what a file expects, of decks or of a board, beside what is answered."""
    from lawmage.answers.expectations import compare_board, compare_decks
    from lawmage.answers.scenarios import read
    from lawmage.decks.cases import is_deck_case, load_deck_case

    if is_deck_case(file):
        return compare_decks(load_deck_case(file, release), str(file))
    return compare_board(read(source_of(file), release), str(file), seconds)


def _scenario_files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if not is_folder(path):
            yield path
            continue
        found = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES)
        if not found:
            raise InputError(f"there are no scenario files ({', '.join(_SUFFIXES)}) in this folder", file=path)
        yield from found


# ---------------------------------------------------------------- what people see


def _print_answer(console: Console, scenario: Scenario, answer: Answer) -> None:
    from lawmage.cli.lethal import print_verdict
    from lawmage.play.proposal_words import proposal_in_words
    from lawmage.play.together_words import gathered

    heading = Text(scenario.title or scenario.file or "", style="bold")
    heading.append(f"  ({answer.file})" if scenario.title and answer.file else "", style="dim")
    console.print(heading)
    for name, verdict in answer.proposals.items():
        if answer.judge == "lethal":
            for player, found in cast("LethalAnswer", verdict).lethal.items():
                print_verdict(console, f"  an attack that wins against {player}", found)
            continue
        _print_verdict(console, name, proposal_in_words(scenario, name), verdict, answer.judge)
    for clash in dict.fromkeys(verdict.requirements.clash for verdict in answer.proposals.values()):
        if clash:
            console.print(Padding(Text(f"These cannot all hold together: {'; '.join(gathered(clash))}.", style="dim"), (0, 0, 0, 2)))
    if not answer.proposals:
        console.print("  nothing is proposed; `lawmage enumerate` lists what is legal", style="dim")
    if answer.count is not None:
        console.print("  ", end="")
        _print_count(console, answer.count)


def _print_count(console: Console, number: int) -> None:
    console.print(f"{number:,} legal declaration{'' if number == 1 else 's'}")


def _print_verdict(console: Console, name: str, proposed: str, verdict: ProposalVerdict, judged: str) -> None:
    from lawmage.play.words import nearest_in_words

    console.print(Text.assemble("  ", (name, "bold"), " ", (verdict.verdict, _STYLE[verdict.verdict]), f"  {proposed}"))
    perhaps = ("perhaps ", "yellow") if verdict.verdict == "undecided" else ""
    for violation in verdict.violations:
        line = Text.assemble(perhaps, (violation.rule, "cyan"), " ", violation.message)
        console.print(Padding(line, (0, 0, 0, 6)))
    if verdict.has_nearest and verdict.nearest != verdict.requirements.better:
        console.print(Padding(Text(f"nearest legal: {nearest_in_words(verdict, judged)}"), (0, 0, 0, 6)))
    if verdict.no_nearest:
        console.print(Padding(Text(verdict.no_nearest), (0, 0, 0, 6)))
    if verdict.verdict == "legal" and verdict.requirements.maximum:
        obeyed, maximum = verdict.requirements.obeyed, verdict.requirements.maximum
        told = f"obeys {obeyed} requirement{'' if obeyed == 1 else 's'}; no free declaration obeys more than {maximum}"
        console.print(Padding(Text(told), (0, 0, 0, 6)))
    if isinstance(getattr(verdict, "total", None), str):
        life = f", {verdict.life} life" if verdict.life else ""  # type: ignore[attr-defined]
        told = f"costs {verdict.total}{life} ({verdict.using})"  # type: ignore[attr-defined]
        console.print(Padding(Text(told), (0, 0, 0, 6)))
    for sentence in verdict.not_understood:
        console.print(Padding(Text.assemble(("not understood ", "yellow"), sentence), (0, 0, 0, 6)))
    for sentence in verdict.assumptions:
        console.print(Padding(Text(sentence, style="dim"), (0, 0, 0, 6)))
    if verdict.verdict == "undecided" and not verdict.not_understood:
        console.print(Padding(Text("the time limit was reached before every declaration could be excluded", style="yellow"), (0, 0, 0, 6)))
    if verdict.cites:
        console.print(Padding(Text(f"rules {', '.join(verdict.cites)}", style="dim"), (0, 0, 0, 6)))
