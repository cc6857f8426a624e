"""The schemas of answers, for OpenAPI. They name what programs rely on; an answer may have more."""

from __future__ import annotations

from typing import Any

__all__ = ["PROBLEM_SCHEMA", "SCHEMAS"]

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_VERDICT: Schema = {"type": "string", "enum": ["legal", "illegal", "undecided"]}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _object(optional: Schema | None = None, /, **required: Schema) -> Schema:
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required)}


_TEXTS = _list(_TEXT)
#: A declaration: what each creature attacks, blocks, or how it assigns damage.
_DECLARATION = _map({"anyOf": [_TEXT, _TEXTS, _map({"type": "integer"})]})
_ANYTHING: Schema = {"type": "object"}
#: A play, in the form of a proposal.
_PLAY = _ANYTHING
_REFERENCE = _object(source=_TEXT, part=_TEXT, target=_TEXT, kind=_TEXT)
_FAULT = {"type": "string", "enum": ["data", "lawmage"]}
_FAILED = _object({"fault": _FAULT}, file=_TEXT, error=_TEXT)

_PROPOSAL = _object(
    {
        "divides": _map(_TEXT),
        "nearest": {"anyOf": [_DECLARATION, _PLAY, {"type": "null"}]},
        "nearest_pay": _map(_TEXT),
        "nearest_with": _map(_map(_TEXTS)),
        "nearest_steps": _list(_ANYTHING),
        "no_nearest": _TEXT,
        "explanation": {"$ref": "#/components/schemas/Step"},
        "steps": _list(_ANYTHING),
        "players": _map(_ANYTHING),
        "objects": _map(_ANYTHING),
        "triggers": _list(_ANYTHING),
    },
    verdict=_VERDICT,
    violations=_list(_object(rule=_TEXT, objects=_TEXTS, message=_TEXT)),
    requirements=_object({"met": _TEXTS}, obeyed=_COUNT, maximum=_or_null(_COUNT), better=_or_null(_DECLARATION), clash=_TEXTS),
    assumptions=_TEXTS,
    not_understood=_TEXTS,
    cites=_TEXTS,
    seconds={"type": "number", "minimum": 0},
)
_FILE = _object(lawmage={"const": 1}, file=_TEXT, release=_TEXT, judge=_TEXT)
_COUNTED: Schema = {"count": _COUNT, "counts": _map(_COUNT)}
_COMPARED = _object(lawmage={"const": 1}, file=_TEXT, proposals=_ANYTHING)

