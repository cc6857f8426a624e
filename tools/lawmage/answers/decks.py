"""What `lawmage deck` answers: verdicts on decks, and decks written in other forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from lawmage.answers.answered import BAD_INPUT, NO, UNDECIDED, YES, Answered, reason, status_of
from lawmage.answers.judged import quoted
from lawmage.answers.source import Source
from lawmage.decks.answers import Answer, Question, answer_decks
from lawmage.decks.deck import Deck
from lawmage.decks.explain import explain_deck
from lawmage.decks.formats import load_format, read_format, shipped_format
from lawmage.decks.reading import read_decks
from lawmage.decks.writing import CARRIED, write_deck
from lawmage.errors import InputError, LawmageError
from lawmage.play.explain import Step

__all__ = ["STATUS", "answers_on", "argument", "convert", "deck", "explained", "written"]

#: The exit status of each verdict; `error` stands for a file that can't be judged.
STATUS = {"legal": YES, "illegal": NO, "undecided": UNDECIDED, "error": BAD_INPUT}
#: What messages call a format that a caller hands over.
_HOUSE = "format_text"


def deck(
    sources: Sequence[Source],
    *,
    format: str = "commander",
    format_text: str | None = None,
    commanders: Sequence[str] = (),
    companion: str | None = None,
    release: str | None = None,
    ban_list: str | None = None,
    repair: bool = True,
    explain: bool = False,
) -> Answered:
    """Judge decks: every violation with its rule, and a smallest repair.

    Args:
        sources: lists of cards in any form; one can hold several decks.
        format: the name of a format that comes with lawmage.
        format_text: in its place, a format of the user's own in YAML or JSON (see `lawmage.decks.house_format`).
        commanders, companion: names that replace what the lists say.
        release: of the rules; by default the newest known.
        ban_list: the day whose ban list counts; by default the newest known on the release's.
        repair: whether a smallest set of changes is looked for where a deck is illegal.
        explain: whether each verdict is explained.

    Raises:
        InputError: if `format_text` is no format. What is wrong with one deck stands in its answer.
    """
    made = format if format_text is None else read_format(format_text, file=_HOUSE)
    question = Question(made, release, ban_list, tuple(commanders), companion, repair)
    found = [answer for source in sources for answer in answers_on(source.name, partial(_decks_of, source, question), question)]
    if explain:
        found = [answer if "error" in answer else explained(answer, argument(answer, question)) for answer in found]
    return Answered({"decks": found}, status_of(STATUS[answer.get("verdict", "error")] for answer in found))


def _decks_of(source: Source, question: Question) -> Sequence[Deck]:
    if isinstance(question.format, str):
        shipped_format(question.format)  # for whoever judges, another name could be a file's
    return read_decks(source.encoded(), source.name)


def answers_on(name: str, decks: Callable[[], Sequence[Deck]], question: Question) -> list[Answer]:
    """Return the answers on the decks of one file, or the one that says why there are none.

    Args:
        name: of the file.
        decks: reads them.
        question: what is asked of each.
    """
    try:
        return answer_decks(decks(), question)
    except LawmageError as error:
        return [{"file": name, "format": question.format_name, **reason(error)}]


def argument(answer: Answer, question: Question) -> dict[str, Step]:
    """Return the argument for the answer on a deck, by the deck's title or file.

    Raises:
        DataError: if kb/explanations.ttl is missing or damaged.
    """
    format = load_format(question.format) if isinstance(question.format, str) else question.format
    return {answer["title"] or answer["file"]: explain_deck(answer, format)}


def explained(answer: Answer, why: Mapping[str, Step]) -> Answer:
    """Return the answer on a deck with the argument for it (see `argument`), which quotes the rules whose texts are installed."""
    (step,) = quoted(why, answer["release"]).values()
    return answer | {"explanation": step.as_json()}


def convert(source: Source, *, to: str) -> Answered:
    """Write a deck in another form.

    Args:
        source: a list of cards in any form.
        to: `moxfield`, `arena`, `mtgo`, `cockatrice`, `forge`, `xmage` or `csv`.

    Returns:
        `{"form", "text", "left_out"}`: how many cards of which sections the form has no place for.

    Raises:
        InputError: if it is no deck, or several.
        UnknownNameError: if there is no such form.
    """
    return written(read_decks(source.encoded(), source.name), to)


def written(decks: Sequence[Deck], form: str) -> Answered:
    """Return the answer of `convert` on the one deck there is. Raises as that does."""
    if len(decks) != 1:
        raise InputError(f"--to writes one deck, but there are {len(decks)}")
    text = write_deck(decks[0], form)
    left_out = {section: count for section, count in decks[0].counts().items() if section not in CARRIED[form]}
    return Answered({"form": form, "text": text, "left_out": left_out})
