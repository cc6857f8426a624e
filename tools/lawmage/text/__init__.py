"""Reading rules text: sentences about declaring attackers and blockers, about plays, and keywords as written.

read.py           a text -> what each of its sentences states, and which are not understood
lines.py          a text -> abilities, labels, sentences; by what names an object calls itself
forms.py          "protection from red" -> a keyword and its quality
sentences.lark    the grammar: wording -> terms of kb/vocabulary.ttl
words.toml        subtypes, ability words, and turns of rules text, as data
words.py          a sentence -> words, with names, keywords and subtypes recognised
parser.py         words -> a tree
meaning.py        a tree -> constraints: what "or" joins, what "it" stands for
plays.py          a text -> what it says about casting and activating: costs (costs.py), targets (aims.py), modes (modes.py)
doubts.py         a sentence about plays that is not understood -> what it could change
play_keywords.py  which keywords have to do with plays, as kb/ says
write.py          a constraint -> a sentence that reads back as the same, in the wordings of wordings.toml
"""

__all__: list[str] = []
