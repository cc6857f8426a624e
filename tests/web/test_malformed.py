"""Whatever is sent in place of a scenario or a deck, the answer is an answer or says what is wrong with it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.web.conftest import ROOT, Site, serving

from lawmage.yaml_tree import parse_tree, to_python

EXAMPLES = int(os.environ.get("LAWMAGE_EXAMPLES", "100"))
#: Real files, to be damaged.
FILES = sorted([*(ROOT / "examples").glob("*.yaml"), *(ROOT / "tests" / "cases" / "702").glob("*.yaml")])[:150]
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]
TREES = [to_python(parse_tree(text)) for text in TEXTS]
PATHS = [
    *("/api/check", "/api/check?explain=true", "/api/enumerate?limit=5", "/api/outcome"),
    *("/api/lethal", "/api/test", "/api/scenario", "/api/deck"),
]
MEDIA = ["application/json", "application/yaml", "text/plain"]

_ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        *(None, True, False, 0, -1, 2**31, -(2**31), 2**63, 10**30, 10**99, 1e308, -0.0, 0.1),
        *("", " ", "A", "D", "null", "~", "\x00", "\ud800", "\ufeff", "é", "\U0001f409", "-", "a" * 5000),
        *("1/1", "*/*", "99999999/1", "{X}{X}", "{2", "menace", "ward {2}"),
        *("!!python/object:os.system x", "&a", "*a", "<<", "../../etc/passwd", "file:///etc/passwd", "#", "{", "%", "${x}", "{{x}}"),
        *([], {}, [[]], {"": 1}, [None], {"A": {"A": {"A": {}}}}),
    ]
)
_ANYTHING = st.recursive(
    _ODD | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
_PIECES = st.binary(max_size=3) | st.sampled_from([b"\t", b"\x00", b": ", b"- ", b"{", b"}", b"'", b'"', b"*", b"&a ", b"\n"])


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a tree: what it is in, and its key or index."""
    for key, value in list(tree.items() if isinstance(tree, dict) else enumerate(tree)):
        yield tree, key
        if isinstance(value, dict | list):
            yield from places(value)


@st.composite
def damaged_trees(draw: st.DrawFn) -> bytes:
    """A real file with some values replaced, removed, repeated or given other keys."""
    tree = json.loads(json.dumps(draw(st.sampled_from(TREES))))
    for _ in range(draw(st.integers(1, 3))):
        where, key = draw(st.sampled_from([*places(tree)] or [(tree, "title")]))
        how = draw(st.integers(0, 3))
        if how == 0 and key in (where if isinstance(where, dict) else range(len(where))):
            del where[key]
        elif how == 1 and isinstance(where, dict):
            where[draw(st.text(max_size=6))] = where.pop(key, None)
        elif how == 2 and isinstance(where, list):
            where.append(deepcopy(draw(_ANYTHING)))
        else:
            where[key] = deepcopy(draw(_ANYTHING))  # what is drawn must not change
        if not tree:
            break
    return json.dumps(tree).encode()


@st.composite
def damaged_texts(draw: st.DrawFn) -> bytes:
    """A real file with some characters replaced, removed or added."""
    text = draw(st.sampled_from(TEXTS)).encode()
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 0, 1, 1, 10, 200]))
        text = text[:start] + draw(_PIECES) + text[start + length :]
    return text


@st.composite
def monsters(draw: st.DrawFn) -> bytes:
    """Deep, long or endless things."""
    size = draw(st.sampled_from([10, 60, 1000, 50_000]))
    pairs = zip("abcdefgh", "bcdefghi", strict=True)
    aliases = "".join(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairs)
    return draw(
        st.sampled_from(
            [
                "[" * size,
                "{" * size,
                '{"a":' * size + "1" + "}" * size,
                "[" * size + "]" * size,
                "- " * size,
                "a:\n " * size,
                "? " * size,
                f"a: &a [x]\n{aliases}",
                "battlefield: {" + ", ".join(f"m{number}: {{controller: A, pt: 1/1}}" for number in range(size // 50)) + "}",
                "title: " + "9" * size,
                "!" * size,
                '"' + "\\u0000" * (size // 10) + '"',
                "1 Plains\n" * (size // 10),
                f"{10**30} Plains",
                "%YAML 9.9\n---\n" + "&x " * size,
            ]
        )
    ).encode()


_JSON = _ANYTHING.map(lambda value: json.dumps(value).encode())
MALFORMED = damaged_trees() | damaged_texts() | monsters() | _JSON | st.binary(max_size=60)


def send(address: str, number: int) -> Counter[int]:
    """Send so many malformed bodies; return how often each status came."""
    statuses: Counter[int] = Counter()

    with httpx.Client(base_url=address, timeout=60) as client:

        @settings(max_examples=number, deadline=None, suppress_health_check=list(HealthCheck), database=None, phases=[Phase.generate])
        @given(body=MALFORMED, path=st.sampled_from(PATHS), media=st.sampled_from(MEDIA))
        def is_answered(body: bytes, path: str, media: str) -> None:
            response = client.post(path, content=body, headers={"Content-Type": media})
            statuses[response.status_code] += 1
            # 503: what is no judgement has no verdict that could be undecided, so it is said that it was stopped.
            assert response.status_code in (200, 413, 415, 422) or "so it was stopped" in response.text, response.text
            if response.status_code != 200:
                told = response.json()
                assert told["detail"]
                assert "\n" not in told["detail"]
                assert "Traceback" not in response.text

        run: Callable[[], None] = is_answered
        run()
    return statuses


def test_malformed_bodies(site: Site) -> None:
    assert send(site.address, EXAMPLES)[422] > EXAMPLES // 3


@pytest.mark.slow
def test_twenty_thousand_malformed_bodies(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2", "--time-limit", "10") as running:
        statuses = send(running.address, 20_000)
    print(dict(statuses))
    assert statuses.total() >= 20_000
