"""Declaring blockers, from 506.5, 508.5, 509.1a-f, 609.4 and 802.4a-b: what one defending player's declaration disobeys and obeys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from lawmage.board import Board, Proposal, defending_player, defending_players
from lawmage.checker.declared import ActCost, Broken, Declared, Having, Obeyed, having, overdrawn, paid_twice, underpaid, undone
from lawmage.checker.table import Statement, Table
from lawmage.play.verdict import Declaration

__all__ = ["KINDS", "REQUIREMENTS", "RESTRICTIONS", "Blocks"]


#: The costs in mana and life that do not depend on what is blocked.
_FLAT_COSTS = ("block_cost", "block_cost_for_counters", "block_cost_for_hand")


class Blocks:
    """One defending player's view of the table."""

    judge = "block"
    too_few = "509.1c"

    def __init__(self, table: Table, player: str) -> None:
        self.table = table
        self.player = player
        board = table.board
        creatures = {name: being for name, being in table.beings.items() if "creature" in being.types}
        self.own = {name for name, being in creatures.items() if being.thing.controller == player}
        self.blockers = {name for name in self.own if "battle" not in creatures[name].types}
        attacks = [attack for attack in board.attacks or () if attack.attacker in creatures]
        self.attacking = {attack.attacker for attack in attacks}
        # 508.5, 506.4c: also those whose planeswalker or battle is gone.
        self.attackers = {attack.attacker for attack in attacks if defending_player(board, attack.target) == player}

    @staticmethod
    def players(board: Board) -> tuple[str, ...]:
        """Return who declares: the defending players, or the next player where nobody is attacked."""
        return defending_players(board) or tuple(name for name in board.players if name != board.active)[:1]

    @staticmethod
    def only_defending(board: Board, player: str) -> str | None:
        """Return the defending player of this declaration (802.4b)."""
        del board
        return player

    @classmethod
    def proposed(cls, board: Board, player: str, proposal: Proposal) -> Declared:
        """Return what `player` declares; a creature that nobody could declare is taken to be the first player's."""
        declares = cls._declaring(board)
        own = [choice for choice in proposal.blocks if declares(choice.blocker) == player]
        pairs = {choice.blocker: choice.attackers for choice in own if choice.attackers}
        paid = {choice.blocker: choice.pay for choice in own if choice.pay}
        return Declared(pairs, paid, {choice.blocker: choice.acts for choice in own})

    @classmethod
    def named(cls, board: Board, player: str, declaration: Declaration) -> Declared:
        """Return `player`'s part of a declaration that a verdict names."""
        declares = cls._declaring(board)
        own = {name: others for name, others in declaration.items() if declares(name) == player}
        return Declared({name: (others,) if isinstance(others, str) else tuple(others) for name, others in own.items()})

    @classmethod
    def _declaring(cls, board: Board) -> Callable[[str], str]:
        """Return a function from a creature to the player who declares its blocks."""
        players = cls.players(board)

        def declares(blocker: str) -> str:
            controller = board.objects[blocker].controller if blocker in board.objects else ""
            return controller if controller in players else players[0]

        return declares

    # ------------------------------------------------------------ what is disobeyed and obeyed

    def broken(self, declared: Declared) -> set[Broken]:
        """Return the rules and restrictions that `declared` disobeys."""
        found = set(self._against_the_rules(declared))
        for kind, broken in RESTRICTIONS.items():
            for said in self.table.statements.get(kind, ()):
                found.update((said.rule, frozenset(objects)) for objects in broken(self, said, declared))
        return found

    def _against_the_rules(self, declared: Declared) -> Iterator[Broken]:
        for blocker, attackers in declared.pairs.items():
            for attacker in attackers:
                pair = frozenset({blocker, attacker})
                if blocker not in self.blockers or not self._untapped(blocker) or attacker not in self.attacking:
                    yield "509.1a", pair
                if attacker in self.attacking and attacker not in self.attackers:
                    yield "802.4a", pair
            # 509.1a: each can block one.
            capacity = self._capacity(blocker) if len(attackers) > 1 else None
            if capacity is not None and len(set(attackers)) > capacity:
                yield "509.1a", frozenset({blocker})
        if (declared.paid and overdrawn(self._having(declared), declared.paid.values())) or paid_twice(declared, self.table.beings):
            yield "118.3", frozenset()

    def _having(self, declared: Declared) -> Having:
        """Return what there is to pay with."""
        player, hasty = self.table.board.players[self.player], lambda name: bool(self.table.about("taps_while_sick", name))
        return having(player, self.table.beings, hasty, declared.tapped, [*declared.tapped, *declared.gone])

    def _untapped(self, blocker: str) -> bool:
        return not self.table.beings[blocker].thing.tapped or bool(self.table.about("block_while_tapped", blocker))

    def _capacity(self, blocker: str) -> int | None:
        """Return how many attackers a creature can block, None for any number."""
        if self.table.about("any_blocks", blocker):
            return None
        return 1 + sum(said.constraint.number or 0 for said in self.table.about("extra_blocks", blocker))

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
        return any(self.prices(blocker, attackers) or self.asked(blocker, declared) for blocker, attackers in declared.pairs.items())

    def prices(self, blocker: str, attackers: Sequence[str]) -> list[str]:
        """Return what has to be paid for one creature to block these (509.1d)."""
        flat = (said for kind in _FLAT_COSTS for said in self.table.about(kind, blocker))
        costs = [said for said in flat for _ in range(self.table.times(said, blocker))]
        against = self.table.about("block_cost_against", blocker)
        costs += [said for said in against if any(self.table.admits(said, blocker, attacker) for attacker in attackers)]
        costs += [said for attacker in attackers for said in self.table.about("blocked_cost", attacker)]
        return [said.constraint.value or "" for said in costs]

    def underpaid(self, blocker: str, declared: Declared) -> bool:
        """Tell whether what is paid for a blocker is not what has to be; where a kind of cost is not known, that cannot be said."""
        return "cost" not in self.table.unknown and underpaid(self.prices(blocker, declared.pairs[blocker]), declared.paid.get(blocker, ""))

    def asked(self, blocker: str, declared: Declared) -> list[ActCost]:
        """Return what has to be done with permanents for one creature to block (509.1d)."""
        return [self.table.asked(said, blocker, self.player, declared.pairs, ()) for said in self.table.about("block_act", blocker)]

    # ------------------------------------------------------------ as though (609.4)

    def lifted(self, said: Statement, blocker: str, attacker: str) -> bool:
        """Tell whether `blocker` may treat `attacker` as not having the keyword that says this."""
        if said.keyword is None:
            return False
        lifting = [*self.table.about("block_as_though_without", blocker), *self.table.about("blocked_as_though_without", attacker)]
        return any(self.table.words.means(each.constraint.value or "", said.keyword) for each in lifting)

    def pretended(self, blocker: str, attacker: str) -> set[str]:
        """Return the keywords that `blocker` may be treated as having when it blocks `attacker`."""
        return {
            (said.constraint.value or "").casefold()
            for said in self.table.about("block_as_though_keyword", blocker)
            if self.table.admits(said, blocker, attacker)
        }


