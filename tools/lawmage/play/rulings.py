"""Steps of arguments, each with the rule that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from lawmage.play.dated import in_numbering_of
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.paraphrases import Paraphrases, paraphrases

__all__ = ["Rulings", "Step", "quoted_from", "sentence_of"]


class Step(NamedTuple):
    """One step of an argument.

    Attributes:
        rule: the rule that it rests on, in the numbering of the release; None where no rule but the board says so.
        sentence: what a judge would say.
        quote: the rule's text, where it is installed and asked for.
        children: the steps that it follows from.
    """

    rule: str | None
    sentence: str
    quote: str | None = None
    children: tuple[Step, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"rule": self.rule, "sentence": self.sentence, "quote": self.quote, "children": [child.as_json() for child in self.children]}

    def walk(self) -> Iterator[Step]:
        """Yield this step and all under it, in the order of reading."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are named, each once, in the order of reading."""
        return tuple(dict.fromkeys(step.rule for step in self.walk() if step.rule is not None))


def quoted_from(step: Step, text_of: Callable[[str], str], quoted: set[str] | None = None) -> Step:
    """Return the tree with the text of each rule where it is named first.

    Args:
        step: the tree.
        text_of: gives the text of a rule, an empty one for a rule that it does not have.
        quoted: the rules that have been quoted before; those that are quoted here are added.
    """
    done = set() if quoted is None else quoted
    quote = None
    if step.rule is not None and step.rule not in done:
        done.add(step.rule)
        quote = text_of(step.rule) or None
    return step._replace(quote=quote, children=tuple(quoted_from(child, text_of, done) for child in step.children))


@lru_cache(maxsize=4)
def _encoded_numbers(release: str) -> Mapping[str, str]:
    """Return the number in the encoded release of each rule that is paraphrased, by that in `release`."""
    known = knowledge()
    return {in_numbering_of(release, rule, known): rule for rule in paraphrases().gists}


class Rulings:
    """Steps on rules of one release, each with the rules that come in with it the first time.

    Attributes:
        said: what is said of rules, and when.
        named: the rules, in the encoded numbering, that the argument names so far.
    """

    def __init__(self, release: str, known: Knowledge | None = None) -> None:
        self.release = release
        self.known: Knowledge = known or knowledge()
        self.said = paraphrases()
        self.named: set[str] = set()

    def number(self, rule: str) -> str:
        """Return the number in the release of a rule of the encoded release."""
        return rule if self.release == self.known.release else in_numbering_of(self.release, rule, self.known)

    def encoded(self, rule: str) -> str:
        """Return the number in the encoded release of a rule of the release, if it is known there."""
        return rule if self.release == self.known.release else _encoded_numbers(self.release).get(rule, rule)

    def step(self, rule: str, sentence: str = "", children: Iterable[Step] = (), occasions: Iterable[str] = ()) -> Step:
        """Return a step on a rule (in the encoded numbering), with the rules that come in with it and on `occasions`."""
        self.named.add(rule)
        under = [*children]
        if rule in self.said.occasions:
            under += self.brought_in([rule])
        if occasions:
            under += self.brought_in(occasions)
        return Step(self.number(rule), sentence or self.gist(rule), None, tuple(under))

    def gist(self, rule: str) -> str:
        """Return what a rule says, as a sentence."""
        return _gist(rule, self.said)

    def brought_in(self, occasions: Iterable[str]) -> Iterator[Step]:
        """Yield steps on the rules that are named on any of `occasions` and that the argument does not name yet."""
        for occasion in occasions:
            for rule in self.said.occasions.get(occasion, ()):
                if rule not in self.named:
                    yield self.step(rule)


@lru_cache(maxsize=4096)
def _gist(rule: str, said: Paraphrases) -> str:
    gist = said.gists.get(rule, "this rule applies")
    return sentence_of(gist[:1].upper() + gist[1:])


def sentence_of(words: str) -> str:
    """Return `words` as a sentence. Its first letter stays as it is: it may be that of an object's name."""
    return words if words.endswith((".", ":", '."')) else f"{words}."
