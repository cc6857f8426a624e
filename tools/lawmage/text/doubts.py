"""What a sentence that is not understood could change about plays: whose, of what kind, and whether it could allow or forbid any.

What is not recognised here could change anything. Everything told is on the safe side: more than a sentence does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lawmage.text.forms import KeywordForms
from lawmage.text.play_keywords import PlayKeywords

__all__ = ["Doubt", "doubt_about"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a sentence could change.

    Attributes:
        itself: only how the very card that says it is played.
        kinds: what kinds of plays, and `target` for all that target or attach something.
        by: whose plays: `you`, `opponent`, or empty for anybody's.
        allows, forbids: whether it could make legal what is not, or the other way round.
        mana: whether all that it changes is how much mana is to be paid.
        attached: whether it says so only of what its object is attached to, or while it is.
        there: whether it says what its object on the battlefield is protected from.
        zones: from where alone what is cast is meant; none for from anywhere.
        power: whether all that it changes is what counts as the power of what is tapped to pay.
    """

    itself: bool = False
    kinds: frozenset[str] = frozenset({"cast", "activate", "special", "trigger", "attach", "target"})
    by: str = ""
    allows: bool = True
    forbids: bool = True
    mana: bool = False
    attached: bool = False
    there: bool = False
    zones: frozenset[str] = frozenset()
    power: bool = False


