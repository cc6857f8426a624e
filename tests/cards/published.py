"""Made-up cards in the forms of the two publishers; names and sentences are ours."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

__all__ = ["SCRYFALL", "atomic", "identifier", "mtgjson", "scryfall", "write"]


def identifier(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def scryfall(name: str, **values: Any) -> dict[str, Any]:
    """A card object."""
    made: dict[str, Any] = {
        "object": "card",
        "oracle_id": identifier(name),
        "name": name,
        "lang": "en",
        "layout": "normal",
        "mana_cost": "{1}{G}",
        "cmc": 2.0,
        "type_line": "Creature — Elf",
        "oracle_text": "",
        "colors": ["G"],
        "color_identity": ["G"],
        "keywords": [],
        "legalities": {"commander": "legal", "vintage": "not_legal"},
        "game_changer": False,
        "power": "2",
        "toughness": "2",
    }
    return made | values


def mtgjson(name: str, **values: Any) -> dict[str, Any]:
    """A face in AtomicCards."""
    made: dict[str, Any] = {
        "name": name,
        "layout": "normal",
        "manaCost": "{1}{G}",
        "manaValue": 2.0,
        "type": "Creature — Elf",
        "colors": ["G"],
        "colorIdentity": ["G"],
        "keywords": [],
        "legalities": {"commander": "Legal"},
        "identifiers": {"scryfallOracleId": identifier(name)},
        "power": "2",
        "toughness": "2",
    }
    return made | values


def atomic(*faces: dict[str, Any], date: str = "2026-08-07") -> dict[str, Any]:
    """AtomicCards with these faces."""
    data: dict[str, list[dict[str, Any]]] = {}
    for face in faces:
        data.setdefault(face["name"], []).append(face)
    return {"meta": {"date": date, "version": "5.3.0"}, "data": data}


#: Cards of several layouts, each as both publishers give it.
SCRYFALL = [
    scryfall("Plain Elf", oracle_text="This creature can't block.", game_changer=True),
    scryfall(
        "Cold // Warm",
        layout="split",
        mana_cost="{U} // {2}{R}",
        cmc=4.0,
        type_line="Instant // Sorcery",
        colors=["R", "U"],
        color_identity=["R", "U"],
        power=None,
        toughness=None,
        oracle_text=None,
        card_faces=[
            {"object": "card_face", "name": "Cold", "mana_cost": "{U}", "type_line": "Instant", "oracle_text": "Tap target creature."},
            {
                "object": "card_face",
                "name": "Warm",
                "mana_cost": "{2}{R}",
                "type_line": "Sorcery",
                "oracle_text": "Creatures you control gain haste until end of turn.",
            },
        ],
    ),
    scryfall(
        "Calm Youth // Wild Wolf",
        layout="transform",
        mana_cost=None,
        oracle_text=None,
        colors=None,
        power=None,
        toughness=None,
        type_line="Creature — Human // Creature — Wolf",
        color_identity=["G", "R"],
        card_faces=[
            {"name": "Calm Youth", "mana_cost": "{1}{G}", "type_line": "Creature — Human", "colors": ["G"], "power": "1", "toughness": "1"},
            {
                "name": "Wild Wolf",
                "mana_cost": "",
                "type_line": "Creature — Wolf",
                "colors": ["R"],
                "color_indicator": ["R"],
                "oracle_text": "Trample\nThis creature attacks each combat if able.",
                "power": "*",
                "toughness": "1+*",
            },
        ],
    ),
    scryfall(
        "Quiet Grove",
        type_line="Basic Snow Land — Forest",
        mana_cost="",
        cmc=0.0,
        colors=[],
        color_identity=["G"],
        power=None,
        toughness=None,
        oracle_text="({T}: Add {G}.)",
    ),
]
MTGJSON = [
    mtgjson("Plain Elf", text="This creature can't block.", isGameChanger=True),
    mtgjson(
        "Cold // Warm",
        faceName="Warm",
        side="b",
        layout="split",
        manaCost="{2}{R}",
        manaValue=4.0,
        type="Sorcery",
        colors=["R"],
        colorIdentity=["R", "U"],
        power=None,
        toughness=None,
        text="Creatures you control gain haste until end of turn.",
    ),
    mtgjson(
        "Cold // Warm",
        faceName="Cold",
        side="a",
        layout="split",
        manaCost="{U}",
        manaValue=4.0,
        type="Instant",
        colors=["U"],
        colorIdentity=["R", "U"],
        power=None,
        toughness=None,
        text="Tap target creature.",
    ),
    mtgjson(
        "Calm Youth // Wild Wolf",
        faceName="Calm Youth",
        side="a",
        layout="transform",
        type="Creature — Human",
        colorIdentity=["G", "R"],
        power="1",
        toughness="1",
    ),
    mtgjson(
        "Calm Youth // Wild Wolf",
        faceName="Wild Wolf",
        side="b",
        layout="transform",
        manaCost=None,
        type="Creature — Wolf",
        colors=["R"],
        colorIdentity=["G", "R"],
        text="Trample\nThis creature attacks each combat if able.",
        power="*",
        toughness="1+*",
    ),
    mtgjson(
        "Quiet Grove",
        type="Basic Snow Land — Forest",
        manaCost=None,
        manaValue=0.0,
        colors=[],
        power=None,
        toughness=None,
        text="({T}: Add {G}.)",
    ),
]


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return path
