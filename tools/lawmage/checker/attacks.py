"""Declaring attackers, from 302.6, 506.2, 506.5, 508.1a-j, 508.5, 701.15b, 702.22c-d and 802: what a declaration disobeys and obeys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from lawmage.board import Board, Proposal
from lawmage.checker.declared import ActCost, Broken, Declared, Having, Obeyed, having, overdrawn, paid_twice, underpaid, undone
from lawmage.checker.table import Statement, Table
from lawmage.play.verdict import Declaration
from lawmage.text.forms import parse_keywords

__all__ = ["KINDS", "REQUIREMENTS", "RESTRICTIONS", "TARGETS", "Attacks"]


#: The costs in mana and life.
_MANA_COSTS = ("attack_cost", "attack_cost_for_counters", "attack_cost_for_hand", "attack_cost_for_land_types")


class Attacks:
    """The active player's view of the table."""

    judge = "attack"
    too_few = "508.1d"

    def __init__(self, table: Table, player: str) -> None:
        self.table = table
        self.player = player
        own = [(name, being) for name, being in table.beings.items() if being.thing.controller == player]
        self.creatures = {name for name, being in own if "creature" in being.types and "battle" not in being.types}
        # 506.2, 802.2, 310.9b: each opponent, their planeswalkers, the battles they protect; with the defending player of each (508.5).
        opponents = [name for name in table.board.players if name != player]
        self.targets = {name: name for name in opponents}
        for name, being in table.beings.items():
            defended_by = being.thing.protector if "battle" in being.types else being.thing.controller
            if being.types & {"planeswalker", "battle"} and defended_by in opponents:
                self.targets[name] = str(defended_by)

    @staticmethod
    def players(board: Board) -> tuple[str, ...]:
        """Return who declares: the active player."""
        return (board.active,)

    @staticmethod
    def only_defending(board: Board, player: str) -> str | None:
        """Return the defending player if there is only one (506.2)."""
        opponents = [name for name in board.players if name != player]
        return opponents[0] if len(opponents) == 1 else None

    @staticmethod
    def proposed(board: Board, player: str, proposal: Proposal) -> Declared:
        """Return what `proposal` declares."""
        del board, player
        paid = {attack.attacker: attack.pay for attack in proposal.attacks if attack.pay}
        acts = {attack.attacker: attack.acts for attack in proposal.attacks}
        return Declared({attack.attacker: (attack.target,) for attack in proposal.attacks}, paid, acts, proposal.bands)

    @staticmethod
    def named(board: Board, player: str, declaration: Declaration) -> Declared:
        """Return the declaration that a verdict names."""
        del board, player
        return Declared({name: (target,) if isinstance(target, str) else tuple(target) for name, target in declaration.items()})

    # ------------------------------------------------------------ what is disobeyed and obeyed

    def broken(self, declared: Declared) -> set[Broken]:
        """Return the rules and restrictions that `declared` disobeys."""
        found = {*self._against_the_rules(declared), *self._bands_against_the_rules(declared)}
        for kind, broken in RESTRICTIONS.items():
            for said in self.table.statements.get(kind, ()):
                found.update((said.rule, frozenset(objects)) for objects in broken(self, said, declared))
        return found

    def _against_the_rules(self, declared: Declared) -> Iterator[Broken]:
        for attacker, target in _pairs(declared):
            pair = frozenset({attacker, target})
            being = self.table.beings.get(attacker)
            if being is None or attacker not in self.creatures or being.thing.tapped:
                yield "508.1a", pair
            if being is not None and being.thing.sick and not self._may_attack_while_sick(attacker):
                yield "302.6", pair
            if target not in self.targets:
                yield "508.1b", pair
        if (declared.paid and overdrawn(self._having(declared), declared.paid.values())) or paid_twice(declared, self.table.beings):
            yield "118.3", frozenset()

    def _may_attack_while_sick(self, attacker: str) -> bool:
        """Tell whether it has, or may attack as though it had, a keyword that lets it (302.6, 609.4)."""
        uses = [
            use
            for said in self.table.about("attack_as_though_keyword", attacker)
            for use in parse_keywords(said.constraint.value or "", self.table.known.forms)
        ]
        imposed = (each.kind for use in uses for each in self.table.known.keywords[use.keyword].imposes)
        return bool(self.table.about("attack_while_sick", attacker)) or "attack_while_sick" in imposed

    def _having(self, declared: Declared) -> Having:
        """Return what there is to pay with once the attackers are tapped (508.1f), but for those that attacking does not tap (702.20b)."""
        tapped = {*self._tapped(declared), *declared.tapped}
        player = self.table.board.players[self.player]
        return having(
            player,
            self.table.beings,
            lambda name: bool(self.table.about("taps_while_sick", name)),
            tapped,
            [*declared.tapped, *declared.gone],
        )

    def _tapped(self, declared: Declared) -> set[str]:
        """Return the attackers that attacking taps (508.1f)."""
        return {name for name in declared.pairs if not self.table.about("attacks_untapped", name)}

    def _bands_against_the_rules(self, declared: Declared) -> Iterator[Broken]:
        often = Counter(name for band in declared.bands for name in set(band))
        for band in declared.bands:
            fine = self._may_band(band)
            divided = len({declared.pairs[name] for name in band if name in declared.pairs}) > 1
            for name in band:
                if not fine or often[name] > 1 or name not in declared.pairs:
                    yield "702.22c", frozenset({name})
                if divided:
                    yield "702.22d", frozenset({name})

    def _may_band(self, band: Sequence[str]) -> bool:
        """Tell whether one or more have banding and at most one has not, or all have the quality that one of them bands with."""
        said = {name: self.table.about("may_band", name) for name in band}
        without = [name for name in band if all(each.constraint.object is not None for each in said[name])]
        if len(without) <= 1 and len(without) < len(band):
            return True
        with_other = ((name, each) for name in band for each in said[name] if each.constraint.object is not None)
        return any(all(self.table.admits(each, name, other) for other in band) for name, each in with_other)

    def obeyed(self, declared: Declared) -> set[Obeyed]:
        """Return the requirements that `declared` obeys, each for each time that it is stated."""
        return {
            (said.number, objects)
            for kind, obeyed in REQUIREMENTS.items()
            for said in self.table.statements.get(kind, ())
            for objects in obeyed(self, said, declared)
        }

    def priced(self, declared: Declared) -> bool:
        """Tell whether something has to be paid for `declared`."""
        return any(self.prices(attacker, target) or self.asked(attacker, target, declared) for attacker, target in _pairs(declared))

    def asked(self, attacker: str, target: str, declared: Declared) -> list[ActCost]:
        """Return what has to be done with permanents for one attack (508.1h)."""
        costs = (said for said in self.table.about("attack_act", attacker) if self.speaks_of(said, attacker, target))
        return [self.table.asked(said, attacker, self.player, declared.pairs, self._tapped(declared)) for said in costs]

    def prices(self, attacker: str, target: str) -> list[str]:
        """Return what has to be paid for one attack (508.1h)."""
        stated = (said for kind in _MANA_COSTS for said in self.table.about(kind, attacker))
        costs = (said for said in stated if self.speaks_of(said, attacker, target))
        return [said.constraint.value or "" for said in costs for _ in range(self.table.times(said, attacker))]

    def speaks_of(self, said: Statement, attacker: str, target: str) -> bool:
        """Tell whether what is said about `attacker` speaks of its attacking `target`, and applies against whoever defends that (508.5)."""
        if not all(self.table.met(each, said.speaker, self.targets.get(target)) for each in said.later):
            return False
        aimed = said.constraint.target
        return aimed is None or (target in self.targets and TARGETS[aimed](self, said, attacker, target))

    def lifted(self, said: Statement, attacker: str) -> bool:
        """Tell whether `attacker` may attack as though it didn't have the keyword that says this (609.4)."""
        lifting = self.table.about("attack_as_though_without", attacker)
        return said.keyword is not None and any(self.table.words.means(each.constraint.value or "", said.keyword) for each in lifting)

    def controls(self, player: str, target: str, type_: str = "") -> bool:
        """Tell whether `target` is a permanent, of a type, that `player` controls."""
        being = self.table.beings.get(target)
        return being is not None and being.thing.controller == player and (not type_ or type_ in being.types)

    def controller(self, name: str | None) -> str | None:
        """Return who controls a permanent; None where it is not there."""
        being = self.table.beings.get(name or "")
        return None if being is None else being.thing.controller

    def owner(self, attacker: str) -> str:
        """Return who owns a creature."""
        return self.table.beings[attacker].thing.owner


