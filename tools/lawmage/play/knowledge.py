"""What kb/ says about keywords and the constraint vocabulary, read once through the queries in queries/compile/."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import pyoxigraph

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.errors import DataError
from lawmage.resources import data_folder, data_folders
from lawmage.text.forms import KeywordForms
from lawmage.text.play_keywords import PlayKeywords

__all__ = [
    "Breach",
    "Dated",
    "KeywordFacts",
    "KeywordTrigger",
    "Kind",
    "Knowledge",
    "TestKind",
    "deck_statements",
    "knowledge",
    "load",
    "loaded",
    "open_store",
    "rows_of",
    "supposing",
]

_XSD = "http://www.w3.org/2001/XMLSchema#"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of constraint: its group (`restriction`, `requirement`, ...), the declarations it bears on, the rule that gives it force.

    `label` is what it does in a few words; `says` is the sentence for a disobeyed one; `layer` is that of a change (613.1), else 0.
    `price` is what it does to the price of a spell (`more`, `less` or nothing), `forbids` the kind of plays that it forbids. A change
    may give the keyword that is its value; what limits attachment may name players. `for_each` is what a cost is paid for each of:
    `counters`, `cards in hand` or nothing that has to be counted in advance.
    """

    term: str
    group: str
    judges: frozenset[str]
    by: str
    says: str
    layer: int
    label: str = ""
    price: str = ""
    forbids: str = ""
    gives_keyword: bool = False
    names_players: bool = False
    for_each: str = ""


@dataclass(frozen=True, slots=True)
class TestKind:
    """A kind of test: whom it compares with (`own`, `source` or nothing) and in which layer its answer can change (0: in none)."""

    term: str
    asks: str
    layer: int


@dataclass(frozen=True, slots=True)
class Breach:
    """A way to disobey a rule of the game itself: the rule, the sentence, and whether it is told with the requirements that are counted."""

    term: str
    by: str
    says: str
    counted: bool = False


@dataclass(frozen=True, slots=True)
class KeywordFacts:
    """A keyword: its rule, its written forms (lower case, with slots), what it imposes, and how instances and counters count."""

    name: str
    rule: str
    forms: tuple[str, ...]
    redundant: bool
    counter: bool
    imposes: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class KeywordTrigger:
    """An event (its word in asp/) that a keyword's triggered ability waits for, and the rules that say so.

    `stacking` is the rule on several instances, empty where there is none.
    """

    keyword: str
    event: str
    rule: str
    stacking: str


