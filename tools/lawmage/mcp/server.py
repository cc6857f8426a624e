"""The server: what it is called, what it offers, and how its errors read."""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError

from lawmage import __version__
from lawmage.errors import suggestion
from lawmage.mcp import decks, judging, rules
from lawmage.mcp.answering import READS
from lawmage.mcp.asking import LONGEST_TEXT, Asker, asker
from lawmage.mcp.resources import add_resources
from lawmage.web.server import listen
from lawmage.web.settings import Settings

__all__ = ["create_server", "run"]

_INSTRUCTIONS = """\
lawmage proves what the Comprehensive Rules of Magic: The Gathering allow. Ask it instead of reasoning about the rules: check for whether an
attack, a block, a division of damage or a play is legal, outcome for what combat does, lethal for whether an attack wins, enumerate for
how many legal declarations there are, deck for Commander decks, rule, search and keyword for the rulebook. Verdicts carry the numbers of
the rules that decide; quote those. `undecided` is neither legal nor illegal. Lists are cut to the limits that each tool states, and what
is cut is counted."""

#: The tools, each with its title.
_TOOLS: Mapping[str, tuple[Callable[..., Any], str]] = {
    "check": (judging.check, "Judge proposals"),
    "enumerate": (judging.enumerate_declarations, "Count and list legal declarations"),
    "outcome": (judging.outcome, "Follow combat"),
    "lethal": (judging.lethal, "Find an attack that wins"),
    "deck": (decks.deck, "Check a deck"),
    "pairings": (decks.pairings, "List second commanders"),
    "card": (decks.card, "Show a card"),
    "rule": (rules.rule, "Show a rule"),
    "deps": (rules.deps, "List what a rule depends on"),
    "path": (rules.path, "Show how rules lead to each other"),
    "search": (rules.search, "Search the rules"),
    "keyword": (rules.keyword, "Show a keyword"),
    "locate": (rules.locate, "Find a passage in the rules"),
    "diff": (rules.diff, "Compare releases of the rules"),
}


class _Server(MCPServer[Asker]):
    """A server whose errors are sentences without anything before or after them."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Asker, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool.

        Raises:
            ToolError: with one sentence, for what the caller can mend.
        """
        if name not in _TOOLS:
            raise ToolError(f'there is no tool "{name[:80]}"{suggestion(name[:80], _TOOLS)}')
        known = (self._tool_input_schema(name) or {}).get("properties", {})
        for argument in arguments:
            if argument not in known:
                hint = suggestion(argument[:80], known) or f"; it takes {', '.join(known)}"
                raise ToolError(f'the tool {name} has no argument "{argument[:80]}"{hint}')
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            cause = error.__cause__
            raise ToolError(_expected(name, cause) if isinstance(cause, ValidationError) else str(cause or error)) from None


def _expected(tool: str, error: ValidationError) -> str:
    """Say in a sentence what is wrong with the arguments of a tool."""
    wrong = error.errors(include_url=False, include_context=False)[0]
    argument = str(wrong["loc"][0])
    if wrong["type"] == "missing":
        return f"the tool {tool} needs the argument {argument}"
    found = json.dumps(wrong["input"], ensure_ascii=False, default=str)
    expected = wrong["msg"].removeprefix("Input should be ").partition(", unable")[0]
    return f"the argument {argument} of the tool {tool} is {found if len(found) <= 80 else found[:80] + '...'}; expected {expected}"


def create_server(settings: Settings) -> MCPServer[Asker]:
    """Return a server. Worker processes answer while it runs.

    Args:
        settings: how many, and what a question may take; what concerns HTTP plays no part.
    """

    @asynccontextmanager
    async def answering(_: MCPServer[Asker]) -> AsyncIterator[Asker]:
        async with asker(settings) as found:
            yield found

    server = _Server("lawmage", title="lawmage", version=__version__, instructions=_INSTRUCTIONS, lifespan=answering, log_level="WARNING")
    for name, (function, title) in _TOOLS.items():
        server.add_tool(function, name=name, title=title, description=inspect.getdoc(function), annotations=READS, structured_output=True)
    add_resources(server)
    return server


def run(settings: Settings, *, port: int | None = None) -> None:
    """Serve until the client goes.

    Args:
        settings: see `create_server`.
        port: serve HTTP at this port of this machine, under /mcp; None for standard input and output.

    Raises:
        InputError: if the port is taken.
    """
    server = create_server(settings)
    if port is None:
        server.run("stdio")
    else:
        listen(settings.host, port).close()  # or it would be told in the words of what listens, and as no error of the user's
        server.run(
            "streamable-http",
            host=settings.host,
            port=port,
            stateless_http=True,
            json_response=True,
            max_request_body_size=4 * LONGEST_TEXT,
        )
