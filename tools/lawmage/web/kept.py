"""Answers that are kept for those who ask the same again: what is looked up, never what is judged, up to a size."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from typing import Generic, Protocol, TypeVar

__all__ = ["Kept"]


class _Sized(Protocol):
    @property
    def body(self) -> bytes: ...


Answer = TypeVar("Answer", bound=_Sized)


class Kept(Generic[Answer]):
    """The answers that were asked for last, by the questions' content.

    Args:
        most: bytes of all bodies together.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._answers: OrderedDict[bytes, Answer] = OrderedDict()

    def get(self, question: bytes) -> Answer | None:
        """Return the answer to a question, if it is kept."""
        key = sha256(question).digest()
        if key not in self._answers:
            return None
        self._answers.move_to_end(key)
        return self._answers[key]

    def put(self, question: bytes, answer: Answer) -> None:
        """Keep an answer; those that have not been asked for longest make room."""
        key = sha256(question).digest()
        old = self._answers.pop(key, None)
        self._size += len(answer.body) - (0 if old is None else len(old.body))
        self._answers[key] = answer
        while self._size > self._most:
            _, gone = self._answers.popitem(last=False)
            self._size -= len(gone.body)
