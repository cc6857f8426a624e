"""Judging plays beyond combat: casting a spell, activating an ability, taking a special action, choosing targets for a triggered ability.

asp/ decides (begin-play.lp, pay-total.lp); here the ways in which a play can be done are put together into a verdict.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import clingo

from lawmage.board import Board, Object, Proposal, Scenario
from lawmage.errors import InputError
from lawmage.play.card_types import types_among
from lawmage.play.dated import cited_in
from lawmage.play.derived import Model, shown_by
from lawmage.play.facts import Facts, Problem
from lawmage.play.keyword_uses import keyword_uses, play_rules
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.mana import barred_sources, lands_changed, unread_sources
from lawmage.play.nearest_cases import Cases, Start, nearest_of
from lawmage.play.nearest_play import Judge
from lawmage.play.one_by_one import OneByOne
from lawmage.play.one_change import Looked, taken_among
from lawmage.play.payment import Payment, can_spend, in_symbols, pays
from lawmage.play.play_problem import Play, PlayProblem
from lawmage.play.play_words import OBJECT_KEY
from lawmage.play.plays_facts import Begun, build_play, targets_in_doubt
from lawmage.play.program import specialise
from lawmage.play.reading import Reading, read_board
from lawmage.play.rule_functions import NotEvaluatedError
from lawmage.play.tapping import with_attackers_tapped
from lawmage.play.verdict import ProposalVerdict, Violation
from lawmage.resources import data_folder
from lawmage.scenario_shapes import ZONES
from lawmage.text.costs import read_cost

__all__ = ["PlayVerdict", "Plays"]

#: More open conditions than this are not tried in all combinations.
_MOST_OPEN = 4
#: The program in asp/entry/ that judges each kind of play.
_PROGRAMS = {"attach": "attach"}


@dataclass(frozen=True, slots=True)
class PlayVerdict(ProposalVerdict):
    """The verdict on a play.

    Attributes:
        using: the way in which it is done, in words: a mana cost, a keyword as written, a sentence.
        total: the mana of the total cost in symbols, or None where there is no way to do it.
        life: the life that it asks for beside that.
        beside: what else is done to pay: the verb and how often.
        targets: how many targets each instance of the word asks for: least and most, None for any number.
    """

    using: str = ""
    total: str | None = None
    life: int = 0
    beside: tuple[tuple[str, int], ...] = ()
    targets: tuple[tuple[int, int | None], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return ProposalVerdict.as_json(self) | {
            "using": self.using,
            "total": self.total,
            "life": self.life,
            "beside": [{"verb": verb, "number": number} for verb, number in self.beside],
            "targets": [{"least": least, "most": most} for least, most in self.targets],
        }


@dataclass
class _Model:
    """What asp/ answers about a play, by ways."""

    candidates: list[int] = field(default_factory=list)
    wrong: dict[int, list[Violation]] = field(default_factory=dict)
    always_wrong: list[Violation] = field(default_factory=list)
    components: dict[int, set[int]] = field(default_factory=dict)
    totals: dict[int, Counter[str]] = field(default_factory=dict)
    beside: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    life: dict[int, int] = field(default_factory=dict)
    helpers: dict[str, set[str]] = field(default_factory=dict)
    sources: dict[str, set[str]] = field(default_factory=dict)


class Plays(OneByOne):
    """The plays that a scenario proposes.

    Args:
        scenario: the board and the proposals.
        seconds, explain: for the same arguments as other judgements; to judge needs no search.
        explain_seconds: the time that looking for the nearest plays may take in all.
    """

    def __init__(self, scenario: Scenario, *, seconds: float | None = None, explain: bool = False, explain_seconds: float = 0.0) -> None:
        del seconds, explain
        self._left_to_explain = explain_seconds
        self.scenario = scenario = with_attackers_tapped(scenario, always=True)
        self.board = scenario.board
        self.known: Knowledge = knowledge()
        self.reading = read_board(scenario.board, self.known, file=scenario.file, zones=ZONES)
        self.release = scenario.release or self.known.release
        #: The problem of each proposal that was judged, by its name.
        self.problems: dict[str, Problem] = {}
        #: The board, and what was read on it, with each face of an object in its place.
        self._with_face: dict[tuple[str, int], tuple[Board, Reading]] = {}
        #: Whether the facts of more than one play are looked for.
        self._builds_several = explain_seconds > 0 or len(scenario.proposals) > 1
        #: What was begun for each kind of play, object, player and face.
        self._begun: dict[tuple[str, str, str, int], Begun] = {}
        #: What was looked at for each proposal.
        self._looked_at: dict[str, list[Looked]] = {}

    def programs(self) -> list[str]:
        """Return what clingo gets for each proposal."""
        return [self._program(next(self._settled(self._plays(proposal.raw)[0]))[1], frozenset()) for proposal in self.scenario.proposals]

    @property
    def _says(self) -> str:
        return f"says judge: {self.scenario.judge}"

    # ------------------------------------------------------------ one proposal

    def _plays(self, raw: Mapping[str, Any]) -> list[Play]:
        """Return what is proposed: one play, or one for each face that may be meant."""
        kind = self.scenario.judge
        name = raw[OBJECT_KEY[kind]]
        thing = self.board.objects[name]
        faces: Sequence[Object | None] = [None]
        if self._has_faces(thing):
            raw, faces = _faces_meant(thing, kind, raw)
        return [Play(kind, name, raw.get("by") or thing.controller, raw, face) for face in faces]

    def _has_faces(self, thing: Object) -> bool:
        """Return whether a face is chosen when something is done with a card."""
        return bool(thing.faces) and not thing.faces[0].transformed and self.scenario.judge in ("cast", "special")

    def _problem(self, play: Play, taken: frozenset[str] | None = None) -> PlayProblem:
        """Return the facts of a play; where it is given which open conditions are fulfilled, none is open."""
        problem = self._stated(play)
        if taken is None:
            return problem
        return replace(problem, facts=self._facts(problem, taken), base=problem.base._replace(conditions={}))

    def _stated(self, play: Play) -> PlayProblem:
        faces = [*map(id, self.board.objects[play.object].faces)]
        place = faces.index(id(play.face)) if play.face is not None else len(faces)
        begun = self._begun.setdefault((play.kind, play.object, play.player, place), Begun()) if self._builds_several else None
        if play.face is None:
            return build_play(self.board, self.reading, self.known, keyword_uses(), play, begun)
        key = play.object, place
        if key not in self._with_face:
            board = replace(self.board, objects={**self.board.objects, play.object: play.face})
            self._with_face[key] = board, read_board(board, self.known, file=self.scenario.file, zones=ZONES)
        board, reading = self._with_face[key]
        return build_play(board, reading, self.known, keyword_uses(), play, begun)

    def _entry(self, kind: str) -> Path:
        return data_folder("asp") / "entry" / f"{_PROGRAMS.get(kind, 'begin-play')}.lp"

    def _facts(self, problem: PlayProblem, taken: frozenset[str]) -> Facts:
        facts = problem.facts.copy()
        facts.add_rows("taken", 2, taken_among(problem, taken))
        return facts

    def _program(self, problem: PlayProblem, taken: frozenset[str]) -> str:
        facts = self._facts(problem, taken)
        program = specialise(self._entry(self.scenario.judge), facts.signatures)
        return f"{program.text}\n{facts.text(program.takes)}"

    def _judge(self, proposal: Proposal) -> PlayVerdict:
        found: dict[str, tuple[PlayVerdict, Problem]] = {}
        looked_at = self._looked_at[proposal.name] = []
        for looked in itertools.chain.from_iterable(map(self._looks, self._plays(proposal.raw))):
            verdict = self._verdict(looked)
            looked_at.append(looked)
            found.setdefault(verdict.verdict, (verdict, looked.problem.base))
            if verdict.verdict == "legal":
                break
        verdict, self.problems[proposal.name] = next(found[word] for word in ("legal", "undecided", "illegal") if word in found)
        return verdict

    def _settled(self, play: Play, taken: frozenset[str] | None = None) -> Iterator[tuple[Play, PlayProblem]]:
        """Yield the play, or it with each choice of what is left open of which ability is activated and which modes are chosen."""
        problem = self._problem(play, taken)
        if not problem.choices:
            yield play, problem
        for choice in problem.choices:
            yield from self._settled(replace(play, raw={**play.raw, **choice}), taken)

    def _looks(self, play: Play, taken: frozenset[str] | None = None) -> Iterator[Looked]:
        """Yield what there is to look at: see `_settled`, `_problem`."""
        for settled, problem in self._settled(play, taken):
            yield Looked(settled, problem, self._model(play.kind, problem))

    def _model(self, kind: str, problem: PlayProblem) -> Model | None:
        with suppress(NotEvaluatedError):
            return Model(self._entry(kind), problem.facts)
        return None

    def _judged(self, play: Play, taken: frozenset[str] | None = None, *, paid: bool = False) -> PlayVerdict:
        """Return the verdict on a play with one face; `taken` as for `_problem`, `paid` as for `_verdict`."""
        settled = list(self._looks(play, taken))
        verdicts = [self._verdict(looked, paid=paid and len(settled) == 1) for looked in settled]
        return next(found for word in ("legal", "undecided", "illegal") for found in verdicts if found.verdict == word)

    def with_nearest(self, proposal: Proposal, verdict: ProposalVerdict) -> ProposalVerdict:
        """Return the verdict with the legal play of the same object nearest to an illegal one, or with a sentence that none is legal.

        The verdict as it was for what is not illegal, and where the time for explanations does not suffice to tell.
        """
        if verdict.verdict != "illegal" or self._left_to_explain <= 0:
            return verdict
        start = time.perf_counter()
        cases = Cases(self._judge_where, lambda raw: any(self._judged(play).verdict == "legal" for play in self._plays(raw)))
        found = nearest_of(cases, list(self._starts(proposal)), seconds=self._left_to_explain)
        self._left_to_explain -= time.perf_counter() - start
        return replace(verdict, nearest=found.play, no_nearest=found.nothing)

    def _judge_where(self, taken: frozenset[str] | None) -> Judge:
        """Return whom to ask about plays; `taken` as for `_problem`."""
        return Judge(
            self.board,
            lambda play: self._problem(play, taken),
            looks=lambda play: self._looks(play, taken),
            verdict=lambda play: self._judged(play, taken),
            paid=lambda play: self._judged(play, taken, paid=True),
            verdict_so=self._verdict,
            paid_so=lambda looked: self._verdict(looked, paid=True),
            targets_in_doubt=lambda play: targets_in_doubt(self.board, self.reading, self.known, keyword_uses(), play),
        )

    def _starts(self, proposal: Proposal) -> Iterator[Start]:
        """Yield what was proposed, for each face that may be meant, and then the same of other faces."""
        plays = self._plays(proposal.raw)
        thing = self.board.objects[plays[0].object]
        named = _names_under_using(proposal.raw)
        dropped = [name for name in named if name not in _names_under_using(plays[0].raw)]
        for play in plays:
            yield Start(play, "".join(dropped[:1]), [one for one in self._looked_at[proposal.name] if one.play.face is play.face], True)
        if self._has_faces(thing):
            raw = {key: value for key, value in proposal.raw.items() if key != "using"}
            for face in thing.faces:
                if face.name and all(play.face is not face for play in plays):
                    other = replace(plays[0], raw=raw, face=face)
                    yield Start(other, face.name, list(self._looks(other)), False)

    def _verdict(self, looked: Looked, *, paid: bool = False) -> PlayVerdict:
        """Return the verdict on a play; where it is `paid`, the mana is known to suffice in a way in which nothing else is wrong."""
        start = time.perf_counter()
        problem = looked.problem
        open_texts = sorted(set(problem.base.conditions.values()))
        if len(open_texts) > _MOST_OPEN:
            return PlayVerdict("undecided", not_understood=tuple(open_texts), seconds=time.perf_counter() - start)
        answers = [
            self._answer(looked, frozenset(taken), paid=paid)
            for count in range(len(open_texts) + 1)
            for taken in itertools.combinations(open_texts, count)
        ]
        first = answers[0]
        unread = [*problem.unread, *dict.fromkeys(text for answer in answers for text in answer.not_understood)]
        if len({answer.verdict for answer in answers}) == 1:
            idle = problem.only_allowing if first.verdict == "legal" else problem.only_forbidding
            unread = [told for told in unread if told not in idle]
        else:
            unread += [f"whether: {text}" for text in open_texts]
        return PlayVerdict(
            verdict="undecided" if unread else first.verdict,
            violations=() if unread else first.violations,
            assumptions=(*problem.assumptions, *(f"it is not told what the total is: {told}" for told in problem.untold)),
            not_understood=tuple(unread),
            cites=cited_in(self.release, first.cites, self.known),
            seconds=time.perf_counter() - start,
            using=first.using,
            total=None if problem.untold else first.total,
            life=first.life,
            beside=first.beside,
            targets=tuple((aim.least, aim.most) for aim in problem.aims),
        )

    def _shown(self, looked: Looked, taken: frozenset[str]) -> Iterable[clingo.Symbol]:
        """Return what asp/ answers about a play where these conditions are taken to be fulfilled."""
        with suppress(NotEvaluatedError):
            if looked.model is not None:
                return list((looked.model.instead({("taken", 2): taken_among(looked.problem, taken)}) if taken else looked.model).shown())
        return shown_by(self._entry(looked.play.kind), self._facts(looked.problem, taken))

    def _answer(self, looked: Looked, taken: frozenset[str], *, paid: bool) -> PlayVerdict:
        play, problem = looked.play, looked.problem
        model = _Words(problem, play, self.known).model(self._shown(looked, taken))
        doubtful: tuple[str, ...] = ()
        changed, barred = lands_changed(self.board), barred_sources(self.board, play.player)
        sure = {mana: kinds for mana, kinds in model.sources.items() if not changed and mana.rpartition(" ")[0] not in barred}
        open_ways = [way for way in model.candidates if not model.wrong.get(way)]
        for way in () if paid and len(open_ways) == 1 and len(sure) == len(model.sources) else open_ways:
            violation = self._payment(model, way, play, helped=problem.helped)
            unread = unread_sources(self.board, play.player) if violation is not None else ()
            if unread and ("pay" not in play.raw or changed):
                doubtful = unread
            elif violation is not None and "with" not in play.raw and _takes_off(problem, model.components.get(way, set())):
                doubtful = (f"what is used to pay for {play.object} takes mana off the cost, and the file does not say what it is (with)",)
            elif violation is not None:
                model.wrong[way] = [violation]
            elif (
                len(sure) < len(model.sources) and self._payment(replace(model, sources=sure), way, play, helped=problem.helped) is not None
            ):
                doubtful = changed or tuple(dict.fromkeys(barred.values()))
        ranked = sorted(model.candidates, key=lambda way: (len(model.wrong.get(way, ())), way))
        way = ranked[0] if ranked else 0
        violations = (*model.always_wrong, *model.wrong.get(way, ()))
        cites = {play_rules()[play.kind].rule, *(violation.rule for violation in violations)}
        if way:
            cites.add(problem.ways[way - 1].rule)
            cites |= {problem.costs[cost - 1].rule for cost in model.components.get(way, ())}
        return PlayVerdict(
            "illegal" if violations else "legal",
            violations=tuple(dict.fromkeys(violations)),
            not_understood=doubtful,
            cites=tuple(cites),
            using=problem.ways[way - 1].told if way else "",
            total=in_symbols(model.totals.get(way, Counter())) if way and play.kind != "trigger" else None,
            life=model.life.get(way, 0),
            beside=tuple(sorted(model.beside.get(way, ()))),
        )

    def _payment(self, model: _Model, way: int, play: Play, *, helped: bool) -> Violation | None:
        """Return what is wrong with the mana that is paid, or is there to be paid, for `way`; None where it is right."""
        named = play.raw.get("pay")
        pool = self.board.players[play.player].mana
        if named is None and (pool is None or play.kind == "trigger"):
            return None
        price = read_cost(named) if named is not None else None
        if named is not None and price is None:
            raise InputError(f'"{named}" is not understood as a payment', file=self.scenario.file)
        payment = Payment(
            owed=dict(model.totals.get(way, {})),
            mana=dict(price.mana) if price is not None else dict(read_cost(pool or "").mana),  # type: ignore[union-attr]
            exact=price is not None,
            helpers=model.helpers if price is not None else model.helpers | model.sources,
            helped=helped,
            life=price.life if price is not None else None,
            life_owed=model.life.get(way, 0),
            life_left=self.board.players[play.player].life,
        )
        right = pays(payment)
        # 118.3 - where it is said what mana there is, what is named has to be there.
        there = price is None or pool is None or can_spend(price.mana, read_cost(pool).mana, model.sources)  # type: ignore[union-attr]
        if right and there:
            return None
        breach = self.known.breaches["not_enough_mana" if named is None or right else "wrong_payment"]
        value = named if named is not None and not right else pool or "{0}"
        told = breach.says.format(value=value, object=play.object, player=play.player)
        return Violation(
            breach.by, (play.object,), f"{told}: {_as_payment(in_symbols(model.totals.get(way, Counter())), model.life.get(way, 0))}"
        )


def _names_under_using(raw: Mapping[str, Any]) -> list[str]:
    using = raw.get("using", ())
    return [using] if isinstance(using, str) else list(using)


def _faces_meant(thing: Object, kind: str, raw: Mapping[str, Any]) -> tuple[Mapping[str, Any], Sequence[Object]]:
    """Return a proposal without the name of a face under `using`, and the faces that are meant.

    Those are the one that is named; else for a land that is played the faces that are lands, where there are any; else the first, but
    any where the card is cast as one of its halves.
    """
    asked = _names_under_using(raw)
    for face in thing.faces:
        names = {name.casefold() for name in (face.name, *face.also_called) if name}
        named = [word for word in asked if word.casefold() in names]
        if named:
            kept = [word for word in asked if word not in named]
            return {key: value for key, value in raw.items() if key != "using"} | ({"using": kept} if kept else {}), (face,)
    played = [face for face in thing.faces if any(one.played for one in types_among(face.types))]
    if kind == "special" and played:
        return raw, played
    return raw, thing.faces if thing.faces[0].name != thing.name else thing.faces[:1]


def _as_payment(mana: str, life: int) -> str:
    """Return mana and life as `pay` has them."""
    return f"{mana}, {life} life" if life and mana != "{0}" else f"{life} life" if life else mana


def _takes_off(problem: PlayProblem, costs: Collection[int]) -> bool:
    """Return whether what one of these costs is paid with takes mana off the total."""
    return any(row[0] in costs for row in problem.facts.rows("takes_off", 3))


class _Words:
    """From what asp/ derives to ways, totals and violations."""

    def __init__(self, problem: PlayProblem, play: Play, known: Knowledge) -> None:
        self.problem = problem
        self.play = play
        self.known = known
        self.players = {number: name for name, number in problem.base.players.items()}

    def model(self, atoms: Iterable[clingo.Symbol]) -> _Model:
        """Return what `atoms` say."""
        model = _Model()
        for atom in sorted(atoms):
            arguments = atom.arguments
            match atom.name:
                case "candidate":
                    model.candidates.append(arguments[0].number)
                case "barred":
                    self._wrong(model, arguments[0], self._barred(*arguments[1:]))
                case "unpaid":
                    self._wrong(model, arguments[0], self._unpaid(model, *arguments))
                case "mistargeted":
                    model.always_wrong.append(self._mistargeted(*arguments))
                case "unattachable":
                    about, target, rule, why = arguments
                    model.always_wrong.append(self._violation(rule.string, why, self._name(about), target=self._name(target)))
                case "component":
                    model.components.setdefault(arguments[0].number, set()).add(arguments[1].number)
                case "total":
                    model.totals.setdefault(arguments[0].number, Counter())[_symbol(arguments[1])] += arguments[2].number
                case "owes":
                    model.beside.setdefault(arguments[0].number, []).append((arguments[3].name, arguments[4].number))
                case "owes_life":
                    model.life[arguments[0].number] = arguments[1].number
                case "source":
                    mana = f"{self._name(arguments[0])} {arguments[1].number}"
                    model.sources.setdefault(mana, {"generic"}).add(arguments[2].name)
                case "pays_for":
                    model.helpers.setdefault(self._name(arguments[0]), set()).add(_symbol(arguments[1]))
        return model

    def _wrong(self, model: _Model, way: clingo.Symbol, violation: Violation) -> None:
        if way.type is clingo.SymbolType.Number:
            model.wrong.setdefault(way.number, []).append(violation)
        else:
            model.always_wrong.append(violation)

    def _name(self, symbol: clingo.Symbol) -> str:
        if symbol.type is clingo.SymbolType.Number:
            return self.problem.base.holders[symbol.number]
        return self.players[symbol.arguments[0].number] if symbol.name == "p" else ""

    def _barred(self, rule: clingo.Symbol, why: clingo.Symbol, about: clingo.Symbol, other: clingo.Symbol) -> Violation:
        value = self.problem.conditions.get(other.number, "") if other.type is clingo.SymbolType.Number else ""
        return self._violation(rule.string, why, self._name(about), value=value)

    def _unpaid(
        self, model: _Model, way: clingo.Symbol, rule: clingo.Symbol, why: clingo.Symbol, cost: clingo.Symbol, other: clingo.Symbol
    ) -> Violation:
        if cost.type is clingo.SymbolType.Number:
            told = self.problem.costs[cost.number - 1].told.rstrip(".")
        else:
            asked: Counter[str] = Counter()
            for verb, number in model.beside.get(way.number, ()):
                asked[verb] += number
            told = f"all that is asked for, {' and '.join(f'{verb} {number}' for verb, number in asked.items())}" if asked else "it"
        return self._violation(rule.string, why, self.play.object, value=told, target=self._name(other))

    def _mistargeted(self, rule: clingo.Symbol, why: clingo.Symbol, aim: clingo.Symbol, about: clingo.Symbol) -> Violation:
        del aim
        return self._violation(rule.string, why, self.play.object, target=self._name(about))

    def _violation(self, rule: str, why: clingo.Symbol, about: str, *, value: str = "", target: str = "") -> Violation:
        named = ", ".join(f"{verb} {' and '.join(names)}" for verb, names in self.play.raw.get("with", {}).items() if names)
        words: Mapping[str, str] = {
            "object": about or self.play.object,
            "player": self.play.player,
            "target": target,
            "value": value,
            "extra": ", ".join(map(str, self.play.raw.get("extra", ()))),
            "given": f"named is to {named}" if named else "nothing is named",
        }
        objects = tuple(dict.fromkeys(name for name in (about, target) if name))
        if why.name:
            return Violation(rule, objects, self.known.breaches[why.name].says.format_map(words))
        number, holder = why.arguments[0].number, why.arguments[1].number
        constraint = self.problem.base.constraints[number]
        assert constraint is not None
        keyword = self.problem.base.keyword_of.get(number)
        name = self.problem.base.holders[holder]
        because = f"{name} {keyword}" if keyword else f'{name} says "{constraint.source.rstrip(".")}"'
        said = self.known.kinds[constraint.kind].says.format_map(words)
        told = f"{said} ({because})"
        return Violation(self.problem.base.rules[number] if keyword else rule, objects, told, because=(number, holder))


def _symbol(symbol: clingo.Symbol) -> str:
    return symbol.string if symbol.type is clingo.SymbolType.String else symbol.name
