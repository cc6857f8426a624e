"""`lawmage check`, `lawmage enumerate`, `lawmage test`: judging the scenarios of files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from lawmage.cli._explanations import ExplainFlag, ExplainToOption, Explanations
from lawmage.cli._shared import BAD_INPUT, NO, UNDECIDED, YES, JsonFlag, ReleaseOption, emit_json, fail, status_of, stdout
from lawmage.errors import InputError, LawmageError

if TYPE_CHECKING:
    from lawmage.board import Scenario
    from lawmage.play.verdict import Answer, Declaration, ProposalVerdict

__all__ = ["register"]

_STATUS = {"legal": YES, "illegal": NO, "undecided": UNDECIDED}
_STYLE = {"legal": "bold green", "illegal": "bold red", "undecided": "bold yellow"}
_SUFFIXES = (".yaml", ".yml", ".json")

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files, YAML or JSON.")]
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
    from lawmage.play import judge, judge_and_explain

    as_json = as_json or form is Form.JSON
    explanations = Explanations(wanted=explain, file=explain_to)
    judged: list[tuple[Answer, bytes, str]] = []
    answers: list[dict[str, Any]] = []
    statuses: list[int] = []
    console = stdout()
    for file in files:
        try:
            scenario = _load(file, release)
            if explanations:
                answer, why = judge_and_explain(scenario, seconds=time_limit, checked=True)
            else:
                answer, why = judge(scenario, seconds=time_limit, explain=True, checked=True), {}
            steps = explanations.add(scenario.title or str(file), answer.release, why)
        except LawmageError as error:
            fail(str(error))
            answers.append({"lawmage": 1, "file": str(file), "error": str(error)})
            statuses.append(BAD_INPUT)
            continue
        statuses += [_STATUS[verdict.verdict] for verdict in answer.proposals.values()]
        answers.append(answer.as_json())
        for name, step in steps.items():
            answers[-1]["proposals"][name]["explanation"] = step.as_json()
        if form is Form.TURTLE:
            judged.append((answer, file.read_bytes(), scenario.title or str(file)))
        elif not as_json:
            _print_answer(console, scenario, answer)
            if explain:
                explanations.print(console)
    explanations.write()
    if as_json:
        emit_json({"files": answers})
    elif form is Form.TURTLE:
        from lawmage.play.provenance import to_turtle

        sys.stdout.write(to_turtle(judged))
    raise typer.Exit(status_of(statuses))


def _compare(files: list[Path], releases: tuple[str, str], seconds: float, *, as_json: bool) -> None:
    """Print how verdicts differ between two releases; the exit status is that of the verdicts under the second."""
    from lawmage.cli._comparison import print_comparison
    from lawmage.play.comparing import compare

    answers: list[dict[str, Any]] = []
    statuses: list[int] = []
    console = stdout()
    for file in files:
        try:
            scenario = _load(file, None)
            found = compare(scenario, releases, seconds=seconds)
        except LawmageError as error:
            fail(str(error))
            answers.append({"lawmage": 1, "file": str(file), "error": str(error)})
            statuses.append(BAD_INPUT)
            continue
        answers.append(found.as_json())
        for one in found.proposals:
            statuses.append(BAD_INPUT if one.verdicts[1] is None else _STATUS[one.verdicts[1].verdict])
        if not as_json:
            print_comparison(console, scenario.title or str(file), found)
    if as_json:
        emit_json({"files": answers})
    raise typer.Exit(status_of(statuses))


def enumerate_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A scenario file, YAML or JSON.")],
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="List no more than so many.")] = None,
    best: Annotated[bool, typer.Option("--best", help="Print a best block: not to lose, then most life, then most value kept.")] = False,
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
    time_limit: Seconds = 10.0,
) -> None:
    """List the legal declarations, count them, or find a best block.

    The value that a block keeps is the power and toughness of the creatures that the defending player has left, less those that the
    attacking player has left, who divides damage as is worst for the other.
    """
    from lawmage.play import UndecidedError, count_by_player
    from lawmage.play.knowledge import knowledge
    from lawmage.play.verdict import count_as_json, declaration_as_json

    scenario = _load(file, release)
    answer: dict[str, Any] = {"lawmage": 1, "file": str(file), "release": scenario.release or knowledge().release, "judge": scenario.judge}
    try:
        if best:
            _print_best(scenario, answer, time_limit, as_json=as_json)
            return
        counts = count_as_json(count_by_player(scenario, seconds=time_limit)) if count or limit is None else {}
        answer |= counts
        listed = [] if count else _listing(scenario, limit, time_limit, quiet=as_json)
    except UndecidedError as error:
        answer |= {"verdict": "undecided", "not_understood": [str(error)]}
        if as_json:
            emit_json({"files": [answer]})
        else:
            fail(f"{file}: undecided, {error}")
        raise typer.Exit(UNDECIDED) from None
    if not count:
        answer["declarations"] = [declaration_as_json(one) for one in listed]
    if as_json:
        emit_json({"files": [answer]})
    elif counts:
        _print_count(stdout(), counts["count"])
    raise typer.Exit(YES if counts.get("count") or listed else NO)


def _print_best(scenario: Scenario, answer: dict[str, Any], time_limit: float, *, as_json: bool) -> None:
    from lawmage.play.best_block import best_block
    from lawmage.play.words import declaration_in_words

    found = best_block(scenario, seconds=time_limit)
    if as_json:
        emit_json({"files": [answer | {"best": found.as_json()}]})
        return
    lost = f"{found.life_lost:,} life lost, {found.score.life:,} left" + (", and the game is lost" if found.score.loses else "")
    stdout().print(f"{declaration_in_words(found.block)}: {lost}; value kept {found.score.value:,}", markup=False, highlight=False)


def _listing(scenario: Scenario, limit: int | None, seconds: float, *, quiet: bool) -> list[Declaration]:
    from lawmage.play import enumerate_declarations
    from lawmage.play.words import declaration_in_words

    console = stdout()
    listed = []
    for declaration in enumerate_declarations(scenario, limit, seconds=seconds):
        listed.append(declaration)
        if not quiet:
            console.print(declaration_in_words(declaration, scenario.judge), markup=False, soft_wrap=True)
    return listed


def run_tests(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Scenario files, or folders of them.")],
    as_json: JsonFlag = False,
    release: ReleaseOption = None,
    time_limit: Seconds = 10.0,
) -> None:
    """Run scenario files that carry `expect`, and compare."""
    reports: list[dict[str, Any]] = []
    statuses: list[int] = []
    passed = failed = 0
    console = stdout()
    for file in _scenario_files(paths):
        try:
            results = list(_results(file, release, time_limit))
        except LawmageError as error:
            fail(str(error))
            reports.append({"file": str(file), "error": str(error), "expectations": []})
            statuses.append(BAD_INPUT)
            failed += 1
            continue
        wrong = [result for result in results if not result["pass"]]
        passed += len(results) - len(wrong)
        failed += len(wrong)
        statuses.append(NO if wrong else YES)
        reports.append({"file": str(file), "expectations": results})
        if not as_json:
            for result in wrong:
                console.print(
                    Text.assemble(("failed ", "bold red"), f"{file}: {result['name']} is {result['actual']}, not {result['expected']}")
                )
    if as_json:
        emit_json({"files": reports, "passed": passed, "failed": failed})
    else:
        console.print(f"{passed} passed, {failed} failed")
    raise typer.Exit(status_of(statuses))


def _results(file: Path, release: str | None, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield what a file expects, of decks or of a board, beside what is answered."""
    from lawmage.decks.cases import is_deck_case

    if not is_deck_case(file):
        yield from _expectations(_load(file, release), seconds)
        return
    from lawmage.decks.cases import load_deck_case, outcomes

    for name, expected, actual in outcomes(load_deck_case(file, release)):
        yield {"name": name, "expected": expected, "actual": actual, "pass": expected == actual}