@dataclass(frozen=True, slots=True)
class Dated:
    """Something that the rules did not always have: `since` and `until` are its first and last release, empty where unlimited.

    `sort` is `judgement` (a kind of judging that kb/ and asp/ encode for those releases), `rule` (`word` is its name in asp/),
    `keyword`, `type`, `counter`, `designation`, `symbol`, or `place` (what the rule `word` says stood in the rule `rule`).
    `comment` says in a sentence what it is, where its name does not.
    """

    sort: str
    word: str
    rule: str
    since: str
    until: str
    comment: str = ""

    def holds(self, release: str) -> bool:
        """Return whether the rules of `release` have it."""
        return self.since <= release and not (self.until and release > self.until)


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Everything the judges need from kb/. One that was read is equal to itself alone.

    `release` is the release (an ISO date) that it encodes; `designations` has what each designation (`goaded`) imposes; `unfollowed` has
    the keywords that change combat as creatures are declared in ways that are not worked out; `dated` has what other releases differ in;
    `plays` has what keywords have to do with plays.
    """

    release: str
    kinds: Mapping[str, Kind]
    tests: Mapping[str, TestKind]
    breaches: Mapping[str, Breach]
    keywords: Mapping[str, KeywordFacts]
    designations: Mapping[str, tuple[Constraint, ...]]
    triggers: tuple[KeywordTrigger, ...]
    unfollowed: frozenset[str]
    dated: tuple[Dated, ...]
    plays: PlayKeywords = field(default_factory=PlayKeywords)

    @cached_property
    def forms(self) -> KeywordForms:
        """The written forms of all keywords, and what they have to do with plays, for `lawmage.text`."""
        return KeywordForms({name: keyword.forms for name, keyword in self.keywords.items()}, self.plays)

    def imposed_by(self, designation: str) -> tuple[Constraint, ...]:
        """Return what a designation imposes, written in any case; nothing for other words."""
        return self._designations.get(designation.casefold(), ())

    @cached_property
    def _designations(self) -> Mapping[str, tuple[Constraint, ...]]:
        return {word.casefold(): imposed for word, imposed in self.designations.items()}


#: What is taken as known in place of what the installed kb/ says.
_SUPPOSED: ContextVar[Knowledge | None] = ContextVar("supposed", default=None)


def knowledge() -> Knowledge:
    """Return what the installed kb/ says; read once for each folder."""
    return _SUPPOSED.get() or load(*data_folders("kb", "queries"))


@contextmanager
def supposing(known: Knowledge) -> Iterator[None]:
    """Let `knowledge` return `known` in the block: to ask what would be if the rules were otherwise."""
    token = _SUPPOSED.set(known)
    try:
        yield
    finally:
        _SUPPOSED.reset(token)


@lru_cache(maxsize=8)
def load(kb: Path, queries: Path) -> Knowledge:
    """Read the vocabulary and the keywords of the folder `kb` through `queries`/compile.

    Raises:
        DataError: if a file is missing or is not Turtle.
    """
    store = open_store(kb)
    names = ["release", "vocabulary", "tests", "breaches", "keywords", "designations", "dated"]
    names += ["keyword-constraints", "keyword-triggers", "unfollowed", "play-keywords"]
    rows = {name: list(rows_of(store, queries / "compile" / f"{name}.rq")) for name in names}
    return Knowledge(
        release=rows["release"][0]["release"],
        kinds=_kinds(rows["vocabulary"]),
        tests={row["term"]: TestKind(row["term"], row["asks"] or "", row["layer"] or 0) for row in rows["tests"]},
        breaches={row["term"]: Breach(row["term"], row["by"], row["says"], bool(row["counted"])) for row in rows["breaches"]},
        keywords=_keywords(rows["keywords"], rows["keyword-constraints"]),
        designations=_designations(rows["designations"], rows["keyword-constraints"]),
        triggers=tuple(
            KeywordTrigger(row["keyword"], row["event"], row["rule"], row["stacking"] or "") for row in rows["keyword-triggers"]
        ),
        unfollowed=frozenset(row["keyword"] for row in rows["unfollowed"]),
        dated=tuple(
            Dated(row["sort"], row["word"], row["rule"], row["since"] or "", row["until"] or "", row["comment"] or "")
            for row in rows["dated"]
        ),
        plays=_plays(rows["play-keywords"]),
    )


def deck_statements() -> Mapping[str, str]:
    """Return what cards can state about building decks, which bears on no play: what each kind of statement says, by its term."""
    return _deck_statements(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _deck_statements(kb: Path, queries: Path) -> Mapping[str, str]:
    rows = rows_of(loaded(kb / "formats" / "vocabulary.ttl"), queries / "compile" / "deck-statements.rq")
    return {row["term"]: row["comment"] for row in rows}


@lru_cache(maxsize=8)
def open_store(kb: Path) -> pyoxigraph.Store:
    """Return the vocabulary and the keywords of the folder `kb`, loaded.

    Raises:
        DataError: if a file is missing or is not Turtle.
    """
    return loaded(kb / "vocabulary.ttl", *sorted((kb / "keywords").glob("*.ttl")))


def loaded(*files: Path) -> pyoxigraph.Store:
    """Return a store of these Turtle files. Raises DataError for one that is missing or is not Turtle."""
    store = pyoxigraph.Store()
    for file in files:
        try:
            store.load(path=str(file), format=pyoxigraph.RdfFormat.TURTLE)
        except (OSError, SyntaxError) as error:
            raise DataError(f"{file.name} of lawmage's own data cannot be read: {error}") from error
    return store


def rows_of(store: pyoxigraph.Store, query: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a stored query, by the names of its variables, numbers and truth as such.

    Raises:
        DataError: if the query is missing.
    """
    try:
        text = query.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"the query {query.name} is missing from this installation of lawmage; install it again") from error
    solutions = store.query(text)
    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    for solution in solutions:
        yield {name: _value(solution[name]) for name in names}


