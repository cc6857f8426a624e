"""What the templates of the board page show: cards with their controls, and verdicts in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lawmage.play.declaration_words import VERBS, declaration_in_words, payment_in_words
from lawmage.play.play_words import PLAYS, play_in_words
from lawmage.web.pages.board_edits import conditions_written, paid, shown_proposal, written

__all__ = ["lethal_view", "outcome_view", "table_view", "verdict_view"]

#: What most cards on a table are goes without saying.
_CREATURE = "Creature — "
#: What is judged of a combat.
_COMBAT = ("attack", "block", "damage", "outcome")
#: Reminder text (207.2).
_REMINDER = re.compile(r" ?\([^()]*\)")


# The table.


def table_view(data: Mapping[str, Any], drawn: Mapping[str, Any], wanted: str) -> dict[str, Any]:
    """Return what the table shows.

    Args:
        data: the scenario.
        drawn: what `lawmage.answers.tables.board` says of it.
        wanted: the proposal to show; the first where there is none of this name.
    """
    judge, shown = drawn["judge"], shown_proposal(data, wanted)
    draws = judge in VERBS
    proposal = drawn["proposals"].get(shown, {}) if draws else {}
    attacks = proposal if judge == "attack" else drawn["attack"] or {}
    blocks = proposal if judge == "block" else drawn["block"] or {}
    marks = {thing["id"]: f"o{number}" for number, thing in enumerate(drawn["objects"])}
    players = {player["name"]: f"p{number}" for number, player in enumerate(drawn["players"])}
    marks |= players
    declared = ((data.get("propose") or {}).get(shown) if judge == "attack" else data.get("attack")) or {}
    chosen = ((data.get("propose") or {}).get(shown) if judge == "block" else data.get("block")) or {}
    payments = {name: paid(value) for one in (declared, chosen) if isinstance(one, dict) for name, value in one.items()}
    cards = [
        thing
        | {
            "mark": marks[thing["id"]],
            "size": thing["pt"] or next((str(thing[key]) for key in ("loyalty", "defense") if thing[key] is not None), ""),
            "line": thing["line"].removeprefix(_CREATURE),
            "keywords": [keyword for keyword in thing["keywords"] if keyword.casefold() not in thing["text"].casefold()],
            "text": _REMINDER.sub("", thing["text"]).strip(),
            "counters": ", ".join(f"{kind}: {number}" for kind, number in thing["counters"].items()),
            "written": written(data["battlefield"][thing["id"]]),
            "is_card": "card" in data["battlefield"][thing["id"]],
            "attacks": attacks.get(thing["id"]),
            "blocks": blocks.get(thing["id"], []),
            "conditions": conditions_written(thing["conditions"]),
            "pays": payments.get(thing["id"], ""),
            "goaders": [name for name in players if name != thing["controller"]],
            "can_attack": draws and thing["id"] in drawn["attackers"],
            "can_block": judge == "block" and thing["id"] in drawn["blockers"],
        }
        for thing in drawn["objects"]
    ]
    return {
        "judge": judge,
        "draws": draws,
        "title": drawn["title"],
        "release": drawn["release"],
        "shown": shown,
        "proposals": list(data.get("propose") or {}),
        "sides": [
            player
            | {
                "mark": marks[player["name"]],
                "cards": [card for card in cards if card["controller"] == player["name"]],
                "effects": [
                    effect | {"number": number} for number, effect in enumerate(drawn["effects"]) if effect["controller"] == player["name"]
                ],
            }
            for player in sorted(drawn["players"], key=lambda player: not player["active"])
        ],
        "targets": drawn["targets"],
        "attacking": list(attacks),
        "elsewhere": drawn["elsewhere"],
        "marks": marks,
        "is_empty": not cards,
        "roles": ("Attacker", "Defender") if judge in _COMBAT else ("Active player", "Opponent"),
        "lines": _lines({name: target for name, target in attacks.items() if target not in players}, marks, "attack")
        + ([] if judge == "block" else _lines(blocks, marks, "now")),
    }


def _lines(declaration: Mapping[str, Any], marks: Mapping[str, str], kind: str) -> list[tuple[str, str, str]]:
    return [
        (marks[actor], marks[other], kind)
        for actor, others in declaration.items()
        for other in ([others] if isinstance(others, str) else others)
        if actor in marks and other in marks
    ]


# Verdicts.

_SENTENCES = {
    ("block", "legal"): "This block is legal.",
    ("block", "illegal"): "This block is not legal.",
    ("block", "undecided"): "Whether this block is legal is not decided.",
    ("attack", "undecided"): "Whether this attack is legal is not decided.",
    ("attack", "legal"): "This attack is legal.",
    ("attack", "illegal"): "This attack is not legal.",
}


def verdict_view(answer: Mapping[str, Any], counted: Mapping[str, Any] | None, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a verdict in words.

    Args:
        answer: what `check` says of the scenario.
        counted: what `enumerate` says of how many legal declarations there are, if it was asked.
        table: the table, as of `table_view`.
    """
    judge, proposals = answer["judge"], answer["proposals"]
    name = table["shown"] if table["shown"] in proposals else next(iter(proposals), "")
    view: dict[str, Any] = {"judge": judge, "others": [one | {"name": other} for other, one in proposals.items() if other != name]}
    view["count"] = None if counted is None else _count(counted, judge)
    if not name:
        return view | {"verdict": None}
    verdict = proposals[name]
    requirements = verdict.get("requirements") or {}
    suggestions = _suggestions(requirements.get("better"), verdict, judge, table)
    return view | {
        "name": name,
        "verdict": verdict["verdict"],
        "sentence": _SENTENCES.get((judge, verdict["verdict"])) or name,
        "violations": verdict["violations"],
        "wrong": sorted({thing for violation in verdict["violations"] for thing in violation["objects"]}),
        "requirements": requirements,
        "suggestions": suggestions,
        "no_nearest": verdict.get("no_nearest"),
        "assumptions": verdict["assumptions"],
        "not_understood": verdict["not_understood"],
        "total": verdict.get("total"),
        "cites": verdict["cites"],
        "explanation": verdict.get("explanation"),
    }


