"""The meaning of rules stands in kb/ and asp/: no term of theirs decides anything in Python, and no rule's number or date does.

The checker is left out: it knows rules on its own, to confirm what asp/ says. So is lawmage.text, which puts English into terms.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import lawmage
from lawmage.play.knowledge import loaded
from lawmage.resources import data_folder

SOURCE = Path(lawmage.__file__).parent
FILES = sorted(file for file in SOURCE.rglob("*.py") if file.relative_to(SOURCE).parts[0] != "checker")
#: The words of kb/ that rules give a meaning: their terms, the names of keywords, the labels of kinds of abilities.
TERMS = """
    PREFIX lm: <urn:lawmage:vocabulary:> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    SELECT DISTINCT ?term WHERE {
      { ?node lm:term|lm:happening|lm:designation ?term } UNION { ?keyword a/rdfs:subClassOf lm:Keyword ; lm:name ?term }
      UNION { ?kind a lm:AbilityKind ; rdfs:label ?term } UNION { ?keyword lm:appearsOn ?term }
    }
"""
#: Types, subtypes, supertypes and counters that rules name.
OTHERS = """
    artifact battle conspiracy creature dungeon enchantment instant kindred land phenomenon plane planeswalker scheme sorcery vanguard
    aura equipment fortification vehicle saga class room case siege background plains island swamp mountain forest
    basic legendary ongoing snow world loyalty defense lore time shield stun finality
"""
#: Names of what files and commands speak of: judgements, plays, zones, sections of decks. They are terms as well.
NAMES = """
    attack block damage outcome lethal play cast activate special trigger attach
    battlefield hand graveyard exile library command stack outside commander companion
"""
_NUMBER = re.compile(r"[1-9]\d{2}\.\d+[a-z]{0,2}")
_DATE = re.compile(r"[12]\d{3}-\d\d-\d\d")


@cache
def terms() -> frozenset[str]:
    """Return the words that must decide nothing in Python, in lower case."""
    kb = data_folder("kb")
    store = loaded(*sorted(kb.glob("*.ttl")), *sorted((kb / "keywords").glob("*.ttl")), *sorted((kb / "formats").glob("*.ttl")))
    return frozenset({str(row["term"].value).lower() for row in store.query(TERMS)} | set(OTHERS.split())) - set(NAMES.split())  # type: ignore[union-attr]


def literals(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield the texts in a program, each with whether it decides: it is compared, looked up, matched, or in a constant collection."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, _decides(node, above)


def _decides(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    within: ast.AST = node
    while (parent := above.get(within)) is not None:
        if isinstance(parent, (ast.Compare, ast.MatchValue)) or (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.BitAnd)):
            return True
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            constant = within is not node and isinstance(above[parent], ast.Module)
            return constant and not ast.unparse(parent).startswith("__all__")
        if isinstance(parent, ast.Dict) and within in parent.values:
            return False
        if isinstance(parent, ast.Attribute):
            return parent.attr in ("intersection", "isdisjoint", "issubset", "issuperset")
        if isinstance(parent, ast.Call):
            if not (isinstance(parent.func, ast.Name) and parent.func.id in ("frozenset", "set", "dict", "tuple")):
                return isinstance(parent.func, ast.Attribute) and parent.func.attr in ("intersection", "isdisjoint", "issubset", "costs_to")
        elif not isinstance(parent, (ast.Tuple, ast.Set, ast.List, ast.Dict, ast.BinOp, ast.IfExp, ast.Starred)):
            return False
        within = parent
    return False


@cache
def found() -> dict[str, set[str]]:
    """Return the terms that decide something, by the file."""
    words: defaultdict[str, set[str]] = defaultdict(set)
    for file in FILES:
        name = file.relative_to(SOURCE).as_posix()
        if name.startswith("text/"):
            continue
        for text, decides in literals(ast.parse(file.read_text(encoding="utf-8"))):
            if decides and text.lower() in terms():
                words[name].add(text)
    return words


@cache
def numbered() -> dict[str, set[str]]:
    """Return the texts that are a rule's number or a date and nothing else, by the file; examples in descriptions of the API are none."""
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for file in FILES:
        name = file.relative_to(SOURCE).as_posix()
        for text, _ in literals(ast.parse(file.read_text(encoding="utf-8"))) if not name.startswith("web/api/") else ():
            if _NUMBER.fullmatch(text) or _DATE.fullmatch(text):
                texts[name].add(text)
    return texts


