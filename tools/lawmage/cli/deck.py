"""`lawmage deck`: judging decks, one or many, and writing them in other forms."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawmage.answers.answered import Answered
from lawmage.cli._explanations import ExplainFlag, ExplainToOption, Explanations
from lawmage.cli._shared import JsonFlag, ReleaseOption, emit_json, fail, finish, status_of, stderr, stdout
from lawmage.errors import InputError
from lawmage.places import is_folder

if TYPE_CHECKING:
    from lawmage.decks.answers import Question

__all__ = ["register"]

_STDIN = "-"
_INTERRUPTED = 130

Files = Annotated[list[str], typer.Argument(metavar="FILE", help="Files of decks in any form, folders of them, or - for standard input.")]
FormatOption = Annotated[str, typer.Option("--format", metavar="NAME", help="The format, or a file that describes one.")]
CommanderOption = Annotated[list[str] | None, typer.Option("--commander", metavar="NAME", help="The commander; twice for two.")]
CompanionOption = Annotated[str | None, typer.Option("--companion", metavar="NAME", help="The companion.")]
BanListOption = Annotated[
    str | None,
    typer.Option("--ban-list", metavar="DATE", help="Use the ban list of this day (default: the newest known on the release's)."),
]
ToOption = Annotated[
    str | None,
    typer.Option(
        "--to", metavar="FORM", help="Write the deck as moxfield, arena, mtgo, cockatrice, forge, xmage or csv, and don't judge it."
    ),
]
RepairOption = Annotated[
    bool | None,
    typer.Option("--repair/--no-repair", help="Look for a smallest repair of each illegal deck (default: unless there are many)."),
]
JobsOption = Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=1024, help="Judge in so many processes.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", readable=False, help="Keep the answers in a .jsonl, .csv or .parquet file; run again to go on."
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help='Judge on a dask cluster; "local" starts one here with --jobs workers.'),
]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("deck", epilog="Example: lawmage deck examples/deck.txt")(deck)


def deck(
    files: Files,
    format: FormatOption = "commander",
    commander: CommanderOption = None,
    companion: CompanionOption = None,
    release: ReleaseOption = None,
    ban_list: BanListOption = None,
    repair: RepairOption = None,
    to: ToOption = None,
    output: OutputOption = None,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    explain: ExplainFlag = False,
    explain_to: ExplainToOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge decks: every violation with its rule, and a smallest repair; or write them in another form."""
    if to is not None:
        _write(files, to, as_json=as_json)
        return
    from lawmage.decks.answers import Question

    many = (
        output is not None
        or cluster is not None
        or (jobs > 1 and len(files) > 1)
        or any(name != _STDIN and is_folder(name) for name in files)
    )
    wanted = not many if repair is None else repair
    question = Question(format, release, ban_list, tuple(commander or ()), companion, wanted)
    explanations = Explanations(wanted=explain, file=explain_to)
    if many and explanations:
        raise InputError("decks are explained one by one; leave out --jobs, --output and --cluster, and name files rather than folders")
    if many:
        _judge_many(files, question, output, jobs, cluster, as_json=as_json)
    else:
        _judge_few(files, question, explanations, as_json=as_json)


def _judge_few(files: list[str], question: Question, explanations: Explanations, *, as_json: bool) -> None:
    from lawmage.answers.decks import STATUS, answers_on, argument, explained
    from lawmage.cli._deck_words import print_deck
    from lawmage.decks.reading import load_decks

    answers: list[dict[str, Any]] = []
    for file in files:
        for answer in answers_on(file, partial(load_decks, file), question):
            answers.append(answer)
            if "error" in answer:
                fail(answer["error"])
                continue
            if explanations:
                why = argument(answer, question)
                explanations.add(next(iter(why)), answer["release"], why)
                answers[-1] = explained(answer, why)
            if not as_json:
                print_deck(stdout(), answer)
                if explanations.wanted:
                    explanations.print(stdout())
    explanations.write()
    finish(Answered({"decks": answers}, status_of(STATUS[answer.get("verdict", "error")] for answer in answers)), as_json=as_json)


def _write(files: list[str], form: str, *, as_json: bool) -> None:
    from lawmage.answers.decks import written
    from lawmage.decks.reading import load_decks

    answered = written([deck for file in files for deck in load_decks(file)], form)
    if as_json:
        finish(answered)
    if left_out := answered.document["left_out"]:
        sections = ", ".join(f"{count} of {section}" for section, count in left_out.items())
        stderr().print(f"left out, as {form} has no place for it: {sections}", markup=False, soft_wrap=True)
    sys.stdout.write(answered.document["text"])


# ---------------------------------------------------------------- many decks


def _judge_many(files: list[str], question: Question, output: Path | None, jobs: int, cluster: str | None, *, as_json: bool) -> None:
    from lawmage.answers.decks import STATUS
    from lawmage.cli._deck_words import print_others, print_summary
    from lawmage.decks.corpus import files_in, judge_corpus, results_of

    if _STDIN in files:
        raise InputError("standard input is one deck; leave out --jobs, --output and --cluster")
    found = files_in(Path(name) for name in files)
    with _results_file(output) as results:
        try:
            with _progress(len(found)) as done:
                summary = judge_corpus(found, question, results, jobs=jobs, cluster=cluster, done=done)
        except KeyboardInterrupt:
            kept = f"; the same command goes on from {output}.part" if output else ""
            fail(f"interrupted{kept}")
            raise typer.Exit(_INTERRUPTED) from None
        if as_json:
            emit_json({"decks": list(results_of(results)), "output": str(output) if output else None, **summary.as_json()})
        else:
            if output is None:
                print_others(stdout(), results_of(results))
            print_summary(stdout(), summary.as_json())
    raise typer.Exit(status_of(STATUS[verdict] for verdict in summary.verdicts))


@contextmanager
def _results_file(output: Path | None) -> Iterator[Path]:
    if output is not None:
        yield output
        return
    with tempfile.TemporaryDirectory(prefix="lawmage-") as folder:
        yield Path(folder) / "results.jsonl"


@contextmanager
def _progress(files: int) -> Iterator[Any]:
    """Show a progress bar on a terminal; yield a function that moves it on."""
    console = stderr()
    if not console.is_terminal:
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(TextColumn("Judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console) as progress:
        task = progress.add_task("Judging", total=files)
        yield lambda count: progress.advance(task, count)
