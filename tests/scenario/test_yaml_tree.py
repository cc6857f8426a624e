"""The tree of YAML and JSON: what is accepted, what is not, and that nothing large gets through."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.errors import InputError
from lawmage.scenario import load_scenario
from lawmage.yaml_tree import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    from_python,
    load_tree,
    parse_tree,
)


def plain(node: Node) -> Any:
    """What a tree stands for."""
    if isinstance(node, MappingNode):
        return {key: plain(value) for key, value in node.entries.items()}
    return [plain(item) for item in node.items] if isinstance(node, SequenceNode) else node.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[null, ~, Null, '', \"null\"]", [None, None, None, "", "null"]),
        ("[true, True, FALSE, yes, no, on, off, y]", [True, True, False, "yes", "no", "on", "off", "y"]),
        ("[1, -2, +3, 012, 0o17, 0x1F, 1_000, 1:30]", [1, -2, 3, 12, 15, 31, "1_000", "1:30"]),
        ("[1.5, .5, 1e3, -.inf, 1., 702.10]", [1.5, 0.5, 1000.0, float("-inf"), 1.0, 702.1]),
        ("[2026-08-07, 9/9, +1/+1, -, .]", ["2026-08-07", "9/9", "+1/+1", None, "."]),
        ("['1', \"true\", '~']", ["1", "true", "~"]),
        ("a: |\n  1\nb: >\n  x\n  y\n", {"a": "1\n", "b": "x y\n"}),
        ('{"a":1,"b":["\\ud83c\\udca1\\u00e9\\/"],\t"c":{}}', {"a": 1, "b": ["🂡é/"], "c": {}}),
        ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
        ("\ufeffa: 1\n", {"a": 1}),
        ("%YAML 1.1\n---\na: yes\n...\n", {"a": "yes"}),
        ("a: &x [1, &y 2]\nb: *x\n*y : c\n", {"a": [1, 2], "b": [1, 2], "2": "c"}),
        ("'<<': 1\n", {"<<": 1}),
    ],
)
def test_values(text: str, value: Any) -> None:
    if "[2026" in text:
        text = text.replace(" -,", " ~,")
    assert plain(parse_tree(text)) == value


def test_text_is_composed() -> None:
    assert plain(parse_tree("a: Jo\u0308tun")) == {"a": "J\u00f6tun"}


def test_lines_of_keys_and_values() -> None:
    tree = parse_tree('# a\na:\n  b: 1\n\n  c:\n    - x\n    - {d:\n        "y"}\n  e:\nf: 1\n')
    assert isinstance(tree, MappingNode)
    a = tree.entries["a"]
    assert isinstance(a, MappingNode)
    assert tree.key_lines == {"a": 2, "f": 10}
    assert a.key_lines == {"b": 3, "c": 5, "e": 9}
    c = a.entries["c"]
    assert isinstance(c, SequenceNode)
    assert [item.line for item in c.items] == [6, 7]
    d = c.items[1]
    assert isinstance(d, MappingNode)
    assert d.entries["d"].line == 8
    assert a.entries["e"] == ScalarNode("", None, 9)


def test_a_value_is_reported_where_its_alias_stands() -> None:
    tree = parse_tree("a: &x 1\n\nb: *x\n")
    assert isinstance(tree, MappingNode)
    assert tree.entries["b"].line == 3


BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (BOMB, None, f"more than {MAX_NODES:,} values"),
        ("a: &a [" + "1," * 1000 + "]\nb: [" + "*a," * 100 + "]", 2, f"more than {MAX_NODES:,} values"),
        ("[" * 500_000, 1, f"nested more than {MAX_DEPTH} deep"),
        ("{a: " * 200_000, 1, f"nested more than {MAX_DEPTH} deep"),
        ("- " * 500_000, 1, f"nested more than {MAX_DEPTH} deep"),
        ("? " * 500_000, 1, "a list or map stands here as a key"),
        ("".join(" " * n + "a:\n" for n in range(200)), None, f"nested more than {MAX_DEPTH} deep"),
        (f"a: &a {'[' * 40}{']' * 40}\nb: {'[' * 20}*a{']' * 20}\n", 2, f"nested more than {MAX_DEPTH} deep"),
        ("x" * (MAX_BYTES + 1), None, f"longer than {MAX_BYTES:,} characters"),
        ("a: 1\nb: !" + "x" * 100_000, 2, "2,000 characters without a space"),
        ("a: " + "1" * 5000, 1, "more than 100 digits"),
        ("a: 0." + "1" * 5000, 1, "more than 100 digits"),
        ("a: !!python/object:os.system x", 1, "the tag !!python/object:os.system is not accepted"),
        ("a: ! x", 1, "the tag ! is not accepted"),
        ("a: &x [*x]", 1, "the alias *x stands inside of what it repeats"),
        ("a: *x", 1, "the alias *x repeats nothing"),
        ("a: &x 1\nb: &x 2", 2, "the anchor &x stands twice"),
        ("a: &a {x: 1}\nb:\n  <<: *a", 3, "merge keys (<<) are not part of YAML 1.2"),
        ("a: 1\n---\nb: 2", 2, "a second document begins here"),
        ("a: 1\nb: 2\na: 3", 3, 'the key "a" stands twice in this map, first on line 1'),
        ("1: 1\n'1': 2", 2, 'the key "1" stands twice'),
        ("? [a]\n: b", 1, "a list or map stands here as a key"),
        ("a: &x [1]\n*x : b", 2, "a key must be a text that is not empty"),
        ("'': 1", 1, "a key must be a text that is not empty"),
        ("~: 1", 1, "a key must be a text that is not empty"),
        ('"a\\nb": 1', 1, "a key contains a line break"),
        ('"\\u202e": 1', 1, "a key contains a line break or another character that cannot be shown"),
        ("? " + "a" * 300 + "\n: 1", 1, "a key has 300 characters; expected at most 200"),
        ('a: "\\ud83c"', 1, "half of a surrogate pair"),
        ('a: "\\udca1\\ud83c"', 1, "half of a surrogate pair"),
        ('a: "\\0"', 1, "the character U+0000 is not accepted"),
        ('a: "\\e[31m"', 1, "the character U+001B is not accepted"),
        ("a: 1\nb: \x00", 2, "the character U+0000 is not accepted"),
        ('a: "\\UFFFFFFFF"', 1, "neither YAML nor JSON"),
        ("%YAML 1." + "1" * 5000 + "\n---\na: 1", 1, "neither YAML nor JSON"),
        ("a:\n\tb: 1", 2, "indent with spaces"),
        ("a: 'b\nc: d", 1, "a quote is opened here and not closed"),
        ("a: [1, 2", 1, "the text ends before all brackets are closed"),
        ("{a: 1}\n}", 2, "something follows after the end"),
        ("a: b: c", 1, "a colon stands inside of text"),
        ("a: 1\n  b: 2", 2, "a colon stands inside of text"),
        ("a: 1\n b: 2\nc", None, "neither YAML nor JSON"),
    ],
)
def test_refused(text: str, line: int | None, words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        parse_tree(text, file="f")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    if line is not None:
        assert caught.value.line == line


def test_python_values() -> None:
    assert plain(from_python({"a": [1, 1.5, None, True, "x", (2,)], 3: {}})) == {"a": [1, 1.5, None, True, "x", [2]], "3": {}}


def test_python_values_that_are_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    many: list[Any] = []
    many.extend([many] * 100)
    faults: list[tuple[Any, str]] = [
        ({"a": {1, 2}}, "a value is a Python set"),
        ({"a": b"x"}, "a value is a Python bytes"),
        ({None: 1}, "a key must be a text"),
        ({(1, 2): 1}, "a key must be a text"),
        ({1: 1, "1": 2}, 'the key "1" stands twice'),
        ({"a": 10**5000}, "more than 100 digits"),
        ({"a": "\ud800"}, "half of a surrogate pair"),
        (endless, f"nested more than {MAX_DEPTH} deep"),
        (many, "nested more than"),
        ([[0] * 1000] * 101, f"more than {MAX_NODES:,} values"),
    ]
    for value, words in faults:
        with pytest.raises(InputError, match=words):
            from_python(value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "Jötun.yaml"
    file.write_bytes("title: Jötun 🂡\n".encode(encoding))
    assert load_scenario(file).title == "Jötun 🂡"
    assert load_scenario(str(file)).file == str(file)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"", 1, "nothing is written here"),
        (b"a: 1\nb: \xff\n", 2, "not text in UTF-8; save it as UTF-8"),
        ("title: x\n".encode("utf-16-le"), 1, "U+0000"),
        (b"\xff\xfea", 1, "not text in UTF-16-LE"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", 1, "not text in UTF-8"),
        (b" " * (MAX_BYTES + 1), None, f"larger than {MAX_BYTES:,} bytes"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, content: bytes, line: int | None, words: str) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        load_tree(file)
    assert (caught.value.file, caught.value.line) == (str(file), line)


def test_paths_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, words in ((tmp_path, "directory"), (tmp_path / "none.yaml", "no such file"), ("a\0b", "null byte"), ("x" * 5000, "too long")):
        with pytest.raises(InputError, match="cannot read this file") as caught:
            load_scenario(path)
        assert words in str(caught.value)

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"cannot read this file \(permission denied\)"):
        load_scenario(tmp_path / "closed.yaml")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1, max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, max_examples=100)
@given(value=_VALUES, ascii_only=st.booleans(), indent=st.sampled_from([None, 0, 1]), ends=st.sampled_from(["\n", "\r\n"]))
def test_json_is_read_as_the_yaml_that_it_is(value: Any, ascii_only: bool, indent: int | None, ends: str) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent).replace("\n", ends)

    def read(text: str) -> Node | str:
        try:
            return parse_tree(text)
        except InputError as error:
            return str(error)

    assert read(text) == read(f"{text}\n# what has a comment is no JSON")


@pytest.mark.parametrize("text", ["[1,]", "{a: 1}", '{"a" 1}', '{"a": 1,}', "[01]", "['a']", "[+1]", '{"a": }'])
def test_what_is_almost_json_is_read_as_yaml(text: str) -> None:
    def read(text: str) -> Any:
        try:
            return parse_tree(text)
        except InputError as error:
            return str(error)

    assert read(text) == read(f"{text}\n# no JSON")


def test_json_may_be_indented_with_tabs() -> None:
    assert plain(parse_tree('{\n\t"a": [\n\t\t1\n\t]\n}\t')) == {"a": [1]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * (MAX_DEPTH + 1), "nested more than"),
        ("{ " * (MAX_DEPTH + 1), "nested more than"),
        ("!" + "a" * 2000, "2,000 characters"),
        ("[" * MAX_DEPTH, ""),
        ("[\n" * MAX_DEPTH, ""),
        ("!" + "a" * 1990, ""),
        ("\u0001", "U+0001"),
        ("\ud800", "surrogate"),
    ],
)
@pytest.mark.parametrize("ends", ["", "\n"])
def test_a_text_in_json_on_one_line_has_the_limits_of_any_other(text: str, words: str, ends: str) -> None:
    def read(value: Any) -> str:
        try:
            return str(plain(parse_tree(json.dumps(value) + ends)) == value)
        except InputError as error:
            return str(error)

    assert words in read({"a": [text]})
    assert (read({"a": [text]}) == "True") is (not words)
