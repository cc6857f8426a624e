"""Reading rules text: sentences about declaring attackers and blockers, and keywords as written."""

__all__: list[str] = []
