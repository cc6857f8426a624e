"""From a verdict to sentences that a judge would say: a tree of steps, each with the rule that it rests on.

What is said comes from the verdict, from what was read on the board, and from kb/ (`lawmage.play.paraphrases`); nothing is judged again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from lawmage.board import Proposal, Scenario
from lawmage.constraints import Constraint, Filter, Test
from lawmage.play.dated import in_numbering_of
from lawmage.play.declaration_words import declaration_in_words, listed
from lawmage.play.facts import Problem
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.paraphrases import Paraphrases, Stated, paraphrases
from lawmage.play.phrases import constraint_in_words
from lawmage.play.play_words import PLAYS, play_in_words
from lawmage.play.reading import Reading
from lawmage.play.stratified import Value
from lawmage.play.verdict import Declaration, ProposalVerdict
from lawmage.play.words import nearest_in_words

if TYPE_CHECKING:
    from lawmage.play.events import EventVerdict
    from lawmage.play.outcome import OutcomeVerdict
    from lawmage.play.plays import PlayVerdict

__all__ = ["Explainer", "Rulings", "Step", "proposal_in_words", "quoted_from"]

#: More names than this are not listed one by one.
_MOST_NAMES = 6
#: The judgements on declarations.
_DECLARED = ("attack", "block")
#: A part of a clash: what it is, and its rule in brackets.
_CLASH = re.compile(r"(.*) \(([\w.:]+)\)$", re.DOTALL)
#: Statements on a keyword that say what it does.
_MEANING = frozenset({"Definition", "VariantDefinition"})
#: What in the statements of a keyword says no more than what sort of ability it is.
_ASIDE = frozenset({"Stacking", "History", "Reference", "Functioning", "Clarification", "VariantDefinition"})
#: Words that stand for objects that only the board tells: what an effect names, and what something is attached to.
_POINTERS = _NAMED, _ATTACHED = "what the effect names", "what it is attached to"
#: What stands between the names of the two faces of a card.
_BOTH = " // "
_STEPS = {"first": "In the first combat damage step", "regular": "In the combat damage step"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an argument.

    Attributes:
        rule: the rule that it rests on, in the numbering of the release; None where no rule but the board says so.
        sentence: what a judge would say.
        quote: the rule's text, where it is installed and asked for.
        children: the steps that it follows from.
    """

    rule: str | None
    sentence: str
    quote: str | None = None
    children: tuple[Step, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"rule": self.rule, "sentence": self.sentence, "quote": self.quote, "children": [child.as_json() for child in self.children]}

    def walk(self) -> Iterator[Step]:
        """Yield this step and all under it, in the order of reading."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are named, each once, in the order of reading."""
        return tuple(dict.fromkeys(step.rule for step in self.walk() if step.rule is not None))


def quoted_from(step: Step, text_of: Callable[[str], str], quoted: set[str] | None = None) -> Step:
    """Return the tree with the text of each rule where it is named first.

    Args:
        step: the tree.
        text_of: gives the text of a rule, an empty one for a rule that it does not have.
        quoted: the rules that have been quoted before; those that are quoted here are added.
    """
    done = set() if quoted is None else quoted
    quote = None
    if step.rule is not None and step.rule not in done:
        done.add(step.rule)
        quote = text_of(step.rule) or None
    return replace(step, quote=quote, children=tuple(quoted_from(child, text_of, done) for child in step.children))


def proposal_in_words(scenario: Scenario, name: str) -> str:
    """Return what a proposal of `scenario` proposes, as a phrase; without such a proposal, that the answer is about what combat does."""
    proposal = next((proposal for proposal in scenario.proposals if proposal.name == name), None)
    if proposal is None:
        return "what combat does; `lawmage outcome` shows it"
    if scenario.judge in PLAYS:
        return play_in_words(proposal.raw, scenario.judge)
    if scenario.judge == "outcome" and isinstance(proposal.raw, dict):
        return f"{proposal.raw['event']} {', '.join(proposal.raw.get('objects', ()))}".strip()
    if scenario.judge == "outcome":
        return ", then ".join(declaration_in_words(step["assign"], "damage") for step in proposal.raw)
    paid = list(_paid(proposal))
    return declaration_in_words(_declared(scenario, proposal), scenario.judge) + (f", paying {listed(paid)}" if paid else "")


