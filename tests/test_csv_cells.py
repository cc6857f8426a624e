"""Texts in CSV: none is a formula, and each is read as it was."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawmage.csv_cells import guarded, unguarded


@given(st.text(alphabet="=+-@'\t\r\n1.|!(A \"", max_size=8) | st.text(max_size=20))
def test_each_text_is_read_as_it_was(text: str) -> None:
    cell = guarded(text)
    assert unguarded(cell) == text
    assert cell[:1] not in ("=", "@", "\t", "\r", "\n")
    assert cell[:1] not in ("+", "-") or not re.search(r"[(|!=@\"]", cell)


@pytest.mark.parametrize("number", ["1", "-1", "+1", "-3.5", "1,000", "1/1", "-1/-1", "+2 Mace"])
def test_what_computes_nothing_stays(number: str) -> None:
    assert guarded(number) == number
