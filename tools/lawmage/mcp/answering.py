"""The result of a tool: words first, and the document that they are from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from lawmage.mcp.asking import Asker

__all__ = ["READS", "Context", "Result", "asker_of", "result"]

#: What a tool returns: text, and JSON as in CONTRACT.md, shortened.
Result: TypeAlias = Annotated[CallToolResult, dict[str, Any]]
#: No tool changes anything, or reaches out of this machine.
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def asker_of(context: Context[Any, Any]) -> Asker:
    """Return what answers the tools of a server."""
    found: Asker = context.request_context.lifespan_context
    return found


def result(lines: Iterable[str], document: Mapping[str, Any]) -> CallToolResult:
    """Return a result: lines of text, then what was cut from the document, and the document."""
    told = [*lines, *(f"(shown: {cut['shown']:,} of {cut['of']:,} under {place})" for place, cut in document.get("cut", {}).items())]
    return CallToolResult(content=[TextContent(type="text", text="\n".join(told))], structured_content=dict(document))
