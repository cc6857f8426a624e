"""Mana: costs and payments as written (107.4), abilities that add mana (605), and which of it can pay for what.

Each symbol of a cost can be paid with one of some kinds of mana, and each mana there is, is or can become one of some kinds. Everything
can be paid if, for every set of kinds, the symbols that only these can pay are no more than the mana that can be one of these (Hall's
theorem). Which sets matter is worked out here; the sums are in asp/118-mana.lp.

Mana from a snow source (107.4h) is also of the kind `snow`, whatever else it is. A symbol such as {2/W} can be paid with two of any mana
or one of its color (107.4e): as many are paid with their color as there is mana of it for, so that what the others need twice may be too
much. How many that can be is the least, over the sets of kinds, of what these supply and what is asked of other kinds (König's theorem).
So that the two of them together are one sum, each such set stands for two: all mana counts once, and what is in the set once more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from lawmage.board import Board, Object
from lawmage.play.card_types import basic_land_types

__all__ = [
    "Source",
    "barred_sources",
    "is_twofold",
    "kinds_for",
    "lands_changed",
    "mana_amounts",
    "mana_facts",
    "one_of",
    "paid_amounts",
    "source_of",
    "term_of",
    "unread_sources",
    "unread_together",
    "written_mana",
]

#: The kinds of mana (106.1), from a snow source (107.4h) among them, and what is paid with life (107.4f).
_MANA = ("white", "blue", "black", "red", "green", "colorless", "snow")
_COLORS = frozenset(_MANA[:5])
_LIFE = "life"
_LETTERS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless", "S": "snow", "P": _LIFE}
#: How symbols begin that one mana of a color pays, or two of any (107.4e).
_TWO = "2/"
_SYMBOL = re.compile(r"\{([^{}]*)\}")
_HYBRID = re.compile(r"[WUBRGC](?:/[WUBRG])?/[WUBRGP]|2/[WUBRG]")
_PAYS_LIFE = re.compile(r"(?:pay )?(\d{1,6}) life")
#: More mana of one symbol than this is not read: clingo has 32 bits.
_MOST = 1_000_000
#: What changes the types of lands, or how much mana is added.
_LAND_TYPES = re.compile(
    r"(?!(?:when|whenever|at|as long as enchanted) |.*: |.* — when)[^.]*\blands?\b[^.]*\b(?:is|are)\b[^.]*"
    r"\b(?:plains|islands?|swamps?|mountains?|forests?|land types?|the chosen type)\b"
)
#: What lets mana pay for what other mana has to, and not only for spells or abilities.
_SPENT_AS = re.compile(r"(?!(?:when|whenever|at) |.*: |.* — when)[^.]*\bspend\b[^.]*\bas though it were\b(?![^.]*\b(?:to cast|activat))")
_FOR_MANA = re.compile(r"(?:if|when|whenever) [^:]*\bfor mana\b")
#: What keeps abilities that add mana from being activated, or makes them cost more; and whose abilities those are.
_BARS = re.compile(
    r"(?!(?:when|whenever|at) |[^\"]*: |.* — when|[•\[])[^.]*\babilities\b[^.]*?"
    r"(?:can't be activated|\bcost (?:an additional|\{[^{}]*\} more)\b)(?![^.]*unless they're mana abilities)"
)
_ABILITIES_OF = re.compile(r"\babilities of ([^.]*?) (?:can't|cost)\b")
_TEXT_OF_REMINDER = re.compile(r"\([^()]*\)")
_ADDS = re.compile(r"^(?P<cost>[^:\"]+): add (?P<what>[^.]+)\.?$")
_ITSELF = r"(?:this (?:artifact|creature|land|enchantment|permanent|token)|~)"
_COSTS = {"tap": re.compile(rf"\{{t\}}(?:, sacrifice {_ITSELF})?"), "sacrifice": re.compile(rf"sacrifice {_ITSELF}")}
_CHOICE = re.compile(r"\{[wubrgc]\}(?:,? (?:or )?\{[wubrgc]\})+")


def mana_amounts(written: str) -> dict[str, int]:
    """Return how much of each symbol the cost `written` has: `white` ... `green`, `colorless`, `snow`, `generic`, `W/U`, `2/W`, `life`.

    Life is in points, also where it is written "2 life". Anything that is not symbols in braces, such as `{2}{W/P}`, and life, joined by
    commas or "and", gives an empty answer; so does {X}.
    """
    amounts: Counter[str] = Counter()
    for part in re.split(r",| and ", written):
        life = _PAYS_LIFE.fullmatch(part.strip().lower())
        if life:
            amounts[_LIFE] += int(life[1])
        elif _SYMBOL.sub("", part).strip():
            return {}
        for symbol in map(str.upper, _SYMBOL.findall(part)):
            if symbol.isdecimal() and len(symbol) <= len(str(_MOST)):
                amounts["generic"] += int(symbol)
            elif symbol in _LETTERS and symbol != "P":
                amounts[_LETTERS[symbol]] += 1
            elif _HYBRID.fullmatch(symbol):
                amounts[symbol] += 1
            else:
                return {}
    return {symbol: amount for symbol, amount in amounts.items() if amount} if max(amounts.values(), default=0) <= _MOST else {}


def paid_amounts(written: str) -> dict[str, int]:
    """Return how much of each symbol the payment or pool `written` has: as `mana_amounts`, but {2/W} says nothing of what is paid."""
    amounts = mana_amounts(written)
    return {} if any(map(is_twofold, amounts)) else amounts


def is_twofold(symbol: str) -> bool:
    """Tell whether a symbol of `mana_amounts` can be paid with one mana of a color, or two of any (107.4e)."""
    return symbol.startswith(_TWO)


def one_of(symbol: str) -> str:
    """Return the kind of which one mana pays for a symbol that two of any kind can pay, too (107.4e)."""
    (kind,) = kinds_for(symbol)
    return kind


def written_mana(amounts: Mapping[str, int]) -> str:
    """Return what `mana_amounts` reads as `amounts`, written as costs are."""
    letters = {kind: letter for letter, kind in _LETTERS.items()}
    symbols = f"{{{amounts['generic']}}}" if amounts.get("generic") else ""
    symbols += "".join(f"{{{letters.get(kind, kind)}}}" * number for kind, number in amounts.items() if kind not in ("generic", _LIFE))
    return ", ".join([*([symbols] if symbols else []), *([f"{amounts[_LIFE]} life"] if amounts.get(_LIFE) else [])])


def kinds_for(symbol: str) -> frozenset[str]:
    """Return the kinds of mana, and `life`, of which one pays for a symbol of `mana_amounts` (107.4)."""
    if symbol == "generic":
        return frozenset(_MANA)
    return frozenset(_LETTERS.get(half, half) for half in symbol.removeprefix(_TWO).split("/"))


# ---------------------------------------------------------------- what adds mana


@dataclass(frozen=True, slots=True)
class Source:
    """What a permanent adds when its mana ability is activated, once: for each mana, the kinds that it can be.

    `taps`: whether it is tapped for that; `sacrificed`: whether it is sacrificed, None where it can do without that.
    """

    mana: tuple[frozenset[str], ...]
    taps: bool = True
    sacrificed: bool | None = False


def source_of(thing: Object) -> Source | None:
    """Return what the text of a permanent lets it add, or None where it adds nothing or what it says is not understood.

    What land types let it add (305.6) is left to asp/.
    """
    return _read(thing)[0]


def unread_sources(board: Board, player: str) -> tuple[str, ...]:
    """Return what is not understood of texts that could let `player` have more mana, or other mana, each with its holder."""
    there = [thing for thing in board.objects.values() if thing.zone == "battlefield"]
    unread = [f"{thing.id}: {sentence}" for thing in there if thing.controller == player for sentence in _read(thing)[1]]
    lines = [f"{name}: {line}" for name, line in _lines(board) if _SPENT_AS.match(line.lower())]
    return (*unread, *lines, *lands_changed(board))


def lands_changed(board: Board) -> tuple[str, ...]:
    """Return the texts that could change which mana lands add, each with its holder: they are not followed."""
    lines = _lines(board)
    return tuple(f"{name}: {line}" for name, line in lines if _LAND_TYPES.match(line.lower()) or _FOR_MANA.search(line.lower()))


def _lines(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the lines of all texts on a board, each with its holder."""
    texts = [(thing.id, thing.whole_text) for thing in board.objects.values() if thing.zone == "battlefield" and not thing.face_down]
    texts += [(effect.name or f"effect {number}", effect.text) for number, effect in enumerate(board.effects, start=1)]
    yield from ((name, line) for name, text in texts for line in _lines_of(text))


