"""YAML and JSON as a small tree that knows its lines, read within limits.

ruamel.yaml turns text into a stream of events; this module turns the events into nodes, so that nothing is ever
constructed that the text asks for. JSON is the YAML 1.2 that it is, read in a shorter way. `from_python` makes the same tree from
plain Python values.

Only what a file of plain values needs is accepted: one document, scalars of the YAML 1.2 core schema, sequences, and
mappings whose keys are short texts that differ. Anchors and aliases work. Tags, merge keys and aliases to what they stand in
are refused, and so is anything larger than the limits, which count a value as often as its aliases repeat it.
"""

from __future__ import annotations

import codecs
import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from lawmage.errors import InputError

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NAME",
    "MAX_NODES",
    "MappingNode",
    "Node",
    "ScalarNode",
    "SequenceNode",
    "from_python",
    "load_text",
    "load_tree",
    "parse_tree",
    "text_from",
    "to_python",
]

MAX_BYTES = 1 << 20
MAX_DEPTH = 50
MAX_NODES = 100_000
#: The longest key, in characters.
MAX_NAME = 200

_MAX_DIGITS = 100
# ruamel.yaml takes quadratic time to read a tag; no text for people has this many characters without a space.
_ENDLESS_TAG = re.compile(r"!\S{2000}")
# It also takes quadratic time to look for the end of what is opened again and again; no text has so many brackets in a row.
_ENDLESS_BRACKETS = re.compile(rf"(?:[\[{{]\s*+){{{MAX_DEPTH + 1}}}")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# A token of JSON, after the spaces before it. Characters that not everyone takes for text or for the end of a line are left to ruamel.yaml.
_TOKEN = re.compile(
    r"(?:[ \t\n]|\r\n)*+(?:([\[{,:}\]])"
    r'|"((?:[ !#-\[\]-~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]'
    r'|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)"'
    r"|((?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)(?![^\s,\]}])))"
)
_REST = re.compile(r"(?:[ \t\n]|\r\n)*")

