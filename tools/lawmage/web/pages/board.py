"""The page of the board: put a combat on the table, and have it judged.

The server remembers nothing. The form carries the board as `b`, packed as in a shared link, beside what was typed in and pressed; every
answer is the whole table again, for htmx to swap or for a browser without scripts to show.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.datastructures import UploadFile

from lawmage.answers.source import Source
from lawmage.errors import DataError, InputError, LawmageError
from lawmage.web.asking import ask
from lawmage.web.pages.board_edits import Fields, apply_declaration, edited, new_board, opened, pressed, shown_proposal, without_attacks
from lawmage.web.pages.board_link import MAX_LINK, packed, unpacked
from lawmage.web.pages.board_view import lethal_view, outcome_view, table_view, verdict_view
from lawmage.web.pages.render import page
from lawmage.web.pool import BusyError, CrashedError, FaultError
from lawmage.web.problems import AT_FAULT

__all__ = ["examples", "router"]

router = APIRouter(include_in_schema=False)

#: What messages call a board that comes from no file, and how they begin then.
_BOARD = "board"
_PLACE = re.compile(rf"^{_BOARD}(:\d+)?: ")

#: How many names are offered as one types.
_OFFERED = 8
#: The kind of keyword that is no ability of a permanent.
_ACTION = "keyword action"
#: The most fields that the form of a board can have: about ten for an object.
_MAX_FIELDS = 10_000
#: How long counting declarations may take beside a verdict, in seconds.
_COUNTING = 2.0


@lru_cache(maxsize=1)
def examples() -> dict[str, Path]:
    """Return the boards to start from, by name."""
    return {path.stem: path for path in sorted((Path(__file__).parent.parent / "examples").glob("*.yaml"))}


@router.get("/board")
async def show(request: Request, b: str = "", example: str = "") -> HTMLResponse:
    """Return the board of a link, an example, or an empty one."""
    try:
        if example in examples():
            return await _opened(request, Source(_BOARD, examples()[example].read_text(encoding="utf-8")))
        if example:
            raise InputError(f'there is no example "{example[:60]}"; expected {", ".join(examples())}')
        return await _opened(request, _source(unpacked(b) if b else new_board()))
    except LawmageError as error:
        return await _refused(request, error)


@router.post("/board")
async def change(request: Request) -> HTMLResponse:
    """Return the board as the form changes it, judged where that is wanted."""
    fields = await _fields(request)
    try:
        before = await _read(request, _source(unpacked(fields.one("b"))))
    except LawmageError as error:
        return await _refused(request, error)
    try:
        data = edited(before["scenario"], before["board"], fields)
        if fields.has("apply"):
            data = apply_declaration(data, fields.one("shown"), fields.one("apply"))
        after = await _read(request, _source(data))
        # Only now is it known of what kind a card is that was added as an attacker.
        strays = _attackers(after, fields) - set(after["board"]["attackers"]) - _attackers(before, fields)
        if strays:
            after = await _read(request, _source(without_attacks(data, fields.one("shown"), strays)))
    except LawmageError as error:
        return await _page(request, before, fields, {}, sentence=_sentence(error), typed=_typed(fields))
    try:
        return await _page(request, after, fields, await _judged(request, after, fields))
    except LawmageError as error:
        return await _page(request, after, fields, {}, sentence=_sentence(error))


@router.post("/board/load")
async def load(request: Request) -> HTMLResponse:
    """Return the board of a file that was chosen or a text that was pasted."""
    async with request.form() as form:
        file, text = form.get("file"), form.get("text")
        name, content = "the pasted text", text if isinstance(text, str) else ""
        if isinstance(file, UploadFile) and file.filename:
            name, content = file.filename[:100], (await file.read()).decode("utf-8-sig", errors="replace")
    try:
        if not content.strip():
            raise InputError("there is nothing to load; choose a scenario file, or paste one")
        return await _opened(request, Source(name, content))
    except LawmageError as error:
        return await _refused(request, error, pasted=content)


@router.post("/board/save")
async def save(request: Request) -> Response:
    """Return the board as a scenario file."""
    fields = await _fields(request)
    try:
        answered = await ask(request, "scenario_file", source=_source(unpacked(fields.one("b"))))
    except LawmageError as error:
        return await _refused(request, error)
    headers = {"Content-Disposition": 'attachment; filename="board.yaml"'}
    return Response(answered.document["text"], media_type="application/yaml", headers=headers)


@router.get("/board/complete")
async def complete(request: Request, kind: str = "card", q: str = "") -> JSONResponse:
    """Return the names of cards or keywords that begin like `q`, or are like it."""
    text = q.strip()[:100]
    if kind == "keyword":
        answered = await ask(request, "keywords")
        names = [str(one["keyword"]) for one in answered.document["keywords"] if _ACTION not in one["kind"]]
        begun = [name for name in names if name.casefold().startswith(text.casefold())]
        return JSONResponse({"names": begun[:_OFFERED]})
    answered = await ask(request, "complete", prefix=text, limit=_OFFERED)
    return JSONResponse({"names": answered.document["names"]})


# Asking.


async def _fields(request: Request) -> Fields:
    async with request.form(max_fields=_MAX_FIELDS) as form:
        values: dict[str, list[str]] = {}
        for name, value in form.multi_items():
            values.setdefault(name, []).append(value if isinstance(value, str) else "")
    return Fields(values)


def _source(data: Mapping[str, Any]) -> Source:
    return Source(_BOARD, json.dumps(data, ensure_ascii=False))


async def _read(request: Request, source: Source) -> dict[str, Any]:
    answered = await ask(request, "board", source=source)
    return answered.document


async def _judged(request: Request, after: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
    """Return what is shown of the verdict: on what was pressed, or again where the board had been judged before."""
    action, _ = pressed(fields, after["board"])
    if action == "lethal":
        return {"lethal": lethal_view(await _lethal(request, after["scenario"]))}
    if action != "judge" and not fields.has("live") and not fields.has("apply"):
        return {}
    source, judge = _source(after["scenario"]), after["board"]["judge"]
    table = table_view(after["scenario"], after["board"], fields.one("shown"))
    answered, counted = await asyncio.gather(ask(request, "check", sources=(source,), explain=True), _counted(request, after))
    answer = answered.document["files"][0]
    if "error" in answer:
        raise AT_FAULT.get(answer.get("fault", ""), InputError)(answer["error"])
    verdict = verdict_view(answer, counted, table)
    outcome = outcome_view(answer, table["shown"], after["board"]) if judge == "outcome" else None
    if judge == "block" and verdict["verdict"] == "legal" and table["attacking"]:
        shown = after["scenario"] | {"propose": {table["shown"]: after["scenario"]["propose"][table["shown"]]}}
        outcome = await _outcome(request, _without_expect(shown), table["shown"], after["board"])
    return {"verdict": verdict, "outcome": outcome}


def _attackers(read: Mapping[str, Any], fields: Fields) -> set[str]:
    """Return what attacks on the board, or in the proposal that is shown."""
    drawn = read["board"]
    if drawn["judge"] == "attack":
        return set(drawn["proposals"].get(shown_proposal(read["scenario"], fields.one("shown")), ()))
    return set(drawn["attack"] or ())


def _without_expect(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "expect"}


async def _counted(request: Request, after: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return how many legal declarations there are; None where the server can't say now, since the verdict stands without it."""
    if after["board"]["judge"] not in ("attack", "block"):
        return None
    data = {key: value for key, value in after["scenario"].items() if key not in ("propose", "expect")}
    try:
        answered = await ask(request, "enumerate", source=_source(data), count=True, time_limit=_COUNTING)
    except LawmageError:
        return None
    found: dict[str, Any] = answered.document["files"][0]
    return found


