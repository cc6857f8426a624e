"""The keyword catalogue of kb/keywords/ as Python values.

What a property means is said in kb/keywords/vocabulary.ttl, what a constraint means in kb/vocabulary.ttl; nothing here interprets
them. Kinds, places, events and so on are the local names of the vocabulary (`Static`, `Battlefield`); `load_words` has a label and a
comment for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import pyoxigraph

from lawmage.errors import DataError, UnknownNameError, suggestion
from lawmage.resources import data_folder
from lawmage.rulebook.model import sort_key

__all__ = [
    "Ability",
    "Cost",
    "Imposed",
    "Keyword",
    "Statement",
    "Variant",
    "Word",
    "find_keyword",
    "form_pattern",
    "load_keywords",
    "load_words",
]

_LM = "urn:lawmage:vocabulary:"
_KW = "urn:lawmage:keyword:"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"

_Node: TypeAlias = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal | pyoxigraph.Triple


@dataclass(frozen=True, slots=True)
class Word:
    """A class, property or individual of the vocabulary: what it is called and what it means."""

    label: str
    comment: str


@dataclass(frozen=True, slots=True)
class Ability:
    """One of the abilities that a keyword stands for: its kind (several are alternatives) and where it functions."""

    kinds: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """Something that is paid by or because of a keyword, and the rule that says so.

    `pays` is what is paid; `optional` costs may be left out, `repeatable` ones paid several times.
    """

    kind: str
    rule: str
    pays: str
    optional: bool = False
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class Imposed:
    """A constraint that a keyword imposes: its kind (the `lm:term` of its class), the rule that says so, and a reading for people."""

    kind: str
    rule: str
    reading: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What one of a keyword's rules says: its number, what sorts of statement it is, and a gist in our words (may be empty)."""

    rule: str
    sorts: tuple[str, ...]
    gist: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A form of a keyword with a name or meaning of its own. What is empty is as for the keyword."""

    id: str
    name: str
    rule: str
    forms: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    costs: tuple[Cost, ...] = ()
    timing: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    stacking: tuple[str, ...] = ()
    stacking_rules: tuple[str, ...] = ()
    same_only: bool = False
    counter_allowed: bool = False


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword ability (702) or keyword action (701).

    Attributes:
        id: the local name of its IRI (`first-strike`).
        name: in lower case (`first strike`); `rule` is its rule's number and `action` tells 701 from 702.
        since: the first release with a rule for it; `former_name` is what it was called until the release `renamed`.
        kinds: of the abilities it stands for, with the rules that tell them in `kind_rules`.
        abilities: one by one, where there are several.
        places: where it functions, with the rules that say so in `place_rules`; empty for actions.
        forms: as written on cards, with slots in braces.
        stacking: what several instances do, by `stacking_rules`; `same_only` if said only of instances with the same quality.
        statements: what each of its rules says, in the order of the rulebook.
    """

    id: str
    name: str
    rule: str
    action: bool
    since: date
    former_name: str
    renamed: date | None
    shares_rule_with: str
    kinds: tuple[str, ...]
    kind_rules: tuple[str, ...]
    abilities: tuple[Ability, ...]
    places: tuple[str, ...]
    place_rules: tuple[str, ...]
    forms: tuple[str, ...]
    appears_on: tuple[str, ...]
    timing: tuple[str, ...]
    events: tuple[str, ...]
    costs: tuple[Cost, ...]
    stacking: tuple[str, ...]
    stacking_rules: tuple[str, ...]
    same_only: bool
    counter_allowed: bool
    designations: tuple[str, ...]
    designation_rules: tuple[str, ...]
    imposes: tuple[Imposed, ...]
    variants: tuple[Variant, ...]
    statements: tuple[Statement, ...]


def load_keywords(kb: Path | None = None) -> dict[str, Keyword]:
    """Return every keyword by its name, in the order of their rules; `kb` is the folder to read, by default lawmage's own.

    Raises:
        DataError: if the folder lacks its keywords or a file of it is not as described by its shapes.
    """
    return dict(_load(kb or data_folder("kb")).keywords)


def load_words(kb: Path | None = None) -> dict[str, Word]:
    """Return the words of the keyword vocabulary and the constraint vocabulary by their local names.

    Raises:
        DataError: if a vocabulary is missing or damaged.
    """
    return dict(_load(kb or data_folder("kb")).words)


def find_keyword(asked: str, kb: Path | None = None) -> Keyword:
    """Return the keyword that `asked` names: a name (also of a variant, or a former one), a rule number, or as written on a card.

    Raises:
        UnknownNameError: if nothing fits, with a suggestion.
    """
    catalogue = _load(kb or data_folder("kb"))
    wanted = " ".join(asked.replace("’", "'").lower().split())
    names: dict[str, Keyword] = {}
    for keyword in catalogue.keywords.values():
        others = (
            keyword.id,
            keyword.former_name,
            keyword.rule,
            *(name for v in keyword.variants for name in (v.id, v.name.lower())),
        )
        for name in (keyword.name, *others):
            names.setdefault(name, keyword)
    names.pop("", None)
    found = names.get(wanted) or _written(catalogue, wanted)
    if found is None:
        words = [name for name in names if not name[0].isdigit()]
        raise UnknownNameError(f'there is no keyword "{asked}"{suggestion(wanted, words)}')
    return found


