"""Is there a legal attack such that every legal block loses the game for the defending player in this combat?

For one attack `lawmage.play.lethal_blocks` answers. Which attack to ask about: where nothing on the board makes a smaller attack do what a
larger one does not, the attack of all creatures alone decides, if it is legal. Otherwise attacks and blocks take turns
(counterexample-guided): each block that survives rules out the attacks that it holds, until an attack is left that no block holds, or no
attack is left. On boards where one attack tells nothing about another (requirements to block, conditions that ask what attacks) every
legal attack is asked about, the largest first.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import clingo

from lawmage.board import Attack, Proposal, Scenario
from lawmage.errors import InputError, UnknownNameError, suggestion
from lawmage.play.attacks import Attacks
from lawmage.play.counting_form import Form
from lawmage.play.declarations import UndecidedError
from lawmage.play.lethal_blocks import BlockSearch, Clock, Found
from lawmage.play.lethal_combat import Harm
from lawmage.play.solver import facts_of
from lawmage.play.verdict import Declaration, declaration_as_json

__all__ = ["Defence", "LethalVerdict", "lethal"]

#: More legal attacks than this are not asked about one by one.
_MOST_ATTACKS = 4_096
#: What a defence answers: every legal attack, the attacks that it holds (what its blockers stop leaves too little), or this one alone.
Answers: TypeAlias = Literal["every attack", "attacks that it holds", "this attack"]


@dataclass(frozen=True, slots=True)
class Defence:
    """An attack, a block that survives it, and which attacks the block answers, each without those who block what does not attack.

    A block that answers several attacks also says what creatures do that have nothing to do against this one.
    """

    attack: Declaration
    block: Declaration
    answers: Answers

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"attack": declaration_as_json(self.attack), "block": declaration_as_json(self.block), "answers": self.answers}


@dataclass(frozen=True, slots=True)
class LethalVerdict:
    """The answer.

    Attributes:
        verdict: `yes`, `no` or `undecided`.
        player: the defending player.
        attack: the attack that wins, for `yes`.
        defences: for each attack that was tried and does not win, a block that survives it.
        reason: why it is undecided.
        bounds: where a question about one attack is undecided, the least and the most that it does against the block that is best against
            it: of `life`, `poison`, and combat damage by each commander.
        seconds: the time that it took.
    """

    verdict: Literal["yes", "no", "undecided"]
    player: str
    attack: Declaration | None = None
    defences: tuple[Defence, ...] = ()
    reason: str = ""
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "verdict": self.verdict,
            "player": self.player,
            "attack": None if self.attack is None else declaration_as_json(self.attack),
            "defences": [defence.as_json() for defence in self.defences],
            "not_understood": [self.reason] if self.reason else [],
            "bounds": {what: {"least": least, "most": most} for what, (least, most) in self.bounds.items()},
            "seconds": round(self.seconds, 6),
        }


def lethal(scenario: Scenario, *, player: str | None = None, seconds: float | None = 10.0) -> LethalVerdict:
    """Return whether the active player has an attack that wins whatever `player` blocks; that which is declared, if one is.

    Args:
        scenario: the board; what it proposes plays no part.
        player: the defending player, who has to be named where there are several opponents.
        seconds: the time allowed, None for as long as it takes.

    Raises:
        InputError, UnknownNameError: as `lawmage.play.judge`, for a board on which blocks have been declared, and for a wrong `player`.
    """
    start = time.monotonic()
    whom = _defender(scenario, player)
    board = scenario.board
    if board.blocks is not None or board.damage is not None:
        raise InputError("blocks have been declared already; ask for the outcome instead", file=scenario.file)
    search = _Search(scenario, whom, Clock(None if seconds is None else start + seconds))
    try:
        verdict = search.of_declared(board.attacks) if board.attacks is not None else search.of_any()
    except UndecidedError as error:
        verdict = LethalVerdict("undecided", whom, defences=tuple(search.defences), reason=str(error), bounds=search.bounds())
    return replace(verdict, seconds=time.monotonic() - start)


def _defender(scenario: Scenario, player: str | None) -> str:
    board = scenario.board
    opponents = [name for name in board.players if name != board.active]
    if player is None:
        if len(opponents) != 1:
            raise InputError(f"has {len(opponents)} opponents of {board.active}; say which one is meant (--player)", file=scenario.file)
        return opponents[0]
    if player not in opponents:
        message = f'"{player}" is no opponent of {board.active}, but {" or ".join(opponents)} could be meant'
        raise UnknownNameError(message + suggestion(player, opponents))
    return player


class _Attacks(Attacks):
    """The declare attackers step, with what the search for an attack asks of it."""

    entries = (*Attacks.entries[:3], "changing", *Attacks.entries[4:])

    def asks(self) -> set[str]:
        """Return what an attack could do that is not looked at: `band`."""
        return {atom.arguments[0].name for atom in facts_of(self._ground(3, self._facts(self.board.active, ())))}

    def search(self) -> clingo.Control:
        """Return a control whose models are the legal attacks."""
        self._refuse_unclear()
        return self._listing(self.board.active)

    def target(self, name: str) -> clingo.Symbol:
        """Return the term of a player."""
        return clingo.Function("p", [clingo.Number(self.problem.players[name])])

    def attack(self, atoms: Sequence[clingo.Symbol]) -> dict[str, str]:
        """Return what each creature attacks."""
        return {name: str(target) for name, target in self._declared(atoms).items()}


@dataclass(slots=True)
class _Search:
    """The search for an attack."""

    scenario: Scenario
    player: str
    clock: Clock
    defences: list[Defence] = field(default_factory=list)
    asked: BlockSearch | None = None

    def of_declared(self, attacks: Sequence[Attack]) -> LethalVerdict:
        """Answer for the attack that has been declared."""
        blocks = BlockSearch(self.scenario, attacks, self.player, self.clock)
        attack = {one.attacker: one.target for one in attacks}
        self.asked = blocks
        found = blocks.answer(blocks.attackers)
        return self._answered(attack, found, "every attack")

    def of_any(self) -> LethalVerdict:
        """Answer for every legal attack."""
        step = _Attacks(replace(self.scenario, judge="attack", proposals=(), expect=None), seconds=self.clock.left)
        verdict = self._of_any(step)
        if verdict.verdict == "no" and "band" in step.asks():
            raise UndecidedError("creatures could attack in bands, which is not looked at")
        return verdict

    def _of_any(self, step: _Attacks) -> LethalVerdict:
        if step.reading.triggered:
            raise UndecidedError(f"not followed: {'; '.join(f'{one.holder}: {one.sentence}' for one in step.reading.triggered)}")
        control = step.search()
        able = list(self._able(step, control))
        everything = [Attack(name, self.player) for name in able]
        blocks = BlockSearch(step.scenario, everything, self.player, self.clock)
        form = _form_that_tells(blocks)
        if form is None:
            return self._one_by_one(step, control)
        attack = dict.fromkeys(able, self.player)
        if step.judge([Proposal("attack", attacks=tuple(everything))])["attack"].verdict == "legal":
            self.asked = blocks
            found = blocks.answer(able)
            self.asked = None
            if found.lethal or not blocks.gains:
                # A block against all of them, without those who do not attack, is as legal and as good against fewer.
                return self._answered(attack, found, "every attack")
        return self._in_turns(step, control, blocks, form)

    def bounds(self) -> Mapping[str, tuple[int, int]]:
        """Return what is known of the one attack that is asked about, where it is one."""
        try:
            return {} if self.asked is None else self.asked.bounds()
        except UndecidedError:
            return {}

    def _able(self, step: _Attacks, control: clingo.Control) -> Iterator[str]:
        """Yield who can attack the player."""
        target = step.target(self.player)
        found = {atom.symbol.arguments[1].number for atom in _attacks(control) if atom.symbol.arguments[2] == target}
        yield from (name for name, number in step.problem.numbers.items() if number in found)

    def _answered(self, attack: Mapping[str, str], found: Found, answers: Answers) -> LethalVerdict:
        if found.lethal:
            return LethalVerdict("yes", self.player, dict(attack), tuple(self.defences))
        assert found.block is not None
        self.defences.append(Defence(dict(attack), found.block, answers))
        return LethalVerdict("no", self.player, defences=tuple(self.defences))

    # ------------------------------------------------------------ attacks and blocks in turns

    def _in_turns(self, step: _Attacks, control: clingo.Control, blocks: BlockSearch, form: Form) -> LethalVerdict:
        """Answer where a block tells about all attacks."""
        literals, idle = self._literals(step, control), _Idle.on(blocks, form)
        _rule_out(control, literals, blocks.harm, {})
        self.defences.append(Defence({}, {}, "attacks that it holds"))
        # Large attacks first: what holds them mostly holds their parts.
        solver = control.configuration.solver
        assert isinstance(solver, clingo.Configuration)
        solver.sign_def, solver.sign_fix = "pos", "yes"
        while (attack := self._next(step, control)) is not None:
            present = [name for name, target in attack.items() if target == self.player]
            found = blocks.answer(present)
            if found.lethal:
                return self._answered(attack, found, "this attack")
            assert found.block is not None
            block = idle.extended(found.block, present)
            self.defences.append(Defence(attack, block, "attacks that it holds"))
            _rule_out(control, literals, blocks.harm, block)
            with control.backend() as backend:
                # That block holds this attack, by numbers or by what following it has shown.
                backend.add_rule([], [literal if name in present else -literal for name, literal in literals.items()])
        return LethalVerdict("no", self.player, defences=tuple(self.defences))

    def _literals(self, step: _Attacks, control: clingo.Control) -> dict[str, int]:
        target = step.target(self.player)
        names = step.problem.holders
        found = (atom for atom in _attacks(control) if atom.symbol.arguments[2] == target)
        return {names[atom.symbol.arguments[1].number]: atom.literal for atom in found}

    def _next(self, step: _Attacks, control: clingo.Control) -> dict[str, str] | None:
        self.clock.check()
        with control.solve(yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(self.clock.left):
                handle.cancel()
                raise UndecidedError("the time limit was reached")
            model = handle.model()
            return None if model is None else step.attack(model.symbols(shown=True))

    # ------------------------------------------------------------ one attack after another

    def _one_by_one(self, step: _Attacks, control: clingo.Control) -> LethalVerdict:
        """Answer where attacks have to be asked about one by one."""
        attacks: list[dict[str, str]] = []
        configuration = control.configuration.solve
        assert isinstance(configuration, clingo.Configuration)
        configuration.models = _MOST_ATTACKS + 1
        with control.solve(yield_=True) as handle:
            for model in handle:
                self.clock.check()
                attacks.append(step.attack(model.symbols(shown=True)))
        unclear: UndecidedError | None = None
        for attack in sorted(attacks[:_MOST_ATTACKS], key=len, reverse=True):
            self.clock.check()
            try:
                blocks = BlockSearch(self.scenario, [Attack(*pair) for pair in attack.items()], self.player, self.clock)
                if "tapped" in blocks.asks:
                    raise UndecidedError("something on the board asks which creatures are tapped, as attackers are")
                found = blocks.answer(blocks.attackers)
            except UndecidedError as error:
                unclear = error
                continue
            verdict = self._answered(attack, found, "this attack")
            if verdict.verdict == "yes":
                return verdict
        if unclear is not None:
            raise unclear
        if len(attacks) > _MOST_ATTACKS:
            raise UndecidedError(f"there are more than {_MOST_ATTACKS:,} legal attacks, of which one tells nothing about another")
        return LethalVerdict("no", self.player, defences=tuple(self.defences))


def _attacks(control: clingo.Control) -> Iterator[clingo.SymbolicAtom]:
    yield from control.symbolic_atoms.by_signature("attack", 3)


def _form_that_tells(blocks: BlockSearch) -> Form | None:
    """Return what makes blocks legal, if one that is legal against all attackers is so against fewer, without those who do not attack."""
    if not blocks.in_numbers or blocks.asks & {"attack", "tapped"} or "requirement" in blocks.step.problem.groups:
        return None
    form = blocks.step.form(blocks.player)
    return None if form is None or any(form.only_with.values()) else form


@dataclass(frozen=True, slots=True)
class _Idle:
    """Lets creatures that have nothing to do block attackers that are not there, so that a block rules out more attacks."""

    blocks: BlockSearch
    able: Mapping[str, Sequence[str]]
    least: Mapping[str, int]
    most: int

    @classmethod
    def on(cls, blocks: BlockSearch, form: Form) -> _Idle:
        """Read which creatures can block which attackers; nobody where more has to be thought of."""
        names = blocks.step.problem.holders
        able: defaultdict[str, list[str]] = defaultdict(list)
        least: dict[str, int] = {}
        for actor, place in () if form.only_alone or form.priced else form.edges:
            attacker = names[place.number]
            least[attacker] = form.threshold.get(place, 1)
            if form.seats.get(place, least[attacker]) >= least[attacker]:
                able[attacker].append(names[actor.number])
        fighters = blocks.harm.fighters
        order = sorted(able, key=lambda name: (-sum(fighters[name].unblocked().values()), name))
        total = len(blocks.harm.fighters) if form.total is None else form.total
        return cls(blocks, {name: sorted(able[name]) for name in order}, least, total)

    def extended(self, block: Declaration, present: Collection[str]) -> Declaration:
        """Return `block` with idle creatures blocking what is not `present`, those first that do most."""
        extended = dict(block)
        for attacker, able in self.able.items():
            needed = self.least[attacker]
            if attacker not in present and len(extended) + needed <= self.most:
                free = [name for name in able if name not in extended]
                if len(free) >= needed:
                    extended |= dict.fromkeys(free[:needed], (attacker,))
        return extended


def _rule_out(control: clingo.Control, literals: Mapping[str, int], harm: Harm, block: Mapping[str, Any]) -> None:
    """Forbid the attacks that `block`, without those who do not attack, holds."""
    with control.backend() as backend:
        beaten = []
        for what, limit in harm.limits.items():
            weights = [(literal, harm.lets_through(name, block, what)) for name, literal in literals.items()]
            # Who does less than nothing (life is gained) does as much as nothing, and more where it stays at home.
            more = -sum(weight for _, weight in weights if weight < 0)
            atom = backend.add_atom()
            signed = [(literal if weight > 0 else -literal, abs(weight)) for literal, weight in weights if weight]
            backend.add_weight_rule([atom], limit + more, signed)
            beaten.append(-atom)
        backend.add_rule([], beaten)
