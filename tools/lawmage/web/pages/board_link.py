"""A scenario as a part of an address: JSON, compressed, in letters that an address may have.

The page's form carries its board in the same way, so that the server remembers nothing.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

from lawmage.errors import InputError

__all__ = ["MAX_LINK", "packed", "unpacked"]

#: The longest text that makes a link; servers and chat programs cut longer addresses off.
MAX_LINK = 6_000

#: The most that a packed board may unfold to, in bytes: the size of the largest scenario that is read.
MAX_UNFOLDED = 1 << 20

_RAW = -15  # deflate without a header


def packed(data: dict[str, Any]) -> str:
    """Return a scenario in the letters, digits, `-` and `_`."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    squeezer = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    squeezed = squeezer.compress(text.encode(errors="replace")) + squeezer.flush()
    return base64.urlsafe_b64encode(squeezed).decode().rstrip("=")


def unpacked(text: str) -> dict[str, Any]:
    """Return the scenario that `packed` made a text of; whether it is one is for others to check.

    Raises:
        InputError: if the text is not of `packed`'s making, or would unfold to more than the largest scenario.
    """
    try:
        squeezed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unfolding = zlib.decompressobj(_RAW)
        unfolded = unfolding.decompress(squeezed, MAX_UNFOLDED + 1)
        whole = unfolding.eof and not unfolding.unused_data
        data = json.loads(unfolded) if whole and len(unfolded) <= MAX_UNFOLDED else None
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        data, whole, unfolded = None, False, b""
    if len(unfolded) > MAX_UNFOLDED:
        raise InputError(f"the board in this link is larger than {MAX_UNFOLDED:,} bytes, the most that is read")
    if not isinstance(data, dict):
        raise InputError("this link holds no board, perhaps because its end was cut off; expected the whole link as it was shared")
    return data
