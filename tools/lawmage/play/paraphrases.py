"""What rules say in our own few words, and on which occasions an explanation brings them in: from kb/explanations.ttl and kb/keywords/."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from lawmage.play.knowledge import loaded, open_store, rows_of
from lawmage.resources import data_folders

__all__ = ["Paraphrases", "Stated", "paraphrases"]


@dataclass(frozen=True, slots=True)
class Stated:
    """Something that a rule states about a keyword: the rule, what it says, and what sorts of statement that is (`Definition`, ...)."""

    rule: str
    gist: str
    sorts: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Paraphrases:
    """Rules in a few words, in the numbering of the encoded release.

    Attributes:
        gists: what each rule says.
        occasions: the rules that are named on each occasion (see kb/explanations.ttl).
        keywords: what the rules of each keyword state.
    """

    gists: Mapping[str, str]
    occasions: Mapping[str, tuple[str, ...]]
    keywords: Mapping[str, tuple[Stated, ...]]


def paraphrases() -> Paraphrases:
    """Return what the installed kb/ says of rules; read once for each folder.

    Raises:
        DataError: if a file is missing or is not Turtle.
    """
    return _load(*data_folders("kb", "queries"))


@lru_cache(maxsize=8)
def _load(kb: Path, queries: Path) -> Paraphrases:
    gists: dict[str, str] = {}
    occasions: defaultdict[str, dict[str, None]] = defaultdict(dict)
    sorts: defaultdict[str, defaultdict[tuple[str, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    query = queries / "compile" / "explanations.rq"
    for row in chain.from_iterable(rows_of(store, query) for store in (loaded(kb / "explanations.ttl"), open_store(kb))):
        rule, gist = row["rule"], row["gist"]
        if row["keyword"]:
            sorts[row["keyword"]][rule, gist].add(row["class"].rpartition(":")[2])
        elif gist:
            gists[rule] = gist
        if row["wherever"]:
            occasions[row["wherever"]][rule] = None
    keywords = {
        keyword: tuple(Stated(rule, gist, frozenset(of_rule)) for (rule, gist), of_rule in stated.items())
        for keyword, stated in sorts.items()
    }
    for stated in keywords.values():
        for one in stated:
            gists.setdefault(one.rule, one.gist)
    return Paraphrases(gists, {occasion: tuple(rules) for occasion, rules in occasions.items()}, keywords)
