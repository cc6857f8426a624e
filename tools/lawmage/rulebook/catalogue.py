"""What the keyword chapters (701, 702) of a release say about each keyword, read from their sentences by pattern.

The sentences are regular ("X is a static ability.", "Multiple instances of X ... are redundant."), so that much of kb/keywords/ can be
checked against any release. What the book leaves to its general rules is not found here. Terms are the local names of
kb/keywords/vocabulary.ttl; the tables below are the only tie between its words and the book's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lawmage.rulebook.model import Node, Rulebook

__all__ = ["Entry", "InstanceStatement", "counter_keywords", "first_releases", "heading_names", "read_catalogue"]

_CHAPTERS = ("701", "702")

# ---------------------------------------------------------------- the book's words and ours

_KINDS = {
    "static": "Static",
    "triggered": "Triggered",
    "activated": "Activated",
    "spell": "Spell",
    "evasion": "Evasion",
    "characteristic-defining": "CharacteristicDefining",
}
_COUNTS = {"two": 2, "three": 3, "four": 4}
_INSTANCES = {
    r"\bredundant\b": "Redundant",
    r"\btriggers separately\b": "EachTriggers",
    r"\b(?:works|applies) separately\b|\bof them appl(?:y|ies)\b|\bfunction independently\b": "EachApplies",
    r"\bany of its \w+ abilities may be\b|\bonly one may be used\b|\byou may choose which one to use\b": "AnyMayBeUsed",
    r"\bpaid separately\b|\bonly to payments made for\b|\bonly for the cost associated\b": "EachPaid",
    r"\bis the sum of all\b": "Summed",
}
_PLACES = {
    r"\bin (?:a player's|your) hand\b|\bfrom a player's hand\b": "Hand",
    r"\bin a (?:player's )?graveyard\b": "Graveyard",
    r"\bon the stack\b": "Stack",
    r"\bin the exile zone\b": "Exile",
    r"\bin(?:to)? the command zone\b": "CommandZone",
    r"\bon the battlefield\b|\bwhen the creature with \w+ enters the battlefield\b": "Battlefield",
    r"(?<!even )\boutside the game\b": "OutsideTheGame",
    r"\bany zone from which\b": "WhereCastable",
    r"\bno matter what zone\b": "AnyZone",
    r"\beverywhere\b": "Everywhere",
    r"\bbefore the game begins\b": "BeforeTheGame",
    r"\bis entering the battlefield\b": "AsItEnters",
}
_COSTS = {
    r"\brules for paying alternative costs\b|\brather than (?:paying )?(?:its|this spell's) mana cost\b": "AlternativeCost",
    r"\brules for paying additional costs\b|\bAs an additional cost to cast this spell\b|\bpay an additional \[cost\]": "AdditionalCost",
    r"“(?:\[Cost\]|Tap )[^”:]*:|\[Activated ability\]": "ActivationCost",
    r"\bcosts \{1\} less\b|\bcost is reduced by\b": "CostReduction",
    r"\brather than pay that mana\b|\bmay pay for any amount of the generic mana\b": "PaymentMethod",
    r"\bspecial action\b.*\bpay that cost\b|\bpay \{\d\} and (?:put|exile)\b|\bpay \[cost\] and exile it\b"
    r"|\bexile this card from your hand and pay\b": "SpecialActionCost",
    r"\bunless (?:that player pays|you pay|you exile)\b"
    r"|\byou may pay (?:\[cost\]|\{[^}]+\})(?: for each [\w ]+)?\. If you\b": "ResolutionCost",
    r"\boptional cost to attack\b": "OptionalAttackCost",
}
_TIMES = {
    r"\bActivate only as a sorcery\b|\band only as a sorcery\b": "AsASorcery",
    r"\b[Aa]ny time you could cast an instant\b": "AsAnInstant",
    r"\b[Aa]ctivate (?:this ability )?only once\.": "OnlyOnce",
    r"(?<!triggers )\bonly once each turn\b": "OnceEachTurn",
    r"\bonly during the upkeep step\b": "DuringYourUpkeep",
    r"\bonly if this creature attacked this turn\b": "IfItAttackedThisTurn",
    r"\bOnce during the game\b": "OnceEachGame",
    r"\bmain phase (?:of your turn|while the stack is empty)": "DuringYourMainPhase",
    r"\bAny time you have priority, you may turn\b": "AnyTimeYouHavePriority",
    r"\bduring your declare blockers step\b": "DuringYourDeclareBlockers",
    r"\bhas priority during their turn\b": "DuringYourTurn",
    r"\bIf you could begin to cast this card\b": "WhenItCouldBeCast",
}
_EVENTS = {
    r"“When(?:ever)? this creature (?:and [\w ']+ )?attacks?\b(?! and isn't)": "Attacks",
    r"\ba creature you control attacks alone\b": "AttacksAlone",
    r"\bthis creature attacks and isn't blocked\b": "AttacksUnblocked",
    r"\bWhenever this creature blocks\b": "Blocks",
    r"\bthis creature (?:blocks or )?becomes blocked(?! by a creature)": "BecomesBlocked",
    r"\bthis creature becomes blocked by a creature\b": "BecomesBlockedByCreature",
    r"“When(?:ever)? this creature deals combat damage to a player\b": "CombatDamageToPlayer",
    r"\bbecomes the target of\b": "BecomesTarget",
    r"“When this (?:permanent|creature|Equipment) enters\b": "Enters",
    r"\bWhenever (?:another|a) creature (?:you control )?enters\b": "AnotherEnters",
    r"\bWhen this permanent leaves the battlefield\b": "LeavesBattlefield",
    r"“When this (?:permanent|spell) is put into a graveyard\b": "PutIntoGraveyard",
    r"\bWhen a creature is put into your graveyard\b": "CreatureDies",
    r"\bWhen you cast this spell\b": "CastThisSpell",
    r"\bWhenever you cast a\b": "CastSpell",
    r"\bAt the beginning of your upkeep\b": "YourUpkeep",
    r"\bAt the beginning of your end step\b": "YourEndStep",
    r"\bWhen the last time counter is removed\b": "LastCounterRemoved",
    r"\bWhen this card is exiled this way\b": "ExiledThisWay",
    r"\bWhen you reveal this card this way\b": "RevealedThisWay",
    r"\bWhen you do, this creature\b": "PaidThisWay",
    r"\bWhenever you roll to visit\b": "RollToVisit",
}

# ---------------------------------------------------------------- what is read


@dataclass(frozen=True, slots=True)
class InstanceStatement:
    """A sentence on several instances of a keyword: the rule it stands in, and what they do (empty if not understood)."""

    rule: str
    stacking: frozenset[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a release states about the keyword or keywords of one rule.

    Attributes:
        rule: its number; `names` are the keywords of its heading, in lower case.
        rules: its subrules, in order.
        kinds: each kind of ability stated, with the rules that state it; `abilities` is the greatest number of abilities stated.
        places: where it is stated to function, with the rules that state it.
        costs, times, events: found in its definitions.
        instances: every sentence on several instances.
        variants, designations: the rules that define a variant, or a designation.
        forms: how its definitions write it, in lower case, each slot as `{}`.
    """

    rule: str
    names: tuple[str, ...]
    rules: tuple[str, ...]
    kinds: dict[str, tuple[str, ...]]
    abilities: int
    places: dict[str, tuple[str, ...]]
    costs: frozenset[str]
    times: frozenset[str]
    events: frozenset[str]
    instances: tuple[InstanceStatement, ...]
    variants: frozenset[str]
    designations: frozenset[str]
    forms: frozenset[str]