# ---------------------------------------------------------------- restrictions (509.1b) and costs (509.1d): the objects of each breach

_Objects: TypeAlias = Iterator[tuple[str, ...]]
_Meaning: TypeAlias = Callable[[Blocks, Statement, Declared], _Objects]


def _pairs_of_blockers(said: Statement, declared: Declared) -> _Objects:
    return ((blocker, attacker) for blocker in said.subjects for attacker in declared.pairs.get(blocker, ()))


def _pairs_of_attackers(said: Statement, declared: Declared) -> _Objects:
    return ((blocker, attacker) for attacker in said.subjects for blocker in declared.by.get(attacker, ()))


def _cannot_block(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    return ((b, a) for b, a in _pairs_of_blockers(said, declared) if blocks.table.admits(said, b, a))


def _can_block_only(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    return ((b, a) for b, a in _pairs_of_blockers(said, declared) if not blocks.table.admits(said, b, a))


def _cannot_be_blocked(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for blocker, attacker in _pairs_of_attackers(said, declared):
        barred = all(blocks.table.admits(said, attacker, blocker, words) for words in ((), blocks.pretended(blocker, attacker)))
        if barred and not blocks.lifted(said, blocker, attacker):
            yield blocker, attacker


def _blocked_only_by(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for blocker, attacker in _pairs_of_attackers(said, declared):
        admitted = any(blocks.table.admits(said, attacker, blocker, words) for words in ((), blocks.pretended(blocker, attacker)))
        if not admitted and not blocks.lifted(said, blocker, attacker):
            yield blocker, attacker


def _min_blockers(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for attacker in said.subjects & declared.by.keys():
        blocking = declared.by[attacker]
        if len(blocking) < (said.constraint.number or 0) and not all(blocks.lifted(said, blocker, attacker) for blocker in blocking):
            yield (attacker,)


def _max_blockers(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    del blocks
    return ((a,) for a in said.subjects & declared.by.keys() if len(declared.by[a]) > (said.constraint.number or 0))


def _all_or_none(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    return ((b, a) for a in said.subjects & declared.by.keys() for b in blocks.own - declared.by[a])


def _block_only_with(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for blocker in said.subjects & declared.pairs.keys():
        others = (other for other in declared.pairs if other != blocker and blocks.table.admits(said, blocker, other))
        if sum(1 for _ in others) < (said.constraint.number or 0):
            yield (blocker,)


def _block_only_alone(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    del blocks
    return ((blocker,) for blocker in said.subjects & declared.pairs.keys() if len(declared.pairs) > 1)


def _at_most_blockers(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    del blocks
    if len(said.subjects & declared.pairs.keys()) > (said.constraint.number or 0):
        yield ()


def _block_cost(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for blocker in said.subjects & declared.pairs.keys():
        if blocks.table.times(said, blocker) and blocks.underpaid(blocker, declared):
            yield (blocker,)


def _block_cost_against(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    admitted = ((b, a) for b, a in _pairs_of_blockers(said, declared) if blocks.table.admits(said, b, a))
    return ((b, a) for b, a in admitted if blocks.underpaid(b, declared))


def _blocked_cost(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    return ((b, a) for b, a in _pairs_of_attackers(said, declared) if blocks.underpaid(b, declared))


def _block_act(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for blocker in said.subjects & declared.pairs.keys():
        if undone(blocks.asked(blocker, declared), declared.acts.get(blocker, ())):
            yield (blocker,)


RESTRICTIONS: Mapping[str, _Meaning] = {
    "cannot_block": _cannot_block,
    "can_block_only": _can_block_only,
    "cannot_be_blocked": _cannot_be_blocked,
    "blocked_only_by": _blocked_only_by,
    "min_blockers": _min_blockers,
    "max_blockers": _max_blockers,
    "all_or_none": _all_or_none,
    "block_only_with": _block_only_with,
    "block_only_alone": _block_only_alone,
    "at_most_blockers": _at_most_blockers,
    **dict.fromkeys(_FLAT_COSTS, _block_cost),
    "block_cost_against": _block_cost_against,
    "blocked_cost": _blocked_cost,
    "block_act": _block_act,
}

# ---------------------------------------------------------------- requirements (509.1c): the objects of each that is obeyed


def _blocks_if_able(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for blocker in said.subjects & declared.pairs.keys():
        if any(blocks.table.admits(said, blocker, attacker) for attacker in declared.pairs[blocker]):
            yield (blocker,)


def _must_be_blocked(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    for attacker in said.subjects & declared.by.keys():
        blocking = sum(blocks.table.admits(said, attacker, blocker) for blocker in declared.by[attacker])
        if blocking >= (said.constraint.number or 1):
            yield (attacker,)


def _must_be_blocked_exactly(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    del blocks
    return ((a,) for a in said.subjects & declared.by.keys() if len(declared.by[a]) == said.constraint.number)


def _all_block(blocks: Blocks, said: Statement, declared: Declared) -> _Objects:
    return ((a, b) for b, a in _pairs_of_attackers(said, declared) if blocks.table.admits(said, a, b))


REQUIREMENTS: Mapping[str, _Meaning] = {
    "blocks_if_able": _blocks_if_able,
    "must_be_blocked": _must_be_blocked,
    "must_be_blocked_exactly": _must_be_blocked_exactly,
    "all_block": _all_block,
}

#: The permissions, whose meanings are methods of `Blocks`.
PERMISSIONS = (
    "extra_blocks",
    "any_blocks",
    "block_while_tapped",
    "block_as_though_keyword",
    "block_as_though_without",
    "blocked_as_though_without",
    "taps_while_sick",
)
#: Every kind of constraint on blocks that the checker knows.
KINDS = frozenset({*RESTRICTIONS, *REQUIREMENTS, *PERMISSIONS})
