"""From the words on a board to instances of the vocabulary: which keywords each object has, what each object and effect states.

Words that are not understood are kept by name. Nothing here knows what a keyword or a constraint means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from lawmage.board import Board, CardText, Effect, Object
from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.errors import InputError, suggestion
from lawmage.play.amounts import tells
from lawmage.play.conditions import condition_behind, functions_in, names_of_open, settle
from lawmage.play.knowledge import Knowledge, deck_statements
from lawmage.play.land_types import about_land_types, asks_for_land_types, lands_on
from lawmage.play.mana import mana_amounts
from lawmage.play.phrases import constraint_in_words
from lawmage.text.bearing import DAMAGE, DECLARATIONS, OUTCOME, POWER, bearing, triggers
from lawmage.text.forms import KeywordForms, KeywordUse, parse_keywords
from lawmage.text.read import TextReading, read_text
from lawmage.text.write import condition_in_words, how_told, in_these_words

_ALL = DECLARATIONS | DAMAGE

#: The layer in which keywords are granted (613.1f). What objects are is changed before, only for those that are pointed at, and on no
#: condition that asks what objects are: so no such change depends on another.
_GRANTS_KEYWORDS = 6

#: Whom a requirement is about that depends on the player who gave a designation (701.15b).
_NOT_THE_GIVER = "another player"

__all__ = ["Holder", "Reading", "Says", "Unread", "costs_objects", "expressible", "read_board"]


@dataclass(frozen=True, slots=True)
class Unread:
    """A sentence, or a part of one, that is not understood, the object or effect that has it, and the judgements that it could bear on."""

    holder: str
    sentence: str
    judges: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Says:
    """What one or more objects or effects say: the same for the same, for as long as it is remembered."""

    keywords: tuple[KeywordUse, ...]
    counters: tuple[KeywordUse, ...]
    states: tuple[Constraint, ...]


@lru_cache(maxsize=4096)
def says(keywords: tuple[KeywordUse, ...], counters: tuple[KeywordUse, ...], states: tuple[Constraint, ...]) -> Says | None:
    """Return what is said, in the form that objects that say the same have in common; None for nothing."""
    return Says(keywords, counters, states) if keywords or counters or states else None


@dataclass(frozen=True, slots=True)
class Holder:
    """An object or effect and what it says.

    Attributes:
        name: the object's id, or `effect 1`, `effect 2`, ... in the order of the file.
        keywords: as used, in order, repeated where written repeatedly.
        counters: the keywords that counters on it give.
        states: the constraints that its text states, in order, repeated where stated repeatedly.
        source, affects: for an effect, the object that "this creature" means and those that "that creature" means.
        says: all of this but the name, source and what it affects; None where it says nothing.
    """

    name: str
    keywords: tuple[KeywordUse, ...] = ()
    counters: tuple[KeywordUse, ...] = ()
    states: tuple[Constraint, ...] = ()
    source: str | None = None
    affects: tuple[str, ...] = ()
    says: Says | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "says", says(self.keywords, self.counters, self.states))


@dataclass(frozen=True, slots=True)
class Reading:
    """What all objects on the battlefield and all effects say, and what of it is not understood.

    `triggered` has the triggered abilities that trigger as attackers and blockers are declared, by their first sentence, and `said` all
    that is said, each once, in the order of the board.
    """

    objects: tuple[Holder, ...]
    effects: tuple[Holder, ...]
    unread: tuple[Unread, ...]
    forms: KeywordForms
    triggered: tuple[Unread, ...] = ()
    said: tuple[Says, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        said = [holder.says for holder in (*self.objects, *self.effects) if holder.says is not None]
        object.__setattr__(self, "said", tuple(dict.fromkeys(said)))

    def not_understood(self, judge: str) -> tuple[str, ...]:
        """Return what is not understood and could bear on judgements of the kind `judge`, each with its holder."""
        return tuple(f"{one.holder}: {one.sentence}" for one in self.unread if judge in one.judges)


def read_board(board: Board, known: Knowledge, *, file: str | None = None, zones: tuple[str, ...] = ("battlefield",)) -> Reading:
    """Read the keywords and texts of `board`; of what is in other `zones` than the battlefield only the keywords (113.6).

    Raises:
        InputError: for a keyword that does not exist, and for an effect that speaks of objects it does not name.
    """
    unread: list[Unread] = []
    triggered: list[Unread] = []
    objects: list[Holder] = []
    for thing in board.objects.values():
        if thing.zone not in zones:
            unread += _functioning(thing, known)
            continue
        if not (thing.keywords or thing.text or thing.card_text or thing.counters or thing.conditions):
            objects.append(_silent(thing.id))
            continue
        said = _read_object(thing, known, file)
        if thing.zone != "battlefield":
            objects.append(Holder(said.holder.name, said.holder.keywords))
            continue
        objects.append(_as_told(said.holder, board, thing.controller, thing, zones) if said.asks else said.holder)
        # 702.26b: what is phased out might as well not be there, whatever it says.
        if (said.unread or said.triggered) and not thing.phased_out:
            unread += said.unread
            triggered += said.triggered
    effects: list[Holder] = []
    for number, effect in enumerate(board.effects, start=1):
        said = _read_effect(number, effect, board, known, file)
        source = board.objects.get(said.holder.source or "")
        effects.append(_as_told(said.holder, board, effect.controller, source, zones) if said.asks else said.holder)
        unread += said.unread
    if any(about_land_types(one.sentence) for one in unread):
        lands = lands_on(board)
        silent = not any(holder.says for holder in objects if holder.name in lands) and not any(one.holder in lands for one in unread)
        if not asks_for_land_types(board, _all_stated(objects, effects, known), known):
            unread = [one for one in unread if not about_land_types(one.sentence, lands_are_silent=silent)]
    return Reading(tuple(objects), tuple(effects), tuple(unread), known.forms, tuple(triggered))


def _may_be_told(states: Iterable[Constraint], known: Knowledge) -> bool:
    """Tell whether a condition asks for what a board may tell: by its value, or as the keyword before its ability does."""
    return any(one.value or one.text.casefold() in known.keywords for state in states for one in state.conditions)


def _as_told(holder: Holder, board: Board, you: str, thing: Object | None, zones: tuple[str, ...]) -> Holder:
    """Return the holder with those of its conditions open that ask for what the board does not tell."""

    def told(condition: Condition) -> Condition:
        asked = condition if condition.value else condition_behind(condition)
        if asked is None or tells(board, asked, you, thing, zones=len(zones) == 1):
            return asked or condition
        # What is told of cards that move meanwhile settles nothing, and need not be told.
        how = "" if tells(board, asked, you, thing) else how_told(asked)
        return Condition("open", negated=condition.negated, text=condition_in_words(condition) + how)

    states = tuple(replace(state, conditions=tuple(map(told, state.conditions))) for state in holder.states)
    return holder if states == holder.states else replace(holder, states=states)


def _all_stated(objects: Iterable[Holder], effects: Iterable[Holder], known: Knowledge) -> Iterator[Constraint]:
    """Yield what objects and effects state, and what their keywords impose, with what is written after them."""
    for holder in (*objects, *effects):
        yield from holder.states
        for use in (*holder.keywords, *holder.counters):
            yield from (substitute(imposed, use.quality, use.number) for imposed in known.keywords[use.keyword].imposes)


def _functioning(thing: Object, known: Knowledge) -> Iterator[Unread]:
    """Yield what an object says that is not on the battlefield and functions where it is (113.6): nothing here does."""
    if thing.card_text is None and not thing.text:
        return
    stated = (*(thing.card_text.constraints if thing.card_text else ()), *(_read_own(thing, known.forms).constraints if thing.text else ()))
    for one in stated:
        if one.kind in known.kinds and any(functions_in(condition.text) == thing.zone for condition in one.conditions):
            yield Unread(thing.id, one.source or constraint_in_words(one, known), known.kinds[one.kind].judges)


@dataclass(frozen=True, slots=True)
class _Said:
    """What one object or effect says, and what of it is not understood or triggers.

    `asks` tells whether it asks for what a board may not tell.
    """

    holder: Holder
    unread: tuple[Unread, ...] = ()
    triggered: tuple[Unread, ...] = ()
    asks: bool = False


#: What was read, by all that it depends on: creatures come back from board to board. All of it is forgotten when there is too much.
_READ: dict[tuple[object, ...], _Said] = {}
_MOST_READ = 4096
_remembered = _READ.get


def _remember(written: tuple[object, ...], said: _Said) -> _Said:
    if len(_READ) >= _MOST_READ:
        _READ.clear()
    _READ[written] = said
    return said


def _read_object(thing: Object, known: Knowledge, file: str | None) -> _Said:
    for word in thing.designations:
        if any(imposed.target == _NOT_THE_GIVER for imposed in known.imposed_by(word)):
            message = f'{thing.id} is "{word}", but it matters who made it so: name the players with {word}_by'
            raise InputError(message, file=file, line=thing.line or None)
    counters, conditions = thing.counters and tuple(thing.counters.items()), thing.conditions and tuple(thing.conditions.items())
    own = thing.id, thing.name, thing.keywords, thing.text, thing.card_text, thing.designations, thing.level
    written = known, own, counters or (), conditions or (), thing.power is None
    return _remembered(written) or _remember(written, _read_anew(thing, known, file))


@lru_cache(maxsize=4096)
def _silent(name: str) -> Holder:
    return Holder(name)


def _read_anew(thing: Object, known: Knowledge, file: str | None) -> _Said:
    unread: list[Unread] = []
    triggered: list[Unread] = []
    forms = known.forms
    uses: list[KeywordUse] = []
    for written, line in zip(thing.keywords, thing.keyword_lines or (thing.line,) * len(thing.keywords), strict=True):
        found = parse_keywords(written, forms)
        if not found:
            name = f'"{written}" on {thing.id} is not a keyword ability'
            raise InputError(name + suggestion(written, known.keywords, cutoff=60), file=file, line=line or None)
        uses.extend(_meant(found, known, thing.id, unread))
    counters = [use for kind in thing.counters for use in parse_keywords(kind, forms) if known.keywords[use.keyword].counter]
    text = _read_own(thing, forms) if thing.text else None
    states: list[Constraint] = []
    stated = (*(thing.card_text.constraints if thing.card_text else ()), *(text.constraints if text else ()))
    given = _given(thing.id, thing.conditions, names_of_open(stated, thing.name), file, thing.line)
    if thing.card_text is not None:
        of_card = replace(thing.card_text, constraints=tuple(settle(thing.card_text.constraints, given, thing)))
        said = _read_card(of_card, known, thing.id, unread, triggered)
        uses.extend(said.keywords)
        states.extend(said.states)
    if text is not None:
        for written in text.keywords:
            uses.extend(_meant(parse_keywords(written, forms), known, thing.id, unread))
        states.extend(_understood(settle(text.constraints, given, thing), known, thing.id, unread))
        unread.extend(one for one in _unread(thing.id, text) if thing.power is None or not one.judges & POWER)
        triggered.extend(Unread(thing.id, sentence, DAMAGE) for sentence in triggers(text))
    return _Said(
        Holder(thing.id, tuple(uses), tuple(counters), tuple(states)), tuple(unread), tuple(triggered), _may_be_told(states, known)
    )


def _given(holder: str, conditions: Mapping[str, bool], names: Mapping[str, str], file: str | None, line: int) -> dict[str, bool]:
    """Return what the file says of open conditions, by their words in lower case."""
    words = {name.casefold(): text.casefold() for name, text in names.items()}
    words |= {name.casefold(): words[text] for name in conditions if (text := in_these_words(name)) in words}
    for name in conditions:
        if name.casefold() not in words:
            others = suggestion(name, names, cutoff=60) or (f"; it has {', '.join(map(repr, names.values()))}" if names else "")
            raise InputError(f'{holder} has no open condition "{name}"{others}', file=file, line=line or None)
    return {words[name.casefold()]: holds for name, holds in conditions.items()}


def _read_card(text: CardText, known: Knowledge, holder: str, unread: list[Unread], triggered: list[Unread]) -> Holder:
    """Return what a card's text says; what is not understood is named with the card."""
    uses: list[KeywordUse] = []
    doubtful: list[Unread] = []
    for written in text.keywords:
        found = parse_keywords(written, known.forms)
        uses.extend(_meant(found, known, holder, doubtful))
        # a keyword that is a label stands without its ability here, whose sentence is read by itself
        if not found and written.casefold() not in known.keywords:
            doubtful.append(Unread(holder, written, _ALL))
    of_play = [one for one in text.constraints if one.kind in known.kinds or one.kind not in deck_statements()]
    worded = tuple(one if one.source else replace(one, source=constraint_in_words(one, known)) for one in of_play)
    states = _understood(worded, known, holder, doubtful)
    doubtful.extend(Unread(holder, sentence, judges or _ALL) for sentence, judges in text.not_understood)
    unread.extend(replace(one, sentence=f"{text.card}: {one.sentence}") for one in doubtful)
    triggered.extend(Unread(holder, f"{text.card}: {sentence}", DAMAGE) for sentence in text.triggers)
    return Holder(holder, tuple(uses), states=tuple(states))


