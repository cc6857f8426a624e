"""Facts for asp/ about a format, cards and decks.

Cards, filters, constraints and words are numbers there, given once for each `Vocabulary`. The facts of a card are written once and kept as
text: those that every deck with the card needs, and those about its characteristics, for cards about which something is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lawmage.cards.card import Card, Face
from lawmage.cards.layouts import load_layouts
from lawmage.cards.spelling import key
from lawmage.constraints import Constraint, Filter
from lawmage.decks.formats import Bend, DeckKnowledge, Format, Provision
from lawmage.text.words import listed, subtype

__all__ = ["COLORS", "CardFacts", "Vocabulary", "bits"]

#: The colours in the rulebook's order (105.1); in facts, each is a bit.
COLORS = ("white", "blue", "black", "red", "green")
_BIT = {color: 1 << number for number, color in enumerate(COLORS)}
_SYMBOL = re.compile(r"\{[^{}]+\}")
_SLOT = re.compile(r"\\\[\w+\\\]")


def bits(colors: Iterable[str]) -> int:
    """Return colours as the sum of their bits."""
    return sum(_BIT[color] for color in set(colors) if color in _BIT)


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card's number and facts.

    Attributes:
        number: its number in asp/.
        always: what every deck with it needs.
        leading: what is needed if it is a commander.
        outside: what is needed if it is a companion.
        asked: its characteristics and what it states, for cards about which something is asked.
    """

    number: int
    always: str
    leading: str
    outside: str
    asked: str


