"""Judging decks: clingo decides, many decks in one program.

A program holds the facts of the decks at hand and of their cards, nothing else; what is asked about a card's characteristics is only
given for cards about which something is asked (commanders, companions, cards of which there are several, all cards of a deck with
a companion or with a commander that bends the rules).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lawmage.cards.card import Card
from lawmage.decks.facts import COLORS, Vocabulary
from lawmage.decks.formats import Format, deck_knowledge, load_format
from lawmage.decks.resolved import ResolvedDeck, ResolvedEntry
from lawmage.decks.verdict import Companion, DeckVerdict, DeckViolation, Word
from lawmage.errors import InputError
from lawmage.play.solver import SolverError, ground
from lawmage.resources import data_folder

__all__ = ["Judge", "judge_decks"]

#: How many decks share a program: more save little, and hold more memory.
_BATCH = 250
#: The sections that are the starting deck (702.139b, 903.5a).
_STARTING = ("commander", "signature", "main")
#: The most copies of one card, and cards of one deck, that are counted: sums must fit the solver's numbers.
MOST_CARDS = 1_000_000
#: Commanders, signature spells and companions of one name beyond these are not told apart.
_MOST_SPECIAL = 9
_ATOM = re.compile(r'(\w+)\((\d+),(?:"([^"]*)",)?([^()]*)\)')


def judge_decks(
    decks: Sequence[ResolvedDeck], format: str | Format = "commander", release: str | None = None, ban_list: str | None = None
) -> list[DeckVerdict]:
    """Judge decks, each for itself.

    Args:
        decks: the decks, with cards in place of names.
        format: a format, its name, or a user's own file (`lawmage.decks.formats`).
        release: the release of the rules, an ISO date; the encoded one without it.
        ban_list: the day whose ban list counts, an ISO date; that of the release without it.

    Returns:
        One verdict for each deck, in order.

    Raises:
        UnknownNameError: if there is no such format.
        InputError: if the release or the day is none, or a deck has more than 1,000,000 cards.
    """
    return Judge(format, release, ban_list).judge(decks)


class Judge:
    """Judges decks in one format as of one release; what it learns about cards is kept for the decks that follow."""

    def __init__(self, format: str | Format = "commander", release: str | None = None, ban_list: str | None = None) -> None:
        self.format = load_format(format) if isinstance(format, str) else format
        self.release = _release(release)
        day = _day(ban_list) if ban_list else self.release
        self.ban_list = (self.format.list_of(day) or day) if self.format.bans else None
        provisions = [(provision, _number(provision.rule, self.release)) for provision in self.format.provided(self.release)]
        self._has_signatures = any(provision.kind == "signature_spells" for provision, _ in provisions)
        self.vocabulary = Vocabulary(self.format, provisions, day, deck_knowledge())
        #: For the identifiers of a card, or of two, whether they can lead a deck; filled by `lawmage.decks.leaders`.
        self.leading: dict[tuple[str, ...], bool] = {}

    def judge(self, decks: Sequence[ResolvedDeck]) -> list[DeckVerdict]:
        """Judge decks. Raises InputError as `judge_decks`."""
        return [verdict for start in range(0, len(decks), _BATCH) for verdict in self._judged(decks[start : start + _BATCH])]

    def facts(self, decks: Sequence[ResolvedDeck]) -> str:
        """Return the facts of a program about `decks`, which are numbered from 0."""
        return self._facts([_Listed.of(deck) for deck in decks])

    def _facts(self, decks: Sequence[_Listed]) -> str:
        cards = _CardsAsked()
        text = [self.vocabulary.text]
        for number, deck in enumerate(decks):
            text += self._deck(number, deck, cards)
        for facts in (cards.used, cards.leading, cards.outside, cards.asked | cards.fully):
            text += facts.values()
        return "\n".join(text)

    def _deck(self, number: int, deck: _Listed, cards: _CardsAsked) -> Iterator[str]:
        """Yield the facts on a deck; add those on its cards to `cards`."""
        vocabulary = self.vocabulary
        names = set(deck.counts)
        for name in names.difference(vocabulary.facts):
            vocabulary.of(deck.counts[name].card)
        yield f"deck({number}). size({number},{deck.size}). commanders({number},{len(deck.commanders)})."
        whole = bool(deck.companions)
        for place, card in enumerate(deck.commanders, 1):
            made = vocabulary.of(card)
            whole = whole or made.bends
            cards.leading[made.number] = made.leading
            cards.asked[made.number] = made.asked
            yield f"commander({number},{place},{made.number})."
        for card in deck.companions:
            made = vocabulary.of(card)
            cards.used[made.number] = made.always
            cards.outside[made.number] = made.outside
            cards.fully[made.number] = vocabulary.fully(made)
            yield f"companion({number},{made.number})."
        if len(deck.companions) > 1:
            yield f"companions({number},{len(deck.companions)})."
        for card in deck.signatures:
            made = vocabulary.of(card)
            cards.asked[made.number] = made.asked
            yield f"signature({number},{made.number})."
        if deck.signatures or self._has_signatures:
            yield f"signatures({number},{len(deck.signatures)})."
        if deck.beside:
            yield f"sideboard({number},{deck.beside})."
        # one of each of many cards, about which nothing else is asked, are as one
        alone = names if whole else (names & deck.apart) | (names & vocabulary.unlike) | deck.several.keys()
        held = set(map(vocabulary.alike.__getitem__, names - alone))
        for kind in held:
            cards.used[kind] = vocabulary.kinds[kind]
        for name in alone:
            made = vocabulary.facts[name]
            held.add(made.number)
            cards.used[made.number] = made.always
            if name in deck.several:
                yield f"copies({number},{made.number},{deck.several[name]})."
                cards.asked[made.number] = made.asked
            if whole:
                cards.fully[made.number] = vocabulary.fully(made)
        if held:
            yield f"holds({number},({';'.join(map(str, held))}))."

    def _judged(self, decks: Sequence[ResolvedDeck]) -> Iterator[DeckVerdict]:
        listed = [_Listed.of(deck) for deck in decks]
        found: dict[int, list[tuple[str, str | None, list[str]]]] = defaultdict(list)
        for name, place, rule, rest in _solved(self._facts(listed)):
            found[place].append((name, rule, rest))
        for number, deck in enumerate(decks):
            yield self._verdict(deck, listed[number], found[number])

    def _verdict(self, deck: ResolvedDeck, listed: _Listed, atoms: Iterable[tuple[str, str | None, list[str]]]) -> DeckVerdict:
        identity: tuple[str, ...] | None = None
        violations: list[DeckViolation] = []
        unsettled: list[str] = []
        for name, rule, rest in atoms:
            if name == "identity_of":
                identity = _identities()[int(rest[0])]
            elif name == "violated":
                violations += self._violations(listed, rule or "", *rest)
            elif name == "unsettled":
                unsettled.append(f"whether what {self.vocabulary.names[int(rest[0])]} says of decks holds")
        if len(violations) > 1:
            violations.sort(key=lambda one: (_sort_key(one.rule), one.cards, one.message))
        missing = [one for one in deck.not_found if one.entry.section in (*_STARTING, "companion")]
        unread = (*(one.message for one in missing), *sorted(unsettled))
        verdict: Word = "illegal" if violations else "undecided" if unread else "legal"
        return DeckVerdict(
            source=deck.source,
            format=self.format.name,
            release=self.release,
            verdict=verdict,
            commanders=tuple(card.name for card in listed.commanders),
            companion=self._companion(deck, violations, unsettled),
            color_identity=identity,
            cards=listed.size,
            violations=tuple(violations),
            assumptions=tuple(self._assumed(listed.commanders, identity)),
            not_understood=unread,
            ban_list=self.ban_list,
            game_changers=tuple(
                sorted(listed.counts[name].card.name for name in self.vocabulary.game_changers.intersection(listed.counts))
            ),
            title=deck.title,
        )

    def _companion(self, deck: ResolvedDeck, violations: Sequence[DeckViolation], unsettled: Sequence[str]) -> Companion | None:
        name = next((entry.card.name for entry in deck.entries if entry.section == "companion"), None)
        if name is None:
            return None
        about = {breach.term: breach.about for breach in deck_knowledge().breaches.values()}
        broken = any(about[one.kind] == "companion" or (about[one.kind] == "pool" and name in one.cards) for one in violations)
        return Companion(name, "illegal" if broken else "undecided" if any(name in one for one in unsettled) else "legal")

    def _assumed(self, commanders: Sequence[Card], identity: tuple[str, ...] | None) -> Iterator[str]:
        choosers = [card for card in commanders if self.vocabulary.of(card).chooses]
        if choosers and identity is not None:
            printed = {color for card in commanders for color in card.color_identity}
            chosen = [color for color in identity if color not in printed]
            names = " and ".join(card.name for card in choosers)
            yield f"the color chosen for {names} is {' and '.join(chosen) or 'one of the commanders'}"

    def _violations(self, deck: _Listed, rule: str, kind: str, card: str, number: str, other: str) -> Iterator[DeckViolation]:
        """Yield a violation, or one for each card of the deck where it is about all cards of a kind."""
        names = self.vocabulary.names
        first = [names[int(card)]] if card != "none" else [""]
        if card != "none" and not first[0]:
            plain = set(deck.counts) - deck.apart - deck.several.keys() - self.vocabulary.unlike
            first = [deck.counts[name].card.name for name in plain if self.vocabulary.alike[name] == int(card)]
        says = deck_knowledge().breaches[kind].says
        second = names[int(other)] if "{other}" in says else ""
        values = {"other": second, "number": number, "most": other, "value": self._value(kind, number, other)}
        values["colors"] = _colors(int(number)) if number.isdecimal() else ""
        for name in first:
            yield DeckViolation(rule, kind, tuple(one for one in (name, second) if one), says.format(card=name, **values))

    def _value(self, kind: str, number: str, other: str) -> str:
        """Return the words for `{value}`: a reason, a word, or what those cards are called that the kind of breach asks for."""
        if kind.startswith("banned"):
            return self.vocabulary.reasons[int(other)]
        if number.startswith('"'):
            return number.strip('"')
        about = deck_knowledge().breaches[kind].about
        kinds = _CALLED.get(about, ())
        named = {(kinds.index(made.kind), made.called) for made, _ in self.vocabulary.provisions if made.called and made.kind in kinds}
        called = [words for _, words in sorted(named)]
        return f"{', '.join(called[:-1])} or {called[-1]}" if len(called) > 1 else "".join(called)


#: The provisions that name the cards which a breach asks for.
_CALLED = {"leading": ("leads", "leads_by_text"), "signature": ("signature_spells",)}


@dataclass(slots=True)
class _CardsAsked:
    """The facts on the cards of some decks, each once, by number: those that every deck needs, and those about what is asked."""

    used: dict[int, str] = field(default_factory=dict)
    leading: dict[int, str] = field(default_factory=dict)
    outside: dict[int, str] = field(default_factory=dict)
    asked: dict[int, str] = field(default_factory=dict)
    fully: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A deck, counted.

    Attributes:
        size: how many cards the starting deck has.
        beside: how many cards are in the sideboard.
        counts: an entry of each card in the starting deck, by oracle id.
        several: how many there are, of those of which there is more than one.
        commanders, signatures, companions: each card of these sections.
    """

    size: int
    beside: int
    counts: dict[str, ResolvedEntry]
    several: dict[str, int]
    commanders: list[Card]
    signatures: list[Card]
    companions: list[Card]

    @property
    def apart(self) -> set[str]:
        """The cards about which something is asked."""
        return {card.oracle_id for card in (*self.commanders, *self.signatures, *self.companions)}

    @classmethod
    def of(cls, deck: ResolvedDeck) -> _Listed:
        """Count a deck."""
        counts: dict[str, ResolvedEntry] = {}
        several: dict[str, int] = {}
        special: dict[str, list[Card]] = {"commander": [], "signature": [], "companion": []}
        size = beside = 0
        for entry in deck.entries:
            section = entry.section
            if section == "main" or section in _STARTING:
                count, name = entry.count, entry.card.oracle_id
                size += count
                if name in counts:
                    several[name] = several.get(name, counts[name].count) + count
                else:
                    counts[name] = entry
                    if count > 1:
                        several[name] = count
            if section in special:
                special[section] += [entry.card] * min(entry.count, _MOST_SPECIAL)
            elif section == "sideboard":
                beside += entry.count
        if size + beside > MOST_CARDS:
            raise InputError(f"the deck has {size + beside} cards, expected at most {MOST_CARDS}", file=deck.source)
        return cls(size, beside, counts, several, special["commander"], special["signature"], special["companion"])


