"""Explanations for people: a tree on the terminal, and files in Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text
from rich.tree import Tree

from lawmage.errors import InputError

if TYPE_CHECKING:
    from lawmage.play.explain import Step

    _Writer: TypeAlias = Callable[[str, str, Sequence[tuple[str, Sequence[Step]]]], str]

__all__ = ["ExplainFlag", "ExplainToOption", "Explanations"]

ExplainFlag = Annotated[bool, typer.Option("--explain", help="Print why, step by step, with the rules; quoted if their text is installed.")]
ExplainToOption = Annotated[
    Path | None,
    typer.Option("--explain-to", metavar="FILE", readable=False, help="Write the explanation as Markdown (.md) or as a web page (.html)."),
]

_SUFFIXES = (".md", ".html")
#: On a terminal a longer text of a rule is cut; the files have all of it.
_LONGEST_QUOTE = 240


def _grow(tree: Tree, step: Step) -> None:
    for child in step.children:
        _grow(tree.add(_told(child)), child)


def _told(step: Step) -> Text:
    told = Text.assemble((f"{step.rule} ", "cyan") if step.rule else "", step.sentence)
    if step.quote:
        quote = " ".join(step.quote.split())
        cut = quote if len(quote) <= _LONGEST_QUOTE else quote[:_LONGEST_QUOTE].rpartition(" ")[0] + " ..."
        told.append(f"\n“{cut}”", style="dim italic")
    return told


def _writer(suffix: str) -> _Writer:
    from lawmage.play.explanation_files import to_html, to_markdown

    return dict(zip(_SUFFIXES, (to_markdown, to_html), strict=True))[suffix]


class Explanations:
    """The explanations that one run of a command is asked for: printed, put into JSON, written into a file.

    Args:
        wanted: whether they are to be printed, or put into JSON.
        file: where to write them, if anywhere.

    Raises:
        InputError: for a file whose name asks for another form than Markdown or HTML.
    """

    def __init__(self, *, wanted: bool, file: Path | None) -> None:
        if file is not None and file.suffix not in _SUFFIXES:
            raise InputError(f"explanations are written as {' or '.join(_SUFFIXES)}, and this name ends otherwise", file=file)
        self.wanted = wanted
        self.file = file
        self.release = ""
        self.kept: list[tuple[str, list[Step]]] = []

    def __bool__(self) -> bool:
        """Whether any are asked for."""
        return self.wanted or self.file is not None

    def add(self, title: str, release: str, steps: Mapping[str, Step]) -> None:
        """Keep the explanations of one file's verdicts; a rule whose text is installed is quoted where they name it first."""
        from lawmage.answers.judged import text_in
        from lawmage.play.explain import quoted_from

        self.release = max(self.release, release)
        self.kept.append((title, []))
        if steps:
            told: set[str] = set()
            text = text_in(release)
            self.kept[-1][1].extend(quoted_from(step, text, told) for step in steps.values())

    def print(self, console: Console) -> None:
        """Print what was added last as trees, under its title."""
        title, steps = self.kept[-1]
        console.print(Text(title, style="bold"))
        for step in steps:
            tree = Tree(_told(step), guide_style="dim")
            _grow(tree, step)
            console.print(Padding(tree, (0, 0, 1, 2)))

    def write(self) -> None:
        """Write the file, if there is to be one; what was there stays until all is written.

        Raises:
            InputError: if it can't be written.
        """
        if self.file is None:
            return
        from lawmage.rulebook.store import write_aside

        try:
            write_aside(self.file, _writer(self.file.suffix)("Why", self.release, self.kept).encode())
        except OSError as error:
            raise InputError(f"can't be written ({error.strerror or error})", file=self.file) from None
