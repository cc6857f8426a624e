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
from lawmage.constraints import Constraint, Filter, Test
from lawmage.decks.formats import Bend, DeckKnowledge, Format, Provision
from lawmage.text.words import listed, subtype

__all__ = ["COLORS", "PLACE", "CardFacts", "Vocabulary", "bits", "pairing_facts"]

#: The colours in the rulebook's order (105.1); in facts, each is a bit.
COLORS = ("white", "blue", "black", "red", "green")
_BIT = {color: 1 << number for number, color in enumerate(COLORS)}
#: Stands for the number of a card.
PLACE = "@"
#: The tests that ask about a word of the type line.
_WORDS = ("type", "subtype", "supertype")
#: Tests that few cards pass, the fewest last.
_SELECTIVE = ("type", "supertype", "subtype")
_SYMBOL = re.compile(r"\{[^{}]+\}")
_SLOT = re.compile(r"\\\[\w+\\\]")


def bits(colors: Iterable[str]) -> int:
    """Return colours as the sum of their bits."""
    return sum(_BIT[color] for color in set(colors) if color in _BIT)


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card's number and facts.

    Attributes:
        card: the card.
        number: its number in asp/.
        always: what every deck with it needs.
        leading: what is needed if it is a commander.
        outside: what is needed if it is a companion.
        profile: what a format asks about the card's characteristics, and what it states, with `PLACE` for the number.
        states: what it states, of that.
        refused: whether the format doesn't have it, or it is banned in decks or as a commander.
        pairing: the kinds of pair that its abilities let it be one of (the number of the provision), with the number of the words in them.
        called: the numbers of the words for its names.
        bends: whether what it states is about the other cards of a deck that it leads.
        chooses: whether a colour is chosen for it.
    """

    card: Card
    number: int
    always: str
    leading: str
    outside: str
    profile: str
    states: str
    refused: bool
    pairing: tuple[tuple[int, int], ...]
    called: tuple[int, ...]
    bends: bool
    chooses: bool

    @property
    def asked(self) -> str:
        """The facts for a card about which something is asked."""
        return self.profile.replace(PLACE, str(self.number))


@dataclass
class Vocabulary:
    """The numbers of one format as of a release and a ban list, and the facts that do not depend on any deck.

    Attributes:
        provisions: what the format provides, each with the number of its rule in the release; its place is its number.
        day: the day whose ban list counts.
        names: the full name of the card of each number; empty for the number that cards of one kind share.
        reasons: why cards are banned.
        facts: of the cards seen, by oracle id.
        alike: for those with nothing but colours that matters to a deck with one of each, the number that they share.
        unlike: the oracle ids of the others.
        kinds: the facts of each number that cards share.
        game_changers: the oracle ids of the cards that the Commander brackets list.
        text: the facts about the format.
    """

    format: Format
    provisions: Sequence[tuple[Provision, str]]
    day: str
    known: DeckKnowledge
    names: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    facts: dict[str, CardFacts] = field(default_factory=dict)
    alike: dict[str, int] = field(default_factory=dict)
    unlike: set[str] = field(default_factory=set)
    kinds: dict[int, str] = field(default_factory=dict)
    game_changers: set[str] = field(default_factory=set)
    _kinds: dict[tuple[int, int], int] = field(default_factory=dict)
    _filters: dict[Filter, tuple[int, str]] = field(default_factory=dict)
    _tests: dict[tuple[str, str | int | None], int] = field(default_factory=dict)
    _words: dict[str, int] = field(default_factory=dict)
    _fully: dict[int, str] = field(default_factory=dict)
    _constraints: int = 0
    text: str = ""
    _asked: set[tuple[str, str | None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._patterns = [(number, _pattern(provision.keyword), provision) for number, (provision, _) in enumerate(self.provisions)]
        pairings = [provision for provision, _ in self.provisions if provision.partner]
        self._pairings = [_pattern(keyword) for keyword in sorted({provision.keyword for provision in pairings})]
        self._partners_have = [
            {str(test.value).lower() for test in tests if test.kind in _WORDS and not test.negated}
            for provision in pairings
            if provision.object
            for tests in provision.object.any_of
        ]
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
        self._asked = {(kind, value if isinstance(value, str) else None) for kind, value in self._tests}
        if self._few_colors_keyword():
            self._asked.add(("identity_at_most", None))

    def of(self, card: Card) -> CardFacts:
        """Return the facts of a card."""
        found = self.facts.get(card.oracle_id)
        if found is None:
            found = self.facts[card.oracle_id] = self._made(card)
        return found

    def newcomer(self) -> str:
        """Return facts on a card that can be a commander and has every colour: one that a deck lacks."""
        number = len(self.names)
        self.names.append("")
        words = [(kind, value) for kind, value in self._tests if kind in ("type", "supertype") and isinstance(value, str)]
        printed = "".join(f"printed({number},{kind},{_quoted(value)})." for kind, value in words)
        return f"newcomer({number}). card({number}). has_box({number}). identity({number},{(1 << len(COLORS)) - 1}).{printed}"

    def fully(self, made: CardFacts) -> str:
        """Return all characteristics of a card and what it states, for decks in which a companion or a commander asks about every card."""
        found = self._fully.get(made.number)
        if found is None:
            faces = _outside(made.card)
            text = f"card({PLACE})." + "".join(fact for _, fact in self._characteristics(made.card, faces)) + made.states
            found = self._fully[made.number] = text.replace(PLACE, str(made.number))
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
            facts: list[str] = []
            for place, tests in enumerate(described.any_of):
                facts.append(f"alternative({number},{place}).")
                for test in tests:
                    name, fact = self._test(test.kind, test.value)
                    facts.append(f"{fact}part{'_not' if test.negated else ''}({number},{place},{name}).")
                    if test.kind == "open":
                        facts.append(f"open_filter({number}).")
                asked = [test for test in tests if not test.negated]
                if asked:
                    narrow = max(asked, key=_selective)
                    name, _ = self._test(narrow.kind, narrow.value)
                    facts.append(f"narrow({number},{place},{name}).")
            self._filters[described] = number, "".join(facts)
        return self._filters[described]

    def _test(self, kind: str, value: str | int | None) -> tuple[int, str]:
        value = value.lower() if isinstance(value, str) else value
        number = self._tests.setdefault((kind, value), len(self._tests))
        written = "" if value is None else f",{value}" if isinstance(value, int) else f",{_quoted(value)}"
        creature = isinstance(value, str) and kind == "subtype" and value in _creature_types()
        return number, f"test({number},{kind}{written})." + (f"creature_type({_quoted(str(value))})." if creature else "")

    def _word(self, word: str) -> int:
        return self._words.setdefault(word, len(self._words))

    # ---------------------------------------------------------------- cards

    def _made(self, card: Card) -> CardFacts:
        number = len(self.names)
        self.names.append(card.name)
        faces = _outside(card)
        produced = bits(self.known.produces[kind] for face in faces for kind in face.subtypes if kind in self.known.produces)
        identity = bits(card.color_identity)
        allowed = "".join(self._allowed(number, card))
        said = [made for face in faces for made in face.constraints] + [
            Constraint(bend.kind, number=bend.number) for bend in self._bends.get(card.name, ())
        ]
        states = "".join(map(self._states, said))
        profile = f"card({PLACE})." + "".join(fact for test, fact in self._characteristics(card, faces) if test in self._asked) + states
        basic = produced and "basic" in faces[0].supertypes
        if allowed or basic:
            self.unlike.add(card.oracle_id)
        else:
            self.alike[card.oracle_id] = self._alike(identity, produced)
        if card.game_changer:
            self.game_changers.add(card.oracle_id)
        kinds = {made.kind for made in said}
        pairing, called = tuple(self._pairing(faces)), tuple(self._word(name) for name in _names(card, faces))
        return CardFacts(
            card,
            number,
            # what a commander without colours allows is asked about all basic lands
            _colors(number, identity, produced) + allowed + (profile.replace(PLACE, str(number)) if basic else ""),
            f"identity({number},{identity})." + pairing_facts(number, pairing, called),
            (f"companion_colors({number},{identity})." if identity else "") + self._companion(number, faces),
            profile,
            states,
            any(sign in allowed for sign in ("not_in_pool(", ",deck,", ",commander,")),
            pairing,
            called,
            bool(self.known.asking & kinds),
            bool(self.known.choosing & kinds),
        )

    def _alike(self, identity: int, produced: int) -> int:
        """Return the number of the cards that have these colours, and nothing else that matters to a deck with one of each."""
        found = self._kinds.get((identity, produced))
        if found is None:
            found = self._kinds[identity, produced] = len(self.names)
            self.names.append("")
            self.kinds[found] = _colors(found, identity, produced)
        return found

    def _allowed(self, number: int, card: Card) -> Iterator[str]:
        if card.name in self.format.allows:
            return
        roles = dict(self._banned.get(card.name, ()))
        word = card.legalities.get(self.format.legality) if self.format.legality else "legal"
        if word == "banned" and "deck" not in roles and card.name not in self._listed:
            roles["deck"] = f"the card data call it banned in {self.format.label}"
        restricted = word == "restricted" or "restricted" in roles
        roles.pop("restricted", None)
        for role, reason in roles.items():
            self.reasons.append(reason)
            yield f"banned({number},{role},{len(self.reasons) - 1})."
        if restricted:
            yield f"restricted({number})."
        if word is None and "deck" not in roles:
            yield f"not_in_pool({number})."

    def _characteristics(self, card: Card, faces: Sequence[Face]) -> Iterator[tuple[tuple[str, str | None], str]]:
        """Yield facts on a card's characteristics, each with the test that asks about it: its kind and, for words, its value."""
        elsewhere = [made.value for face in faces for made in face.constraints if made.kind in self.known.typing and made.value]
        subtypes = {word.lower() for face in faces for word in face.subtypes} | {word.lower() for word in elsewhere if subtype(word)}
        printed = {
            "type": {word for face in faces for word in face.types} | {word for word in elsewhere if not subtype(word)},
            "subtype": subtypes,
            "supertype": {word for face in faces for word in face.supertypes},
            "color": {word for face in faces for word in face.colors},
        }
        for kind, words in printed.items():
            yield from (((kind, word), f"printed({PLACE},{kind},{_quoted(word)}).") for word in sorted(words))
        yield ("creature_types_at_most", None), f"creature_types({PLACE},{len(subtypes & _creature_types())})."
        said = {word.lower() for face in faces for word in face.keywords} | {made.kind for face in faces for made in face.constraints}
        if self.known.every_creature_type & said:
            yield ("creature_types_at_most", None), f"every_creature_type({PLACE})."
        yield ("identity_at_most", None), f"identity_colors({PLACE},{len(set(card.color_identity))})."
        if card.mana_value == int(card.mana_value) and card.mana_value < 1 << 30:
            yield ("mana_value", None), f"mana_value({PLACE},{int(card.mana_value)})."
        power = faces[0].power
        if power is not None and re.fullmatch(r"-?\d{1,9}", power):
            yield ("power_at_least", None), f"power({PLACE},{int(power)})."
        if any(face.power is not None for face in faces):
            yield ("power_toughness_box", None), f"has_box({PLACE})."
        if any(face.activated for face in faces):
            yield ("activated_ability", None), f"has_activated({PLACE})."
        symbols = _SYMBOL.findall("".join(face.mana_cost or "" for face in faces))
        if len(set(symbols)) < len(symbols):
            yield ("repeated_mana_symbol", None), f"has_repeated_symbol({PLACE})."

    def _states(self, made: Constraint) -> str:
        """Return a fact for a statement on deck construction; those on play are of no use here, and cost time."""
        if made.kind not in self.known.statements:
            return ""
        name = self._constraints
        self._constraints += 1
        amount = "" if made.number is None else f"number({name},{made.number})."
        sides = self._side("subject", name, made.subject) + self._side("object", name, made.object)
        by = self.known.pairing.get(made.kind)
        rule = f'rule({name},"{by}").' if by else ""
        return f"states({name},{PLACE},{made.kind}).{amount}{sides}{rule}"

    def _pairing(self, faces: Sequence[Face]) -> Iterator[tuple[int, int]]:
        """Yield the kinds of pair that the abilities of a card let it be one of, and the words in these abilities."""
        for written in sorted({word.lower() for face in faces for word in face.keywords}):
            for place, pattern, provision in self._patterns:
                match = pattern.fullmatch(written) if provision.partner else None
                if match:
                    inside = "".join(match.groups())
                    if provision.text is None or provision.text == inside:
                        yield place, self._word(key(inside) if provision.partner == "mutual" else inside)

    def may_pair(self, card: Card) -> bool:
        """Return whether `card` has an ability that lets it be one of two commanders, or could be what such an ability asks for.

        Everything that asp/ pairs may; this only spares it the other cards.
        """
        words = {word.lower() for face in card.faces for group in (face.types, face.subtypes, face.supertypes) for word in group}
        words |= {str(said.value).lower() for face in card.faces for said in face.constraints if said.kind in self.known.typing}
        words |= {said.kind for face in card.faces for said in face.constraints}
        if any(required <= words for required in self._partners_have) or not words.isdisjoint(self.known.pairing):
            return True
        return any(pattern.fullmatch(word.lower()) for face in card.faces for word in face.keywords for pattern in self._pairings)

    def _companion(self, number: int, faces: Sequence[Face]) -> str:
        wanted = {provision.keyword.lower() for provision, _ in self.provisions if provision.kind == "has_companion"}
        has = any(word.lower() in wanted for face in faces for word in face.keywords)
        return f"has_companion({number})." if has else ""


