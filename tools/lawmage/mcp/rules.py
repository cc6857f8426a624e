"""The tools about the rulebook: rule, deps, path, search, keyword, locate, diff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from lawmage.mcp.answering import Context, Result, asker_of, result
from lawmage.mcp.asking import source
from lawmage.mcp.judging import Release
from lawmage.mcp.shortening import shortened
from lawmage.mcp.words import (
    dependency_lines,
    diff_lines,
    keyword_lines,
    located_lines,
    path_lines,
    rule_lines,
    search_lines,
)

__all__ = ["RULE_MOST", "RULE_WITHOUT", "deps", "diff", "keyword", "locate", "path", "rule", "search"]

#: How much of a rule is shown.
RULE_MOST = {"children": 60, "examples": 10, "cites": 60, "cited_by": 60, "kept": 5, "broken": 5, "applied": 5}
#: What is left out of it: the statements that carry it out, for which `encoded_by` names the files.
RULE_WITHOUT = frozenset({"encodings", "fingerprint"})
_MOST_LISTED = 300
_MOST_HITS = 30
#: Of words that stay, so many are shown on either side of a change.
_CONTEXT = 8

Number = Annotated[
    str, Field(description="A section (7), chapter (702), rule (702.2), subrule (702.2c) or glossary entry (glossary:Deathtouch).")
]


async def rule(ctx: Context, number: Number, release: Release = None) -> Result:
    """Show a rule: its text and examples where the rulebook is installed, what is under it, what it cites, what cites it."""
    found = await asker_of(ctx).tell("rule", number=number, release=release)
    short = shortened(found, RULE_MOST, without=RULE_WITHOUT)
    return result(rule_lines(short), short, more="the tool deps lists references, and each number under it can be asked about")


async def deps(
    ctx: Context,
    number: Number,
    reverse: Annotated[bool, Field(description="What depends on it, rather than what it depends on.")] = False,
    depth: Annotated[int, Field(description="How many references are followed one after the other.", ge=1, le=20)] = 1,
    limit: Annotated[int, Field(description="How many are listed; they are all counted.", ge=1, le=_MOST_LISTED)] = 60,
    release: Release = None,
) -> Result:
    """List what a rule and what is under it refers to, or what refers to it."""
    found = await asker_of(ctx).tell("deps", number=number, reverse=reverse, depth=depth, release=release)
    short = shortened(found, {"dependencies": limit, "references": 5})
    return result(dependency_lines(short), short, more=f"limit goes up to {_MOST_LISTED}")


async def path(ctx: Context, start: Number, end: Number, release: Release = None) -> Result:
    """Show how one rule leads to another: a shortest chain of references."""
    found = await asker_of(ctx).tell("path", start=start, end=end, release=release)
    return result(path_lines(found), found)


async def search(
    ctx: Context,
    words: Annotated[str, Field(description='Words, a "quoted passage", the beginning of a word (deatht*), or a rule number.')],
    limit: Annotated[int, Field(description="How many are shown; they are all counted.", ge=1, le=_MOST_HITS)] = 8,
    release: Release = None,
) -> Result:
    """Search rules, examples, the glossary and keywords; where no rulebook is installed, headings, glossary terms and keywords."""
    found = await asker_of(ctx).tell("search", words=source("search", words).text, limit=limit, release=release)
    short = shortened(found, {"text": 500}, without=frozenset({"matches", "searched"}))
    return result(search_lines(short), short)


async def keyword(
    ctx: Context,
    name: Annotated[str, Field(description="A keyword's name, its rule's number, or as written on a card, such as protection from red.")],
    release: Release = None,
) -> Result:
    """Show a keyword: kind, where it works, how several instances stack, costs, the constraints it imposes, its rules."""
    found = await asker_of(ctx).tell("keyword", name=name, release=release)
    if found.get("found") is False:
        raise ToolError(f"{found['keyword']} has no rule in the release of {found['release']}; its first is that of {found['since']}")
    short = shortened(found, {"rules": 60, "variants": 20})
    return result(keyword_lines(short), short)


async def locate(
    ctx: Context,
    text: Annotated[str, Field(description="A passage or several, one a paragraph, each of at least 40 characters.")],
    release: Release = None,
) -> Result:
    """Find which rule a passage is from, and in which releases it reads so. Needs an installed rulebook."""
    found = await asker_of(ctx).tell("locate", text=source("passage", text).text, release=release)
    short = shortened(found, {"passages": 20, "restored": 1500, "passage": 200}, without=frozenset({"numbers"}))
    return result(located_lines(short), short, more="ask about fewer passages")


async def diff(
    ctx: Context,
    old: Annotated[str, Field(description="The date of a release, such as 2026-02-27.")],
    new: Annotated[str, Field(description="The date of another.")],
    number: Annotated[str | None, Field(description="A rule, for its history between the two.")] = None,
    limit: Annotated[int, Field(description="How many changes are shown; they are all counted.", ge=1, le=_MOST_LISTED)] = 40,
) -> Result:
    """Show what changed in the rules between two releases, or the history of one rule between them.

    Words are given where both texts are installed, as [-deleted-] and {+inserted+}.
    """
    found = await asker_of(ctx).tell("diff", old=old, new=new, number=number)
    short = shortened(_with_marks(found), {"changes": limit, "words": 1500})
    return result(diff_lines(short), short, more=f"limit goes up to {_MOST_LISTED}, and number asks about one rule")


def _with_marks(value: Any) -> Any:
    """Return a document with the words of changes as one text, in which what was deleted and inserted is marked."""
    if isinstance(value, Mapping):
        return {key: _marked(inner) if key == "words" and inner else _with_marks(inner) for key, inner in value.items()}
    return [_with_marks(item) for item in value] if isinstance(value, list) else value


def _marked(pieces: Sequence[Sequence[str]]) -> str:
    marks = {"delete": "[-{}-]", "insert": "{{+{}+}}"}
    parts = []
    for operation, text in pieces:
        words = text.split()
        if operation in marks:
            parts.append(marks[operation].format(" ".join(words)))
        elif len(words) > 2 * _CONTEXT + 2:
            parts.append(" ".join([*words[:_CONTEXT], "…", *words[-_CONTEXT:]]))
        else:
            parts.append(" ".join(words))
    return " ".join(parts)
