"""`lawmage search`: rules, examples, the glossary and keywords by what stands in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from lawmage.cli._shared import JsonFlag, ReleaseOption, finish, stderr, stdout

if TYPE_CHECKING:
    from lawmage.rulebook.search import Answer, Hit, Span

__all__ = ["register"]

_NUMBER = "bold cyan"
_HEADING = "bold"
_ASIDE = "dim"
_MATCH = "bold yellow"
#: About two and a half lines of 80 columns.
_LONGEST_EXCERPT = 180
#: How much of a sentence stands before the first match where the excerpt doesn't begin at the beginning.
_LEAD = 40

Words = Annotated[
    list[str], typer.Argument(metavar="WORDS", help='Words, a "quoted passage", the beginning of a word (deatht*), a rule number.')
]
Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Show so many of what is found.")]


def register(app: typer.Typer) -> None:
    """Add this subject's command to `app`."""
    app.command("search", epilog="Examples: lawmage search lethal damage deathtouch; lawmage search -- -1/-1 counters")(search)


def search(words: Words, limit: Limit = 10, as_json: JsonFlag = False, release: ReleaseOption = None) -> None:
    """Search rules, examples, the glossary and keywords. Exit status 1 if nothing is found.

    Without an installed text, headings, glossary terms and keywords are searched. The default is the newest release with its text.
    """
    from lawmage.answers.searching import answer_on
    from lawmage.rulebook.search import search as find

    found = find(" ".join(words), release=release, limit=limit)
    if not as_json:
        _print(found)
    finish(answer_on(found), as_json=as_json)


def _print(answer: Answer) -> None:
    notes = stderr()
    for asked, instead in answer.corrections.items():
        said = f"searched for {instead} instead" if instead else "searched for the rest" if answer.searched else "nothing is like it"
        notes.print(f"Nothing has {asked}; {said}.", markup=False)
    if not answer.every:
        notes.print("Nothing has all of this; the best of what has some of it:", markup=False)
    console = stdout()
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for hit in answer.hits:
        table.add_row(_place(hit), _said(hit))
    if answer.hits:
        console.print(table)
    shown = f", {len(answer.hits):,} shown" if len(answer.hits) < answer.total else ""
    what = "with text" if answer.with_text else "headings, glossary terms and keywords alone"
    found = f"{answer.total:,}" if answer.total else "Nothing"
    console.print(f"{found} found{shown} in the release of {answer.release} ({what})", markup=False, style=_ASIDE)
    _advise(answer)


def _advise(answer: Answer) -> None:
    """Say how to search more."""
    from lawmage.rulebook.store import choose_release

    newest = choose_release()
    if not answer.with_text:
        stderr().print("The text isn't installed; get it with: lawmage data update", markup=False)
    elif answer.release < newest:
        stderr().print(f"The newest known release is {newest}; get its text with: lawmage data update", markup=False)


def _place(hit: Hit) -> Text:
    word = {"glossary entry": "glossary", "keyword": "keyword"}.get(hit.kind)
    return Text(word, style=_ASIDE) if word else Text(hit.number, style=_NUMBER)


def _said(hit: Hit) -> Text:
    """A hit in a few lines: its title, or the one it stands under, and the part of its text that matches best."""
    said = Text()
    if hit.title:
        said.append_text(_marked(hit.title, hit.title_matches, _HEADING))
        if hit.kind == "keyword" and hit.number:
            said.append(f" {hit.number}", style=_NUMBER)
    elif hit.heading:
        said.append(hit.heading, style=_ASIDE)
    excerpt = _excerpt(hit.text, hit.text_matches)
    if said and excerpt:
        said.append(": ", style=_ASIDE)
    if hit.kind == "example":
        said.append("Example: ", style="italic")
    return said.append_text(excerpt)


def _marked(text: str, spans: Iterable[Span], style: str = "") -> Text:
    marked = Text(text, style=style)
    for start, end in spans:
        marked.stylize(_MATCH, start, end)
    return marked


def _excerpt(text: str, spans: tuple[Span, ...]) -> Text:
    """Return the start of a text if it has its first match, else the piece with most matches; marked, and in one paragraph."""
    start = 0
    if spans and spans[0][1] > _LONGEST_EXCERPT:
        inside = [sum(first <= other and end <= first + _LONGEST_EXCERPT - _LEAD for other, end in spans) for first, _ in spans]
        start = max(spans[inside.index(max(inside))][0] - _LEAD, 0)
        start = text.find(" ", start) + 1
    end = len(text)
    if end - start > _LONGEST_EXCERPT:
        end = text.rfind(" ", start, start + _LONGEST_EXCERPT)
        end = end if end > start else start + _LONGEST_EXCERPT
    piece = _marked(text.replace("\n", " "), spans)[start:end]
    return Text.assemble("… " if start else "", piece, " …" if end < len(text) else "")
