"""The page of the deck: paste or drop a list, and read what is wrong with it and what mends it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import UploadFile

from lawmage.answers.source import Source
from lawmage.decks.repair_words import change_in_words, repair_in_words
from lawmage.errors import DataError, InputError, LawmageError
from lawmage.web.asking import ask
from lawmage.web.pages.render import page
from lawmage.web.pool import BusyError, CrashedError, FaultError, StoppedError
from lawmage.web.problems import AT_FAULT

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

#: What messages call a list that was pasted.
_PASTED = "list"
_LINE = re.compile(rf"\b{_PASTED}:(\d+): ")
_NAMED = re.compile(rf"^{_PASTED}: ")
#: How the command line is told what a button here does.
_OPTION = re.compile(r"; name one with --commander$")

#: The endings of the files that the forms are saved in; all others are plain text.
_ENDINGS = {"cockatrice": "cod", "forge": "dck", "xmage": "dck", "csv": "csv", "mtgo": "dek.txt"}
#: The mana value from which on cards share a bar.
_HIGH = 7
_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G", "colorless": "C"}


@router.get("/deck")
async def show(request: Request) -> HTMLResponse:
    """Return the page without a deck."""
    return await _page(request, {})


@router.post("/deck")
async def check(request: Request) -> HTMLResponse:
    """Return the page with what is said of the list that was pasted or dropped."""
    asked = await _asked(request)
    try:
        if not asked["text"].strip():
            raise InputError("there is no list; paste one, or choose a file")
        source = Source(asked["name"] or _PASTED, asked["text"])
        answered = await ask(
            request,
            "deck",
            sources=(source,),
            format=asked["format"],
            commanders=tuple(asked["commanders"]),
            companion=asked["companion"] or None,
            explain=True,
        )
        for deck in answered.document["decks"]:
            if "fault" in deck:
                raise AT_FAULT[deck["fault"]](deck["error"])
    except LawmageError as error:
        return await _page(request, asked, sentence=_sentence(error))
    return await _page(request, asked, decks=[_view(deck) for deck in answered.document["decks"]])


@router.post("/deck/convert")
async def convert(request: Request) -> Response:
    """Return the list in another form, as a file."""
    asked = await _asked(request)
    try:
        answered = await ask(request, "convert", source=Source(asked["name"] or _PASTED, asked["text"]), to=asked["to"])
    except LawmageError as error:
        return await _page(request, asked, sentence=_sentence(error))
    name = f"deck.{_ENDINGS.get(asked['to'], 'txt')}"
    return Response(answered.document["text"], media_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def _asked(request: Request) -> dict[str, Any]:
    """Return what the form says; a file that was chosen stands in the place of what was pasted before."""
    async with request.form() as form:
        values = {name: value for name, value in form.items() if isinstance(value, str)}
        commanders = [
            value.strip() for name, value in form.multi_items() if name == "commander" and isinstance(value, str) and value.strip()
        ]
        file = form.get("file")
        text, name = values.get("text", ""), values.get("name", "")[:100]
        if isinstance(file, UploadFile) and file.filename:
            text, name = _decoded(await file.read()), file.filename[:100]
    return {
        "text": text,
        "name": name,
        "format": values.get("format", "commander"),
        "commanders": _chosen(values["choose"]) if "choose" in values else commanders[:2],
        "companion": values.get("companion", "").strip(),
        "to": values.get("to", ""),
    }


def _decoded(content: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    return content.decode("utf-8-sig", errors="replace")


def _chosen(text: str) -> list[str]:
    """Return the commanders that a button stands for."""
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [name for name in names if isinstance(name, str)][:2] if isinstance(names, list) else []


async def _page(request: Request, asked: Mapping[str, Any], *, decks: Sequence[Mapping[str, Any]] = (), sentence: str = "") -> HTMLResponse:
    offered = (await ask(request, "formats")).document
    is_swap = request.headers.get("HX-Request") == "true"
    commanders = list(asked.get("commanders", []))
    return page(
        request,
        "deck/workspace.html" if is_swap else "deck/deck.html",
        status_code=422 if sentence else 200,
        text=asked.get("text", ""),
        name=asked.get("name", ""),
        format=asked.get("format", "commander"),
        commanders=[*commanders, "", ""][:2],
        companion=asked.get("companion", ""),
        formats=offered["formats"],
        forms=offered["forms"],
        decks=decks,
        sentence=sentence,
        is_answer=bool(decks or sentence),
    )


def _sentence(error: LawmageError) -> str:
    if isinstance(error, BusyError | CrashedError | DataError | FaultError | StoppedError):
        raise error
    return _in_page(str(error))


def _in_page(sentence: str) -> str:
    """Return a sentence of the command line as it reads beside the list: without the name of a file that there is not."""
    return _OPTION.sub("; choose one", _NAMED.sub("", _LINE.sub(r"line \1: ", sentence)))


# What is said of a deck.


def _view(deck: Mapping[str, Any]) -> dict[str, Any]:
    if "error" in deck:
        names = deck.get("not_found", [])
        messages = [f"line {one['line']}: {one['message']}" if one["line"] else one["message"] for one in names]
        return {
            "title": deck.get("title"),
            "error": None if messages else _in_page(deck["error"]),
            "not_found": messages,
            "proposed": [{"names": names, "words": " and ".join(names)} for names in deck.get("proposed", [])],
        }
    counts = deck["counts"]
    return dict(deck) | {
        "error": None,
        "not_found": [],
        "proposed": [],
        "identity": None if deck["color_identity"] is None else deck["color_identity"] or ["C"],
        "violations": [one | {"is_rule": one["rule"][:1].isdigit()} for one in deck["violations"]],
        "repair": _repair(deck["repair"]),
        "curve": _bars(_curve(counts["mana_values"])),
        "types": _bars(counts["types"]),
        "colors": _bars({_LETTERS[color]: number for color, number in counts["colors"].items()}),
    }


def _repair(repair: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if repair is None:
        return None
    return {"words": repair_in_words(repair), "changes": [change_in_words(one) for one in repair["changes"]]}


def _curve(values: Mapping[str, int]) -> dict[str, int]:
    numbers = {int(value): count for value, count in values.items()}
    curve = {str(value): numbers.get(value, 0) for value in range(min(_HIGH, max(numbers, default=0) + 1))}
    high = sum(count for value, count in numbers.items() if value >= _HIGH)
    return curve | ({f"{_HIGH}+": high} if high else {})


def _bars(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return counts for bars, `of` being the largest."""
    return [{"label": label, "count": count, "of": max(counts.values())} for label, count in counts.items()]
