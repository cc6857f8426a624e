"""The resources: rules, keywords, and the format of scenarios."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from lawmage.errors import LawmageError, UnknownNameError
from lawmage.mcp.answering import asker_of
from lawmage.mcp.rules import RULE_MOST, RULE_WITHOUT
from lawmage.mcp.shortening import shortened
from lawmage.mcp.words import keyword_lines, rule_lines

__all__ = ["add_resources"]


def add_resources(server: MCPServer[Any]) -> None:
    """Add the resources to a server."""
    server.resource(
        "lawmage://scenario",
        name="scenario",
        title="The format of scenarios",
        description="Every key of a scenario file.",
        mime_type="text/plain",
    )(scenario)
    server.resource(
        "lawmage://rule/{number}{?release}",
        name="rule",
        title="A rule",
        description="A rule by its number (702.2c) or glossary:TERM: text where installed, what is under it, what cites what.",
        mime_type="text/plain",
    )(rule)
    server.resource(
        "lawmage://keyword/{name}{?release}",
        name="keyword",
        title="A keyword",
        description="A keyword by its name (first strike): kind, zones, stacking, constraints, rules.",
        mime_type="text/plain",
    )(keyword)


def scenario() -> str:
    """Return the reference of the format, which is the documentation of the module that reads it."""
    import lawmage.scenario

    return (lawmage.scenario.__doc__ or "").strip() + "\n"


async def rule(number: str, ctx: Context[Any, Any], release: str = "") -> str:
    """Return a rule as text."""
    document = shortened(await _told(ctx, "rule", number=number, release=release or None), RULE_MOST, without=RULE_WITHOUT)
    return "\n".join(rule_lines(document)) + "\n"


async def keyword(name: str, ctx: Context[Any, Any], release: str = "") -> str:
    """Return a keyword as text."""
    document = await _told(ctx, "keyword", name=name, release=release or None)
    if document.get("found") is False:
        raise ResourceNotFoundError(
            f"{document['keyword']} has no rule in the release of {document['release']}; its first is that of {document['since']}"
        )
    return "\n".join(keyword_lines(document)) + "\n"


async def _told(ctx: Context[Any, Any], name: str, /, **arguments: Any) -> dict[str, Any]:
    try:
        return (await asker_of(ctx).ask(name, **arguments)).document
    except UnknownNameError as error:
        raise ResourceNotFoundError(str(error)) from None
    except LawmageError as error:
        raise ResourceError(str(error)) from None
