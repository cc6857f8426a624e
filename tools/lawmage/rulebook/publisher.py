"""Where the publisher offers the rulebook: which addresses may be asked, and which link on its page leads to the newest text.

The facts are in publisher.toml.
"""

from __future__ import annotations

import datetime
import html
import re
import tomllib
import urllib.parse
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from lawmage.errors import InputError
from lawmage.fetching import Addresses, address_of

__all__ = ["Publisher", "load_publisher"]

_LONGEST_LINK = 1000


@dataclass(frozen=True, slots=True)
class Publisher:
    """Which page to read first and whom to ask, how the text's file is called, and how dates in its name are written."""

    addresses: Addresses
    file: re.Pattern[str]
    dates: tuple[str, ...]

    def find_text(self, source: str, page: httpx.URL) -> httpx.URL:
        """Return the address of the newest text that a page, given by its source, has a link to.

        Raises:
            InputError: if there is none, or it may not be asked.
        """
        # addresses also stand in scripts, where slashes may be escaped
        plain = html.unescape(source).replace("\\u002F", "/").replace("\\u002f", "/").replace("\\", "")
        pieces = [piece.strip() for piece in re.split(r"[\"'<>]", plain) if len(piece) <= _LONGEST_LINK]
        links = [(date, "/" in piece, piece) for piece in pieces if (date := self._date(piece)) is not None]
        if not links:
            raise InputError("has no link to the rulebook's text; download it by hand, then: lawmage data import FILE", file=str(page))
        # a name without an address may stand beside the link
        newest = max(links, key=lambda link: link[:2])
        return self.addresses.allow(address_of(newest[2], page))

    def _date(self, link: str) -> str | None:
        """Return the date in the name of the text that a link leads to, empty if there is none; None if it leads to something else."""
        name = urllib.parse.unquote(re.split(r"[?#]", link)[0].rpartition("/")[2])
        if not self.file.fullmatch(name):
            return None
        for digits in re.findall("[0-9]{8}", name):
            for form in self.dates:
                with suppress(ValueError):
                    return datetime.datetime.strptime(digits, form).date().isoformat()
        return ""


def load_publisher(page: str | None = None) -> Publisher:
    """Return the publisher, with another page than its own if one is given.

    Raises:
        InputError: if the page isn't an address.
    """
    known = tomllib.loads((Path(__file__).parent / "publisher.toml").read_text(encoding="utf-8"))
    addresses = Addresses(address_of(page or known["page"]), tuple(known["hosts"]), "the rulebook")
    return Publisher(addresses, re.compile(known["file"]), tuple(known["dates"]))
