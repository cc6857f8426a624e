"""The tools that judge boards: check, enumerate, outcome, lethal."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from lawmage.mcp.answering import Context, Result, asker_of, result
from lawmage.mcp.asking import one_file, source
from lawmage.mcp.shortening import shortened
from lawmage.mcp.words import comparison_lines, lethal_lines, outcome_lines, told, verdict_lines
from lawmage.play.together_words import gathered

__all__ = ["MOST", "check", "enumerate_declarations", "lethal", "outcome"]

#: How much of an answer is shown, by the keys of CONTRACT.md.
MOST = {
    **{"proposals": 20, "compared": 20, "violations": 20, "cites": 60, "met": 20, "clash": 20, "not_understood": 20, "assumptions": 20},
    **{"damage": 60, "objects": 60, "triggers": 40, "differences": 40, "defences": 10, "yields": 20, "children": 12},
}
#: Of violations, so many are shown of all proposals together, but some of each.
_MOST_VIOLATIONS, _LEAST_VIOLATIONS = 60, 3
_MOST_LISTED = 200
_MORE = "ask about fewer proposals or a smaller board"
#: Among it the texts of rules in explanations, which the tool rule shows.
_LEFT_OUT = frozenset({"lawmage", "file", "seconds", "quote"})

ScenarioText = Annotated[
    str | dict[str, Any],
    Field(description="The board and what is proposed on it: a scenario in YAML or JSON, as described for the tool check."),
]
Release = Annotated[str | None, Field(description="The date of a release of the rules, such as 2026-08-07; by default the newest known.")]
Explain = Annotated[bool, Field(description="Also give the argument, step by step.")]


async def check(
    ctx: Context,
    scenario: ScenarioText,
    release: Release = None,
    explain: Explain = False,
    compare: Annotated[
        list[str] | None,
        Field(description="Two releases: tell how the verdicts differ between them, and which change of the rules makes it."),
    ] = None,
) -> Result:
    """Judge whether proposed attacks, blocks, divisions of combat damage, casts or activations are legal, with the rules that decide.

    Every reason is given, and for an illegal declaration the nearest legal one. `undecided` means that something that could change the
    verdict isn't understood or took too long: never report it as legal or illegal.

    A scenario is YAML or JSON: the board, what has been declared, and named proposals for the next step. For example blocks:

        battlefield:
          ogre: {controller: A, pt: 4/3, keywords: [menace], text: "This creature must be blocked if able."}
          bear: {controller: D, card: Grizzly Bears}
          elf: {controller: D, pt: 1/1}
        attack: {ogre: D}
        propose: {nobody: {}, one: {bear: ogre}, both: {bear: ogre, elf: ogre}}

    A (active) and D are the players, with 20 life, unless `players: {A: {life: 20}, D: {life: 7}}` says otherwise. An object has
    `controller` and either `card` (a card's name) or `pt`, `types` (default creature), `subtypes`, `colors`, `keywords`, `text`; and its
    state: `tapped`, `sick`, `damage`, `counters: {+1/+1: 1}`, `attached_to`. Without `attack` the proposals are attacks, such as
    `propose: {all: {ogre: D}}`. With `attack` and `block: {bear: ogre}` they divide damage: `propose: {d: {ogre: {bear: 2, D: 2}}}`.
    `judge: cast` asks about spells: `hand: {s: {owner: A, types: [instant], mana_cost: "{1}{R}", text: ".."}}` and
    `propose: {p: {cast: s, by: A, targets: [bear], pay: "{1}{R}"}}`; `judge: activate` about abilities:
    `propose: {p: {activate: axe, ability: equip, by: A, targets: [bear]}}`; `special`, `attach` and `trigger` likewise. Mana is written in
    quotes; `players: {A: {mana: "{1}{R}"}, D: {}}` says what is in the pool. Unknown keys are errors. The resource lawmage://scenario has
    the whole format.
    """
    given = source("scenario", scenario)
    if compare is not None:
        first, second = _two(compare)
        found = one_file(await asker_of(ctx).tell("check", sources=[given], compare=(first, second)))
        short = shortened(found, MOST, without=_LEFT_OUT)
        return result(comparison_lines(short), short, more=_MORE)
    found = _told_once(one_file(await asker_of(ctx).tell("check", sources=[given], release=release, explain=explain)))
    each = max(_LEAST_VIOLATIONS, _MOST_VIOLATIONS // max(1, min(len(found["proposals"]), MOST["proposals"])))
    short = shortened(found, MOST | {"violations": min(each, MOST["violations"])}, without=_LEFT_OUT)
    return result(verdict_lines(short), short, more=_MORE)


def _told_once(found: dict[str, Any]) -> dict[str, Any]:
    """Return an answer in which what many creatures ask in the same words is told once: a clash that is cut off would be none."""
    proposals = {}
    for name, verdict in found["proposals"].items():
        asked = verdict.get("requirements")
        told = {} if asked is None else {"requirements": asked | {key: gathered(asked[key]) for key in ("clash", "met")}}
        proposals[name] = verdict | told
    return found | {"proposals": proposals}


async def enumerate_declarations(
    ctx: Context,
    scenario: ScenarioText,
    limit: Annotated[int, Field(description="How many are listed; they are all counted.", ge=0, le=_MOST_LISTED)] = 20,
    best: Annotated[bool, Field(description="Find one best block instead: not to lose, then most life, then most value kept.")] = False,
    release: Release = None,
) -> Result:
    """Count the legal attacks, blocks or divisions of damage on a board, and list the first of them.

    The scenario is as for check; what it proposes plays no part.
    """
    given = source("scenario", scenario)
    asker = asker_of(ctx)
    if best:
        found = one_file(await asker.tell("enumerate", source=given, best=True, release=release))
    else:
        found = one_file(await asker.tell("enumerate", source=given, count=True, release=release))
        if limit and found.get("count"):
            found |= one_file(await asker.tell("enumerate", source=given, limit=limit, release=release))
    short = shortened(found, MOST, without=_LEFT_OUT)
    return result(_listing(short), short)


async def outcome(ctx: Context, scenario: ScenarioText, explain: Explain = False, release: Release = None) -> Result:
    """Say what combat does: damage by step, what dies, life, poison, counters, who loses, what triggers.

    The scenario is as for check, with `attack`. Each proposed block is followed, legal or not (ask check); or give `block` and propose
    divisions of the damage, or nothing. Where several divisions are possible, the answer has the range between them. With
    `judge: outcome` and a proposal such as `{event: dies, objects: [bear]}` it says what a named event triggers.
    """
    found = one_file(await asker_of(ctx).tell("outcome", source=source("scenario", scenario), explain=explain, release=release))
    short = shortened(found, MOST, without=_LEFT_OUT)
    return result(outcome_lines(short), short, more=_MORE)


async def lethal(
    ctx: Context,
    scenario: ScenarioText,
    player: Annotated[str | None, Field(description="The defending player, where there are several.")] = None,
    max_damage: Annotated[bool, Field(description="Find instead the attack that does most damage for certain.")] = False,
    explain: Explain = False,
    release: Release = None,
) -> Result:
    """Say whether the active player has an attack that wins this combat whatever the defending player blocks.

    By life, poison or commander damage. The scenario is as for check, without blocks. If it declares an attack, the question is about that
    attack. For `no` there is a block that survives, for `yes` the attack.
    """
    given = source("scenario", scenario)
    told = await asker_of(ctx).tell("lethal", source=given, player=player, max_damage=max_damage, explain=explain, release=release)
    short = shortened(one_file(told), MOST, without=_LEFT_OUT)
    return result(lethal_lines(short), short, more=_MORE)


def _two(releases: list[str]) -> tuple[str, str]:
    if len(releases) != 2:
        raise ToolError(f"compare has {len(releases)} releases; expected two dates")
    return releases[0], releases[1]


def _listing(answer: dict[str, Any]) -> list[str]:
    """Return what `lawmage enumerate` answers on one file, in words."""
    judge, basis = answer["judge"], f"judged: {answer['judge']}; rules as of {answer['release']}"
    if "verdict" in answer:
        return [answer["verdict"], *(f"  not understood: {sentence}" for sentence in answer["not_understood"]), basis]
    if "best" in answer:
        best = answer["best"]
        lost = f"{best['life_lost']:,} life lost, {best['life']:,} left{', and the game is lost' if best['loses'] else ''}"
        return [f"a best block: {told(best['block'], judge)}", f"  {lost}; value kept {best['value']:,}", basis]
    shown = answer.get("declarations", [])
    more = f"; the first {len(shown):,} of them" if 0 < len(shown) < answer["count"] else ""
    return [f"{answer['count']:,} legal{more}", *(f"  {told(one, judge)}" for one in shown), basis]