def _pairs(declared: Declared) -> Iterator[tuple[str, str]]:
    return ((attacker, target) for attacker, targets in declared.pairs.items() for target in targets)


#: What a constraint speaks of attacking. A player is the player alone: 508.1b tells players from their planeswalkers.
TARGETS: Mapping[str, Callable[[Attacks, Statement, str, str], bool]] = {
    "you": lambda _, said, __, target: target == said.speaker.you,
    "this": lambda _, said, __, target: target == said.speaker.source,
    "named": lambda _, said, __, target: target in said.speaker.affects,
    "another player": lambda attacks, said, _, target: target in attacks.table.board.players and target != said.speaker.you,
    "controller of attached": lambda attacks, said, _, target: target == attacks.controller(said.speaker.attached),
    "its owner": lambda attacks, _, attacker, target: target == attacks.owner(attacker),
    "planeswalker you control": lambda attacks, said, _, target: attacks.controls(said.speaker.you, target, "planeswalker"),
    "permanent you control": lambda attacks, said, _, target: attacks.controls(said.speaker.you, target),
    "planeswalker its owner controls": lambda attacks, _, attacker, target: attacks.controls(
        attacks.owner(attacker), target, "planeswalker"
    ),
}

# ---------------------------------------------------------------- restrictions (508.1c) and costs (508.1h): the objects of each breach

