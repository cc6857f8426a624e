"""Judging many files of decks: what is done is kept, so that an interrupted run goes on where it stopped.

While a run goes on, answers stand in a journal beside the results (`NAME.part`, a JSON document a line, one line a file). At its end the
results are written as a whole: JSON lines, CSV or Parquet, in the files' order. A file that the results or the journal have under the
same fingerprint is not judged again.
"""

from __future__ import annotations

import csv
import hashlib
import importlib
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from lawmage.csv_cells import guarded, unguarded
from lawmage.decks.answers import Answer, Question, answer_files, basis_of
from lawmage.decks.reading import LARGEST_FILE
from lawmage.decks.workers import in_processes, in_this_process, on_cluster
from lawmage.errors import InputError, LawmageError
from lawmage.places import is_folder, is_there

__all__ = ["COLUMNS", "RESULT_FORMS", "Summary", "files_in", "judge_corpus", "results_of"]

#: How many files are judged at once: so many decks share what it costs to start the solver.
_CHUNK = 64
#: The endings of results files.
RESULT_FORMS = (".jsonl", ".csv", ".parquet")
#: The columns of results as CSV and Parquet.
COLUMNS = (
    "file", "deck", "title", "format", "release", "ban_list", "verdict", "commanders", "companion", "companion_verdict", "color_identity",
    "cards", "rules", "violations", "game_changers", "error", "fingerprint",
)  # fmt: skip
_ROWS_AT_ONCE = 1000

#: A row of the results.
Row: TypeAlias = dict[str, Any]
#: A file's name, its fingerprint, and its bytes, or why they can't be read.
Task: TypeAlias = tuple[str, str, bytes | str]
#: A file's name, its fingerprint, and the answers on its decks.
Answered: TypeAlias = tuple[str, str, list[Answer]]


@dataclass(slots=True)
class Summary:
    """What a run came to.

    Attributes:
        files: how many files there are.
        kept: how many of them were judged before and are unchanged.
        verdicts: how many decks have each verdict; `error` for what could not be judged.
        rules: how many decks violate each rule.
    """

    files: int = 0
    kept: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, rows: Iterable[Row]) -> None:
        """Count the rows of a file."""
        self.files += 1
        for row in rows:
            self.verdicts[row.get("verdict") or "error"] += 1
            rules = row.get("rules") or [violation["rule"] for violation in row.get("violations") or () if isinstance(violation, dict)]
            self.rules.update(set(rules.split("; ") if isinstance(rules, str) else rules))

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"files": self.files, "kept": self.kept, "verdicts": dict(self.verdicts), "rules": dict(self.rules.most_common())}


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the regular files among `paths` and in the folders among them, each folder's in order; hidden ones in folders are left out.

    Raises:
        InputError: if a path doesn't exist.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if is_folder(path):
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                inside = (Path(folder) / name for name in sorted(names) if not name.startswith("."))
                found.update((file, None) for file in inside if file.is_file())
        elif is_there(path):
            found[path] = None
        else:
            raise InputError("can't be read (no such file or folder)", file=path)
    return list(found)


