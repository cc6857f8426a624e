"""The parser for sentences.lark: loaded when first needed, once for each process."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

import lark
from lark import Lark, Token, Tree, UnexpectedInput
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState, PatternStr

from lawmage.text.words import Word, shown

__all__ = ["Start", "UnreadableError", "parse", "pattern", "without_durations"]

Start = Literal["sentence", "condition", "quality"]


class UnreadableError(Exception):
    """Raised, and caught inside this package, where a sentence is not one that the grammar reads."""


def parse(words: Sequence[Word], start: Start, text: str) -> Tree[Token]:
    """Return the tree of `words`, which come from `text` and have no durations.

    Raises:
        UnreadableError: if the grammar has no such sentence.
    """
    try:
        return _parser().parse(_Input(words, text), start=start)
    except UnexpectedInput:
        raise UnreadableError(text) from None


@lru_cache(maxsize=256)
def pattern(terminal: str) -> re.Pattern[str]:
    """Return the regular expression of a terminal of the grammar."""
    return re.compile(_parser().get_terminal(terminal).pattern.to_regexp())


def without_durations(words: Sequence[Word]) -> tuple[list[Word], int]:
    """Return the words outside phrases of time, and how many of these say that something lasts for a time."""
    line = shown(words)
    starts, ends = _places(words)
    out: set[int] = set()
    durations = 0
    for name in _parser().lexer_conf.ignore:
        for match in pattern(name).finditer(line):
            if match.start() in starts and match.end() in ends:
                out.update(range(starts[match.start()], ends[match.end()]))
                durations += name == "DURATION"
    return [word for index, word in enumerate(words) if index not in out], durations


class _Input:
    """Words as input of the lexer: the line that the grammar sees and where its words start and end."""

    def __init__(self, words: Sequence[Word], text: str) -> None:
        self.words = words
        self.text = text
        self.line = shown(words)
        self.starts, self.ends = _places(words)


def _places(words: Sequence[Word]) -> tuple[dict[int, int], dict[int, int]]:
    """Return from which place in the line each word starts, and up to which place the words before each end."""
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    place = 0
    for index, word in enumerate(words):
        starts[place] = index
        place += len(word.shown)
        ends[place] = index + 1
        place += 1
    return starts, ends


class WordLexer(Lexer):
    """Matches whole words, and of what the parser can take next only: the highest priority first, then the longest."""

    __future_interface__ = 2

    def __init__(self, conf: LexerConf) -> None:
        self.phrases: dict[str, list[tuple[str, str]]] = {}
        self.patterns: list[tuple[str, int]] = []
        for terminal in conf.terminals:
            if isinstance(terminal.pattern, PatternStr):
                phrase = terminal.pattern.value
                self.phrases.setdefault(phrase.partition(" ")[0], []).append((phrase, terminal.name))
            elif terminal.name not in conf.ignore:
                self.patterns.append((terminal.name, terminal.priority))

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """Yield the tokens of the words in `lexer_state.text`."""
        given: _Input = lexer_state.text  # type: ignore[assignment]
        states = parser_state.parse_conf.states
        index, place = 0, 0
        while index < len(given.words):
            name, end = self._longest(given, index, place, states[parser_state.position])
            behind = given.ends[end] if name else index + 1
            yield Token(name or "UNKNOWN", _raw(given, index, behind))
            index, place = behind, end + 1

    def _longest(self, given: _Input, index: int, place: int, wanted: dict[str, object]) -> tuple[str, int]:
        best = ("", place)
        rank = (-9, 0)
        for phrase, name in self.phrases.get(given.words[index].shown, ()):
            if name in wanted and (0, len(phrase)) > rank and given.line.startswith(phrase, place) and place + len(phrase) in given.ends:
                best, rank = (name, place + len(phrase)), (0, len(phrase))
        for name, priority in self.patterns:
            if name in wanted and priority >= rank[0]:
                match = pattern(name).match(given.line, place)
                if match and match.end() in given.ends and (priority, match.end() - place) > rank:
                    best, rank = (name, match.end()), (priority, match.end() - place)
        return best


def _raw(given: _Input, index: int, behind: int) -> str:
    """Return what is written from word `index` up to word `behind`, or the content of a single one."""
    if behind == index + 1:
        return given.words[index].raw
    after = given.words[behind].start if behind < len(given.words) else len(given.text)
    return given.text[given.words[index].start : after].strip()


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """Return the parser, from the file beside this package's bytecode (and trusted like it) if one was made from the same grammar."""
    grammar = Path(__file__).with_name("sentences.lark").read_text(encoding="utf-8")
    digest = sha256(f"{lark.__version__} {sys.version} {grammar}".encode()).hexdigest()[:16]
    kept = Path(cache_from_source(str(Path(__file__).with_name(f"sentences-{digest}.py")))).with_suffix(".lark")
    try:
        with kept.open("rb") as file:
            return Lark.load(file)
    except Exception:  # Whatever is wrong with it, the grammar itself is at hand.
        made = Lark(grammar, parser="lalr", lexer=WordLexer, start=["sentence", "condition", "quality"], maybe_placeholders=False)
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            _keep(made, kept)
    return made


def _keep(made: Lark, kept: Path) -> None:
    """Write the tables of `made` to the file `kept`, in place of those made from other grammars."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=kept.parent, delete=False) as file:
        made.save(file)
    for old in kept.parent.glob(f"sentences-*.{sys.implementation.cache_tag}.lark"):
        old.unlink(missing_ok=True)
    Path(file.name).replace(kept)
