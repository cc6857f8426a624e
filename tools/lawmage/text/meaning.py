"""From the tree of a sentence to values of the vocabulary.

Which wording means what stands in sentences.lark. Here are only the ways in which English puts descriptions together: what "or" joins,
what a word further on belongs to, what "it" stands for. What is ambiguous is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice, product

from lark import Token, Tree

from lawmage.constraints import Condition, Constraint, Filter, Pointer, Subject, Test
from lawmage.text.forms import KeywordForms, parse_keywords
from lawmage.text.parser import UnreadableError, parse, pattern, without_durations
from lawmage.text.words import Word, shown, split_words, subtype, turn, types_of_cards

__all__ = ["Context", "UnreadableError", "quality", "statements"]

#: What a test says: any of the alternatives, each of which is all of its tests.
_Any = tuple[tuple[Test, ...], ...]

_NUMBERS = {
    **{word: index for index, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1)},
    **{"eleven": 11, "twelve": 12, "thirteen": 13, "twenty": 20, "ninety-nine": 99},
}
_MOST_ALTERNATIVES = 64
#: A condition that speaks of objects which "it" or "that creature" can stand for, unless these are targets.
_OBJECTS = re.compile(r"(?i)(?<!target )\b(?:creature|permanent|artifact|land)s?\b")
_ARTICLE = re.compile(r"(?i)an? ")
_LONGEST_NUMBER = 6
#: What can be added to an object's characteristics.
_ADDED = frozenset({"type", "subtype", "supertype", "color"})
#: The conditions that a board settles, beside those that ask for a value.
_CONDITIONS = frozenset({"controls", "there_are", "is", "attached_is", "attacking_alone", "turn"})
#: Tests that compare with the object that has the ability, or its controller: they mean something else where another object has it.
_OF_THE_HOLDER = ("controlled_by", "other")


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading of a sentence depends on beside its words.

    Attributes:
        forms: the keywords.
        names: the words that mean the object itself.
        it: what "it" stands for by the sentences before, None if they name nothing, "" if they leave it open.
        durations: how many phrases say that something lasts for a time.
        within: reads a text in quotation marks that objects have; raises UnreadableError.
    """

    forms: KeywordForms
    names: tuple[str, ...] = ()
    it: Pointer | str | None = None
    durations: int = 0
    within: Callable[[str], tuple[Constraint, ...]] | None = None


def statements(words: Sequence[Word], text: str, context: Context) -> tuple[tuple[Constraint, ...], Subject]:
    """Return what the sentence of `words`, which has no durations, states, and what it is about.

    Raises:
        UnreadableError: if it is not understood, or could mean two things.
    """
    tree = parse(words, "sentence", text)
    return _Sentence(words, text, context).read(tree)


@lru_cache(maxsize=4096)
def quality(written: str) -> Filter | None:
    """Return the objects that the words after a keyword describe ("red", "Dragons", "everything"); None if they are not understood."""
    words = split_words(written, any_case=True)
    try:
        tree = parse(words, "quality", written)
        if tree.data == "everything":
            return Filter()
        return _Nouns(KeywordForms({}), creatures=True).filter(_tree(tree.children[0]))
    except UnreadableError:
        return None


