"""What encodes the rules: the statements of the programs of asp/, and what kb/ says that keywords and formats impose.

A statement of a program encodes the rules that it names in quotation marks. Where it names none, it encodes those that the comment right
above it names. A fact about a keyword or format encodes the rule that it gives as `lm:rule`; what kb/ merely says about a rule
(`lm:states`, `lm:onlyDescribes`) encodes nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lawmage.errors import DataError
from lawmage.resources import Stamp, data_folder, stamp_of
from lawmage.rulebook.drift import named_numbers

if TYPE_CHECKING:
    from pyoxigraph import Triple

__all__ = ["HELPERS", "Encoding", "encodings", "facts_with_rules", "fingerprint_of", "named_in_data_and_programs", "program_statements"]

_LM = "urn:lawmage:vocabulary:"
#: Programs that decide nothing by themselves: they find bounds, count, or look for what is best, near, or clashes.
HELPERS = re.compile(r"-(bound|changing|clash|count|exchanges|harm|nearest|repair|required-pairs|surviving-blocks)\.lp$")
#: What kb/ says about a rule, and the variants of a keyword, encode nothing.
_DESCRIBES = {f"{_LM}states", f"{_LM}variant"}
_ONLY_DESCRIBES = f"{_LM}onlyDescribes"
#: What points from one keyword at another.
_KEYWORDS = {f"{_LM}variantOf", f"{_LM}sharesRuleWith"}
_FOLDERS = ("keywords", "formats")
_TOKEN = re.compile(r'%\*.*?\*%|%[^\n]*|"(?:\\.|[^"\\])*"|\.\.|\.(?=\s|%|\Z)|\n[ \t]*(?=\n)', re.DOTALL)
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Encoding:
    """A statement of a program, or a fact about a keyword or format.

    Attributes:
        file: such as `asp/509-declare-blockers.lp`.
        line: where it begins, from 1; 0 for a fact.
        place: the offsets in the file at which it begins and ends; zeros for a fact.
        text: the statement, or the fact in a few words.
        rules: the numbers of the rules that it encodes.
        fingerprint: of all that it says.
    """

    file: str
    line: int
    text: str
    rules: tuple[str, ...]
    fingerprint: str
    place: tuple[int, int] = (0, 0)


def encodings() -> list[Encoding]:
    """Return all that encodes rules, in the order of files and lines; with it the statements of programs that name no rule.

    Raises:
        DataError: if a file of kb/ isn't Turtle.
    """
    files = [*data_folder("asp").glob("*.lp"), *(path for folder in _FOLDERS for path in (data_folder("kb") / folder).glob("*.ttl"))]
    return list(_encodings(stamp_of(*files)))


@lru_cache(maxsize=2)
def _encodings(_stamp: Stamp) -> tuple[Encoding, ...]:
    return (*_of_programs(), *_of_facts())


def _of_programs() -> Iterator[Encoding]:
    root = data_folder("asp")
    for path in sorted(root.glob("*.lp")):
        if not HELPERS.search(path.name):
            yield from program_statements(f"asp/{path.name}", path.read_text(encoding="utf-8"))


def program_statements(file: str, text: str) -> Iterator[Encoding]:
    """Yield the rules, facts and constraints of a program, but no directives."""
    numbers: tuple[str, ...] = ()
    start, commented = 0, False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.startswith("\n"):
            numbers, commented = (), False
        elif token.startswith("%") and not text[start : match.start()].strip():
            found = tuple(dict.fromkeys(named_numbers(token)))
            numbers = numbers + found if commented else found
            start, commented = match.end(), True
        elif token == ".":
            # What stands before it in brackets is the weight of a weak constraint.
            space = re.compile(r"\s*(\[[^\]]*\]\s*)?").match(text, start)
            begin = space.end() if space else start
            statement = text[begin : match.end()]
            start, commented = match.end(), False
            if not statement.startswith(("#", ":~")):
                quoted = (number for string in re.findall(r'"[^"]*"', statement) for number in named_numbers(string))
                words = " ".join(statement.split())
                line = text.count("\n", 0, begin) + 1
                rules = tuple(dict.fromkeys(quoted)) or numbers
                yield Encoding(file, line, words, rules, fingerprint_of(words), (begin, match.end()))


def _of_facts() -> Iterator[Encoding]:
    for folder in _FOLDERS:
        files = list(_turtle(folder))
        # Formats share what other files of their folder describe; keywords don't.
        shared = [triple for _, triples in files for triple in triples] if folder == "formats" else None
        for name, triples in files:
            for triple, rule, words in facts_with_rules(triples, shared or triples):
                yield Encoding(name, 0, _short(triple, words), (rule,), fingerprint_of(words))


def _turtle(folder: str) -> Iterator[tuple[str, list[Triple]]]:
    from pyoxigraph import RdfFormat, parse

    for path in sorted((data_folder("kb") / folder).glob("*.ttl")):
        if path.name != "vocabulary.ttl":
            try:
                yield f"kb/{folder}/{path.name}", [quad.triple for quad in parse(path=path, format=RdfFormat.TURTLE)]
            except (OSError, SyntaxError) as error:
                raise DataError(f"{path} can't be read ({error}); install lawmage again") from None


def facts_with_rules(triples: list[Triple], described: list[Triple]) -> Iterator[tuple[Triple, str, str]]:
    """Yield the statements of a file that point at something with an `lm:rule` that is a rule number, with it, and all that is said there.

    Args:
        triples: of the file.
        described: in which the things that they point at are described.
    """
    about: dict[str, list[Triple]] = {}
    for triple in described:
        about.setdefault(str(triple.subject), []).append(triple)
    telling = _telling(data_folder("kb"))
    for triple in triples:
        node = about.get(str(triple.object), ())
        rules = [_value(each.object) for each in node if each.predicate.value == f"{_LM}rule"]
        encodes = rules and named_numbers(rules[0]) and triple.predicate.value not in _DESCRIBES | _KEYWORDS
        if encodes and not _only_describes(node, telling):
            yield triple, rules[0], f"{_value(triple.subject)} {triple.predicate.value} {_words(triple.object, about)}"


@lru_cache(maxsize=8)
def _telling(kb: Path) -> frozenset[str]:
    """Return the kinds of costs that are told and bear on no verdict (lm:onlyDescribes)."""
    from pyoxigraph import RdfFormat, parse

    path = kb / "keywords" / "vocabulary.ttl"
    triples = parse(path=path, format=RdfFormat.TURTLE) if path.is_file() else ()
    return frozenset(str(triple.subject) for triple in triples if triple.predicate.value == _ONLY_DESCRIBES)


def _only_describes(node: Iterable[Triple], telling: frozenset[str]) -> bool:
    return any(triple.predicate.value == _ONLY_DESCRIBES or str(triple.object) in telling for triple in node)


def _words(term: object, about: Mapping[str, list[Triple]], depth: int = 0) -> str:
    """Return all that is said of a thing, in one order, whatever the names of blank nodes."""
    from pyoxigraph import BlankNode

    inside = about.get(str(term), ()) if depth < 8 and (depth == 0 or isinstance(term, BlankNode)) else ()
    parts = sorted(f"{triple.predicate.value} {_words(triple.object, about, depth + 1)}" for triple in inside)
    name = "" if isinstance(term, BlankNode) else str(term)
    return f"{name}[{' ; '.join(parts)}]" if parts else name


def _value(term: object) -> str:
    return str(getattr(term, "value", ""))


def _short(triple: Triple, words: str) -> str:
    kind = re.search(rf"#type <{_LM}(\w+)>", words)
    text = f"{_value(triple.subject).rpartition(':')[2]} {triple.predicate.value.rpartition(':')[2]} {kind[1] if kind else ''}".strip()
    number = re.search(rf'{_LM}number "([^"]+)"', words)
    return f"{text} {number[1]}"[:_LONGEST] if number else text[:_LONGEST]


def fingerprint_of(text: str) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of a statement, or of all that a fact says."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def named_in_data_and_programs() -> tuple[set[str], dict[str, frozenset[str]]]:
    """Return the rules that something in asp/ or kb/ relies on, and the kinds of what kb/ merely says of a rule (`lm:states`).

    A program relies on each rule that it names, kb/ on each that it gives as the rule of anything else.
    """
    from pyoxigraph import Literal, RdfFormat, parse

    relied_on = {number for path in data_folder("asp").rglob("*.lp") for number in named_numbers(path.read_text(encoding="utf-8"))}
    kinds: dict[str, set[str]] = {}
    telling = _telling(data_folder("kb"))
    for path in data_folder("kb").rglob("*.ttl"):
        if path.parent.name != "rules":
            triples = [quad.triple for quad in parse(path=path, format=RdfFormat.TURTLE)]
            described = {str(triple.object) for triple in triples if triple.predicate.value in _DESCRIBES}
            described |= {str(triple.subject) for triple in triples if _only_describes([triple], telling)}
            types: dict[str, set[str]] = {}
            for triple in triples:
                if triple.predicate.value.endswith("#type"):
                    types.setdefault(str(triple.subject), set()).add(_value(triple.object).rpartition(":")[2])
            for triple in triples:
                value = triple.object.value if isinstance(triple.object, Literal) else ""
                if value[:3].isdigit() and value in named_numbers(value):
                    if str(triple.subject) in described:
                        kinds.setdefault(value, set()).update(types.get(str(triple.subject), ()))
                    else:
                        relied_on.add(value)
    return relied_on, {number: frozenset(those) for number, those in kinds.items()}
