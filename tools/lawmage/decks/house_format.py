"""A user's own format as YAML or JSON: what it changes in a format that lawmage knows.

lawmage: 1
format: duel-commander            # its name
based_on: commander
legality: duel                    # the publishers' word for its card pool
minimum: 100
maximum: 100
copies: 1                         # of one name; `any` for no limit
sideboard: 0
companion: true
banned: [Ancestral Recall]        # or a map from names to reasons
banned_as_commander: {}
banned_as_companion: []
restricted: [Sol Ring]            # to one copy
allowed: []                       # in the pool, whatever the publishers say
leads: [{supertypes: [legendary], types: [planeswalker]}]    # instead of those of the other format
bends: {Rat Colony: copies_any, Seven Dwarves: {copies_at_most: 7}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawmage.constraints import Filter, Test
from lawmage.decks.formats import Ban, Bend, DeckKnowledge, Format, Provision, inherit
from lawmage.errors import InputError, suggestion
from lawmage.yaml_tree import MappingNode, Node, ScalarNode, SequenceNode

__all__ = ["format_of"]

_KEYS = (
    "lawmage",
    "format",
    "label",
    "based_on",
    "legality",
    "minimum",
    "maximum",
    "copies",
    "sideboard",
    "companion",
    "banned",
    "banned_as_commander",
    "banned_as_companion",
    "restricted",
    "allowed",
    "leads",
    "bends",
)
#: The keys with a number, and the kind of provision that each is.
_NUMBERS = {"minimum": "minimum_size", "maximum": "maximum_size", "copies": "copies_limit", "sideboard": "sideboard_limit"}
_BANS = {"banned": "deck", "banned_as_commander": "commander", "banned_as_companion": "companion", "restricted": "restricted"}
_TESTS = {"types": "type", "supertypes": "supertype", "subtypes": "subtype", "colors": "color"}
_RULE = "format rule"
_MOST = 100_000


def format_of(tree: Node, file: str, known: DeckKnowledge) -> Format:
    """Return the format that a file describes; `known` has those on which it can be based.

    Args:
        tree: what stands in the file.
        file: its name, for messages.

    Raises:
        InputError: if it isn't one.
    """
    reader = _Reader(file, known.statements)
    if not isinstance(tree, MappingNode):
        raise reader.error("a file of a format is a map", tree)
    for key in tree.entries:
        if key not in _KEYS:
            raise InputError(f'unknown key "{key}"{suggestion(key, _KEYS)}', file=file, line=tree.key_lines[key])
    version = tree.entries.get("lawmage")
    if not isinstance(version, ScalarNode) or version.value != 1:
        raise reader.error('the first key has to be "lawmage: 1"', version or tree)
    if "format" not in tree.entries:
        raise reader.error('the key "format" is missing: the name of the format', tree)
    name = reader.text(tree.entries["format"], "format")
    base = _base(reader, tree, known.formats)
    own = Format(
        name=name,
        label=reader.text(tree.entries["label"], "label") if "label" in tree.entries else name,
        legality=reader.text(tree.entries["legality"], "legality") if "legality" in tree.entries else None,
        provisions=tuple(_provisions(reader, tree)),
        bans=tuple(_bans(reader, tree)),
        allows=frozenset(reader.names(tree.entries["allowed"], "allowed")) if "allowed" in tree.entries else frozenset(),
        bends=tuple(_bends(reader, tree)),
    )
    if base is None:
        return own
    made = inherit(own, base)
    dropped = {"has_companion"} if _is_false(tree, "companion") else set()
    # a sideboard of a number of cards stands in the place of none
    dropped |= {"no_sideboard"} if "sideboard" in tree.entries else set()
    provisions = tuple(provision for provision in made.provisions if provision.kind not in dropped)
    return Format(made.name, made.label, made.legality, provisions, made.bans, made.allows, made.bends)


def _base(reader: _Reader, tree: MappingNode, known: Mapping[str, Format]) -> Format | None:
    if "based_on" not in tree.entries:
        return None
    name = reader.text(tree.entries["based_on"], "based_on")
    if name not in known:
        raise reader.error(f'based_on names the format "{name}", which doesn\'t exist{suggestion(name, known)}', tree.entries["based_on"])
    return known[name]


def _is_false(tree: MappingNode, key: str) -> bool:
    node = tree.entries.get(key)
    return isinstance(node, ScalarNode) and node.value is False


def _provisions(reader: _Reader, tree: MappingNode) -> Iterator[Provision]:
    for key, kind in _NUMBERS.items():
        if key in tree.entries:
            yield Provision(kind, _RULE, number=reader.number(tree.entries[key], key))
    if "companion" in tree.entries:
        node = tree.entries["companion"]
        if not isinstance(node, ScalarNode) or not isinstance(node.value, bool):
            raise reader.error("companion has to be true or false", node)
    if "leads" in tree.entries:
        node = tree.entries["leads"]
        if not isinstance(node, SequenceNode) or not node.items:
            raise reader.error("leads has to be a list of maps such as {supertypes: [legendary], types: [creature]}", node)
        for item in node.items:
            yield _leads(reader, item)


def _leads(reader: _Reader, node: Node) -> Provision:
    if not isinstance(node, MappingNode) or not node.entries:
        raise reader.error("each item of leads is a map such as {supertypes: [legendary], types: [creature]}", node)
    tests: list[Test] = []
    for key, value in node.entries.items():
        if key not in _TESTS:
            raise reader.error(f'leads has the key "{key}"{suggestion(key, _TESTS) or "; expected " + ", ".join(_TESTS)}', value)
        tests += (Test(_TESTS[key], word) for word in reader.names(value, key))
    words = " ".join(str(test.value) for test in tests)
    return Provision("leads", _RULE, subject=Filter((tuple(tests),)), called=f"a card that is {words}")


def _bans(reader: _Reader, tree: MappingNode) -> Iterator[Ban]:
    for key, role in _BANS.items():
        node = tree.entries.get(key)
        if isinstance(node, MappingNode):
            for card, reason in node.entries.items():
                yield Ban(card, role, reader.text(reason, key))
        elif node is not None:
            yield from (Ban(card, role) for card in reader.names(node, key))


def _bends(reader: _Reader, tree: MappingNode) -> Iterator[Bend]:
    node = tree.entries.get("bends")
    if node is None:
        return
    if not isinstance(node, MappingNode):
        raise reader.error("bends has to be a map from names of cards to what they are taken to state", node)
    for card, said in node.entries.items():
        if isinstance(said, MappingNode) and len(said.entries) == 1:
            ((kind, number),) = said.entries.items()
            yield Bend(card, reader.kind(kind, "number", said), reader.number(number, kind))
        else:
            yield Bend(card, reader.kind(reader.text(said, "bends"), "nothing", said))


class _Reader:
    """Reads the values of one file."""

    def __init__(self, file: str, statements: Mapping[str, str]) -> None:
        self.file = file
        self.statements = statements

    def error(self, sentence: str, node: Node) -> InputError:
        """Return an error about a node."""
        return InputError(sentence, file=self.file, line=node.line)

    def text(self, node: Node, key: str) -> str:
        """Return a word or name."""
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str) or not node.value.strip():
            raise self.error(f"{key} has to be a name", node)
        return node.value.strip()

    def number(self, node: Node, key: str) -> int | None:
        """Return a number; None for `any`."""
        if isinstance(node, ScalarNode) and node.value == "any":
            return None
        if isinstance(node, ScalarNode) and type(node.value) is int and 0 <= node.value <= _MOST:
            return node.value
        raise self.error(f"{key} has to be a whole number from 0 to {_MOST}, or any", node)

    def names(self, node: Node, key: str) -> tuple[str, ...]:
        """Return a list of names."""
        if not isinstance(node, SequenceNode):
            raise self.error(f"{key} has to be a list of names", node)
        return tuple(self.text(item, key) for item in node.items)

    def kind(self, word: str, beside: str, node: Node) -> str:
        """Return the kind of a statement that a card is taken to have, with `nothing` or a `number` beside it."""
        known = [kind for kind, takes in self.statements.items() if takes == beside]
        if word not in known:
            raise self.error(
                f'a card can\'t be taken to state "{word}"{suggestion(word, known)}; with {beside} beside it, expected {", ".join(known)}',
                node,
            )
        return word
