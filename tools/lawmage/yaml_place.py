"""A place in a tree of YAML: a node, the path to it, and how to read it as what is expected there.

Every method returns a plain value or raises an InputError that names the file, the line, the path, what was expected and
what was found, such as `x.yaml:7: battlefield.m.tapped must be true or false, but is "yes"`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from lawmage.errors import InputError, suggestion
from lawmage.yaml_tree import MAX_NAME, MappingNode, Node, ScalarNode

__all__ = ["Place", "closest"]

# Words for true and false in older YAML and in other languages.
_ALMOST_BOOLEAN = {"yes": "true", "y": "true", "on": "true", "no": "false", "n": "false", "off": "false"}


def closest(name: str, known: Collection[str]) -> str:
    """Return what to add to a sentence about an unknown name: the known name that is close, or all where they are few."""
    # A name of one or two letters is like every word that has them.
    hint = suggestion(name, [word for word in known if len(word) > 2]) if len(name) <= MAX_NAME else ""
    if hint or not known or len(known) > 12:
        return hint
    return f"; expected {_alternatives(known)}"


class Place:
    """A node and where it stands. `key_line` is the line of its key, or its own where it has none.

    A plain class, since a scenario has hundreds of places; the path is put together for the few of which something is said.
    """

    __slots__ = ("_above", "_step", "file", "key_line", "node")

    def __init__(
        self, node: Node, step: str | int = "", file: str | None = None, key_line: int | None = None, above: Place | None = None
    ) -> None:
        """Make the place of `node`: `step` is its key, or its number in a list, in what stands `above`."""
        self.node = node
        self.file = file
        self.key_line = key_line
        self._step = step
        self._above = above

    @property
    def path(self) -> str:
        """The keys that lead here, such as `battlefield.m.keywords[1]`."""
        above = self._above.path if self._above is not None else ""
        if isinstance(self._step, int):
            return f"{above}[{self._step}]"
        return f"{above}.{self._step}" if above else self._step

    @property
    def line(self) -> int:
        """The line of the key, or 0 where there are no lines."""
        return self.key_line or 0

    @property
    def found(self) -> str:
        """What stands here, in a few words."""
        if isinstance(self.node, ScalarNode):
            if self.is_empty:
                return "empty"
            if not isinstance(self.node.value, str):
                return self.node.text
            text = self.node.text
            return json.dumps(text if len(text) <= 60 else text[:57] + "...", ensure_ascii=False)
        return "a map" if isinstance(self.node, MappingNode) else "a list"

    def error(self, sentence: str) -> InputError:
        """Return an error about the value; `sentence` goes on from the path."""
        return InputError(f"{self.path or 'the scenario'} {sentence}", file=self.file, line=self.node.line)

    def key_error(self, sentence: str) -> InputError:
        """Return an error about the key."""
        return InputError(f"{self.path or 'the scenario'} {sentence}", file=self.file, line=self.key_line or self.node.line)

    def wrong(self, expected: str, hint: str = "") -> InputError:
        """Return the error for a value that is not what is expected."""
        return self.error(f"must be {expected}, but is {self.found}{hint}")

    @property
    def is_empty(self) -> bool:
        """Whether nothing, or null, stands here."""
        return isinstance(self.node, ScalarNode) and self.node.value is None

    @property
    def is_map(self) -> bool:
        """Whether a map stands here."""
        return isinstance(self.node, MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether a list stands here."""
        return not isinstance(self.node, MappingNode | ScalarNode)

    def entries(self, expected: str = "a map") -> dict[str, Place]:
        """Return the values of a map by key."""
        if not isinstance(self.node, MappingNode):
            hint = " (write {} for none)" if self.is_empty else ""
            raise self.wrong(expected, hint)
        lines, file = self.node.key_lines, self.file
        return {key: Place(node, key, file, lines[key], self) for key, node in self.node.entries.items()}

    def at(self, key: str) -> Place:
        """Return the value of a key that a map has."""
        assert isinstance(self.node, MappingNode)
        return Place(self.node.entries[key], key, self.file, self.node.key_lines[key], self)

    def fields(self, known: Collection[str], expected: str = "a map", *, instead: Mapping[str, str] | None = None) -> dict[str, Place]:
        """Return the values of a map whose keys are all among `known`; `instead` says for other keys what is written in their place."""
        entries = self.entries(expected)
        if all(map(known.__contains__, entries)):
            return entries
        for key, place in entries.items():
            if key not in known:
                names = list(known)
                where = f"in {self.path}" if self.path else "in a scenario"
                written = f"; write {instead[key]}" if instead and key in instead else ""
                # A key of one or two letters is like every word that has them.
                hint = written or (suggestion(key, names) if len(key) > 2 else "") or f"; expected {', '.join(names)}"
                raise InputError(f'the key "{key}" is not known {where}{hint}', file=self.file, line=place.key_line)
        return entries

    def items(self, expected: str = "a list") -> tuple[Place, ...]:
        """Return the values of a list."""
        if isinstance(self.node, ScalarNode) and self.node.value is not None:
            raise self.wrong(expected, f"; write [{self.node.text[:60]}]" if self.node.text.isprintable() else "")
        if isinstance(self.node, MappingNode | ScalarNode):
            raise self.wrong(expected, " (write [] for none)" if self.is_empty else "")
        return tuple([Place(node, number, self.file, node.line, self) for number, node in enumerate(self.node.items, start=1)])

    def text(self, expected: str = "text") -> str:
        """Return a text; numbers and words such as `true` are taken as they are written."""
        if not isinstance(self.node, ScalarNode) or self.node.value is None:
            raise self.wrong(expected)
        return self.node.text

    def word(self, known: Collection[str], expected: str | None = None) -> str:
        """Return one of the known words."""
        text = self.text(expected or _alternatives(known))
        if text not in known:
            raise self.wrong(expected or _alternatives(known), suggestion(text, known) if len(text) <= MAX_NAME else "")
        return text

    def flag(self) -> bool:
        """Return true or false."""
        if isinstance(self.node, ScalarNode):
            if isinstance(self.node.value, bool):
                return self.node.value
            meant = _ALMOST_BOOLEAN.get(self.node.text.lower(), self.node.text.lower())
            if meant in ("true", "false"):
                raise self.wrong("true or false", f", which is text; write {meant} without quotes")
        raise self.wrong("true or false")

    def integer(self, low: int, high: int | None) -> int:
        """Return a whole number from `low` to `high`, or any from `low` on."""
        expected = f"a whole number from {low:,} " + ("on" if high is None else f"to {high:,}")
        value = self.node.value if isinstance(self.node, ScalarNode) else None
        if isinstance(value, str) and value.strip().removeprefix("-").isdecimal():
            raise self.wrong(expected, ", which is text; write it without quotes")
        if not isinstance(value, int) or isinstance(value, bool) or value < low or (high is not None and value > high):
            raise self.wrong(expected)
        return value

    def name(self, known: Collection[str], noun: str) -> str:
        """Return a name that exists; `noun` says what it is the name of, with its article."""
        if isinstance(self.node, ScalarNode) and self.node.value is not None and self.node.text in known:
            return self.node.text
        return self.known(self.text(f"the name of {noun}"), known, noun)

    def names(self, known: Collection[str], noun: str) -> tuple[str, ...]:
        """Return a list of names that exist, each once."""
        names: dict[str, None] = {}
        for item in self.items("a list of names"):
            name = item.name(known, noun)
            if name in names:
                raise item.error(f"names {item.found} for the second time")
            names[name] = None
        return tuple(names)

    def known(self, name: str, known: Collection[str], noun: str, *, key: bool = False) -> str:
        """Return `name` if it exists; it is this place's value or, for `key`, its key."""
        if name in known:
            return name
        shown = name if len(name) <= 60 else name[:57] + "..."
        sentence = f"names {json.dumps(shown, ensure_ascii=False)}, which is not the name of {noun} here{closest(name, known)}"
        raise self.key_error(sentence) if key else self.error(sentence)


def _alternatives(words: Collection[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
