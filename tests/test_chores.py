"""What the chores of a checkout share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from lawmage.chores import run_chore
from lawmage.errors import DataError


def make(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if name == "missing":
            raise DataError("there is no such file")
        yield f"{name} made"


def test_what_is_made_is_printed_until_something_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_chore(make, ["a", "b"], "usage") == 0
    assert capsys.readouterr().out == "a made\nb made\n"
    assert run_chore(make, ["a", "missing", "b"], "usage") == 2
    answer = capsys.readouterr()
    assert (answer.out, answer.err) == ("a made\n", "error: there is no such file\n")


@pytest.mark.parametrize(("given", "least", "most"), [([], 1, None), (["a"], 0, 0), (["a", "b"], 0, 1)])
def test_wrong_usage_prints_how_it_is_called(given: list[str], least: int, most: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_chore(make, given, "how it is called", least=least, most=most) == 2
    answer = capsys.readouterr()
    assert (answer.out, answer.err) == ("", "how it is called\n")
