"""What a client can read."""

from __future__ import annotations

import pytest
from mcp import MCPError

from .conftest import MOAT, OLD, Session


def test_resources_are_listed(session: Session) -> None:
    templates = session.portal.call(session.client.list_resource_templates).resource_templates
    assert [template.uri_template for template in templates] == ["lawmage://rule/{number}{?release}", "lawmage://keyword/{name}{?release}"]
    assert [resource.uri for resource in session.portal.call(session.client.list_resources).resources] == ["lawmage://scenario"]


def test_rules_are_read(session: Session) -> None:
    assert session.read("lawmage://rule/702.111").startswith("702.111 Menace (rule of the rules as of 2026-08-07)\n")
    assert MOAT in session.read(f"lawmage://rule/100.1?release={OLD}")
    assert session.read("lawmage://rule/glossary:Deathtouch").startswith("glossary:Deathtouch Deathtouch (glossary entry")


def test_keywords_are_read(session: Session) -> None:
    assert session.read("lawmage://keyword/first%20strike").startswith("first strike (702.7): keyword ability")


def test_the_format_of_scenarios_is_read(session: Session) -> None:
    told = session.read("lawmage://scenario")
    assert "battlefield:" in told
    assert "`goaded_by: [players]`" in told


@pytest.mark.parametrize(
    ("uri", "sentence"),
    [
        ("lawmage://rule/702.222", 'the release 2026-08-07 has no rule "702.222"'),
        ("lawmage://keyword/menase", 'there is no keyword "menase"'),
        ("lawmage://keyword/menace?release=2015-01-23", "menace has no rule in the release of 2015-01-23"),
        ("lawmage://rule/702.2?release=2015-01-24", "there is no release 2015-01-24"),
        ("lawmage://rule/..%2F..%2Fetc", "Unknown resource"),
        ("lawmage://cards/x", "Unknown resource"),
    ],
)
def test_what_is_not_there_is_said(session: Session, uri: str, sentence: str) -> None:
    with pytest.raises(MCPError, match="^" + sentence.replace("?", r"\?")) as raised:
        session.read(uri)
    assert raised.value.error.code == -32602
