"""The web page and the HTTP API, for the extra `web`. `lawmage.web.pool` needs nothing of the extra: other servers use it, too."""

__all__: list[str] = []
