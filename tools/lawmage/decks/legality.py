"""Judging decks: clingo decides, many decks in one program.

A program holds the facts of the decks at hand and of their cards, nothing else; what is asked about a card's characteristics is only
given for cards about which something is asked (commanders, companions, cards of which there are several, all cards of a deck with
a companion or with a commander that bends the rules).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from lawmage.cards.card import Card
from lawmage.decks.facts import COLORS, Vocabulary
from lawmage.decks.formats import Format, deck_knowledge, load_format
from lawmage.decks.resolved import ResolvedDeck
from lawmage.decks.verdict import Companion, DeckVerdict, DeckViolation, Word
from lawmage.errors import InputError
from lawmage.play.solver import SolverError, ground
from lawmage.resources import data_folder

__all__ = ["Judge", "judge_decks"]

#: How many decks share a program: more save little, and hold more memory.
_BATCH = 100
#: The sections that are the starting deck (702.139b, 903.5a).
_STARTING = ("commander", "signature", "main")
#: The most copies of one card, and cards of one deck, that are counted: sums must fit the solver's numbers.
MOST_CARDS = 1_000_000
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
        self.vocabulary = Vocabulary(self.format, provisions, day, deck_knowledge())
        self._bending = {"any_identity", "copies_any"}

    def judge(self, decks: Sequence[ResolvedDeck]) -> list[DeckVerdict]:
        """Judge decks. Raises InputError as `judge_decks`."""
        return [verdict for start in range(0, len(decks), _BATCH) for verdict in self._judged(decks[start : start + _BATCH])]

    def facts(self, decks: Sequence[ResolvedDeck]) -> str:
        """Return the facts of a program about `decks`, which are numbered from 0."""
        text = [self.vocabulary.text]
        used: dict[int, str] = {}
        asked: dict[int, str] = {}
        for number, deck in enumerate(decks):
            text += self._deck(number, deck, used, asked)
        text += used.values()
        text += asked.values()
        text += self._same_names(used)
        return "\n".join(text)

    def _deck(self, number: int, deck: ResolvedDeck, used: dict[int, str], asked: dict[int, str]) -> Iterator[str]:
        of = self.vocabulary.of
        counts: dict[int, int] = {}
        commanders: list[Card] = []
        companions: list[Card] = []
        signatures: list[int] = []
        everything = False
        size = beside = 0
        for entry in deck.entries:
            section = entry.section
            if section in _STARTING:
                made = of(entry.card)
                counts[made.number] = counts.get(made.number, 0) + entry.count
                used[made.number] = made.always
                size += entry.count
                if section == "commander":
                    commanders += [entry.card] * min(entry.count, 9)
                elif section == "signature":
                    signatures += [made.number] * min(entry.count, 9)
            elif section == "companion":
                companions += [entry.card] * min(entry.count, 9)
            elif section == "sideboard":
                beside += entry.count
        if size + beside > MOST_CARDS:
            raise InputError(f"the deck has {size + beside} cards, expected at most {MOST_CARDS}", file=deck.source)
        yield f"deck({number}). size({number},{size}). commanders({number},{len(commanders)})."
        if counts:
            yield f"holds({number},({';'.join(map(str, counts))}))."
        for place, card in enumerate(commanders, 1):
            made = of(card)
            asked[made.number] = made.leading + made.asked
            everything = everything or any(
                said.kind in self._bending and said.subject != "self" for face in card.faces for said in face.constraints
            )
            yield f"commander({number},{place},{made.number})."
        for card in companions:
            made = of(card)
            everything = True
            used[made.number] = made.always
            asked[made.number] = asked.get(made.number, made.asked) + made.outside
            yield f"companion({number},{made.number})."
        if len(companions) > 1:
            yield f"companions({number},{len(companions)})."
        if signatures:
            yield "".join(f"signature({number},{name})." for name in signatures) + f"signatures({number},{len(signatures)})."
            for name in signatures:
                asked.setdefault(name, of(self.vocabulary.cards[name]).asked)
        if beside:
            yield f"sideboard({number},{beside})."
        for name, count in counts.items():
            if count > 1:
                yield f"copies({number},{name},{count})."
            if count > 1 or everything:
                asked.setdefault(name, of(self.vocabulary.cards[name]).asked)

    def _same_names(self, used: Iterable[int]) -> Iterator[str]:
        """Yield facts on cards whose names are interchangeable, for publishers who list both."""
        older = deck_knowledge().older_names
        names = {self.vocabulary.cards[number].name: number for number in used}
        for name, number in names.items():
            if name in older and older[name] in names:
                yield f"same_name({number},{names[older[name]]})."

    def _judged(self, decks: Sequence[ResolvedDeck]) -> Iterator[DeckVerdict]:
        found: dict[int, list[tuple[str, str | None, list[str]]]] = defaultdict(list)
        for name, place, rule, rest in _solved(self.facts(decks)):
            found[place].append((name, rule, rest))
        for number, deck in enumerate(decks):
            yield self._verdict(deck, found[number])

    def _verdict(self, deck: ResolvedDeck, atoms: Iterable[tuple[str, str | None, list[str]]]) -> DeckVerdict:
        cards = self.vocabulary.cards
        identity: tuple[str, ...] | None = None
        violations: list[DeckViolation] = []
        unsettled: list[str] = []
        for name, rule, rest in atoms:
            if name == "identity_of":
                identity = tuple(color for place, color in enumerate(COLORS) if int(rest[0]) >> place & 1)
            elif name == "violated":
                violations.append(self._violation(rule or "", *rest))
            elif name == "unsettled":
                unsettled.append(f"whether what {cards[int(rest[0])].name} says of decks holds")
        violations.sort(key=lambda one: (_sort_key(one.rule), one.cards, one.message))
        commanders = [entry.card for entry in deck.section("commander") for _ in range(min(entry.count, 9))]
        missing = [one for one in deck.not_found if one.entry.section in (*_STARTING, "companion")]
        unread = [*(one.message for one in missing), *sorted(unsettled)]
        verdict: Word = "illegal" if violations else "undecided" if unread else "legal"
        starting = [entry for entry in deck.entries if entry.section in _STARTING]
        return DeckVerdict(
            source=deck.source,
            format=self.format.name,
            release=self.release,
            verdict=verdict,
            commanders=tuple(card.name for card in commanders),
            companion=self._companion(deck, violations, unsettled),
            color_identity=identity,
            cards=sum(entry.count for entry in starting),
            violations=tuple(violations),
            assumptions=tuple(self._assumed(commanders, identity)),
            not_understood=tuple(unread),
            ban_list=self.ban_list,
            game_changers=tuple(sorted({entry.card.name for entry in starting if entry.card.game_changer})),
            title=deck.title,
        )

    def _companion(self, deck: ResolvedDeck, violations: Sequence[DeckViolation], unsettled: Sequence[str]) -> Companion | None:
        given = deck.section("companion")
        if not given:
            return None
        name = given[0].card.name
        broken = any("companion" in one.kind or (name in one.cards and one.kind in _OF_COMPANIONS) for one in violations)
        return Companion(name, "illegal" if broken else "undecided" if any(name in one for one in unsettled) else "legal")

    def _assumed(self, commanders: Sequence[Card], identity: tuple[str, ...] | None) -> Iterator[str]:
        choosers = [card for card in commanders if any(said.kind == "chosen_color" for face in card.faces for said in face.constraints)]
        if choosers and identity is not None:
            printed = {color for card in commanders for color in card.color_identity}
            chosen = [color for color in identity if color not in printed]
            names = " and ".join(card.name for card in choosers)
            yield f"the color chosen for {names} is {' and '.join(chosen) or 'one of the commanders'}"

    def _violation(self, rule: str, kind: str, card: str, number: str, other: str) -> DeckViolation:
        cards = self.vocabulary.cards
        first = cards[int(card)].name if card != "none" else ""
        second = cards[int(other)].name if kind in _WITH_OTHER else ""
        values = {
            "card": first,
            "other": second,
            "number": number,
            "most": other,
            "colors": _colors(int(number)) if number.isdecimal() else "",
            "value": self._value(kind, number, other),
        }
        message = deck_knowledge().breaches[kind].format(**values)
        return DeckViolation(rule, kind, tuple(name for name in (first, second) if name), message)

    def _value(self, kind: str, number: str, other: str) -> str:
        if kind.startswith("banned"):
            return self.vocabulary.reasons[int(other)]
        if kind == "shares_no_type":
            return number.strip('"')
        wanted = {"cannot_lead": ("leads", "leads_by_text"), "no_signature_spell": ("signature_spells",)}.get(kind, ())
        called = [provision.called for provision, _ in self.vocabulary.provisions if provision.kind in wanted and provision.called]
        return " or ".join(dict.fromkeys(called))


#: The breaches whose last argument is a card, and those about a companion whose names don't say so.
_WITH_OTHER = frozenset(
    {"no_pair", "mixed_pair", "unlike_pair", "same_name", "breaks_companion", "repeats_for_companion", "shares_no_type"}
)
_OF_COMPANIONS = frozenset({"banned", "not_in_pool", "shares_no_type", "not_larger", "never_larger"})


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


def _colors(mask: int) -> str:
    words = [color for place, color in enumerate(COLORS) if mask >> place & 1]
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
    from lawmage.rulebook.store import shipped_releases

    if release not in shipped_releases():
        raise InputError(f"there is no release {release}; known are {', '.join(shipped_releases())}")
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
