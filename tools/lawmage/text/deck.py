"""Lines of a card that bear on building a deck (113.6n) -> constraints.

These lines work before the game begins: how many copies a deck may have, what may lead it, what a companion asks of it. The grammar is
in deck.lark. Keyword abilities that bear on decks (702.124) stand among the keywords of a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import VisitError

from lawmage.constraints import Condition, Constraint, Filter, Test
from lawmage.errors import InputError
from lawmage.text.forms import KeywordForms
from lawmage.text.read import LONGEST_TEXT
from lawmage.text.words import subtype

__all__ = ["DeckReading", "concerns_deck", "read_deck_text"]

#: A line with more characters is not read: on cards none that bears on decks has half as many.
_LONGEST_LINE = 600
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "\t": " ", "\r": "\n"})
_REMINDER = re.compile(r"\([^()]*\)")
_LABEL = re.compile(r"^[A-Z][A-Za-z' ]{0,40} ?— ?|^— | —$")
_SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z~])")
#: What a line that could bear on building a deck says somewhere: wider than the grammar.
_CONCERNS = re.compile(
    r"\bdecks? (?:can|can't|may|must|contains?)\b|\bcan(?:'t)? be your commander|\bas your commanders\b|\bstarting deck\b"
    r"|\b(?:minimum|maximum) deck size\b|\bdeck ?building\b|\bdeck construction\b|\b(?:create|build|building) your deck\b"
    r"|\bin your deck\b.*(?:identity|any number|commander|can't|game)|\bany color identity\b|\bcolor identity of\b"
    r"|\bbefore the game be(?:gins|ings)\b.*\b(?:colors?|college)\b|\binclude this card\b|\bisn't on the battlefield, it's\b"
    r"|^(?!.*\b(?:equipped|enchanted|each|target|gets?|creatures|until)\b)[^.]{1,60} is every creature type\b",
    re.IGNORECASE,
)
#: What merely mentions a deck: what happens in the game, what mana is for, lists made before the game, sleeves.
_MENTIONS = re.compile(
    r"^(?:when|whenever|at the beginning) (?!building)|^\{[^}]*\}|spend this mana only|^creatures you control have \"|shuffle your deck"
    r"|to cast cards that|secretly|can't use sleeves|contains no land cards, your starting hand|booster deck|open a magic",
    re.IGNORECASE,
)
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: number for number, word in enumerate(_WORDS, 1)} | {"twenty": 20}
_ANY = Filter()


@dataclass(frozen=True, slots=True)
class DeckReading:
    """What a text says about building a deck.

    Attributes:
        constraints: what the lines that are read state, in order; `source` is the line.
        unread: the lines that could bear on building a deck and are not understood.
    """

    constraints: tuple[Constraint, ...] = ()
    unread: tuple[str, ...] = ()


def read_deck_text(text: str, names: Sequence[str] = (), keywords: KeywordForms | None = None) -> DeckReading:
    """Read what rules text says about building a deck.

    Args:
        text: the text, one ability a line, as on cards; reminder text in parentheses is passed over.
        names: the words that mean the card itself.
        keywords: how the keywords are written; lines that are nothing but keywords are left to `Face.keywords`.

    Raises:
        InputError: if the text has more than 20,000 characters.
    """
    if len(text) > LONGEST_TEXT:
        raise InputError(f"a rules text has {len(text)} characters, expected at most {LONGEST_TEXT}")
    constraints: list[Constraint] = []
    unread: list[str] = []
    for written in _REMINDER.sub("", text.translate(_STRAIGHT)).split("\n"):
        line = " ".join(written.split()).replace(" .", ".")
        if not concerns_deck(line) or (keywords is not None and _is_plain_keyword(line, keywords)):
            continue
        read = _read(_with_self(line, names))
        if read is None:
            # The first word of its name means the card too (201.5c).
            read = _read(_with_self(line, [*names, *(name.partition(" ")[0].removesuffix(",") for name in names)]))
        if read is None:
            unread.append(line)
        else:
            constraints += (replace(made, source=line) for made in read)
    return DeckReading(tuple(constraints), tuple(unread))


def concerns_deck(line: str) -> bool:
    """Return whether a line of rules text could bear on building a deck."""
    return bool(_CONCERNS.search(line)) and not _MENTIONS.search(_LABEL.sub("", line))


def _is_plain_keyword(line: str, keywords: KeywordForms) -> bool:
    return keywords.is_keyword(line.removesuffix(".").lower())


def _with_self(line: str, names: Iterable[str]) -> str:
    """Return `line` with `~` where it names the card itself."""
    written = sorted({name.translate(_STRAIGHT) for name in names if name} | {"This creature", "this creature"}, key=len, reverse=True)
    return re.sub(rf"(?<![\w-])(?:{'|'.join(map(re.escape, written))})(?![\w-])", "~", line)


def _read(line: str) -> tuple[Constraint, ...] | None:
    """Return what `line` states: the whole of it, or else each of its sentences that could bear on decks; None if it isn't understood."""
    bare = _LABEL.sub("", _LABEL.sub("", line))
    whole = _parsed(bare)
    if whole is not None:
        return whole
    sentences = [sentence for sentence in _SENTENCE_END.split(bare) if concerns_deck(sentence)]
    read = [_parsed(sentence) for sentence in sentences]
    if len(sentences) < 2 and sentences == [bare]:
        return None
    return None if None in read or not read else tuple(made for constraints in read for made in constraints or ())


