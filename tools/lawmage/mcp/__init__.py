"""A Model Context Protocol server: tools and resources with which a language model asks lawmage. For the extra `mcp`.

`server.create_server` puts it together: what is asked (`judging`, `decks`, `rules`, `resources`), by whom it is answered (`asking`: the
functions of `lawmage.answers` in worker processes), and what of the answers a model is shown (`shortening`, `answering`, `words`).
"""

__all__: list[str] = []
