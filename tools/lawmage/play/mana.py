"""Mana: costs and payments as written (107.4), abilities that add mana (605), and which of it can pay for what.

Each symbol of a cost can be paid with one of some kinds of mana, and each mana there is, is or can become one of some kinds. Everything
can be paid if, for every set of kinds, the symbols that only these can pay are no more than the mana that can be one of these (Hall's
theorem). Which sets matter is worked out here; the sums are in asp/118-mana.lp.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lawmage.board import Board, Object

__all__ = ["Source", "kinds_for", "mana_amounts", "mana_facts", "source_of", "term_of", "unread_sources", "written_mana"]

#: The kinds of mana (106.1), and what is paid with life (107.4f).
_MANA = ("white", "blue", "black", "red", "green", "colorless")
_LIFE = "life"
_LETTERS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless", "P": _LIFE}
_SYMBOL = re.compile(r"\{([^{}]*)\}")
_HYBRID = re.compile(r"[WUBRGC](?:/[WUBRG])?/[WUBRGP]")
_PAYS_LIFE = re.compile(r"(?:pay )?(\d{1,6}) life")
#: More mana of one symbol than this is not read: clingo has 32 bits.
_MOST = 1_000_000
_BASIC_LANDS = frozenset({"plains", "island", "swamp", "mountain", "forest"})
_TEXT_OF_REMINDER = re.compile(r"\([^()]*\)")
_ADDS = re.compile(r"^(?P<cost>[^:\"]+): add (?P<what>[^.]+)\.?$")
_ITSELF = r"(?:this (?:artifact|creature|land|enchantment|permanent|token)|~)"
_COSTS = {"tap": re.compile(rf"\{{t\}}(?:, sacrifice {_ITSELF})?"), "sacrifice": re.compile(rf"sacrifice {_ITSELF}")}
_CHOICE = re.compile(r"\{[wubrgc]\}(?:,? (?:or )?\{[wubrgc]\})+")


def mana_amounts(written: str) -> dict[str, int]:
    """Return how much of each symbol the cost or payment `written` has: `white` ... `green`, `colorless`, `generic`, `W/U`, `life`.

    Life is in points, also where it is written "2 life". Anything that is not symbols in braces, such as `{2}{W/P}`, and life, joined by
    commas or "and", gives an empty answer; so do snow mana, monocolored hybrid symbols, and {X}.
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
    return frozenset(_LETTERS.get(half, half) for half in symbol.split("/"))


# ---------------------------------------------------------------- what adds mana


@dataclass(frozen=True, slots=True)
class Source:
    """What a permanent adds when its mana ability is activated, once: for each mana, the kinds that it can be.

    `taps`: whether it is tapped for that.
    """

    mana: tuple[frozenset[str], ...]
    taps: bool = True


def source_of(thing: Object) -> Source | None:
    """Return what the text of a permanent lets it add, or None where it adds nothing or what it says is not understood.

    What land types let it add (305.6) is left to asp/.
    """
    return _read(thing)[0]


def unread_sources(board: Board, player: str) -> tuple[str, ...]:
    """Return what is not understood of texts that could let `player` have more mana, each with its holder."""
    mine = (thing for thing in board.objects.values() if thing.zone == "battlefield" and thing.controller == player)
    return tuple(f"{thing.id}: {sentence}" for thing in mine for sentence in _read(thing)[1])


def _read(thing: Object) -> tuple[Source | None, tuple[str, ...]]:
    if thing.face_down or "add" not in thing.text.lower():
        return None, ()
    sources, unread = [], []
    for line in _TEXT_OF_REMINDER.sub("", thing.text).splitlines():
        found = _ability(line, thing)
        if found is not None:
            sources.append(found)
        elif re.search(r"\badds?\b", line.lower()) and ("{" in line or "mana" in line.lower()):
            unread.append(line.strip())
    basic = "land" in thing.types and any(subtype.casefold() in _BASIC_LANDS for subtype in thing.subtypes)
    if len(sources) + basic > 1:
        # Several abilities that add one mana each are like one that lets choose.
        if any(len(source.mana) > 1 or not source.taps for source in sources):
            return None, (*unread, *thing.text.splitlines())
        sources = [Source((frozenset().union(*(source.mana[0] for source in sources)),))]
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
        mana: tuple[frozenset[str], ...] = (frozenset(_MANA) - {"colorless"},)
    elif _CHOICE.fullmatch(what):
        mana = (frozenset(_LETTERS[symbol.upper()] for symbol in _SYMBOL.findall(what)),)
    else:
        symbols = [symbol.upper() for symbol in _SYMBOL.findall(what)]
        if _SYMBOL.sub("", what) or any(symbol not in _LETTERS or symbol == "P" for symbol in symbols):
            return None
        mana = tuple(frozenset({_LETTERS[symbol]}) for symbol in symbols)
    return Source(mana, taps=cost == "tap") if mana else None


# ---------------------------------------------------------------- facts


def mana_facts(symbols: Iterable[str]) -> Iterator[tuple[str, tuple[int | str, ...]]]:
    """Yield which sets of kinds of mana and life matter where `symbols` are to be paid, and what each symbol counts in each of them.

    Life counts one for each point; so in sets that have it mana counts 2, since 2 life pay for a Phyrexian symbol (107.4f).
    """
    asked = {symbol: kinds_for(symbol) for symbol in symbols}
    if not asked:
        return
    whole = frozenset({*_MANA, _LIFE})
    sets = {whole}
    for kinds in asked.values():
        sets |= {kinds | others for others in sets} | {kinds}
    asked |= {kind: frozenset({kind}) for kind in whole} | {"generic": frozenset(_MANA)}
    for number, members in enumerate(sorted(sets, key=sorted), start=1):
        of_mana = 2 if _LIFE in members else 1
        yield "mana_set", (number,)
        yield "weight", (number, of_mana)
        if members == whole:
            yield "whole", (number,)
        yield from (("among", (kind, number)) for kind in sorted(members))
        for symbol, kinds in asked.items():
            if kinds <= members:
                yield "weighs", (term_of(symbol), number, 1 if symbol == _LIFE else of_mana)


def term_of(symbol: str) -> str:
    """Return what a symbol of `mana_amounts` is called in asp/."""
    return f'"{symbol}"' if "/" in symbol else symbol