@dataclass(frozen=True, slots=True)
class _Nouns:
    """Reads descriptions of objects.

    `creatures` says that the word "creature" tells creatures from other objects; where only creatures can be meant it says nothing.
    `counting` says that objects are counted: each Aura and Equipment is one or the other.
    """

    forms: KeywordForms
    creatures: bool
    counting: bool = False

    def filter(self, noun: Tree[Token]) -> Filter:
        """Return the objects that a noun describes."""
        trees = [child for child in noun.children if isinstance(child, Tree)]
        parts = [self._part(tree) for tree in trees if tree.data == "part"] or [_Part()]
        parts[-1].rest.extend(self._test(tree) for tree in trees if tree.data != "part")
        if len(parts) > 1:
            self._join(parts, [str(child).split() for child in noun.children if isinstance(child, Token)])
        alternatives = dict.fromkeys(tests for part in parts for tests in self._alternatives(part))
        if len(alternatives) > _MOST_ALTERNATIVES:
            raise UnreadableError("too many alternatives")
        return Filter(tuple(alternatives))

    def _part(self, tree: Tree[Token]) -> _Part:
        part = _Part()
        for child in map(_tree, tree.children):
            if child.data == "article":
                part.article = True
            elif child.data == "other":
                part.other = True
            elif child.data == "names":
                for item in map(_tree, child.children):
                    part.add(item, self._test(item))
            else:
                for post in map(_tree, child.children):
                    part.rest.append(self._test(post))
                    part.controllers += str(post.data).endswith("controlled_by") or str(post.data).startswith("attached_to")
        return part

    def _alternatives(self, part: _Part) -> Iterator[tuple[Test, ...]]:
        before: list[_Any] = [((Test("other"),),)] if part.other else []
        head: list[_Any] = [((Test("type", "creature"),),)] if part.creature and (self.creatures or part.typed) else []
        for chosen in islice(product(*before, *part.names, *head, *part.rest), _MOST_ALTERNATIVES + 1):
            yield tuple(dict.fromkeys(test for tests in chosen for test in tests))

    def _join(self, parts: list[_Part], joints: list[list[str]]) -> None:
        """Let the parts share what belongs to all of them: "other" before, the noun "creatures", "you control" behind."""
        *first, last = parts
        conjunctions = {word for joint in joints for word in joint} - {","}
        if len(conjunctions) != 1 or any(joint != [","] for joint in joints[:-1]) or any(part.rest for part in first):
            raise UnreadableError("joined in an unusual way")
        # "Artifact and/or white creatures" shares its noun; "Walls and/or creatures with flying" does not.
        shared = last.creature and bool(last.names) and not any(part.creature or part.plural for part in first)
        if shared and (len(last.names) > 1 or (self.creatures and any(part.article for part in parts[1:]))):
            raise UnreadableError("unclear what both are")
        if any(not (part.creature or part.plural) and len(part.names) > 1 for part in first):
            raise UnreadableError("unclear what is joined")
        if conjunctions == {"and"} and not self.counting and (self.creatures or not all(part.creature or part.noun for part in parts)):
            raise UnreadableError("both or either")
        if any(part.other and not part.article for part in parts[1:]):
            raise UnreadableError("unclear what is other")
        for part in first:
            part.creature = part.creature or shared
        for part in parts[1:]:
            part.other = part.other or (parts[0].other and not part.article)
        if not last.rest:
            return
        alike = all(part.noun and not part.creature for part in parts)
        if shared or (alike and last.controllers == len(last.rest)):
            for part in first:
                part.rest = last.rest
        elif not (last.creature and not last.names and not last.controllers and all(part.plural for part in first)):
            raise UnreadableError("unclear what the last words belong to")

    def _test(self, tree: Tree[Token]) -> _Any:
        """Return what a test asks."""
        kind = str(tree.data)
        negated = kind == "not" or kind.startswith("not_")
        kind = kind.removeprefix("not").removeprefix("_") if negated else kind
        if not kind:
            return self._none_of(self._test(_tree(tree.children[0])))
        if kind == "creature":
            return ((Test("type", "creature"),),)
        if kind == "permanent":
            return ((),)
        if kind == "affected":
            raise UnreadableError("named by an effect")
        values: list[str | int | None] = []
        either = True
        for child in tree.children:
            if isinstance(child, Tree):
                values.append(str(child.data).replace("_", " "))
            elif child.type == "KEYWORD_JOIN":
                either = str(child).split()[-1] != "and"
            elif child.type != "SELF":
                values.append(self._value(child))
        kinds = kind.removeprefix("either__").split("__")
        each = [tuple(Test(one, value) for one in kinds) for value in values or [None]]
        tests = tuple(each) if kind == "__".join(kinds) else tuple((test,) for group in each for test in group)
        if negated and not either:
            raise UnreadableError("without both or without either")
        if negated:
            return self._none_of(tests)
        return tests if either else (tuple(chain.from_iterable(tests)),)

    @staticmethod
    def _none_of(tests: _Any) -> _Any:
        """Return that none of the alternatives is the case, each of which is a single test."""
        if any(len(alternative) != 1 for alternative in tests):
            raise UnreadableError("not all of them")
        return (tuple(replace(test, negated=not test.negated) for (test,) in tests),)

    def _value(self, token: Token) -> str | int:
        if token.type == "NUMBER":
            return _number(token)
        if token.type == "SUBTYPE":
            found = subtype(str(token), any_case=True)
            return found[0] if found else str(token)
        if token.type == "TYPE":
            return str(token).lower().removesuffix("s")
        if token.type == "KEYWORD" and len(parse_keywords(str(token), self.forms)) > 1:
            raise UnreadableError("several keywords in one")
        return str(token) if token.type == "NAME" else str(token).lower()


