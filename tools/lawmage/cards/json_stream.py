"""Reading a large JSON document value by value, so that only one of them is in memory.

Values are decoded by the standard library, which bounds how deep they may be nested; the readers of JSON streams that were tried keep a
path for each level, so that 20 KB of brackets take a gigabyte.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawmage.errors import InputError

__all__ = ["JsonStream"]

#: The most characters that one value may have.
_LONGEST_VALUE = 4 * 2**20
_LONGEST_NUMBER = 400
_BEHIND_NUMBERS = frozenset(" \t\r\n,]}")
_SPACE = re.compile(r"[ \t\r\n]*")
_decode = json.JSONDecoder().raw_decode


class JsonStream:
    """The values of a JSON document, or of several one after the other (JSON lines), in order.

    Args:
        pieces: the document's bytes, in UTF-8.
        file: its name, for messages.
    """

    def __init__(self, pieces: Iterator[bytes], file: Path) -> None:
        self._pieces = pieces
        self._file = file
        self._text = ""
        self._place = 0
        self._lines = 1
        self._ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()

    def error(self, message: str) -> InputError:
        """Return an error at this place."""
        return InputError(message, file=self._file, line=self._lines + self._text.count("\n", 0, self._place))

    def peek(self) -> str:
        """Return the next character that isn't space; empty at the end."""
        while True:
            found = _SPACE.match(self._text, self._place)
            assert found is not None  # it matches the empty string
            self._place = found.end()
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def value(self) -> Any:
        """Return the next value, whole.

        Raises:
            InputError: if there is none, or it is not JSON, too long or nested too deep.
        """
        self.peek()
        while True:
            try:
                value, end = _decode(self._text, self._place)
            except RecursionError:
                raise self.error("is nested too deep; expected a file of cards") from None
            except ValueError as error:
                if len(self._text) - self._place > _LONGEST_VALUE:
                    raise self.error(f"has a value of more than {_LONGEST_VALUE >> 20} MB; expected a file of cards") from None
                if self._more():
                    continue
                said = error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"
                raise self.error(f"isn't valid JSON, or was cut off ({said})") from None
            # a number at the end of what has come may go on
            cut = len(self._text) - end < _LONGEST_NUMBER and self._text[end : end + 1] not in _BEHIND_NUMBERS
            if cut and not isinstance(value, (dict, list, str)) and self._more():
                continue
            self._place = end
            return value

    def items(self) -> Iterator[Any]:
        """Yield the items of the array that comes next."""
        self._take("[")
        if self.peek() == "]":
            self._take("]")
            return
        while True:
            yield self.value()
            if self.peek() == "]":
                self._take("]")
                return
            self._take(",")

    def pairs(self) -> Iterator[str]:
        """Yield the keys of the object that comes next; whoever asks for another must have read the value of the last."""
        self._take("{")
        if self.peek() == "}":
            self._take("}")
            return
        while True:
            if self.peek() != '"':
                raise self._unexpected("a key")
            key = self.value()
            self._take(":")
            yield key
            if self.peek() == "}":
                self._take("}")
                return
            self._take(",")

    def _take(self, character: str) -> None:
        if self.peek() != character:
            raise self._unexpected(character)
        self._place += 1

    def _unexpected(self, expected: str) -> InputError:
        found = self.peek()
        return self.error(f"isn't valid JSON (found {found!r}, expected {expected})" if found else "isn't valid JSON: it was cut off")

    def _more(self) -> bool:
        """Read the next piece, and return whether there was one; what has been read is forgotten."""
        if self._ended:
            return False
        piece = next(self._pieces, None)
        self._ended = piece is None
        self._lines += self._text.count("\n", 0, self._place)
        try:
            self._text = self._text[self._place :] + self._decoder.decode(piece or b"", final=self._ended)
        except UnicodeDecodeError:
            self._text, self._place = "", 0
            raise self.error("isn't UTF-8, or was cut off; expected JSON as published") from None
        self._place = 0
        return True