def _paid(proposal: Proposal) -> Iterator[str]:
    """Yield what is paid in a proposal for which creature, in words."""
    choices = [(choice.blocker, choice) for choice in proposal.blocks] + [(choice.attacker, choice) for choice in proposal.attacks]
    for name, choice in choices:
        if choice.pay:
            yield f"{choice.pay} for {name}"
        yield from (f"{act} {which} for {name}" for act, which in choice.acts)


def _declared(scenario: Scenario, proposal: Proposal) -> Declaration:
    declaration: dict[str, tuple[str, ...] | str | Mapping[str, int]] = {choice.blocker: choice.attackers for choice in proposal.blocks}
    declaration |= {attack.attacker: attack.target for attack in proposal.attacks}
    return declaration | (proposal.raw["assign"] if scenario.judge == "damage" else {})


@dataclass(frozen=True, slots=True)
class _Saying:
    """What is to be said of a constraint, on whatever board.

    Attributes:
        words: what it says, as a rule or this program has it; empty where its source says the same.
        points: whether these words stand for objects that only the board tells.
        by: the rule that gives it force.
        tested: what rules say of the keywords that it asks for, as rule and sentence.
        occasions: on which rules are brought in.
    """

    words: str
    points: bool
    by: str
    tested: tuple[tuple[str, str], ...]
    occasions: tuple[str, ...]


@lru_cache(maxsize=4096)
def _saying(constraint: Constraint, rule: str, known: Knowledge, said: Paraphrases, *, by_keyword: bool) -> _Saying:
    kind = known.kinds[constraint.kind]
    words = said.gists[rule] if by_keyword and rule in said.gists else constraint_in_words(constraint, known)
    if not by_keyword and _plain(words) == _plain(constraint.source):
        words = ""
    tests = list(_tests(constraint))
    asked = [str(test.value) for test in tests if test.kind == "keyword"]
    stated = [(value, one) for value in asked for one in said.keywords.get(value, ()) if one.sorts & _MEANING]
    tested = tuple((one.rule, _sentence(f"{value}: {one.gist}")) for value, one in stated)
    occasions = (kind.term, *(f"testing {test.kind}" for test in tests))
    points = any(pointer in words for pointer in _POINTERS)
    return _Saying(words, points, kind.by, tested, tuple(one for one in occasions if one in said.occasions))


def _plain(words: str) -> str:
    """Return words without what makes no difference between a text and what it is read as."""
    return re.sub(r"^this creature |[.\s]+$", "", words.casefold())


@lru_cache(maxsize=4)
def _encoded_numbers(release: str) -> Mapping[str, str]:
    """Return the number in the encoded release of each rule that is paraphrased, by that in `release`."""
    known = knowledge()
    return {in_numbering_of(release, rule, known): rule for rule in paraphrases().gists}


class Rulings:
    """Steps on rules of one release, each with the rules that come in with it the first time.

    Attributes:
        said: what is said of rules, and when.
        named: the rules, in the encoded numbering, that the argument names so far.
    """

    def __init__(self, release: str) -> None:
        self.release = release
        self.known: Knowledge = knowledge()
        self.said = paraphrases()
        self.named: set[str] = set()

    def number(self, rule: str) -> str:
        """Return the number in the release of a rule of the encoded release."""
        return rule if self.release == self.known.release else in_numbering_of(self.release, rule, self.known)

    def encoded(self, rule: str) -> str:
        """Return the number in the encoded release of a rule of the release, if it is known there."""
        return rule if self.release == self.known.release else _encoded_numbers(self.release).get(rule, rule)

    def step(self, rule: str, sentence: str = "", children: Iterable[Step] = (), occasions: Iterable[str] = ()) -> Step:
        """Return a step on a rule (in the encoded numbering), with the rules that come in with it and on `occasions`."""
        self.named.add(rule)
        under = [*children]
        for occasion in (rule, *occasions):
            if occasion in self.said.occasions:
                under += self.brought_in([occasion])
        return Step(self.number(rule), sentence or self.gist(rule), None, tuple(under))

    def gist(self, rule: str) -> str:
        """Return what a rule says, as a sentence."""
        gist = self.said.gists.get(rule, "this rule applies")
        return _sentence(gist[:1].upper() + gist[1:])

    def brought_in(self, occasions: Iterable[str]) -> Iterator[Step]:
        """Yield steps on the rules that are named on any of `occasions` and that the argument does not name yet."""
        for occasion in occasions:
            for rule in self.said.occasions.get(occasion, ()):
                if rule not in self.named:
                    yield self.step(rule)


