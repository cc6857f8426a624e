"""One HTML page on which rules are encoded: a single file that opens from disk and loads nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from html import escape

from lawmage.rulebook.coverage import STATUSES, Coverage, RuleCoverage

__all__ = ["make_page"]

_STYLE = """
:root { --paper: #fff; --ink: #1c1b19; --soft: #5a5750; --line: #b9b5ac; }
@media (prefers-color-scheme: dark) { :root { --paper: #161719; --ink: #ececea; --soft: #b3b1ab; --line: #55575c; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
body { margin: 1.5rem auto; max-width: 68rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .6rem; text-align: right; vertical-align: top; }
th:first-child, td:first-child, .text { text-align: left; } thead th { position: sticky; top: 0; background: var(--paper); }
summary { cursor: pointer; } details ul { margin: .3rem 0; padding-left: 1.2rem; } .soft { color: var(--soft); }
"""


def make_page(covered: Coverage, headings: Mapping[str, str]) -> str:
    """Return the page.

    Args:
        covered: what became of each rule.
        headings: the headings of chapters and rules, by number.
    """
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    return "\n".join(
        [
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
            f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Rules that are encoded, {escape(covered.release)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>Which rules of {escape(covered.release)} are encoded</h1>",
            *_summary(covered),
            *_chapters(covered, headings),
            "</body></html>\n",
        ]
    )


def _summary(covered: Coverage) -> Iterator[str]:
    yield '<table><thead><tr><th>status</th><th>rules</th><th class="text">meaning</th></tr></thead><tbody>'
    for status, meaning in STATUSES.items():
        number = sum(rule.status == status for rule in covered.rules)
        yield f'<tr><td>{status}</td><td>{number:,}</td><td class="text">{escape(meaning)}'
        reasons = {reason: times for reason, times in covered.reasons(status).most_common() if reason}
        if reasons:
            yield "<ul>" + "".join(f"<li>{escape(reason)}: {times:,}</li>" for reason, times in reasons.items()) + "</ul>"
        yield "</td></tr>"
    yield f"<tr><td>all</td><td>{len(covered.rules):,}</td><td></td></tr></tbody></table>"


def _chapters(covered: Coverage, headings: Mapping[str, str]) -> Iterator[str]:
    yield "<h2>By chapter</h2><table><thead><tr><th>chapter</th><th>rules</th>"
    yield "".join(f"<th>{status}</th>" for status in STATUSES) + "</tr></thead><tbody>"
    for chapter, counts in covered.by_chapter().items():
        numbers = "".join(f"<td>{counts[status]:,}</td>" if counts[status] else "<td></td>" for status in STATUSES)
        rules = "".join(f"<li>{_rule(rule, headings)}</li>" for rule in covered.rules if rule.number[:3] == chapter)
        title = f"{chapter} {escape(headings.get(chapter, ''))}"
        yield f"<tr><td><details><summary>{title}</summary><ul>{rules}</ul></details></td><td>{counts.total():,}</td>{numbers}</tr>"
    yield "</tbody></table>"


def _rule(rule: RuleCoverage, headings: Mapping[str, str]) -> str:
    heading = headings.get(rule.number, "")
    parts = [f"<b>{rule.number}</b> {escape(heading)} {rule.status}" + (f" ({escape(rule.reason)})" if rule.reason else "")]
    if rule.encoding.encodings:
        files = dict.fromkeys(each.file for each, _ in rule.encoding.encodings)
        parts.append(f'<br><span class="soft">encoded in {escape(", ".join(files))}</span>')
    shown = rule.encoding.shown
    for word, names in (("kept", shown.kept), ("broken", shown.broken), ("applied", shown.applied)):
        if names:
            parts.append(f'<br><span class="soft">{word} in {escape(", ".join(names))}</span>')
    return "".join(parts)
