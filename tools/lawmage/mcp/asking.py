"""How tools get answers: from worker processes, so that what takes too long is stopped and nothing stops the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError

from lawmage.answers.answered import Answered
from lawmage.answers.source import Source
from lawmage.errors import LawmageError
from lawmage.web.pool import Pool
from lawmage.web.settings import Settings

__all__ = ["LONGEST_TEXT", "Asker", "asker", "one_file", "source"]

#: The longest scenario, deck or passage that is taken, in characters.
LONGEST_TEXT = 200_000


@dataclass(frozen=True, slots=True)
class Asker:
    """The worker processes, and what is done when they can be asked."""

    pool: Pool
    started: asyncio.Future[None]

    async def ask(self, name: str, /, **arguments: Any) -> Answered:
        """Return what the function `name` of `lawmage.answers` answers.

        Raises:
            LawmageError: what it raises, and if it takes too long or the process dies.
        """
        await asyncio.shield(self.started)
        return await self.pool.ask(name, **arguments)

    async def tell(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the document of the answer, for a tool.

        Raises:
            ToolError: in place of a LawmageError, in the same words.
        """
        try:
            return (await self.ask(name, **arguments)).document
        except LawmageError as error:
            raise ToolError(str(error)) from None


@asynccontextmanager
async def asker(settings: Settings) -> AsyncIterator[Asker]:
    """Start worker processes, and end them at last. They are still loading when this begins."""
    pool = Pool(settings)
    starting = asyncio.create_task(pool.start())
    try:
        yield Asker(pool, starting)
    finally:
        starting.cancel()
        with suppress(asyncio.CancelledError, LawmageError):
            await starting
        await pool.close()


def source(name: str, given: str | Mapping[str, Any]) -> Source:
    """Return what a model gave as a text or as JSON, under a name for messages.

    Raises:
        ToolError: if it is too long.
    """
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, indent=1)
    if len(text) > LONGEST_TEXT:
        raise ToolError(f"the {name} has {len(text):,} characters; expected at most {LONGEST_TEXT:,}")
    return Source(name, text)


def one_file(document: Mapping[str, Any], key: str = "files") -> dict[str, Any]:
    """Return the answer on the one file that was asked about.

    Raises:
        ToolError: if it says why there is none.
    """
    answer: dict[str, Any] = document[key][0]
    if "error" in answer:
        raise ToolError(answer["error"])
    return answer
