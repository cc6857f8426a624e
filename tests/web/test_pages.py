"""What all pages share: templates, addresses of static files, vendored files."""

from __future__ import annotations

import hashlib
import re

import pytest
from markupsafe import Markup

from lawmage.web.pages.render import STATIC, TEMPLATES, linked, static


def test_vendored_files_are_what_their_readme_says() -> None:
    vendored = STATIC / "vendor"
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (vendored / "README.md").read_text().splitlines()
        if ".js |" in line
    ]
    assert {row[0] for row in rows} == {path.name for path in vendored.iterdir() if path.name != "README.md"}
    for name, *_, licence, fingerprint in rows:
        assert licence
        assert hashlib.sha256((vendored / name).read_bytes()).hexdigest() == fingerprint, name


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.relative_to(TEMPLATES).as_posix())
def test_templates_have_no_inline_script_or_style(path: object) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)|hx-on", text, re.IGNORECASE)
    assert "|safe" not in text.replace(" ", "")
    assert not re.search(r"(\ssrc=|<link[^>]*\shref=)\"(https?:)?//", text)


def test_rule_numbers_become_links() -> None:
    assert linked("see 702.111b, <b> and 509.1.") == Markup(
        'see <a class="rule" href="/rules/702.111b">702.111b</a>, &lt;b&gt; and <a class="rule" href="/rules/509.1">509.1</a>.'
    )
    assert linked("100 cards, 2.5, 2026-08-07, 1234.5") == Markup("100 cards, 2.5, 2026-08-07, 1234.5")


def test_static_files_are_addressed_by_their_content() -> None:
    assert re.fullmatch(r"/static/style\.css\?v=[0-9a-f]{12}", static("style.css"))
