"""Facts for asp/, by predicate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from lawmage.play.program import Places, Signature, signatures_of
from lawmage.play.rule_functions import KEYS, NUMBERS_OF_SIZE, number_of
from lawmage.play.stratified import Key, Relation, Row, RowsLater

__all__ = ["Facts", "quoted"]


@lru_cache(maxsize=4096)
def quoted(word: str) -> str:
    """Return `word` as an ASP string, in lower case."""
    escaped = word.casefold().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


class Facts:
    """Facts by predicate, on top of those of `base`, in the form that `lawmage.play.stratified` reads."""

    def __init__(self, base: Facts | None = None) -> None:
        self._base = base
        #: By the numbers of the predicates.
        self._own: defaultdict[int, Relation] = defaultdict(Relation)

    def add(self, name: str, *arguments: int | str) -> None:
        """Add the fact `name(arguments)`; strings are written as they are."""
        size = len(arguments)
        self._own[NUMBERS_OF_SIZE[size][name]].rows[arguments if size != 1 else arguments[0]] = None

    def add_all(self, facts: Iterable[tuple[str, tuple[int | str, ...]]]) -> None:
        """Add facts, each a predicate and its arguments."""
        own = self._own
        for name, arguments in facts:
            size = len(arguments)
            own[NUMBERS_OF_SIZE[size][name]].rows[arguments if size != 1 else arguments[0]] = None

    def add_rows(self, name: str, size: int, rows: Iterable[Row]) -> None:
        """Add the facts of the predicate `name` with `size` arguments; where it is one, rows are that argument alone."""
        found = dict.fromkeys(rows)
        number = NUMBERS_OF_SIZE[size][name]
        if number in self._own:
            self._own[number].rows.update(found)
        elif found:
            self._own[number] = Relation(found)

    def take_rows(self, name: str, size: int, rows: dict[Row, None]) -> None:
        """Add facts as `add_rows` does; `rows` belong to the facts from then on, so nobody else may have them."""
        number = NUMBERS_OF_SIZE[size][name]
        if number in self._own:
            self._own[number].rows.update(rows)
        elif rows:
            self._own[number] = Relation(rows)

    def add_later(self, name: str, size: int, make: Callable[[], dict[Row, None]]) -> None:
        """Add facts as `take_rows` does, of which there are some, with arguments that are made when they are asked for."""
        number = NUMBERS_OF_SIZE[size][name]
        if number in self._own:
            self._own[number].rows.update(make())
        else:
            self._own[number] = RowsLater(make)

    def rows(self, name: str, arity: int) -> Iterator[tuple[int | str, ...]]:
        """Yield the arguments of the facts of one predicate."""
        if self._base is not None:
            yield from self._base.rows(name, arity)
        number = number_of((name, arity))
        if number in self._own:
            yield from _arguments((name, arity), self._own[number])

    def copy(self) -> Facts:
        """Return facts that start with these, to which others can be added; nothing may be added to these any more."""
        return Facts(self)

    @property
    def predicates(self) -> frozenset[int]:
        """The predicates that there are facts of, by their numbers."""
        return frozenset(self._own) if self._base is None else self._base.predicates.union(self._own)

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates and constants that occur (see `lawmage.play.program`)."""
        return self.signatures_at(None)

    def signatures_at(self, places: Places | None) -> frozenset[Signature]:
        """Return the predicates that occur, and the constants that occur at `places`."""
        own = signatures_of({KEYS[number]: relation.rows for number, relation in self._own.items()}, places)
        return frozenset(own if self._base is None else own | self._base.signatures_at(places))

    def relations(self) -> dict[int, Relation]:
        """Return the facts as `lawmage.play.stratified` reads them, for as long as no others are added."""
        if self._base is None:
            return dict(self._own)
        found = self._base.relations()
        for number, own in self._own.items():
            found[number] = Relation(found[number].rows | own.rows) if number in found else own
        return found

    def joined(self) -> Facts:
        """Return the same facts on top of none, so that they are put together once."""
        if self._base is None:
            return self
        found = Facts()
        found._own.update(self.relations())
        return found

    @staticmethod
    def union(parts: Iterable[Facts]) -> Facts:
        """Return the facts of all `parts`, which are on top of none. Nothing may be added to any of them any more."""
        found = Facts()
        own = found._own
        shared: set[int] = set()
        for part in parts:
            for number, relation in part._own.items():
                if number not in own:
                    own[number] = relation
                elif number in shared:
                    own[number].rows.update(relation.rows)
                else:
                    own[number] = Relation(own[number].rows | relation.rows)
                    shared.add(number)
        return found

    def text(self, names: Iterable[str] | None = None) -> str:
        """Return the facts as a program: all of them, or those of the predicates `names`."""
        chosen = None if names is None else set(names)
        own = "\n".join(
            f"{key[0]}({','.join(map(str, arguments))})."
            for key, relation in ((KEYS[number], relation) for number, relation in self._own.items())
            if chosen is None or key[0] in chosen
            for arguments in _arguments(key, relation)
        )
        return own if self._base is None else f"{self._base.text(chosen)}\n{own}"


def _arguments(key: Key, relation: Relation) -> Iterable[tuple[int | str, ...]]:
    return ((row,) for row in relation.rows) if key[1] == 1 else relation.rows