#: The schemas by the names under which OpenAPI has them.
SCHEMAS: dict[str, Schema] = {
    "Step": _object(rule=_or_null(_TEXT), sentence=_TEXT, quote=_or_null(_TEXT), children=_list({"$ref": "#/components/schemas/Step"})),
    "Verdicts": _object(
        files=_list(
            {
                "anyOf": [
                    {"allOf": [_FILE, _object({**_COUNTED, "divides": _map(_TEXT)}, proposals=_map(_PROPOSAL))]},
                    _COMPARED,
                    _FAILED,
                ]
            }
        )
    ),
    "Declarations": _object(
        files=_list(
            {
                "allOf": [
                    _FILE,
                    _object(
                        {
                            **_COUNTED,
                            "declarations": _list(_DECLARATION),
                            "best": _ANYTHING,
                            "verdict": {"const": "undecided"},
                            "not_understood": _TEXTS,
                        }
                    ),
                ]
            }
        )
    ),
    "Lethal": _object(
        files=_list(
            {
                "allOf": [
                    _FILE,
                    _object(
                        {
                            "player": _TEXT,
                            "attack": _or_null(_DECLARATION),
                            "not_understood": _TEXTS,
                            "max_damage": _or_null(_COUNT),
                            "explanation": {"$ref": "#/components/schemas/Step"},
                        },
                        verdict={"type": "string", "enum": ["yes", "found", "no", "undecided"]},
                    ),
                ]
            }
        )
    ),
    "Tests": _object(
        files=_list(_object({"error": _TEXT, "fault": _FAULT}, file=_TEXT, expectations=_list(_ANYTHING))), passed=_COUNT, failed=_COUNT
    ),
    "Scenario": _object(scenario=_ANYTHING),
    "Decks": _object(
        decks=_list(
            {
                "anyOf": [
                    _object(
                        {"explanation": {"$ref": "#/components/schemas/Step"}},
                        file=_TEXT,
                        format=_TEXT,
                        commanders=_TEXTS,
                        companion=_or_null(_object(name=_TEXT, verdict=_VERDICT)),
                        color_identity=_TEXTS,
                        cards=_COUNT,
                        verdict=_VERDICT,
                        violations=_list(_object(rule=_TEXT, cards=_TEXTS, message=_TEXT)),
                        repair=_or_null(_ANYTHING),
                        ban_list=_or_null(_TEXT),
                    ),
                    _FAILED,
                ]
            }
        )
    ),
    "Converted": _object(form=_TEXT, text=_TEXT, left_out=_map(_COUNT)),
    "Pairings": _object({"card": _TEXT, "pairs": _list(_object(cards=_TEXTS, rule=_TEXT))}, format=_TEXT, release=_TEXT, count=_COUNT),
    "Card": _object({"faces": _list(_ANYTHING), "suggestions": _TEXTS}, card=_TEXT, found=_FLAG),
    "Names": _object(names=_TEXTS),
    "Rule": _object(
        release=_TEXT,
        number=_TEXT,
        kind=_TEXT,
        heading=_TEXT,
        text=_or_null(_TEXT),
        children=_list(_object(number=_TEXT)),
        cites=_list(_REFERENCE),
        cited_by=_list(_REFERENCE),
        encoded_by=_TEXTS,
    ),
    "Dependencies": _object(
        release=_TEXT,
        number=_TEXT,
        count=_COUNT,
        dependencies=_list(_object(number=_TEXT, heading=_TEXT, depth=_COUNT, references=_list(_REFERENCE))),
    ),
    "Path": _object({"from": _TEXT}, release=_TEXT, to=_TEXT, found=_FLAG, path=_or_null(_TEXTS), steps=_list(_ANYTHING)),
    "Found": _object(
        query=_TEXT,
        release=_TEXT,
        count=_COUNT,
        results=_list(_object(number=_or_null(_TEXT), kind=_TEXT, title=_or_null(_TEXT), heading=_or_null(_TEXT), text=_or_null(_TEXT))),
    ),
    "Keyword": _object({"rule": _TEXT, "kind": _TEXTS, "rules": _list(_ANYTHING)}, keyword=_TEXT, release=_TEXT),
    "Keywords": _object(keywords=_list(_object(keyword=_TEXT, rule=_TEXT, kind={}, since=_TEXT))),
    "Diff": _object({"old": _TEXT, "new": _TEXT, "counts": _map(_COUNT), "changes": _list(_ANYTHING), "histories": _list(_ANYTHING)}),
    "Translation": _object({"from": _TEXT}, number=_TEXT, to=_TEXT, kind=_TEXT, became=_TEXTS),
    "Located": _object(located=_COUNT, releases=_TEXTS, passages=_list(_object(passage=_TEXT, rule=_or_null(_TEXT)))),
    "Drift": _object(encoded=_TEXT, release=_TEXT, rules=_COUNT, drifted=_list(_ANYTHING)),
    "Queries": _object(queries=_list(_object(name=_TEXT, summary=_TEXT, parameters=_list(_ANYTHING), columns=_list(_ANYTHING)))),
    "Rows": _object(query=_TEXT, release=_TEXT, columns=_TEXTS, rows=_list(_ANYTHING), count=_COUNT, more=_FLAG),
    "Coverage": _object(release=_TEXT, rules=_COUNT, statuses=_map(_COUNT), chapters=_list(_ANYTHING)),
    "CardCoverage": _object(
        cards=_COUNT, date=_TEXT, source=_TEXT, texts=_FLAG, groups=_map(_object({"all": _map({})}, holds=_TEXT, left=_list(_ANYTHING)))
    ),
    "Status": _object(rules=_ANYTHING, cards=_ANYTHING),
    "Releases": _object(releases=_TEXTS, installed=_TEXTS, newest=_TEXT),
}

#: RFC 9457.
PROBLEM_SCHEMA: Schema = _object(
    {"file": _TEXT, "line": _COUNT, "not_found": _list(_ANYTHING), "proposed": _list(_TEXTS)},
    type=_TEXT,
    title=_TEXT,
    status=_COUNT,
    detail=_TEXT,
)
