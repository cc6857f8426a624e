"""Why an attack is lethal or a block survives it, how much damage is certain, what a best block does: trees of steps.

Nothing is argued anew here. That declarations are legal is explained as `lawmage check` does it, and what combat does under a block as
`lawmage outcome` does, with damage divided as is worst for the defending player. What a search has proved is said in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawmage.board import Attack, BlockChoice, Proposal, Scenario
from lawmage.play.best_block import BestBlock, damage_of, score_of
from lawmage.play.declaration_words import declaration_in_words
from lawmage.play.declarations import UndecidedError
from lawmage.play.explain import Step
from lawmage.play.judging import judge_and_explain
from lawmage.play.lethal import Defence, LethalVerdict
from lawmage.play.lethal_blocks import BlockSearch, Clock, after_attacks
from lawmage.play.lethal_combat import What
from lawmage.play.lethal_damage import DamageVerdict
from lawmage.play.verdict import Declaration

__all__ = ["explain_best_block", "explain_damage", "explain_lethal"]

#: More defences than this are not explained one by one; the rest are said to be there.
_MOST_DEFENCES = 4
#: A search that only serves the explanation may take so long, in seconds.
_SECONDS = 2.0
#: More life than combat takes.
_ENOUGH = 10_000_000


def explain_lethal(scenario: Scenario, verdict: LethalVerdict) -> Step:
    """Return why the attack wins, or how each attack is survived.

    Args:
        scenario: the board that was asked about.
        verdict: the answer.

    Raises:
        InputError, DataError: as `lawmage.play.judge_and_explain`.
    """
    player, declared = verdict.player, _declared_attack(scenario)
    attack = verdict.attack if declared is None else declared
    if verdict.verdict == "yes" and attack is not None:
        legal = [_attack(scenario, attack)] if declared is None else []
        said = f"{declaration_in_words(attack, 'attack')}: {player} loses the game whatever blocks are declared."
        return _told_once(Step(None, said, None, (*legal, *_why_every_block_loses(_attacked(scenario, attack), player))))
    if verdict.verdict == "undecided":
        bounds = [
            Step(None, f"Against the best block the attack takes {'' if least == most else f'between {least:,} and '}{most:,} of {what}.")
            for what, (least, most) in verdict.bounds.items()
            if most
        ]
        return Step(None, f"Whether an attack wins was not decided: {verdict.reason}.", None, tuple(bounds))
    said = f"{player} survives this attack." if declared is not None else f"No attack wins: {player} has a block that survives each."
    return _told_once(Step(None, said, None, tuple(_why_blocks_survive(scenario, verdict))))


def explain_damage(scenario: Scenario, verdict: DamageVerdict) -> Step:
    """Return why so much damage is certain, and why no more. Arguments and errors are those of `explain_lethal`."""
    if verdict.verdict == "undecided" or verdict.attack is None or verdict.block is None:
        most = "" if verdict.at_most is None else f" and at most {verdict.at_most:,}"
        return Step(None, f"The greatest damage was not found ({verdict.reason}): it is at least {verdict.at_least:,}{most}.")
    declared = _declared_attack(scenario)
    attacked = _attacked(scenario, verdict.attack)
    whose = "this attack" if declared is not None else f"the attack {declaration_in_words(verdict.attack, 'attack')}"
    children = [_attack(scenario, verdict.attack)] if declared is None else []
    least = f"No legal block leaves less than {verdict.at_least:,} damage, and this one leaves no more"
    children += _block(attacked, verdict.block, least, by_damage=True, player=verdict.player)
    if declared is None:
        children.append(Step(None, f"No other legal attack does more than {verdict.at_least:,} for certain."))
    return _told_once(Step(None, f"{verdict.at_least:,} damage to {verdict.player} is certain with {whose}.", None, tuple(children)))


def explain_best_block(scenario: Scenario, best: BestBlock) -> Step:
    """Return what a best block does. Arguments and errors are those of `explain_lethal`."""
    score = best.score
    left = "the game is lost" if score.loses else f"{score.life:,} life is left"
    said = f"{declaration_in_words(best.block)}: {left}, and the value kept is {score.value:,}; no block is better."
    return _told_once(Step(None, said, None, tuple(_block(scenario, best.block, "A best block"))))


# ---------------------------------------------------------------- attacks that win


def _why_every_block_loses(scenario: Scenario, player: str) -> Iterator[Step]:
    """Yield for each way to lose the game what blocks can do against it."""
    search = BlockSearch(scenario, scenario.board.attacks or (), player, Clock.after(_SECONDS))
    try:
        reached = _reached(search) if search.in_numbers else {}
        for what, (done, limit) in reached.items():
            search.aim(limit, what)
            block = search.answer(search.attackers).block
            enough = f"Where nothing blocks, {done:,} is done towards {what}, and {limit:,} is enough"
            if block is None:
                yield Step(None, f"{enough}: no legal block brings it below that.")
                break
            yield from _block(
                scenario, block, f"{enough}; a block that brings it below that, with which {player} loses all the same", player=player
            )
        else:
            if reached:
                yield Step(None, "No legal block brings all of these below what is enough.")
                return
        damage, block = search.least(search.attackers)
    except UndecidedError as error:
        yield Step(None, f"What blocks leave at least was not looked at further: {error}.")
        return
    yield from _block(
        scenario, block, f"No legal block leaves less than {damage:,} damage to {player}; this one leaves that", player=player
    )


def _reached(search: BlockSearch) -> dict[What, tuple[int, int]]:
    """Return the ways to lose that the attack could reach: how much it does where nothing blocks, and how much is enough."""
    done = {what: sum(search.harm.fighters[name].unblocked()[what] for name in search.attackers) for what in search.harm.limits}
    return {what: (done[what], limit) for what, limit in search.harm.limits.items() if done[what] >= limit}


# ---------------------------------------------------------------- blocks that survive


def _why_blocks_survive(scenario: Scenario, verdict: LethalVerdict) -> Iterator[Step]:
    # What begins a search, that nobody attacks, is no attack to explain.
    tried = [one for one in verdict.defences if one.attack or len(verdict.defences) == 1]
    shown = sorted(tried, key=lambda one: len(one.attack), reverse=True)[:_MOST_DEFENCES]
    for one in shown:
        yield from _block(
            _attacked(scenario, one.attack), _against(one), f"Against {_named(one)}, answering {one.answers}", player=verdict.player
        )
    if len(tried) > len(shown):
        yield Step(None, f"{len(tried) - len(shown):,} more blocks answer the attacks that these leave.")
    for worse, better in verdict.yields[:_MOST_DEFENCES]:
        yield Step(None, f"An attack with {worse} and without {better} is no better than one with {better} in the place of {worse}.")
    if len(verdict.yields) > _MOST_DEFENCES:
        yield Step(None, f"The same holds of {len(verdict.yields) - _MOST_DEFENCES:,} more pairs of attackers.")


def _named(defence: Defence) -> str:
    return declaration_in_words(defence.attack, "attack") if defence.attack else "no attack"


def _against(defence: Defence) -> Declaration:
    """Return the block as it is against its attack: without those who block what does not attack."""
    left = {name: tuple(one for one in those if one in defence.attack) for name, those in defence.block.items()}
    return {name: those for name, those in left.items() if those}


# ---------------------------------------------------------------- declarations


def _declared_attack(scenario: Scenario) -> Declaration | None:
    attacks = scenario.board.attacks
    return None if attacks is None else {one.attacker: one.target for one in attacks}


def _attacked(scenario: Scenario, attack: Declaration) -> Scenario:
    """Return the scenario with `attack` declared."""
    if scenario.board.attacks is not None:
        return scenario
    attacks = tuple(Attack(name, str(target)) for name, target in attack.items())
    return after_attacks(scenario, attacks)


def _attack(scenario: Scenario, attack: Declaration) -> Step:
    """Return why an attack is legal."""
    attacks = tuple(Attack(name, str(target)) for name, target in attack.items())
    return _explained(replace(scenario, judge="attack", proposals=(Proposal("the attack", attacks=attacks),), expect=None))


def _block(scenario: Scenario, block: Declaration, why: str, *, by_damage: bool = False, player: str | None = None) -> Iterator[Step]:
    """Yield a step on a block that says `why` it is looked at: why it is legal, and what combat does."""
    choices = tuple(BlockChoice(name, tuple(those)) for name, those in block.items())
    legal = _explained(replace(scenario, judge="block", proposals=(Proposal("the block", blocks=choices),), expect=None))
    yield Step(
        None, f"{why}: {declaration_in_words(block)}.", None, (legal, *_outcome(scenario, choices, block, player, by_damage=by_damage))
    )


def _outcome(
    scenario: Scenario, choices: tuple[BlockChoice, ...], block: Declaration, player: str | None, *, by_damage: bool
) -> Iterator[Step]:
    if not scenario.board.attacks:
        return
    if by_damage:
        # Damage is counted as though nobody lost the game by it.
        players = {name: replace(player, life=_ENOUGH, extra={}) for name, player in scenario.board.players.items()}
        scenario = replace(scenario, board=replace(scenario.board, players=players))
    try:
        deadline = Clock.after(_SECONDS).deadline
        score = (damage_of if by_damage else score_of)(scenario, block, deadline, player)
    except UndecidedError as error:
        yield Step(None, f"What combat does then is known in numbers only: {error}.")
        return
    steps = tuple(step for step in score.steps if step["assign"])
    proposals = (Proposal("the worst division of damage", raw=steps),) if steps else ()
    yield _explained(replace(scenario, board=replace(scenario.board, blocks=choices), judge="outcome", proposals=proposals, expect=None))


def _explained(scenario: Scenario) -> Step:
    return next(iter(judge_and_explain(scenario)[1].values()))


def _told_once(step: Step, told: set[tuple[str, str]] | None = None) -> Step:
    """Return the tree without the rules under which nothing else stands and which it has told before."""
    before = set() if told is None else told
    children = []
    for child in step.children:
        kept = _told_once(child, before)
        if kept.rule is not None:
            if not kept.children and (kept.rule, kept.sentence) in before:
                continue
            before.add((kept.rule, kept.sentence))
        children.append(kept)
    return step._replace(children=tuple(children))