# The core schema, YAML 1.2.2 section 10.3.2.
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = re.compile(r"([-+])?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """One value. `text` is what is written, without quotes; `line` is None where the value comes from Python."""

    text: str
    value: str | int | float | bool | None
    line: int | None


@dataclass(slots=True)  # not frozen, for a board has a hundred
class SequenceNode:
    """A list."""

    items: tuple[Node, ...]
    line: int | None


@dataclass(slots=True)  # not frozen, for a board has dozens
class MappingNode:
    """A map, in the order of the text. `key_lines` has the line of each key."""

    entries: dict[str, Node]
    key_lines: dict[str, int | None]
    line: int | None


Node: TypeAlias = ScalarNode | SequenceNode | MappingNode


def load_tree(path: str | Path) -> Node:
    """Read a file of YAML or JSON, in UTF-8 or, with a byte order mark, UTF-16 or UTF-32.

    Raises:
        InputError: if it cannot be read, is not text, or is not what `parse_tree` accepts.
    """
    return parse_tree(load_text(path), file=str(path))


def load_text(path: str | Path) -> str:
    """Return the text of a file, in UTF-8 or, with a byte order mark, UTF-16 or UTF-32.

    Raises:
        InputError: if it cannot be read, is larger than `MAX_BYTES`, or is not text.
    """
    try:
        with Path(path).open("rb") as stream:
            return text_from(stream, str(path))
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL byte
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read this file ({reason[:1].lower()}{reason[1:]})", file=path) from None


def text_from(stream: BinaryIO, name: str) -> str:
    """Return the text of what `stream` has, as `load_text` does; `name` is for messages."""
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"this file is larger than {MAX_BYTES:,} bytes, the most that is read", file=name)
    return _decode(data, name)


def parse_tree(text: str, *, file: str | None = None) -> Node:
    """Read a text of YAML or JSON. `file` is the name for messages.

    Raises:
        InputError: if it is not one document of plain values within the limits.
    """
    if len(text) > MAX_BYTES:
        raise InputError(f"this text is longer than {MAX_BYTES:,} characters, the most that is read", file=file)
    if "!" in text and (endless := _ENDLESS_TAG.search(text)):
        line = text.count("\n", 0, endless.start()) + 1
        raise InputError("2,000 characters without a space follow an exclamation mark, which is no text", file=file, line=line)
    if (tree := _json_line(text)) is not None:
        return tree
    if deep := _ENDLESS_BRACKETS.search(text):
        line = text.count("\n", 0, deep.end()) + 1
        raise InputError(f"maps and lists are nested more than {MAX_DEPTH} deep", file=file, line=line)
    if (tree := _json_tree(text, file)) is not None:
        return tree
    composer = _Composer(file)
    for event in _events(text, file):
        composer.take(event)
    if composer.root is None or composer.root == ScalarNode("", None, composer.root.line):
        raise InputError("nothing is written here; expected a map of keys and values", file=file, line=1)
    return composer.root


def _json_tree(text: str, file: str | None) -> Node | None:
    """Return the tree of a text that is JSON to the letter and within the limits; of any other, ruamel.yaml tells what it is."""
    composer = _Composer(file)
    with suppress(InputError):
        if composer.take_json(text):
            return composer.root
    return None


# JSON as programs write it: in one line, without characters that anyone could take for the end of it.


def _json_line(text: str) -> Node | None:
    """Return the tree of such JSON; what is wrong with any other text is said by those who read it letter by letter."""
    # A text has no more values than characters.
    if len(text) > MAX_NODES or not (text.isascii() and text.isprintable()):
        return None
    with suppress(ValueError, RecursionError, InputError):
        return _line_node(_LINE.decode(text), 0)
    return None


def _differing(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a map whose keys differ."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _line_number(text: str) -> ScalarNode:
    return ScalarNode(text, _core_value(text, None, 1), 1)


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


_LINE = json.JSONDecoder(
    object_pairs_hook=_differing, parse_int=_line_number, parse_float=_line_number, parse_constant=_refused, strict=True
)
_LINE_WORDS = {True: ScalarNode("true", True, 1), False: ScalarNode("false", False, 1), None: ScalarNode("null", None, 1)}


def _line_text(text: str) -> ScalarNode:
    if len(text) > MAX_DEPTH and _ENDLESS_BRACKETS.search(text):
        raise ValueError("brackets without end")
    text = _clean(text, None, 1)
    return ScalarNode(text, text, 1)


# Words come back; what is as long as a sentence would fill the memory.
_SHORT = 40
_line_word = lru_cache(maxsize=4096)(_line_text)


def _line_node(value: Any, depth: int) -> Node:
    """Return the tree of what `_LINE` makes of a text."""
    kind = type(value)
    if kind is str:
        return _line_word(value) if len(value) <= _SHORT else _line_text(value)
    if kind is not dict and kind is not list:
        return value if kind is ScalarNode else _LINE_WORDS[value]
    if depth >= MAX_DEPTH:
        raise ValueError("too deep")
    depth += 1
    if kind is list:
        # Most of what lists and maps have is words.
        items = [_line_word(child) if type(child) is str and len(child) <= _SHORT else _line_node(child, depth) for child in value]
        return SequenceNode(tuple(items), 1)
    # All keys at once, since there are many.
    keys = "".join(value)
    if "" in value or not (keys.isascii() and keys.isprintable()) or (len(keys) > MAX_NAME and max(map(len, value)) > MAX_NAME):
        raise ValueError("no plain keys")
    entries = {
        key: _line_word(child) if type(child) is str and len(child) <= _SHORT else _line_node(child, depth) for key, child in value.items()
    }
    return MappingNode(entries, dict.fromkeys(entries, 1), 1)


def from_python(value: Any, *, file: str | None = None) -> Node:
    """Return the tree of plain Python values: mappings, lists, tuples, str, int, float, bool and None.

    Raises:
        InputError: if there is anything else in it, or it is larger than the limits.
    """
    return _Converter(file).node(value, 0)


def to_python(node: Node) -> Any:
    """Return the plain Python values of a tree: dict, list, str, int, float, bool and None; the inverse of `from_python`."""
    if isinstance(node, MappingNode):
        return {key: to_python(value) for key, value in node.entries.items()}
    if isinstance(node, SequenceNode):
        return [to_python(item) for item in node.items]
    return node.value


def _decode(data: bytes, file: str) -> str:
    mark, encoding = next(((mark, name) for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), (b"", "utf-8"))
    data = data[len(mark) :]
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, errors="replace").count("\n") + 1
        raise InputError(f"this is not text in {encoding.upper()}; save it as UTF-8", file=file, line=line) from None


def _events(text: str, file: str | None) -> Iterator[Any]:
    stream = iter(YAML(typ="safe", pure=True).parse(text.removeprefix("\ufeff")))
    last = 1
    while True:
        try:
            event = next(stream)
        except StopIteration:
            return
        except ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise InputError(f"the character U+{error.character:04X} is not accepted in text", file=file, line=line) from None
        except MarkedYAMLError as error:
            unclosed = error.context == "while scanning a quoted scalar"
            mark = error.context_mark if unclosed else error.problem_mark or error.context_mark
            raise InputError(_syntax_sentence(error), file=file, line=mark.line + 1 if mark else last) from None
        except Exception:  # bare errors that the scanner lets out, such as OverflowError for "\UFFFFFFFF"
            raise InputError("this is neither YAML nor JSON", file=file, line=last) from None
        last = event.start_mark.line + 1
        yield event


#: What ruamel.yaml says, and what to say beside it or, where it is about tokens, instead.
_SYNTAX = (
    (r"found character '\\t'", "a tab stands where only spaces can; indent with spaces"),
    (r"(found|got) '[{\[]'", 'a brace or bracket stands inside of text; put the text in quotes, such as "ward {2}"'),
    (r"unexpected end of stream", "a quote is opened here and not closed"),
    (r"mapping values are not allowed", "a colon stands inside of text; put the text in quotes, and one key on a line"),
    (r"expected '<document start>'", "something follows after the end of the map or list"),
    (r"expected <block end>", "this is not indented like what it belongs to"),
    (r"'<stream end>'", "the text ends before all brackets are closed"),
)


def _syntax_sentence(error: MarkedYAMLError) -> str:
    problem = " ".join(str(error.problem or error.context).split())
    plain = next((sentence for pattern, sentence in _SYNTAX if re.search(pattern, problem)), problem[:200])
    return f"this is neither YAML nor JSON: {plain}"


@dataclass(slots=True)
class _Open:
    """A sequence or mapping that has begun and not ended."""

    line: int
    anchor: str | None
    mapping: bool
    items: list[Node]
    entries: dict[str, Node]
    key_lines: dict[str, int | None]
    key: str | None = None
    size: int = 1
    height: int = 1


class _Expected(Enum):
    """What may stand next in JSON: a value, also the first of a list; a key, also the first of a map; what follows either."""

    VALUE, FIRST_VALUE, KEY, FIRST_KEY, COLON, NEXT = range(6)


_VALUES = (_Expected.VALUE, _Expected.FIRST_VALUE)
_KEYS = (_Expected.KEY, _Expected.FIRST_KEY)
_CLOSABLE = (_Expected.NEXT, _Expected.FIRST_VALUE, _Expected.FIRST_KEY)


class _Composer:
    """Builds a tree from events. `size` of a node is how many nodes it stands for, `height` how many levels."""

    def __init__(self, file: str | None) -> None:
        self.root: Node | None = None
        self._file = file
        self._stack: list[_Open] = []
        self._names: set[str | None] = set()
        self._anchors: dict[str, tuple[Node, int, int]] = {}
        self._count = 0

    def _error(self, sentence: str, line: int | None) -> InputError:
        return InputError(sentence, file=self._file, line=line)

    def take_json(self, text: str) -> bool:
        """Take a text that is JSON to the letter. For any other return False, having taken some of it."""
        position, line, expected, lines = 0, 1, _Expected.VALUE, "\n" in text
        while match := _TOKEN.match(text, position):
            mark, string, plain = match.groups()
            if lines:
                line += text.count("\n", position, match.start(match.lastindex or 0))
            position = match.end()
            inside = self._stack[-1].mapping if self._stack else None
            if mark is None and (expected in _VALUES or (string is not None and expected in _KEYS)):
                self._grow(1, line)
                self._place(self._json_scalar(string, plain, line), 1, 0, None, line)
                expected = _Expected.NEXT if expected in _VALUES else _Expected.COLON
            elif mark in ("{", "[") and expected in _VALUES:
                self._open(None, line, mapping=mark == "{")
                expected = _Expected.FIRST_KEY if mark == "{" else _Expected.FIRST_VALUE
            elif mark == ":" and expected is _Expected.COLON:
                expected = _Expected.VALUE
            elif mark == "," and expected is _Expected.NEXT and inside is not None:
                expected = _Expected.KEY if inside else _Expected.VALUE
            elif mark in ("}", "]") and inside is (mark == "}") and expected in _CLOSABLE:
                self._close()
                expected = _Expected.NEXT
            else:
                return False
        return expected is _Expected.NEXT and not self._stack and _REST.fullmatch(text, position) is not None

    def _json_scalar(self, string: str | None, plain: str, line: int) -> ScalarNode:
        if string is None:
            return ScalarNode(plain, _core_value(plain, self._file, line), line)
        text = _clean(json.loads(f'"{string}"') if "\\" in string else string, self._file, line)
        return ScalarNode(text, text, line)

    def take(self, event: Any) -> None:
        line = event.start_mark.line + 1
        match event:
            case ScalarEvent():
                self._check(event, line)
                self._grow(1, line)
                self._place(self._scalar(event, line), 1, 0, event.anchor, line)
            case AliasEvent():
                self._alias(event.anchor, line)
            case SequenceStartEvent() | MappingStartEvent():
                self._check(event, line)
                self._open(event.anchor, line, mapping=isinstance(event, MappingStartEvent))
            case SequenceEndEvent() | MappingEndEvent():
                self._close()
            case DocumentStartEvent() if self.root is not None:
                raise self._error("a second document begins here; expected one document in a file", line)

    def _check(self, event: Any, line: int) -> None:
        if event.tag is not None:
            tag = str(event.tag).replace("tag:yaml.org,2002:", "!!")[:60]
            raise self._error(f"the tag {tag} is not accepted; write plain values", line)
        if event.anchor is not None and event.anchor in self._names:
            raise self._error(f"the anchor &{event.anchor[:60]} stands twice", line)
        self._names.add(event.anchor)

    def _scalar(self, event: ScalarEvent, line: int) -> ScalarNode:
        text = _clean(event.value, self._file, line)
        parent = self._stack[-1] if self._stack else None
        if not text and parent and parent.key is not None:
            line = parent.key_lines[parent.key] or line  # where nothing stands, the event is at what follows
        if event.style is not None or not event.implicit[0]:
            return ScalarNode(text, text, line)
        if text == "<<" and parent and parent.mapping and parent.key is None:
            raise self._error("merge keys (<<) are not part of YAML 1.2; write the keys themselves", line)
        return ScalarNode(text, _core_value(text, self._file, line), line)

    def _grow(self, size: int, line: int) -> None:
        self._count += size
        if self._count > MAX_NODES:
            raise self._error(f"there are more than {MAX_NODES:,} values, counting each alias for all that it repeats", line)

    def _open(self, anchor: str | None, line: int, *, mapping: bool) -> None:
        parent = self._stack[-1] if self._stack else None
        if parent is not None and parent.mapping and parent.key is None:
            raise self._error("a key must be a text, but a list or map stands here as a key", line)
        if len(self._stack) >= MAX_DEPTH:
            raise self._error(f"maps and lists are nested more than {MAX_DEPTH} deep", line)
        self._grow(1, line)
        self._stack.append(_Open(line, anchor, mapping, [], {}, {}))

    def _close(self) -> None:
        done = self._stack.pop()
        node: Node = MappingNode(done.entries, done.key_lines, done.line) if done.mapping else SequenceNode(tuple(done.items), done.line)
        self._place(node, done.size, done.height, done.anchor, done.line)

    def _alias(self, anchor: str, line: int) -> None:
        if anchor not in self._anchors:
            if anchor in self._names:
                raise self._error(f"the alias *{anchor[:60]} stands inside of what it repeats", line)
            raise self._error(f"the alias *{anchor[:60]} repeats nothing; no anchor &{anchor[:60]} stands above it", line)
        node, size, height = self._anchors[anchor]
        if len(self._stack) + height > MAX_DEPTH:
            raise self._error(f"maps and lists are nested more than {MAX_DEPTH} deep", line)
        self._grow(size, line)
        # A scalar is reported where it is used; a list or map keeps the lines of its parts.
        self._place(replace(node, line=line) if isinstance(node, ScalarNode) else node, size, height, None, line)

    def _place(self, node: Node, size: int, height: int, anchor: str | None, line: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (node, size, height)
        if not self._stack:
            self.root = node
            return
        parent = self._stack[-1]
        parent.size += size
        parent.height = max(parent.height, height + 1)
        if not parent.mapping:
            parent.items.append(node)
        elif parent.key is None:
            parent.key = _key(node, self._file, line)
            if parent.key in parent.entries:
                first = parent.key_lines[parent.key]
                raise self._error(f'the key "{parent.key}" stands twice in this map, first on line {first}', line)
            parent.key_lines[parent.key] = line
        else:
            parent.entries[parent.key] = node
            parent.key = None


class _Converter:
    """Builds a tree from Python values, which stand on no line."""

    def __init__(self, file: str | None) -> None:
        self._file = file
        self._count = 0

    def _error(self, sentence: str) -> InputError:
        return InputError(sentence, file=self._file)

    def node(self, value: Any, depth: int) -> Node:
        self._count += 1
        if self._count > MAX_NODES:
            raise self._error(f"there are more than {MAX_NODES:,} values")
        if isinstance(value, str):
            text = _clean(str(value), self._file, None)
            return ScalarNode(text, text, None)
        if depth >= MAX_DEPTH and isinstance(value, Mapping | list | tuple):
            raise self._error(f"maps and lists are nested more than {MAX_DEPTH} deep")
        if isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101 (whether it is any mapping takes long to tell)
            entries: dict[str, Node] = {}
            for name, child in value.items():
                key = self._name(name, depth)
                if key in entries:
                    raise self._error(f'the key "{key}" stands twice in a map, as a text and as a number')
                entries[key] = self.node(child, depth + 1)
            return MappingNode(entries, dict.fromkeys(entries), None)
        if isinstance(value, list | tuple):
            return SequenceNode(tuple(self.node(child, depth + 1) for child in value), None)
        if value is None or isinstance(value, bool):
            return ScalarNode({None: "null", True: "true", False: "false"}[value], value, None)
        if isinstance(value, int):
            if abs(value) >= 10**_MAX_DIGITS:
                raise self._error(f"a number has more than {_MAX_DIGITS} digits")
            return ScalarNode(str(int(value)), int(value), None)
        if isinstance(value, float):
            return ScalarNode(repr(float(value)), float(value), None)
        raise self._error(f"a value is a Python {type(value).__name__}; expected a mapping, list, text, number, true, false or None")

    def _name(self, name: Any, depth: int) -> str:
        if isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isascii() and name.isprintable():
            self._count += 1
            return str(name)
        return _key(self.node(name, depth), self._file, None)


def _key(node: Node, file: str | None, line: int | None) -> str:
    """Return the text of a key: a name of the format or of the file, so short and printable."""
    if not isinstance(node, ScalarNode) or node.value is None or not node.text:
        raise InputError("a key must be a text that is not empty", file=file, line=line)
    if len(node.text) > MAX_NAME:
        raise InputError(f"a key has {len(node.text):,} characters; expected at most {MAX_NAME}", file=file, line=line)
    if not node.text.isprintable():
        raise InputError("a key contains a line break or another character that cannot be shown", file=file, line=line)
    return node.text


def _clean(text: str, file: str | None, line: int | None) -> str:
    """Return `text` in Unicode's composed form, surrogate pairs (as JSON escapes them) joined."""
    if text.isascii() and text.isprintable():
        return text
    bad = _CONTROL.search(text)
    if bad:
        raise InputError(f"the character U+{ord(bad[0]):04X} is not accepted in text", file=file, line=line)
    if _SURROGATE.search(text):
        try:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise InputError("a text contains half of a surrogate pair, which is no character", file=file, line=line) from None
    return unicodedata.normalize("NFC", text)


def _core_value(text: str, file: str | None, line: int) -> str | int | float | bool | None:
    """Return what an unquoted scalar means in the core schema."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if text[0] not in "+-.0123456789":
        return text
    integer = _INTEGER.fullmatch(text)
    if (integer or _FLOAT.fullmatch(text)) and len(text) > _MAX_DIGITS:
        raise InputError(f"a number has more than {_MAX_DIGITS} digits", file=file, line=line)
    if integer:
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    special = _SPECIAL_FLOAT.fullmatch(text)
    if special:
        return math.nan if text.lower().endswith("nan") else -math.inf if special[1] == "-" else math.inf
    return text
