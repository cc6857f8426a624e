"""How long cards by name take: finding and suggesting beside a plain dictionary, and cold commands with and without cards.

    python tests/bench/bench_names.py

It uses the facts that come with lawmage. Figures are the best of several runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.arguments import numbers

from lawmage.cards.names import find, suggestions
from lawmage.cards.store import CardStore, shipped_file
from lawmage.scenario import scenario_from

NAMES = (
    *("Grizzly Bears", "Serra Angel", "Giant Spider", "Llanowar Elves", "Hill Giant"),
    *("Wall of Omens", "Silent Arbiter", "Palace Guard", "Juggernaut", "Craw Wurm"),
)


def best(call: Callable[[], object], runs: int = 5) -> float:
    """Return the shortest of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def line(what: str, seconds: float, beside: float | None = None) -> None:
    """Print one figure, and how many times `beside` it is."""
    print(f"{what:<64}{seconds * 1000:>10.2f} ms" + ("" if beside is None else f"{seconds / beside:>8.1f}x"))


def cold(*words: str) -> float:
    """Return how long a command takes in a process of its own."""
    command = [sys.executable, "-m", "lawmage", *words]
    return best(lambda: subprocess.run(command, capture_output=True, check=False))


def board(of: Callable[[int], str]) -> str:
    """Return a scenario with ten objects."""
    objects = "".join(f"  x{number}: {{controller: {'AD'[number % 2]}, {of(number)}}}\n" for number in range(10))
    return f"battlefield:\n{objects}attack: {{x0: D}}\npropose: {{p1: {{}}, p2: {{x1: x0}}}}\n"


def main() -> None:
    """Print the figures."""
    numbers(__doc__)
    with CardStore.open(shipped_file()) as store:
        exact = {card.name: card for card in store.cards()}
        line("a name in a dictionary", best(lambda: [exact[name] for name in NAMES]) / len(NAMES))
    with CardStore.open(shipped_file()) as store:
        line(f"a name among {store.count:,}, found the first time", best(lambda: find(store, "Colossal Dreadmaw"), 1))
        line("the same, found again", best(lambda: find(store, "Colossal Dreadmaw")))
        line("suggestions for a misspelt name", best(lambda: suggestions(store, "Collosal Dredmaw")))
        keys = {f"x{number}": {"controller": "A", "card": name} for number, name in enumerate(NAMES)}
        line("a scenario of ten cards, read", best(lambda: scenario_from({"battlefield": keys}, cards=store)))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LAWMAGE_HOME"] = folder
        plain, named = Path(folder) / "plain.yaml", Path(folder) / "named.yaml"
        plain.write_text(board(lambda _: "pt: 2/2, text: This creature can't block alone."), encoding="utf-8")
        named.write_text(board(lambda number: f"card: {NAMES[number]}"), encoding="utf-8")
        beside = cold("check", str(plain))
        line("cold: check, ten objects with a text", beside)
        line("cold: check, ten cards", cold("check", str(named)), beside)
        line("cold: keyword menace", keyword := cold("keyword", "menace"))
        line("cold: card Serra Angel", cold("card", "Serra Angel"), keyword)
        line("cold: card Sera Angle (misspelt)", cold("card", "Sera Angle"), keyword)


if __name__ == "__main__":
    main()
