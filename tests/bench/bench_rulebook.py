"""How long the rulebook takes: importing a release beside reading and splitting its file, all releases with lineage, cold commands.

    python tests/bench/bench_rulebook.py

It needs the official texts in ../shared/data/rules beside the checkout. Figures are the best of several runs in this process.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers

from lawmage.rulebook.lineage import compare_all
from lawmage.rulebook.parse import read
from lawmage.rulebook.references import find_references

TEXTS = sorted((Path(__file__).resolve().parents[3] / "shared" / "data" / "rules").glob("*.txt"))
LINES = re.compile(r"\r\n|\r|\n")


def best(call: Callable[[], object], runs: int = 7) -> float:
    """Return the shortest of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the figures."""
    numbers(__doc__)
    if not TEXTS:
        sys.exit("the official texts are not beside this checkout (../shared/data/rules)")
    newest = TEXTS[-1]
    plain = best(lambda: LINES.split(newest.read_text(encoding="utf-8-sig")))
    decoded = best(lambda: LINES.split(newest.read_bytes().decode("utf-8-sig")))
    parsed = best(lambda: find_references(read(newest)))
    print(f"{'one release, read as text and split by one expression':<60}{plain * 1000:>10.1f} ms")
    print(f"{'one release, read as bytes, decoded and split':<60}{decoded * 1000:>10.1f} ms")
    print(f"{'the same, parsed with references':<60}{parsed * 1000:>10.1f} ms{parsed / plain:>8.1f}x{parsed / decoded:>8.1f}x")
    tracemalloc.start()
    find_references(read(newest))
    print(f"{'peak memory of that':<60}{tracemalloc.get_traced_memory()[1] / 2**20:>10.1f} MiB")
    tracemalloc.stop()
    start = time.perf_counter()
    books = sorted((read(text) for text in TEXTS), key=lambda book: book.release)
    for _ in compare_all(books):
        pass
    print(f"{f'all {len(books)} releases, parsed and compared one after another':<60}{time.perf_counter() - start:>10.1f} s")
    for words in (["deps", "702.2", "--transitive"], ["rule", "702.2c"], ["path", "702.2", "510.1"]):
        command = [sys.executable, "-m", "lawmage", *words]
        taken = best(lambda command=command: subprocess.run(command, capture_output=True, check=True), 5)  # type: ignore[misc]
        print(f"{'cold: lawmage ' + ' '.join(words):<60}{taken * 1000:>10.1f} ms")


if __name__ == "__main__":
    main()