def _suggestions(better: Any, verdict: Mapping[str, Any], judge: str, table: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    nearest = verdict.get("nearest")
    if better is not None:
        label = "Legal instead" if better == nearest else "Obeys the most requirements"
        found.append(("better", label, better, ""))
    if nearest is not None and nearest != better:
        paid = payment_in_words(verdict.get("nearest_pay", {}), verdict.get("nearest_with", {}))
        found.append(("nearest", "Nearest that is legal", nearest, paid))
    return [
        {
            "kind": kind,
            "label": label,
            "declaration": declaration,
            "words": (play_in_words(declaration, judge) if judge in PLAYS else declaration_in_words(declaration, judge)) + paid,
            "lines": _lines(declaration, table["marks"], kind) if judge in VERBS else [],
        }
        for kind, label, declaration, paid in found
    ]


def _count(counted: Mapping[str, Any], judge: str) -> str:
    number = counted.get("count")
    if number is None:
        return f"How many legal {VERBS[judge][0]} there are is undecided: {'; '.join(counted.get('not_understood', []))}."
    if number == 1:
        return f"There is exactly 1 legal {VERBS[judge][1]}."
    return f"There are {number:,} legal {VERBS[judge][0]}."


def outcome_view(answer: Mapping[str, Any], shown: str, drawn: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what combat does after the block that is shown, as `outcome` says; None where it isn't told."""
    found = answer.get("proposals", {}).get(shown)
    if found is None or found.get("verdict") != "legal" or "players" not in found:
        return None
    differences = found.get("differences") or {}
    life = {player["name"]: player["life"] for player in drawn["players"]}
    return {
        "players": [
            {
                "name": name,
                "before": _value(life.get(name), None),
                "after": _value(after.get("life"), differences.get(f"players.{name}.life")),
                "lost": after.get("lost"),
            }
            for name, after in found["players"].items()
        ],
        "died": [name for name, thing in found["objects"].items() if thing.get("zone") not in ("battlefield", None)],
        "perhaps": [name for name in found["objects"] if f"objects.{name}.zone" in differences],
        "triggers": found.get("triggers") or [],
        "ways": found.get("ways", 1),
        "cites": found["cites"],
    }


def _value(value: Any, difference: Any) -> str:
    if value is not None:
        return f"{value:,}"
    return f"{difference['least']:,} to {difference['most']:,}" if isinstance(difference, dict) and "least" in difference else "it depends"


def lethal_view(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return in words whether an attack wins whatever the blocks."""
    attack = answer.get("attack")
    return {
        "verdict": answer["verdict"],
        "player": answer.get("player"),
        "declaration": attack,
        "attack": None if attack is None else declaration_in_words(attack, "attack"),
        "defences": [
            {
                "attack": declaration_in_words(one["attack"], "attack"),
                "block": declaration_in_words(one["block"], "block"),
                "every": one.get("answers") == "every attack",
            }
            for one in (answer.get("defences") or [])[:3]
        ],
        "not_understood": answer.get("not_understood", []),
    }