def _lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text, without reminders."""
    return map(str.strip, _TEXT_OF_REMINDER.sub("", text).splitlines())


def barred_sources(board: Board, player: str) -> dict[str, str]:
    """Return the permanents with which `player` could add mana and perhaps can't, each with the text that may keep it from that."""
    there = [thing for thing in board.objects.values() if thing.zone == "battlefield" and not thing.phased_out]
    mine = [thing for thing in there if thing.controller == player and source_of(thing) is not None]
    texts = [(one.id, one.whole_text, one.controller == player, {one.attached_to} - {None}) for one in there if mine and not one.face_down]
    if mine:
        effects = enumerate(board.effects, start=1)
        texts += [(one.name or f"effect {place}", one.text, one.controller == player, set(one.affects)) for place, one in effects]
    found: dict[str, str] = {}
    for holder, text, own, on in texts:
        for line in _lines_of(text):
            if _BARS.match(line.lower()):
                found |= {thing.id: f"{holder}: {line}" for thing in mine if _may_speak_of(line.lower(), thing, own=own, on=on)}
    return found


def _may_speak_of(line: str, thing: Object, *, own: bool, on: Collection[str | None]) -> bool:
    """Tell whether a text may speak of abilities of a player's permanent: `own` if it is theirs, `on` what it is attached to or names."""
    whose = _ABILITIES_OF.search(line)
    described = whose[1] if whose else ""
    if ("opponents control" in described and own) or ("you control" in described and not own):
        return False
    if on and not (whose and re.search(r"\b(?!enchanted|equipped)\w+s\b", described)):
        return thing.id in on
    kinds = [word.lower() for word in (*thing.types, *thing.subtypes)]
    return not whose or bool(re.search(r"\b(?:sources|permanents?)\b", described)) or any(kind in described for kind in kinds)