async def _outcome(request: Request, data: Mapping[str, Any], shown: str, drawn: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        answered = await ask(request, "outcome", source=_source(data))
    except LawmageError:
        return None
    return outcome_view(answered.document["files"][0], shown, drawn)


async def _lethal(request: Request, data: Mapping[str, Any]) -> dict[str, Any]:
    """Ask whether an attack wins: the one that is declared, or any where none is."""
    keys = {"propose", "expect", "judge"} | (set() if data.get("attack") else {"attack", "bands"})
    answered = await ask(request, "lethal", source=_source({key: value for key, value in data.items() if key not in keys}))
    answer: dict[str, Any] = answered.document["files"][0]
    if "error" in answer:
        raise AT_FAULT.get(answer.get("fault", ""), InputError)(answer["error"])
    return answer


# Pages.


async def _opened(request: Request, source: Source) -> HTMLResponse:
    read = await _read(request, source)
    drawable = opened(read["scenario"], read["board"])
    return await _page(request, read if drawable == read["scenario"] else await _read(request, _source(drawable)), Fields({}), {})


async def _refused(request: Request, error: LawmageError, *, pasted: str = "") -> HTMLResponse:
    """Return an empty board with what is wrong with the one that was asked for."""
    if isinstance(error, BusyError | CrashedError | DataError | FaultError):
        raise error
    return await _page(request, await _read(request, _source(new_board())), Fields({}), {}, sentence=_sentence(error), pasted=pasted)


async def _page(
    request: Request,
    read: Mapping[str, Any],
    fields: Fields,
    judged: Mapping[str, Any],
    *,
    sentence: str = "",
    pasted: str = "",
    typed: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return the page with a board; only its changing part for htmx, which then shows the board's address."""
    link = packed(read["scenario"])
    shared = f"/board?b={link}" if len(link) <= MAX_LINK else ""
    is_swap = request.headers.get("HX-Request") == "true"
    return page(
        request,
        "board/workspace.html" if is_swap else "board/board.html",
        status_code=422 if sentence else 200,
        headers={"HX-Push-Url" if _is_step(fields) else "HX-Replace-Url": shared} if is_swap and shared else None,
        table=table_view(read["scenario"], read["board"], fields.one("show") or fields.one("shown")),
        link=link,
        shared=shared,
        origin=str(request.base_url).rstrip("/"),
        typed=typed or {},
        focus=_focus(fields, sentence),
        sentence=sentence,
        pasted=pasted,
        examples=list(examples()),
        verdict=judged.get("verdict"),
        outcome=judged.get("outcome"),
        lethal=judged.get("lethal"),
    )


def _is_step(fields: Fields) -> bool:
    """Tell whether the browser's way back should undo what was pressed; of ticks there are too many for that."""
    return fields.has("apply") or fields.one("do").partition("/")[0] in ("add", "add-effect", "copy", "remove", "remove-effect")


def _typed(fields: Fields) -> dict[str, str]:
    """Return what was typed in to be added, which stays where it could not be."""
    return {name: fields.one(name) for name in fields.values if name.startswith("new-")}


def _focus(fields: Fields, sentence: str) -> str:
    """Return where the focus goes: to what is wrong, to the verdict, or to the field for the next card; else it stays."""
    action, _, about = fields.one("do").partition("/")
    if sentence:
        return "sentence"
    if action in ("judge", "enter", "lethal") or fields.has("apply"):
        return "verdict"
    return f"new/{about}" if action == "add" else ""


def _sentence(error: LawmageError) -> str:
    """Return what is wrong; a board that comes from no file has no place to name."""
    if isinstance(error, BusyError | CrashedError | DataError | FaultError):
        raise error
    return _PLACE.sub("", str(error))
