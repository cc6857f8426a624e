"""What a caller hands over in place of a file."""

from __future__ import annotations

from dataclasses import dataclass

from lawmage.errors import InputError

__all__ = ["Source"]


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a scenario or deck file.

    Attributes:
        name: what messages and the key `file` of an answer call it; never opened.
        text: the content.
    """

    name: str
    text: str

    def encoded(self) -> bytes:
        """Return the content as UTF-8.

        Raises:
            InputError: if it has half of a surrogate pair, which JSON can spell and no text has.
        """
        try:
            return self.text.encode()
        except UnicodeEncodeError as error:
            line = self.text.count("\n", 0, error.start) + 1
            raise InputError("has half of a surrogate pair, which is no character", file=self.name, line=line) from None