def judge_corpus(
    files: Sequence[Path],
    question: Question,
    output: Path,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    done: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Judge the decks of `files` and write the answers to `output`, whose ending says in which form.

    Args:
        files: what to judge; a file that is no deck gets an answer that says so.
        question: what is asked of every deck.
        output: the results file; what it has of files that are not among `files` is dropped.
        jobs: processes to use; 1 is this one.
        cluster: the address of a dask cluster, `local` for one on this machine.
        done: called with a number of files whenever so many are finished.

    Raises:
        InputError: if results can't be written, have another ending, or were left by something else.
        LawmageError: if the question can't be answered; see `answers.basis_of`.
    """
    if output.suffix not in RESULT_FORMS:
        raise InputError(f'ends in "{output.suffix}"; expected one of {", ".join(RESULT_FORMS)}', file=output)
    if output.suffix == ".parquet":
        _pyarrow()
    journal = output.with_name(output.name + ".part")
    own = {output.resolve(), journal.resolve()}
    named = {_name(file): file for file in files if not (file.name in {output.name, journal.name} and file.resolve() in own)}
    asked = basis_of(question)
    kept: set[str] = set()
    try:
        earlier = _start_journal(journal, output)
        with journal.open("a", encoding="utf-8", newline="\n") as opened:
            pending = _pending(named, asked, earlier, kept, done)
            for answered in _spread(_chunks(pending, len(named), jobs), question, jobs, cluster):
                opened.writelines(_line(name, fingerprint, _rows(answers, fingerprint, output)) for name, fingerprint, answers in answered)
                opened.flush()
                done(len(answered))
        summary = _write_results(named, output, journal)
        journal.unlink()
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror or error})", file=error.filename or output) from None
    summary.kept = len(kept)
    return summary


# ---------------------------------------------------------------- what there is to do


def _name(file: Path) -> str:
    """Return a file's name as text that can be written: what is no UTF-8 in it is escaped."""
    return str(file).encode("utf-8", "backslashreplace").decode()


def _pending(
    files: Mapping[str, Path], asked: str, earlier: Mapping[str, str], kept: set[str], done: Callable[[int], None]
) -> Iterator[Task]:
    """Yield the files that are new or changed, with what is in them; add the others to `kept`."""
    for name, file in files.items():
        content: bytes | str
        try:
            with file.open("rb") as opened:
                content = opened.read(LARGEST_FILE + 1)
        except OSError as error:
            content = f"can't be read ({error.strerror})"
        digest = hashlib.sha256(asked.encode())
        digest.update(content if isinstance(content, bytes) else content.encode())
        fingerprint = digest.hexdigest()[:32]
        if earlier.get(name) == fingerprint:
            kept.add(name)
            done(1)
        else:
            yield name, fingerprint, content


def _chunks(tasks: Iterator[Task], files: int, jobs: int) -> Iterator[list[Task]]:
    size = max(1, min(_CHUNK, files // (4 * jobs)))
    chunk: list[Task] = []
    for task in tasks:
        chunk.append(task)
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _spread(chunks: Iterator[list[Task]], question: Question, jobs: int, cluster: str | None) -> Iterator[list[Answered]]:
    work = partial(_answer_chunk, question=question)
    if cluster is not None:
        return on_cluster(chunks, work, _died, cluster, jobs)
    if jobs > 1:
        return in_processes(chunks, work, _died, jobs)
    return in_this_process(chunks, work)


def _answer_chunk(chunk: Sequence[Task], question: Question) -> list[Answered]:
    try:
        answers = answer_files([(name, content) for name, _, content in chunk], question)
    except LawmageError:
        raise
    except Exception as error:
        # A fault of ours with one deck is no reason to stop at it.
        if len(chunk) > 1:
            return [answered for task in chunk for answered in _answer_chunk([task], question)]
        answers = [
            [_failed(chunk[0][0], f"lawmage failed on it ({type(error).__name__}: {error}); please report this together with the file")]
        ]
    return [(name, fingerprint, answered) for (name, fingerprint, _), answered in zip(chunk, answers, strict=True)]


def _failed(name: str, why: str) -> Answer:
    return {"file": name, "error": f"{name}: {why}"}


def _died(task: Task) -> Answered:
    name, fingerprint, _ = task
    return name, fingerprint, [_failed(name, "the process that judged it ended without an answer")]


# ---------------------------------------------------------------- the journal


def _line(name: str, fingerprint: str, rows: list[Row]) -> str:
    return json.dumps([name, fingerprint, rows], ensure_ascii=False) + "\n"


def _start_journal(journal: Path, output: Path) -> dict[str, str]:
    """Make a journal of what an interrupted run and earlier results have; return the fingerprints of the files in it."""
    earlier: dict[str, str] = {}
    aside = journal.with_name(journal.name + ".new")
    with aside.open("w", encoding="utf-8", newline="\n") as opened:
        for _, name, fingerprint, rows in _journaled(journal):
            earlier[name] = fingerprint
            opened.write(_line(name, fingerprint, rows))
        for name, fingerprint, rows in _grouped(results_of(output) if output.exists() else ()):
            if name not in earlier:
                earlier[name] = fingerprint
                opened.write(_line(name, fingerprint, rows))
    aside.replace(journal)
    return earlier


def _journaled(journal: Path) -> Iterator[tuple[int, str, str, list[Row]]]:
    """Yield where each line of a journal starts, and what it says; a last line that was not finished is left out."""
    if journal.exists():
        place = 0
        with journal.open("rb") as opened:
            for line in opened:
                with suppress(ValueError, TypeError):
                    name, fingerprint, rows = json.loads(line)
                    if isinstance(name, str) and isinstance(fingerprint, str):
                        yield place, name, fingerprint, rows
                place += len(line)


def _grouped(rows: Iterable[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    """Gather the rows of each file, with its name and fingerprint; a file of which a row is missing is left out."""
    for name, group in itertools.groupby(rows, key=lambda row: row.get("file")):
        found = list(group)
        fingerprint, decks = found[0].get("fingerprint"), str(found[0].get("deck")).partition("/")[2]
        if isinstance(name, str) and isinstance(fingerprint, str) and decks == str(len(found)):
            yield name, fingerprint, found


# ---------------------------------------------------------------- the results


def _rows(answers: list[Answer], fingerprint: str, output: Path) -> list[Row]:
    """Return the rows of a file: answers as they are for JSON lines, else one value a column."""
    rows = [{**answer, "deck": f"{place}/{len(answers)}", "fingerprint": fingerprint} for place, answer in enumerate(answers, start=1)]
    return rows if output.suffix == ".jsonl" else [_flat(row) for row in rows]


def _flat(row: Row) -> Row:
    companion = row.get("companion") or {}
    violations = row.get("violations", [])
    flat = {name: row.get(name) for name in COLUMNS} | {
        "companion": companion.get("name"),
        "companion_verdict": companion.get("verdict"),
        "rules": [violation["rule"] for violation in violations],
        "violations": [violation["message"] for violation in violations],
    }
    return {name: _cell(value) for name, value in flat.items()}


def _cell(value: object) -> object:
    return "; ".join(map(str, dict.fromkeys(value))) if isinstance(value, list) else value


def results_of(output: Path) -> Iterator[Row]:
    """Yield the rows of a results file.

    Raises:
        InputError: if it is no results file of ours.
    """
    try:
        match output.suffix:
            case ".jsonl":
                with output.open("rb") as opened:
                    for line in opened:
                        with suppress(json.JSONDecodeError, UnicodeDecodeError):
                            yield dict(json.loads(line))
            case ".csv":
                with output.open(encoding="utf-8", newline="") as opened:
                    reader = csv.DictReader(opened)
                    if tuple(reader.fieldnames or COLUMNS) != COLUMNS:
                        raise InputError("is no results file of lawmage's; give another name, or move it away", file=output)
                    yield from ({name: unguarded(cell) for name, cell in row.items()} for row in reader)
            case _:
                for batch in _pyarrow().ParquetFile(output).iter_batches():
                    yield from batch.to_pylist()
    except (OSError, TypeError, ValueError, csv.Error) as error:
        raise InputError(f"is no results file of lawmage's ({error}); give another name, or move it away", file=output) from None


def _write_results(names: Collection[str], output: Path, journal: Path) -> Summary:
    """Write the results aside, in the files' order, and put them in place of earlier ones."""
    summary = Summary()
    places = {name: place for place, name, _, _ in _journaled(journal)}
    if not all(name in places for name in names):
        raise InputError("is being written by another run at the same time", file=output)
    aside = output.with_name(output.name + ".new")
    with journal.open("rb") as opened, _writer(aside, output.suffix) as write:
        for name in names:
            opened.seek(places[name])
            rows = json.loads(opened.readline())[2]
            summary.add(rows)
            write(rows)
    aside.replace(output)
    return summary


@contextmanager
def _writer(aside: Path, suffix: str) -> Iterator[Callable[[list[Row]], object]]:
    if suffix == ".parquet":
        pyarrow: Any = importlib.import_module("pyarrow")
        schema = pyarrow.schema([(name, pyarrow.int64() if name == "cards" else pyarrow.string()) for name in COLUMNS])
        with _pyarrow().ParquetWriter(aside, schema) as parquet:
            batch: list[Row] = []

            def write(rows: list[Row]) -> None:
                batch.extend(rows)
                if len(batch) >= _ROWS_AT_ONCE:
                    flush()

            def flush() -> None:
                parquet.write_table(pyarrow.Table.from_pylist(batch, schema))
                batch.clear()

            yield write
            flush()
        return
    with aside.open("w", encoding="utf-8", newline="") as opened:
        if suffix == ".csv":
            table = csv.DictWriter(opened, COLUMNS, lineterminator="\n")
            table.writeheader()
            yield lambda rows: table.writerows(
                {name: guarded(cell) if isinstance(cell, str) else cell for name, cell in row.items()} for row in rows
            )
        else:
            yield lambda rows: opened.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _pyarrow() -> Any:
    try:
        return importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise InputError("results as Parquet need pyarrow, which isn't installed; install it with: pip install 'lawmage[corpus]'") from None
