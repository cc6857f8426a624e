"""What `lawmage search` answers: rules, examples, the glossary and keywords by what stands in them."""

from __future__ import annotations

from typing import Any

from lawmage.answers.answered import NO, YES, Answered
from lawmage.rulebook.search import Answer, Hit
from lawmage.rulebook.search import search as find

__all__ = ["answer_on", "search"]


def search(words: str, *, limit: int = 10, release: str | None = None) -> Answered:
    """Search rules, examples, the glossary and keywords; without an installed text, headings, glossary terms and keywords.

    Args:
        words: words, a "quoted passage", the beginning of a word (deatht*), a rule number.
        limit: how many of the hits are listed; `count` tells how many there are.
        release: by default the newest whose text is installed, or the newest known.

    Raises:
        UnknownNameError: if there is no such release.
        DataError: if its file is damaged.
    """
    return answer_on(find(words, release=release, limit=limit))


def answer_on(found: Answer) -> Answered:
    """Return the answer: what was searched for, and what was found."""
    document = {
        "query": found.query,
        "searched": found.searched,
        "corrections": found.corrections,
        "match": "all" if found.every else "some",
        "release": found.release,
        "text": found.with_text,
        "count": found.total,
        "results": [_hit_as_json(hit) for hit in found.hits],
    }
    return Answered(document, YES if found.hits else NO)


def _hit_as_json(hit: Hit) -> dict[str, Any]:
    return {
        "number": hit.number or None,
        "kind": hit.kind,
        "part": hit.part or None,
        "title": hit.title,
        "heading": hit.heading,
        "text": hit.text or None,
        "matches": {"title": [list(span) for span in hit.title_matches], "text": [list(span) for span in hit.text_matches]},
    }
