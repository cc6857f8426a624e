"""From a board and what was read on it to facts for asp/.

Objects, effects, filters, tests, constraints and conditions become small integers for each problem (clingo keeps every symbol for
ever). The shapes of the facts are described in the headers of the programs in asp/.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lawmage.board import Board, Object
from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.play.knowledge import Knowledge
from lawmage.play.mana import mana_amounts
from lawmage.play.program import Signature, signatures
from lawmage.play.reading import Holder, Reading, substitute
from lawmage.text.forms import KeywordUse, parse_keywords

__all__ = ["Problem", "build"]

#: What a counter's name says that it adds to power and toughness (122.1a).
_PT_COUNTER = re.compile(r"([+-]\d+)/([+-]\d+)$")
#: The characteristics of an object by the test that asks about them.
_LISTED = {"type": "types", "subtype": "subtypes", "supertype": "supertypes", "color": "colors"}


@dataclass(frozen=True)
class Problem:
    """The facts of a board, and what their integers mean.

    Attributes:
        facts: an ASP program of facts, without those about a defending player or proposals.
        numbers: the integer of each object of the file.
        holders: the name of the object or effect behind each integer.
        constraints: the constraint behind each integer; index 0 is not used.
        keyword_of: for a constraint that a keyword imposes, the keyword as written.
        conditions: the open conditions, by integer.
        groups: the groups of the vocabulary (`requirement`, `cost`, ...) that occur.
        players: the integer of each player.
        signatures: the predicates and constants that occur, for `lawmage.play.program`.
    """

    facts: str
    numbers: dict[str, int]
    holders: dict[int, str]
    constraints: list[Constraint | None]
    keyword_of: dict[int, str]
    conditions: dict[int, str]
    groups: frozenset[str]
    players: dict[str, int]
    signatures: frozenset[Signature]


def build(board: Board, reading: Reading, known: Knowledge, judge: str) -> Problem:
    """Return the facts of `board` for a judgement of the kind `judge` (`block`, ...)."""
    return _Builder(board, reading, known, judge).problem()


def quoted(word: str) -> str:
    """Return `word` as an ASP string, in lower case."""
    escaped = word.casefold().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


class _Builder:
    def __init__(self, board: Board, reading: Reading, known: Knowledge, judge: str) -> None:
        self.board = board
        self.reading = reading
        self.known = known
        self.judge = judge
        self.lines: list[str] = []
        self.holders: dict[int, str] = {}
        self.filters: dict[Filter, int] = {}
        self.tests: dict[Test, int] = {}
        self.uses: dict[tuple[str, Filter | None], int] = {}
        self.written: dict[int, str] = {}
        self.constraints: dict[tuple[Constraint, str | None], int] = {}
        self.listed: list[Constraint | None] = [None]
        self.keyword_of: dict[int, str] = {}
        self.open: dict[str, int] = {}
        self.conditions: dict[Condition, int] = {}
        self.early: set[int] = set()
        self.late: set[int] = set()
        self.named: list[tuple[int, str]] = []
        self.groups: set[str] = set()
        self.players = {name: index for index, name in enumerate(board.players, start=1)}
        self.numbers: dict[str, int] = {}
        self.signatures: set[Signature] = set()

    def problem(self) -> Problem:
        there = [thing for thing in self.board.objects.values() if thing.zone == "battlefield"]
        self.numbers = {thing.id: index for index, thing in enumerate(there, start=1)}
        self.holders = {index: name for name, index in self.numbers.items()}
        for holder in self.reading.objects:
            self._holder(self.numbers[holder.name], holder)
        for index, (effect, holder) in enumerate(zip(self.board.effects, self.reading.effects, strict=True), start=len(there) + 1):
            self.holders[index] = holder.name
            self._fact("controls", self._player(effect.controller), index)
            for name in effect.affects:
                if name in self.numbers:
                    self._fact("affects", index, self.numbers[name])
            if holder.source in self.numbers:
                self._fact("stands_for", index, self.numbers[str(holder.source)])
            self._states(index, holder)
        self._named_keywords()
        self._filter_kinds()
        for thing in there:
            self._object(self.numbers[thing.id], thing)
        self._combat()
        return Problem(
            facts="".join(self.lines),
            numbers=self.numbers,
            holders=self.holders,
            constraints=self.listed,
            keyword_of=self.keyword_of,
            conditions={index: text for text, index in self.open.items()},
            groups=frozenset(self.groups),
            players=self.players,
            signatures=frozenset(self.signatures),
        )

    def _fact(self, name: str, *arguments: int | str) -> None:
        self.lines.append(f"{name}({','.join(map(str, arguments))}).\n")
        self.signatures.update(signatures(name, arguments))

    def _player(self, name: str) -> str:
        return f"p({self.players[name]})"

    # ------------------------------------------------------------ what is said

    def _holder(self, index: int, holder: Holder) -> None:
        for number, times in Counter(self._use(use) for use in holder.keywords).items():
            self._fact("keyword", index, number, times)
        for number in dict.fromkeys(self._use(use) for use in holder.counters):
            self._fact("keyword_counter", index, number)
        self._states(index, holder)

    def _states(self, index: int, holder: Holder) -> None:
        times: Counter[int] = Counter()
        for constraint in holder.states:
            if self.judge not in self.known.kinds[constraint.kind].judges:
                continue
            number = self._constraint(constraint, self.known.kinds[constraint.kind].by, None)
            times[number] += 1
            self._fact("stated", number, index, times[number])

    def _use(self, use: KeywordUse) -> int:
        key = (use.keyword, use.quality)
        if key not in self.uses:
            number = self.uses[key] = len(self.uses) + 1
            self.written[number] = use.written
            facts = self.known.keywords[use.keyword]
            if facts.redundant:
                self._fact("redundant", number)
            for constraint in facts.imposes:
                if self.judge in self.known.kinds[constraint.kind].judges:
                    filled = substitute(constraint, use.quality)
                    imposed = self._constraint(filled, constraint.source, use.written)
                    self._fact("imposes", number, imposed)
        return self.uses[key]

    def _constraint(self, constraint: Constraint, rule: str, keyword: str | None) -> int:
        key = (constraint, keyword)
        if key in self.constraints:
            return self.constraints[key]
        kind = self.known.kinds[constraint.kind]
        number = self.constraints[key] = len(self.listed)
        self.listed.append(constraint)
        self.groups.add(kind.group)
        if keyword is not None:
            self.keyword_of[number] = keyword
        self._fact("kind", number, constraint.kind)
        self._fact("rule", number, quoted(rule))
        self._side("subject", number, constraint.subject, early=bool(kind.layer))
        if constraint.object is not None:
            self._side("object", number, constraint.object, early=False)
        if constraint.number is not None:
            self._fact("number", number, constraint.number)
        if kind.layer:
            self._change(number, constraint)
        elif constraint.value is not None:
            self.named.append((number, constraint.value))
            for symbol, amount in mana_amounts(constraint.value).items():
                self._fact("price", number, symbol, amount)
        for condition in constraint.conditions:
            self._condition(number, condition, early=bool(kind.layer))
        return number

    def _change(self, number: int, constraint: Constraint) -> None:
        if constraint.value is None:
            self._fact("adds", number, constraint.power, constraint.toughness)
        else:
            for use in parse_keywords(constraint.value, self.reading.forms):
                self._fact("grants", number, self._use(use))

    def _side(self, side: str, number: int, whom: Subject, *, early: bool) -> None:
        if isinstance(whom, Filter):
            self._fact(f"{side}_filter", number, self._filter(whom, early=early))
        else:
            self._fact(f"{side}_is", number, whom)

    def _condition(self, number: int, condition: Condition, *, early: bool) -> None:
        if condition.kind == "open":
            index = self.open.setdefault(condition.text, len(self.open) + len(self.conditions) + 1)
            self._fact("condition", index, "open")
        else:
            plain = Condition(condition.kind, condition.who, condition.filter, condition.number)
            index = self.conditions.setdefault(plain, len(self.open) + len(self.conditions) + 1)
            arguments: list[int | str] = [index, condition.kind]
            if condition.who:
                arguments += [quoted(condition.who)]
            if condition.filter is not None:
                arguments += [self._filter(condition.filter, early=early)]
            if condition.who:
                arguments += [condition.number]
            self._fact("condition", *arguments)
        self._fact("conditional", number, index)
        self._fact("unless" if condition.negated else "when", number, index)

    # ------------------------------------------------------------ filters

    def _filter(self, described: Filter, *, early: bool) -> int:
        if described not in self.filters:
            number = self.filters[described] = len(self.filters) + 1
            for index, alternative in enumerate(described.any_of):
                self._fact("alternative", number, index)
                for test in alternative:
                    self._fact("part_not" if test.negated else "part", number, index, self._test(Test(test.kind, test.value)))
            asks = {self.known.tests[test.kind].asks for alternative in described.any_of for test in alternative} - {""}
            self._fact("relative_filter" if asks else "absolute_filter", number)
            for whom in asks:
                self._fact(whom, number)
        number = self.filters[described]
        (self.early if early else self.late).add(number)
        return number

    def _test(self, test: Test) -> int:
        if test not in self.tests:
            number = self.tests[test] = len(self.tests) + 1
            self._fact("relative" if self.known.tests[test.kind].asks else "absolute", number)
            if test.kind != "keyword":
                value = [] if test.value is None else [test.value if isinstance(test.value, int) else quoted(test.value)]
                self._fact("test", number, test.kind, *value)
        return self.tests[test]

    def _named_keywords(self) -> None:
        """State which keywords on the board a word in a test or constraint means: itself, or all of its family."""
        for test, number in self.tests.items():
            if test.kind == "keyword":
                for use in self._meant(str(test.value)):
                    self._fact("test", number, test.kind, use)
        for constraint, word in self.named:
            for use in self._meant(word):
                self._fact("names", constraint, use)

    def _meant(self, word: str) -> list[int]:
        exact = {(use.keyword, use.quality) for use in parse_keywords(word, self.reading.forms)}
        return [number for key, number in self.uses.items() if key in exact or key[0] == word.casefold()]

    def _filter_kinds(self) -> None:
        for name, numbers in (("early", self.early), ("late", self.late)):
            for number in sorted(numbers):
                self._fact(name, number)

    # ------------------------------------------------------------ objects

    def _object(self, index: int, thing: Object) -> None:
        self._fact("permanent", index)
        self._fact("controls", self._player(thing.controller), index)
        if thing.power is not None:
            self._fact("printed_power", index, thing.power)
        if thing.toughness is not None:
            self._fact("printed_toughness", index, thing.toughness)
        for status in ("tapped", "token", "commander", "face_down", "phased_out"):
            if getattr(thing, status):
                self._fact(status, index)
        if thing.attached_to in self.numbers:
            self._fact("attached", index, self.numbers[str(thing.attached_to)])
        if thing.protector is not None:
            self._fact("protects", self._player(thing.protector), index)
        for kind, words in self._characteristics(thing):
            for word in words:
                self._fact("printed", index, kind, quoted(word))
        added = Counter[str]()
        for name, count in thing.counters.items():
            match = _PT_COUNTER.match(name)
            if match:
                added["power"] += int(match[1]) * count
                added["toughness"] += int(match[2]) * count
        if added:
            self._fact("pt_counter", index, added["power"], added["toughness"])

    def _characteristics(self, thing: Object) -> Iterable[tuple[str, Iterable[str]]]:
        for kind, attribute in _LISTED.items():
            yield kind, getattr(thing, attribute)
        yield "named", [thing.name] if thing.name else []
        yield "has_counter", [name for name, count in thing.counters.items() if count]

    def _combat(self) -> None:
        for name in self.players:
            self._fact("player", self._player(name))
        self._fact("active", self._player(self.board.active))
        for attack in self.board.attacks or ():
            if attack.attacker not in self.numbers:
                continue
            if attack.target in self.players:
                target: int | str = self._player(attack.target)
            elif attack.target in self.numbers:
                target = self.numbers[attack.target]
            else:
                gone = self.board.objects[attack.target]
                target = f"gone({self._player(gone.protector or gone.controller)})"
            self._fact("attacks", self.numbers[attack.attacker], target)