@dataclass
class Vocabulary:
    """The numbers of one format as of a release and a ban list, and the facts that do not depend on any deck.

    Attributes:
        provisions: what the format provides, each with its number (its place) and the number of its rule in the release.
        day: the day whose ban list counts.
    """

    format: Format
    provisions: Sequence[tuple[Provision, str]]
    day: str
    known: DeckKnowledge
    cards: list[Card] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    _facts: dict[str, CardFacts] = field(default_factory=dict)
    _filters: dict[Filter, tuple[int, str]] = field(default_factory=dict)
    _tests: dict[tuple[str, str | int | None], int] = field(default_factory=dict)
    _words: dict[str, int] = field(default_factory=dict)
    _constraints: int = 0
    text: str = ""

    def __post_init__(self) -> None:
        self._patterns = [(number, _pattern(provision.keyword), provision) for number, (provision, _) in enumerate(self.provisions)]
        self._banned: dict[str, list[tuple[str, str]]] = {}
        for ban in self.format.bans:
            if ban.holds(self.day):
                self._banned.setdefault(ban.card, []).append((ban.role, ban.reason))
        self._listed = {ban.card for ban in self.format.bans}
        self._bends: dict[str, list[Bend]] = {}
        for bend in self.format.bends:
            self._bends.setdefault(bend.card, []).append(bend)
        self._constraints = len(self.provisions)
        self.text = "".join(self._provision_facts())

    def of(self, card: Card) -> CardFacts:
        """Return the facts of a card."""
        found = self._facts.get(card.oracle_id)
        if found is None:
            found = self._facts[card.oracle_id] = self._made(card)
        return found

    # ---------------------------------------------------------------- the format

    def _provision_facts(self) -> Iterator[str]:
        for number, (provision, rule) in enumerate(self.provisions):
            yield f'provision({number},{provision.kind}). rule({number},"{rule}").'
            if provision.number is not None:
                yield f"number({number},{provision.number})."
            yield self._side("subject", number, provision.subject) + self._side("object", number, provision.object)
            if provision.partner:
                yield f"with({number},{provision.partner})."
                if not provision.alone:
                    yield f"never_alone({number})."
                if provision.keyword == self._few_colors_keyword():
                    yield f"partner_words({number},{self._word(provision.text or '')})."

    def _few_colors_keyword(self) -> str:
        return next((provision.keyword for provision, _ in self.provisions if provision.kind == "few_colors_partner"), "")

    def _side(self, side: str, number: int, described: object) -> str:
        if not isinstance(described, Filter):
            return ""
        name, facts = self._filter(described)
        return f"{side}({number},{name}).{facts}"

    def _filter(self, described: Filter) -> tuple[int, str]:
        """Return the number of a filter, and the facts about it."""
        if described not in self._filters:
            number = len(self._filters)
            facts = [f"late({number}). absolute_filter({number})."]
            for place, tests in enumerate(described.any_of):
                facts.append(f"alternative({number},{place}).")
                for test in tests:
                    name, fact = self._test(test.kind, test.value)
                    facts.append(f"{fact}part{'_not' if test.negated else ''}({number},{place},{name}).")
                    if test.kind == "open":
                        facts.append(f"open_filter({number}).")
            self._filters[described] = number, "".join(facts)
        return self._filters[described]

    def _test(self, kind: str, value: str | int | None) -> tuple[int, str]:
        value = value.lower() if isinstance(value, str) else value
        number = self._tests.setdefault((kind, value), len(self._tests))
        written = "" if value is None else f",{value}" if isinstance(value, int) else f",{_quoted(value)}"
        creature = isinstance(value, str) and kind == "subtype" and value in _creature_types()
        return number, f"test({number},{kind}{written}). absolute({number})." + (
            f"creature_type({_quoted(str(value))})." if creature else ""
        )

    def _word(self, word: str) -> int:
        return self._words.setdefault(word, len(self._words))

    # ---------------------------------------------------------------- cards

    def _made(self, card: Card) -> CardFacts:
        number = len(self.cards)
        self.cards.append(card)
        faces = card.faces if card.layout in load_layouts().combined else card.faces[:1]
        produced = bits(self.known.produces[kind] for face in faces for kind in face.subtypes if kind in self.known.produces)
        identity = bits(card.color_identity)
        always = f"symbols({number},{identity})." if identity else ""
        if produced:
            always += f"produces({number},{produced})."
        always += "".join(self._allowed(number, card))
        # what follows asks about basic lands in every deck whose commander has no colours
        asked = "".join(self._characteristics(number, card, faces))
        if produced and "basic" in faces[0].supertypes:
            always += asked
        return CardFacts(
            number,
            always,
            f"identity({number},{identity})." + self._couples(number, card, faces),
            (f"companion_colors({number},{identity})." if identity else "") + self._companion(number, faces),
            asked,
        )

    def _allowed(self, number: int, card: Card) -> Iterator[str]:
        if card.name in self.format.allows:
            return
        roles = dict(self._banned.get(card.name, ()))
        word = card.legalities.get(self.format.legality) if self.format.legality else "legal"
        if word == "banned" and "deck" not in roles and card.name not in self._listed:
            roles["deck"] = f"the card data call it banned in {self.format.label}"
        for role, reason in roles.items():
            self.reasons.append(reason)
            yield f"banned({number},{role},{len(self.reasons) - 1})."
        if word == "restricted":
            yield f"restricted({number})."
        elif word is None and not roles:
            yield f"not_in_pool({number})."

    def _characteristics(self, number: int, card: Card, faces: Sequence[Face]) -> Iterator[str]:
        yield f"card({number})."
        constraints = [made for face in faces for made in face.constraints]
        constraints += [Constraint(bend.kind, number=bend.number) for bend in self._bends.get(card.name, ())]
        elsewhere = [made.value for made in constraints if made.kind == "is_elsewhere" and made.value]
        subtypes = {word for face in faces for word in face.subtypes} | {word for word in elsewhere if subtype(word)}
        types = {word for face in faces for word in face.types} | {word for word in elsewhere if not subtype(word)}
        printed = {
            "type": types,
            "subtype": subtypes,
            "supertype": {word for face in faces for word in face.supertypes},
            "color": {word for face in faces for word in face.colors},
        }
        for kind, words in printed.items():
            yield from (f"printed({number},{kind},{_quoted(word.lower())})." for word in sorted(words))
        yield f"creature_types({number},{sum(word.lower() in _creature_types() for word in subtypes)})."
        keywords = {word.lower() for face in faces for word in face.keywords}
        if self.known.every_creature_type & (keywords | {made.kind for made in constraints}):
            yield f"every_creature_type({number})."
        yield f"identity_colors({number},{len(set(card.color_identity))})."
        if card.mana_value == int(card.mana_value) and card.mana_value < 1 << 30:
            yield f"mana_value({number},{int(card.mana_value)})."
        power = faces[0].power
        if power is not None and re.fullmatch(r"-?\d{1,9}", power):
            yield f"power({number},{power})."
        if any(face.power is not None for face in faces):
            yield f"has_box({number})."
        if any(face.activated for face in faces):
            yield f"has_activated({number})."
        symbols = _SYMBOL.findall("".join(face.mana_cost or "" for face in faces))
        if len(set(symbols)) < len(symbols):
            yield f"has_repeated_symbol({number})."
        yield from (self._states(number, made) for made in constraints)

    def _states(self, number: int, made: Constraint) -> str:
        """Return a fact for a statement on deck construction; those on play are of no use here, and cost time."""
        if made.kind not in self.known.statements:
            return ""
        name = self._constraints
        self._constraints += 1
        amount = "" if made.number is None else f"number({name},{made.number})."
        sides = self._side("subject", name, made.subject) + self._side("object", name, made.object)
        rule = f'rule({name},"113.6n").' if made.kind == "pairs_with" else ""
        return f"states({name},{number},{made.kind}).{amount}{sides}{rule}"

    def _couples(self, number: int, card: Card, faces: Sequence[Face]) -> str:
        """Return the facts on the abilities of a card that let it be one of two commanders, and on its names."""
        facts = [f"called({number},{self._word(name)})." for name in sorted({key(card.name), *(key(face.name) for face in faces)})]
        for written in sorted({word.lower() for face in faces for word in face.keywords}):
            for place, pattern, provision in self._patterns:
                match = pattern.fullmatch(written) if provision.kind == "pairing" else None
                if match:
                    inside = "".join(match.groups())
                    if provision.text is None or provision.text == inside:
                        words = key(inside) if provision.partner == "mutual" else inside
                        facts.append(f"has_pairing({number},{place},{self._word(words)}).")
        return "".join(facts)

    def _companion(self, number: int, faces: Sequence[Face]) -> str:
        wanted = {provision.keyword.lower() for provision, _ in self.provisions if provision.kind == "has_companion"}
        has = any(word.lower() in wanted for face in faces for word in face.keywords)
        return f"has_companion({number})." if has else ""


def _pattern(keyword: str) -> re.Pattern[str]:
    """Return the pattern of a keyword's name, in which words in square brackets stand for any."""
    return re.compile(_SLOT.sub("(.+)", re.escape(keyword.lower())))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


@lru_cache(maxsize=1)
def _creature_types() -> frozenset[str]:
    return frozenset(word.lower() for word in listed("subtypes", "creature"))
