"""Answers on decks for people: a table of what is wrong, and a picture of what the deck is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lawmage.decks.repair_words import change_in_words, repair_in_words

__all__ = ["print_deck", "print_others", "print_summary"]

_STYLE = {"legal": "bold green", "illegal": "bold red", "undecided": "bold yellow", "error": "bold red"}
#: How each colour is shown on a terminal, by its letter; `C` for none.
_COLORS = {"W": "bright_yellow", "U": "bright_blue", "B": "magenta", "R": "bright_red", "G": "bright_green", "C": "white"}
_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G", "colorless": "C"}
_LABELS = 13
_WIDEST_BAR = 14
#: Mana values from here on share a bar.
_HIGH = 7
_MOST_LINES = 200


def print_deck(console: Console, answer: Mapping[str, Any]) -> None:
    """Print the answer on a deck."""
    title = f" ({answer['title']})" if answer.get("title") else ""
    verdict = answer["verdict"]
    console.print(Text.assemble(f"{answer['file']}{title}: ", (verdict, _STYLE[verdict]), f" in {answer['format']}"), soft_wrap=True)
    console.print(Padding(_labelled(_facts(answer)), (0, 0, 0, 2)))
    if answer["violations"]:
        console.print(Padding(_violations(answer["violations"]), (0, 0, 0, 1)))
    console.print(Padding(_labelled(_remarks(answer)), (0, 0, 0, 2)))
    console.print(Padding(_picture(answer["counts"]), (1, 0, 1, 2)))


def _labelled(rows: Iterable[tuple[str, Text | str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True, min_width=_LABELS)
    table.add_column()
    for label, words in rows:
        table.add_row(label, Text(words) if isinstance(words, str) else words)
    return table


def _facts(answer: Mapping[str, Any]) -> Iterator[tuple[str, Text | str]]:
    commanders = " and ".join(answer["commanders"]) or "none"
    yield "commander", Text.assemble(commanders, "  ", identity_in_color(answer["color_identity"]))
    if companion := answer["companion"]:
        yield "companion", Text.assemble(companion["name"], " (", (companion["verdict"], _STYLE[companion["verdict"]]), ")")
    bans = f", ban list of {answer['ban_list']}" if answer["ban_list"] else ""
    yield "cards", Text.assemble(f"{answer['cards']:,}", (f"   rules of {answer['release']}{bans}", "dim"))


def identity_in_color(identity: Iterable[str] | None) -> Text:
    """Return a colour identity as letters in their colours."""
    if identity is None:
        return Text("")
    return Text.assemble(*((f" {letter} ", f"bold black on {_COLORS[letter]}") for letter in list(identity) or ["C"]))


def _violations(violations: Iterable[Mapping[str, Any]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("rule", style="bold", no_wrap=True)
    table.add_column("cards")
    table.add_column("what is wrong")
    for violation in violations:
        table.add_row(violation["rule"], Text("\n".join(violation["cards"])), Text(violation["message"]))
    return table


def _remarks(answer: Mapping[str, Any]) -> Iterator[tuple[str, Text | str]]:
    for sentence in answer["assumptions"]:
        yield "assumed", sentence
    for sentence in answer["not_understood"]:
        yield "not known", Text(sentence, style="yellow")
    if repair := answer["repair"]:
        yield "repair", _repair(repair)
    if changers := answer["game_changers"]:
        yield "game changers", f"{len(changers)}: {', '.join(changers)}"
    for sentence in answer["notices"]:
        yield "note", sentence


def _repair(repair: Mapping[str, Any]) -> str:
    lines = [repair_in_words(repair), *map(change_in_words, repair["changes"])]
    return ":\n".join([lines[0], "\n".join(lines[1:])]) if len(lines) > 1 else lines[0]


# ---------------------------------------------------------------- the picture


def _picture(counts: Mapping[str, Mapping[str, int]]) -> RenderableType:
    values = {int(value): count for value, count in counts["mana_values"].items()}
    curve = {str(value): values.get(value, 0) for value in range(min(_HIGH, max(values, default=0) + 1))}
    if high := sum(count for value, count in values.items() if value >= _HIGH):
        curve[f"{_HIGH}+"] = high
    colors = {_LETTERS[color]: count for color, count in counts["colors"].items()}
    return Columns(
        [
            _bars("cards of each type", counts["types"]),
            _bars("mana value", curve),
            _bars("color identity", colors, _COLORS),
        ],
        padding=(0, 4),
    )


def _bars(title: str, counts: Mapping[str, int], styles: Mapping[str, str] | None = None) -> Table:
    """Return a bar chart: a row for each count, the longest bar for the highest."""
    table = Table(title=title, title_style="dim", title_justify="left", box=None, show_header=False, pad_edge=False)
    highest = max(counts.values(), default=0)
    for name, count in counts.items():
        length = round(_WIDEST_BAR * count / highest) if highest else 0
        table.add_row(name, f"{count:,}", Text("█" * length, style=(styles or {}).get(name, "cyan")))
    return table


# ---------------------------------------------------------------- many decks


def print_summary(console: Console, summary: Mapping[str, Any]) -> None:
    """Print what a run over many decks came to."""
    kept = f", {summary['kept']:,} of them judged before" if summary["kept"] else ""
    console.print(f"{summary['files']:,} files{kept}")
    for verdict, count in sorted(summary["verdicts"].items(), key=lambda pair: -pair[1]):
        console.print(Text.assemble(f"{count:>9,} ", (verdict, _STYLE[verdict])))
    if summary["rules"]:
        console.print("decks that violate", style="dim")
        for rule, count in summary["rules"].items():
            console.print(f"{count:>9,} {rule}", markup=False)


def print_others(console: Console, answers: Iterable[Mapping[str, Any]]) -> None:
    """Print a line on each deck that isn't legal, up to a number."""
    for place, answer in enumerate(answer for answer in answers if answer.get("verdict") != "legal"):
        if place == _MOST_LINES:
            console.print("... and more; --output keeps the answers in a file", style="dim")
            return
        title = f" ({answer['title']})" if answer.get("title") else ""
        if "error" in answer:
            line = Text.assemble(("error ", _STYLE["error"]), answer["error"])
        else:
            rules = ", ".join(dict.fromkeys(violation["rule"] for violation in answer["violations"]))
            line = Text.assemble((f"{answer['verdict']} ", _STYLE[answer["verdict"]]), f"{answer['file']}{title}: {rules}")
        console.print(line, soft_wrap=True)