#: What stays, and why.
ALLOWED: dict[str, dict[str, str]] = {
    "names of commands, and of what they print and fetch": {
        "answers/__init__.py": "convert keyword search",
        "cards/fetch.py": "type",
        "cli/commands.py": "search",
        "cli/search.py": "keyword",
        "mcp/server.py": "keyword search",
        "mcp/words.py": "banned",
        "queries.py": "keyword",
        "web/api/schemas.py": "Keyword type",
        "web/pages/board.py": "keyword",
        "web/pages/search.py": "keyword",
        "web/pool.py": "keyword search",
    },
    "keys and words of scenarios and house formats, and what a file has to say of an object": {
        "decks/house_format.py": "banned banned_as_commander banned_as_companion leads restricted",
        "play/expectation.py": "ability triggers",
        "play/facts.py": "tapped token",
        "scenario.py": (
            "artifact basic battle colorless conspiracy creature defense dungeon enchantment instant kindred land legendary level loyalty "
            "mana_cost ongoing phenomenon plane planeswalker scheme snow sorcery tapped token turn vanguard world"
        ),
        "scenario_cards.py": "creature planeswalker",
        "scenario_proposals.py": "battle planeswalker tap",
        "web/pages/board_edits.py": "battle creature",
    },
    "how symbols of mana are written (107.4)": {
        "cli/_deck_words.py": "C colorless",
        "play/mana.py": "C colorless sacrifice snow tap",
        "play/payment.py": "colorless snow",
        "web/pages/deck.py": "colorless",
    },
    "the form of filters and conditions: tests with a keyword, a subtype or a slot beside them, conditions that are tried both ways": {
        "cards/coverage.py": "open",
        "cards/coverage_record.py": "open",
        "decks/facts.py": "mutual open subtype supertype type",
        "decks/pairings.py": "mutual",
        "play/alike.py": "open",
        "play/conditions.py": "open",
        "play/dated.py": "counter keyword type",
        "play/definitions.py": "every_subtype keyword named open subtype",
        "play/explain.py": "keyword",
        "play/facts.py": "open",
        "play/nearest_play.py": "color",
        "play/one_change.py": "named",
        "play/phrases.py": "color is keyword named open quality subtype supertype type",
        "play/reading.py": "open quality",
    },
    "words between asp/, or lawmage.text, and the reader of what it says": {
        "decks/repair.py": "leads",
        "play/events.py": (
            "comes_off creates_tokens designates gains_keyword goes_to puts_counters removes_counters sets transforms triggers"
        ),
        "play/lethal_blocks.py": "unblocked",
        "play/plays_facts.py": "additional alternative colorless mana_cost mode other snow token turn",
        "play/quick.py": "world",
    },
    "what publishers say of cards, and which provisions bound a search or are told; asp/ judges by them": {
        "decks/answers.py": "has_commander",
        "decks/cases.py": "minimum_size",
        "decks/explain.py": "pairing",
        "decks/facts.py": "banned basic few_colors_partner has_companion restricted",
        "decks/legality.py": "signature_spells",
        "decks/repair.py": "maximum_size minimum_size sideboard_limit",
    },
    "counts and pictures of cards, which judge nothing": {
        "cards/coverage.py": "Aura Equipment Vehicle creature",
        "cards/names.py": "other",
        "cards/store.py": "other",
        "decks/picture.py": "land",
        "rulebook/catalogue.py": "spell",
        "rulebook/coverage.py": "open",
    },
}
#: The rule that lists the counters is read for them; a date shows how long dates are; pages are made ready with one rule.
NUMBERS = {"rulebook/catalogue.py": "122.1b", "rulebook/history.py": "2026-08-07", "web/warming.py": "702.2"}


def allowed(name: str) -> set[str]:
    return {word for files in ALLOWED.values() for word in files.get(name, "").split()}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_no_term_of_the_rules_decides_anything(file: Path) -> None:
    """A term that is compared here needs a property in kb/ that is read in its place, or a rule of asp/; or a line above, with a reason."""
    name = file.relative_to(SOURCE).as_posix()
    assert found().get(name, set()) == allowed(name)
    assert numbered().get(name, set()) == set(NUMBERS.get(name, "").split())


def test_what_is_allowed_is_in_files_that_there_are() -> None:
    names = {file.relative_to(SOURCE).as_posix() for file in FILES}
    assert {name for files in ALLOWED.values() for name in files} | NUMBERS.keys() <= names


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('if thing.kind == "menace": pass', {"menace"}),
        ('if "aura" in thing.subtypes: pass', {"aura"}),
        ('KINDS = frozenset({"cannot_block"})', {"cannot_block"}),
        ('SAID = {"flying": "x"}', {"flying"}),
        ('match what:\n case "flying": pass', {"flying"}),
        ('x = {"land"}.intersection(types)', {"land"}),
        ('found = {"instant"} & types', {"instant"}),
        ('def f() -> None:\n said = {"menace": 1}', set()),
        ('call("menace")', set()),
    ],
)
def test_what_decides(code: str, words: set[str]) -> None:
    assert {text for text, decides in literals(ast.parse(code)) if decides and text in terms()} == words