def pairing_facts(number: int, pairing: Iterable[tuple[int, int]], called: Iterable[int]) -> str:
    """Return facts on the abilities of a card that let it be one of two commanders, and on its names."""
    facts = [f"has_pairing({number},{place},{word})." for place, word in pairing]
    return "".join(facts) + "".join(f"called({number},{word})." for word in called)


def _outside(card: Card) -> tuple[Face, ...]:
    """Return the faces whose characteristics a card has outside the game (709.4, 712.8a)."""
    return card.faces if card.layout in load_layouts().combined else card.faces[:1]


def _names(card: Card, faces: Iterable[Face]) -> list[str]:
    return sorted({key(card.name), *(key(face.name) for face in faces)})


def _colors(number: int, identity: int, produced: int) -> str:
    facts = f"symbols({number},{identity})." if identity else ""
    return f"{facts}produces({number},{produced})." if produced else facts


def _pattern(keyword: str) -> re.Pattern[str]:
    """Return the pattern of a keyword's name, in which words in square brackets stand for any."""
    return re.compile(_SLOT.sub("(.+)", re.escape(keyword.lower())))


def _selective(test: Test) -> int:
    """Return how few cards pass a test, roughly: a subtype is rarer than a supertype, and that than a type."""
    return _SELECTIVE.index(test.kind) if test.kind in _SELECTIVE else -1


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


@lru_cache(maxsize=1)
def _creature_types() -> frozenset[str]:
    return frozenset(word.lower() for word in listed("subtypes", "creature"))
