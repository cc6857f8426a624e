"""The table as the checker sees it: what is there, as changes make it (613), and what is said about whom (109.5, 506.5, 508.5)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import count
from typing import TypeAlias

from lawmage.board import Board, Object
from lawmage.checker.declared import ActCost
from lawmage.checker.filters import TESTS, Asked, Being, KeywordWords, become, being, cease, fits, strengthen
from lawmage.checker.having import HAVING, OF_OBJECTS, cards_in_hand, has
from lawmage.constraints import Condition, Constraint, Filter, Subject
from lawmage.play.knowledge import Knowledge
from lawmage.play.reading import Holder, Reading, substitute
from lawmage.text.forms import KeywordUse, parse_keywords
from lawmage.text.words import turn

__all__ = [
    "CHANGES",
    "CONDITIONS",
    "FOR_COUNTERS",
    "FOR_HAND",
    "FOR_LAND_TYPES",
    "PLAYERS",
    "Speaker",
    "Statement",
    "Table",
    "imposed_by",
    "open_conditions",
]

#: The conditions, the words for players, and the kinds of changes that the checker knows.
CONDITIONS = frozenset({"controls", "there_are", "is", "attached_is", "turn", "attacking_alone", "open"}) | HAVING
PLAYERS = frozenset({"you", "opponent", "attacking player", "defending player", "any player"})
CHANGES = ("has_no_color", "is_not", "is_also", "has_keyword", "gets", "gets_for_each")

#: The costs that are due for each counter, for each card in a hand, and for each basic land type (305.6).
FOR_HAND = frozenset({"attack_cost_for_hand", "block_cost_for_hand"})
FOR_COUNTERS = frozenset({"attack_cost_for_counters", "block_cost_for_counters"})
FOR_LAND_TYPES = frozenset({"attack_cost_for_land_types"})
_BASIC_LAND_TYPES = frozenset({"plains", "island", "swamp", "mountain", "forest"})

#: Open conditions that are taken to be met: the text of each, and the object or effect that has it.
_Taken: TypeAlias = Collection[tuple[str, str]]

_PT_COUNTER = re.compile(r"([+-]\d+)/([+-]\d+)")


@dataclass(slots=True)  # not frozen, for every check makes many
class Speaker:
    """Who states constraints: an object, an effect, or a player who has given a designation.

    Attributes:
        name: as messages call it.
        you: the player whom "you" means (109.5).
        source: the object that "this creature" means.
        attached: the object that "enchanted creature" means.
        affects: the objects and players that an effect names.
    """

    name: str
    you: str
    source: str | None = None
    attached: str | None = None
    affects: tuple[str, ...] = ()


@dataclass(slots=True)  # not frozen, for every check makes many
class Statement:
    """A constraint, as somebody states it once.

    Attributes:
        number: its place among the statements of a table, which tells it from another with the same words.
        rule: the rule that a declaration disobeys with it.
        subjects: the objects that it is about.
        keyword: the keyword that imposes it, if one does.
        later: its conditions about a defending player whom only an attack settles (508.5a).
    """

    number: int
    constraint: Constraint
    rule: str
    speaker: Speaker
    subjects: frozenset[str]
    keyword: KeywordUse | None = None
    later: tuple[Condition, ...] = ()


def open_conditions(reading: Reading, known: Knowledge, judge: str) -> list[tuple[str, str]]:
    """Return the conditions that the board does not settle: the text of each, and the object or effect that has it."""
    found = [
        (condition.text, holder.name)
        for holder in (*reading.objects, *reading.effects)
        for said in holder.states
        if judge in known.kinds[said.kind].judges
        for condition in said.conditions
        if condition.kind == "open"
    ]
    return list(dict.fromkeys(found))


class Table:
    """What is there and what is said, for one declaration.

    Args:
        board, reading, known: the board, what its words say, what kb/ says of keywords.
        judge: `attack` or `block`.
        meant: the kinds of constraints on declarations whose meaning is known.
        targets: the words for what an attack is on whose meaning is known.
        defending: the defending player, where there is only one for the whole declaration.
        taken: the open conditions that are taken to be met.
        release: the release of the rules, an ISO date.
        growth: what abilities that have resolved add to power and toughness until end of turn, by object.

    Attributes:
        beings: the permanents that are there, by name.
        statements: what is stated and applies, as far as the checker knows what it means, by kind.
        unknown: the groups of the vocabulary (`restriction`, ...) of what is stated and not known.
    """

    def __init__(
        self,
        board: Board,
        reading: Reading,
        known: Knowledge,
        judge: str,
        *,
        meant: Collection[str],
        targets: Collection[str],
        defending: str | None,
        taken: _Taken,
        release: str,
        growth: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.board = board
        self._growth = growth or {}
        self.known = known
        self.words = KeywordWords(reading.forms)
        self._forms = reading.forms
        self._judge, self._meant, self._targets = judge, meant, targets
        self._defending, self._taken = defending, taken
        self.unknown: set[str] = set()
        self.statements: defaultdict[str, list[Statement]] = defaultdict(list)
        self._about: defaultdict[tuple[str, str], list[Statement]] = defaultdict(list)
        self._numbers = count()
        self._done = _done_before(board, release, known)
        there = [thing for thing in board.objects.values() if thing.zone == "battlefield"]
        self.beings: dict[str, Being] = {thing.id: being(thing) for thing in there if not thing.phased_out}
        for attack in board.attacks or ():
            if attack.attacker in self.beings:
                self.beings[attack.attacker].attacking = True
                self.beings[attack.attacker].attacks = attack.target
        self._read(there, reading)

    def about(self, kind: str, subject: str) -> Sequence[Statement]:
        """Return the statements of a kind that are about an object."""
        return self._about.get((kind, subject), ())

    # ------------------------------------------------------------ what is said

    def _read(self, there: Sequence[Object], reading: Reading) -> None:
        spoken: list[tuple[Speaker, Holder]] = []
        for thing, holder in zip(there, reading.objects, strict=True):
            if thing.phased_out:
                continue
            if holder.counters:
                self.beings[thing.id].keywords += dict.fromkeys(holder.counters)
            if not thing.face_down:
                self.beings[thing.id].keywords += holder.keywords
                if holder.states:
                    spoken.append((_speaker(thing), holder))
        for effect, holder in zip(self.board.effects, reading.effects, strict=True):
            spoken.append((Speaker(holder.name, effect.controller, holder.source, None, holder.affects), holder))
        self._change(spoken)
        for each in self.beings.values():
            if each.keywords:
                self._state_keywords(each)
        self._state_designations(spoken)
        for speaker, holder in spoken:
            for said in holder.states:
                if said.kind not in CHANGES and said.kind != "is_designated":
                    self._state(said, self.known.kinds[said.kind].by, speaker)

    def _state_keywords(self, holder: Being) -> None:
        speaker = _speaker(holder.thing)
        seen = set()
        for use in holder.keywords:
            key = (use.keyword, use.quality, use.number)
            if key not in seen:
                for imposed in imposed_by(self.known, *key):
                    if imposed.kind not in CHANGES:
                        self._state(imposed, imposed.source, speaker, use)
            if self.known.keywords[use.keyword].redundant:
                seen.add(key)

    def _state_designations(self, spoken: Sequence[tuple[Speaker, Holder]]) -> None:
        """State what designations do: they are no abilities; goading a second time by the same player adds nothing (701.15d)."""
        for each in self.beings.values():
            for word in each.thing.designations:
                for imposed in self.known.imposed_by(word):
                    if imposed.kind not in CHANGES:
                        self._state(imposed, imposed.source, _speaker(each.thing))
        given = [
            (Constraint("is_designated", value="goaded"), Speaker(player, player, each.thing.id))
            for each in self.beings.values()
            for player in each.thing.goaded_by
        ]
        given += [(said, speaker) for speaker, holder in spoken for said in holder.states if said.kind == "is_designated"]
        if self._judge not in self.known.kinds["is_designated"].judges:
            return
        seen: set[tuple[str | None, str, str]] = set()
        for said, speaker in given:
            if "is_designated" not in self._meant or not self._understood(said) or self._later(said):
                self.unknown.update(self.known.kinds[imposed.kind].group for imposed in self.known.designations[said.value or ""])
            elif all(self.met(condition, speaker, self._defending) for condition in said.conditions):
                for subject in self._subjects(said.subject, speaker):
                    if (said.value, speaker.you, subject) not in seen:
                        seen.add((said.value, speaker.you, subject))
                        for imposed in self.known.designations[said.value or ""]:
                            self._state(imposed, imposed.source, replace(speaker, source=subject))

    def _change(self, spoken: Sequence[tuple[Speaker, Holder]]) -> None:
        """Let objects be of more types and colours (613.1d, 613.1e), gain keywords (613.1f), then power and toughness (613.4c)."""
        said = [*self._own_changes(), *((speaker, one) for speaker, holder in spoken for one in holder.states)]
        for kind in CHANGES:
            for speaker, one in said:
                if one.kind == kind:
                    self._apply(one, speaker)
            if kind == "is_also":
                self._attach()
        for each in self.beings.values():
            for name, number in each.thing.counters.items():
                if match := _PT_COUNTER.fullmatch(name):
                    strengthen(each, int(match[1]) * number, int(match[2]) * number)
        for name, (power, toughness) in self._growth.items():
            strengthen(self.beings[name], power, toughness)

    def _attach(self) -> None:
        """Note what is attached to each permanent, once it is known what that is (301.5, 303.4)."""
        for each in self.beings.values():
            if each.thing.attached_to in self.beings:
                self.beings[each.thing.attached_to].attached |= each.subtypes
                self.beings[each.thing.attached_to].worn.append((each.subtypes, each.thing.controller))

    def _own_changes(self) -> Iterator[tuple[Speaker, Constraint]]:
        """Yield how objects are changed by their own keywords and designations."""
        for each in self.beings.values():
            imposed = [one for use in each.keywords for one in imposed_by(self.known, use.keyword, use.quality, use.number)]
            imposed += [one for word in each.thing.designations for one in self.known.imposed_by(word)]
            yield from ((_speaker(each.thing), one) for one in imposed if one.kind in CHANGES)

    def _apply(self, change: Constraint, speaker: Speaker) -> None:
        if not self._understood(change) or self._later(change):
            self.unknown.add(self.known.kinds[change.kind].group)
        elif all(self.met(condition, speaker, self._defending) for condition in change.conditions):
            for name in self._subjects(change.subject, speaker):
                if change.kind == "has_no_color":
                    self.beings[name].colors = frozenset()
                elif change.kind == "is_not":
                    cease(self.beings[name], change.object if isinstance(change.object, Filter) else Filter())
                elif change.kind == "is_also":
                    become(self.beings[name], change.object if isinstance(change.object, Filter) else Filter())
                elif change.kind == "gets":
                    strengthen(self.beings[name], change.power, change.toughness)
                elif change.kind == "gets_for_each":
                    asked = self._asked(speaker, self.beings[name])
                    described = change.object if isinstance(change.object, Filter) else Filter()
                    number = sum(fits(described, each, asked) for each in self.beings.values())
                    strengthen(self.beings[name], change.power * number, change.toughness * number)
                else:
                    self.beings[name].keywords += parse_keywords(change.value or "", self._forms)

    def _state(self, said: Constraint, rule: str, speaker: Speaker, keyword: KeywordUse | None = None) -> None:
        kind = self.known.kinds[said.kind]
        if self._judge not in kind.judges:
            return
        later = self._later(said) if said.conditions else ()
        if said.kind not in self._meant or not self._understood(said) or (later and kind.group == "permission"):
            self.unknown.add(kind.group)
        elif not said.conditions or all(self.met(each, speaker, self._defending) for each in said.conditions if each not in later):
            subjects = frozenset(self._subjects(said.subject, speaker))
            if self._done and said.target is None and turn("within_a_turn").search(said.source.lower()):
                subjects -= self._done.get(said.kind, frozenset())
            statement = Statement(next(self._numbers), said, rule, speaker, subjects, keyword, later)
            self.statements[said.kind].append(statement)
            for subject in subjects:
                self._about[said.kind, subject].append(statement)

    def _later(self, said: Constraint) -> tuple[Condition, ...]:
        if self._defending is not None:
            return ()
        return tuple(condition for condition in said.conditions if condition.who == "defending player")

    def _understood(self, said: Constraint) -> bool:
        """Tell whether every test, condition and target in `said` is known, and who the defending player is where a test asks."""
        for condition in said.conditions:
            of_object = condition.kind in HAVING and condition.who in OF_OBJECTS
            if condition.kind not in CONDITIONS or (condition.who and condition.who not in PLAYERS and not of_object):
                return False
            if not self._knows(condition.filter):
                return False
        if said.target is not None and said.target not in self._targets:
            return False
        return self._knows(said.subject) and self._knows(said.object)

    def _knows(self, described: Subject | None) -> bool:
        """Tell whether every test of a description is known; what points at something has none."""
        return not isinstance(described, Filter) or all(
            test.kind in TESTS and (test.value != "defending player" or self._defending is not None)
            for alternative in described.any_of
            for test in alternative
        )

    # ------------------------------------------------------------ who and what is meant

    def _subjects(self, subject: Subject, speaker: Speaker) -> Iterator[str]:
        """Yield the objects that a constraint is about: those that it points at, or the creatures that it describes."""
        if isinstance(subject, Filter):
            asked = self._asked(speaker)
            yield from (name for name, each in self.beings.items() if "creature" in each.types and fits(subject, each, asked))
        else:
            yield from filter(self.beings.__contains__, _pointed(subject, speaker))

    def admits(self, said: Statement, subject: str, other: str, as_though: Collection[str] = ()) -> bool:
        """Tell whether `other` is on the other side of what is said about `subject`; without an object everything is.

        `as_though`: the keywords that `other` is treated as having (609.4).
        """
        object_ = said.constraint.object
        if object_ is None:
            return True
        if not isinstance(object_, Filter):
            return other in _pointed(object_, said.speaker)
        asked = self._asked(said.speaker, self.beings.get(subject), as_though)
        return other in self.beings and fits(object_, self.beings[other], asked)

    def asked(self, said: Statement, subject: str, player: str, declared: Collection[str], tapped: Collection[str]) -> ActCost:
        """Return what `player` has to do for `subject`, where the creatures in `declared` act, which taps those in `tapped`."""
        act, _, which = (said.constraint.value or "").partition("_")
        mine = {name for name, being in self.beings.items() if being.thing.controller == player and self.admits(said, subject, name)}
        if act == "tap":
            mine = {name for name in mine if not self.beings[name].thing.tapped}.difference(tapped)
        if which == "undeclared":
            mine = mine.difference(declared)
        return ActCost(act, said.constraint.number or 0, frozenset(mine))

    def times(self, said: Statement, subject: str) -> int:
        """Return how many times a cost is due for `subject`: once, or for each of what it counts."""
        if said.constraint.kind in FOR_HAND:
            return cards_in_hand(self.board, said.speaker.you)
        if said.constraint.kind in FOR_COUNTERS and isinstance(said.constraint.object, Filter):
            names = {test.value for tests in said.constraint.object.any_of for test in tests}
            on_it = self.beings[subject].thing.counters
            return sum(number for name, number in on_it.items() if None in names or name.casefold() in names)
        if said.constraint.kind in FOR_LAND_TYPES:
            mine = (being for being in self.beings.values() if being.thing.controller == said.speaker.you and "land" in being.types)
            return len({subtype for being in mine for subtype in being.subtypes & _BASIC_LAND_TYPES})
        if said.constraint.object is None:
            return 1
        return sum(self.admits(said, subject, other) for other in self.beings)

    def met(self, condition: Condition, speaker: Speaker, defending: str | None) -> bool:
        """Tell whether a condition of what `speaker` states is met, where `defending` is the defending player."""
        source = self.beings.get(speaker.source or "")
        match condition.kind:
            case "controls":
                players = [player for player in self.board.players if self._is(speaker, defending, player, condition.who)]
                met = any(self._controls(player, condition, speaker) for player in players)
            case "there_are":
                asked, described = self._asked(speaker), condition.filter or Filter()
                met = sum(fits(described, each, asked) for each in self.beings.values()) >= condition.number
            case "is":
                met = source is not None and fits(condition.filter or Filter(), source, self._asked(speaker, source))
            case "attached_is":
                worn_by = self.beings.get(speaker.attached or "")
                met = worn_by is not None and fits(condition.filter or Filter(), worn_by, self._asked(speaker))
            case "turn":
                met = self._is(speaker, defending, self.board.active, condition.who)
            case _ if condition.kind in HAVING and condition.who in OF_OBJECTS:
                name = speaker.source if condition.who == "self" else speaker.attached
                met = name in self.beings and has(self.board, name or "", condition)
            case _ if condition.kind in HAVING:
                players = [player for player in self.board.players if self._is(speaker, defending, player, condition.who)]
                met = any(has(self.board, player, condition) for player in players)
            case "attacking_alone":
                # 506.5
                met = [name for name, each in self.beings.items() if each.attacking] == [speaker.source]
            case _:
                met = (condition.text, speaker.name) in self._taken
        return met != condition.negated

    def _controls(self, player: str, condition: Condition, speaker: Speaker) -> bool:
        asked, described = self._asked(speaker), condition.filter or Filter()
        counted = (each for each in self.beings.values() if each.thing.controller == player)
        return sum(fits(described, each, asked) for each in counted) >= condition.number

    def _asked(self, speaker: Speaker, own: Being | None = None, as_though: Collection[str] = ()) -> Asked:
        source = self.beings.get(speaker.source or "")
        return Asked(self.words, partial(self._is, speaker, self._defending), source, speaker.source, own, as_though, self.board.players)

    def _is(self, speaker: Speaker, defending: str | None, player: str, word: str) -> bool:
        """Tell whether `player` is whom a statement calls `word` (109.5, 506.2, 508.5)."""
        match word:
            case "you":
                return player == speaker.you
            case "opponent":
                return player != speaker.you
            case "attacking player":
                return player == self.board.active
            case "any player":
                return True
        return player == defending


@lru_cache(maxsize=4096)
def imposed_by(known: Knowledge, keyword: str, quality: Filter | None, number: int | None) -> tuple[Constraint, ...]:
    """Return what a keyword imposes that is used with this quality and number."""
    return tuple(substitute(imposed, quality, number) for imposed in known.keywords[keyword].imposes)


def _speaker(thing: Object) -> Speaker:
    return Speaker(thing.id, thing.controller, thing.id, thing.attached_to)


@lru_cache(maxsize=64)
def _one_combat_is_enough(known: Knowledge, release: str) -> bool:
    return any(dated.word == "one_combat_is_enough" and dated.holds(release) for dated in known.dated)


def _done_before(board: Board, release: str, known: Knowledge) -> dict[str, frozenset[str]]:
    """Return the creatures for which a requirement for a turn is over, by its kind (508.1d and 509.1c until 2017)."""
    if not _one_combat_is_enough(known, release):
        return {}
    done = {"attacks_if_able": "attacked", "blocks_if_able": "blocked"}
    return {kind: frozenset(board.history.get(key, ())) for kind, key in done.items()}


def _pointed(pointer: str, speaker: Speaker) -> tuple[str, ...]:
    """Return the names of the objects that "this creature", "enchanted creature", "that creature" mean."""
    if pointer == "affected":
        return speaker.affects
    one = speaker.source if pointer == "self" else speaker.attached if pointer == "attached" else None
    return () if one is None else (one,)
