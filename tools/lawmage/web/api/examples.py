"""Examples of what requests bring, as OpenAPI shows them; a test sends each."""

from __future__ import annotations

from typing import Any

__all__ = ["EXAMPLES", "body_of"]

_BOARD = {
    "title": "Menace and a requirement",
    "battlefield": {
        "ogre": {"controller": "A", "pt": "4/3", "keywords": ["menace"], "text": "This creature must be blocked if able."},
        "bear": {"controller": "A", "pt": "2/2"},
        "elf": {"controller": "D", "pt": "1/1", "colors": ["green"], "subtypes": ["Elf"]},
        "guard": {"controller": "D", "pt": "1/4"},
    },
    "attack": {"ogre": "D", "bear": "D"},
    "propose": {"nobody": {}, "both": {"elf": "ogre", "guard": "ogre"}},
    "expect": {"nobody": "illegal", "both": "legal"},
}
_COMBAT = {
    "judge": "outcome",
    "battlefield": {
        "rider": {"controller": "A", "pt": "3/3", "keywords": ["double strike", "trample"]},
        "wall": {"controller": "D", "pt": "0/4"},
    },
    "attack": {"rider": "D"},
    "block": {"wall": "rider"},
}
_YAML = """\
battlefield:
  ogre:  {controller: A, pt: 4/3, keywords: [menace], text: "This creature must be blocked if able."}
  elf:   {controller: D, pt: 1/1}
  guard: {controller: D, pt: 1/4}
attack: {ogre: D}
propose: {nobody: {}, both: {elf: ogre, guard: ogre}}
expect: {nobody: illegal, both: legal}
"""
_COMBAT_YAML = """\
judge: outcome
battlefield:
  rider: {controller: A, pt: 3/3, keywords: [double strike, trample]}
  wall:  {controller: D, pt: 0/4}
attack: {rider: D}
block: {wall: rider}
"""
_DECK = """\
Commander
1 Isamaru, Hound of Konda

Deck
98 Plains
1 Birds of Paradise
"""

#: By kind of body and media type.
EXAMPLES: dict[str, dict[str, Any]] = {
    "scenario": {"application/json": _BOARD, "application/yaml": _YAML},
    "outcome": {"application/json": _COMBAT, "application/yaml": _COMBAT_YAML},
    "deck": {"text/plain": _DECK},
    "passage": {"text/plain": "Deathtouch is a static ability."},
}


def body_of(kind: str, media: tuple[str, ...], *, several: bool = False) -> dict[str, Any]:
    """Return what OpenAPI says of a request's body.

    Args:
        kind: one of EXAMPLES.
        media: the types that are taken.
        several: whether it may be a JSON document of several files.
    """
    examples = EXAMPLES[kind]
    content: dict[str, Any] = {}
    for name in media:
        content[name] = {"schema": _schema(kind, name)}
        if name in examples:
            content[name]["examples"] = {kind: {"value": examples[name]}}
    if several:
        told = examples.get("application/yaml", examples.get("text/plain"))
        content["application/json"].setdefault("examples", {})["several"] = {"value": {"files": [{"file": f"my {kind}", "text": told}]}}
    return {"requestBody": {"required": True, "content": content}}


def _schema(kind: str, media: str) -> dict[str, Any]:
    if media == "application/json":
        return {"type": "object", "description": f"The {'deck' if kind == 'deck' else 'scenario'}, or a document of files."}
    # YAML is shown as its text, and stands for more than a string.
    return {} if "yaml" in media else {"type": "string"}
