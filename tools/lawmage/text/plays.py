"""Rules text -> what it says about casting, activating and targeting: costs, abilities, targets, modes, and constraints of the vocabulary.

What could bear on a play and is not understood is named (`unread`). Triggered abilities and effects of activated abilities bear on
nothing by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from lawmage.constraints import Condition, Constraint, Filter, Test
from lawmage.text.aims import Aim, read_aims
from lawmage.text.costs import Price, read_cost
from lawmage.text.described import described, number_of
from lawmage.text.forms import KeywordForms
from lawmage.text.modes import NO_MODES, Mode, Modes, begins_modes, modes_after
from lawmage.text.play_keywords import PlayKeywords

__all__ = ["Activated", "Grant", "Offer", "PlayText", "read_condition", "read_plays"]

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "\r": "\n"})
_LONGEST = 20_000
_SENTENCE = re.compile(r'(?<=[.!?"])\s+(?=[A-Z~{"])')
_TRIGGERED = re.compile(r"(?:when|whenever|at the beginning of|at end of) ")
_ABILITY = re.compile(r"(?P<cost>[^:\"]{1,200}): (?P<effect>.+)", re.DOTALL)
_LABEL = re.compile(r"(?P<label>[^—.:{}]{1,40}) ?— ?(?P<rest>.+)", re.DOTALL)
_LEVEL = re.compile(r"(?P<cost>\{.+?\}): level (?P<level>\d{1,2})\b.*", re.DOTALL)
#: What stands before a list that belongs to a triggered ability, or to an activated one.
_OF_TRIGGERED, _OF_ACTIVATED = "a triggered ability", "an activated ability"
#: The cost of a loyalty ability (606.4).
_LOYALTY = re.compile(r"(?:\[(?P<in>[+-]?(?:\d{1,3}|x))\]|(?P<bare>[+-](?:\d{1,3}|x)|0)): (?P<effect>.+)", re.DOTALL | re.IGNORECASE)
#: Labels of abilities that trigger, beside keywords: chapters, prizes, what solves a Case.
_OWN_TRIGGER = re.compile(r"[ivx]+(?:, [ivx]+)*|prize|to solve")
_BEARS = re.compile(
    r"\b(?:cast|casts|casting|plays?|activated?|activates?|costs?|targets?|targeted|spend"
    r"|priority|rather than|attached|enchanted by|equipped by|loses? all(?: other)? abilities)\b"
)
#: What mentions such words and changes nothing about what may be played.
_SILENT = re.compile(
    r"can't be countered|^(?:choose|destroy|exile|draw|counter|return|create|put|search|look|reveal|shuffle|scry|surveil|mill|gain"
    r"|tap|untap|prevent|sacrifice|discard|copy|target|each|~ deals|add|then|up to|two|any number|it deals|deal"
    r"|you gain|you draw|you lose)\b"
    r"|^if (?:you do|this spell|~ was|it was|that spell)|would be (?:countered|put)"
    r"|^enchanted (?:creature|permanent|land) (?:gets|has)"
)
#: What bears on plays however the sentence begins, as what it says holds and is not done once.
_HOLDS = re.compile(
    r"\bcosts? \{.+ (?:more|less)\b|can't (?:cast|play|activate|be (?:cast|activated|enchanted|equipped|attached|the target))"
    r"|(?<!this )\bspells? [^\"]*\b(?:has|have)\b"
    r"|rather than pay|\bmay play\b|each player may (?:play|cast)|(?:each|any number of) .*can be attached"
    r"|can be activated|loses? all(?: other)? abilities|you may cast (?:it|~|this (?:card|spell)) without paying"
)
#: What is counted as a creature's power where it is tapped to pay.
_COUNTS_AS = re.compile(r"[^\"]*\b(?:as though (?:its|their) power were|using (?:its|their) toughness)\b[^\"]*")
#: What somebody has.
_GIVEN = re.compile(r"\b(?:has|have)\b([^\"]*)")
#: What gives an activated ability to others.
_GIVES = re.compile(r"\b(?:has|have|gains?)\b[^\"]*\"[^\"]*:")
#: Words for zones, and for the object itself in any of them.
_ZONE_WORDS, _ITSELF = r"\b(?:battlefield|graveyard|hand|exile|command)\b", r"(?:this card|~)(?!'s)"
#: What moves the object itself out of a zone; what says where it has to be.
_MOVES_ITSELF = re.compile(
    rf"\b(?:return|put|exile|shuffle|combine|reveal) {_ITSELF}(?: (?:and|onto|into) [^.,]*?)?"
    r" from (?:your (?:graveyard|hand)|exile|the command zone)"
)
_PLACE = r"(?:on the battlefield|in (?:your (?:graveyard|hand)|exile|the command zone))"
_ITS_PLACE = re.compile(rf"if {_ITSELF} is {_PLACE}(?: or {_PLACE})?")
#: By what a player can't be targeted, beside keywords.
_UNTARGETABLE = {"you can't be the target of spells or abilities your opponents control": "opponents"}
_UNTARGETABLE |= {"you can't be the target of spells or abilities": "anybody"}
#: Who is spoken of (lm:aimed).
_WHO = {"you": "you", "your opponents": "opponent", "opponents": "opponent", "each opponent": "opponent", "an opponent": "opponent"}
_WHO |= {"players": "players", "each player": "players", "a player": "players", "": "players"}
_WHO |= {"target player": "affected", "that player": "affected"}
_WHO_WORDS = r"(?:your opponents|opponents|each opponent|players|each player|target player|that player|you)"
#: Who may activate an ability, and when, in other words; and what changes its cost.
_WHO_MAY = re.compile(r"(?:any player|only [^.]*) may activate this ability\b.*|you can't activate this ability\b.*")
_COSTS_OTHERWISE = re.compile(r"(?:[^.]*, )?this ability costs [^.]* to activate\b.*|spend only [^.]* to activate this ability")
_WHEN = {"as a sorcery": "as_a_sorcery", "as an instant": "as_an_instant"}
_WHEN |= {"during your turn": "during_your_turn", "during your upkeep": "during_your_upkeep"}


@dataclass(frozen=True, slots=True)
class Activated:
    """An activated ability in a text: its cost (None where it is not understood), targets, times, and how often it may be used.

    `label` is the keyword before a dash, `level` the level of a class level bar; `times` says when, as in kb/ (lm:Time). `loyalty` is the
    cost of a loyalty ability, such as "-3" and "-x". `aims` are those outside its modes, `zones` where it functions.
    """

    written: str
    price: Price | None
    aims: tuple[Aim, ...] | None
    times: tuple[str, ...] = ()
    limit: str = ""
    mana: bool = False
    anyone: bool = False
    label: str = ""
    level: int | None = None
    condition: str = ""
    loyalty: str = ""
    modes: Modes = NO_MODES
    zones: tuple[str, ...] = ("battlefield",)


@dataclass(frozen=True, slots=True)
class Offer:
    """A cost that a text adds to spells or offers for them: `additional` or `alternative`; of the spell itself where `spells` is None."""

    kind: str
    price: Price
    source: str
    optional: bool = False
    spells: Filter | None = None
    once_each_turn: bool = False
    conditions: tuple[Condition, ...] = ()
    zone: str = ""


@dataclass(frozen=True, slots=True)
class Grant:
    """A keyword that a text gives to cards in a zone of its controller; its cost is their mana cost and `beside`, or as written."""

    keyword: str
    cards: Filter
    zone: str
    beside: Price | None
    source: str


@dataclass(frozen=True, slots=True)
class PlayText:
    """What a text says about plays.

    `aims` and `modes` are those of a spell; `labels` what stands before dashes and behind;
    `gives` the sentences that give activated abilities to others; `untargetable` tells whose spells and abilities can't target its
    controller: `anybody`'s, `opponents`'.
    """

    constraints: tuple[Constraint, ...] = ()
    abilities: tuple[Activated, ...] = ()
    offers: tuple[Offer, ...] = ()
    grants: tuple[Grant, ...] = ()
    aims: tuple[Aim, ...] = ()
    modes: Modes = NO_MODES
    labels: tuple[tuple[str, str], ...] = ()
    gives: tuple[str, ...] = ()
    untargetable: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@lru_cache(maxsize=2048)
def read_plays(text: str, names: tuple[str, ...], forms: KeywordForms) -> PlayText:
    """Read a rules text.

    Args:
        text: the text, one ability a line; what stands in parentheses is passed over.
        names: the words that mean the object itself.
        forms: the keywords; a line of them, or of several between commas, is read elsewhere.
    """
    reader = _Reader(forms)
    straight = re.sub(r"\([^()]*\)", "", text[:_LONGEST].translate(_STRAIGHT))
    for name in sorted(names, key=len, reverse=True):
        if name:
            straight = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "~", straight)
    for line in straight.split("\n"):
        if line.strip():
            reader.line(line.strip())
    return PlayText(
        constraints=tuple(reader.constraints),
        abilities=tuple(reader.abilities),
        offers=tuple(reader.offers),
        grants=tuple(reader.grants),
        aims=tuple(reader.aims),
        modes=reader.modes,
        labels=tuple(reader.labels),
        gives=tuple(reader.gives),
        untargetable=tuple(reader.untargetable),
        unread=tuple(reader.unread),
    )


@dataclass(slots=True)
class _Reader:
    forms: KeywordForms
    constraints: list[Constraint] = field(default_factory=list)
    abilities: list[Activated] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    grants: list[Grant] = field(default_factory=list)
    aims: list[Aim] = field(default_factory=list)
    modes: Modes = NO_MODES
    unread: list[str] = field(default_factory=list)
    in_list: bool = False
    before_list: str = ""
    most_modes: int = 0
    labels: list[tuple[str, str]] = field(default_factory=list)
    gives: list[str] = field(default_factory=list)
    untargetable: list[str] = field(default_factory=list)

    def line(self, line: str) -> None:
        lower = line.lower()
        if re.match(r"[•+] ", line):
            self._item(line.lstrip("•+ ").strip())
            return
        self.in_list, self.before_list, self.most_modes = False, line, 0
        if self._keywords(lower.removesuffix(".")):
            self.before_list = ""
            self.most_modes = sum(self.forms.plays.most_modes.get(use.keyword, 0) for use in self.forms.uses(lower))
            return
        if match := _LEVEL.fullmatch(lower):
            price = read_cost(match["cost"])
            self.abilities.append(Activated(line, price, (), ("as_a_sorcery",), level=int(match["level"]), label="level"))
            return
        label, rest = "", line
        if (match := _LABEL.fullmatch(line)) and not _TRIGGERED.match(lower):
            label, rest = match["label"].strip().lower(), match["rest"].strip()
            self.labels.append((label, rest))
            if _OWN_TRIGGER.fullmatch(label) or label in self.forms.plays.triggering_labels:
                return
            if label.startswith("choose "):
                self._list(label)
                if rest:
                    self._mode(rest.lstrip("•+ "))
                return
        if begins_modes(rest.lower()) == 0:
            self._list(rest.lower())
            return
        if _TRIGGERED.match(rest.lower()):
            self.before_list = _OF_TRIGGERED
            return
        if match := _LOYALTY.fullmatch(rest):
            self.before_list = _OF_ACTIVATED
            made = _activated(line, label, Price(), match["effect"], self.forms)
            self.abilities.append(replace(made, loyalty=(match["in"] or match["bare"]).lower()))
            return
        if match := _ABILITY.fullmatch(rest):
            price = read_cost(match["cost"].lower())
            if price is not None or re.match(r"[{\w]", match["cost"]):
                self.before_list = _OF_ACTIVATED
                self.abilities.append(_activated(line, label, price, match["effect"], self.forms))
                return
        pieces = _SENTENCE.split(rest)
        while pieces:
            self._sentence(pieces.pop(0), pieces)

    def _keywords(self, lower: str) -> bool:
        if self.forms.uses(lower):
            return True
        parts = re.split(r"[,;] ", lower)
        return len(parts) > 1 and all(map(self.forms.uses, parts))

    def _item(self, line: str) -> None:
        """Read an item of a list: a mode of the spell, what belongs to a triggered or activated ability, or what holds if it was chosen."""
        if self.in_list or not self.before_list:
            if not self.in_list:
                self._list("")
            self._mode(line)
        elif self.before_list == _OF_ACTIVATED:
            ability = self.abilities[-1]
            self.abilities[-1] = replace(ability, modes=ability.modes.with_mode(self._read_mode(line)))
        elif self.before_list != _OF_TRIGGERED:
            chosen = _Reader(self.forms)
            chosen.line(line)
            if chosen.constraints or chosen.offers or chosen.grants or chosen.abilities or chosen.aims or chosen.unread:
                self.unread.append(line)

    def _list(self, opening: str) -> None:
        self.in_list = True
        modes = modes_after(opening)
        self.modes = replace(modes, each=self.modes.each, most=self.most_modes or modes.most)

    def _mode(self, line: str) -> None:
        self.modes = self.modes.with_mode(self._read_mode(line))

    def _read_mode(self, line: str) -> Mode:
        price = None
        named = ""
        match = re.match(r"([^—{]+ — )?((?:\{[^{}]+\})+)\s*[—-]\s*(.+)", line)
        if match:
            named, price, line = match[1] or "", read_cost(match[2]), match[3]
        return Mode(named + line, price, read_aims(line, self.forms))

    def _sentence(self, sentence: str, following: list[str]) -> None:
        text = sentence.strip().removesuffix(".")
        lower = text.lower()
        if _GIVES.search(lower):
            self.gives.append(sentence)
        if _TRIGGERED.match(lower):
            following.clear()
            return
        given = re.fullmatch("you have (.+)", lower)
        whose = self.forms.plays.spares_players.get(given[1]) if given else _UNTARGETABLE.get(lower)
        if whose:
            self.untargetable.append(whose)
            return
        for pattern, make in _statements(self.forms.plays):
            if match := pattern.fullmatch(lower):
                made = make(match, text)
                if made is not None and self._has_read_conditions(made):
                    self._take(made, following)
                    return
        found = read_aims(text, self.forms, len(self.aims))
        if found:
            self.aims.extend(found)
        elif found is None or self._bears(lower):
            self.unread.append(sentence)

    def _has_read_conditions(self, made: tuple[object, ...]) -> bool:
        conditions = (condition for one in made if isinstance(one, (Constraint, Offer)) for condition in one.conditions)
        return _are_of_keywords(conditions, self.forms)

    def _bears(self, lower: str) -> bool:
        """Return whether a sentence could bear on plays."""
        plays = self.forms.plays
        if _COUNTS_AS.fullmatch(lower) or plays.barring.search(lower):
            return True
        if not _BEARS.search(lower) and not plays.of_casts_and_targets.search(lower):
            return False
        had = re.search(rf"as though (?:it|they) had {plays.letting_cast.pattern}", lower)
        if had or _HOLDS.search(lower) or any(plays.lasting.search(given) for given in _GIVEN.findall(lower)):
            return True
        return not _SILENT.search(lower) and not re.match(rf"if {plays.was_paid.pattern}", lower.replace("wasn't", "was"))

    def _take(self, made: tuple[object, ...], following: list[str]) -> None:
        for one in made:
            if isinstance(one, Constraint):
                self.constraints.append(one)
            elif isinstance(one, Offer):
                self.offers.append(one)
            elif isinstance(one, Grant):
                self.grants.append(_with_cost(one, following))


def _with_cost(grant: Grant, following: list[str]) -> Grant:
    """Take the sentence that says what the keyword that is given costs, if it is next."""
    told = rf"the {grant.keyword} cost is equal to (?:the card's|its) mana cost(?: plus (.+?))?\.?"
    if following and (match := re.fullmatch(told, following[0].lower())):
        price = read_cost(match[1] or "")
        if price is not None:
            following.pop(0)
            return replace(grant, beside=price)
    return grant


# ---------------------------------------------------------------- activated abilities


def _activated(line: str, label: str, price: Price | None, effect: str, forms: KeywordForms) -> Activated:
    times: list[str] = []
    limit, condition, unclear, anyone = "", "", "", False
    kept = []
    for sentence in _SENTENCE.split(effect):
        lower = sentence.lower().removesuffix(".")
        if lower.startswith("activate "):
            said = lower.removeprefix("activate ").removeprefix("this ability ")
            for part in re.split(r" and (?:only )?", said):
                part = part.removeprefix("only ")
                if part in _WHEN:
                    times.append(_WHEN[part])
                elif part in ("once each turn", "once"):
                    limit = "once_each_turn" if part == "once each turn" else "only_once"
                elif not _ITS_PLACE.fullmatch(part):
                    condition = sentence
        elif lower == "any player may activate this ability":
            anyone = True
        elif _WHO_MAY.fullmatch(lower) or _COSTS_OTHERWISE.fullmatch(lower):
            unclear = sentence
            anyone = anyone or " may activate" in lower
        else:
            kept.append(sentence)
    body = " ".join(kept)
    start = begins_modes(body.lower())
    modes = Modes(unread="how many of its modes are chosen") if start is None else modes_after(body[start:].lower())
    body = body[:start]
    aims = None if re.search(r"\bchoose (?:one|two|three|any number|up to)\b", body.lower()) else read_aims(body, forms)
    mana = bool(re.match(r"add (?:\{|one|two|three|x|an amount)", body.lower())) and not aims
    return Activated(
        line, price, aims, tuple(times), limit, mana, anyone, label, None, unclear or condition, modes=modes, zones=_zones(line)
    )


def _zones(line: str) -> tuple[str, ...]:
    """Return where an activated ability functions (113.6b, 113.6j, 113.6m): from where it says, or moves, the object that it is on."""
    lower = re.sub(r'"[^"]*"', "", line.lower())
    cost, _, effect = lower.partition(":")
    if match := _ITS_PLACE.search(effect):
        return tuple(re.findall(_ZONE_WORDS, match[0]))
    if match := _MOVES_ITSELF.search(cost):
        return (re.findall(_ZONE_WORDS, match[0])[-1],)
    if re.search(rf"\bdiscard {_ITSELF}", cost):
        return ("hand",)
    if not re.search(rf"\b(?:sacrifice|exile) (?:{_ITSELF}|this \w+)", lower) and (match := _MOVES_ITSELF.search(effect)):
        return (re.findall(_ZONE_WORDS, match[0])[-1],)
    return ("battlefield",)


# ---------------------------------------------------------------- statements


def read_condition(text: str, forms: KeywordForms) -> tuple[Condition, ...] | None:
    """Return the condition that a clause states, what somebody controls; None where it is not understood. `forms` knows the keywords."""
    conditions = _condition(text)
    return conditions if conditions is not None and _are_of_keywords(conditions, forms) else None


def _are_of_keywords(conditions: Iterable[Condition], forms: KeywordForms) -> bool:
    """Return whether all that conditions ask objects to have are keywords."""
    tests = (test for one in conditions if one.filter for tests in one.filter.any_of for test in tests)
    return all(forms.uses(str(test.value)) for test in tests if test.kind == "keyword")


def _condition(text: str) -> tuple[Condition, ...] | None:
    match = re.fullmatch(r"(you|an opponent) controls? (an?|\w+ or more|another|no) (.+?)(?: with ([a-z ]+))?", text)
    if not match:
        return None
    what = described(match[3])
    if what is None:
        return None
    if match[4]:
        what = Filter(tuple((*tests, Test("keyword", match[4])) for tests in what.any_of))
    if match[2] == "another":
        what = Filter(tuple((Test("other"), *tests) for tests in what.any_of))
    number = number_of(match[2].removesuffix(" or more")) or 1
    who = "you" if match[1] == "you" else "opponent"
    return (Condition("controls", who, what, number, negated=match[2] == "no"),)


_Made = tuple[object, ...]
_Maker = Callable[[re.Match[str], str], _Made | None]


def _spells(words: str) -> Filter | None:
    """Return what "instant or sorcery spells", "spells", "noncreature spells" describe."""
    return Filter() if words.strip() in ("", "spell", "spells") else described(words)


def _prohibits(match: re.Match[str], text: str) -> _Made | None:
    spells = _spells(match["what"])
    when = (Condition("open", text=match["when"]),) if match["when"] else ()
    return None if spells is None else (Constraint("cannot_cast", spells, target=_WHO[match["who"]], conditions=when, source=text),)


def _only_as_sorcery(match: re.Match[str], text: str) -> _Made | None:
    spells = _spells(match["what"])
    return None if spells is None else (Constraint("cast_only_as_sorcery", spells, target=_WHO[match["who"]], source=text),)


def _as_though_flash(match: re.Match[str], text: str) -> _Made | None:
    spells = _spells(match["what"])
    return None if spells is None else (Constraint("cast_as_instant", spells, target="you", source=text),)


def _self_flash(match: re.Match[str], text: str) -> _Made | None:
    conditions = _condition(match["if"]) if match["if"] else ()
    return None if conditions is None else (Constraint("cast_as_instant", "self", target="you", conditions=conditions, source=text),)


def _not_activated(match: re.Match[str], text: str) -> _Made | None:
    words = match["what"].strip()
    named = re.fullmatch(r"sources? with the name (.+)", words)
    what = Filter(((Test("named", named[1]),),)) if named else described(words)
    kind = "cannot_activate_but_mana" if match["mana"] else "cannot_activate"
    return None if what is None else (Constraint(kind, what, source=text),)


def _cost_change(match: re.Match[str], text: str) -> _Made | None:
    spells = _spells(match["what"])
    who = {"you cast": "you", "your opponents cast": "opponent", "": "players"}[(match["who"] or "").strip()]
    kind = "costs_more" if match["more"] == "more" else "costs_less"
    return None if spells is None else (Constraint(kind, spells, value=match["mana"].upper(), target=who, source=text),)


def _own_cost_change(match: re.Match[str], text: str) -> _Made | None:
    kind = "costs_more" if match["more"] == "more" else "costs_less"
    counted: Filter | None = None
    conditions: tuple[Condition, ...] = ()
    if match["each"]:
        counted = described(match["each"])
        if counted is None or "controlled_by" not in {test.kind for tests in counted.any_of for test in tests}:
            return None
    if match["if"]:
        found = _condition(match["if"])
        if found is None:
            return None
        conditions = found
    return (Constraint(kind, "self", object=counted, value=match["mana"].upper(), target="you", conditions=conditions, source=text),)


def _additional(match: re.Match[str], text: str) -> _Made | None:
    price = read_cost(match["cost"])
    return None if price is None else (Offer("additional", price, text, optional=bool(match["may"])),)


def _alternative(match: re.Match[str], text: str) -> _Made | None:
    price = read_cost(match["cost"])
    conditions = _condition(match["if"]) if match["if"] else ()
    return None if price is None or conditions is None else (Offer("alternative", price, text, optional=True, conditions=conditions),)


def _alternative_for_spells(match: re.Match[str], text: str) -> _Made | None:
    price = read_cost(match["cost"])
    spells = _spells(match["what"] or "")
    value = match["value"]
    if price is None or spells is None:
        return None
    if value:
        spells = Filter(tuple((*tests, Test("mana_value_at_most", int(value))) for tests in spells.any_of))
    return (Offer("alternative", price, text, optional=True, spells=spells, once_each_turn=bool(match["once"])),)


def _grants(match: re.Match[str], text: str) -> _Made | None:
    cards = described(match["what"])
    return None if cards is None else (Grant(match["keyword"], cards, match["zone"], None, text),)


def _more_lands(match: re.Match[str], text: str) -> _Made | None:
    number = number_of(match["number"])
    return None if number is None else (Constraint("more_lands", "self", number=number, target=_WHO[match["who"]], source=text),)


def _from_zone(match: re.Match[str], text: str) -> _Made | None:
    spells = _spells(match["what"])
    return None if spells is None else (Offer("permission", Price(), text, optional=True, spells=spells, zone=match["zone"]),)


def _not_targeted(match: re.Match[str], text: str) -> _Made | None:
    who = "opponent" if match["opponents"] else None
    return (Constraint("cannot_be_targeted", "self", target=who, source=text),)


_THIS = r"(?:this (?:spell|card)|~)"
#: In the place of what lets something be cast when instants can be.
_LETS_CAST = "<lets cast>"
_STATEMENTS: tuple[tuple[str, _Maker], ...] = (
    (
        rf"(?P<who>{_WHO_WORDS}) can't cast (?P<what>[\w ,-]*?spells)(?: this turn| (?P<when>during (?:your|each opponent's) turn))?",
        _prohibits,
    ),
    (rf"(?P<who>{_WHO_WORDS}) can cast (?P<what>[\w ,-]*?spells) only any time (?:they|you) could cast a sorcery", _only_as_sorcery),
    (r"you may cast (?P<what>[\w ,-]*?spells)(?: this turn)? as though they had " + _LETS_CAST, _as_though_flash),
    (rf"{_THIS} has {_LETS_CAST}(?: (?:as long as|if) (?P<if>.+))?", _self_flash),
    (rf"you may cast {_THIS} as though it had {_LETS_CAST}(?: if (?P<if>.+))?", _self_flash),
    (r"activated abilities of (?P<what>[\w ,'-]+?) can't be activated(?P<mana> unless they're mana abilities)?", _not_activated),
    (
        r"(?P<what>[\w ,-]*?spells)(?P<who> you cast| your opponents cast)? cost (?P<mana>(?:\{[^{}]+\})+) (?P<more>more|less) to cast",
        _cost_change,
    ),
    (
        rf"{_THIS} costs (?P<mana>(?:\{{[^{{}}]+\}})+) (?P<more>more|less) to cast(?: for each (?P<each>.+?))?(?: if (?P<if>.+))?",
        _own_cost_change,
    ),
    (rf"as an additional cost to cast {_THIS}, (?P<may>you may )?(?P<cost>.+)", _additional),
    (rf"(?:if (?P<if>.+?), )?you may (?P<cost>.+) rather than pay (?:{_THIS}'s|this spell's) mana cost", _alternative),
    (
        r"(?P<once>once (?:each turn|during each of your turns), )?you may (?P<cost>.+) rather than pay the mana cost for"
        r" (?:(?:an? )?(?P<what>[\w -]*?spells?)) you cast(?: with mana value (?P<value>\d+) or less)?",
        _alternative_for_spells,
    ),
    (r"each (?P<what>[\w -]+?) in your (?P<zone>graveyard) has (?P<keyword>[a-z -]+)", _grants),
    (r"(?P<who>you|each player) may play (?P<number>\w+) additional lands? on each of (?:your|their) turns", _more_lands),
    (r"you may cast (?P<what>[\w -]*?spells) from (?:your|the top of your) (?P<zone>graveyard|library|hand)", _from_zone),
    (
        r"(?:this creature|this permanent|~) can't be the target of spells or abilities(?P<opponents> your opponents control)?",
        _not_targeted,
    ),
)


@lru_cache(maxsize=8)
def _statements(plays: PlayKeywords) -> tuple[tuple[re.Pattern[str], _Maker], ...]:
    """Return the patterns of sentences that state something, with what makes values of their matches."""
    return tuple((re.compile(pattern.replace(_LETS_CAST, plays.letting_cast.pattern)), make) for pattern, make in _STATEMENTS)
