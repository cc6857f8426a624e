"""Small made-up releases for the tests of history: numbers and texts in a table."""

from __future__ import annotations

from lawmage.rulebook.model import GlossaryEntry, Node, Rulebook, number_above

__all__ = ["release"]


def release(
    date: str, texts: dict[str, str], glossary: dict[str, str] | None = None, examples: dict[str, tuple[str, ...]] | None = None
) -> Rulebook:
    """Return a release with these texts by number. A text without a full stop is a heading; what stands above is added."""
    numbers: dict[str, str] = {}
    for number, text in texts.items():
        above = number_above(number)
        for missing in (above[:1], above[:3], above) if above else ():
            numbers.setdefault(missing, f"Heading {missing}")
        numbers[number] = text
    nodes = []
    for number, text in numbers.items():
        kind = "subrule" if number[-1].isalpha() else "rule" if "." in number else "chapter" if len(number) == 3 else "section"
        is_heading = not text.endswith(".")
        nodes.append(
            Node(
                number=number,
                kind=kind,
                parent=number_above(number) or None,
                heading=text if is_heading else "",
                text="" if is_heading else text,
                examples=(examples or {}).get(number, ()),
            )
        )
    entries = tuple(GlossaryEntry(term, text) for term, text in (glossary or {}).items())
    return Rulebook(date, tuple(nodes), entries, "", "", ())
