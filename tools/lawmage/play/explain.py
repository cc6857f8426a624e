"""From a verdict to sentences that a judge would say: a tree of steps, each with the rule that it rests on.

What is said comes from the verdict, from what was read on the board, and from kb/ (`lawmage.play.paraphrases`); nothing is judged again.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from lawmage.board import Proposal, Scenario
from lawmage.constraints import Constraint, Filter, Test
from lawmage.play.declaration_words import declaration_in_words, listed
from lawmage.play.facts import Problem
from lawmage.play.keyword_uses import play_rules
from lawmage.play.knowledge import Breach, Knowledge
from lawmage.play.paraphrases import Paraphrases
from lawmage.play.phrases import constraint_in_words
from lawmage.play.play_words import PLAYS
from lawmage.play.proposal_words import Doing, declared_in, paid_in, proposal_in_words, whole_in_words
from lawmage.play.reading import Reading
from lawmage.play.rulings import Rulings, Step, quoted_from, sentence_of
from lawmage.play.together_words import gathered, named, number_of_names, runs
from lawmage.play.verdict import Declaration, ProposalVerdict
from lawmage.play.words import nearest_in_words

if TYPE_CHECKING:
    from lawmage.play.events import EventVerdict
    from lawmage.play.outcome import OutcomeVerdict
    from lawmage.play.plays import PlayVerdict

__all__ = ["Explainer", "Rulings", "Step", "quoted_from"]

#: More names than this are not listed one by one.
_MOST_NAMES = 6
#: The judgements on declarations.
_DECLARED = ("attack", "block")
#: What is judged along with each judgement on combat.
_IN_COMBAT = {"attack": ("attack",), "block": ("block",), "damage": ("damage",), "outcome": ("damage", "outcome")}
#: The groups of constraints of which it is told how they are kept.
_KEPT = ("restriction", "cost")
#: A part of a clash: what it is, and its rule in brackets.
_CLASH = re.compile(r"(.*) \(([\w.:]+)\)$", re.DOTALL)
#: Statements on a keyword that say what it does.
_MEANING = frozenset({"Definition", "VariantDefinition"})
#: What in the statements of a keyword says no more than what sort of ability it is.
_ASIDE = frozenset({"Stacking", "History", "Reference", "Functioning", "Clarification", "VariantDefinition"})
#: What in them says nothing of whether a play is legal either.
_ASIDE_OF_PLAYS = _ASIDE | {"DeckConstruction", "Interaction", "Linking", "Multiplayer", "Procedure"}
#: Words that stand for objects that only the board tells: what an effect names, and what something is attached to.
_POINTERS = _NAMED, _ATTACHED = "what the effect names", "what it is attached to"
#: How it begins that a board leaves something open.
_OPEN = "the board does not say "
#: What stands between the names of the two faces of a card.
_BOTH = " // "
#: The total where no mana is paid; what an ability costs beside that is told with it.
_NOTHING = "{0}"
_SYMBOLS = re.compile(r"\{[^}]*\}")
#: How the words for what players have done to something end.
_IT = " it"
_ROLE = re.compile(r"\{(\w+)\}")
_STEPS = {"first": "In the first combat damage step", "regular": "In the combat damage step"}


@dataclass(frozen=True, slots=True)
class _Saying:
    """What is to be said of a constraint, on whatever board.

    Attributes:
        one, several: what one object, or several, have or say, and what that means, as a rule or this program has it.
        points: whether these words stand for objects that only the board tells.
        by: the rule that gives it force.
        tested: what rules say of the keywords that it asks for, as rule and sentence.
        occasions: on which rules are brought in.
        role: what kb/'s sentence calls whom it restricts, who comes first in it; empty for what no creature says of itself.
    """

    one: str
    several: str
    points: bool
    by: str
    tested: tuple[tuple[str, str], ...]
    occasions: tuple[str, ...]
    role: str


#: What was said of constraints, by their identity: those of keywords, and of texts read before, are the same on all boards.
_SAYINGS: dict[tuple[int, str, str | None], tuple[Constraint, Paraphrases, _Saying]] = {}
_MOST_SAYINGS = 4096


def _saying(constraint: Constraint, rule: str, keyword: str | None, known: Knowledge, said: Paraphrases) -> _Saying:
    """Return what is to be said of a constraint that a rule states, by a keyword (as in `has flying`) or by its own words."""
    key = id(constraint), rule, keyword
    found = _SAYINGS.get(key)
    if found is not None and found[0] is constraint and found[1] is said:
        return found[2]
    if len(_SAYINGS) >= _MOST_SAYINGS:
        _SAYINGS.clear()
    saying = _to_say(constraint, rule, keyword, known, said)
    _SAYINGS[key] = constraint, said, saying
    return saying


def _to_say(constraint: Constraint, rule: str, keyword: str | None, known: Knowledge, said: Paraphrases) -> _Saying:
    kind = known.kinds[constraint.kind]
    words = said.gists[rule] if keyword is not None and rule in said.gists else constraint_in_words(constraint, known)
    points = any(pointer in words for pointer in _POINTERS)
    if keyword is not None:
        one, several = (sentence_of(f"{has}: {words}") for has in (keyword, re.sub(r"^has\b", "have", keyword)))
    else:
        # What the source says in the same words is not said twice.
        read = "" if _plain(words) == _plain(constraint.source) else f", which is read as: {words}"
        one, several = (sentence_of(f'{says} "{constraint.source.rstrip(".")}"{read}') for says in ("says", "say"))
    tests = list(_tests(constraint))
    asked = [str(test.value) for test in tests if test.kind == "keyword"]
    stated = [(value, each) for value in asked for each in said.keywords.get(value, ()) if each.sorts & _MEANING]
    tested = tuple((each.rule, sentence_of(f"{value}: {each.gist}")) for value, each in stated)
    occasions = tuple(each for each in (kind.term, *(f"testing {test.kind}" for test in tests)) if each in said.occasions)
    role = _ROLE.match(kind.says) if kind.group == "restriction" and constraint.subject == "self" else None
    return _Saying(one, several, points, kind.by, tested, occasions, role[1] if role is not None else "")


def _plain(words: str) -> str:
    """Return words without what makes no difference between a text and what it is read as."""
    return re.sub(r"^this creature |[.\s]+$", "", words.casefold())


class Explainer:
    """Explains the verdicts on the proposals of one scenario.

    Args:
        scenario: the board and the proposals.
        reading: what the words on the board say.
        release: of the rules.
        known: what kb/ says.
        alike: objects that are alike, of which some speak for the others among the constraints.
    """

    def __init__(self, scenario: Scenario, reading: Reading, release: str, known: Knowledge, alike: Iterable[tuple[str, ...]] = ()) -> None:
        self.scenario = scenario
        self.judge = scenario.judge
        self.reading = reading
        self.problem: Problem | None = None
        #: What is proposed, in words, where that is a declaration.
        self._proposed = ""
        #: Whether anything is paid in it.
        self._pays = False
        self._attacking = frozenset([attack.attacker for attack in scenario.board.attacks or ()])
        self.alike = {name: kind for kind in alike for name in kind}
        self._ruled: tuple[Problem | None, frozenset[str]] = None, frozenset()
        self._stating: tuple[Problem | None, Mapping[int, Sequence[int]]] = None, {}
        self.rulings = Rulings(release, known)
        self.known, self.said, self.named = self.rulings.known, self.rulings.said, self.rulings.named

    def explain(self, name: str, verdict: ProposalVerdict, problem: Problem | None) -> Step:
        """Return the argument for `verdict`, that on the proposal `name`, from the constraints that bear on it, by their integers."""
        self.problem = problem
        self.named.clear()
        proposal = next((one for one in self.scenario.proposals if one.name == name), None)
        event = proposal is not None and isinstance(proposal.raw, Mapping) and "event" in proposal.raw
        begins = self._begins() if not event else None
        begun = None if begins is None else self.rulings.number(begins)
        if begun is not None:
            self.named.add(self.rulings.encoded(begun))
        children = [*self._undecided(verdict), *self._wrong(verdict)]
        words = ""
        if self.judge in _DECLARED and self.problem is not None and proposal is not None:
            declaration = declared_in(self.scenario, proposal)
            self._proposed = declaration_in_words(declaration, self.judge)
            paid = paid_in(proposal)
            self._pays = any(paid)
            words = whole_in_words(self._proposed, proposal, paid)
            children += self._declaration(self.problem, declaration, verdict)
        else:
            children += [] if event else self.rulings.brought_in([f"judging {self.judge}"])
            children += self._happening(verdict)
            children += _once(self._constraints(self._about(proposal, verdict), verdict))
        children += self._keywords(proposal, verdict)
        children += self.rulings.brought_in([*([] if begun is None else [self.rulings.encoded(begun)]), *self._occasions])
        children += self._others(verdict)
        if verdict.nearest is not None and verdict.nearest == verdict.requirements.better:
            children.append(Step(None, "The better declaration is also the nearest that is legal."))
        elif verdict.has_nearest:
            aside = ", without bands" if proposal is not None and proposal.bands else ""
            children.append(Step(None, f"The nearest that is legal: {nearest_in_words(verdict, self.judge)}{aside}."))
        elif verdict.no_nearest:
            children.append(Step(None, f"{verdict.no_nearest[0].upper()}{verdict.no_nearest[1:]}."))
        words = words or (proposal_in_words(self.scenario, name) if proposal is not None else "what combat does")
        return Step(begun, f"{name} is {verdict.verdict}: {words}.", None, tuple(children))

    def _begins(self) -> str | None:
        """Return the rule by which what is judged begins."""
        if self.judge in PLAYS:
            return play_rules()[self.judge].rule
        return _beginning(self.judge, self.known)

    # ------------------------------------------------------------ what is wrong, what is open

    def _undecided(self, verdict: ProposalVerdict) -> Iterator[Step]:
        for text in verdict.not_understood:
            if text.startswith(_OPEN):
                yield Step(None, sentence_of(f"The {text.removeprefix('the ')}, and that can decide"))
            else:
                yield Step(None, sentence_of(f"Not understood, and it could matter: {text}"))
        if verdict.verdict == "undecided" and not verdict.not_understood:
            yield Step(None, "The time was over before every declaration could be excluded.")

    def _wrong(self, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield the violations; of what is undecided under what they rest on."""
        wrong = list(self._violations(verdict))
        if verdict.verdict != "undecided" or not wrong:
            yield from wrong
        elif any(text.startswith(_OPEN) for text in verdict.not_understood):
            yield Step(None, "If what is open goes against it, this is wrong:", None, tuple(wrong))
        else:
            yield Step(None, "As far as it is understood, this is wrong:", None, tuple(wrong))

    def _violations(self, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield a step on each violation; that too few requirements are obeyed is told with the requirements."""
        for violation in verdict.violations:
            rule = self.rulings.encoded(violation.rule)
            breaches = _breaches(rule, self.known)
            if violation.because is None and breaches and all(each.counted for each in breaches):
                # Its words are not even made for this.
                continue
            breach = next((one for one in breaches if _fits(one.says, violation.message)), None)
            if breach is not None and breach.counted:
                continue
            self.named.add(rule)
            children: list[Step] = []
            if violation.because is not None and self.problem is not None:
                number, holder = violation.because
                found = self._constraint(self.problem, number, [holder])
                # What it says is told already, with its rule.
                children = list(found.children) if found.rule == violation.rule else [found]
            yield self.rulings.step(rule, sentence_of(violation.message), children, () if breach is None else (breach.term,))

    # ------------------------------------------------------------ what constrains the proposal

    def _constraint(self, problem: Problem, number: int, holders: Sequence[int], kept: str = "") -> Step:
        """Return the step on a constraint and those who state it: what it says, by which keyword or text, and what its words mean."""
        rule, keyword = problem.rules[number], problem.keyword_of.get(number)
        saying = self._saying(problem, number)
        # That the rule itself says so is not told twice.
        self.named.add(rule)
        who = self._names(problem, holders)
        words = saying.one if len(who) == 1 else saying.several
        if saying.points:
            words = self._pointed_at(words, who)
        if keyword is not None and keyword.endswith(_IT):
            words = self._whom(words, who)
        # What gives it force may be told with a constraint of its own.
        children = [] if saying.by in self.named or saying.by in self._rules_of(problem) else [self.rulings.step(saying.by)]
        if saying.tested:
            children += [self.rulings.step(each, sentence) for each, sentence in saying.tested if each not in self.named]
        occasions = saying.occasions
        if occasions and self._two_faced:
            occasions = (*occasions, *(f"{one}, with another face" for one in occasions))
        said = f"{_few(who)} {words} {kept}" if kept else f"{_few(who)} {words}"
        return self.rulings.step(rule, said, children, occasions)

    def _saying(self, problem: Problem, number: int) -> _Saying:
        constraint = problem.constraints[number]
        assert constraint is not None
        return _saying(constraint, problem.rules[number], problem.keyword_of.get(number), self.known, self.said)

    def _rules_of(self, problem: Problem) -> frozenset[str]:
        """Return the rules that constraints come from."""
        if self._ruled[0] is not problem:
            self._ruled = problem, frozenset(problem.rules.values())
        return self._ruled[1]

    @cached_property
    def _two_faced(self) -> bool:
        return any(thing.card_text is not None and _BOTH in thing.card_text.card for thing in self.scenario.board.objects.values())

    def _whom(self, words: str, who: Sequence[str]) -> str:
        """Return what players have done to `it`, with the names of what they have goaded."""
        goaded = [name for name, thing in self.scenario.board.objects.items() if not {*who}.isdisjoint(thing.goaded_by)]
        return words.replace(f"{_IT}:", f" {_few(goaded)}:", 1) if goaded else words

    def _pointed_at(self, words: str, holders: Sequence[str]) -> str:
        """Return `words` with the names of what an effect names and of what something is attached to."""
        if len(holders) == 1:
            affects = next((effect.affects for effect in self.reading.effects if effect.name == holders[0]), ())
            thing = self.scenario.board.objects.get(holders[0])
            words = words.replace(_NAMED, _few(affects) or _NAMED)
            if thing is not None and thing.attached_to is not None:
                words = words.replace(_ATTACHED, thing.attached_to)
        return words

    def _names(self, problem: Problem, holders: Iterable[int]) -> list[str]:
        names = [problem.holders[holder] for holder in holders]
        return list(dict.fromkeys([other for name in names for other in self.alike.get(name, (name,))])) if self.alike else names

    def _stated(self, problem: Problem) -> Mapping[int, Sequence[int]]:
        """Return who states each constraint, by its integer."""
        if self._stating[0] is not problem:
            found: defaultdict[Any, dict[Any, None]] = defaultdict(dict)
            for arity in (3, 4):
                for row in problem.facts.rows("states", arity):
                    found[row[0]][row[1]] = None
            self._stating = problem, {number: list(found[number]) for number in sorted(found)}
        return self._stating[1]

    def _declaration(self, problem: Problem, declaration: Declaration, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield what the declaration keeps and obeys."""
        broken = {violation.because[0] for violation in verdict.violations if violation.because is not None}
        does = Doing(declaration, self.judge)
        #: The rules of what has nothing to do with it.
        aside: set[str] = set()
        groups: defaultdict[str, dict[int, Sequence[int]]] = defaultdict(dict)
        for number, holders in self._stated(problem).items():
            constraint = problem.constraints[number]
            assert constraint is not None
            groups[self.known.kinds[constraint.kind].group][number] = holders
        for group in sorted(groups, key="requirement".__ne__) if verdict.requirements.better is not None else groups:
            if group == "requirement":
                yield self._requirements(problem, groups[group], verdict)
                continue
            steps: list[Step] = []
            for number, stating in groups[group].items():
                if number in broken:
                    continue
                bearing = self._bearing(problem, number, stating, does)
                if bearing:
                    kept = self._kept(bearing, problem, number, does, legal=verdict.verdict == "legal") if group in _KEPT else ""
                    steps.append(self._constraint(problem, number, bearing, kept))
                else:
                    aside.add(problem.rules[number])
            yield from _once(steps)
        yield from self.rulings.brought_in([f"judging {self.judge}"])
        self.named.update(aside)

    def _bearing(self, problem: Problem, number: int, holders: Sequence[int], does: Doing) -> Sequence[int]:
        """Return those of whom what a constraint says of them can have to do with the declaration.

        A restriction on being blocked has to do with attackers, and with blockers that have it only where they block such an attacker.
        """
        role = self._saying(problem, number).role
        if not role:
            return holders
        names = problem.holders
        if self.judge == "attack":
            objects, active = self.scenario.board.objects, self.scenario.board.active
            return [holder for holder in holders if objects[names[holder]].controller == active]
        acted_on = role == "attacker"
        fitting = [holder for holder in holders if (names[holder] in self._attacking) == acted_on]
        if len(fitting) == len(holders) or not (fitting and acted_on):
            return fitting
        others = {names[holder] for holder in fitting}
        return [holder for holder in holders if holder in fitting or not others.isdisjoint(does.others(names[holder]))]

    def _kept(self, holders: Sequence[int], problem: Problem, number: int, does: Doing, *, legal: bool) -> str:
        """Return in what way a declaration bears on the objects that a restriction or cost, which it keeps, is about."""
        constraint = problem.constraints[number]
        assert constraint is not None
        if constraint.subject != "self" and self.known.kinds[constraint.kind].group == "cost" and legal:
            return "This is kept: what it asks for is paid." if self._pays else "This is kept: nothing has to be paid for that."
        names = self._names(problem, holders) if constraint.subject == "self" else ()
        if len(names) > _MOST_NAMES:
            return "This is kept."
        told: dict[str, None] = {}
        left_alone: list[str] = []
        idle: list[str] = []
        for name in names:
            if name in does.declaration and len(does.declaration) <= _MOST_NAMES:
                # What else acts can be what counts: for one that can act only with others, or only alone.
                told[self._proposed] = None
            elif done := does.words(name):
                told[done] = None
            elif name in self._attacking:
                left_alone.append(name)
            elif name in self.scenario.board.objects:
                idle.append(name)
        if left_alone:
            told[f"nothing blocks {named(left_alone)}"] = None
        if idle:
            told[f"{named(idle)} {'doesn' if len(idle) == 1 else 'don'}'t {self.judge}"] = None
        return f"This is kept: {'; '.join(told)}." if told else "This is kept."

    def _requirements(self, problem: Problem, stated: Mapping[int, Sequence[int]], verdict: ProposalVerdict) -> Step:
        """Return the step on how many requirements are obeyed, on each, and on why not more can be."""
        found = verdict.requirements
        first = problem.constraints[next(iter(stated))]
        assert first is not None
        rule = self.known.kinds[first.kind].by
        self.named.add(rule)
        children = _once(self._constraint(problem, number, holders) for number, holders in stated.items())
        met = f" It obeys: {_few(gathered(_counted(found.met)), '; ')}." if found.met else ""
        if found.better is not None:
            better = declaration_in_words(found.better, self.judge)
            said = f"It obeys {found.obeyed:,} of {found.maximum:,} requirements that can be obeyed together; better: {better}."
        elif found.maximum is not None and found.obeyed > found.maximum:
            kept = "keeping all restrictions and paying nothing" if "cost" in problem.groups else "keeping all restrictions"
            said = f"It obeys {found.obeyed:,} of the requirements; {kept}, {found.maximum:,} can be."
        elif found.maximum is None:
            said = f"It obeys {found.obeyed:,} of the requirements; whether more could be obeyed was not settled."
        else:
            free = " without paying" if "cost" in problem.groups else ""
            said = f"It obeys {found.obeyed:,} of the requirements, and no declaration that keeps all restrictions obeys more{free}."
        if found.clash:
            parts = tuple(self._clashing(found.clash))
            if len(found.clash) == 1:
                children.append(Step(None, "Nothing that can be declared would obey this:", None, parts))
            else:
                rules = self.said.occasions["a clash"]
                self.named.update(rules)
                said_of = f"{self.rulings.gist(rules[0])} These cannot all hold together:"
                children.append(Step(self.rulings.number(rules[0]), said_of, None, parts))
        return self.rulings.step(rule, f"{self.rulings.gist(rule)} {said}{met}", children)

    def _clashing(self, clash: Collection[str]) -> Iterator[Step]:
        """Yield a step on each part of a clash; what several creatures say, or what is asked of several, in the same words is told once."""
        for part in gathered(clash):
            match = _CLASH.match(part)
            yield Step(match[2], sentence_of(match[1])) if match else Step(None, sentence_of(part))

    def _constraints(self, about: Collection[str], verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield the constraints on the board that bear on a judgement which is not a declaration."""
        if self.problem is None:
            return
        broken = {violation.because[0] for violation in verdict.violations if violation.because is not None}
        for number, holders in self._stated(self.problem).items():
            constraint = self.problem.constraints[number]
            if number in broken or constraint is None:
                continue
            if self.judge in PLAYS and constraint.subject == "self":
                # What others say of themselves has nothing to do with a play.
                holders = [holder for holder in holders if self.problem.holders[holder] in about]
            if holders:
                yield self._constraint(self.problem, number, holders)

    # ------------------------------------------------------------ what happens

    def _happening(self, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield what a verdict on damage, an outcome, an event or a play says happens."""
        if verdict.divides:
            controllers = {name: self.scenario.board.objects[name].controller for name in verdict.divides}
            others = {name: player for name, player in verdict.divides.items() if controllers[name] != player}
            for name, player in others.items():
                yield Step(None, f"{player} divides the damage of {name}.")
        if hasattr(verdict, "steps"):
            yield from self._outcome(verdict)  # type: ignore[arg-type]
        elif hasattr(verdict, "creates"):
            yield from self._event(verdict)  # type: ignore[arg-type]
        elif hasattr(verdict, "using"):
            yield from self._play(verdict)  # type: ignore[arg-type]

    def _died(self, died: Mapping[str, Sequence[str]]) -> Iterator[Step]:
        for name, rules in died.items():
            for rule in rules:
                yield self.rulings.step(
                    self.rulings.encoded(rule),
                    sentence_of(f"{name} leaves the battlefield: {self.said.gists.get(self.rulings.encoded(rule), rule)}"),
                )

    def _triggers(self, triggers: Iterable[Any]) -> Iterator[Step]:
        for one in triggers:
            times = "" if one.times == 1 else f" {one.times} times"
            yield self.rulings.step(self.rulings.encoded(one.rule), f"{one.ability} of {one.source} triggers{times}.")

    def _outcome(self, verdict: OutcomeVerdict) -> Iterator[Step]:
        yield from self._died(verdict.before)
        for report in verdict.steps or ():
            dealt = [f"{one.source} deals {one.amount:,} to {one.target}" for one in report.damage]
            yield Step(None, f"{_STEPS[report.step]} {_few(dealt, ', ') or 'no damage is dealt'}.", None, tuple(self._died(report.died)))
        yield from self._triggers(verdict.triggers or ())
        if verdict.verdict == "legal":
            yield from self._afterwards(verdict.players, verdict.objects)
        for player, state in verdict.players.items():
            if state.get("lost"):
                yield self.rulings.step(
                    self.rulings.encoded(state["lost"]),
                    f"{player} loses the game: {self.said.gists.get(self.rulings.encoded(state['lost']), '')}.",
                )

    def _afterwards(self, players: Mapping[str, Mapping[str, Any]], objects: Mapping[str, Mapping[str, Any]]) -> Iterator[Step]:
        """Yield in what players and what stays on the battlefield have changed, as far as that is the same however damage is divided."""
        board = self.scenario.board
        for name, state in players.items():
            before = board.players[name]
            told = [f"{state['life']:,} life, from {before.life:,}"] if state.get("life") not in (None, before.life) else []
            told += [f"{state['poison']:,} poison counters"] if (state.get("poison") or 0) > before.extra.get("poison", 0) else []
            if told:
                yield Step(None, f"{name} has {listed(told)}.")
        for name, state in objects.items():
            thing, now = board.objects.get(name), state.get("counters")
            if thing is None or now is None or state.get("zone") != thing.zone:
                continue
            before_it = {kind: thing.counters.get(kind, getattr(thing, kind, None) or 0) for kind in dict.fromkeys([*thing.counters, *now])}
            changed = [_counters(now.get(kind, 0), kind) for kind, number in before_it.items() if now.get(kind, 0) != number]
            if changed:
                yield Step(None, f"{name} has {listed(changed)}.")

    def _event(self, verdict: EventVerdict) -> Iterator[Step]:
        yield from self._triggers(verdict.triggers)
        yield from self._afterwards(verdict.players, verdict.objects)
        for player, token, number in verdict.creates:
            yield Step(None, f"{player} creates {number} x {token}.")
        for choice in verdict.choices:
            yield Step(None, sentence_of(f"To be chosen: {choice}"))

    def _play(self, verdict: PlayVerdict) -> Iterator[Step]:
        if verdict.using:
            beside = listed([f"{verb} {number}" for verb, number in verdict.beside]) if verdict.beside else ""
            # A whole ability, or permission, is told as it is written.
            using = verdict.using
            cost = f", for {verdict.total}" if verdict.total and not (": " in using and verdict.total == _NOTHING) else ""
            way = f'"{using.rstrip(".")}"' if ": " in using or using[:1].isupper() else _SYMBOLS.sub(lambda found: found[0].upper(), using)
            is_done = "would be done" if verdict.verdict == "illegal" else "is done"
            yield Step(None, f"It {is_done} by way of {way}{cost}" + (f", and beside that: {beside}." if beside else "."))
        for least, most in verdict.targets:
            number = f"{least}" if least == most else f"at least {least}" if most is None else f"{least} to {most}"
            yield self.rulings.step(play_rules()[self.judge].targets, f"Targets to choose: {number}.")

    # ------------------------------------------------------------ what else bears on it

    def _keywords(self, proposal: Proposal | None, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield what the rules say of the keywords of the objects that the judgement is about, and of those that the proposal uses."""
        about = self._about(proposal, verdict)
        holders: dict[str, dict[str, None]] = {}
        told = self.said.keywords
        for holder in self.reading.objects:
            if (holder.keywords or holder.counters) and holder.name in about:
                for use in (*holder.keywords, *holder.counters):
                    holders.setdefault(use.written if use.written in told else use.keyword, {})[holder.name] = None
        if proposal is not None and self.judge not in _DECLARED:
            for word in sorted(set(_words_of(proposal.raw))):
                if word in self.known.keywords:
                    holders.setdefault(word, {})
        for keyword, names in holders.items():
            rules, bearing = _of_keyword(keyword, self.judge, self.known, self.said)
            if not bearing or not self.named.isdisjoint(rules):
                continue
            children = [self.rulings.step(rule) for rule in bearing if rule not in self.named]
            facts = self.known.keywords.get(keyword)
            said = f"{_few(list(names))} {'has' if len(names) == 1 else 'have'} {keyword}." if names else f"It uses {keyword}."
            yield Step(self.rulings.number(facts.rule) if facts else None, said, None, tuple(children))

    def _about(self, proposal: Proposal | None, verdict: ProposalVerdict) -> set[str]:
        """Return the objects that a judgement is about: those that fight, those that are named."""
        wrong = {name for violation in verdict.violations for name in violation.objects}
        if self.judge in _DECLARED and proposal is not None:
            acting = [choice.blocker for choice in proposal.blocks] + [attack.attacker for attack in proposal.attacks]
            return {*acting, *self._attacking, *wrong}
        board = self.scenario.board
        named = set(_words_of(proposal.raw)) if proposal is not None else set()
        if self.judge == "damage" or (self.judge == "outcome" and not (named & {"event"})):
            return {*self._attacking, *(block.blocker for block in board.blocks or ()), *named, *wrong}
        about = {*named, *wrong} & board.objects.keys()
        return about or set(board.objects)

    @cached_property
    def _occasions(self) -> tuple[str, ...]:
        """What about the situation itself calls for a rule."""
        return tuple(self._found_occasions())

    def _found_occasions(self) -> Iterator[str]:
        board = self.scenario.board
        if self.judge == "attack" and len(board.players) > 2:
            yield "several defenders"
        targets = {attack.target for attack in board.attacks or ()} - board.players.keys()
        if targets and any(target not in board.objects or board.objects[target].zone != "battlefield" for target in targets):
            yield "nothing is attacked"
        blocked = {attacker for block in board.blocks or () for attacker in block.attackers}
        # Few have been blocked, or goaded.
        things = [thing for thing in board.objects.values() if thing.blocked or thing.goaded_by or thing.commander]
        left_alone = {thing.id for thing in things if thing.blocked and thing.id not in blocked}
        if left_alone:
            yield "blocked without blockers"
            uses = [use.keyword for holder in self.reading.objects if holder.name in left_alone for use in holder.keywords]
            yield from (f"blocked without blockers, with {keyword}" for keyword in dict.fromkeys(uses))
        if board.bands and any(not blocked.isdisjoint(band) for band in board.bands):
            yield "blocking a band"
        if max([len(thing.goaded_by) for thing in things], default=0) > 1:
            yield "goaded by several"
        if self.judge in PLAYS and any(thing.zone == "command" and thing.commander for thing in things):
            yield "using the command zone"
        says = {holder.says for holder in self.reading.objects if holder.states and holder.name in self._attacking}
        stated = [self.known.kinds[one.kind] for said in says if said is not None for one in said.states]
        if any(kind.judges == {"attack"} and kind.group == "restriction" for kind in stated):
            yield "attacking already"

    def _others(self, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield the rules that were applied and are not named yet."""
        for cited in verdict.cites:
            rule = self.rulings.encoded(cited)
            if rule not in self.named:
                self.named.add(rule)
                gist = self.rulings.gist(rule) if rule in self.said.gists else "This rule applies."
                yield Step(cited, gist, None, tuple(self.rulings.brought_in([rule])))


@lru_cache(maxsize=4096)
def _of_keyword(keyword: str, judge: str, known: Knowledge, said: Paraphrases) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the rules of a keyword, and those that are worth telling where something is judged.

    None is where the keyword has nothing to do with that: where all it imposes, or what asks for it, is judged elsewhere. For declarations
    what it does is worth telling, else all but asides.
    """
    stated = said.keywords.get(keyword, ())
    judged = _judged(keyword, known) if judge in _IN_COMBAT else frozenset()
    bearing: list[str] = []
    if not judged or not judged.isdisjoint(_IN_COMBAT[judge]):
        aside = _ASIDE_OF_PLAYS if judge in PLAYS else _ASIDE
        bearing = [one.rule for one in stated if (one.sorts & _MEANING if judge in _DECLARED else not one.sorts <= aside)]
    return frozenset([one.rule for one in stated]), tuple(bearing)


@lru_cache(maxsize=1024)
def _judged(keyword: str, known: Knowledge) -> frozenset[str]:
    """Return the judgements that what a keyword imposes bears on; where it imposes nothing, what keywords impose that ask for it."""
    facts = known.keywords.get(keyword)
    imposed = list(facts.imposes) if facts is not None else []
    if not imposed:
        every = (one for other in known.keywords.values() for one in other.imposes)
        imposed = [one for one in every if any(test.kind == "keyword" and test.value == keyword for test in _tests(one))]
    return frozenset().union(*(known.kinds[one.kind].judges for one in imposed if one.kind in known.kinds))


@lru_cache(maxsize=64)
def _beginning(judge: str, known: Knowledge) -> str | None:
    return next((one.rule for one in known.dated if one.sort == "judgement" and one.word == judge), None)


# ---------------------------------------------------------------- words


def _once(steps: Iterable[Step]) -> list[Step]:
    """Return the steps without those that say nothing else than one before: several constraints of one rule are told by that rule."""
    told: dict[tuple[str | None, str], Step] = {}
    for step in steps:
        told[(step.rule, step.sentence) if not step.children else (step.rule, f"{step.sentence} {len(told)}")] = step
    return list(told.values())


def _counted(texts: Sequence[str]) -> Sequence[str]:
    """Return texts, each once, with how often it is there: what says one thing may require several."""
    if len(set(texts)) == len(texts):
        return texts
    often = Counter(texts)
    return [text if number == 1 else f"{text} ({number} requirements)" for text, number in often.items()]


def _counters(number: int, kind: str) -> str:
    return f"{number:,} {kind} counter{'' if number == 1 else 's'}" if number else f"no {kind} counters"


def _few(names: Sequence[str], joint: str = "") -> str:
    """Return the first of several names, or texts, in words, and how many more there are."""
    if len(names) == 1:
        return names[0]
    # Texts, which are joined in their own way, may end in numbers and are no runs.
    told = list(names) if joint else runs(names)
    if len(told) > _MOST_NAMES:
        more = len(names) - (_MOST_NAMES if joint else sum(map(number_of_names, told[:_MOST_NAMES])))
        told = [*told[:_MOST_NAMES], f"{more} more"]
    return joint.join(told) if joint or not told else listed(told)


def _tests(constraint: Constraint) -> Iterator[Test]:
    filters = [constraint.subject, constraint.object, *(condition.filter for condition in constraint.conditions)]
    for one in filters:
        if isinstance(one, Filter):
            yield from (test for tests in one.any_of for test in tests)


@lru_cache(maxsize=256)
def _breaches(rule: str, known: Knowledge) -> tuple[Breach, ...]:
    """Return the breaches that a rule forbids."""
    return tuple(one for one in known.breaches.values() if one.by == rule)


def _fits(says: str, message: str) -> bool:
    """Return whether a sentence was made from the pattern `says`."""
    return _pattern(says).match(message) is not None


@lru_cache(maxsize=512)
def _pattern(says: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", ".*", re.escape(says)))


def _words_of(raw: Any) -> Iterator[str]:
    """Yield all words in a proposal as the file gives it."""
    if isinstance(raw, str):
        yield raw
    elif isinstance(raw, Mapping):
        for key, value in raw.items():
            yield str(key)
            yield from _words_of(value)
    elif isinstance(raw, Iterable):
        for value in raw:
            yield from _words_of(value)