def _read(thing: Object) -> tuple[Source | None, tuple[str, ...]]:
    text = thing.whole_text
    if thing.face_down or "add" not in text.lower():
        return None, ()
    sources, unread = [], []
    for line in _TEXT_OF_REMINDER.sub("", text).splitlines():
        found = _ability(line, thing)
        if found is not None:
            sources.append(found)
        elif re.search(r"\badds?\b", line.lower()) and ("{" in line or "mana" in line.lower()):
            unread.append(line.strip())
    basic = any(subtype.title() in basic_land_types() for subtype in thing.subtypes)
    if len(sources) + basic > 1:
        # Several abilities that add one mana each are like one that lets choose.
        if any(len(source.mana) > 1 or not source.taps for source in sources):
            return None, (*unread, *text.splitlines())
        sacrificed = {source.sacrificed for source in sources} | ({False} if basic else set())
        kinds = frozenset().union(*(source.mana[0] for source in sources))
        sources = [Source((kinds,), sacrificed=None if len(sacrificed) > 1 else sacrificed.pop())]
    return (sources[0] if sources else None), tuple(unread)


def _ability(line: str, thing: Object) -> Source | None:
    """Read one activated mana ability whose cost is only to tap or sacrifice the permanent itself."""
    lowered = line.strip().lower()
    for name in filter(None, (thing.name, thing.id)):
        lowered = re.sub(rf"\b{re.escape(name.lower())}(?=[:,])", "~", lowered)
    match = _ADDS.match(lowered)
    cost = next((kind for kind, form in _COSTS.items() if match and form.fullmatch(match["cost"].strip())), None)
    if match is None or cost is None:
        return None
    what = match["what"].strip()
    if what == "one mana of any color":
        mana: tuple[frozenset[str], ...] = (_COLORS,)
    elif _CHOICE.fullmatch(what):
        mana = (frozenset(_LETTERS[symbol.upper()] for symbol in _SYMBOL.findall(what)),)
    else:
        symbols = [symbol.upper() for symbol in _SYMBOL.findall(what)]
        if _SYMBOL.sub("", what) or any(symbol not in _LETTERS or symbol in "PS" for symbol in symbols):
            return None
        mana = tuple(frozenset({_LETTERS[symbol]}) for symbol in symbols)
    return Source(mana, taps=cost == "tap", sacrificed="sacrifice" in match["cost"]) if mana else None