def _expectations(scenario: Scenario, seconds: float) -> Iterator[dict[str, Any]]:
    from lawmage.play import judge
    from lawmage.play.expectation import compared

    if scenario.expect is None:
        raise InputError("has no `expect`, so there is nothing to test", file=scenario.file)
    answer = judge(scenario, seconds=seconds, checked=True)
    for one in compared(scenario.expect, answer):
        yield {"name": one.name, "expected": one.expected, "actual": one.actual, "pass": one.holds}


def _scenario_files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES)
        if not found:
            raise InputError(f"there are no scenario files ({', '.join(_SUFFIXES)}) in this folder", file=path)
        yield from found


def _load(file: Path, release: str | None) -> Scenario:
    from lawmage.scenario import load_scenario

    scenario = load_scenario(file)
    return scenario if release is None else replace(scenario, release=release)


# ---------------------------------------------------------------- what people see


def _print_answer(console: Console, scenario: Scenario, answer: Answer) -> None:
    from lawmage.play.explain import proposal_in_words

    heading = Text(scenario.title or scenario.file or "", style="bold")
    heading.append(f"  ({answer.file})" if scenario.title and answer.file else "", style="dim")
    console.print(heading)
    for name, verdict in answer.proposals.items():
        _print_verdict(console, name, proposal_in_words(scenario, name), verdict, answer.judge)
    for clash in dict.fromkeys(verdict.requirements.clash for verdict in answer.proposals.values()):
        if clash:
            console.print(Padding(Text(f"These cannot all hold together: {'; '.join(clash)}.", style="dim"), (0, 0, 0, 2)))
    if not answer.proposals:
        console.print("  nothing is proposed; `lawmage enumerate` lists what is legal", style="dim")
    if answer.count is not None:
        console.print("  ", end="")
        _print_count(console, answer.count)


