"""What a SPARQL query may not do, found by the engine's own parser.

Two words of SPARQL name places to read from: SERVICE asks another server, and FROM chooses the graphs. Whether such a word is used, or
only stands in a text, a comment or a name, depends on everything before it. So the query is parsed once more with other letters in the
word's place: where it only is a part of a text or name, the query stays a query; where it is used, nothing can stand in for it.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Collection

from pyoxigraph import Literal, Store, Variable

from lawmage.errors import InputError

__all__ = ["refuse_other_sources"]

_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})")
#: FROM or FROM NAMED with the whole name of a graph, as the grammar has it.
_FROM = re.compile(r"FROM[ \t\r\n]*(?:NAMED[ \t\r\n]*)?<([^<>\"{}|^`\\\x00-\x20]*)>", re.IGNORECASE)
#: Letters of which no word of SPARQL is made.
_LETTERS = "jkqvxz"


def refuse_other_sources(text: str, name: str, *, graphs: Collection[str] | None = None) -> None:
    """Raise an error if a query would read from elsewhere. A text that is no query at all passes: the engine will say why.

    Args:
        text: the query.
        name: what the message calls it.
        graphs: the names of the graphs that FROM may choose; None if it may name anything, which is then just not there.

    Raises:
        InputError: if it uses SERVICE, or FROM with another graph, or writes one of these words with escapes.
    """
    plain = _CODE_POINT.sub(lambda match: chr(min(int(match[1] or match[2], 16), sys.maxunicode)), text)
    for word in ("service", "from"):
        if plain.lower().count(word) != text.lower().count(word):
            raise InputError(f"a query may not write {word.upper()} with escapes, wherever it stands", file=name)
    if _uses("service", text, spared=set()):
        raise InputError("a query may not use SERVICE: no other server is asked", file=name)
    if graphs is None:
        return
    named = {match.start() for match in _FROM.finditer(text) if match[1] in graphs}
    if _uses("from", text, spared=named):
        raise InputError(
            "a query may use FROM only with the whole name of a graph that is here, such as FROM <urn:lawmage:rules:lineage>: "
            "nothing is fetched from elsewhere",
            file=name,
        )


def _uses(word: str, text: str, *, spared: Collection[int]) -> bool:
    """Return whether a word is used in a query, rather than only being a part of texts, comments or names, except at some places."""
    instead: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        if match.start() in spared:
            return match[0]
        # Each spelling has letters of its own, so that names stay as different as they were.
        return instead.setdefault(match[0], _unused(len(word), text, instead))

    changed = re.sub(word, other, text, flags=re.IGNORECASE)
    return bool(instead) and _is_query(text) and not _is_query(changed)


def _unused(length: int, text: str, instead: dict[str, str]) -> str:
    """Return letters that nobody can have guessed and that stand nowhere yet."""
    while True:
        letters = "".join(random.SystemRandom().choices(_LETTERS, k=length))
        if letters not in text.lower() and letters not in instead.values():
            return letters


def _is_query(text: str) -> bool:
    """Return whether the engine can read a query. Nothing is evaluated: a value for a variable that it doesn't have stops that."""
    try:
        Store().query(text, substitutions={Variable(_unused(20, text, {})): Literal("")})
    except SyntaxError:
        return False
    except RuntimeError:
        return True
    raise AssertionError("the engine has begun to evaluate a query that was only to be read")