_SELF = r"(?:this (?:spell|card)|~)"
_ITSELF = re.compile(
    rf"(?:if [^,]*, )?{_SELF} costs (?:up to )?\{{|as an additional cost to cast {_SELF},|you can't cast {_SELF} |cast {_SELF} only "
    rf"|(?:if [^\"]*, )?you may cast {_SELF} (?:from|as though|without|for|using|by|if)\b|(?:if you cast|when you cast) (?:it|{_SELF}) "
    rf"|(?:this (?:creature|permanent|artifact|enchantment|land)|~) enters? (?:tapped|with)\b[^\"]*$"
    rf"|(?:[^,]*, )?you may [^\"]* rather than pay {_SELF}'s mana cost"
    rf"|spend only [^\"]* mana (?:on x|to cast {_SELF})|you may have (?:this creature|~) enter as a copy of[^\"]*$"
)
#: What changes nothing of what may be done, whatever it mentions.
_IDLE = re.compile(
    r"if (?:(?!target)[^\",])* mana was spent to cast (?:this spell|it|~), (?:(?!target)[^\"])*|"
    r"[^\"]*\bassigns? combat damage equal to its toughness rather than its power"
    r"|(?:you |players |each player |your opponents )?plays? with"
    r" (?:the top cards? of (?:your|their) librar(?:y|ies)|their hands?|your hand) revealed"
)
#: What is offered of the card itself, in place of its mana cost (118.9) or from elsewhere: nobody has to make use of it.
_OFFERED = re.compile(
    rf"(?:if [^\"]*, )?you may (?:[^\"]* rather than pay {_SELF}'s mana cost"
    rf"|cast {_SELF} (?:without paying its mana cost|from your \w+)\b[^\"]*)"
)
#: What is about mana that something adds, or about how far costs are reduced.
_OF_MANA = re.compile(
    r"this mana can't be spent [^\"]*|spend this mana only [^\"]*|this effect can't reduce the mana in [^\"]* to less than (?:one|\w+) mana"
)
#: What is counted as a creature's power where it is tapped to pay: more, or another number.
_OF_POWER = re.compile(
    r"[^\"]*\b(?:as though (?:its|their) power were \d+ greater|(?P<other>using (?:its|their) toughness rather than (?:its|their) power))"
)
#: An ability that is given, in quotation marks, and triggers; or is activated.
_GIVEN_TRIGGER = re.compile(r"\"(?:when|whenever|at) [^\"]*\"")
_GIVEN_ABILITY = re.compile(r"\"[^\":]*(?:\{|sacrifice|discard|exile|pay|tap|remove)[^\":]*: [^\"]*\"")
_WHO_HAS_IT = re.compile(r"^(?:enchanted|equipped) (?:creature|permanent|artifact|land|planeswalker|player|equipment|vehicle)\b")
_ATTACHED = re.compile(rf"(?:as long as )?{_WHO_HAS_IT.pattern.removeprefix('^')}|as long as (?:~|this \w+) is attached to\b")
_THERE = re.compile(r"(?:~|this (?!spell|card)\w+) (?:has|can't be the targets? of)\b[^\"]*")
#: What can't be cast, from where; and by what nothing can be targeted.
_ZONES = {"graveyard": "graveyard", "graveyards": "graveyard", "libraries": "library", "exile": "exile"}
_FROM = "|".join(_ZONES)
_NOT_FROM = re.compile(
    rf"(?:players|you|your opponents|each opponent|opponents) can't cast [\w -]*?\bfrom (?P<zones>(?:{_FROM})(?: or (?:{_FROM}))?)"
)
_TARGETED_BY = re.compile(
    r"\b(?:be|becomes?) the targets? of [\w ,]*?\b(?:spells|abilities)(?:,? (?:or|and) (?:activated )?abilities)?(?: from [\w ]+ sources)?"
)
#: What gives keywords to spells of its controller; and what says how much a keyword costs that something else gives.
_SPELLS_HAVE = re.compile(
    r"(?:during your turn, )?[\w ,'-]*?spells? you cast[\w '-]*? (?:has|have|gains?) (?P<keywords>[^\"]+?)"
    r"(?: if [^\"]+| as you cast (?:it|them)|, where [^\"]+)?"
)
_ITS_COST = re.compile(r"(?:its|their|the|that card's) (?P<keyword>[a-z' -]+?) costs? (?:is|are) equal to [^\"]*")
#: What is about the object itself as it is cast, and nothing else that is done with it.
_OF_THE_SPELL = re.compile(r"this spell costs\b")
_CHANGES = re.compile(r"\b(?:is|are|becomes?|loses?)\b")
_CASTING = re.compile(r"\b(?:casts?|casting|spells?|plays?|played|playing)\b")
_ACTIVATING = re.compile(r"\b(?:activat\w+|abilit(?:y|ies))\b")
_AIMING = re.compile(r"\b(?:targets?|targeted|attach\w*|unattach\w*)\b")
_LOSING = re.compile(r"\bloses? all\b|\"|\bin addition to (?:its|their) other\b")
_OTHERS = re.compile(r"\b(?:opponents?|players?|each|their|they|them|your opponents)\b")
_OWN = re.compile(r"\byou(?:'ve)? (?:may |can |can't )?(?:cast|activate|play|pay|spend)\b|\byou have no maximum\b")
_OF_OPPONENTS = re.compile(
    r"\b(?:your opponents|an opponent|each opponent|opponents) (?:can't|cast|activate|may)\b|\byour opponents (?:cast|activate)\b"
)
_ALLOWS = re.compile(r"\bmay (?:cast|play|activate|spend|look)\b")
_FORBIDS = re.compile(r"\bcan't\b")
#: What is said before a keyword that somebody has, or is taken to have.
_HAVING = r"(?:\b(?:has|have)\b[^\"]*|as though (?:it|they) had )"
_MEASURES = re.compile(
    r"\bcosts?\b|\bonly\b|\bmore\b|\bless\b|\bmust\b|\bunless\b|\badditional\b|\bloses?\b"
    r"|\bcan be\b|as though (?:it|they) didn't|\bin addition to (?:its|their) other\b|\bbecomes?\b|\b(?:is|are) an? "
)
_MANA = re.compile(r"[^\"]*\bcosts? (?:an additional )?(?:up to )?(?:\{[^{}]+\})+ (?:more|less)\b[^\"]*")

_MORE_THAN_MANA = re.compile(r"can't| may |\band (?:has|have|gains?|can|is|are)\b")


