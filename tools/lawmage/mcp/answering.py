"""The result of a tool: words first, and the document that they are from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Annotated, Any, TypeAlias

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from lawmage.mcp.asking import Asker

__all__ = ["READS", "Context", "Result", "asker_of", "result"]

#: What a tool returns: text, and JSON as in CONTRACT.md, shortened.
Result: TypeAlias = Annotated[CallToolResult, dict[str, Any]]
#: No tool changes anything, or reaches out of this machine.
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
#: How many places where something was cut are named in words; the document has them all.
_MOST_CUTS = 5


def asker_of(context: Context[Any, Any]) -> Asker:
    """Return what answers the tools of a server."""
    found: Asker = context.request_context.lifespan_context
    return found


def result(lines: Iterable[str], document: Mapping[str, Any], *, more: str = "") -> CallToolResult:
    """Return a result: lines of text, then what was cut from the document, and the document.

    Args:
        lines: the answer in words.
        document: the same as JSON, from `shortened`.
        more: how to see what was cut.
    """
    told = list(lines)
    cuts: dict[str, Mapping[str, int]] = document.get("cut", {})
    told += [f"(shown: {cut['shown']:,} of {cut['of']:,} under {place})" for place, cut in islice(cuts.items(), _MOST_CUTS)]
    if cuts and more:
        told.append(f"(for more: {more})")
    return CallToolResult(content=[TextContent(type="text", text="\n".join(told))], structured_content=dict(document))
