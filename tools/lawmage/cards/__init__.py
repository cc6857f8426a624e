"""Cards: their characteristics, what their text states, and how they are found by name.

`card` has the values, `store` the file that holds them, `names` finds a card as people type it,
`coverage` measures how much of their text is understood.
"""
