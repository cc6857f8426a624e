"""What cards in the command zone say whose abilities function there (113.6p): to the rest of lawmage they are continuous effects."""

from __future__ import annotations

from dataclasses import replace

from lawmage.board import Effect, Object, Scenario
from lawmage.errors import InputError
from lawmage.play.card_types import types_among
from lawmage.text.lines import abilities

__all__ = ["with_command_zone"]


def with_command_zone(scenario: Scenario) -> Scenario:
    """Return the scenario with what planes, vanguards, schemes and conspiracies in the command zone say among its effects.

    Raises:
        InputError: for a card of which the text matters and is not installed.
    """
    board = scenario.board
    in_zone = [thing for thing in board.objects.values() if thing.zone == "command"]
    if not in_zone:
        return scenario
    said = {effect.name for effect in board.effects}
    there = {name: thing for thing in in_zone if _speaks(thing) and (name := f"{thing.id} (command zone)") not in said}
    if not there:
        return scenario
    texts = {name: _text_of(thing, scenario.file) for name, thing in there.items()}
    effects = [Effect(one.controller, texts[name], conditions=one.conditions, line=one.line, name=name) for name, one in there.items()]
    return replace(scenario, board=replace(board, effects=(*board.effects, *effects)))


def _speaks(thing: Object) -> bool:
    says = bool(thing.text or thing.card_text) and not thing.face_down
    return says and any(one.in_command_zone for one in types_among(thing.types))


def _text_of(thing: Object, file: str | None) -> str:
    card = thing.card_text
    if card is not None and not card.text and not thing.text and (card.constraints or card.not_understood or card.plays):
        raise InputError(
            f"{thing.id} is {card.card}, of which the text is not installed; add it as text", file=file, line=thing.line or None
        )
    # Keywords of such cards, as hidden agenda is, bear on nothing that is judged.
    keywords = {keyword.casefold() for keyword in (*thing.keywords, *(card.keywords if card is not None else ()))}
    return "\n".join(line for line in abilities(thing.whole_text) if line.casefold() not in keywords)
