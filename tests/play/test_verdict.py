"""The words of a violation are made when they are read, once, and make no difference otherwise."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest

from lawmage.play.verdict import Violation


def test_words_are_made_once() -> None:
    asked: list[str] = []

    def objects() -> tuple[str, ...]:
        asked.append("objects")
        return ("a", "b")

    def message() -> str:
        asked.append("message")
        return "a and b attack"

    violation = Violation.said_when_read("508.1d", objects, message)
    assert violation.rule == "508.1d"
    assert not asked
    assert violation.objects == ("a", "b")
    assert asked == ["objects"]
    assert violation.as_json() == {"rule": "508.1d", "objects": ["a", "b"], "message": "a and b attack"}
    assert violation.message == "a and b attack"
    assert asked == ["objects", "message"]
    with pytest.raises(AttributeError):
        violation.nothing  # noqa: B018


def test_what_was_not_read_is_the_same() -> None:
    def unread() -> Violation:
        return Violation.said_when_read("508.1d", lambda: ("a",), lambda: "a attacks")

    said = Violation("508.1d", ("a",), "a attacks")
    assert unread() == said
    assert hash(unread()) == hash(said)
    assert repr(unread()) == repr(said)
    assert pickle.loads(pickle.dumps(unread())) == said
    assert copy.deepcopy(unread()) == said
    assert replace(unread(), rule="509.1c") == replace(said, rule="509.1c")
    assert unread() != Violation("508.1d", ("a",), "b attacks")
