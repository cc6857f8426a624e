"""The answers on files of decks: read, names looked up, commanders found or proposed, judged together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from lawmage import __version__
from lawmage.cards.spelling import key
from lawmage.cards.store import CardStore
from lawmage.decks.deck import Deck, Notice
from lawmage.decks.formats import Format
from lawmage.decks.legality import Judge
from lawmage.decks.picture import counts_of
from lawmage.decks.reading import read_decks
from lawmage.decks.resolved import ResolvedDeck
from lawmage.decks.resolving import Finder, readings, resolve, set_apart
from lawmage.decks.verdict import DeckVerdict, Repair
from lawmage.errors import DataError, InputError, LawmageError
from lawmage.places import is_file

__all__ = ["Answer", "Question", "answer_decks", "answer_files", "basis_of"]

#: The answer on a deck, as `--json` prints it.
Answer: TypeAlias = dict[str, Any]
_MOST_NAMED = 10
#: Lists with more lines than any deck has are judged, but no commander and no repair is looked for: that could take hours.
_LONGEST_SEARCHED = 600
#: More than can be wrong with a deck.
_MANY = 1 << 30


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of decks.

    Attributes:
        format: its name, a file that describes one, or the format itself.
        release: of the rules; None for the newest known.
        ban_list: the day whose ban list counts; None for the release's.
        commanders, companion: names that replace what the lists say.
        repair: whether a smallest set of changes is wanted for illegal decks.
    """

    format: str | Format = "commander"
    release: str | None = None
    ban_list: str | None = None
    commanders: tuple[str, ...] = ()
    companion: str | None = None
    repair: bool = False

    @property
    def format_name(self) -> str:
        """The name of the format, or the file that describes it."""
        return self.format if isinstance(self.format, str) else self.format.name


def answer_files(files: Iterable[tuple[str, bytes | str]], question: Question) -> list[list[Answer]]:
    """Return the answers on the decks of each file, judged all together.

    Args:
        files: names and contents; in place of a content, why it could not be read.
        question: what is asked of each.

    Raises:
        DataError: if cards or formats are missing.
        UnknownNameError, InputError: if the question is about a format, release or card that there is not.
    """
    contents = list(files)
    read: list[list[Deck] | Answer] = []
    for name, content in contents:
        try:
            if isinstance(content, str):
                raise InputError(content, file=name)
            read.append(list(read_decks(content, name)))
        except LawmageError as error:
            read.append(_failed(name, None, question, str(error)))
    decks = [deck for found in read if isinstance(found, list) for deck in found]
    answers = iter(answer_decks(decks, question))
    return [[next(answers) for _ in found] if isinstance(found, list) else [found] for found in read]


def answer_decks(decks: Sequence[Deck], question: Question) -> list[Answer]:
    """Return the answer on each deck; see `answer_files`."""
    finder = _finder()
    finder.prepare(decks)
    answers: list[Answer | None] = [None] * len(decks)
    resolved: dict[int, ResolvedDeck] = {}
    for place, deck in enumerate(decks):
        found = resolve(deck, finder, commanders=question.commanders, companion=question.companion)
        if found.not_found:
            answers[place] = _not_found(found, question)
        else:
            resolved[place] = found
    judge = _judge(question)
    for place, answer in zip(resolved, _judged(list(resolved.values()), judge, question), strict=True):
        answers[place] = answer
    return [answer for answer in answers if answer is not None]


def _judged(decks: Sequence[ResolvedDeck], judge: Judge, question: Question) -> Iterator[Answer]:
    led = any(provision.kind == "has_commander" for provision in judge.format.provided(judge.release))
    found = _best_readings(decks, judge) if led else list(zip(decks, _verdicts(decks, judge), strict=True))
    proposals = {place: _proposals(deck, judge) for place, (deck, _) in enumerate(found) if led and not deck.section("commander")}
    proposed = {place: _led_by(found[place][0], choices[0]) for place, choices in proposals.items() if len(choices) == 1}
    for place, verdict in zip(proposed, _verdicts(list(proposed.values()), judge), strict=True):
        found[place] = proposed[place], verdict
    for place, (deck, verdict) in enumerate(found):
        if len(proposals.get(place, ())) > 1:
            yield _unled(deck, proposals[place], question)
        elif isinstance(verdict, str):
            yield _failed(deck.source, deck.title, question, verdict)
        else:
            answer = verdict.as_json(_repair(deck, judge) if question.repair and verdict.verdict == "illegal" else None)
            if place in proposed:
                names = proposals[place][0]
                answer["proposed"] = list(names)
                why = f"{' and '.join(names)} leads the deck: the list names no commander, and {_why(names, deck)}"
                answer["assumptions"].append(why)
            yield answer | {"counts": counts_of(deck), "notices": [_notice(notice) for notice in deck.notices]}


def _best_readings(decks: Sequence[ResolvedDeck], judge: Judge) -> list[tuple[ResolvedDeck, DeckVerdict | str]]:
    """Return of each deck the reading with which least is wrong, where its form leaves open who leads it, with its verdict."""
    choices = [[*readings(deck), deck] for deck in decks]
    verdicts = iter(_verdicts([choice for several in choices for choice in several], judge))
    judged = [[(choice, next(verdicts)) for choice in several] for several in choices]
    return [min(several, key=lambda one: _MANY if isinstance(one[1], str) else len(one[1].violations)) for several in judged]


