"""What requests bring: scenarios and decks, as the text of a file or several in one JSON document. Nothing is opened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from fastapi import Query, Request
from starlette.exceptions import HTTPException

from lawmage.answers.source import Source
from lawmage.errors import InputError
from lawmage.web.settings import Settings

__all__ = ["DECKS", "SCENARIOS", "TEXT", "FileName", "files_of", "read_text"]

_JSON = "application/json"
#: The media types of scenario files, of deck files, and of plain passages.
SCENARIOS = (_JSON, "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/plain")
DECKS = ("text/plain", _JSON, "application/xml", "text/xml", "text/csv")
TEXT = ("text/plain",)

_MOST_NAME = 200
#: The keys of a JSON document of several files, and those of each file.
_SEVERAL, _FILE = ("files", "format_text"), ("file", "text", "scenario")

FileName: TypeAlias = Annotated[
    str,
    Query(description="What messages and the answer call the file; nothing of this name is opened.", min_length=1, max_length=_MOST_NAME),
]


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a request, and the text of a format for decks, if one came along."""

    sources: tuple[Source, ...]
    format_text: str | None = None


async def files_of(request: Request, media: tuple[str, ...], name: str) -> Files:
    """Return the files of a request: the body itself, or those of a JSON document `{"files": [{"file", "text" or "scenario"}]}`.

    Args:
        request: whose body is read.
        media: the types that are taken; a body without a type is taken as text.
        name: what the body is called where it is a file itself.

    Raises:
        InputError: if it is not text, or not such a document.
        HTTPException: 415 for other types.
    """
    if not name.isprintable():
        raise InputError("file must be a name without line breaks and other characters that cannot be shown")
    text = await read_text(request, media)
    if _JSON in _media_type(request) and '"files"' in text:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            document = None  # whoever reads it as a file says what is wrong, and where
        if isinstance(document, dict) and "files" in document:
            settings: Settings = request.app.state.settings
            return _several(document, settings.files)
    return Files((Source(name, text),))


async def read_text(request: Request, media: tuple[str, ...]) -> str:
    """Return the body as text. Raises as `files_of`."""
    found = _media_type(request)
    if found and found not in media:
        raise HTTPException(
            415, f'the content type "{found[:100]}" is not read here; expected {", ".join(media)}', {"Accept": ", ".join(media)}
        )
    try:
        return (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the request is not text in UTF-8 (byte {error.start:,})") from None


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _several(document: Mapping[str, Any], most: int) -> Files:
    _expect_keys(document, _SEVERAL, "beside files")
    files, format_text = document["files"], document.get("format_text")
    if not isinstance(files, list) or not files:
        raise InputError("files must be a list of one or more files")
    if len(files) > most:
        raise InputError(f"files has {len(files):,} files; expected at most {most:,}")
    if format_text is not None and not isinstance(format_text, str):
        raise InputError("format_text must be text")
    return Files(tuple(_source(file, f"files[{number}]") for number, file in enumerate(files, start=1)), format_text)


def _source(file: Any, where: str) -> Source:
    if not isinstance(file, dict):
        raise InputError(f"{where} must be an object with the keys file and text, or file and scenario")
    _expect_keys(file, _FILE, f"in {where}")
    name = file.get("file", where)
    if not isinstance(name, str) or not 0 < len(name) <= _MOST_NAME or not name.isprintable():
        raise InputError(f"{where}.file must be a name of 1 to {_MOST_NAME} characters")
    if ("text" in file) == ("scenario" in file):
        raise InputError(f"{where} must have one of the keys text and scenario")
    if "scenario" in file:
        return Source(name, json.dumps(file["scenario"]))
    if not isinstance(file["text"], str):
        raise InputError(f"{where}.text must be text")
    return Source(name, file["text"])


def _expect_keys(found: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in found:
        if key not in known:
            raise InputError(f'the key "{key[:100]}" is not known {where}; expected {", ".join(known)}')
