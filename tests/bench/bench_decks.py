"""How long judging decks, repairing them and pairing commanders takes, beside plain ways to do it.

    python tests/bench/bench_decks.py [DECKS]

DECKS random decks (default 1000) of the cards that come with lawmage are judged, in processor seconds of one core, the best of several
runs. `whole card file` is the same program with the facts of all cards for each deck; `plain Python` is the oracle of the tests, which
checks the same rules. A ratio over 1 means that lawmage is faster.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import clingo
from tests.bench.arguments import numbers
from tests.oracle.deck_lists import Shelf, deck_of, random_deck, resolved
from tests.oracle.decks import Listed, all_pairs, wrongs

from lawmage.cards.store import CardStore, shipped_file
from lawmage.decks.formats import load_format
from lawmage.decks.legality import Judge
from lawmage.decks.pairings import find_pairings
from lawmage.decks.repair import repair
from lawmage.play.program import statements
from lawmage.resources import data_folder

RUNS = 3


def best(action: Callable[[], Any], runs: int = RUNS) -> float:
    """Return the least processor seconds that `action` took."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def row(what: str, seconds: float, per: int, unit: str, base: float | None = None) -> None:
    """Print a line: how many a second, and how often that is what `base` (seconds for as many) makes."""
    rate = per / seconds
    ratio = "" if base is None else f"   {base / seconds:10,.1f}x"
    print(f"  {what:<44}{rate:14,.1f} {unit}/s{ratio}")


def judging(judge: Judge, decks: list[Listed], cards: list[Any]) -> None:
    """Compare ways to judge decks."""
    ready = [resolved(deck) for deck in decks]
    judge.judge(ready)
    ours = best(lambda: judge.judge(ready))
    single = best(lambda: [judge.judge([deck]) for deck in ready[:50]]) * len(ready) / 50
    plain = best(lambda: [wrongs(deck) for deck in decks])
    program = "\n".join(statements(data_folder("asp") / "entry" / "deck.lp"))
    vocabulary = judge.vocabulary
    everything = "\n".join(made.always + made.leading + vocabulary.fully(made) for made in map(vocabulary.of, cards))

    def whole_file() -> None:
        control = clingo.Control(logger=lambda *_: None)
        control.add("base", [], program + everything + judge.facts(ready[:1]))
        control.ground([("base", [])])
        control.solve()

    naive = best(whole_file, 1) * len(ready)
    print(f"judging {len(ready)} decks, {sum(verdict.verdict == 'illegal' for verdict in judge.judge(ready))} of them illegal")
    row("lawmage, many decks in one program", ours, len(ready), "decks", naive)
    row("lawmage, one deck at a time", single, len(ready), "decks", naive)
    row("clingo, whole card file for each deck", naive, len(ready), "decks", naive)
    row("plain Python", plain, len(ready), "decks", naive)
    print(f"  lawmage in {ours / plain:.1f} times the time of plain Python")


def pairing(judge: Judge, cards: list[Any]) -> None:
    """Compare ways to find all pairs."""
    allowed = [card for card in cards if "commander" in card.legalities]
    able = [card for card in allowed if judge.vocabulary.may_pair(card)]
    ours = best(lambda: find_pairings(able, judge).all())
    counted = best(lambda: find_pairings(able, judge).count())
    plain = best(lambda: all_pairs(allowed))
    legends = sum("legendary" in card.faces[0].supertypes for card in allowed)
    print(f"pairs of {legends} legendary cards: {find_pairings(able, judge).count()} by clingo, {len(all_pairs(able))} by plain Python")
    print(f"  clingo, all pairs with their rules, read out  {ours * 1000:8.1f} ms   {plain / ours:6.1f}x plain Python")
    print(f"  clingo, counted                               {counted * 1000:8.1f} ms")
    print(f"  plain Python, pair by pair                    {plain * 1000:8.1f} ms")
    found = best(lambda: [card for card in cards if judge.vocabulary.may_pair(card)], 2)
    print(f"  finding the cards that can be paired at all   {found * 1000:8.1f} ms of {len(cards)} cards")


def repairing(judge: Judge, shelf: Shelf, banned: frozenset[str]) -> None:
    """Repair decks with ten faults."""
    random = Random(10)
    times: list[float] = []
    while len(times) < 20:
        deck = deck_of(shelf, random, banned)
        if wrongs(deck) or len({color for card in deck.commanders for color in card.color_identity}) > 2:
            continue
        strange = [
            card
            for card in random.sample(shelf.legal, 400)
            if wrongs(Listed((card,), deck.commanders)) > wrongs(Listed((), deck.commanders))
        ]
        broken = resolved(Listed((*deck.main[10:], *strange[:10]), deck.commanders, deck.companions, banned=banned))
        start = time.process_time()
        found = repair(broken, judge)
        times.append(time.process_time() - start)
        assert found.proved
    times.sort()
    print(f"repair of a deck with ten faults: median {times[10] * 1000:.0f} ms, worst of 20 {times[-1] * 1000:.0f} ms, all proved smallest")


def cold() -> None:
    """Time the command on one deck in a fresh process."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("Commander\n1 Isamaru, Hound of Konda\n\nDeck\n99 Plains\n")
        file.flush()
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-m", "lawmage", "deck", file.name], check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - start)
    print(f"lawmage deck FILE, cold: {min(times):.2f} s")


def memory(judge: Judge, decks: list[Listed]) -> None:
    """Judge 10,000 decks and print how much memory that took on top."""
    ready = [resolved(deck) for deck in decks]
    judge.judge(ready)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for start in range(0, 10_000, 500):
        judge.judge([ready[(start + number) % len(ready)] for number in range(500)])
    print(f"10,000 more decks: {(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024:+.0f} MiB")


def main(number: int) -> None:
    """Print all figures."""
    with CardStore.open(shipped_file()) as store:
        cards = list(store.cards())
    judge = Judge()
    banned = frozenset(ban.card for ban in load_format("commander").bans if ban.role == "deck" and ban.holds(judge.release))
    shelf, random = Shelf.of(cards, banned), Random(1)
    decks = [deck_of(shelf, random, banned) for _ in range(number)]
    # as in real collections: a companion in one deck of twenty, slips in one of ten
    decks = [deck if place % 20 == 0 else replace(deck, companions=()) for place, deck in enumerate(decks)]
    decks = [random_deck(shelf, random, banned) if place % 10 == 5 else deck for place, deck in enumerate(decks)]
    judging(judge, decks, cards)
    pairing(judge, cards)
    repairing(judge, shelf, banned)
    memory(judge, decks)
    cold()


if __name__ == "__main__":
    main(*numbers(__doc__, decks=1000))