def _verdicts(decks: Sequence[ResolvedDeck], judge: Judge) -> list[DeckVerdict | str]:
    """Return a verdict on each deck, or why there is none."""
    try:
        return list(judge.judge(decks))
    except DataError:
        raise
    except LawmageError as error:
        if len(decks) == 1:
            return [str(error)]
        return [verdict for deck in decks for verdict in _verdicts([deck], judge)]


def basis_of(question: Question) -> str:
    """Return what answers to `question` depend on besides the decks, for fingerprints: the question, the cards, the program.

    Raises:
        DataError: if cards or formats are missing.
        UnknownNameError, InputError: if the question is about a format, release or card that there is not.
    """
    judge = _judge(question)
    made = judge.format
    finder = _finder()
    named = [finder.find(name).name for name in (*question.commanders, *filter(None, [question.companion]))]
    with CardStore.open() as store:
        cards = (store.source, store.date, store.path.stat().st_mtime_ns)
    return repr(
        (question, judge.release, judge.ban_list, made.provisions, made.bans, made.bends, sorted(made.allows), named, cards, __version__)
    )


def _judge(question: Question) -> Judge:
    if not isinstance(question.format, str):
        return Judge(question.format, question.release, question.ban_list)
    file = Path(question.format)
    changed = file.stat().st_mtime_ns if is_file(file) else 0
    return _judge_kept(question.format, question.release, question.ban_list, changed, _cards_in_use())


@lru_cache(maxsize=4)
def _judge_kept(format: str, release: str | None, ban_list: str | None, _changed: int, _cards: tuple[Path, int]) -> Judge:
    """Return a judge. It keeps what it learns about cards, so there is one for each file of cards, and of a format of the user's own."""
    return Judge(format, release, ban_list)


def _finder() -> Finder:
    return _finder_kept(*_cards_in_use())


@lru_cache(maxsize=1)
def _finder_kept(file: Path, _written: int) -> Finder:
    return Finder(file)


def _cards_in_use() -> tuple[Path, int]:
    """Return the file of the cards, and when it was written."""
    with CardStore.open() as store:
        return store.path, store.path.stat().st_mtime_ns


def _not_found(deck: ResolvedDeck, question: Question) -> Answer:
    sentences = [f"{deck.source}{f':{missing.entry.line}' if missing.entry.line else ''}: {missing.message}" for missing in deck.not_found]
    error = "; ".join(sentences[:_MOST_NAMED]) + (f"; and {len(sentences) - _MOST_NAMED} more" if len(sentences) > _MOST_NAMED else "")
    names = [{"name": missing.entry.name, "line": missing.entry.line, "message": missing.message} for missing in deck.not_found]
    return _failed(deck.source, deck.title, question, error) | {"not_found": names}


def _failed(file: str, title: str | None, question: Question, error: str) -> Answer:
    return {"file": file, "title": title, "format": question.format_name, "error": error}


def _proposals(deck: ResolvedDeck, judge: Judge) -> list[tuple[str, ...]]:
    """Return the choices of commanders that fit a list that names none: those that its title names, if any."""
    from lawmage.decks.leaders import candidates

    if len(deck.entries) > _LONGEST_SEARCHED:
        return []
    fitting = [choice.names for choice in candidates(deck, judge) if choice.fits]
    return [names for names in fitting if _in_title(names, deck)] or fitting


def _in_title(names: tuple[str, ...], deck: ResolvedDeck) -> bool:
    return deck.title is not None and key(deck.title) in {key(" ".join(names)), *(key(name.partition(" // ")[0]) for name in names)}


def _why(names: tuple[str, ...], deck: ResolvedDeck) -> str:
    return "its title is that name" if _in_title(names, deck) else "nothing else in it fits it"


def _repair(deck: ResolvedDeck, judge: Judge) -> Repair | None:
    from lawmage.decks.repair import repair

    if len(deck.entries) > _LONGEST_SEARCHED:
        return None
    return repair(deck, judge)


def _led_by(deck: ResolvedDeck, names: Sequence[str]) -> ResolvedDeck:
    cards = {entry.card.name: entry.card for entry in deck.entries}
    return set_apart(deck, [cards[name] for name in names], "commander")


def _unled(deck: ResolvedDeck, proposed: Sequence[tuple[str, ...]], question: Question) -> Answer:
    """Return the answer on a list that names no commander, and that several could lead."""
    named = "; ".join(" and ".join(names) for names in proposed[:_MOST_NAMED]) + ("; ..." if len(proposed) > _MOST_NAMED else "")
    error = f"{deck.source}: the list names no commander, and {len(proposed)} choices fit it ({named}); name one with --commander"
    return _failed(deck.source, deck.title, question, error) | {"proposed": [list(names) for names in proposed]}


def _notice(notice: Notice) -> str:
    return f"line {notice.line}: {notice.message}" if notice.line else notice.message