def _meant(uses: tuple[KeywordUse, ...], known: Knowledge, holder: str, unread: list[Unread]) -> Iterator[KeywordUse]:
    """Yield the uses of keywords, but for those that impose something with words that are not understood."""
    for use in uses:
        if use.unread and known.keywords[use.keyword].imposes:
            imposed = (known.kinds[constraint.kind].judges for constraint in known.keywords[use.keyword].imposes)
            unread.append(Unread(holder, use.written, _with_outcome(frozenset().union(*imposed))))
        else:
            yield use


def _read_effect(number: int, effect: Effect, board: Board, known: Knowledge, file: str | None) -> _Said:
    mentioned = tuple([word for word in _words_of(effect.text) if word in board.objects])[:_MOST_NAMES]
    name = effect.name or f"effect {number}"
    written = (known, name, effect.text, effect.source, effect.affects, tuple(effect.conditions.items()), mentioned)
    return _remembered(written) or _remember(written, _read_effect_anew(name, effect, mentioned, known, file))


def _read_effect_anew(name: str, effect: Effect, mentioned: tuple[str, ...], known: Knowledge, file: str | None) -> _Said:
    unread: list[Unread] = []
    text, source, affects = _read_named(effect, mentioned, known.forms)
    given = _given(name, effect.conditions, names_of_open(text.constraints, None), file, effect.line)
    states = _understood(settle(text.constraints, given), known, name, unread)
    unread.extend(_unread(name, text))
    unread.extend(Unread(name, sentence, _ALL) for sentence in text.keywords)
    if not affects and any(_mentions(state, "affected") for state in states):
        raise InputError(
            f'{name} ("{effect.text}") speaks of objects that it does not name; add `affects: [..]` with their names',
            file=file,
            line=effect.line or None,
        )
    return _Said(Holder(name, states=tuple(states), source=source, affects=affects), tuple(unread), asks=_may_be_told(states, known))