@dataclass(slots=True)
class _Part:
    """One description among those that "or" joins.

    Attributes:
        article: whether it has an article of its own.
        other: whether "other" stands before.
        names: what stands before the noun "creature" or "permanent", or with a noun that is itself a type or subtype.
        creature: whether the noun is "creature".
        noun: whether the last word is a noun.
        plural: whether that is a type or subtype in the plural.
        typed: whether it names a card type beside "creature".
        rest: what stands behind the noun; `controllers` of these say who controls it, or what it is attached to.
    """

    article: bool = False
    other: bool = False
    names: list[_Any] = field(default_factory=list)
    creature: bool = False
    noun: bool = False
    plural: bool = False
    typed: bool = False
    rest: list[_Any] = field(default_factory=list)
    controllers: int = 0

    def add(self, item: Tree[Token], tests: _Any) -> None:
        """Add a word before the end of the noun."""
        word = str(next(iter(item.children), ""))
        self.plural = word.lower().endswith("s") if item.data == "type" else bool((subtype(word, any_case=True) or ("", False))[1])
        self.noun = item.data in ("type", "subtype", "creature", "permanent")
        self.typed = self.typed or item.data == "type"
        if item.data == "creature":
            self.creature = True
        else:
            self.names.append(tests)


class _Sentence:
    """Reads one sentence: keeps what its pronouns stand for."""

    def __init__(self, words: Sequence[Word], text: str, context: Context) -> None:
        self.text = text
        self.context = context
        self.described = _Nouns(context.forms, creatures=False)
        line = shown(words)
        self.names_itself = bool(pattern("SELF").search(line))
        self.names_attached = bool(pattern("ATTACHED").search(line))
        self.first: Subject | None = None
        self.of_condition = False
        self.lasting = False

    def read(self, tree: Tree[Token]) -> tuple[tuple[Constraint, ...], Subject]:
        conditions = [child for child in _trees(tree) if child.data in ("when", "unless")]
        clauses = [child for child in _trees(tree) if child.data not in ("when", "unless")]
        texts = [str(child.children[0]) for child in conditions]
        self.of_condition = any(_OBJECTS.search(text) for text in texts)
        self.lasting = self.context.durations > sum(len(pattern("DURATION").findall(text.lower())) for text in texts)
        if conditions and _tree(tree.children[-1]) is conditions[-1]:
            _check_tail(clauses)
        constraints: list[Constraint] = []
        subject: Subject | None = None
        for clause in clauses:
            made, subject = self._clause(clause, subject)
            constraints.extend(made)
            self.first = subject if self.first is None else self.first
        if self.first is None:
            return (), "self"
        when: list[Condition] = []
        # What states nothing states it on any condition.
        for child in conditions if constraints else ():
            narrowed = self._narrowed(child, constraints)
            if narrowed is None:
                when.append(self._condition(child, constraints))
            else:
                constraints = narrowed
        return tuple(replace(made, conditions=(*made.conditions, *when), source=self.text) for made in constraints), self.first

    # ------------------------------------------------------------ clauses

    def _clause(self, tree: Tree[Token], before: Subject | None) -> tuple[list[Constraint], Subject]:
        if tree.data == "harmless":
            return [], before if before is not None else "self"
        if tree.data != "clause":
            made = self._constraints(tree, None, before)
            return made, made[0].subject
        subject, *predicates = map(_tree, tree.children)
        about = self._subject(subject, before)
        constraints: list[Constraint] = []
        for predicate in predicates:
            for stated in _stated(predicate):
                constraints.extend(self._predicate(stated, about))
        return constraints, about

    def _predicate(self, tree: Tree[Token], about: Subject) -> list[Constraint]:
        if tree.data == "harmless":
            return []
        if tree.data == "quoted":
            return self._quoted(tree, about)
        if tree.data == "change":
            if isinstance(about, Filter) and any(test.kind.startswith(("power_", "toughness_")) for test in _tests(about)):
                raise UnreadableError("a change that depends on power or toughness")
            return [made for child in _trees(tree) for made in self._predicate(child, about)]
        return self._constraints(tree, about, about)

    def _quoted(self, tree: Tree[Token], about: Subject) -> list[Constraint]:
        """Return what objects with an ability in quotation marks are subject to: the ability speaks of its new holder as itself."""
        (token,) = tree.children
        if self.context.within is None:
            raise UnreadableError("an ability within an ability")
        made = []
        for constraint in self.context.within(str(token)):
            filters = [side for side in (constraint.subject, constraint.object) if isinstance(side, Filter)]
            filters += [condition.filter for condition in constraint.conditions if condition.filter is not None]
            holder = any(test.kind in _OF_THE_HOLDER or test.kind.endswith("_source") for side in filters for test in _tests(side))
            if constraint.subject != "self" or isinstance(constraint.object, str) or (holder and about != "self"):
                raise UnreadableError("an ability that speaks of more than its holder")
            made.append(replace(constraint, subject=about, conditions=self._of_the_new_holder(constraint.conditions, about)))
        return made

    @staticmethod
    def _of_the_new_holder(conditions: tuple[Condition, ...], about: Subject) -> tuple[Condition, ...]:
        """Return the conditions of an ability in quotation marks, seen from what gives it to others."""
        if about == "self" or not conditions:
            return conditions
        if about != "attached" or any(condition.kind != "is" for condition in conditions):
            raise UnreadableError("a condition of another object")
        return tuple(replace(condition, kind="attached_is") for condition in conditions)

    def _constraints(self, tree: Tree[Token], about: Subject | None, before: Subject | None) -> list[Constraint]:
        """Return the constraints that a predicate, or a clause that is one, states."""
        roles = _Roles()
        self._fill(roles, tree, about, before)
        subjects = roles.subjects or ([] if about is None else [about])
        if roles.subjects and about not in (None, "self"):
            raise UnreadableError("not said about itself")
        object_ = roles.object if roles.object is not None else roles.described if subjects else None
        if not subjects:
            if roles.described is None:
                raise UnreadableError("no subject")
            subjects = [roles.described]
        if len(set(roles.words)) > 1:
            raise UnreadableError("two different words")
        values: list[str | None] = list(self._values(tree, roles.words[0])) if roles.words else [roles.word]
        constraints: list[Constraint] = []
        for kind, subject, target in product(str(tree.data).split("__"), subjects, roles.targets or [None]):
            made = Constraint(kind, subject, _seen_from(subject, object_), roles.number, target=target)
            made = replace(made, power=roles.power, toughness=roles.toughness)
            constraints += [replace(made, value=value) for value in values]
        for made in constraints:
            _check(made)
        return constraints

    def _values(self, tree: Tree[Token], word: Token) -> list[str]:
        """Return the words that a constraint names: a price, or keywords; several for one as in "protection from red and from blue"."""
        if word.type != "KEYWORD":
            return [str(word)]
        uses = parse_keywords(str(word), self.context.forms)
        if any(use.unread for use in uses) or (len(uses) > 1 and len(tree.children) > 1):
            raise UnreadableError("a keyword's quality")
        return [use.written for use in uses] or [str(word).lower()]

    def _fill(self, roles: _Roles, tree: Tree[Token], about: Subject | None, before: Subject | None) -> None:
        for child in tree.children:
            if isinstance(child, Token):
                if child.type == "NUMBER":
                    roles.number = _number(child)
                elif child.type == "PT":
                    roles.power, roles.toughness = (int(half) for half in str(child).split("/"))
                elif child.type == "XPT":
                    roles.power, roles.toughness = (int(half.lower().replace("x", "1")) for half in str(child).split("/"))
                elif child.type == "XCOST":
                    # So many times as there are objects that are counted.
                    roles.word = "{1}"
                elif child.type in ("KEYWORD", "COST"):
                    roles.words.append(child)
            elif child.data == "noun":
                roles.described = self.described.filter(child)
            elif child.data == "subject":
                roles.subjects.append(self._subject(child.children[0], before))
            elif child.data == "added":
                roles.object = self._added(child)
            elif child.data == "counted":
                roles.object = self._counted(_tree(child.children[0]), about)
            elif child.data == "given":
                roles.object = self._given(_tree(child.children[0]), about)
            elif child.data == "counters":
                roles.object = Filter(((Test("has_counter", next((str(name).lower() for name in child.children), None)),),))
            elif child.data == "by_you":
                if about != "self":
                    raise UnreadableError("paid by another than its controller")
            elif child.data == "for_each_colored":
                if not _all_are(about, Test("color", str(child.children[0]).lower())):
                    raise UnreadableError("for each of others")
            elif child.data == "object":
                roles.object = self._object(child.children[0], about)
            elif str(child.data).startswith("number_"):
                roles.number = int(str(child.data).removeprefix("number_"))
            elif str(child.data).startswith("value_"):
                roles.word = str(child.data).removeprefix("value_")
                if roles.word.startswith("tap") and isinstance(roles.object, Filter):
                    # What is tapped to pay is untapped, whether that is said or not.
                    untapped = Test("tapped", negated=True)
                    roles.object = Filter(tuple(tuple(test for test in tests if test != untapped) for tests in roles.object.any_of))
            elif child.data == "targets":
                roles.targets.extend(str(target.data).replace("_", " ") for target in _trees(child))
            else:
                self._fill(roles, child, about, before)

    # ------------------------------------------------------------ who is meant

    def _subject(self, tree: Token | Tree[Token], before: Subject | None) -> Subject:
        if isinstance(tree, Tree) and tree.data == "subject":
            (tree,) = tree.children
        if isinstance(tree, Tree) and tree.data == "noun":
            if any(part.data == "affected" for part in tree.iter_subtrees()):
                return self._named_by_effect(tree)
            if _is_proper_name(tree):
                raise UnreadableError("one thing, which is called like a type of things")
            return self.described.filter(tree)
        if isinstance(tree, Tree) and tree.data in ("everything", "itself"):
            return Filter() if tree.data == "everything" else "self"
        token = tree if isinstance(tree, Token) else tree.children[0]
        if isinstance(token, Tree):
            return self._named(token)
        if token.type == "SELF":
            return "self"
        if token.type == "ATTACHED":
            return "attached"
        if token.type == "ANY_TARGET":
            return "affected"
        return before if before is not None else self._antecedent()

    def _named(self, affected: Tree[Token]) -> Pointer:
        """Return "affected" for "target creature" and "that creature", where that is not one of which only a condition speaks."""
        if self.of_condition and not any(isinstance(child, Tree) for child in affected.children):
            raise UnreadableError("that creature")
        return "affected"

    def _named_by_effect(self, noun: Tree[Token]) -> Pointer:
        """Return "affected" for "creatures target player controls", but not for "other creatures that player controls"."""
        if len(noun.children) > 1 or any(child.data == "other" for child in _trees(_tree(noun.children[0]))):
            raise UnreadableError("not all that the player controls")
        return "affected"

    def _antecedent(self) -> Pointer:
        """Return what "it" stands for at the start of a sentence."""
        if self.names_itself != self.names_attached:
            return "self" if self.names_itself else "attached"
        if self.names_itself or self.context.it == "":
            raise UnreadableError("it")
        if self.context.it is not None:
            return self.context.it  # type: ignore[return-value]
        if self.lasting and not self.of_condition:
            return "affected"
        raise UnreadableError("it")

    def _object(self, tree: Token | Tree[Token], about: Subject | None) -> Subject:
        if isinstance(tree, Tree) and tree.data == "noun":
            return self.described.filter(tree)
        token = tree if isinstance(tree, Token) else tree.children[0]
        if isinstance(token, Tree):
            return self._named(token)
        if token.type == "SELF":
            return "self"
        if token.type == "ATTACHED":
            return "attached"
        found = self._antecedent() if about != "self" else self.context.it
        if not found or found == about:
            raise UnreadableError("it")
        return found  # type: ignore[return-value]

    def _added(self, added: Tree[Token]) -> Filter:
        """Return the types and colours that are added, as those that an object with them fits."""
        nouns = _Nouns(self.context.forms, creatures=True)
        tests = [nouns._test(tree) for tree in _trees(added)]
        if any(len(one) != 1 or len(one[0]) != 1 or one[0][0].negated or one[0][0].kind not in _ADDED for one in tests):
            raise UnreadableError("not a characteristic to add")
        return Filter((tuple(test for ((test,),) in tests),))

    def _counted(self, noun: Tree[Token], about: Subject | None) -> Filter:
        """Return the objects that are counted, as long as an ability lasts; an effect that lasts for a time counts once (611.2)."""
        if self.context.durations or about == "affected":
            raise UnreadableError("counted once")
        counted = _Nouns(self.context.forms, creatures=True, counting=True).filter(noun)
        if about != "self" and any(test.kind == "other" for test in _tests(counted)):
            raise UnreadableError("other than which")
        return counted

    def _given(self, noun: Tree[Token], about: Subject | None) -> Filter:
        """Return the permanents that something is done with to pay, which its controller has."""
        given = _Nouns(self.context.forms, creatures=True).filter(noun)
        if about != "self" and any(test.kind in _OF_THE_HOLDER or test.kind.endswith("_source") for test in _tests(given)):
            raise UnreadableError("whose permanents")
        return given

    # ------------------------------------------------------------ conditions

    def _narrowed(self, tree: Tree[Token], constraints: list[Constraint]) -> list[Constraint] | None:
        """Return the constraints about those of the objects described that the condition describes ("as long as it's untapped").

        None where it is no such condition, or they are not about objects described.
        """
        if not isinstance(self.first, Filter) or any(made.subject != self.first for made in constraints):
            return None
        text = str(tree.children[0])
        words, _ = without_durations(split_words(text, self.context.names, self.context.forms))
        try:
            found = parse(words, "condition", text)
            things = [child for child in _trees(found) if child.data == "thing"]
            nouns = [child for child in _trees(found) if child.data == "noun"]
            if str(found.data) not in ("is", "not_is") or len(nouns) != 1 or any(self._thing(thing) != self.first for thing in things):
                return None
            described = _Nouns(self.context.forms, creatures=True).filter(nouns[0])
        except UnreadableError:
            return None
        alternatives: _Any = described.any_of
        if (found.data == "not_is") != (tree.data == "unless"):
            if any(len(tests) != 1 for tests in alternatives):
                return None
            alternatives = _Nouns._none_of(alternatives)
        narrowed = Filter(tuple((*tests, *more) for tests in self.first.any_of for more in alternatives))
        for made in constraints:
            _check(replace(made, subject=narrowed))
        return [replace(made, subject=narrowed) for made in constraints]

    def _condition(self, tree: Tree[Token], constraints: Iterable[Constraint]) -> Condition:
        (token,) = tree.children
        text = str(token)
        negated = tree.data == "unless"
        words, _ = without_durations(split_words(text, self.context.names, self.context.forms))
        condition = self._settled(words, text)
        if condition is not None:
            return replace(condition, negated=condition.negated != negated)
        _check_open(shown(words), constraints)
        return Condition("open", negated=negated, text=text)

    def _settled(self, words: Sequence[Word], text: str) -> Condition | None:
        """Return the condition, if it is one that a board settles."""
        try:
            tree = parse(words, "condition", text)
            kind = str(tree.data).removeprefix("not_")
            negated = kind != tree.data
            number = next((_number(token) for token in tree.children if isinstance(token, Token) and token.type == "NUMBER"), 1)
            who, filter_, value, about = "", None, "", self.first
            for child in tree.children:
                if not isinstance(child, Tree):
                    continue
                if child.data == "noun":
                    filter_ = _Nouns(self.context.forms, creatures=True).filter(child)
                elif child.data == "thing":
                    about = self._thing(child)
                elif child.data == "sort":
                    filter_ = self._cards(child)
                elif child.data == "counters_of":
                    value = f"{str(child.children[0]).lower()} counters"
                elif str(child.data).startswith(("value_", "event_")):
                    value = str(child.data).partition("_")[2]
                    if str(child.data).startswith("event_") and "this turn" not in text.lower():
                        return None
                elif str(child.data).startswith("number_"):
                    number = int(str(child.data).removeprefix("number_"))
                else:
                    who = str(child.data).replace("_", " ")
            if value:
                who = who or (about if isinstance(about, str) else "")
                # What is asked once, as an effect begins, is another thing than what is asked all the time (611.2).
                return None if who in ("", "affected") or self.lasting else Condition(kind, who, filter_, number, negated, value=value)
            if not who:
                # Of whom it speaks: the object with the ability, or what that is attached to.
                kind = {"self": kind, "attached": f"attached_{kind}"}[about] if isinstance(about, str) and about != "affected" else ""
            if kind not in _CONDITIONS:
                return None
            if filter_ is not None and any(test.kind.endswith("_own") for test in _tests(filter_)):
                return None
            return Condition(kind, who, filter_, number, negated)
        except UnreadableError:
            return None

    def _cards(self, tree: Tree[Token]) -> Filter:
        """Return the cards of a type or subtype; "permanent" and "instant and/or sorcery" are several types (110.4a)."""
        (token,) = (child for child in tree.children if isinstance(child, Token))
        word = _ARTICLE.sub("", str(token))
        if token.type == "CARDS_OF_SUBTYPE":
            found = subtype(word, any_case=True)
            return Filter(((Test("subtype", found[0] if found else word),),))
        return Filter(tuple((Test("type", each),) for each in sorted(types_of_cards(word.lower()))))

    def _thing(self, tree: Tree[Token]) -> Subject | None:
        (token,) = (child for child in tree.children if isinstance(child, Token))
        return {"SELF": "self", "ATTACHED": "attached"}.get(token.type, self.first)  # type: ignore[return-value]


