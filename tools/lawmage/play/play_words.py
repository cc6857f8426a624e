"""Proposals of plays in words: `cast visions using flashback, targets m`. Without the solver, as `lawmage.play.declaration_words`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["OBJECT_KEY", "PLAYS", "nothing_in_words", "play_in_words"]

#: The keys of a proposal that name the object, by what is judged.
OBJECT_KEY = {"cast": "cast", "activate": "activate", "special": "object", "trigger": "trigger", "attach": "attach"}
#: What is judged and is a play.
PLAYS = tuple(OBJECT_KEY)

#: That nothing is legal, by what is judged: of a player P and an object C.
_NOTHING = {
    "cast": "no way for {player} to cast {object} is legal now",
    "activate": "no way for {player} to activate an ability of {object} is legal now",
    "special": "no special action of {player} with {object} is legal now",
    "trigger": "no choice for an ability of {object} is legal",
    "attach": "there is nothing that {object} could be attached to now",
}


def play_in_words(proposed: Mapping[str, Any], judge: str) -> str:
    """Return a proposal of a play, as in a scenario or as JSON, as a phrase."""
    if judge == "attach":
        return f"attach {proposed['attach']} to {proposed['to']}"
    verb = f"{proposed['special']} {proposed['object']}" if judge == "special" else f"{judge} {proposed[OBJECT_KEY[judge]]}"
    using = proposed.get("ability") or proposed.get("using") or ()
    parts = [f" using {using if isinstance(using, str) else ' and '.join(using)}" if using else ""]
    extra = [one if isinstance(one, str) else " ".join(next(iter(one.items()))) for one in proposed.get("extra", ())]
    parts.append(f", with {', '.join(extra)}" if extra else "")
    parts += [f", {word} {', '.join(map(str, proposed[word]))}" for word in ("targets", "modes") if proposed.get(word)]
    parts.append(f", X being {proposed['x']:,}" if "x" in proposed else "")
    parts += [f", {verb} {', '.join(names)}" for verb, names in proposed.get("with", {}).items() if names]
    parts.append(f", paying {proposed['pay']}" if "pay" in proposed else "")
    return verb + "".join(parts)


def nothing_in_words(judge: str, player: str, thing: str) -> str:
    """Return that no play of this kind with `thing` is legal."""
    return _NOTHING[judge].format(player=player, object=thing)
