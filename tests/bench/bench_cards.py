"""How long cards take: importing all of them with what their texts state, beside decoding the file alone; finding them; cold commands.

    python tests/bench/bench_cards.py

It needs the card files in ../shared/data/cards beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lawmage.cards.importing import import_cards
from lawmage.cards.store import CardStore, shipped_file

CARDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "cards"
SOURCES = ("AtomicCards.json.xz", "oracle-cards.json.xz")
PROCESSES = 2


def line(what: str, value: float, unit: str) -> None:
    """Print a figure."""
    print(f"{what:<60}{value:>10,.1f} {unit}", flush=True)


def import_all(source: str) -> None:
    """Import a file, and print how long that took and how much memory."""
    with tempfile.TemporaryDirectory() as folder:
        before, start = os.times(), time.perf_counter()
        report = import_cards(CARDS / source, target=Path(folder) / "cards.sqlite", processes=PROCESSES)
        taken, after = time.perf_counter() - start, os.times()
    used = sum(after[:4]) - sum(before[:4])
    line(f"{report.source}: {report.cards:,} cards, by {PROCESSES} processes beside this one", taken, "s")
    line("  processor time of all of them", used, "s")
    own, largest = (resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    line(f"  memory: this process {own:.0f}, each other {largest:.0f}, together", own + PROCESSES * largest, "MiB")


def find_some(path: Path) -> None:
    """Open a store, and find a hundred of its cards by name."""
    start = time.perf_counter()
    with CardStore.open(path) as store:
        opened = time.perf_counter()
        keys = list(store.keys())
        listed = time.perf_counter()
        for key in random.Random(0).sample(keys, 100):
            store.card(store.by_key(key)[0][0])
        found = time.perf_counter()
    line("open the shipped facts", (opened - start) * 1000, "ms")
    line(f"  list all {len(keys):,} names", (listed - opened) * 1000, "ms")
    line("  find a hundred cards by name", (found - listed) * 1000, "ms")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", choices=SOURCES, help="only import this file")
    only = parser.parse_args().file
    if not CARDS.is_dir():
        sys.exit("the card files are not beside this checkout (../shared/data/cards)")
    if only:
        import_all(only)
        return
    for source in SOURCES:
        # by itself, so that its memory is its own
        subprocess.run([sys.executable, __file__, source], check=True)
        start = time.perf_counter()
        json.loads(lzma.decompress((CARDS / source).read_bytes()))
        line("  beside it: only unpacking and decoding the file", time.perf_counter() - start, "s")
    line("the shipped facts", shipped_file().stat().st_size / 10**6, "MB")
    find_some(shipped_file())
    start = time.perf_counter()
    with CardStore.open(shipped_file()) as store:
        count = sum(1 for _ in store.cards())
    line(f"read all {count:,} of them", time.perf_counter() - start, "s")
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "lawmage", "data", "status"], capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    line("cold: lawmage data status", min(times) * 1000, "ms")


if __name__ == "__main__":
    main()