@lru_cache(maxsize=4096)
def _words_of(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"[^\s,.;:'\"()]+", text)))


def _read_named(effect: Effect, mentioned: Sequence[str], forms: KeywordForms) -> tuple[TextReading, str | None, tuple[str, ...]]:
    """Read an effect, its source and what it affects, which it may call by their names in the file: "b1 blocks m this turn if able"."""
    text = _read(effect.text, (effect.source,) if effect.source else (), forms)
    if not _in_doubt(text):
        return text, effect.source, effect.affects
    for source in [effect.source, *mentioned]:
        others = [word for word in mentioned if word != source]
        wording = effect.text
        for word in others:
            wording = re.sub(rf"(?<![^\s(\"']){re.escape(word)}(?![^\s,.;:)\"'])", "that creature", wording)
        named = _read(wording, (source,) if source else (), forms)
        if len(others) < 2 and not _in_doubt(named):
            own_words = tuple(replace(constraint, source=effect.text) for constraint in named.constraints)
            return replace(named, constraints=own_words), source, tuple(others) or effect.affects
    return text, effect.source, effect.affects


#: An effect that mentions more objects than this by name is not tried in all ways.
_MOST_NAMES = 4


def _mentions(state: Constraint, pointer: Subject) -> bool:
    return pointer in (state.subject, state.object)