@lru_cache(maxsize=4)
def _program(folder: str) -> str:
    from pathlib import Path

    from lawmage.play.program import statements

    return "\n".join(statements(Path(folder) / "entry" / "deck.lp"))


def _solved(facts: str) -> list[tuple[str, int, str | None, list[str]]]:
    """Return the atoms of the only model of a program: predicate, deck, rule where it has one, the rest of its arguments."""
    control = ground(facts, rules=_program(str(data_folder("asp"))))
    with control.solve(yield_=True) as handle:
        model = handle.model()
        if model is None:
            raise SolverError("lawmage's own program has no answer for these decks, please report this")
        text = str(model)
    return [(name, int(deck), rule or None, rest.split(",")) for name, deck, rule, rest in _ATOM.findall(text)]


@lru_cache(maxsize=1)
def _identities() -> tuple[tuple[str, ...], ...]:
    """Return the colours of each sum of their bits."""
    return tuple(tuple(color for place, color in enumerate(COLORS) if mask >> place & 1) for mask in range(1 << len(COLORS)))


def _colors(mask: int) -> str:
    words = _identities()[mask] if mask < len(_identities()) else ()
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _sort_key(rule: str) -> tuple[bool, str]:
    """Return a key that puts numbers in the order of the rulebook, and what has none behind them."""
    numbered = rule[:1].isdecimal()
    return not numbered, re.sub(r"\d+", lambda digits: digits[0].zfill(4), rule)


def _release(release: str | None) -> str:
    from lawmage.rulebook.encoded import encoded_release

    newest = encoded_release()
    if release is None or release == newest:
        return newest
    from lawmage.rulebook.store import no_release, shipped_releases

    if release not in shipped_releases():
        raise InputError(no_release(release, shipped_releases()))
    return release


def _number(rule: str, release: str) -> str:
    """Return the number of a rule in `release`."""
    from lawmage.rulebook.encoded import encoded_release

    if not rule[:1].isdecimal() or (release == encoded_release() and ":" not in rule):
        return rule
    from lawmage.play.dated import in_numbering_of
    from lawmage.play.knowledge import knowledge

    return in_numbering_of(release, rule, knowledge())


def _day(text: str) -> str:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise InputError(f'the day of a ban list is "{text[:40]}", expected a date such as 2026-02-09') from None
