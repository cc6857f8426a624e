"""Where the publisher offers the rulebook: which addresses may be asked, and which link on its page leads to the newest text.

The facts are in publisher.toml.
"""

from __future__ import annotations

import datetime
import html
import ipaddress
import re
import tomllib
import urllib.parse
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from lawmage.errors import InputError

__all__ = ["Publisher", "address_of", "is_this_machine", "load_publisher", "printable"]

_LONGEST_LINK = 1000
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Publisher:
    """Which page to read, which other hosts may be asked, how the text's file is called, and how dates in its name are written."""

    page: httpx.URL
    hosts: tuple[str, ...]
    file: re.Pattern[str]
    dates: tuple[str, ...]

    def allow(self, url: httpx.URL) -> httpx.URL:
        """Return an address if it may be asked.

        Raises:
            InputError: if it isn't HTTPS, or is of another host.
        """
        if url.scheme != "https" and not (url.scheme == "http" and is_this_machine(url.host)):
            raise InputError("isn't asked, because it isn't HTTPS", file=str(url))
        same = (url.scheme, url.host, url.port) == (self.page.scheme, self.page.host, self.page.port)
        if url.userinfo or not (same or (url.scheme == "https" and url.port is None and url.host in self.hosts)):
            hosts = ", ".join(dict.fromkeys((self.page.host, *self.hosts)))
            raise InputError(f"isn't asked, because the rulebook is expected at one of {hosts}", file=str(url))
        return url

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
        return self.allow(address_of(newest[2], page))

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
    return Publisher(address_of(page or known["page"]), tuple(known["hosts"]), re.compile(known["file"]), tuple(known["dates"]))


def address_of(address: str, page: httpx.URL | None = None) -> httpx.URL:
    """Return an address as written, or as written on a page.

    Raises:
        InputError: if it isn't one.
    """
    try:
        url = page.join(address) if page else httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        raise InputError("isn't an address; expected https://...", file=printable(address)) from None
    if not url.host:
        raise InputError("isn't an address; expected https://...", file=printable(address))
    return url


def printable(sent: str) -> str:
    """Return what a server sent so that it can be shown on a terminal."""
    return "".join(character if character.isprintable() else "?" for character in sent[:_LONGEST_NAME])


def is_this_machine(host: str) -> bool:
    """Tell whether a host is the machine that asks."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
