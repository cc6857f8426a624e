"""The word "target" in a spell or ability -> what it asks for (115.1, 601.2c)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lawmage.constraints import Filter, Test
from lawmage.text.described import described, number_of
from lawmage.text.forms import KeywordForms

__all__ = ["Aim", "read_aims"]

_TARGET = re.compile(
    r"(?:(?P<before>up to [\w-]+|one or two|any number of|[\w-]+) )?(?P<another>another |other )?target(?: (?P<rest>[^.;:]*)|(?=$|[.,;:]))"
)
#: Several targets of any kind, among which something is perhaps divided; how many, and how much of that there is.
_SEVERAL = re.compile(
    r"(?:(?P<much>\w+) damage divided as you choose among|damage to each of)"
    r" (?P<number>any number of|up to \w+|one or two|one, two, or three|two|three|four|five) targets(?=$|[.,]| (?!of\b|the\b))"
)
#: What makes it depend on something else that was chosen whether there are such targets, or replaces others.
_IF_OTHERWISE = re.compile(r"if (?:this spell|it|~)(?:'s additional cost)? was (?:cast using|paid)\b|if [^,]*, instead\b|if .* instead$")
#: Words before a target that is another one than those before it.
_ORDINALS = ("third", "fourth", "fifth", "sixth")
_ANY = Filter(tuple((Test("type", kind),) for kind in ("creature", "planeswalker", "battle")))
_WHO_IS_TARGETED = re.compile(
    r"(?P<who>player|opponent)s?(?:(?P<permanents>(?:,? (?:or )?(?:planeswalker|battle)\b)+)|(?P<possessive>'s?)|(?![\w'-]))(?P<behind>.*)"
)
_CARDS = re.compile(
    r"(?P<what>[\w ,-]*?\bcards?(?: with mana value \d+ or (?:less|greater))?) (?:from|in) (?P<whose>your|a|an opponent's) graveyard"
    r"(?: without paying its mana cost)?(?P<behind>.*)"
)
_GRAVEYARDS = {"your": "own graveyard", "a": "graveyard", "an opponent's": "opponent's graveyard"}
#: What may stand behind what is targeted and says nothing of what that has to be; other words could narrow it.
_BEHIND = re.compile(
    r"to|gets?|and|unless|gains?|until|this|becomes?|each|deals|on|can't|fights|if|equal|would|for|into|instead|by|onto|has|puts|loses"
    r"|is|blocks|shuffles|attacks|doesn't|don't|perpetually|phases?|connives?|assigns|adapts|leaves|explores|face|twice|copies|sacrifices"
    r"|may|where|then"
)
#: What stands behind a player who is targeted and narrows who that can be.
_NARROWS_PLAYERS = re.compile(r"who|whose|other|with|or|dealt|previously|chosen|discarded")
_WITH_KEYWORD = re.compile(
    r"(?P<what>.+?) with(?P<out>out)? (?P<keyword>[a-z ]+?)(?P<whose> (?:you|an opponent|your opponents|you don't) controls?)?"
)
_MOST_WORDS = 14


@dataclass(frozen=True, slots=True)
class Aim:
    """What one instance of the word "target" asks for.

    Attributes:
        what: what an object has to be, or None where no object can be chosen.
        zone: where the object is; a graveyard may be `own` or an `opponent's`.
        players: `any`, `opponent` or empty: which players can be chosen.
        least, most: how many are chosen; `most` is None for any number.
        written: the words.
        if_paid: the words that say when it is chosen ("the gift was promised"); empty for always.
        instead: whether it takes the place of the others then.
        by_x: whether X is how many are chosen, at most where `least` is none.
        apart: from how many aims before it its targets have to differ ("another target").
    """

    what: Filter | None
    zone: str = "battlefield"
    players: str = ""
    least: int = 1
    most: int | None = 1
    written: str = ""
    if_paid: str = ""
    instead: bool = False
    apart: int = 0
    by_x: bool = False


def read_aims(text: str, forms: KeywordForms, earlier: int = 0) -> tuple[Aim, ...] | None:
    """Return the targets that a text asks for, in order; None where one is not understood.

    `forms` knows the keywords, `earlier` is how many the same spell or ability asks for before.
    """
    found: list[Aim] = []
    lower = re.sub(r'"[^"]*"|choose new targets for', "", text.lower())
    if (several := _SEVERAL.search(lower)) and lower.count("target") == 1:
        return _several(several)
    if re.search(r"can't be the targets?\b|becomes? the targets?\b|target of|\btargets\b", lower):
        return None
    paid = re.match(rf"if (?P<paid>{forms.plays.was_paid.pattern}), (?P<instead>instead )?", lower)
    if paid is None and "target" in lower and _IF_OTHERWISE.match(lower):
        return None
    start = 0
    while match := _TARGET.search(lower, start):
        aim = _aim(match, forms)
        if aim is None:
            return None
        if match["another"] or match["before"] in _ORDINALS:
            aim = _another(aim, earlier + len(found))
        found.append(aim)
        start = match.start("rest") if match["rest"] else match.end()
    if paid:
        instead = bool(paid["instead"]) or lower.endswith(" instead")
        found = [replace(aim, if_paid=paid["paid"], instead=instead) for aim in found]
    return tuple(found)


def _several(match: re.Match[str]) -> tuple[Aim, ...] | None:
    """Return what several targets of any kind are; no more than there is to divide, of which each gets some (601.2d)."""
    number = (1, 3) if match["number"] == "one, two, or three" else _how_many(match["number"], "")
    much = number_of(match["much"]) if match["much"] else None
    if number is None or (match["much"] and much is None):
        return None
    least, most = number
    if much is not None:
        most = much if most is None else min(most, much)
    return (Aim(_ANY, players="any", least=least, most=most, written="any target"),)


def _another(aim: Aim, earlier: int) -> Aim:
    """Return what "another target" asks for: something else than the targets before it, or where there are none, than the object itself."""
    if earlier or aim.what is None:
        return replace(aim, apart=earlier)
    return replace(aim, what=Filter(tuple((Test("other"), *tests) for tests in aim.what.any_of)))


def _aim(match: re.Match[str], forms: KeywordForms) -> Aim | None:
    before, rest = match["before"] or "", match["rest"] or ""
    if before == "any":
        return Aim(_ANY, players="any", written="any target")
    if before in ("x", "up to x"):
        aim = _aim_at(rest, 0 if before != "x" else 1, None, forms)
        return None if aim is None or "where x is" in match.string else replace(aim, by_x=True)
    number = _how_many(before, match.string[: match.start()])
    if number is None:
        return None
    return _aim_at(rest, *number, forms)


def _aim_at(rest: str, least: int, most: int | None, forms: KeywordForms) -> Aim | None:
    """Return what so many targets are, by the words behind "target"."""
    if player := _WHO_IS_TARGETED.fullmatch(rest):
        if not player["possessive"] and re.match(rf",? (?:{_NARROWS_PLAYERS.pattern})\b", player["behind"]):
            return None
        kinds = re.findall(r"planeswalker|battle", player["permanents"] or "")
        what = Filter(tuple((Test("type", kind),) for kind in kinds)) if kinds else None
        written = f"{player['who']}{player['permanents'] or ''}"
        return Aim(what, players="any" if player["who"] == "player" else "opponent", least=least, most=most, written=written)
    if cards := _CARDS.match(rest):
        what = described(cards["what"].strip())
        if what is None or not _says_no_more(cards["behind"].split()):
            return None
        return Aim(what, _GRAVEYARDS[cards["whose"]], least=least, most=most, written=cards["what"].strip())
    phrase = _phrase(rest.replace(",", " ,").split(), forms)
    if phrase is None:
        return None
    written, what = phrase
    spell = bool({"spell", "spells"} & set(written.split()))
    if spell and not re.search(r"\bspells?\b", re.split(r",? or |, ", written)[-1]):
        return None  # "spell or permanent": in either zone
    return Aim(what, "stack" if spell else "battlefield", least=least, most=most, written=written)


def _phrase(words: list[str], forms: KeywordForms) -> tuple[str, Filter] | None:
    """Return the longest phrase at the start of `words` (commas are words) that describes permanents or spells, if nothing narrows it."""
    owned = next((index for index, word in enumerate(words[:_MOST_WORDS]) if word.endswith("'s")), None)
    if owned is not None and (what := described(" ".join((*words[:owned], words[owned].removesuffix("'s"))))):
        return " ".join(words[: owned + 1]).removesuffix("'s"), what
    for count in range(min(len(words), _MOST_WORDS), 0, -1):
        if words[count - 1] == ",":
            continue
        phrase = " ".join(words[:count]).replace(" ,", ",").strip(", ")
        what = described(phrase) or _with_keyword(phrase, forms) or _as_in_combat(phrase)
        if what is not None:
            cards = {"card", "cards"} & set(phrase.split())
            return (phrase, what) if _says_no_more(words[count:]) and not cards else None
    return None


def _with_keyword(phrase: str, forms: KeywordForms) -> Filter | None:
    """Return what "creature with flying" describes."""
    match = _WITH_KEYWORD.fullmatch(phrase)
    what = described(match["what"] + (match["whose"] or "")) if match and forms.uses(match["keyword"]) else None
    if match is None or what is None:
        return None
    return Filter(tuple((*tests, Test("keyword", match["keyword"], bool(match["out"]))) for tests in what.any_of))


def _as_in_combat(phrase: str) -> Filter | None:
    """Return what a phrase describes that texts about combat use as well ("attacking or blocking creature"), but for its own relations."""
    from lawmage.text.meaning import quality

    what = quality(phrase)
    return None if what is None or any(test.kind.endswith("_own") for tests in what.any_of for test in tests) else what


def _says_no_more(behind: list[str]) -> bool:
    """Return whether the words behind a phrase say nothing of what it has to be: they begin a verb, another part, or a list of deeds."""
    if not behind:
        return True
    if behind[0] != ",":
        return bool(_BEHIND.fullmatch(behind[0]))
    return not re.match(r"(?:[\w-]+ ,? ?){0,8}or ", " ".join(behind[1:]))


def _how_many(before: str, behind: str) -> tuple[int, int | None] | None:
    """Return how many targets are chosen, least and most, by the words before "target" and those before them; None for others."""
    if before == "any number of":
        return 0, None
    if before == "one or two":
        return 1, 2
    number = number_of(before.removeprefix("up to "))
    if before.startswith("up to "):
        return None if number is None else (0, number)
    if before == "more" or (number is not None and behind.endswith((" or ", " and "))):
        return None
    return (1, 1) if number is None else (number, number)