def read_catalogue(book: Rulebook) -> dict[str, Entry]:
    """Return what `book` states about its keywords, by rule number, in the order of the book."""
    subrules: dict[str, list[Node]] = {}
    for node in book.nodes:
        if node.kind == "subrule" and node.parent is not None:
            subrules.setdefault(node.parent, []).append(node)
    return {
        node.number: _entry(node, subrules.get(node.number, []))
        for node in book.nodes
        if node.kind == "rule" and node.parent in _CHAPTERS and node.heading
    }


def counter_keywords(book: Rulebook) -> frozenset[str]:
    """Return the keywords that a keyword counter can be (122.1b), in lower case; empty if the release has no such rule."""
    text = _plain(book.by_number["122.1b"].text) if "122.1b" in book.by_number else ""
    found = re.search(r"counter can be are (.+?),? and ([^,]+),", text)
    return frozenset(re.split(r", ", found[1])) | {found[2]} if found else frozenset()


def first_releases(books: Iterable[Rulebook]) -> dict[str, str]:
    """Return the first release in which each keyword has a rule, by the names in the headings, from the books in order of release."""
    first: dict[str, str] = {}
    for book in sorted(books, key=lambda book: book.release):
        for entry in read_catalogue(book).values():
            for name in entry.names:
                first.setdefault(name, book.release)
    return first