@lru_cache(maxsize=4096)
def doubt_about(sentence: str, forms: KeywordForms) -> Doubt:
    """Return what a sentence of a text, in which `~` is the object itself, could change about plays; `forms` has the keywords."""
    keywords = forms.plays
    lower = sentence.lower().removesuffix(".").removesuffix('"').removesuffix(".")
    lower = lower + '"' * (lower.count('"') % 2)
    if _IDLE.fullmatch(lower):
        return Doubt(kinds=frozenset())
    if _OF_MANA.fullmatch(lower):
        return Doubt(mana=True)
    if counted := _OF_POWER.fullmatch(lower):
        return Doubt(kinds=frozenset({"activate"}), by="you", forbids=bool(counted["other"]), power=True)
    if _OFFERED.fullmatch(lower):
        return Doubt(itself=True, kinds=frozenset({"cast"}), forbids=False)
    if (given_to := _SPELLS_HAVE.fullmatch(lower)) and _only_help(given_to["keywords"], forms):
        return Doubt(kinds=frozenset({"cast"}), by="you", forbids=False)
    if (costs := _ITS_COST.fullmatch(lower)) and costs["keyword"] in keywords.bears_on:
        return Doubt(kinds=keywords.bears_on[costs["keyword"]], forbids=False)
    attached, there, zones = bool(_ATTACHED.match(lower)), bool(_THERE.fullmatch(lower)), _NOT_FROM.fullmatch(lower)
    gives = bool(_GIVEN_ABILITY.search(lower))
    given = _GIVEN_ABILITY.sub("", _GIVEN_TRIGGER.sub("", lower))
    left = _WHO_HAS_IT.sub("", given)
    if given != lower and '"' not in given and not (_CHANGES.search(left) or _CASTING.search(left) or _ACTIVATING.search(left)):
        kinds = _kinds(left, keywords)
        if "target" not in kinds and not keywords.forbidding.search(left):
            return Doubt(kinds=kinds | ({"activate"} if gives else set()), forbids=False, attached=attached)
    lower = _WHO_HAS_IT.sub("it", lower)
    named = _kinds(lower, keywords)
    aiming = "target" in named
    kinds = Doubt().kinds
    if not _LOSING.search(lower) and named & {"cast", "activate", "target"}:
        kinds = named & {"cast", "target"} if _OF_THE_SPELL.match(lower) else named
    by = ""
    if _OWN.search(lower) and not _OTHERS.search(lower) and not aiming:
        by = "you"
    elif _OF_OPPONENTS.search(lower) and not re.search(r"\byou\b", lower) and not aiming:
        by = "opponent"
    if '"' in lower:
        by = ""
    allows = bool(_ALLOWS.search(lower) or re.search(_HAVING + keywords.letting_cast.pattern, lower))
    forbids = bool(_FORBIDS.search(lower) or keywords.forbidding.search(lower))
    sure = not _MEASURES.search(lower) and '"' not in lower and allows != forbids
    return Doubt(
        itself=bool(_ITSELF.match(lower)),
        kinds=kinds,
        by=by,
        allows=allows if sure else True,
        forbids=forbids if sure else True,
        mana=bool(_MANA.fullmatch(lower)) and not _MORE_THAN_MANA.search(lower),
        attached=attached,
        there=there and kinds <= {"target"},
        zones=frozenset(_ZONES[word] for word in zones["zones"].split(" or ")) if zones else frozenset(),
    )


def _kinds(lower: str, keywords: PlayKeywords) -> frozenset[str]:
    """Return the kinds of plays that a sentence is about, by its words and the keywords that it names."""
    lower = _TARGETED_BY.sub("be the target", lower)
    words = (("cast", _CASTING), ("activate", _ACTIVATING), ("target", _AIMING))
    return keywords.named(lower) | {kind for kind, pattern in words if pattern.search(lower)}


def _only_help(written: str, forms: KeywordForms) -> bool:
    """Return whether words are keywords that only help to cast the spells that have them."""
    uses = [forms.uses(one) for one in re.split(r",? and |, ", written)]
    return all(those and all(forms.plays.only_helps_to_cast(use.keyword) for use in those) for those in uses)