# ---------------------------------------------------------------- written forms


def form_pattern(form: str, kb: Path | None = None) -> re.Pattern[str]:
    """Return a pattern for a written form, such as `ward {cost}`, as it stands on cards in lower case."""
    return _pattern(form, _load(kb or data_folder("kb")).slots)


_SLOT = re.compile(r"\{([a-z]+)\}")
_LONGEST_FORM = 200
_LAST_SLOT = re.compile(r" ?\{[a-z]+\}$")


def _written(catalogue: _Catalogue, wanted: str) -> Keyword | None:
    if len(wanted) > _LONGEST_FORM:
        return None
    best: tuple[int, Keyword] | None = None
    for keyword in catalogue.keywords.values():
        for form in (*keyword.forms, *(form for variant in keyword.variants for form in variant.forms)):
            # with the most letters of its own, it is the form that is meant: "protection from everything", not "... from {quality}"
            letters = len(_SLOT.sub("", form))
            if (best is None or letters > best[0]) and any(
                _pattern(start, catalogue.slots).fullmatch(wanted) for start in (form, _LAST_SLOT.sub("", form))
            ):
                best = letters, keyword
    return best[1] if best else None


def _pattern(form: str, slots: Mapping[str, str]) -> re.Pattern[str]:
    parts = _SLOT.split(form)
    pattern = ""
    for literal, slot in zip(parts[::2], [*parts[1::2], ""], strict=True):
        # a space before a cost is left out where the cost begins with a dash
        dash = slot == "cost" and literal.endswith(" ")
        pattern += (
            re.escape(literal.removesuffix(" ") if dash else literal) + (" ?" if dash else "") + (f"(?:{slots[slot]})" if slot else "")
        )
    return re.compile(pattern)


# ---------------------------------------------------------------- reading the files


@dataclass(frozen=True, slots=True)
class _Catalogue:
    keywords: Mapping[str, Keyword]
    words: Mapping[str, Word]
    slots: Mapping[str, str]