def heading_names(heading: str) -> tuple[str, ...]:
    """Return the keywords that a heading of 701 or 702 names, in lower case: `Tap and Untap` names two."""
    plain = re.sub(r" \(.*\)$", "", _plain(heading).lower())
    return tuple(plain.split(" and "))


# ---------------------------------------------------------------- how it is read


def _entry(rule: Node, subrules: list[Node]) -> Entry:
    names = heading_names(rule.heading)
    texts = [(node.number, _plain(node.text)) for node in subrules]
    kinds: dict[str, tuple[str, ...]] = {}
    places: dict[str, tuple[str, ...]] = {}
    count = 0
    for number, text in texts:
        for sentence in _sentences(_unquoted(text)):
            if _is_about(sentence, names):
                count = max([count, *(_COUNTS[word] for word in re.findall(rf"\b({'|'.join(_COUNTS)})\b[\w ]*\babilities\b", sentence))])
                for kind in re.findall(rf"(?<!delayed )\b({'|'.join(_KINDS)}) abilit(?:y|ies)\b", sentence):
                    _add(kinds, _KINDS[kind], number)
            if re.search(r"\b(?:functions?|works everywhere|appl(?:y|ies) while|activated only from)\b", sentence):
                for place in _terms(_PLACES, sentence):
                    _add(places, place, number)
    whole = " ".join(text for _, text in texts)
    return Entry(
        rule=rule.number,
        names=names,
        rules=tuple(number for number, _ in texts),
        kinds=kinds,
        abilities=count,
        places=places,
        costs=_terms(_COSTS, whole),
        times=_terms(_TIMES, whole),
        events=_terms(_EVENTS, whole),
        instances=tuple(
            InstanceStatement(number, _terms(_INSTANCES, text))
            for number, text in texts
            if re.search(r"\b[Mm]ultiple (?:instances|\w+ abilities)\b", text)
        ),
        variants=frozenset(number for number, text in texts if re.search(r"\bis a (?:variant|special form) of\b", text)),
        designations=frozenset(number for number, text in texts if re.search(r"\bis a designation\b", text)),
        forms=frozenset(form for _, text in texts for form in _forms(text, names)),
    )


def _plain(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'").replace("\n", " ")


def _unquoted(text: str) -> str:
    return re.sub(r"“[^”]*”", "“”", text)


def _sentences(text: str) -> Iterator[str]:
    return (sentence.strip() for sentence in re.split(r"(?<=[.”)]) (?=[A-Z“(])", text))


def _is_about(sentence: str, names: tuple[str, ...]) -> bool:
    own = "|".join(re.escape(name) for name in names)
    start = rf"(?:(?:An? )?(?:{own})(?: ability)?(?!\w)|It represents|Together, they|The (?:first|second|third|fourth)\b)"
    return re.match(start, sentence, re.IGNORECASE) is not None and re.search(r"\b(?:is|are|represents?)\b", sentence) is not None


def _terms(table: dict[str, str], text: str) -> frozenset[str]:
    return frozenset(term for pattern, term in table.items() if re.search(pattern, text))


def _add(found: dict[str, tuple[str, ...]], term: str, number: str) -> None:
    if number not in found.get(term, ()):
        found[term] = (*found.get(term, ()), number)


def _forms(text: str, names: tuple[str, ...]) -> Iterator[str]:
    own = re.compile(rf"(?:{'|'.join(re.escape(name) for name in names)})(?: |$)")
    for quoted in re.findall(r"“([^”“]+)” (?:on [\w ]+ |without [\w ]+ )?means\b", text):
        form = re.sub(r"\[[^\]]+\]|\bn\b", "{}", quoted.lower())
        if own.search(form):
            yield form
