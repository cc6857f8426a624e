"""Makes pages from the templates.

    return page(request, "rules/rule.html", rule=document)

Every template extends `base.html` and fills its blocks `title`, `main` and, where it needs more than htmx, `scripts`. Templates have
the filters `linked` (text whose rule numbers become links), `rule_url`, `grouped` (1,295 for 1295) and `gathered` (texts that only differ
in whom they are about as one), and the function `static(path)`, the address of a static file that changes with its content. Values are
escaped wherever they stand.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from lawmage.play.together_words import gathered

__all__ = ["STATIC", "TEMPLATES", "linked", "page", "rule_url", "static"]

_WEB = Path(__file__).resolve().parent.parent

#: Where the templates and the static files are.
TEMPLATES = _WEB / "templates"
STATIC = _WEB / "static"

#: Smaller pages than this fit into one packet as they are.
_WORTH_IT = 1400

# A number with its subrule, such as 702.19b; a bare 702 in running text may count something else.
_RULE = re.compile(r"(?<![\w./])(\d{3}\.\d{1,3}[a-z]?)(?![\w/]|\.\d)")


def page(request: Request, template: str, *, status_code: int = 200, headers: dict[str, str] | None = None, **values: Any) -> HTMLResponse:
    """Return the page that `template` makes of `values`; `path` in it is the path of the request."""
    body = _environment().get_template(template).render(path=request.url.path, **values).encode(errors="replace")
    response = HTMLResponse(status_code=status_code, headers=headers)
    response.headers["Vary"] = "Accept-Encoding, HX-Request"
    if len(body) >= _WORTH_IT and "gzip" in request.headers.get("Accept-Encoding", ""):
        body = gzip.compress(body, 5, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(body))
    response.body = body
    return response


def rule_url(number: str) -> str:
    """Return the address of the page of a rule."""
    return f"/rules/{quote(number, safe='')}"


def linked(text: str) -> Markup:
    """Return `text` escaped, with each rule number in it a link to the rule's page."""
    parts: list[str] = []
    end = 0
    for match in _RULE.finditer(text):
        parts.append(escape(text[end : match.start()]))
        parts.append(Markup('<a class="rule" href="{}">{}</a>').format(rule_url(match[1]), match[1]))
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


@lru_cache(maxsize=256)
def static(path: str) -> str:
    """Return the address of the static file at `path`, with a mark of its content, so that browsers may keep it."""
    return f"/static/{path}?v={hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:12]}"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(linked=linked, rule_url=rule_url, grouped="{:,}".format, gathered=gathered)
    environment.globals.update(static=static)
    return environment