def _print_count(console: Console, number: int) -> None:
    console.print(f"{number:,} legal declaration{'' if number == 1 else 's'}")


def _print_verdict(console: Console, name: str, proposed: str, verdict: ProposalVerdict, judged: str) -> None:
    from lawmage.play.words import declaration_in_words

    console.print(Text.assemble("  ", (name, "bold"), " ", (verdict.verdict, _STYLE[verdict.verdict]), f"  {proposed}"))
    for violation in verdict.violations:
        line = Text.assemble((violation.rule, "cyan"), " ", violation.message)
        console.print(Padding(line, (0, 0, 0, 6)))
    if verdict.nearest is not None and verdict.nearest != verdict.requirements.better:
        console.print(Padding(Text(f"nearest legal: {declaration_in_words(verdict.nearest, judged)}"), (0, 0, 0, 6)))
    if verdict.verdict == "legal" and verdict.requirements.maximum:
        obeyed, maximum = verdict.requirements.obeyed, verdict.requirements.maximum
        told = f"obeys {obeyed} requirement{'' if obeyed == 1 else 's'}; no free declaration obeys more than {maximum}"
        console.print(Padding(Text(told), (0, 0, 0, 6)))
    if isinstance(getattr(verdict, "total", None), str):
        told = f"costs {verdict.total} ({verdict.using})"  # type: ignore[attr-defined]
        console.print(Padding(Text(told), (0, 0, 0, 6)))
    for sentence in verdict.not_understood:
        console.print(Padding(Text.assemble(("not understood ", "yellow"), sentence), (0, 0, 0, 6)))
    for sentence in verdict.assumptions:
        console.print(Padding(Text(sentence, style="dim"), (0, 0, 0, 6)))
    if verdict.verdict == "undecided" and not verdict.not_understood:
        console.print(Padding(Text("the time limit was reached before every declaration could be excluded", style="yellow"), (0, 0, 0, 6)))
    if verdict.cites:
        console.print(Padding(Text(f"rules {', '.join(verdict.cites)}", style="dim"), (0, 0, 0, 6)))
