"""From the bytes of a file to text: the encoding is recognised from content, whatever the file is called.

The publisher has used UTF-8 and UTF-16 with a byte order mark, Windows-1252, and once the old DOS code page 437.
"""

from __future__ import annotations

import re
from collections import Counter

from lawmage.errors import InputError

__all__ = ["MAXIMUM_SIZE", "decode", "normalize_line_ends", "to_text"]

#: No release has been larger than 2 MB.
MAXIMUM_SIZE = 8 * 2**20

_FOREIGN = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a Word file or another kind of zip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Word file"),
    (b"{\\rtf", "an RTF file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xfd7zXZ", "an xz archive"),
)
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\x00\x00", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_EIGHT_BIT = ("cp1252", "cp437", "mac_roman")
_TYPOGRAPHIC = frozenset("‘’“”–—™®©…•")
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE | re.DOTALL)
#: All but control characters and what decoding leaves where a byte means nothing.
_PLAIN = re.compile(r"[\t\n\f\r -~\xa0-\ufffc\U00010000-\U0010ffff]*")
#: What UTF-8's quotation marks look like after a reader has taken them for Windows-1252.
_MOJIBAKE = "â€"


def decode(data: bytes, *, file: str | None = None) -> str:
    """Return the text of a rulebook's bytes.

    Args:
        data: the whole file.
        file: its name, for messages.

    Raises:
        InputError: if it is empty, too large, of another kind (PDF, Word, HTML, binary), or damaged.
    """
    if len(data) > MAXIMUM_SIZE:
        raise InputError(f"is larger than {MAXIMUM_SIZE >> 20} MB; expected the rulebook's text file of about 1 MB", file=file)
    if not data.strip():
        raise InputError("is empty; expected the rulebook's text file", file=file)
    kind = next((name for start, name in _FOREIGN if data.startswith(start)), None)
    if kind is None and _HTML.match(data[:4096].removeprefix(b"\xef\xbb\xbf")):
        kind = "a web page"
    if kind is not None:
        raise InputError(f"is {kind}; expected the rulebook's plain text file (.txt)", file=file)
    text = to_text(data, file).removeprefix("\ufeff")
    plain = _PLAIN.match(text)
    place = plain.end() if plain else 0
    broken = _MOJIBAKE in text
    if place < len(text) and not (broken and "\x80" <= text[place] <= "\x9f"):
        raise InputError(f"isn't a text file (it has the character {text[place]!r})", file=file, line=_line(text, place))
    if broken:
        line = _line(text, text.index(_MOJIBAKE))
        raise InputError(f"was saved in a wrong encoding (it has {_MOJIBAKE!r}); expected it as published", file=file, line=line)
    return text


def normalize_line_ends(text: str) -> str:
    r"""Return `text` with `\n` for every `\r\n` and `\r`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _line(text: str, place: int) -> int:
    return normalize_line_ends(text[:place]).count("\n") + 1


def to_text(data: bytes, file: str | None) -> str:
    """Return `data` as text, in the encoding that its marks or its letters show.

    Raises:
        InputError: if it is not what its byte order mark says.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _wide(data)
    if encoding is not None:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            raise InputError(f"is damaged: it isn't the {encoding} text that it starts as ({error.reason})", file=file) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return max((data.decode(name, "replace") for name in _EIGHT_BIT), key=_plausibility)


def _wide(data: bytes) -> str | None:
    """Recognise UTF-16 without a mark: English text has a zero in nearly every other byte."""
    sample = data[:4096]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 4 < len(sample):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _plausibility(text: str) -> int:
    """Say how well the characters beyond ASCII fit: quotes and dashes, and letters inside words with the right case."""
    score = 0
    contexts: Counter[tuple[str, str, str]] = Counter(re.findall(r"(?s)(.?)([^\x00-\x7f])(?=(.?))", text))
    for (before, character, after), times in contexts.items():
        if character == "–" and before.isalpha() and after.isalpha():
            score -= times  # a dash for ranges isn't part of a word
        elif character in _TYPOGRAPHIC:
            score += 2 * times
        elif "À" <= character <= "ÿ" and (before.isalpha() or after.isalpha()):
            score += -times if character.isupper() and before.islower() else times
        else:
            score -= times
    return score
