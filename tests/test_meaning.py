"""The meaning of rules stands in kb/ and asp/: no term of theirs decides anything in Python, and no rule's number or date does.

The checker knows rules, kinds of constraints, types and what is asked of objects on its own, to confirm what asp/ says; it names no
keyword. No pattern for English names one either: which of them words are about is a fact of kb/ (`lawmage.text.play_keywords`).
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from pyoxigraph import Store

import lawmage
from lawmage.play.knowledge import loaded
from lawmage.resources import data_folder

SOURCE = Path(lawmage.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
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


#: The keywords that cards have, whose names say what they do and not only that it is done.
KEYWORDS = """
    PREFIX lm: <urn:lawmage:vocabulary:>
    SELECT DISTINCT ?term WHERE { { ?keyword a lm:KeywordAbility } UNION { ?keyword a lm:KeywordVariant } ?keyword lm:name ?term }
"""


@cache
def store() -> Store:
    kb = data_folder("kb")
    return loaded(*sorted(kb.glob("*.ttl")), *sorted((kb / "keywords").glob("*.ttl")), *sorted((kb / "formats").glob("*.ttl")))


@cache
def keywords() -> frozenset[str]:
    """Return the names of the keywords that cards have, in lower case."""
    return frozenset(str(row["term"].value).lower() for row in store().query(KEYWORDS))  # type: ignore[union-attr]


@cache
def terms() -> frozenset[str]:
    """Return the words that must decide nothing in Python, in lower case."""
    return frozenset({str(row["term"].value).lower() for row in store().query(TERMS)} | set(OTHERS.split())) - set(NAMES.split())  # type: ignore[union-attr]


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
        meant = keywords() if name.startswith("checker/") else terms()
        for text, decides in literals(ast.parse(file.read_text(encoding="utf-8"))):
            if decides and text.lower() in meant:
                words[name].add(text)
    return words


def patterns(tree: ast.Module) -> Iterator[str]:
    """Yield the texts in a program that stand in an argument of a function of `re`, or in a constant that is compiled later."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            within: ast.AST | None = node
            while within is not None and not _is_pattern(within, above.get(within)):
                within = above.get(within)
            if within is not None:
                yield node.value


def _is_pattern(within: ast.AST, parent: ast.AST | None) -> bool:
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Attribute) and isinstance(parent.func.value, ast.Name) and parent.func.value.id == "re"
    # What looks like a pattern, in a constant of the module.
    constant = isinstance(within, ast.Constant) and bool(re.search(r"\\b|\(\?|\[\w", str(within.value)))
    return constant and not isinstance(parent, (ast.Expr, ast.keyword))


@cache
def matched() -> dict[str, set[str]]:
    """Return the keywords that patterns name, by the file."""
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, keywords()), key=len, reverse=True))})(?![\w-])")
    words: defaultdict[str, set[str]] = defaultdict(set)
    for file in FILES:
        # Examples of requests are texts of several lines.
        for text in () if file.name == "examples.py" else patterns(ast.parse(file.read_text(encoding="utf-8"))):
            words[file.relative_to(SOURCE).as_posix()].update(named.findall(re.sub(r"\\b", " ", text).lower()))
    return words


@cache
def numbered() -> dict[str, set[str]]:
    """Return the texts that are a rule's number or a date and nothing else, by the file; not those of the checker.

    Examples in descriptions of the API are none.
    """
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for file in FILES:
        name = file.relative_to(SOURCE).as_posix()
        for text, _ in literals(ast.parse(file.read_text(encoding="utf-8"))) if not name.startswith(("web/api/", "checker/")) else ():
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
        "text/costs.py": "C",
        "web/pages/deck.py": "colorless",
    },
    "English in and out: the nouns, adjectives and verbs that are put into terms, and the terms that are put together from them": {
        "text/aims.py": "spell",
        "text/described.py": (
            "artifact attacking basic battle color creature enchantment instant kindred land legendary mana_value_at_least "
            "mana_value_at_most planeswalker power_at_least power_at_most snow sorcery spell subtype supertype tapped token "
            "toughness_at_least toughness_at_most type world"
        ),
        "text/headings.py": "level",
        "text/meaning.py": (
            "KEYWORD SUBTYPE TYPE attached_is attacking_alone color controlled_by controls creature is itself other subtype supertype "
            "there_are turn type"
        ),
        "text/plays.py": "controlled_by spell",
        "text/words.py": "artifact creature enchantment land planeswalker token vehicle",
        "text/write.py": "creature keyword open subtype type",
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
        "text/deck.py": "subtype type",
        "text/forms.py": "quality subtype type",
        "text/plays.py": "keyword",
    },
    "words between asp/, or lawmage.text, and the reader of what it says": {
        "decks/repair.py": "leads",
        "play/events.py": (
            "comes_off creates_tokens designates gains_keyword goes_to puts_counters removes_counters sets transforms triggers"
        ),
        "play/lethal_blocks.py": "unblocked",
        "play/play_casting.py": "additional alternative mode other",
        "play/play_choices.py": "mode",
        "play/play_timing.py": "token",
        "play/play_ways.py": "colorless snow turn",
        "play/plays_facts.py": "mana_cost",
    },
    "what publishers say of cards, and which provisions bound a search or are told; asp/ judges by them": {
        "decks/answers.py": "has_commander",
        "decks/cases.py": "minimum_size",
        "decks/explain.py": "pairing",
        "decks/facts.py": "banned basic few_colors_partner has_companion restricted",
        "decks/legality.py": "signature_spells",
        "decks/repair.py": "maximum_size minimum_size sideboard_limit",
    },
    "how tests and conditions are told in words for people, by which nothing is judged": {
        "play/phrases.py": (
            "attached_is attached_to_own attached_to_source attacking attacking_player blocked_by_own blocking blocking_own colorless "
            "controlled_by controls enchanted equipped has_counter modified monocolored multicolored other shares_color_with_own token turn"
        ),
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
#: The words of publishers for printings, and a rule about Attractions that is looked for by its words.
PATTERNS = {"cards/names.py": "surge", "rulebook/catalogue.py": "visit"}
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
    assert matched().get(name, set()) == set(PATTERNS.get(name, "").split())


def test_what_is_allowed_is_in_files_that_there_are() -> None:
    names = {file.relative_to(SOURCE).as_posix() for file in FILES}
    assert {name for files in ALLOWED.values() for name in files} | NUMBERS.keys() | PATTERNS.keys() <= names


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


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (r'AIMS = re.compile(r"\b(?:targets?|shroud)\b")', {"shroud"}),
        (r'GIVEN = (("each", r"(?:has|have) hexproof from"),)', {"hexproof from"}),
        ('def f(text):\n return re.search("can\'t|" + "ward", text)', {"ward"}),
        ('def f(text):\n """The pattern [a-z] of ward."""', set()),
    ],
)
def test_what_a_pattern_names(code: str, words: set[str]) -> None:
    found = {word for text in patterns(ast.parse(code)) for word in keywords() if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)}
    assert words <= found
    assert bool(found) == bool(words)
