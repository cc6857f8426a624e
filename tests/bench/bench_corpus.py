"""Decks: a cold command, and runs over many: how many a second, and how much memory a process gains from the first decks to the last.

    python tests/bench/bench_corpus.py [decks=10000] [jobs=2]

It needs the decks in ../shared/data/decks beside the checkout; they are repeated until there are enough. Cards are those in use.
"""

from __future__ import annotations

import multiprocessing
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers

from lawmage.decks.answers import Question
from lawmage.decks.corpus import files_in, judge_corpus

DECKS = Path(__file__).resolve().parents[3] / "shared" / "data" / "decks"
MIB = 2**20


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes; 0 if it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0)


def timed(command: list[str]) -> float:
    """Return how long a command takes, in seconds."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


class Memory:
    """Samples the memory of the child processes while a run goes on."""

    def __init__(self) -> None:
        self.samples: dict[int, list[tuple[float, int]]] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._stop.wait(0.2):
            for child in multiprocessing.active_children():
                if child.pid and (size := resident(child.pid)):
                    self.samples.setdefault(child.pid, []).append((time.perf_counter(), size))


def main() -> None:
    """Print the figures."""
    wanted, jobs = numbers(__doc__, decks=10_000, jobs=2)
    if not DECKS.is_dir():
        sys.exit("the decks are not beside this checkout (../shared/data/decks)")
    one = DECKS / "moxfield_style_txt" / "40k-forces-of-the-imperium.txt"
    cold = min(timed([sys.executable, "-m", "lawmage", "deck", str(one)]) for _ in range(7))
    print(f"cold `lawmage deck` of a legal deck: {cold:.2f} s")
    with tempfile.TemporaryDirectory() as scratch:
        originals = [file for file in files_in([DECKS]) if file.suffix != ".json"]
        corpus = Path(scratch) / "decks"
        corpus.mkdir()
        for number in range(wanted):
            original = originals[number % len(originals)]
            shutil.copyfile(original, corpus / f"{number:06}{original.suffix}")
        done: list[tuple[float, int]] = []
        with Memory() as memory:
            start = time.perf_counter()
            summary = judge_corpus(
                files_in([corpus]),
                Question(),
                Path(scratch) / "results.jsonl",
                jobs=jobs,
                done=lambda count: done.append((time.perf_counter(), count)),
            )
            seconds = time.perf_counter() - start
        # What every deck needs is loaded, and each of the originals was seen, when the originals have been judged twice.
        judged, settled = 0, start
        for when, count in done:
            judged += count
            if judged <= 2 * len(originals):
                settled = when
    print(f"{wanted:,} decks ({len(originals)} different) in {jobs} processes: {seconds:.1f} s, {wanted / seconds:,.0f} decks a second")
    print(f"verdicts: {dict(summary.verdicts)}")
    for pid, samples in memory.samples.items():
        before = max((size for when, size in samples if when <= settled), default=0)
        most = max(size for _, size in samples)
        print(f"process {pid}: {most / MIB:.0f} MiB at most, {(most - before) / MIB:+.0f} MiB after the first {2 * len(originals)} decks")


if __name__ == "__main__":
    main()