class Explainer:
    """Explains the verdicts on the proposals of one scenario.

    Args:
        scenario: the board and the proposals.
        reading: what the words on the board say.
        release: of the rules.
        alike: objects that are alike, of which some speak for the others among the constraints.
    """

    def __init__(self, scenario: Scenario, reading: Reading, release: str, alike: Iterable[tuple[str, ...]] = ()) -> None:
        self.scenario = scenario
        self.judge = scenario.judge
        self.reading = reading
        self.problem: Problem | None = None
        #: What is proposed, in words, where that is a declaration.
        self._proposed = ""
        self.alike = {name: kind for kind in alike for name in kind}
        self.rulings = Rulings(release)
        self.known, self.said, self.named = self.rulings.known, self.rulings.said, self.rulings.named

    @cached_property
    def _attacking(self) -> frozenset[str]:
        return frozenset([attack.attacker for attack in self.scenario.board.attacks or ()])

    def explain(self, name: str, verdict: ProposalVerdict, problem: Problem | None) -> Step:
        """Return the argument for `verdict`, that on the proposal `name`, from the constraints that bear on it, by their integers."""
        self.problem = problem
        self.named.clear()
        proposal = next((one for one in self.scenario.proposals if one.name == name), None)
        event = proposal is not None and isinstance(proposal.raw, Mapping) and "event" in proposal.raw
        begins = self._begins() if not event else None
        begun = self.rulings.number(begins) if begins is not None else next(iter(verdict.cites), None)
        if begun is not None:
            self.named.add(self.rulings.encoded(begun))
        children = [*self._undecided(verdict), *self._violations(verdict)]
        if self.judge in _DECLARED and self.problem is not None and proposal is not None:
            declaration = _declared(self.scenario, proposal)
            self._proposed = declaration_in_words(declaration, self.judge)
            children += self._declaration(self.problem, declaration, verdict)
        else:
            children += [] if event else self.rulings.brought_in([f"judging {self.judge}"])
            children += self._happening(verdict)
            children += _once(self._constraints(self._about(proposal, verdict), verdict))
        children += self._keywords(proposal, verdict)
        children += self.rulings.brought_in([*([] if begun is None else [self.rulings.encoded(begun)]), *self._occasions])
        children += self._others(verdict)
        if verdict.nearest is not None:
            children.append(Step(None, f"The nearest that is legal: {nearest_in_words(verdict, self.judge)}."))
        elif verdict.no_nearest:
            children.append(Step(None, f"{verdict.no_nearest[0].upper()}{verdict.no_nearest[1:]}."))
        words = proposal_in_words(self.scenario, name) if proposal is not None else "what combat does"
        return Step(begun, f"{name} is {verdict.verdict}: {words}.", None, tuple(children))

    def _begins(self) -> str | None:
        """Return the rule by which what is judged begins."""
        if self.judge in PLAYS:
            from lawmage.play.plays import BEGINS

            return BEGINS[self.judge]
        return _beginning(self.judge, self.known)

    # ------------------------------------------------------------ what is wrong, what is open

    def _undecided(self, verdict: ProposalVerdict) -> Iterator[Step]:
        for text in verdict.not_understood:
            yield Step(None, _sentence(f"Not understood, and it could matter: {text}" if not text.startswith("the ") else text))
        if verdict.verdict == "undecided" and not verdict.not_understood:
            yield Step(None, "The time was over before every declaration could be excluded.")

    def _violations(self, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield a step on each violation; that too few requirements are obeyed is told with the requirements."""
        for violation in verdict.violations:
            rule = self.rulings.encoded(violation.rule)
            breach = next((one for one in self.known.breaches.values() if one.by == rule and _fits(one.says, violation.message)), None)
            if breach is not None and breach.counted:
                continue
            self.named.add(rule)
            children: list[Step] = []
            if violation.because is not None and self.problem is not None:
                number, holder = violation.because
                found = self._constraint(self.problem, number, [holder])
                # What it says is told already, with its rule.
                children = list(found.children) if found.rule == violation.rule else [found]
            yield self.rulings.step(rule, _sentence(violation.message), children, () if breach is None else (breach.term,))

    # ------------------------------------------------------------ what constrains the proposal

    def _constraint(self, problem: Problem, number: int, holders: Sequence[int], kept: str = "") -> Step:
        """Return the step on a constraint and those who state it: what it says, by which keyword or text, and what its words mean."""
        constraint = problem.constraints[number]
        assert constraint is not None
        rule, keyword = problem.rules[number], problem.keyword_of.get(number)
        saying = _saying(constraint, rule, self.known, self.said, by_keyword=keyword is not None)
        # That the rule itself says so is not told twice.
        self.named.add(rule)
        who = self._names(problem, holders)
        words = self._pointed_at(saying.words, who) if saying.points else saying.words
        if keyword is not None:
            said = f"{_few(who)} {self._whom(_plural(keyword, len(who)), who)}: {words}"
        else:
            text = constraint.source.rstrip(".")
            said = f'{_few(who)} {"says" if len(who) == 1 else "say"} "{text}"' + (f", which is read as: {words}" if words else "")
        children = [self.rulings.step(saying.by)] if saying.by not in self.named else []
        children += [self.rulings.step(each, sentence) for each, sentence in saying.tested if each not in self.named]
        occasions = saying.occasions
        if self._two_faced:
            occasions = (*occasions, *(f"{one}, with another face" for one in occasions))
        return self.rulings.step(rule, _sentence(said) + (f" {kept}" if kept else ""), children, occasions)

    @cached_property
    def _two_faced(self) -> bool:
        return any(thing.card_text is not None and _BOTH in thing.card_text.card for thing in self.scenario.board.objects.values())

    def _whom(self, done: str, who: Sequence[str]) -> str:
        """Return what players have done to `it`, with the names of what they have goaded."""
        if not done.endswith(" it"):
            return done
        goaded = [name for name, thing in self.scenario.board.objects.items() if not {*who}.isdisjoint(thing.goaded_by)]
        return f"{done.removesuffix(' it')} {_few(goaded)}" if goaded else done

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
        return list(dict.fromkeys([other for name in names for other in self.alike.get(name, (name,))]) if self.alike else names)

    def _stated(self, problem: Problem) -> dict[int, list[int]]:
        """Return who states each constraint, by its integer."""
        found: defaultdict[int, dict[int, None]] = defaultdict(dict)
        for arity in (3, 4):
            for number, holder, *_ in problem.facts.rows("states", arity):
                found[_integer(number)][_integer(holder)] = None
        return {number: list(holders) for number, holders in sorted(found.items())}

    def _declaration(self, problem: Problem, declaration: Declaration, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield what the declaration keeps and obeys."""
        stated = self._stated(problem)
        broken = {violation.because[0] for violation in verdict.violations if violation.because is not None}
        does: dict[str, str] = {}
        groups: defaultdict[str, list[int]] = defaultdict(list)
        for number in stated:
            constraint = problem.constraints[number]
            assert constraint is not None
            groups[self.known.kinds[constraint.kind].group].append(number)
        for group in sorted(groups, key="requirement".__ne__) if verdict.requirements.better is not None else groups:
            if group == "requirement":
                yield self._requirements(problem, {number: stated[number] for number in groups[group]}, verdict)
                continue
            steps: list[Step] = []
            for number in groups[group]:
                if number in broken:
                    continue
                constraint = problem.constraints[number]
                assert constraint is not None
                kept = ""
                if group in ("restriction", "cost"):
                    about = self._names(problem, stated[number]) if constraint.subject == "self" else ()
                    kept = self._kept(about, declaration, does)
                steps.append(self._constraint(problem, number, stated[number], kept))
            yield from _once(steps)
        yield from self.rulings.brought_in([f"judging {self.judge}"])

    def _kept(self, names: Sequence[str], declaration: Declaration, told: dict[str, str]) -> str:
        """Return in what way a declaration bears on the objects `names`, which a restriction that it keeps is about.

        `told` keeps what is told of each object.
        """
        if len(names) > _MOST_NAMES:
            return "This is kept."
        for name in names:
            if name not in told:
                # What else acts can be what counts: for one that can act only with others, or only alone.
                all_act = name in declaration and len(declaration) <= _MOST_NAMES
                told[name] = self._proposed if all_act else self._does(name, declaration)
        does = [told[name] for name in dict.fromkeys(names) if told[name]]
        return _sentence(f"This is kept: {'; '.join(dict.fromkeys(does))}" if does else "This is kept")

    def _does(self, name: str, declaration: Declaration) -> str:
        """Return what an object does in a declaration, in words; nothing for what is no object."""
        if name in declaration:
            return declaration_in_words({name: declaration[name]}, self.judge)
        part = {actor: others for actor, others in declaration.items() if name == others or (others.__class__ is tuple and name in others)}
        if part:
            return declaration_in_words(part, self.judge)
        if name in self._attacking:
            return f"nothing blocks {name}"
        return f"{name} doesn't {self.judge}" if name in self.scenario.board.objects else ""

    def _requirements(self, problem: Problem, stated: Mapping[int, Sequence[int]], verdict: ProposalVerdict) -> Step:
        """Return the step on how many requirements are obeyed, on each, and on why not more can be."""
        found = verdict.requirements
        first = problem.constraints[next(iter(stated))]
        assert first is not None
        rule = self.known.kinds[first.kind].by
        self.named.add(rule)
        children = _once(self._constraint(problem, number, holders) for number, holders in stated.items())
        met = f" It obeys: {_few(list(found.met), '; ')}." if found.met else ""
        if found.better is not None:
            better = declaration_in_words(found.better, self.judge)
            said = f"It obeys {found.obeyed:,} of {found.maximum:,} requirements that can be obeyed together; better: {better}."
        elif found.maximum is not None and found.obeyed > found.maximum:
            said = f"It obeys {found.obeyed:,} of the requirements; keeping all restrictions and paying nothing, {found.maximum:,} can be."
        elif found.maximum is None:
            said = f"It obeys {found.obeyed:,} of the requirements; whether more could be obeyed was not settled."
        else:
            said = f"It obeys {found.obeyed:,} of the requirements, and no declaration without paying obeys more than {found.maximum:,}."
        if found.clash:
            parts = [Step(match[2], _sentence(match[1])) if (match := _CLASH.match(part)) else Step(None, part) for part in found.clash]
            rules = self.said.occasions["a clash"]
            self.named.update(rules)
            children.append(
                Step(self.rulings.number(rules[0]), f"{self.rulings.gist(rules[0])} These cannot all hold together:", None, tuple(parts))
            )
        return self.rulings.step(rule, f"{self.rulings.gist(rule)} {said}{met}", children)

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
                    _sentence(f"{name} leaves the battlefield: {self.said.gists.get(self.rulings.encoded(rule), rule)}"),
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
        for player, state in verdict.players.items():
            if state.get("lost"):
                yield self.rulings.step(
                    self.rulings.encoded(state["lost"]),
                    f"{player} loses the game: {self.said.gists.get(self.rulings.encoded(state['lost']), '')}.",
                )

    def _event(self, verdict: EventVerdict) -> Iterator[Step]:
        yield from self._triggers(verdict.triggers)
        for player, token, number in verdict.creates:
            yield Step(None, f"{player} creates {number} x {token}.")
        for choice in verdict.choices:
            yield Step(None, _sentence(f"To be chosen: {choice}"))

    def _play(self, verdict: PlayVerdict) -> Iterator[Step]:
        if verdict.using:
            beside = listed([f"{verb} {number}" for verb, number in verdict.beside]) if verdict.beside else ""
            cost = f" for {verdict.total}" if verdict.total else ""
            # A whole ability is told as it is written.
            way = f'"{verdict.using}"' if ": " in verdict.using else verdict.using
            yield Step(None, f"It is done this way: {way}{cost}" + (f", beside: {beside}." if beside else "."))
        for least, most in verdict.targets:
            number = f"{least}" if least == most else f"at least {least}" if most is None else f"{least} to {most}"
            yield self.rulings.step("601.2c" if self.judge == "cast" else "603.3d", f"Targets to choose: {number}.")

    # ------------------------------------------------------------ what else bears on it

    def _keywords(self, proposal: Proposal | None, verdict: ProposalVerdict) -> Iterator[Step]:
        """Yield what the rules say of the keywords of the objects that the judgement is about, and of those that the proposal uses."""
        about = self._about(proposal, verdict)
        holders: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for holder in self.reading.objects:
            if holder.name in about:
                for use in (*holder.keywords, *holder.counters):
                    holders[use.keyword if use.written not in self.said.keywords else use.written][holder.name] = None
        for word in sorted(set(_words_of(proposal.raw)) if proposal is not None else ()):
            if word in self.known.keywords:
                holders[word].update(())
        for keyword, names in holders.items():
            of_keyword = self.said.keywords.get(keyword, ())
            if any(one.rule in self.named for one in of_keyword) or not self._matters(keyword):
                continue
            stated = [one for one in of_keyword if self._bears(one)]
            if not stated:
                continue
            children = [self.rulings.step(one.rule) for one in stated if one.rule not in self.named]
            facts = self.known.keywords.get(keyword)
            said = f"{_few(list(names))} {'has' if len(names) == 1 else 'have'} {keyword}." if names else f"It uses {keyword}."
            yield Step(self.rulings.number(facts.rule) if facts else None, said, None, tuple(children))

    def _matters(self, keyword: str) -> bool:
        """Return whether a keyword can have to do with a declaration: not if all that it imposes is judged elsewhere."""
        facts = self.known.keywords.get(keyword)
        judged = [self.known.kinds[one.kind].judges for one in facts.imposes] if facts is not None else []
        return self.judge not in _DECLARED or not judged or any(self.judge in judges for judges in judged)

    def _bears(self, stated: Stated) -> bool:
        """Return whether something that is stated of a keyword is worth saying: for declarations what it does, else all but asides."""
        if stated.rule in self.named:
            return False
        return bool(stated.sorts & _MEANING) if self.judge in _DECLARED else not stated.sorts <= _ASIDE

    def _about(self, proposal: Proposal | None, verdict: ProposalVerdict) -> set[str]:
        """Return the objects that a judgement is about: those that fight, those that are named."""
        board = self.scenario.board
        fighting = self._attacking.union([block.blocker for block in board.blocks or ()])
        named = set(_words_of(proposal.raw)) if proposal is not None else set()
        wrong = {name for violation in verdict.violations for name in violation.objects}
        if self.judge == "damage" or (self.judge == "outcome" and not (named & {"event"})):
            return {*fighting, *named, *wrong}
        if self.judge in _DECLARED and proposal is not None:
            return {*_declared(self.scenario, proposal), *self._attacking, *wrong}
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
        if any(target not in board.objects or board.objects[target].zone != "battlefield" for target in targets):
            yield "nothing is attacked"
        blocked = {attacker for block in board.blocks or () for attacker in block.attackers}
        left_alone = {name for name, thing in board.objects.items() if thing.blocked and name not in blocked}
        if left_alone:
            yield "blocked without blockers"
            uses = [use.keyword for holder in self.reading.objects if holder.name in left_alone for use in holder.keywords]
            yield from (f"blocked without blockers, with {keyword}" for keyword in dict.fromkeys(uses))
        if any(not blocked.isdisjoint(band) for band in board.bands):
            yield "blocking a band"
        if any(len(thing.goaded_by) > 1 for thing in board.objects.values()):
            yield "goaded by several"
        if any(thing.zone == "command" for thing in board.objects.values()):
            yield "using the command zone"
        stated = [self.known.kinds[one.kind] for holder in self.reading.objects if holder.name in self._attacking for one in holder.states]
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


@lru_cache(maxsize=64)
def _beginning(judge: str, known: Knowledge) -> str | None:
    return next((one.rule for one in known.dated if one.sort == "judgement" and one.word == judge), None)


# ---------------------------------------------------------------- words


def _sentence(words: str) -> str:
    """Return `words` as a sentence. Its first letter stays as it is: it may be that of an object's name."""
    return words if words.endswith((".", ":", '."')) else f"{words}."


def _once(steps: Iterable[Step]) -> list[Step]:
    """Return the steps without those that say nothing else than one before: several constraints of one rule are told by that rule."""
    told: dict[tuple[str | None, str], Step] = {}
    for step in steps:
        told[(step.rule, step.sentence) if not step.children else (step.rule, f"{step.sentence} {len(told)}")] = step
    return list(told.values())


def _few(names: Sequence[str], joint: str = "") -> str:
    shown = list(names[:_MOST_NAMES]) + ([f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else [])
    return joint.join(shown) if joint or not shown else listed(shown)


def _plural(has: str, number: int) -> str:
    return has if number == 1 else re.sub(r"^has\b", "have", has)


def _tests(constraint: Constraint) -> Iterator[Test]:
    filters = [constraint.subject, constraint.object, *(condition.filter for condition in constraint.conditions)]
    for one in filters:
        if isinstance(one, Filter):
            yield from (test for tests in one.any_of for test in tests)


def _integer(value: Value) -> int:
    assert isinstance(value, int)
    return value


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
