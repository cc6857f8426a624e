"""From a board and what was read on it to facts for asp/.

Objects and effects become small integers for each problem (clingo keeps every symbol for ever); what is said about them has those of
`lawmage.play.definitions`. The shapes of the facts are described in the headers of the programs in asp/.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import compress
from operator import attrgetter
from typing import Any, NamedTuple

from lawmage.board import Board, Object
from lawmage.constraints import Constraint, Filter
from lawmage.play.alike import Alike, Member
from lawmage.play.amounts import amounts_of, cards_in
from lawmage.play.definitions import Definitions, Template, common_of
from lawmage.play.knowledge import Knowledge
from lawmage.play.reading import Holder, Reading
from lawmage.play.rows import Facts, quoted
from lawmage.play.stratified import Row

__all__ = ["Builder", "Facts", "Problem", "build", "quoted"]

#: What a counter's name says that it adds to power and toughness (122.1a).
_PT_COUNTER = re.compile(r"([+-]\d+)/([+-]\d+)$")
_STATUSES = ("sick", "tapped", "token", "commander", "face_down", "phased_out")
_status = attrgetter(*_STATUSES)


class Problem(NamedTuple):
    """The facts of a board, and what their integers mean.

    Attributes:
        facts: all but those about a defending player and proposals.
        numbers: the integer of each permanent.
        holders: the name of the object or effect behind each integer.
        constraints: the constraint behind each integer; None where there is none.
        rules: the rule that each constraint comes from, by its integer.
        keyword_of: for a constraint that a keyword or designation imposes, what its holder has or has done, in words.
        conditions: the open conditions in words, by their integer and that of the object or effect that has them.
        groups, kinds: the groups of the vocabulary (`requirement`, `cost`, ...), and the kinds of constraints, that occur.
        players: the integer of each player.
    """

    facts: Facts
    numbers: dict[str, int]
    holders: dict[int, str]
    constraints: list[Constraint | None]
    rules: dict[int, str]
    keyword_of: dict[int, str]
    conditions: dict[tuple[int, int], str]
    groups: Set[str]
    kinds: Set[str]
    players: dict[str, int]
    uses: dict[tuple[str, Filter | None, int | None], int]
    written: dict[int, str]

    def sentence_of(self, restriction: Any) -> Any:
        """Return a key that the restrictions have in common which one sentence of an object or effect states, as clashes name them."""
        if isinstance(restriction, str) or len(restriction) > 2 or restriction[0] in self.keyword_of:
            return restriction
        number, holder = restriction
        constraint = self.constraints[number]
        return (holder, constraint.source) if constraint is not None and constraint.source else restriction


def build(board: Board, reading: Reading, known: Knowledge, judge: str, alike: Alike | None = None) -> Problem:
    """Return the facts of `board` for a judgement of the kind `judge` (`block`, ...); without those about objects that others speak for.

    What the integers mean is the same whether others speak for an object or not.
    """
    return Builder(board, reading, known, judge, alike).problem()


class Builder(Definitions):
    """Makes the facts of a board; those of other questions than combat are added by subclasses (`extend`)."""

    #: The zones whose objects are among the facts.
    zones: tuple[str, ...] = ("battlefield",)
    remembers = True

    def __init__(self, board: Board, reading: Reading, known: Knowledge, judge: str, alike: Alike | None = None) -> None:
        super().__init__(known, judge, common_of(known, judge))
        self.board = board
        self.reading = reading
        self.alike = alike or Alike((), 0)
        self.players = {name: index for index, name in enumerate(board.players, start=1)}
        self.terms = {name: f"p({index})" for name, index in self.players.items()}
        self.numbers: dict[str, int] = {}
        self.holders: dict[int, str] = {}
        self.open: dict[tuple[int, int], str] = {}

    def problem(self) -> Problem:
        """Return the facts, and what their integers mean."""
        there = [thing for thing in self.board.objects.values() if thing.zone in self.zones]
        members, left_out = self.alike.members, self.alike.left_out
        self.numbers = {thing.id: index for index, thing in enumerate(there, start=1)}
        self.numbers |= {name: Member(self.numbers[name]) for name in members}
        self.holders = {index: name for name, index in self.numbers.items()}
        said = [(thing, holder) for thing, holder in zip(there, self.reading.objects, strict=True) if holder.says is not None]
        spoken_of = there
        if left_out:
            spoken_of = [thing for thing in there if thing.id not in left_out]
            said = [each for each in said if each[0].id not in left_out]
        # What is given to objects may mean something as well.
        given = [thing for thing in spoken_of if thing.goaded_by or thing.designations]
        if self.remembers and not given:
            self.define(self.reading.said)
            self._texts_of_objects(self._fill_in(said))
            self._texts_of_effects(len(there))
        else:
            if self.remembers:
                self.begin()
            self._texts_of_objects(said)
            self._texts_of_effects(len(there))
            self._designations(given)
            self.extend()
            self.end_definitions()
        return self._problem_of(spoken_of, left_out)

    def _problem_of(self, spoken_of: Sequence[Object], left_out: frozenset[str]) -> Problem:
        """Return the problem once all is said, with the facts of what objects are."""
        self._objects(spoken_of)
        self._combat(left_out)
        self._amounts(left_out)
        return Problem(
            facts=self.facts,
            numbers=self.numbers,
            holders=self.holders,
            constraints=self.listed,
            rules=self.rules,
            keyword_of=self.keyword_of,
            conditions=self._open_conditions(),
            groups=self.groups,
            kinds=self.kinds,
            players=self.players,
            uses=self.uses,
            written=self.written,
        )

    def _texts_of_objects(self, said: Iterable[tuple[Object, Holder]]) -> None:
        for thing, holder in said:
            index = self.numbers[thing.id]
            self._keywords(index, holder)
            attached = self.numbers.get(thing.attached_to or "")
            self._texts(index, holder, {"self": [index], "attached": [] if attached is None else [attached], "affected": []})

    def _texts_of_effects(self, objects: int) -> None:
        for index, (effect, holder) in enumerate(zip(self.board.effects, self.reading.effects, strict=True), start=objects + 1):
            self.holders[index] = holder.name
            self.add("controls", self._player(effect.controller), index)
            source = self.numbers.get(holder.source or "")
            if source is not None:
                self.add("stands_for", index, source)
            for name in holder.affects:
                self.add("affects", index, self._player(name) if name in self.players else self.numbers.get(name, "gone"))
            affected = [self.numbers[name] for name in holder.affects if name in self.numbers]
            if any(name in self.players for name in holder.affects):
                # What is said about players that are pointed at is stated about the effect itself.
                affected.append(index)
            self._texts(index, holder, {"self": [source or index], "attached": [], "affected": affected})

    def _fill_in(self, said: Sequence[tuple[Object, Holder]]) -> list[tuple[Object, Holder]]:
        """State what objects say where that depends on nothing but their integers; return the rest."""
        filled: list[tuple[int, Template]] = []
        rest = []
        known = self.common.templates
        for each in said:
            says = each[1].says
            template = known.get(says) or self.template(says)
            if template is None:
                rest.append(each)
            else:
                filled.append((self.numbers[each[0].id], template))
        if not filled:
            return rest
        add = self.facts.add_rows
        add("keyword", 2, [(index, use) for index, template in filled for use in template.keywords])
        add("keyword_counter", 2, [(index, use) for index, template in filled for use in template.counters])
        add("states", 4, [(number, index, time, index) for index, template in filled for number, time in template.about_itself])
        add("states", 3, [(number, index, time) for index, template in filled for number, time in template.about_others])
        return rest

    def extend(self) -> None:
        """Add what a subclass has to add: all filters are numbered before what keywords in them mean is stated."""

    def _player(self, name: str) -> str:
        return self.terms[name]

    # ------------------------------------------------------------ what is said

    def _keywords(self, index: int, holder: Holder) -> None:
        for use, times in Counter(holder.keywords).items() if len(holder.keywords) > 1 else zip(holder.keywords, (1,), strict=False):
            number = self._use(use)
            self.add("keyword", index, number)
            for constraint in self.imposed[number]:
                for time in range(1, 2 if self.known.keywords[use.keyword].redundant else times + 1):
                    self._states(constraint, index, time, {"self": [index]})
        for number in dict.fromkeys(self._use(use) for use in holder.counters):
            self.add("keyword_counter", index, number)

    def _texts(self, index: int, holder: Holder, pointers: dict[str, list[int]]) -> None:
        times: Counter[int] = Counter()
        for constraint in holder.states:
            kind = self.known.kinds[constraint.kind]
            if kind.group == "designating":
                for number in self._imposed_by(constraint):
                    self._states(number, index, 1, pointers)
            elif self.judge in kind.judges:
                number = self._constraint(constraint, kind.by, None)
                times[number] += 1
                self._states(number, index, times[number], pointers)

    def _states(self, number: int, index: int, time: int, pointers: dict[str, list[int]]) -> None:
        constraint = self.listed[number]
        assert constraint is not None
        for condition in constraint.conditions:
            if condition.kind == "open":
                self.open[self._condition(condition, early=False), index] = condition.text
        if isinstance(constraint.subject, Filter):
            self.add("states", number, index, time)
        else:
            for subject in pointers[constraint.subject]:
                self.add("states", number, index, time, subject)
        if isinstance(constraint.object, str):
            for named in pointers[constraint.object]:
                self.add("object_named", number, index, named)

    def _designations(self, there: Iterable[Object]) -> None:
        """State what each designation imposes, for each player who gave it; one who gives it twice adds nothing (701.15d)."""
        givers: dict[str, int] = {}
        for thing in there:
            for player in dict.fromkeys(thing.goaded_by) if thing.goaded_by else ():
                if player not in givers:
                    givers[player] = len(self.holders) + 1
                    self.holders[givers[player]] = player
                    self.add("controls", self._player(player), givers[player])
                for number in self._imposed_by(Constraint("", value="goaded")):
                    self.add("states", number, givers[player], 1, self.numbers[thing.id])
            for word in thing.designations:
                self._designated(thing, word)

    def _designated(self, thing: Object, word: str) -> None:
        """State what a designation imposes that no matter who gave; it is no ability of the object, which may be face down."""
        imposed = [one for one in self.known.imposed_by(word) if self.judge in self.known.kinds[one.kind].judges]
        if imposed:
            giver = len(self.holders) + 1
            self.holders[giver] = thing.id
            self.add("controls", self._player(thing.controller), giver)
            for one in imposed:
                self.add("states", self._constraint(one, one.source, f"is {word}"), giver, 1, self.numbers[thing.id])

    def _open_conditions(self) -> dict[tuple[int, int], str]:
        """Return the open conditions; where several objects have the same one, each may stand differently and is named."""
        if not self.open:
            return {}
        often = Counter(self.open.values())
        return {key: text if often[text] == 1 else f"{text} ({self.holders[key[1]]})" for key, text in self.open.items()}

    # ------------------------------------------------------------ objects

    def _objects(self, things: Sequence[Object]) -> None:
        numbers = self.numbers
        numbered = [(numbers[thing.id], thing) for thing in things]
        there = [(index, thing) for index, thing in numbered if thing.zone == "battlefield"]
        facts, terms = self.facts, self.terms
        take = facts.take_rows
        take("permanent", 1, {index: None for index, _ in there})
        facts.add_rows("controls", 2, [(terms[thing.controller], index) for index, thing in there])
        if len(there) < len(numbered):
            take("card", 1, {index: None for index, thing in numbered if thing.zone != "battlefield"})
        sized = [(index, thing) for index, thing in numbered if thing.power is not None and thing.toughness is not None]
        if numbered:
            facts.add_later("owns", 2, lambda: {(terms[thing.owner], index): None for index, thing in numbered})
        if sized:
            facts.add_later("printed_pt", 3, lambda: {(index, thing.power, thing.toughness): None for index, thing in sized})
        printed = [(index, _printed(of.types, of.subtypes, of.supertypes, of.colors, of.name)) for index, of in numbered]
        take("printed", 3, {(index, kind, word): None for index, words in printed for kind, word in words})
        # What few objects have. Attributes are faster to ask for by name, one by one, than by `_status`.
        for index, thing in numbered:
            if thing.sick or thing.tapped or thing.token or thing.commander or thing.face_down or thing.phased_out:
                for status in compress(_STATUSES, _status(thing)):
                    self.add(status, index)
            if thing.attached_to is not None and thing.attached_to in self.numbers:
                self.add("attached", index, self.numbers[thing.attached_to])
            if thing.protector is not None:
                self.add("protects", terms[thing.protector], index)
            if thing.counters:
                facts.add_rows("printed", 3, [(index, "has_counter", quoted(name)) for name, count in thing.counters.items() if count])
                self._pt_counters(index, thing.counters)

    def _amounts(self, left_out: frozenset[str]) -> None:
        """State what the board tells that conditions ask for; what they ask for besides is open."""
        for zone in dict.fromkeys(condition.value for condition in self.conditions if condition.value and condition.filter is not None):
            for index, card in enumerate(cards_in(self.board, zone), start=1):
                self.add("lies_in", self._player(card.owner), quoted(zone), f"c({index})")
                for kind, word in _printed(card.types, card.subtypes, card.supertypes, card.colors, card.name):
                    self.add("card_is", f"c({index})", kind, word)
        for value in dict.fromkeys(condition.value for condition in self.conditions if condition.value and condition.filter is None):
            for name, number in amounts_of(self.board, value):
                if name not in left_out:
                    whose = self.terms.get(name) or self.numbers[name]
                    self.add("amount", whose, quoted(value), number)
                    if number:
                        self.add("designated", whose, quoted(value))

    def _pt_counters(self, index: int, counters: Mapping[str, int]) -> None:
        power = toughness = 0
        for name, count in counters.items():
            if match := _PT_COUNTER.match(name):
                power, toughness = power + int(match[1]) * count, toughness + int(match[2]) * count
        if power or toughness:
            self.add("pt_counter", index, power, toughness)

    def _combat(self, left_out: frozenset[str]) -> None:
        numbers, terms = self.numbers, self.terms
        self.facts.add_rows("player", 1, terms.values())
        self.add("active", self._player(self.board.active))
        attacks = [each for each in self.board.attacks or () if each.attacker in numbers and each.attacker not in left_out]
        at_players = [(numbers[each.attacker], terms[each.target]) for each in attacks if each.target in terms]
        self.facts.add_rows("attacks_player", 2, at_players)
        permanents: list[Row] = []
        for attack in attacks if len(at_players) < len(attacks) else ():
            attacker, target = numbers[attack.attacker], attack.target
            if target in terms:
                continue
            if target in numbers:
                permanents.append((attacker, numbers[target]))
            else:
                gone = self.board.objects[target]
                self.add("attacks_nothing", attacker, self._player(gone.protector or gone.controller))
        self.facts.add_rows("attacks_permanent", 2, permanents)


@lru_cache(maxsize=4096)
def _printed(
    types: tuple[str, ...], subtypes: tuple[str, ...], supertypes: tuple[str, ...], colors: tuple[str, ...], name: str | None
) -> tuple[tuple[str, str], ...]:
    kinds = {"type": types, "subtype": subtypes, "supertype": supertypes, "color": colors, "named": (name,) if name else ()}
    return tuple((kind, quoted(word)) for kind, words in kinds.items() for word in words)
