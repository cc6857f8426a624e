"""Texts in CSV that a spreadsheet would take for formulas.

Spreadsheets compute a cell that begins with =, +, -, @, a tab or a line end, wherever the file comes from. As OWASP advises ("CSV
Injection"), such a text gets an apostrophe before it, which is taken off when lawmage reads it again. Numbers, and texts that only begin
like one and name no function or program (the card +2 Mace), stay as they are.
"""

from __future__ import annotations

import re

__all__ = ["guarded", "unguarded"]

#: What would be computed; or what looks like one of these with the apostrophe, so that each text is read as it was.
_FORMULA = re.compile(r"'*[=@\t\r\n]|'*[+-](?![\w ,.'/+-]*\Z)")


def guarded(text: str) -> str:
    """Return a text as it stands in a cell: with an apostrophe before it if it would be taken for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """Return the text of a cell that `guarded` made."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell[1:]) else cell
