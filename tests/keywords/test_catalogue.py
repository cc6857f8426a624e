"""What kb/keywords/ claims agrees with what the rulebook's sentences state.

Where the rulebook states something by the patterns of `lawmage.rulebook.catalogue`, the files must say the same; where it states
nothing, the files must name the general rule by which they know. The few claims that come from a keyword's own sentences in other
words are listed here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from lawmage.keywords import Keyword, Variant, load_keywords
from lawmage.rulebook.catalogue import Entry, counter_keywords, first_releases, read_catalogue
from lawmage.rulebook.model import Rulebook
from lawmage.rulebook.parse import parse, read

#: Rules on several instances that don't use those words, which kb/keywords/ reads so all the same.
OTHER_WORDS = {
    "701.15c": "goaded by several players",
    "702.124g": "more than one partner ability",
    "702.164b": "the sum of all toxic values",
}
#: Rules that define a variant without calling it one.
UNNAMED_VARIANTS = {"702.33h", "702.63b", "702.124i", "702.124j", "702.124k", "702.124m", "702.187c"}

#: Where abilities function by the general rules, for keywords whose own rules leave it to them.
GENERAL_PLACES = {
    "113.6": {"Battlefield"},
    "113.6d": {"Stack"},
    "113.6e": {"Stack", "WhereCastable"},
    "113.6f": {"Everywhere", "Graveyard", "Stack"},
    "113.6h": {"AsItEnters"},
    "113.6k": {"Battlefield", "Exile", "Graveyard", "Stack"},
    "113.6m": {"Graveyard", "Hand"},
    "303.4a": {"Stack"},
}

KEYWORDS = load_keywords()
BY_RULE: dict[str, list[Keyword]] = {}
for _keyword in KEYWORDS.values():
    BY_RULE.setdefault(_keyword.rule, []).append(_keyword)


@pytest.fixture(scope="session")
def books(shared: Path) -> list[Rulebook]:
    """Every official release, oldest first."""
    return [read(file) for file in sorted((shared / "data" / "rules").glob("*.txt"))]


@pytest.fixture(scope="session")
def newest(books: list[Rulebook]) -> Rulebook:
    return books[-1]


@pytest.fixture(scope="session")
def entries(newest: Rulebook) -> dict[str, Entry]:
    return read_catalogue(newest)


def claimed(rule: str, of: Callable[[Keyword | Variant], Iterable[str]], *, variants: bool = True) -> set[str]:
    """Return what the keywords of a rule, and their variants, say about something."""
    keywords = BY_RULE[rule]
    nodes: list[Keyword | Variant] = [*keywords, *(variant for keyword in keywords for variant in keyword.variants if variants)]
    return {term for node in nodes for term in of(node)}


def own(rules: Iterable[str], rule: str) -> set[str]:
    """Return those of `rules` that are `rule` or a subrule of it."""
    return {number for number in rules if re.fullmatch(re.escape(rule) + "[a-z]*", number)}


# --- the whole


def test_every_keyword_rule_has_a_file_and_every_file_a_rule(entries: dict[str, Entry]) -> None:
    assert set(BY_RULE) == set(entries)
    assert {name for entry in entries.values() for name in entry.names} == set(KEYWORDS)
    for rule, entry in entries.items():
        assert {keyword.name for keyword in BY_RULE[rule]} == set(entry.names)


def test_numbers(newest: Rulebook, entries: dict[str, Entry]) -> None:
    rules = Counter(node.parent for node in newest.nodes if node.kind == "rule" and node.parent in ("701", "702"))
    assert rules == {"701": 70, "702": 195}
    # the first rule of each chapter is about all keywords, and two rules define two keywords each
    assert Counter(number[:3] for number in entries) == {"701": 69, "702": 194}
    assert Counter(keyword.action for keyword in KEYWORDS.values()) == {True: 70, False: 195}


def test_every_subrule_is_accounted_for_once(newest: Rulebook, entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        statements = Counter(statement.rule for keyword in BY_RULE[rule] for statement in keyword.statements)
        assert set(statements) == set(entry.rules)
        shared_rules = {number for number, count in statements.items() if count > 1}
        assert not shared_rules or len(BY_RULE[rule]) > 1
    assert newest.by_number.keys() >= {"701.1", "702.1", "702.1d"}


def test_every_rule_number_exists(newest: Rulebook) -> None:
    folder = Path(__file__).resolve().parent.parent.parent / "kb" / "keywords"
    for file in folder.glob("*.ttl"):
        if file.name == "shapes.ttl":
            continue
        for number in re.findall(r"(?<![\d-])[1-9]\d\d\.\d+[a-z]*(?!-)\b|(?<=\()[1-9]\d\d(?=\))", file.read_text(encoding="utf-8")):
            assert number in newest.by_number, f"{file.name}: {number}"


def test_files_are_named_by_rule_and_heading(newest: Rulebook) -> None:
    folder = Path(__file__).resolve().parent.parent.parent / "kb" / "keywords"
    for file in folder.glob("70[12].*.ttl"):
        chapter, number, slug = re.fullmatch(r"(70[12])\.(\d{3})-([a-z0-9-]+)\.ttl", file.name).groups()  # type: ignore[union-attr]
        node = newest.by_number[f"{chapter}.{int(number)}"]
        heading = node.heading or newest.by_number[chapter].heading
        plain = re.sub(r"^\W* \((.*)\)$", r"\1", heading.lower().replace("’", ""))
        assert slug == re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def test_since_is_the_first_release_with_a_rule(books: list[Rulebook]) -> None:
    first = first_releases(books)
    assert len(books) == 23
    for name, keyword in KEYWORDS.items():
        known_as = [first[known] for known in (name, keyword.former_name) if known]
        assert keyword.since.isoformat() == min(known_as)
        if keyword.renamed:
            assert keyword.renamed.isoformat() == first[name]
    former = {keyword.former_name for keyword in KEYWORDS.values()} - {""}
    assert set(first) - set(KEYWORDS) == former == {"totem armor"}


# --- what each keyword's sentences state


def test_kinds(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        if BY_RULE[rule][0].action:
            assert claimed(rule, lambda k: k.kinds, variants=False) == {"KeywordAction"}
            continue
        kinds = claimed(rule, lambda k: k.kinds, variants=False)
        cited = {number for keyword in BY_RULE[rule] for number in keyword.kind_rules}
        assert set(entry.kinds) <= kinds, rule
        assert own(cited, rule) <= {number for rules in entry.kinds.values() for number in rules}, rule
        if own(cited, rule) == cited:
            assert set(entry.kinds) == kinds, rule


def test_a_keyword_for_several_abilities_has_each_of_them(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        if entry.abilities:
            assert max(len(keyword.abilities) for keyword in BY_RULE[rule]) == entry.abilities, rule
    for keyword in KEYWORDS.values():
        if keyword.abilities:
            assert {kind for ability in keyword.abilities for kind in ability.kinds} == set(keyword.kinds), keyword.name
            assert {place for ability in keyword.abilities for place in ability.places} == set(keyword.places), keyword.name


def test_places(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        if BY_RULE[rule][0].action:
            assert not claimed(rule, lambda k: k.places)
            continue
        assert set(entry.places) <= claimed(rule, lambda k: k.places), rule
        for keyword in BY_RULE[rule]:
            stated = {number for rules in entry.places.values() for number in rules}
            assert own(keyword.place_rules, rule) <= stated, rule
            general = set(keyword.place_rules) - own(keyword.place_rules, rule)
            places = set(entry.places).union(*(_by_general_rule(number, keyword) for number in general))
            assert set(keyword.places) <= places, rule


def _by_general_rule(number: str, keyword: Keyword) -> set[str]:
    # 113.6: a spell ability functions on the stack, the abilities of permanents on the battlefield
    if number == "113.6" and "Spell" in keyword.kinds:
        return {"Stack"} | (GENERAL_PLACES[number] if set(keyword.kinds) - {"Spell"} else set())
    return GENERAL_PLACES[number]


def test_costs(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        assert claimed(rule, lambda k: [cost.kind for cost in k.costs]) == entry.costs, rule
        assert claimed(rule, lambda k: [cost.rule for cost in k.costs]) <= set(entry.rules), rule


def test_timing(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        assert claimed(rule, lambda k: k.timing) == entry.times, rule


def test_events(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        if not BY_RULE[rule][0].action:
            assert claimed(rule, lambda k: k.events) == entry.events, rule
    for keyword in KEYWORDS.values():
        if "Triggered" in keyword.kinds and "{ability}" not in "".join(keyword.forms):
            assert keyword.events, keyword.name


def test_written_forms(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        forms = claimed(rule, lambda k: k.forms)
        patterns = [".+".join(re.escape(part) for part in re.split(r"\{[a-z]+\}", form)) for form in forms]
        for stated in entry.forms:
            assert any(re.fullmatch(pattern, stated) for pattern in patterns), f"{rule}: {stated}"


def test_variants(entries: dict[str, Entry]) -> None:
    defined = {variant.rule for keyword in KEYWORDS.values() for variant in keyword.variants}
    stated = {number for entry in entries.values() for number in entry.variants}
    assert defined == stated | UNNAMED_VARIANTS
    assert not stated & UNNAMED_VARIANTS


def test_designations(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        assert claimed(rule, lambda k: getattr(k, "designation_rules", ())) == entry.designations, rule


def test_keyword_counters(newest: Rulebook) -> None:
    assert {name for name, keyword in KEYWORDS.items() if keyword.counter_allowed} == counter_keywords(newest)
    assert len(counter_keywords(newest)) == 15


# --- several instances


def test_every_statement_on_several_instances_is_in_the_catalogue(entries: dict[str, Entry]) -> None:
    for rule, entry in entries.items():
        stated = {statement.rule for statement in entry.instances}
        assert claimed(rule, lambda k: k.stacking_rules) - OTHER_WORDS.keys() == stated, rule
        if not claimed(rule, lambda k: k.stacking_rules) & OTHER_WORDS.keys():
            assert claimed(rule, lambda k: k.stacking) == {term for found in entry.instances for term in found.stacking}, rule


def test_count_of_statements_on_several_instances(entries: dict[str, Entry]) -> None:
    statements = [statement for rule, entry in entries.items() if rule.startswith("702.") for statement in entry.instances]
    assert all(statement.stacking for statement in statements)
    counts = Counter(tuple(sorted(statement.stacking)) for statement in statements)
    assert counts == {
        ("Redundant",): 32,
        ("EachTriggers",): 28,
        ("EachApplies",): 11,
        ("EachPaid",): 5,
        ("AnyMayBeUsed",): 2,
        ("AnyMayBeUsed", "EachPaid"): 1,
        ("EachApplies", "EachPaid"): 1,
    }
    assert len(statements) == 80


# --- no text of the rulebook


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9+/{}'-]+", text.lower().replace("’", "'"))


def test_no_words_are_the_rulebooks(newest: Rulebook) -> None:
    length = 7
    runs: set[tuple[str, ...]] = set()
    for node in newest.nodes:
        if node.number.startswith(("701.", "702.")):
            said = words(node.text)
            runs.update(tuple(said[start : start + length]) for start in range(len(said) - length + 1))
    assert runs
    for keyword in KEYWORDS.values():
        gists = [(statement.rule, statement.gist) for statement in keyword.statements]
        costs = [*keyword.costs, *(cost for variant in keyword.variants for cost in variant.costs)]
        payments = [(cost.rule, cost.pays) for cost in costs]
        for rule, text in gists + payments:
            ours = words(text)
            copied = {tuple(ours[start : start + length]) for start in range(len(ours) - length + 1)} & runs
            assert not copied, f"{rule}: {text}"


# --- the reader itself, on a made-up release

CHAPTERS = """\
Magic: The Gathering Comprehensive Rules

