"""Explanations as Markdown and as an HTML page that needs nothing else: light and dark, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from lawmage.play.explain import Step

__all__ = ["to_html", "to_markdown"]

_MARKED = re.compile(r"([\\`*_{}\[\]<>#|~])")
_VERDICTS = re.compile(r"\b(legal|illegal|undecided)\b")

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2327; --paper: #fdfdfb; --faint: #5d666d; --line: #d6d9d4; --rule: #0b5c7a;
  --legal: #17693a; --illegal: #a3261d; --undecided: #7d5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6e3; --paper: #16191b; --faint: #9aa3a8; --line: #353b3f; --rule: #7cc7e2;
  --legal: #74cf95; --illegal: #f08d84; --undecided: #e0b854; } }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 46rem;
  font: 1rem/1.5 Georgia, serif; color: var(--ink); background: var(--paper); }
h1, h2 { font-family: system-ui, sans-serif; line-height: 1.2; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
ul { list-style: none; margin: 0; padding-left: 1.1rem; border-left: 1px solid var(--line); }
li { margin: .45rem 0; overflow-wrap: anywhere; }
section > ul { border: 0; padding: 0; } section > ul > li { margin: 1.5rem 0; }
b.rule { font: 600 .85rem ui-monospace, monospace; color: var(--rule); margin-right: .4rem; }
blockquote { margin: .2rem 0 .2rem; padding: 0; color: var(--faint); font-style: italic; font-size: .92rem; white-space: pre-line; }
.legal { color: var(--legal); } .illegal { color: var(--illegal); } .undecided { color: var(--undecided); }
.legal, .illegal, .undecided { font-weight: 700; }
footer { margin-top: 3rem; color: var(--faint); font-size: .85rem; }
"""


def to_markdown(title: str, release: str, explained: Sequence[tuple[str, Sequence[Step]]]) -> str:
    """Return explanations as Markdown: under the title of each file, a list of steps with the rules quoted."""
    lines = [f"# {_plain(title)}", "", f"As of the rules of {release}."]
    for heading, steps in explained:
        lines += ["", f"## {_plain(heading)}", ""]
        for step in steps:
            lines += _markdown(step, 0)
    return "\n".join(lines) + "\n"


def _markdown(step: Step, depth: int) -> Iterator[str]:
    margin = "  " * depth
    rule = f"**{_plain(step.rule)}** " if step.rule else ""
    yield f"{margin}- {rule}{_plain(step.sentence)}"
    if step.quote:
        yield from ["", *(f"{margin}  > {_plain(line)}" for line in step.quote.splitlines()), ""]
    for child in step.children:
        yield from _markdown(child, depth + 1)


def _plain(text: str) -> str:
    """Return text that stands for itself in Markdown, on one line."""
    return _MARKED.sub(r"\\\1", " ".join(text.split()))


def to_html(title: str, release: str, explained: Sequence[tuple[str, Sequence[Step]]]) -> str:
    """Return explanations as one HTML page."""
    quoting = any(each.quote for _, steps in explained for step in steps for each in step.walk())
    quoted = " Rules are quoted from the copy that is installed." if quoting else ""
    sections = "\n".join(
        f"<section><h2>{escape(heading)}</h2><ul>{''.join(_html(step, top=True) for step in steps)}</ul></section>"
        for heading, steps in explained
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n{sections}\n"
        f"<footer>As of the rules of {escape(release)}.{quoted}</footer></body></html>\n"
    )


def _html(step: Step, *, top: bool = False) -> str:
    sentence = escape(step.sentence)
    if top:
        sentence = _VERDICTS.sub(r'<span class="\1">\1</span>', sentence, count=1)
    rule = f'<b class="rule">{escape(step.rule)}</b>' if step.rule else ""
    quote = f"<blockquote>{escape(step.quote)}</blockquote>" if step.quote else ""
    under = f"<ul>{''.join(map(_html, step.children))}</ul>" if step.children else ""
    return f"<li>{rule}{sentence}{quote}{under}</li>\n"