def _value(term: Any) -> str | int | bool | None:
    if term is None:
        return None
    text = str(term.value)
    if isinstance(term, pyoxigraph.Literal):
        if term.datatype.value == _XSD + "integer":
            return int(text)
        if term.datatype.value == _XSD + "boolean":
            return text == "true"
    return text


def _plays(rows: list[dict[str, Any]]) -> PlayKeywords:
    found: defaultdict[str, defaultdict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row["how"]][row["keyword"]].append(row["what"])
    bears_on, forbids, allows = (
        {name: frozenset(plays) for name, plays in found[how].items()} for how in ("bears_on", "forbids", "allows")
    )
    return PlayKeywords(
        bears_on,
        forbids,
        allows,
        paid=tuple(dict.fromkeys(words for said in found["paid"].values() for words in said)),
        most_modes={name: most for name, (most,) in found["modes"].items()},
        spares_players={name: whose for name, (whose,) in found["spares_players"].items()},
        triggering_labels=frozenset(found["triggers"]),
        triggered=frozenset(found["triggered"]),
        with_costs=frozenset(found["hampers"]),
    )


def _kinds(rows: list[dict[str, Any]]) -> dict[str, Kind]:
    judges: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        judges[row["term"]].add(row["judges"])
    return {
        row["term"]: Kind(
            row["term"],
            row["group"],
            frozenset(judges[row["term"]]),
            row["by"],
            row["says"] or "",
            row["layer"] or 0,
            row["label"],
            row["price"] or "",
            row["forbids"] or "",
            bool(row["givesKeyword"]),
            bool(row["namesPlayers"]),
            row["forEach"] or "",
        )
        for row in rows
    }


def _by_keyword(constraints: list[dict[str, Any]]) -> dict[str, tuple[Constraint, ...]]:
    rows: defaultdict[str, dict[str, list[dict[str, Any]]]] = defaultdict(dict)
    for row in constraints:
        rows[row["keyword"]].setdefault(row["constraint"], []).append(row)
    return {keyword: tuple(sorted(map(_constraint, of_keyword.values()), key=repr)) for keyword, of_keyword in rows.items()}


def _designations(rows: list[dict[str, Any]], constraints: list[dict[str, Any]]) -> dict[str, tuple[Constraint, ...]]:
    imposed = _by_keyword(constraints)
    return {row["designation"]: imposed[row["keyword"]] for row in rows}


def _keywords(forms: list[dict[str, Any]], constraints: list[dict[str, Any]]) -> dict[str, KeywordFacts]:
    imposed = _by_keyword(constraints)
    written: defaultdict[str, list[str]] = defaultdict(list)
    for row in forms:
        written[row["keyword"]].append(row["form"])
    return {
        row["keyword"]: KeywordFacts(
            name=row["keyword"],
            rule=row["rule"],
            forms=tuple(dict.fromkeys(written[row["keyword"]])),
            redundant=row["redundant"],
            counter=row["counter"],
            imposes=imposed.get(row["keyword"], ()),
        )
        for row in forms
    }


def _constraint(rows: list[dict[str, Any]]) -> Constraint:
    first = rows[0]
    slots = {slot: [row for row in rows if row["slot"] == slot] for slot in ("subject", "object", "when")}
    subject: Subject = _filter(slots["subject"]) if slots["subject"] else "self"
    by_condition: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in slots["when"]:
        by_condition[row["when"]].append(row)
    conditions = tuple(
        Condition(
            kind=group[0]["condition"],
            who=group[0]["who"] or "",
            filter=_filter(group) if any(row["alternative"] for row in group) else None,
            number=group[0]["atLeast"] or 1,
            negated=bool(group[0]["unless"]),
        )
        for group in by_condition.values()
    )
    return Constraint(
        kind=first["kind"],
        subject=subject,
        object=_filter(slots["object"]) if slots["object"] else None,
        number=first["number"],
        value=first["value"],
        target=first["aimed"],
        conditions=conditions,
        source=first["rule"],
    )


def _filter(rows: list[dict[str, Any]]) -> Filter:
    alternatives: defaultdict[str, list[Test]] = defaultdict(list)
    for row in rows:
        tests = alternatives[row["alternative"] or ""]
        if row["test"]:
            tests.append(Test(row["test"], row["testValue"], bool(row["negated"])))
    return Filter(tuple(sorted((tuple(sorted(tests, key=repr)) for tests in alternatives.values()), key=repr)))