These rules are effective as of March 4, 2030.

Introduction

A made-up rulebook for tests.

Contents

1. Game Concepts
122. Counters

7. Additional Rules
701. Keyword Actions
702. Keyword Abilities

Glossary

Credits

1. Game Concepts

122. Counters

122.1. A counter is a marker.

122.1a Some do nothing.

122.1b The keywords that a keyword counter can be are blurring, double hum, and glowing, as well as variants.

7. Additional Rules

701. Keyword Actions

701.1. Verbs.

701.2. Wave and Unwave

701.2a Waved is a designation a permanent can have.

702. Keyword Abilities

702.1. Names.

702.2. Glowing

702.2a Glowing is a static ability that functions while the card is in a player's hand.
     “Glowing [cost]” means “You may pay an additional [cost].”

702.2b Multiple instances of glowing on the same object are redundant.

702.3. Hum!

702.3a Hum! represents two abilities. The first is a static ability that functions on the stack. The second is a triggered ability.
     “Hum! N” means “[Cost]: Do so. Activate only as a sorcery” and “Whenever this creature attacks, do so.”

702.3b “Hum! from [quality]” is a variant of the hum ability.

702.3c If a creature has multiple instances of hum!, each triggers separately.

Glossary

Credits

Somebody.
"""


@pytest.fixture(scope="module")
def made_up() -> Rulebook:
    return parse(CHAPTERS.encode())


def test_reading_sentences(made_up: Rulebook) -> None:
    found = read_catalogue(made_up)
    assert list(found) == ["701.2", "702.2", "702.3"]
    assert found["701.2"].names == ("wave", "unwave")
    assert found["701.2"].designations == {"701.2a"}
    glowing, hum = found["702.2"], found["702.3"]
    assert glowing.kinds == {"Static": ("702.2a",)}
    assert glowing.places == {"Hand": ("702.2a",)}
    assert glowing.costs == {"AdditionalCost"}
    assert glowing.forms == {"glowing {}"}
    assert [(statement.rule, set(statement.stacking)) for statement in glowing.instances] == [("702.2b", {"Redundant"})]
    assert set(hum.kinds) == {"Static", "Triggered"}
    assert hum.abilities == 2
    assert hum.places == {"Stack": ("702.3a",)}
    assert hum.costs == {"ActivationCost"}
    assert hum.times == {"AsASorcery"}
    assert hum.events == {"Attacks"}
    assert hum.variants == {"702.3b"}
    assert [set(statement.stacking) for statement in hum.instances] == [{"EachTriggers"}]


def test_counters_and_first_releases_of_a_made_up_book(made_up: Rulebook) -> None:
    assert counter_keywords(made_up) == {"blurring", "double hum", "glowing"}
    later = parse(CHAPTERS.replace("March 4, 2030", "March 4, 2031").replace("702.3. Hum!", "702.3. Buzz").encode())
    assert first_releases([later, made_up]) == {
        "wave": "2030-03-04", "unwave": "2030-03-04", "glowing": "2030-03-04", "hum!": "2030-03-04", "buzz": "2031-03-04"
    }  # fmt: skip