@dataclass(slots=True)
class _Roles:
    """The parts of a predicate: sides that are marked as such, a description that is not, and what else it names."""

    subjects: list[Subject] = field(default_factory=list)
    object: Subject | None = None
    described: Filter | None = None
    number: int | None = None
    power: int = 0
    toughness: int = 0
    words: list[Token] = field(default_factory=list)
    word: str | None = None
    targets: list[str | None] = field(default_factory=list)


def _seen_from(subject: Subject, object_: Subject | None) -> Subject | None:
    """Return the object of a constraint about `subject`: where that has the ability itself, it is compared with as the subject."""
    if subject != "self" or not isinstance(object_, Filter):
        return object_
    return Filter(tuple(tuple(replace(test, kind=test.kind.replace("_source", "_own")) for test in tests) for tests in object_.any_of))


def _check(constraint: Constraint) -> None:
    if isinstance(constraint.subject, Filter) and any(test.kind.endswith("_own") for test in _tests(constraint.subject)):
        raise UnreadableError("compared with itself")
    if constraint.subject == constraint.object and isinstance(constraint.object, str):
        raise UnreadableError("the same object on both sides")


def _is_proper_name(noun: Tree[Token]) -> bool:
    """Tell whether a noun is a subtype in the singular and nothing else, as in "Wraith can't be blocked"."""
    words = [tree for tree in noun.iter_subtrees() if tree.data not in ("noun", "part", "names")]
    if len(words) != 1 or words[0].data != "subtype":
        return False
    found = subtype(str(words[0].children[0]), any_case=True)
    return found is not None and not found[1]