@lru_cache(maxsize=1024)
def _parsed(line: str) -> tuple[Constraint, ...] | None:
    if len(line) > _LONGEST_LINE:
        return None
    try:
        return tuple(_Meaning().transform(_parser().parse(line)))
    except (UnexpectedInput, VisitError):
        return None


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = Path(__file__).with_name("deck.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="line", parser="lalr", maybe_placeholders=False)


def _number(token: Token) -> int:
    return _NUMBERS.get(str(token).lower()) or int(token)


def _either(filters: Iterable[Filter]) -> Filter:
    return Filter(tuple(tests for one in filters for tests in one.any_of))


def _one(kind: str, value: str | int | None = None, *, negated: bool = False) -> Filter:
    return Filter(((Test(kind, value, negated),),))


#: Cards of a kind that no characteristic tells, such as those of some products: whether a card is one stays open.
_OPEN = _one("open")


_LED = (Condition("is_commander"),)


class _Meaning(Transformer[Token, Any]):
    """From trees of deck.lark to constraints; one method for each of its rules."""

    def line(self, made: list[Any]) -> Iterator[Constraint]:
        yield from (one for part in made if not isinstance(part, Token) for one in (part if isinstance(part, tuple) else (part,)))

    # -------------------------------------------------------------- copies, commanders

    def copies_any(self, _: list[Any]) -> Constraint:
        return Constraint("copies_any")

    def copies_any_of(self, parts: list[Any]) -> Constraint:
        return Constraint("copies_any", subject=parts[1], conditions=_LED)

    def copies_at_most(self, parts: list[Any]) -> Constraint:
        return Constraint("copies_at_most", number=_number(parts[0]))

    def copies_one(self, _: list[Any]) -> Constraint:
        return Constraint("copies_at_most", number=1)

    def may_lead(self, _: list[Any]) -> Constraint:
        return Constraint("may_lead")

    def may_not_lead(self, parts: list[Any]) -> Constraint:
        return Constraint("may_not_lead", conditions=(Condition("open", text=f"unless {str(parts[1]).strip()}"),))

    def pairs_with(self, parts: list[Any]) -> Constraint:
        return Constraint("pairs_with", object=parts[1])

    def chosen_color(self, _: list[Any]) -> Iterator[Constraint]:
        yield Constraint("chosen_color")

    def leads_and_bends(self, parts: list[Any]) -> Iterator[Constraint]:
        yield Constraint("may_lead")
        yield Constraint("any_identity", subject=parts[1], conditions=_LED)

    def is_elsewhere(self, parts: list[Any]) -> tuple[Constraint, ...]:
        tests = parts[2].any_of[0]
        return tuple(Constraint("is_elsewhere", value=str(test.value)) for test in tests if test.kind in ("type", "subtype"))

    def every_creature_type(self, _: list[Any]) -> Constraint:
        return Constraint("every_creature_type")

    # -------------------------------------------------------------- sizes, identity, what may be in a deck

    def minimum_reduced(self, parts: list[Any]) -> Constraint:
        return Constraint("minimum_reduced", number=_number(parts[0]))

    def minimum_is(self, parts: list[Any]) -> Constraint:
        return Constraint("minimum_is", number=next(_number(part) for part in parts if part.type == "NUMBER"), conditions=_LED)

    def no_maximum(self, _: list[Any]) -> Constraint:
        return Constraint("no_maximum", conditions=_LED)

    def any_identity(self, parts: list[Any]) -> Constraint:
        return Constraint("any_identity", subject=parts[-1], conditions=_LED)

    def any_card(self, _: list[Any]) -> Constraint:
        return Constraint("any_identity", subject=_ANY, conditions=_LED)

    def may_not_include(self, parts: list[Any]) -> Constraint:
        return Constraint("may_not_include", conditions=(Condition("open", text=f"if {str(parts[0]).strip()}"),))

    def deck_choice(self, _: list[Any]) -> Constraint:
        return Constraint("deck_choice")

    def every_card(self, _: list[Any]) -> Filter:
        return _ANY

    def open_cards(self, _: list[Any]) -> Filter:
        return _OPEN

    def basics_and_open_cards(self, _: list[Any]) -> Filter:
        return _either([Filter(((Test("supertype", "basic"), Test("type", "land")),)), _OPEN])

    def bend(self, parts: list[Any]) -> Filter:
        described, *power = parts
        return Filter(tuple((*tests, *power) for tests in described.any_of))

    def of_power(self, parts: list[Any]) -> Test:
        return Test("power_at_least", _number(parts[0]))

    # -------------------------------------------------------------- the conditions of companions

    def larger(self, parts: list[Any]) -> Constraint:
        return Constraint("starting_deck_larger", number=_number(parts[0]))

    def only(self, parts: list[Any]) -> Constraint:
        return Constraint("starting_deck_each", subject=_ANY, object=parts[0])

    def only_open(self, _: list[Any]) -> Constraint:
        return Constraint("starting_deck_each", subject=_ANY, object=_OPEN)

    def none_open(self, _: list[Any]) -> Constraint:
        return Constraint("starting_deck_each", subject=_ANY, object=_one("open", negated=True))

    def none_of(self, parts: list[Any]) -> Constraint:
        (tests,) = parts[0].any_of
        return Constraint("starting_deck_each", subject=_ANY, object=Filter(tuple((replace(test, negated=True),) for test in tests)))

    def no_repeated_symbol(self, _: list[Any]) -> Constraint:
        return Constraint("starting_deck_each", subject=_ANY, object=_one("repeated_mana_symbol", negated=True))

    def different_names(self, parts: list[Any]) -> Constraint:
        return Constraint("starting_deck_different_names", subject=parts[0])

    def shared_type(self, parts: list[Any]) -> Constraint:
        return Constraint("starting_deck_shared_type", subject=parts[0])

    def each(self, parts: list[Any]) -> Constraint:
        return Constraint("starting_deck_each", subject=parts[0], object=parts[1])

    def quality(self, parts: list[Any]) -> Filter:
        return parts[0] if isinstance(parts[0], Filter) else _ANY

    def activated_ability(self, _: list[Any]) -> Filter:
        return _one("activated_ability")

    def value_at_most(self, parts: list[Any]) -> Filter:
        return _one("mana_value_at_most", _number(parts[0]))

    def value_at_least(self, parts: list[Any]) -> Filter:
        return _one("mana_value_at_least", _number(parts[0]))

    def even(self, _: list[Any]) -> Filter:
        return _one("mana_value_even")

    def odd(self, _: list[Any]) -> Filter:
        return _one("mana_value_odd")

    def open_kind(self, _: list[Any]) -> Filter:
        return _OPEN

    def kinds(self, parts: list[Any]) -> Filter:
        return _either(parts)

    # -------------------------------------------------------------- descriptions of cards

    def nouns(self, parts: list[Any]) -> Filter:
        return _either(parts)

    def noun(self, parts: list[Any]) -> Filter:
        tests = [part for part in parts if isinstance(part, Test)]
        if len(tests) < len(parts):
            tests.append(Test("identity_at_most", 1))
        return Filter((tuple(tests),))

    def type(self, parts: list[Any]) -> Test:
        return Test("type", str(parts[0]).lower().removesuffix("s"))

    def nonland(self, _: list[Any]) -> Test:
        return Test("type", "land", negated=True)

    def permanent(self, _: list[Any]) -> Test:
        return Test("permanent_card")

    def supertype(self, parts: list[Any]) -> Test:
        return Test("supertype", str(parts[0]).lower())

    def legend(self, _: list[Any]) -> Test:
        return Test("supertype", "legendary")

    def subtype(self, parts: list[Any]) -> Test:
        found = subtype(str(parts[0]))
        if found is None:
            raise ValueError(f"{parts[0]} is no subtype")
        return Test("subtype", found[0])