# ---------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class _Set:
    """Kinds of mana, and perhaps life, that count; those in `again` count once more."""

    kinds: frozenset[str]
    again: frozenset[str] = frozenset()

    @property
    def of_mana(self) -> int:
        """What one mana counts, since 2 life pay for a Phyrexian symbol (107.4f)."""
        return 2 if _LIFE in self.kinds else 1

    def weighs(self, symbol: str, asked: frozenset[str]) -> int:
        """Return how much of what is in the set `symbol`, which one of the kinds `asked` pays, needs at least."""
        if symbol == "generic" or is_twofold(symbol):
            times = self.kinds.issuperset(_MANA) * (1 + (is_twofold(symbol) and asked <= self.again))
        else:
            times = (asked <= self.kinds) + (asked <= self.again)
        return times * (1 if symbol == _LIFE else self.of_mana)


def _sets(asked: Mapping[str, frozenset[str]]) -> list[_Set]:
    """Return the sets that matter where symbols are to be paid, the one that has everything first."""
    all_mana, whole = frozenset(_MANA), frozenset({*_MANA, _LIFE})
    twofold = any(map(is_twofold, asked))
    sets = {whole} | _unions(kinds for symbol, kinds in asked.items() if not is_twofold(symbol))
    found = []
    if twofold:
        sets |= {all_mana, frozenset({_LIFE})}
        again = _unions(kinds for symbol, kinds in asked.items() if symbol not in ("generic", _LIFE))
        lows = [all_mana, whole] if any(_LIFE in kinds for kinds in again) else [all_mana]
        found = [_Set(low, high) for low in lows for high in sorted(again, key=sorted) if high <= low]
    return [_Set(whole), *(_Set(kinds) for kinds in sorted(sets - {whole}, key=sorted)), *found]


def _unions(sets: Iterable[frozenset[str]]) -> set[frozenset[str]]:
    """Return all that can be put together of `sets`, one or more."""
    found: set[frozenset[str]] = set()
    for one in sets:
        found |= {one | other for other in found} | {one}
    return found


def mana_facts(symbols: Iterable[str]) -> Iterator[tuple[str, tuple[int | str, ...]]]:
    """Yield which sets of kinds of mana and life matter where `symbols` are to be paid, and what each symbol counts in each of them.

    Life counts one for each point; so in sets that have it mana counts 2, since 2 life pay for a Phyrexian symbol (107.4f).
    """
    asked = {symbol: kinds_for(symbol) for symbol in symbols}
    if not asked:
        return
    sets = _sets(asked)
    asked |= {kind: frozenset({kind}) for kind in (*_MANA, _LIFE)} | {"generic": frozenset(_MANA)}
    for number, one in enumerate(sets, start=1):
        yield "mana_set", (number,)
        yield "weight", (number, one.of_mana)
        yield from (("among", (kind, number)) for kind in sorted(one.kinds))
        yield from (("again_among", (kind, number)) for kind in sorted(one.again))
        for symbol, kinds in asked.items():
            if weight := one.weighs(symbol, kinds):
                yield "weighs", (term_of(symbol), number, weight)
        yield from _ceiling(number, one, asked)


def _ceiling(number: int, one: _Set, asked: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, tuple[int | str, ...]]]:
    """Yield how much at most of what is in a set each symbol is paid with, where that says something: of everything, and of life."""
    only_life = one == _Set(frozenset({_LIFE}))
    if not only_life and one != _Set(frozenset({*_MANA, _LIFE})):
        return
    yield "ceiling", (number,)
    if only_life:
        yield "in_twos", (number,)
    for symbol, kinds in asked.items():
        if kinds & one.kinds:
            yield "takes", (term_of(symbol), number, 1 if symbol == _LIFE else 4 if is_twofold(symbol) else 2)


def unread_together(symbols: Collection[str]) -> Iterator[str]:
    """Yield what is not worked out where `symbols` are to be paid from what a player has.

    A set that has life twice is right only where life pays in twos (asp/118-mana.lp).
    """
    if _LIFE in symbols and any(map(is_twofold, symbols)) and any(_LIFE in kinds_for(symbol) for symbol in symbols if symbol != _LIFE):
        yield "how symbols that cost two mana or one, symbols that cost mana or 2 life, and other life are paid together"


def term_of(symbol: str) -> str:
    """Return what a symbol of `mana_amounts` is called in asp/."""
    return f'"{symbol}"' if "/" in symbol else symbol
