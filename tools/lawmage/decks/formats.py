"""Formats: what a deck has to be, read from kb/formats/ or from a user's own file in Turtle or YAML.

What the kinds of provision mean is written in asp/; kb/formats/vocabulary.ttl says what each takes. Nothing here interprets them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import pyoxigraph

from lawmage.cards.spelling import key
from lawmage.constraints import Filter, Test
from lawmage.errors import DataError, InputError, UnknownNameError, suggestion
from lawmage.play.knowledge import loaded, rows_of
from lawmage.resources import data_folder

__all__ = [
    "Ban",
    "Bend",
    "Breach",
    "DeckKnowledge",
    "Format",
    "Provision",
    "deck_knowledge",
    "load_format",
    "load_format_file",
    "present_name",
    "read_format",
    "shipped_format",
]

#: The largest file of a user's own format, in bytes.
LARGEST_FILE = 1 << 20
ROLES = ("deck", "commander", "companion")


@dataclass(frozen=True, slots=True)
class Provision:
    """Something that a format asks of a deck, or allows in it.

    Attributes:
        kind: the `lm:term` of its class in kb/formats/vocabulary.ttl.
        rule: the rule that states it, in the numbering of the encoded release; `format rule` where the rulebook has none.
        since, until: the first and the last release that has it, empty where unlimited.
        number: the number in it, None where it has none.
        subject, object: the cards it is about; None for every card.
        called: what cards that fit are called in a sentence.
        keyword, text: for pairs, the ability and the words in its slot (None for any).
        partner: for pairs, `same`, `mutual` or `other`.
        alone: for pairs, whether what the object describes can be a commander in other ways too.
    """

    kind: str
    rule: str
    since: str = ""
    until: str = ""
    number: int | None = None
    subject: Filter | None = None
    object: Filter | None = None
    called: str = ""
    keyword: str = ""
    text: str | None = None
    partner: str = ""
    alone: bool = True

    def holds(self, release: str) -> bool:
        """Return whether the rules of `release` have it."""
        return self.since <= release and not (self.until and release > self.until)


@dataclass(frozen=True, slots=True)
class Ban:
    """That a card can't be played from `banned` until the day before `lifted`.

    Its `role` is where: in a `deck`, as `commander` or as `companion`; or that it is `restricted` to one copy.
    """

    card: str
    role: str = "deck"
    reason: str = "banned"
    banned: str = ""
    lifted: str = ""

    def holds(self, day: str) -> bool:
        """Return whether the card is banned on `day`."""
        return self.banned <= day and not (self.lifted and day >= self.lifted)


@dataclass(frozen=True, slots=True)
class Bend:
    """A statement on deck construction that a format takes a card to have."""

    card: str
    kind: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that can be wrong with a deck: its word in asp/, the sentence for it, and what part of a deck it is about."""

    term: str
    says: str
    about: str


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes:
        name: as `--format` takes it.
        label: its name for people.
        legality: the publishers' word for it; None if every card is in its pool.
        provisions: what it provides in any release.
        bans: with their dates.
        allows: full names of cards that are in its pool whatever the publishers say.
        bends: what it takes cards to state.
    """

    name: str
    label: str
    legality: str | None = None
    provisions: tuple[Provision, ...] = ()
    bans: tuple[Ban, ...] = ()
    allows: frozenset[str] = frozenset()
    bends: tuple[Bend, ...] = ()

    def provided(self, release: str) -> tuple[Provision, ...]:
        """Return what it provides as of a release."""
        return tuple(provision for provision in self.provisions if provision.holds(release))

    @cached_property
    def announcements(self) -> tuple[str, ...]:
        """The days on which its ban list changed, as far as known, in order."""
        return tuple(sorted({day for ban in self.bans for day in (ban.banned, ban.lifted) if day}))

    def list_of(self, day: str) -> str:
        """Return the day of the ban list that was in force on `day`; empty if it is older than all announcements known."""
        return next((announced for announced in reversed(self.announcements) if announced <= day), "")


@dataclass(frozen=True)
class DeckKnowledge:
    """What kb/formats/ says besides the formats.

    Attributes:
        formats: by name.
        older_names: for names of cards that are interchangeable with a later one (201.3), that one.
        breaches: what can be wrong with a deck, by the word in asp/.
        produces: the colour of mana of each basic land type.
        every_creature_type: keywords and kinds of statement that make a card every creature type.
        statements: the kinds of statement of cards on building decks; for those that a format can give to a card, what it takes (`nothing`
            or `number`), else an empty string.
        asking: those that bear on the other cards of a deck that the card leads.
        pairing: those that let the card be one of two commanders, each with the rule that says so.
        choosing: those that have a colour chosen for the card.
        typing: those whose value is a type or subtype that the card has.
    """

    formats: Mapping[str, Format]
    older_names: Mapping[str, str]
    breaches: Mapping[str, Breach]
    produces: Mapping[str, str]
    every_creature_type: frozenset[str]
    statements: Mapping[str, str]
    asking: frozenset[str]
    pairing: Mapping[str, str]
    choosing: frozenset[str]
    typing: frozenset[str]


def deck_knowledge() -> DeckKnowledge:
    """Return what the installed kb/formats/ says; read once for each folder."""
    return _load(data_folder("kb"), data_folder("queries") / "compile")


def present_name(name: str) -> str | None:
    """Return the name under which the publishers list a card whose earlier name, interchangeable with it (201.3), is `name`; else None."""
    return _present_names(data_folder("kb"), data_folder("queries") / "compile").get(key(name))


@lru_cache(maxsize=8)
def _present_names(kb: Path, queries: Path) -> dict[str, str]:
    return {key(older): newer for older, newer in _load(kb, queries).older_names.items()}


def load_format(name: str) -> Format:
    """Return the format called `name`, or the one that the file `name` describes.

    Raises:
        UnknownNameError: if there is no such format.
        InputError: if it is a file that cannot be read as a format.
    """
    if name not in deck_knowledge().formats and Path(name).suffix.lower() in (".ttl", ".yaml", ".yml", ".json"):
        return load_format_file(name)
    return shipped_format(name)


def shipped_format(name: str) -> Format:
    """Return the format called `name`; never a file.

    Raises:
        UnknownNameError: if there is no such format.
    """
    formats = deck_knowledge().formats
    if name in formats:
        return formats[name]
    known = f"; known are {', '.join(sorted(formats))}"
    raise UnknownNameError(f'there is no format "{name[:80]}"{suggestion(name[:80], formats) or known}')


def load_format_file(path: str | Path) -> Format:
    """Return the format that a user's own file describes: Turtle in the words of kb/formats/, or YAML or JSON.

    Raises:
        InputError: if it isn't one; the message names the file, the place, and what was expected.
    """
    file = Path(path)
    if file.suffix.lower() == ".ttl":
        return _from_turtle(file)
    from lawmage.decks.house_format import format_of
    from lawmage.yaml_tree import load_tree

    return format_of(load_tree(file), str(file), deck_knowledge())


def read_format(text: str, *, file: str) -> Format:
    """Return the format that a text of YAML or JSON describes; `file` is its name for messages.

    Raises:
        InputError: if it isn't one.
    """
    from lawmage.decks.house_format import format_of
    from lawmage.yaml_tree import parse_tree

    return format_of(parse_tree(text, file=file), file, deck_knowledge())


def _from_turtle(file: Path) -> Format:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise InputError(f"the file has more than {LARGEST_FILE} bytes", file=file)
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", file=file) from None
    store = _store(data_folder("kb"))
    own = pyoxigraph.Store()
    try:
        own.load(input=data, format=pyoxigraph.RdfFormat.TURTLE)
    except SyntaxError as error:
        raise InputError(f"is not Turtle: {error.msg}", file=file, line=error.lineno) from None
    triples = own.quads_for_pattern(None, pyoxigraph.NamedNode("urn:lawmage:vocabulary:name"), None)
    named = [quad.object.value for quad in triples if isinstance(quad.object, pyoxigraph.Literal)]
    known = deck_knowledge().formats
    mine = [name for name in named if name not in known]
    if len(mine) != 1:
        wrong = f"names {', '.join(sorted(named))}" if named else "names none (lm:name)"
        raise InputError(f"a file of a format describes one new format, but this {wrong}", file=file)
    store.load(input=data, format=pyoxigraph.RdfFormat.TURTLE)
    try:
        return _formats(store, data_folder("queries") / "compile")[mine[0]]
    except KeyError:
        raise InputError(f'"{mine[0]}" is not described as an lm:Format', file=file) from None
    except DataError as error:
        raise InputError(str(error), file=file) from None


def _store(kb: Path) -> pyoxigraph.Store:
    return loaded(kb / "vocabulary.ttl", *sorted((kb / "formats").glob("*.ttl")))


@lru_cache(maxsize=8)
def _load(kb: Path, queries: Path) -> DeckKnowledge:
    store = _store(kb)
    types = list(rows_of(store, queries / "every-creature-type.rq"))
    statements = list(rows_of(store, queries / "format-statements.rq"))
    return DeckKnowledge(
        formats=_formats(store, queries),
        older_names={row["older"]: row["newer"] for row in rows_of(store, queries / "interchangeable-names.rq")},
        breaches={row["term"]: Breach(row["term"], row["says"], row["about"]) for row in rows_of(store, queries / "deck-breaches.rq")},
        produces={row["type"]: row["color"] for row in rows_of(store, queries / "basic-land-types.rq")},
        every_creature_type=frozenset(row["keyword"] or row["kind"] for row in types),
        statements={row["term"]: row["takes"] or "" for row in statements},
        asking=frozenset(row["term"] for row in statements if row["asks"]),
        pairing={row["term"]: row["by"] for row in statements if row["pairs"]},
        choosing=frozenset(row["term"] for row in statements if row["chooses"]),
        typing=frozenset(row["term"] for row in statements if row["gives"]),
    )


def _formats(store: pyoxigraph.Store, queries: Path) -> dict[str, Format]:
    nodes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(store, queries / "formats.rq"):
        nodes[row["format"]].append(row)
    provisions: dict[str, list[Provision]] = defaultdict(list)
    for node, provision in _provisions(rows_of(store, queries / "format-provisions.rq")):
        provisions[node].append(provision)
    bans: dict[str, list[Ban]] = defaultdict(list)
    for row in rows_of(store, queries / "format-bans.rq"):
        bans[row["format"]].append(_ban(row))
    takes = {row["term"]: row["takes"] for row in rows_of(store, queries / "format-statements.rq")}
    bends: dict[str, list[Bend]] = defaultdict(list)
    for row in rows_of(store, queries / "format-bends.rq"):
        bends[row["format"]].append(_bend(row, takes))
    made: dict[str, Format] = {}

    def make(node: str, above: tuple[str, ...] = ()) -> Format:
        if node in made:
            return made[node]
        if node not in nodes:
            raise DataError(f"the format {node.rpartition(':')[2]}, on which another is based, is not described")
        if node in above:
            raise DataError(f"the format {nodes[node][0]['name']} is based on itself")
        first = nodes[node][0]
        base = make(first["base"], (*above, node)) if first["base"] else None
        own = Format(
            name=str(first["name"]),
            label=str(first["label"] or first["name"]),
            legality=first["legality"],
            provisions=tuple(provisions[node]),
            bans=tuple(bans[node]),
            allows=frozenset(str(row["allows"]) for row in nodes[node] if row["allows"]),
            bends=tuple(bends[node]),
        )
        made[node] = inherit(own, base) if base else own
        return made[node]

    return {found.name: found for found in map(make, sorted(nodes))}


def inherit(own: Format, base: Format) -> Format:
    """Return `own` with what it has from the format on which it is based: the kinds of provision that it does not state itself, and,
    where the publishers have the same word for both, the bans.
    """
    stated = {provision.kind for provision in own.provisions}
    same_pool = own.legality in (None, base.legality)
    return replace(
        own,
        legality=own.legality or base.legality,
        provisions=own.provisions + tuple(provision for provision in base.provisions if provision.kind not in stated),
        bans=own.bans + (base.bans if same_pool else ()),
        allows=own.allows | (base.allows if same_pool else frozenset()),
        bends=own.bends + base.bends,
    )


def _provisions(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Provision]]:
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["format"], row["provision"]].append(row)
    for (node, _), group in groups.items():
        yield node, _provision(group)


def _provision(rows: list[dict[str, Any]]) -> Provision:
    first = rows[0]
    if not first["kind"]:
        what = str(first["class"] or "nothing").rpartition(":")[2]
        raise DataError(f"a provision is of the kind {what}, which kb/formats/vocabulary.ttl doesn't have")
    if not first["rule"]:
        raise DataError(f'the provision {first["kind"]} has no lm:rule; write "format rule" where the rulebook has none')
    if first["number"] is not None and (not isinstance(first["number"], int) or not 0 <= first["number"] <= 100_000):
        raise DataError(f"the number of the provision {first['kind']} is {first['number']}, expected a whole number from 0 to 100000")
    return Provision(
        kind=first["kind"],
        rule=str(first["rule"]),
        since=str(first["since"] or ""),
        until=str(first["until"] or ""),
        number=first["number"],
        subject=_filter([row for row in rows if row["slot"] == "subject"]),
        object=_filter([row for row in rows if row["slot"] == "object"]),
        called=str(first["called"] or ""),
        keyword=str(first["keyword"] or ""),
        text=first["text"],
        partner=str(first["with"] or ""),
        alone=first["alone"] is not False,
    )


def _filter(rows: list[dict[str, Any]]) -> Filter | None:
    if not rows:
        return None
    alternatives: dict[str, list[Test]] = defaultdict(list)
    for row in rows:
        tests = alternatives[row["alternative"]]
        if row["testNode"]:
            if not row["test"]:
                raise DataError("a filter has a test of a kind that neither kb/vocabulary.ttl nor kb/formats/vocabulary.ttl has")
            tests.append(Test(row["test"], row["testValue"], bool(row["negated"])))
    return Filter(tuple(sorted((tuple(sorted(tests, key=repr)) for tests in alternatives.values()), key=repr)))


def _ban(row: dict[str, Any]) -> Ban:
    if not isinstance(row["card"], str):
        raise DataError("a ban names no card (lm:card)")
    if (row["role"] or "deck") not in ROLES:
        raise DataError(f'the ban of {row["card"]} is for the role "{row["role"]}", expected {", ".join(ROLES)}')
    return Ban(row["card"], row["role"] or "deck", row["reason"] or "banned", row["banned"] or "", row["lifted"] or "")


def _bend(row: dict[str, Any], takes: Mapping[str, str | None]) -> Bend:
    if not isinstance(row["card"], str):
        raise DataError("what a format bends names no card (lm:card)")
    known = [kind for kind, what in takes.items() if what]
    if row["kind"] not in known:
        raise DataError(f'{row["card"]} is taken to state "{row["kind"]}", expected one of {", ".join(known)}')
    if (takes[row["kind"]] == "number") != isinstance(row["number"], int):
        raise DataError(f"what {row['card']} is taken to state, {row['kind']}, takes {takes[row['kind']]} (lm:number)")
    return Bend(row["card"], row["kind"], row["number"])