@lru_cache(maxsize=4096)
def _read_cached(text: str, names: tuple[str, ...], forms: KeywordForms) -> TextReading:
    return read_text(text, names=names, keywords=forms)


def _read(text: str, names: tuple[str, ...], forms: KeywordForms) -> TextReading:
    return _read_cached(text, names, forms)


def _read_own(thing: Object, forms: KeywordForms) -> TextReading:
    """Read the text of an object, which may call itself by its name, by that up to a comma (201.5), or by its name in the file."""
    names = tuple(dict.fromkeys([thing.name, thing.name.split(",")[0]])) if thing.name else ()
    text = _read(thing.text, names, forms)
    return _read(thing.text, (*names, thing.id), forms) if _in_doubt(text) else text


def _in_doubt(text: TextReading) -> bool:
    return bool(text.unread or text.unread_damage or text.unread_outcome)


def _unread(holder: str, text: TextReading) -> list[Unread]:
    """Return the sentences of a text that are not understood."""
    return [Unread(holder, sentence, judges) for sentence, judges in bearing(text).items()]


def _with_outcome(judges: frozenset[str]) -> frozenset[str]:
    """Return `judges` with the outcome, on which bears what bears on damage."""
    return judges | OUTCOME if judges & DAMAGE else judges


def _understood(constraints: Iterable[Constraint], known: Knowledge, holder: str, unread: list[Unread]) -> list[Constraint]:
    """Return the constraints that asp/ can express; name the sentences of the others as unread."""
    fine = []
    for constraint in constraints:
        if expressible(constraint, known):
            fine.append(constraint)
        else:
            kind = known.kinds.get(constraint.kind)
            unread.append(Unread(holder, constraint.source, _ALL if kind is None else _with_outcome(kind.judges)))
    return fine