_Objects: TypeAlias = Iterator[tuple[str, ...]]
_Meaning: TypeAlias = Callable[[Attacks, Statement, Declared], _Objects]


def _concerned(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    """Yield each attack of which something is said."""
    for attacker in said.subjects & declared.pairs.keys():
        yield from ((attacker, target) for target in declared.pairs[attacker] if attacks.speaks_of(said, attacker, target))


def _cannot_attack(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    return ((a, x) for a, x in _concerned(attacks, said, declared) if not attacks.lifted(said, a))


def _attack_only_with(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    for attacker, _ in _concerned(attacks, said, declared):
        others = (other for other in declared.pairs if other != attacker and attacks.table.admits(said, attacker, other))
        if sum(1 for _ in others) < (said.constraint.number or 0):
            yield (attacker,)


def _attack_only_alone(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    return ((attacker,) for attacker, _ in _concerned(attacks, said, declared) if len(declared.pairs) > 1)


def _at_most_attackers(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    attacked = Counter(target if said.constraint.target else "" for _, target in _concerned(attacks, said, declared))
    return ((target,) if target else () for target, number in attacked.items() if number > (said.constraint.number or 0))


def _attack_cost(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    if "cost" in attacks.table.unknown:
        return
    for attacker, target in _concerned(attacks, said, declared):
        if attacks.table.times(said, attacker) and underpaid(attacks.prices(attacker, target), declared.paid.get(attacker, "")):
            yield attacker, target


def _attack_act(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    for attacker, target in _concerned(attacks, said, declared):
        if undone(attacks.asked(attacker, target, declared), declared.acts.get(attacker, ())):
            yield attacker, target


RESTRICTIONS: Mapping[str, _Meaning] = {
    "cannot_attack": _cannot_attack,
    "attack_only_with": _attack_only_with,
    "attack_only_alone": _attack_only_alone,
    "at_most_attackers": _at_most_attackers,
    **dict.fromkeys(_MANA_COSTS, _attack_cost),
    "attack_act": _attack_act,
}

# ---------------------------------------------------------------- requirements (508.1d): the objects of each that is obeyed


def _attacks_if_able(attacks: Attacks, said: Statement, declared: Declared) -> _Objects:
    return ((attacker,) for attacker, _ in _concerned(attacks, said, declared))


REQUIREMENTS: Mapping[str, _Meaning] = {"attacks_if_able": _attacks_if_able}

#: The permissions, whose meanings are methods of `Attacks`.
PERMISSIONS = (
    "attack_while_sick",
    "attack_as_though_without",
    "attack_as_though_keyword",
    "attacks_untapped",
    "taps_while_sick",
    "may_band",
)
#: Every kind of constraint on attacks that the checker knows.
KINDS = frozenset({*RESTRICTIONS, *REQUIREMENTS, *PERMISSIONS, "is_designated"})
