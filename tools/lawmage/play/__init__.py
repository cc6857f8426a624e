"""Is this play legal: from a board to facts, from facts to a verdict, from a verdict to words."""