def expressible(constraint: Constraint, known: Knowledge) -> bool:
    """Return whether asp/ can express `constraint`, as far as the vocabulary tells."""
    kind = known.kinds.get(constraint.kind)
    if kind is None:
        return False
    described = [constraint.subject] if isinstance(constraint.subject, Filter) else []
    # A change must not depend on its own layer or a later one; what it counts, and its conditions, must not depend on any.
    unchanging = [condition.filter for condition in constraint.conditions if condition.filter is not None]
    for filter_ in (*described, *unchanging):
        asks = _asks(filter_, known)
        if asks is None or "own" in asks:
            return False
    if kind.layer > _GRANTS_KEYWORDS and isinstance(constraint.object, Filter):
        unchanging.append(constraint.object)
    if kind.layer and kind.layer < _GRANTS_KEYWORDS and (described or unchanging):
        return False
    if kind.layer and (any(_layer(one, known) >= kind.layer for one in described) or any(_layer(one, known) for one in unchanging)):
        return False
    if kind.layer == _GRANTS_KEYWORDS and _changes_before(constraint.value or "", known):
        return False
    if kind.group == "cost" and not (costs_objects(constraint) or mana_amounts(constraint.value or "")):
        return False
    if isinstance(constraint.object, Filter):
        asks = _asks(constraint.object, known)
        if asks is None or len(asks) > 1:
            return False
    return kind.group != "designating" or constraint.value in known.designations


def _changes_before(keyword: str, known: Knowledge) -> bool:
    """Tell whether a keyword changes what its holder is: what is granted comes too late for that (613.6)."""
    imposed = (one for use in parse_keywords(keyword, known.forms) for one in known.keywords[use.keyword].imposes)
    return any(0 < known.kinds[one.kind].layer < _GRANTS_KEYWORDS for one in imposed)


def costs_objects(constraint: Constraint) -> bool:
    """Return whether a cost is paid with permanents: the value tells what is done with so many of what it describes."""
    return isinstance(constraint.object, Filter) and constraint.number is not None


def _tests(filter_: Filter) -> list[Test]:
    return [test for alternative in filter_.any_of for test in alternative]


def _asks(filter_: Filter, known: Knowledge) -> set[str] | None:
    """Return whom the filter's relative tests compare with, or None if it has a test that asp/ does not know."""
    kinds = [known.tests.get(test.kind) for test in _tests(filter_)]
    return None if None in kinds else {kind.asks for kind in kinds if kind is not None and kind.asks}


def _layer(filter_: Filter, known: Knowledge) -> int:
    return max((known.tests[test.kind].layer for test in _tests(filter_)), default=0)


def substitute(constraint: Constraint, quality: Filter | None, number: int | None = None) -> Constraint:
    """Return a keyword's constraint with what is written after the keyword: the filter in place of its `quality` test, the number."""
    if number is not None and constraint.number is None:
        constraint = replace(constraint, number=number)
    if quality is None:
        return constraint
    object_ = constraint.object
    return replace(
        constraint,
        object=_put(object_, quality) if isinstance(object_, Filter) else object_,
        conditions=tuple(
            replace(condition, filter=_put(condition.filter, quality)) if condition.filter is not None else condition
            for condition in constraint.conditions
        ),
    )


def _put(filter_: Filter, quality: Filter) -> Filter:
    alternatives: list[tuple[Test, ...]] = []
    for alternative in filter_.any_of:
        rest = tuple(test for test in alternative if test.kind != "quality")
        if len(rest) == len(alternative):
            alternatives.append(alternative)
        else:
            alternatives.extend((*rest, *of_quality) for of_quality in quality.any_of)
    return Filter(tuple(alternatives))


def open_conditions(constraint: Constraint) -> list[Condition]:
    """Return the conditions of `constraint` that the board cannot settle."""
    return [condition for condition in constraint.conditions if condition.kind == "open"]
