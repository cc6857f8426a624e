"""Rules text of an object or effect -> what it states about declaring attackers and blockers, and about combat damage.

Each sentence is read, or silent (it cannot bear on the legality of a declaration), or unread. What is in doubt is unread. Sentences that
could bear on combat damage and are not read are named as well, whatever they are for declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from lawmage.constraints import Condition, Constraint, Subject
from lawmage.errors import InputError
from lawmage.text.forms import KeywordForms, parse_keywords
from lawmage.text.lines import abilities, sentences, straight, without_label
from lawmage.text.words import Word, listed, shown, split_words, subtype, turn

__all__ = ["LONGEST_TEXT", "TextReading", "keyword_abilities", "read_text"]

#: The most characters that are read.
LONGEST_TEXT = 20_000
#: A sentence with more characters is not read: on cards none has half as many.
_LONGEST_SENTENCE = 1_000
_OTHERWISE = re.compile(r"Otherwise, ")


@dataclass(frozen=True, slots=True)
class TextReading:
    """What a text says.

    Attributes:
        constraints: what the sentences that are read state, in order; `source` is the sentence.
        unread: the sentences that could bear on a declaration and are not understood.
        silent: the sentences that cannot bear on a declaration.
        keywords: the keyword abilities that stand in the text by themselves, as written.
        unread_damage, unread_outcome: the sentences that could bear on how combat damage is assigned, or only on what results from it,
            and are not understood.
        triggered: the triggered abilities that can trigger in combat.
        idle: those of the silent sentences that the grammar reads, and that state nothing about declarations or damage.
    """

    constraints: tuple[Constraint, ...] = ()
    unread: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    unread_damage: tuple[str, ...] = ()
    unread_outcome: tuple[str, ...] = ()
    triggered: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


def read_text(text: str, *, names: Sequence[str] = (), keywords: KeywordForms | None = None) -> TextReading:
    """Read rules text.

    Args:
        text: the text, one ability a line, as on cards; reminder text in parentheses is passed over.
        names: the words that mean the object itself.
        keywords: how the keywords are written; without it none is recognised.

    Raises:
        InputError: if the text has more than 20,000 characters.
    """
    if len(text) > LONGEST_TEXT:
        raise InputError(f"a rules text has {len(text)} characters, expected at most {LONGEST_TEXT}")
    forms = keywords or KeywordForms({})
    own = tuple(straight(name) for name in names)
    reader = _Reader(_unmistakable(own, forms), forms, own)
    for line in abilities(text):
        reader.ability(line)
    return TextReading(
        tuple(reader.constraints),
        tuple(reader.unread),
        tuple(reader.silent),
        tuple(reader.keywords),
        tuple(reader.unread_damage),
        tuple(reader.unread_outcome),
        tuple(reader.triggered),
        tuple(reader.idle),
    )


@dataclass(slots=True)
class _Reader:
    """Reads the abilities of one text, in order.

    Attributes:
        own: all the names of the object, also those that are ordinary words of rules text.
        nested: whether the text stands in quotation marks itself.
        heading: the heading under which the abilities stand ("LEVEL 2-5"), if any.
        alternative: the condition without which what "Otherwise" begins holds: that of the sentence before, if it has a single one.
        quoted: the readers of the texts in quotation marks in the sentence that is being read.
        list_silent: whether the items of a list that follows belong to a triggered or activated ability.
    """

    names: tuple[str, ...]
    forms: KeywordForms
    own: tuple[str, ...] = ()
    nested: bool = False
    constraints: list[Constraint] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    unread_damage: list[str] = field(default_factory=list)
    unread_outcome: list[str] = field(default_factory=list)
    triggered: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    heading: str = ""
    alternative: Condition | None = None
    quoted: list[_Reader] = field(default_factory=list)
    list_silent: bool = False

    def ability(self, line: str) -> None:
        """Read one line."""
        if turn("heading").match(line.lower()):
            self.heading = line
            self.silent.append(line)
            return
        conditions = [Condition("open", text=self.heading)] if self.heading else []
        if not line.startswith("•"):
            self.list_silent = False
        elif self.list_silent:
            self.silent.append(line)
            return
        else:
            line = line.removeprefix("•").strip()
            conditions.append(Condition("open", text="this mode is chosen"))
        if self._keyword_line(line, conditions):
            return
        line, label = without_label(line)
        if turn("chapter").match(label.lower()):
            self.silent.append(line)
            return
        if label and not any(label.lower() in listed("dashes", words) for words in ("ability_words", "flavor_words")):
            conditions.append(Condition("open", text=label))
        if not (label and self._keyword_line(line, conditions)):
            self._paragraph(line, tuple(conditions))

    def _keyword_line(self, line: str, conditions: Sequence[Condition]) -> bool:
        """Read `line` if it is nothing but keywords, and return whether it is."""
        found = keyword_abilities(line.removesuffix("."), self.forms)
        if not conditions:
            self.keywords.extend(found)
            return bool(found)
        uses = [use for written in found for use in parse_keywords(written, self.forms)]
        self.unread.extend(use.written for use in uses if use.unread)
        self.unread_damage.extend(use.written for use in uses if use.unread)
        granted = [use for use in uses if not use.unread]
        self.constraints.extend(Constraint("has_keyword", value=use.written, conditions=tuple(conditions), source=line) for use in granted)
        return bool(found)

    def _paragraph(self, line: str, conditions: tuple[Condition, ...]) -> None:
        self.alternative = None
        before: list[list[Word] | str] = []
        of_ability = replaces = False
        for sentence in sentences(line, self.names):
            if turn("triggered").match(sentence.lower()) or _is_activated(sentence):
                of_ability = self.list_silent = True
                self.silent.append(sentence)
                if turn("triggered").match(sentence.lower()) and turn("in_combat").search(sentence.lower().partition(",")[0]):
                    self.triggered.append(sentence)
            else:
                before.append(self._sentence(sentence, conditions, before, of_ability=of_ability))
                if replaces and sentence in (*self.silent, *self.idle):
                    # 614.1, 615.5: what else an effect does that changes damage as it is dealt.
                    self.unread_outcome.append(sentence)
                replaces = replaces or (not of_ability and bool(turn("replaces_damage").search(sentence.lower())))
                if turn("paid_as_it_attacks").search(sentence.lower()):
                    # 508.1g: an ability linked to this triggers, whatever that says.
                    self.triggered.append(sentence)

    def _sentence(
        self, sentence: str, conditions: tuple[Condition, ...], before: Sequence[list[Word] | str], *, of_ability: bool
    ) -> list[Word] | str:
        """Read one sentence and return what it is about, or its words.

        `before` is the same of the sentences before it. A sentence behind a triggered or activated ability is a part of that
        ability, unless it speaks for no limited time, and of no more than the object itself or of objects that it describes.
        """
        if len(sentence) > _LONGEST_SENTENCE:
            self.unread.append(sentence)
            return ""
        text = sentence.removesuffix(".")
        alternative, self.alternative = self.alternative, None
        if alternative is not None and not of_ability and (match := _OTHERWISE.match(text)):
            text, conditions = text[match.end() :], (*conditions, replace(alternative, negated=not alternative.negated))
        words = split_words(text, self.names, self.forms)
        line = _line(words, self.forms)
        declaring, damaging = _bears(line, "bearing"), self._bears_on_damage(line, sentence.lower())
        if not _is_sentence(sentence) and damaging is None:
            # It may be a keyword that nothing here knows.
            self.unread.append(sentence)
            self.unread_damage.append(sentence)
            return words
        if not declaring and damaging is None:
            self.silent.append(sentence)
            return words
        if turn("defined").search(line):
            self.silent.append(sentence)
            self.unread_outcome.append(sentence)
            return words
        from lawmage.text.parser import UnreadableError, without_durations

        timeless, durations = without_durations(words)
        if of_ability and (durations or not turn("veto").search(line) or turn("follows").search(line)):
            self.silent.append(sentence)
            return ""
        try:
            constraints, about = self._statements(timeless, text, _antecedent(before), durations)
        except UnreadableError:
            harmless = not declaring or (turn("harmless").search(line) and not turn("veto").search(line))
            (self.silent if harmless else self.unread).append(sentence)
            if damaging is not None:
                damaging.append(sentence)
            return words
        if constraints:
            own = {made.conditions for made in constraints}
            self.alternative = next(iter(own))[0] if len(own) == 1 and len(constraints[0].conditions) == 1 else None
            self.constraints.extend(replace(made, conditions=conditions + made.conditions, source=sentence) for made in constraints)
        else:
            self.silent.append(sentence)
            if all(set(inner.silent) <= set(inner.idle) for inner in self.quoted):
                self.idle.append(sentence)
        for inner in self.quoted:
            self.triggered.extend(inner.triggered)
            self.unread_damage.extend([sentence] if inner.unread_damage else [])
            self.unread_outcome.extend([sentence] if inner.unread_outcome else [])
        if not constraints:
            return words
        return about if isinstance(about, str) else ""

    def _bears_on_damage(self, line: str, sentence: str) -> list[str] | None:
        """Return the list for a sentence that is not read, where it could bear on combat damage."""
        if turn("spares_players").search(sentence):
            return self.unread_outcome
        declares = turn("of_declarations").search(line) and not turn("of_more_than_declarations").search(line)
        if declares or (turn("once").search(line) and not turn("stays").search(line)):
            return None
        if _bears(line, "damaging"):
            return self.unread_damage
        return self.unread_outcome if _bears(line, "resulting") else None

    def _statements(self, words: list[Word], text: str, it: str | None, durations: int) -> tuple[tuple[Constraint, ...], Subject]:
        """Read the words of one sentence; where that fails, let the first words of names mean the object too (201.5c)."""
        from lawmage.text.meaning import Context, statements
        from lawmage.text.parser import UnreadableError, without_durations

        context = Context(self.forms, self.names, it, durations, None if self.nested else self._within)
        self.quoted = []
        try:
            return statements(words, text, context)
        except UnreadableError:
            short = tuple(first for first, rest, _ in (name.partition(" ") for name in self.names) if rest and first in text)
            # "Wraith can't be blocked" is about the object that is called so.
            called_like_a_type = tuple(name for name in self.own if subtype(name) and text.startswith(f"{name} "))
            names = self.names + _unmistakable(short, self.forms) + called_like_a_type
            if names == self.names:
                raise
        self.quoted = []
        words, _ = without_durations(split_words(text, names, self.forms))
        return statements(words, text, replace(context, names=names))

    def _within(self, text: str) -> tuple[Constraint, ...]:
        """Read an ability in quotation marks."""
        from lawmage.text.parser import UnreadableError

        inner = _Reader((), self.forms, nested=True)
        inner.ability(text.strip() if _is_sentence(text) else f"{text.strip()}.")
        if inner.unread or inner.keywords:
            raise UnreadableError(text)
        self.quoted.append(inner)
        return tuple(inner.constraints)


def _bears(line: str, what: str) -> bool:
    """Return whether `line` has one of the words of `what`, and is not about players, spells or cards elsewhere."""
    return bool(turn(what).search(line)) and not turn("beside").search(line)


def _line(words: Sequence[Word], forms: KeywordForms) -> str:
    """Return the words in lower case; keywords that are not understood are marked like those that are."""
    plain = [word.shown for word in words]
    return " ".join("<keyword>" if forms.begins(plain[index:]) else word for index, word in enumerate(plain))


def _unmistakable(names: Iterable[str], forms: KeywordForms) -> tuple[str, ...]:
    """Return the names that are not also ordinary words of rules text."""
    return tuple(name for name in names if not (subtype(name) or forms.is_keyword(name.lower()) or name.lower() in _ordinary_words()))


@lru_cache(maxsize=1)
def _ordinary_words() -> frozenset[str]:
    grammar = Path(__file__).with_name("sentences.lark").read_text(encoding="utf-8")
    return frozenset(re.findall(r"[a-z']+", grammar.lower()))


def keyword_abilities(line: str, forms: KeywordForms) -> list[str]:
    """Return the keywords of which `line` consists; none if it has anything else.

    Where a comma can be part of a keyword, the longest that is understood comes first, and the shortest of those that are not: what a
    quality has no words for may be the next keyword.
    """
    pieces = re.split(r"([,;] )", line)
    found: dict[int, list[str]] = {len(pieces) + 1: []}
    for first in reversed(range(0, len(pieces), 2)):
        understood: list[int] = []
        doubtful: list[int] = []
        for behind in range(min(len(pieces), first + 13), first, -2):
            uses = parse_keywords("".join(pieces[first:behind]), forms) if behind + 1 in found else ()
            if uses:
                (doubtful if any(use.unread for use in uses) else understood).append(behind)
        if understood or doubtful:
            behind = understood[0] if understood else doubtful[-1]
            found[first] = ["".join(pieces[first:behind]), *found[behind + 1]]
    return found.get(0, [])


def _is_activated(sentence: str) -> bool:
    """Return whether `sentence` begins as an activated ability: a cost, a colon (602.1)."""
    outside = re.sub(r'"[^"]*"', "", sentence)
    cost, colon, _ = outside.partition(":")
    return bool(colon) and bool(turn("cost").match(cost.strip().lower()))


def _is_sentence(text: str) -> bool:
    """Return whether `text` ends as sentences, headings of lists and quotations do: what does not may be a keyword misspelt."""
    return text.endswith((".", "!", "?", '"', "—", ":"))


def _antecedent(before: Sequence[list[Word] | str]) -> str | None:
    """Return what "it" stands for behind the sentences before: the one thing that the last naming any names, "" where it names several."""
    from lawmage.text.parser import pattern

    for sentence in reversed(before):
        if isinstance(sentence, str):
            return sentence
        line = shown(sentence)
        named = {
            pointer
            for terminal, pointer in (("SELF", "self"), ("ATTACHED", "attached"), ("TARGETS", "affected"), ("THOSE", "affected"))
            if pattern(terminal).search(line)
        }
        if named:
            return named.pop() if len(named) == 1 else ""
    return None
