"""In which format an answer is written: what a client accepts, against what there is (RFC 9110, 12.5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["GRAPHS", "PAGE", "TABLES", "choose"]

PAGE = "text/html"
#: The media types of each format, the best known first; where a client has no preference, the first format is taken.
TABLES: Mapping[str, Sequence[str]] = {
    "json": ("application/sparql-results+json", "application/json"),
    "xml": ("application/sparql-results+xml", "application/xml"),
    "csv": ("text/csv",),
    "tsv": ("text/tab-separated-values",),
}
GRAPHS: Mapping[str, Sequence[str]] = {
    "turtle": ("text/turtle", "application/x-turtle"),
    "ntriples": ("application/n-triples", "text/plain"),
    "rdfxml": ("application/rdf+xml", "application/xml"),
    "trig": ("application/trig",),
    "nquads": ("application/n-quads",),
    "jsonld": ("application/ld+json", "application/json"),
}


def choose(accept: str, offered: Sequence[str]) -> str | None:
    """Return the media type among those offered that a client likes best, or None if it takes none.

    Args:
        accept: the value of its Accept header; empty if it sends none.
        offered: media types, the one that is preferred on equal terms first.
    """
    ranges = [_range(part) for part in accept.split(",") if part.strip()] or [("*/*", 1.0)]
    best: tuple[float, str] | None = None
    for media_type in offered:
        quality = _quality(media_type, ranges)
        if quality > 0 and (best is None or quality > best[0]):
            best = (quality, media_type)
    return best[1] if best else None


def _range(part: str) -> tuple[str, float]:
    """Return a media range and its weight; a weight that is none counts as 1, as no client means to be refused by it."""
    media_range, *parameters = (piece.strip() for piece in part.split(";"))
    weight = next((value.strip() for name, _, value in (each.partition("=") for each in parameters) if name.strip().lower() == "q"), "1")
    try:
        return media_range.lower(), min(max(float(weight), 0.0), 1.0)
    except ValueError:
        return media_range.lower(), 1.0


def _quality(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    """Return the weight that the most specific range which fits gives to a media type; 0 if none fits."""
    for fitting in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        for media_range, weight in ranges:
            if media_range == fitting:
                return weight
    return 0.0