def _check_tail(clauses: Sequence[Tree[Token]]) -> None:
    """Refuse a condition behind several statements, unless they change one thing together ("gets +1/+1 and has flying as long as ...")."""
    stating = [clause for clause in clauses if clause.data != "harmless"]
    predicates = list(_trees(stating[0]))[1:] if stating and stating[0].data == "clause" else []
    if len(stating) > 1 or (len(predicates) > 1 and any(child.data != "change" for each in predicates for child in _trees(each))):
        raise UnreadableError("unclear what the condition belongs to")


def _check_open(line: str, constraints: Iterable[Constraint]) -> None:
    """Refuse the text of a condition that is more than one, or that has no single answer."""
    refused = ["not_a_condition", "price", "of_the_declaration"]
    if any(isinstance(constraint.subject, Filter) or constraint.subject == "affected" for constraint in constraints):
        refused.append("of_each")
    for name in refused:
        if turn(name).search(line):
            raise UnreadableError(line)


def _stated(predicate: Tree[Token]) -> Iterator[Tree[Token]]:
    """Yield what a predicate states: several things where it joins verbs."""
    if predicate.data == "predicate":
        for child in _trees(predicate):
            yield from _stated(child)
    else:
        yield predicate


def _trees(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    return (child for child in tree.children if isinstance(child, Tree))


def _tree(child: Token | Tree[Token]) -> Tree[Token]:
    if not isinstance(child, Tree):
        raise UnreadableError(str(child))
    return child


def _tests(filter_: Filter) -> Iterator[Test]:
    return chain.from_iterable(filter_.any_of)


def _all_are(described: Subject | None, test: Test) -> bool:
    return isinstance(described, Filter) and all(test in tests for tests in described.any_of)


def _number(token: Token) -> int:
    written = str(token).lower()
    if written in _NUMBERS:
        return _NUMBERS[written]
    if len(written) > _LONGEST_NUMBER:
        raise UnreadableError("a number beyond all bounds")
    return int(written)