class _Graph:
    """The triples of the files by subject and property, in the order in which they stand."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.by_subject: dict[_Node, dict[str, list[_Node]]] = {}
        for file in files:
            try:
                for triple in pyoxigraph.parse(path=str(file), format=pyoxigraph.RdfFormat.TURTLE):
                    self.by_subject.setdefault(triple.subject, {}).setdefault(triple.predicate.value, []).append(triple.object)
            except (OSError, SyntaxError) as error:
                raise DataError(f"{file.name} of lawmage's own data can't be read: {error}") from error

    def values(self, subject: _Node, predicate: str) -> list[_Node]:
        return self.by_subject.get(subject, {}).get(predicate, [])

    def nodes(self, subject: _Node, name: str) -> list[_Node]:
        return self.values(subject, _LM + name)

    def texts(self, subject: _Node, name: str) -> tuple[str, ...]:
        return tuple(_text(node) for node in self.nodes(subject, name))

    def text(self, subject: _Node, name: str) -> str:
        return next(iter(self.texts(subject, name)), "")

    def types(self, subject: _Node) -> tuple[str, ...]:
        return tuple(_text(node) for node in self.values(subject, _TYPE))

    def of_type(self, name: str) -> Iterator[_Node]:
        return (subject for subject in self.by_subject if name in self.types(subject))

    def words(self) -> Iterator[tuple[str, Word]]:
        for subject in self.by_subject:
            label, comment = (next((_text(node) for node in self.values(subject, _RDFS + name)), "") for name in ("label", "comment"))
            if label or comment:
                yield _text(subject), Word(label, comment)


def _text(node: _Node) -> str:
    assert not isinstance(node, pyoxigraph.Triple)
    return node.value.removeprefix(_LM).removeprefix(_KW)


@lru_cache(maxsize=4)
def _load(kb: Path) -> _Catalogue:
    folder = kb / "keywords"
    files = sorted(folder.glob("70[12].*.ttl"))
    if not files:
        raise DataError("this installation of lawmage holds no keywords; install it again")
    graph = _Graph([kb / "vocabulary.ttl", folder / "vocabulary.ttl", *files])
    words = dict(graph.words())
    found = [_keyword(graph, subject, words) for name in ("KeywordAction", "KeywordAbility") for subject in graph.of_type(name)]
    found.sort(key=lambda keyword: (sort_key(keyword.rule), keyword.kind_rules, keyword.name))
    slots = {graph.text(slot, "slot"): graph.text(slot, "pattern") for slot in graph.of_type("Slot")}
    return _Catalogue({keyword.name: keyword for keyword in found}, words, slots)


def _keyword(graph: _Graph, subject: _Node, words: Mapping[str, Word]) -> Keyword:
    renamed = graph.text(subject, "renamed")
    try:
        since, renamed_on = date.fromisoformat(graph.text(subject, "since")), date.fromisoformat(renamed) if renamed else None
        statements = [
            Statement(graph.text(node, "rule"), graph.types(node), graph.text(node, "gist")) for node in graph.nodes(subject, "states")
        ]
        statements.sort(key=lambda statement: sort_key(statement.rule))
    except ValueError as error:
        raise DataError(f"the keyword {_text(subject)} of lawmage's own data is damaged: {error}") from error
    return Keyword(
        id=_text(subject),
        name=graph.text(subject, "name"),
        rule=graph.text(subject, "rule"),
        action="KeywordAction" in graph.types(subject),
        since=since,
        former_name=graph.text(subject, "formerName"),
        renamed=renamed_on,
        shares_rule_with=graph.text(subject, "sharesRuleWith"),
        kinds=graph.texts(subject, "kind"),
        kind_rules=graph.texts(subject, "kindRule"),
        abilities=tuple(Ability(graph.texts(node, "kind"), graph.texts(node, "functionsIn")) for node in graph.nodes(subject, "ability")),
        places=graph.texts(subject, "functionsIn"),
        place_rules=graph.texts(subject, "functionsRule"),
        forms=graph.texts(subject, "writtenForm"),
        appears_on=graph.texts(subject, "appearsOn"),
        timing=graph.texts(subject, "timing"),
        events=graph.texts(subject, "triggersOn"),
        costs=_costs(graph, subject),
        stacking=graph.texts(subject, "stacking"),
        stacking_rules=graph.texts(subject, "stackingRule"),
        same_only=bool(graph.nodes(subject, "stackingSameOnly")),
        counter_allowed=bool(graph.nodes(subject, "counterAllowed")),
        designations=graph.texts(subject, "designation"),
        designation_rules=graph.texts(subject, "designationRule"),
        imposes=tuple(_imposed(graph, node, words) for node in graph.nodes(subject, "imposes")),
        variants=tuple(_variant(graph, node) for node in graph.nodes(subject, "variant")),
        statements=tuple(statements),
    )


def _variant(graph: _Graph, subject: _Node) -> Variant:
    return Variant(
        id=_text(subject),
        name=graph.text(subject, "name"),
        rule=graph.text(subject, "rule"),
        forms=graph.texts(subject, "writtenForm"),
        kinds=graph.texts(subject, "kind"),
        places=graph.texts(subject, "functionsIn"),
        costs=_costs(graph, subject),
        timing=graph.texts(subject, "timing"),
        events=graph.texts(subject, "triggersOn"),
        stacking=graph.texts(subject, "stacking"),
        stacking_rules=graph.texts(subject, "stackingRule"),
        same_only=bool(graph.nodes(subject, "stackingSameOnly")),
        counter_allowed=bool(graph.nodes(subject, "counterAllowed")),
    )


def _costs(graph: _Graph, subject: _Node) -> tuple[Cost, ...]:
    return tuple(
        Cost(
            kind=next(iter(graph.types(node)), ""),
            rule=graph.text(node, "rule"),
            pays=graph.text(node, "pays"),
            optional=bool(graph.nodes(node, "optional")),
            repeatable=bool(graph.nodes(node, "repeatable")),
        )
        for node in graph.nodes(subject, "cost")
    )


# ---------------------------------------------------------------- constraints, in words


def _imposed(graph: _Graph, node: _Node, words: Mapping[str, Word]) -> Imposed:
    kind = next(iter(graph.types(node)), "")
    label = words[kind].label if kind in words else kind
    number = graph.text(node, "number")
    parts = [re.sub(r"\bN\b", number, label) if number else label, *graph.texts(node, "value")]
    parts += [f"({_filter(graph, described)})" for described in graph.nodes(node, "object")]
    parts += [f"for ({_filter(graph, described)})" for described in graph.nodes(node, "subject")]
    for condition in graph.nodes(node, "when"):
        parts += ["unless" if graph.text(condition, "unless") == "true" else "while", _condition(graph, condition, words)]
    term = graph.text(pyoxigraph.NamedNode(_LM + kind), "term")
    return Imposed(term or kind, graph.text(node, "rule"), " ".join(parts))


def _condition(graph: _Graph, node: _Node, words: Mapping[str, Word]) -> str:
    kind = next(iter(graph.types(node)), "")
    parts = [graph.text(node, "who"), words[kind].label if kind in words else kind, graph.text(node, "number")]
    parts += [f"({_filter(graph, described)})" for described in graph.nodes(node, "filter")]
    return " ".join(part for part in parts if part)


def _filter(graph: _Graph, node: _Node) -> str:
    return " or ".join(_alternative(graph, alternative) for alternative in graph.nodes(node, "anyOf"))


def _alternative(graph: _Graph, node: _Node) -> str:
    tests = [_test(graph, test) for test in graph.nodes(node, "passes")] + [
        f"not {_test(graph, test)}" for test in graph.nodes(node, "failsTest")
    ]
    return " and ".join(tests) or "anything"


def _test(graph: _Graph, node: _Node) -> str:
    kind = next(iter(graph.types(node)), "")
    term = graph.text(pyoxigraph.NamedNode(_LM + kind), "term").replace("_", " ")
    return " ".join(part for part in (term or kind, graph.text(node, "value")) if part)
