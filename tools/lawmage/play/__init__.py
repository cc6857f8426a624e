"""Is this play legal: from a board to facts, from facts to a verdict, from a verdict to words.

scenario -> reading (what the words say) -> facts -> asp/ -> clingo -> verdict -> words
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawmage.play.judging import (
        Answer,
        Declaration,
        ProposalVerdict,
        Requirements,
        UndecidedError,
        Violation,
        count_by_player,
        count_declarations,
        enumerate_declarations,
        judge,
        judge_and_explain,
        programs,
    )

__all__ = [
    "Answer",
    "Declaration",
    "ProposalVerdict",
    "Requirements",
    "UndecidedError",
    "Violation",
    "count_by_player",
    "count_declarations",
    "enumerate_declarations",
    "judge",
    "judge_and_explain",
    "programs",
]


def __getattr__(name: str) -> Any:
    # Other parts use the solver or a value of this package alone, and shall not wait for all that judging a board needs.
    if name in __all__:
        return getattr(importlib.import_module("lawmage.play.judging"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
