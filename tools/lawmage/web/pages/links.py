"""Links from pages about one release of the rulebook to others: a rule number means that release's rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from markupsafe import Markup, escape
from starlette.requests import Request

from lawmage.web.asking import ask

__all__ = ["Links", "Releases", "known_releases", "marked", "name_of"]

_GLOSSARY = "glossary:"
_NUMBER = re.compile(r"(?<![\w./])(\d{3}\.\d{1,3}[a-z]?|(?<=rule )\d{3}|(?<=rules )\d{3}|(?<=section )\d|(?<=sections )\d)(?![\w/]|\.\d)")


@dataclass(frozen=True, slots=True)
class Releases:
    """Which releases are known, newest first, which have their text, and the newest."""

    known: tuple[str, ...]
    installed: frozenset[str]
    newest: str


async def known_releases(request: Request) -> Releases:
    """Ask which releases there are."""
    document = (await ask(request, "releases")).document
    return Releases(tuple(reversed(document["releases"])), frozenset(document["installed"]), document["newest"])


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses of pages about a release; those about the newest don't name it."""

    release: str
    newest: str

    def url(self, number: str, page: str = "") -> str:
        """Return the address of a part of the rulebook, or of a page about it: `history`, `graph`."""
        return f"/rules/{quote(number, safe=':')}{page and f'/{page}'}{self.at()}"

    def in_release(self, release: str) -> Links:
        """Return the links for another release."""
        return Links(release, self.newest)

    def at(self, *, first: bool = True) -> str:
        """Return what follows an address to say the release; `first` says whether nothing else follows it."""
        if self.release == self.newest:
            return ""
        return f"{'?' if first else '&'}{urlencode({'release': self.release})}"

    def words(self, pieces: Iterable[tuple[str, str]], old: Links) -> Markup:
        """Return how an old text became a new one: pieces that are `equal`, `insert` or `delete`, with links to either release's rules."""
        parts: list[Markup] = []
        for kind, text in pieces:
            words = text.lstrip()
            lead = _lines(text[: len(text) - len(words)])
            match kind:
                case "insert":
                    parts.append(Markup("{}<ins>{}</ins>").format(lead, self.prose(words)))
                case "delete":
                    parts.append(Markup("{}<del>{}</del>").format(lead, old.prose(words)))
                case _:
                    parts.append(Markup("{}{}").format(lead, self.prose(words)))
        return Markup("").join(parts)

    def prose(self, text: str, numbers: Collection[str] | None = None) -> Markup:
        """Return a text escaped, in its lines, with the rule numbers in it as links.

        `numbers` are those that lead somewhere; without it, every one is taken to.
        """
        parts: list[Markup] = []
        end = 0
        for match in _NUMBER.finditer(text):
            number = match[1]
            if numbers is None or number in numbers:
                parts.append(_lines(text[end : match.start()]))
                parts.append(Markup('<a class="rule" href="{}">{}</a>').format(self.url(number), number))
                end = match.end()
        return Markup("").join([*parts, _lines(text[end:])])


def _lines(text: str) -> Markup:
    return Markup("<br>").join(escape(line) for line in text.split("\n"))


def name_of(number: str) -> str:
    """Return a number as it is printed: a glossary entry is its term."""
    return number.removeprefix(_GLOSSARY) if number.startswith(_GLOSSARY) else number.partition("~")[0]


def marked(text: str, spans: Iterable[Sequence[int]]) -> Markup:
    """Return a text escaped, with the places from start to end marked."""
    parts: list[Markup] = []
    end = 0
    for start, stop in sorted((span[0], span[1]) for span in spans):
        if start >= end:
            parts += [escape(text[end:start]), Markup("<mark>{}</mark>").format(text[start:stop])]
            end = stop
    return Markup("").join([*parts, escape(text[end:])])
