"""From the verdict on a deck to sentences that a judge would say: what is wrong, and every provision of the format that is kept."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawmage.decks.formats import Format, Provision
from lawmage.play.dated import in_numbering_of
from lawmage.play.explain import Rulings, Step
from lawmage.play.knowledge import knowledge, loaded, rows_of
from lawmage.resources import data_folder

__all__ = ["explain_deck"]

_MOST_CARDS = 12
#: What a comment of kb/ says of the properties that it speaks of.
_PROPERTIES = re.compile(r" \(lm:[^()]*\)")


def explain_deck(answer: Mapping[str, Any], format: Format) -> Step:
    """Return the argument for the answer on a deck (see `lawmage.decks.answers`), which was judged in `format`.

    Raises:
        DataError: if kb/explanations.ttl is missing or damaged.
    """
    return _Deck(answer, format).step()


@lru_cache(maxsize=8)
def _kinds(kb: Path, queries: Path) -> Mapping[str, str]:
    rows = rows_of(loaded(kb / "formats" / "vocabulary.ttl"), queries / "compile" / "provisions.rq")
    return {row["term"]: row["comment"] for row in rows}


class _Deck:
    def __init__(self, answer: Mapping[str, Any], format: Format) -> None:
        self.answer = answer
        self.format = format
        self.rulings = Rulings(answer["release"])

    def step(self) -> Step:
        verdict = self.answer["verdict"]
        violations: Sequence[Mapping[str, Any]] = self.answer["violations"]
        children = [self._violation(violation) for violation in violations]
        children += [Step(None, f"Not known: {text}") for text in self.answer["not_understood"]]
        children += self._provisions({violation["rule"] for violation in violations})
        cards, format = self.answer["cards"], self.format.label
        led = " and ".join(self.answer["commanders"])
        said = f"{self.answer['title'] or self.answer['file']} is {verdict} in {format}: {cards:,} cards{f', led by {led}' if led else ''}."
        return Step(None, said, None, tuple(children))

    def _violation(self, violation: Mapping[str, Any]) -> Step:
        rule = violation["rule"]
        said = violation["message"].rstrip(".") + "."
        cards = [card for card in violation["cards"] if card not in said][:_MOST_CARDS]
        said += f" ({', '.join(cards)})" if cards else ""
        if not rule[:1].isdigit():
            return Step(None, f"{rule[:1].upper()}{rule[1:]}: {said}")
        return self.rulings.step(self.rulings.encoded(rule), said)

    def _provisions(self, broken: set[str]) -> Iterator[Step]:
        """Yield a step on each rule of the format: what it asks, and that it is kept."""
        by_rule: defaultdict[str, list[Provision]] = defaultdict(list)
        for provision in self.format.provided(self.answer["release"]):
            by_rule[provision.rule].append(provision)
        for rule, provisions in by_rule.items():
            if not rule[:1].isdigit() or not any(map(self._matters, provisions)):
                continue
            kinds = _kinds(data_folder("kb"), data_folder("queries"))
            said = dict.fromkeys(_said(kinds[provision.kind], provision) for provision in provisions if provision.kind in kinds)
            number = in_numbering_of(self.rulings.release, rule, knowledge())
            kept = "" if number in broken else " This is kept."
            children = [step for provision in provisions for step in self._stated(provision)]
            yield self.rulings.step(rule, " ".join(said) + kept, children, [provision.kind for provision in provisions])

    def _matters(self, provision: Provision) -> bool:
        """Return whether a provision bears on this deck: those on pairs of commanders and on companions only where there are such."""
        if not provision.keyword:
            return True
        if provision.kind == "pairing":
            return len(self.answer["commanders"]) > 1
        return self.answer["companion"] is not None

    def _stated(self, provision: Provision) -> Iterator[Step]:
        """Yield what the rules of the keyword say that a provision is about."""
        if provision.keyword and self._matters(provision):
            for stated in self.rulings.said.keywords.get(provision.keyword, ()):
                if stated.rule not in self.rulings.named:
                    yield self.rulings.step(stated.rule, f"{provision.keyword}: {stated.gist}.")


def _said(comment: str, provision: Provision) -> str:
    """Return what a provision asks, with its number and its cards in place of those that its kind leaves open."""
    said = _PROPERTIES.sub("", comment)
    if provision.keyword:
        said = said.replace("the keyword", provision.keyword)
    if provision.number is not None:
        said = said.replace("so many cards", "1 card") if provision.number == 1 else said
        said = said.replace("so many", f"{provision.number:,}")
    if provision.called:
        said = said.replace("The subject", f"{provision.called[:1].upper()}{provision.called[1:]}").replace("the subject", provision.called)
    return said
