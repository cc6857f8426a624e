"""How pages and the API ask: nothing is judged in the process that speaks HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from lawmage.web.pool import Pool, Reply

if TYPE_CHECKING:
    from lawmage.answers.answered import Answered

__all__ = ["ask", "ask_encoded"]


async def ask(request: Request, name: str, /, **arguments: Any) -> Answered:
    """Return what the function `name` of `lawmage.answers.ANSWERS` answers. Raises as `Pool.ask`."""
    pool: Pool = request.app.state.pool
    return await pool.ask(name, **arguments)


async def ask_encoded(request: Request, name: str, /, **arguments: Any) -> Reply:
    """Return what `ask` does, as JSON that nobody has to read here. Raises as `Pool.ask`."""
    pool: Pool = request.app.state.pool
    return await pool.reply(name, **arguments)
