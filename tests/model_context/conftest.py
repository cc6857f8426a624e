"""A session of the SDK's own client with a server in this process, which has worker processes of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tests.rulebook.made import release

from lawmage.mcp.server import create_server
from lawmage.rulebook.store import install
from lawmage.web.settings import Settings

#: A made-up rulebook of a day before all that are known.
OLD, MOAT = "2014-01-01", "The moat is filled with dark water in which an old crocodile sleeps."


@dataclass(frozen=True, slots=True)
class Session:
    """A client, called from tests that are no coroutines."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool."""
        found: CallToolResult = self.portal.call(self.client.call_tool, tool, arguments)
        return found

    def text(self, tool: str, **arguments: Any) -> str:
        """Return the words of a tool that has an answer."""
        found = self.call(tool, **arguments)
        assert not found.is_error, found.content
        return text_of(found)

    def document(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the structured content of a tool that has an answer."""
        found = self.call(tool, **arguments)
        assert not found.is_error, found.content
        assert isinstance(found.structured_content, dict)
        return found.structured_content

    def error(self, tool: str, **arguments: Any) -> str:
        """Return the sentence of a tool that has none."""
        found = self.call(tool, **arguments)
        assert found.is_error
        return text_of(found)

    def read(self, uri: str) -> str:
        """Return the text of a resource."""
        (content,) = self.portal.call(self.client.read_resource, uri).contents
        return content.text  # type: ignore[union-attr]


def text_of(found: CallToolResult) -> str:
    """Return the one text of a result."""
    (content,) = found.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.fixture(scope="package")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A session with a server; a made-up old rulebook is installed and no cards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWMAGE_HOME", str(tmp_path_factory.mktemp("home")))
        install(release(OLD, {"100.1": MOAT}, {}), [], [], file="old.txt")
        server = create_server(Settings(workers=1, objects=40, seconds=60))
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
            yield Session(portal, client)
