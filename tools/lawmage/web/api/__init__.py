"""The HTTP API: each command as a request, with the JSON document that the command prints.

`plays`, `decks`, `rules` have the requests by subject, `bodies` reads what they bring, `schemas` says what they answer, and `docs` shows
all of that: as OpenAPI (/api/openapi.json) and as a page (/api/docs).
"""

from __future__ import annotations

from lawmage.web.api import decks, docs, plays, rules

__all__ = ["routers"]

#: All of them, for the application to include.
routers = (plays.router, decks.router, rules.router, docs.router)
