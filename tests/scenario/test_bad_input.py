"""Bad scenarios: each fault is one sentence that names the file, the line, and what was expected.

A case is the text, the line, and words that the sentence has to have.
"""

from __future__ import annotations

import re

import pytest

from lawmage.errors import InputError
from lawmage.scenario import read_scenario, scenario_from

#: A board for what stands after it: lines 1 to 8.
BOARD = """\
battlefield:
  m: {controller: A, pt: 9/9}
  v: {controller: A, pt: 2/2}
  b1: {controller: D, pt: 2/2}
  w: {controller: D, types: [planeswalker], loyalty: 4}
graveyard: {g: {owner: D}}
hand: {h: {owner: A}}
title: bad
"""
ATTACK = BOARD + "attack: {m: D}\n"  # 9
BLOCK = ATTACK + "block: {}\n"  # 10
THREE = BOARD + "players: {A: {}, D: {}, E: {}}\n"  # 9


def one(what: str) -> str:
    """A scenario with one creature that has `what` beside the least that it needs; it stands on line 3."""
    return f"battlefield:\n  x:\n    {{controller: A, {what}}}\n"


CASES: list[tuple[str, int, str]] = [
    # the file
    ("", 1, "nothing is written here; expected a map of keys and values"),
    ("# only a comment\n\n", 1, "nothing is written here"),
    ("---\n", 1, "nothing is written here"),
    ("- a\n- b\n", 1, "the scenario must be a map of keys and values, but is a list"),
    ("Grizzly Bears", 1, 'must be a map of keys and values, but is "Grizzly Bears"'),
    ("null", 1, "must be a map of keys and values, but is empty"),
    ("lawmage: 2\n", 1, "lawmage must be 1, the version of the format, but is 2"),
    ("lawmage: [1]\n", 1, "lawmage must be 1, the version of the format, but is a list"),
    ("title: x\nbatlefield: {}\n", 2, 'the key "batlefield" is not known in a scenario; did you mean "battlefield"?'),
    ("title: x\nqq: {}\n", 2, 'the key "qq" is not known in a scenario; expected lawmage, title, release, players'),
    ("title: [x]\n", 1, "title must be text, but is a list"),
    ("title:\n", 1, "title must be text, but is empty"),
    ("release: 2026-13-01\n", 1, 'release must be the date of a release, but is "2026-13-01"'),
    ("release: 20260807\n", 1, 'release must be the date of a release, but is 20260807; did you mean "2026-08-07"?'),
    ("release: 2026-8-7\n", 1, '; did you mean "2026-08-07"?'),
    # what has been paid with
    (
        BOARD + "attack: {m: {target: D, with: {sacrifice: [v]}}}\n",
        9,
        'says that "v" has left the battlefield to pay (sacrifice), but it is still',
    ),
    (
        BOARD + "attack: {m: {target: D, with: {destroy: [v]}}}\n",
        9,
        'the key "destroy" is not known in attack.m.with; expected sacrifice, tap, return',
    ),
    # players
    ("players: [A, D]\n", 1, "players must be a map of players, but is a list"),
    ("title: x\nplayers:\n", 2, "players must be a map of players, but is empty (write {} for none)"),
    ("players: {A: {}}\n", 1, "players must name at least two players, but names 1"),
    ("players:\n  B: {}\n  D: {}\n", 2, 'players has no player "A", so the key active must say who'),
    ("active: X\n", 1, 'active names "X", which is not the name of a player here; expected A or D'),
    ("active: [A]\n", 1, "active must be the name of a player, but is a list"),
    ("players:\n  A: {lif: 2}\n  D: {}\n", 2, 'the key "lif" is not known in players.A; did you mean "life"?'),
    ("players:\n  A: 20\n  D: {}\n", 2, "players.A must be a map, but is 20"),
    ("players: {A: {life: 20.5}, D: {}}\n", 1, "players.A.life must be a whole number from -10,000,000 to 10,000,000, but is 20.5"),
    ("players: {A: {life: 10000001}, D: {}}\n", 1, "but is 10000001"),
    ("players: {A: {life: -10000001}, D: {}}\n", 1, "but is -10000001"),
    ('players: {A: {life: "20"}, D: {}}\n', 1, 'but is "20", which is text; write it without quotes'),
    ("players: {A: {life: true}, D: {}}\n", 1, "players.A.life must be a whole number from -10,000,000 to 10,000,000, but is true"),
    ("players: {A: {life: .inf}, D: {}}\n", 1, "must be a whole number"),
    ("players: {A: {poison: -1}, D: {}}\n", 1, "players.A.poison must be a whole number from 0 to 10,000,000, but is -1"),
    ("players: {A: {mana: {R}}, D: {}}\n", 1, 'players.A.mana must be symbols of mana in quotes, such as "{2}{R}", but is a map'),
    ('players: {A: {mana: "{2}R"}, D: {}}\n', 1, "must be symbols of mana"),
    ('players: {A: {mana: "{Q}"}, D: {}}\n', 1, "must be symbols of mana"),
    ("players: {A: {monarch: 1}, D: {}}\n", 1, "players.A.monarch must be true or false, but is 1"),
    ("players: {A: {commander_damage: {q: 3}}, D: {}}\n", 1, 'names "q", which is not the name of an object here'),
    # objects
    (one("pt: 1/1").replace("controller: A, ", ""), 2, "battlefield.x needs the key controller, the name of a player"),
    ("hand:\n  x: {}\n", 2, "hand.x needs the key owner, the name of a player"),
    ("stack:\n  x: {owner: A}\n", 2, "stack.x needs the key controller"),
    ("hand:\n  x: {owner: A, controller: D}\n", 2, "nothing is controlled in the zone hand (109.4)"),
    ("battlefield: {x: {controller: [A, D], pt: 1/1}}", 1, "battlefield.x.controller must be the name of a player, but is a list"),
    ("battlefield: {x: {controller: Anna, pt: 1/1}}", 1, 'names "Anna", which is not the name of a player here; expected A or D'),
    (one("pt: 1/1, owner: X"), 3, 'battlefield.x.owner names "X", which is not the name of a player'),
    ("battlefield: {x: 9/9}\n", 1, 'battlefield.x must be a map, but is "9/9"'),
    ("battlefield: [x]\n", 1, "battlefield must be a map of objects, but is a list"),
    ("battlefield:\n  x: {controller: A}\n", 2, "battlefield.x is a creature, so it needs the key pt"),
    (one('pt: "*/*"'), 3, 'battlefield.x.pt must be power and toughness as two whole numbers up to 10,000,000, such as 2/2, but is "*/*"'),
    (one("pt: 1+*/1"), 3, "write the numbers that they are now"),
    (one("pt: 9"), 3, "such as 2/2, but is 9"),
    (one("pt: [9, 9]"), 3, "such as 2/2, but is a list"),
    (one("pt: 10000001/1"), 3, "such as 2/2"),
    (one("pt: 1/-10000001"), 3, "such as 2/2"),
    (one("pt: 1/99999999999999999999"), 3, "such as 2/2"),
    (one("pt: 1/1, pt: 2/2"), 3, 'the key "pt" stands twice in this map, first on line 3'),
    (one("power: 1, toughness: 1"), 3, 'the key "power" is not known in battlefield.x; write both as pt: 2/3'),
    (one("pt: 1/1, colours: [red]"), 3, 'the key "colours" is not known in battlefield.x; did you mean "colors"?'),
    (one("pt: 1/1, colors: [gren]"), 3, 'battlefield.x.colors[1] must be white, blue, black, red or green, but is "gren"'),
    (one("pt: 1/1, colors: [gren]"), 3, 'did you mean "green"?'),
    (one("pt: 1/1, colors: [colorless]"), 3, "write [] for no colors"),
    (one("pt: 1/1, colors: red"), 3, 'battlefield.x.colors must be a list, but is "red"; write [red]'),
    (one("pt: 1/1, types: creature"), 3, "write [creature]"),
    (one("pt: 1/1, types: [creture]"), 3, 'did you mean "creature"?'),
    (one("pt: 1/1, types: {}"), 3, "battlefield.x.types must be a list, but is a map"),
    (one("pt: 1/1, types: "), 3, "battlefield.x.types must be a list, but is empty (write [] for none)"),
    (one("pt: 1/1, supertypes: [legend]"), 3, 'did you mean "legendary"?'),
    (one("pt: 1/1, subtypes: [Elf, '']"), 3, "battlefield.x.subtypes[2] must be text of 1 to 200 characters"),
    (one("pt: 1/1, keywords: menace"), 3, "battlefield.x.keywords must be a list"),
    (one("pt: 1/1, keywords: [flying, {a: b}]"), 3, "battlefield.x.keywords[2] must be text, but is a map"),
    (one("pt: 1/1, keywords: [ward {2}]"), 3, 'put the text in quotes, such as "ward {2}"'),
    (one('pt: 1/1, mana_cost: "2R"'), 3, "battlefield.x.mana_cost must be symbols of mana"),
    (
        one('pt: 1/1, tapped: "yes"'),
        3,
        'battlefield.x.tapped must be true or false, but is "yes", which is text; write true without quotes',
    ),
    (one("pt: 1/1, tapped: no"), 3, 'but is "no", which is text; write false without quotes'),
    (one("pt: 1/1, sick: 0"), 3, "battlefield.x.sick must be true or false, but is 0"),
    (one("pt: 1/1, sick: soon"), 3, 'battlefield.x.sick must be true or false, but is "soon"'),
    (one("pt: 1/1, damage: -1"), 3, "battlefield.x.damage must be a whole number from 0 to 10,000,000, but is -1"),
    (one("pt: 1/1, damage: 1e3"), 3, "but is 1e3"),
    (one("pt: 1/1, damage: 99999999999999999999"), 3, "but is 99999999999999999999"),
    (one("pt: 1/1, counters: {+1/+1: -2}"), 3, "battlefield.x.counters.+1/+1 must be a whole number from 0"),
    (one("pt: 1/1, counters: [flying]"), 3, "battlefield.x.counters must be a map, but is a list"),
    (one("pt: 1/1, attached_to: y"), 3, 'battlefield.x.attached_to names "y", which is not the name of a player or an object here'),
    (one("pt: 1/1, attached_to: x"), 2, "battlefield.x is attached to itself"),
    (one("pt: 1/1, goaded_by: [D, D]"), 3, 'battlefield.x.goaded_by[2] names "D" for the second time'),
    (one("pt: 1/1, goaded_by: D"), 3, "write [D]"),
    (one("pt: 1/1, blocked: true"), 3, "battlefield.x.blocked is true, but the file does not say that it is attacking"),
    (one("pt: 1/1, protector: D"), 2, "battlefield.x has a protector, but it is not a battle"),
    (one("types: [planeswalker], loyalty: 4, counters: {loyalty: 3}"), 3, "battlefield.x.loyalty is 4, but the counters say 3"),
    (one("pt: 1/1, also: {keywords: [flying]}"), 3, "battlefield.x.also adds to a card, so it needs the key card beside it"),
    ("players: {A: {}, D: {}, E: {}}\nbattlefield:\n  x: {controller: A, types: [battle]}\n", 3, "needs the key protector"),
    ("battlefield:\n  D: {controller: A, pt: 1/1}\n", 2, "battlefield.D has the name of a player; give it another"),
    ("battlefield:\n  step: {controller: A, pt: 1/1}\n", 2, 'battlefield.step must not be called "step"'),
    (BOARD + "exile:\n  m: {owner: A}\n", 10, "exile.m has a name that battlefield.m has already"),
    (one("pt: 1/1, keywords: [" + "x" * 201 + "]"), 3, "battlefield.x.keywords[1] must be text of 1 to 200 characters"),
    # effects
    ("effects: {controller: A}\n", 1, "effects must be a list, but is a map"),
    ("effects:\n- {controller: A}\n", 2, "effects[1] needs the key text"),
    ("effects:\n- {text: x}\n", 2, "effects[1] needs the key controller"),
    ("effects:\n- {controller: A, text: ''}\n", 2, "effects[1].text must be text that is not empty"),
    ("effects:\n- controller: A\n  text: x\n  affects: [q]\n", 4, 'effects[1].affects[1] names "q"'),
    ("effects:\n- {controller: A, text: x, until: end}\n", 2, 'the key "until" is not known in effects[1]'),
    # attacks
    (BOARD + "attack: {q: D}\n", 9, 'attack.q names "q", which is not the name of an object here; expected m, v, b1, w, g or h'),
    (BOARD + "attack:\n  m:\n    q\n", 11, 'attack.m names "q", which is not the name of a player or an object here; expected A, D, m'),
    (BOARD + "attack: {b1: D}\n", 9, 'names "b1", a creature of D, but only creatures of A, the active player, attack'),
    (BOARD + "attack: [b1]\n", 9, 'attack[1] names "b1", a creature of D'),
    (BOARD + "attack: [m, m]\n", 9, 'attack[2] names "m" for the second time'),
    (BOARD + "attack: [q]\n", 9, 'attack[1] names "q", which is not the name of an object'),
    (BOARD + "attack: {h: D}\n", 9, 'attack.h names "h", which is not on the battlefield but in the zone hand'),
    (BOARD + "attack: {m: A}\n", 9, "attack.m names A, the attacking player, who cannot be attacked"),
    (BOARD + "attack: {m: b1}\n", 9, 'attack.m names "b1", which is neither a player nor a planeswalker nor a battle'),
    (BOARD + "attack: {m: [D]}\n", 9, "attack.m must be the name of a player or an object, but is a list"),
    (BOARD + "attack:\n", 9, "attack must be a map of attackers to what they attack, or a list of attackers, but is empty"),
    (BOARD + "attack: m\n", 9, 'or a list of attackers, but is "m"'),
    (THREE + "attack: [m]\n", 10, "since D and E can be attacked, but is a list"),
    (THREE + "propose: {p: [m]}\n", 10, "propose.p must be a map of attackers to what they attack, since D and E can be attacked"),
    (BOARD + "attack: {m: {pay: '{2}'}}\n", 9, "attack.m needs the key target"),
    (BOARD + "attack: {m: {target: D, pay: {2}}}\n", 9, 'attack.m.pay must be a cost in quotes, such as "{2}{R}", but is a map'),
    (BOARD + "attack: {m: {target: D, pay: 2}}\n", 9, 'attack.m.pay must be a cost in quotes, such as "{2}{R}", but is 2'),
    (BOARD + "attack: {m: {target: D, pay: '{zap}'}}\n", 9, "must be a cost in quotes"),
    (BOARD + "attack: {m: {target: D, cost: '{2}'}}\n", 9, 'the key "cost" is not known in attack.m; expected target, pay'),
    (BOARD + "attack: {m: D, bands: [m]}\n", 9, "attack.bands[1] must be a list of names"),
    (BOARD + "attack: {m: D, bands: [[m]]}\n", 9, "attack.bands[1] must name at least two creatures"),
    (BOARD + "attack: {m: D, bands: [[m, v]]}\n", 9, 'names "v", which is not the name of an attacking creature here; expected m'),
    (BOARD + "attack: {m: D, v: D, bands: [[m, v], [v, m]]}\n", 9, 'attack.bands[2] names "v", which is in another band'),
    (BOARD + "attack: {m: D, v: D, bands: [[m, v]]}\nbands: [[m, v]]\n", 10, "bands stands twice"),
    (BOARD + "bands: [[m, v]]\n", 9, "bands needs the key attack beside it"),
    (BOARD + "propose: {p: {g: D}}\n", 9, 'propose.p.g names "g", which is not on the battlefield but in the zone graveyard'),
    (BOARD + "propose: {p: {m: g}}\n", 9, 'propose.p.m names "g", which is not on the battlefield'),
    (BOARD + "propose: {p: {b1: D}}\n", 9, "only creatures of A, the active player, attack"),
    (BOARD + "propose: {p: {cast: m}}\n", 9, "propose.p.cast is a key for files that say judge: cast"),
    # blocks
    (BOARD + "block: {b1: m}\n", 9, "block needs the key attack beside it"),
    (ATTACK + "block: {b1: v}\n", 10, "block.b1 names v, which the file does not say to be attacking"),
    (ATTACK + "block: [b1]\n", 10, "block must be a map of blockers to what they block, but is a list"),
    (ATTACK + "propose: {p: {v: m}}\n", 10, 'names "v", a creature of A, the attacking player; only creatures of D can block'),
    (THREE + "attack: {m: E}\npropose: {p: {b1: m}}\n", 11, "a creature of D, whom nothing attacks; only creatures of E can block"),
    (THREE + "attack: {}\npropose: {p: {b1: m}}\n", 11, "a creature of D, whom nothing attacks; nobody is attacked"),
    (ATTACK + "propose: {p: {b1: []}}\n", 10, "propose.p.b1 names no attacker; leave out a creature that does not block"),
    (ATTACK + "propose: {p: {b1: [m, m]}}\n", 10, 'propose.p.b1[2] names "m" for the second time'),
    (ATTACK + "propose: {p: {b1: q}}\n", 10, 'propose.p.b1 names "q", which is not the name of an object'),
    (ATTACK + "propose: {p: {b1: h}}\n", 10, 'propose.p.b1 names "h", which is not on the battlefield'),
    (ATTACK + "propose: {p: {b1: D}}\n", 10, 'propose.p.b1 names "D", which is not the name of an object'),
    (ATTACK + "propose: {p: {b2: m}}\n", 10, 'propose.p.b2 names "b2", which is not the name of an object'),
    (ATTACK + "propose: {p: {g: m}}\n", 10, 'propose.p.g names "g", which is not on the battlefield'),
    (ATTACK + "propose: {p: {b1: {attacker: m, attackers: [m]}}}\n", 10, "needs one of the keys attacker and attackers"),
    (ATTACK + "propose: {p: {b1: {pay: '{1}'}}}\n", 10, "needs one of the keys attacker and attackers"),
    (ATTACK + "propose: {p: {b1: {attackers: m, pay: ''}}}\n", 10, "propose.p.b1.pay must be a cost in quotes"),
    (ATTACK + "propose: {p: {b1: m, bands: [[m, v]]}}\n", 10, 'propose.p.bands names "bands", which is not the name of an object'),
    (ATTACK + "block: {b1: m, order: {m: [q]}}\n", 10, 'block.order.m[1] names "q"'),
    (ATTACK + "block: {b1: m, order: {m: [b1]}}\norder: {m: [b1]}\n", 11, "order stands twice"),
    (ATTACK + "order: {m: [b1]}\n", 10, "order needs the key block beside it"),
    # damage
    (BLOCK + "propose: {p: {m: 5}}\n", 11, "propose.p.m must be a map, but is 5"),
    (BLOCK + "propose: {p: {m: {D: -5}}}\n", 11, "propose.p.m.D must be a whole number from 0"),
    (BLOCK + "propose: {p: {m: {Q: 5}}}\n", 11, 'names "Q", which is not the name of a player or an object'),
    (BLOCK + "propose: {p: {D: {m: 5}}}\n", 11, 'propose.p.D names "D", which is not the name of an object'),
    (BLOCK + "propose: {p: {m: {D: 5}, step: second}}\n", 11, 'propose.p.step must be first or regular, but is "second"'),
    (BLOCK + "propose: {p: {m: {D: 5}, by: Q}}\n", 11, 'propose.p.by names "Q", which is not the name of a player'),
    (BLOCK + "propose: {p: {g: {D: 1}}}\n", 11, 'propose.p.g names "g", which is not on the battlefield'),
    (ATTACK + "damage: {m: {D: 9}}\n", 10, "damage needs the key block beside it"),
    # judgements and other plays
    ("judge: blok\n", 1, 'did you mean "block"?'),
    ("judge: block\n", 1, "judge is block, but the file has no key attack"),
    ("judge: outcome\n", 1, "judge is outcome, but the file has no key attack"),
    (ATTACK + "judge: attack\n", 10, "judge is attack, but the file has the key attack"),
    (BLOCK + "judge: block\n", 11, "judge is block, but the file has the key block"),
    (ATTACK + "judge: damage\n", 10, "judge is damage, but the file has no key block"),
    ("propose: [p]\n", 1, "propose must be a map of names to proposals, but is a list"),
    ("propose:\n  p:\n", 2, "propose.p must be a map of attackers to what they attack, or a list of attackers, but is empty"),
    ("propose: {count: {}}\n", 1, "propose.count cannot be the name of a proposal"),
    (BOARD + "judge: cast\npropose: {p: {by: A}}\n", 10, "propose.p needs the key cast"),
    (BOARD + "judge: cast\npropose: {p: {m: D}}\n", 10, 'the key "m" is not known in propose.p; expected cast'),
    (BOARD + "judge: cast\npropose: {p: {cast: h, targets: [q]}}\n", 10, 'propose.p.targets[1] names "q"'),
    (BOARD + "judge: cast\npropose: {p: {cast: h, targets: D}}\n", 10, "write [D]"),
    (BOARD + "judge: cast\npropose: {p: {cast: h, with: {exil: [g]}}}\n", 10, 'did you mean "exile"?'),
    (BOARD + "judge: cast\npropose: {p: {cast: h, extra: [{a: 1, b: 2}]}}\n", 10, "propose.p.extra[1] must have one key, but has 2"),
    (BOARD + "judge: cast\npropose: {p: {cast: h, x: -1}}\n", 10, "propose.p.x must be a whole number from 0"),
    (BOARD + "judge: activate\npropose: {p: {activate: m, extra: [kicker]}}\n", 10, 'the key "extra" is not known'),
    (BOARD + "judge: special\npropose: {p: {special: plot}}\n", 10, "propose.p needs the key object"),
    (BOARD + "judge: attach\npropose: {p: {attach: m}}\n", 10, "propose.p needs the key to"),
    (BOARD + "judge: trigger\npropose: {p: {trigger: q}}\n", 10, 'propose.p.trigger names "q"'),
    # expectations
    ("propose: {p1: {}}\nexpect: {p2: legal}\n", 2, 'expect.p2 names "p2", which is not the name of a proposal here; expected p1, count'),
    ("propose: {first: {}}\nexpect: {frist: legal}\n", 2, 'did you mean "first"?'),
    ("propose: {p1: {}}\nexpect: {p1: leagl}\n", 2, 'expect.p1 must be legal, illegal or undecided, but is "leagl"; did you mean "legal"?'),
    ("propose: {p1: {}}\nexpect: {p1: true}\n", 2, "must be legal, illegal or undecided, but is true"),
    ("propose: {p1: {}}\nexpect: {p1: {objects: {}}}\n", 2, 'the key "objects" is not known in expect.p1; expected verdict, violations'),
    ("expect: {count: -1}\n", 1, "expect.count must be a whole number from 0 on, but is -1"),
    ("expect: {count: many}\n", 1, 'but is "many"'),
    ("expect: {counts: {Q: 1}}\n", 1, 'expect.counts.Q names "Q", which is not the name of a player'),
    ("expect: {outcome: {}}\n", 1, "expect.outcome is a key for files that say judge: outcome"),
    (ATTACK + "judge: outcome\nexpect: {outcome: legal}\n", 11, "expect.outcome must be a map"),
    (ATTACK + "judge: outcome\nexpect: {outcome: {objects: {q: {}}}}\n", 11, 'names "q", which is not the name of an object'),
    (ATTACK + "judge: outcome\nexpect: {outcome: {objects: {m: {zone: yard}}}}\n", 11, "expect.outcome.objects.m.zone must be battlefield"),
    (ATTACK + "judge: outcome\nexpect: {outcome: {players: {D: {lif: 2}}}}\n", 11, 'did you mean "life"?'),
    (ATTACK + "judge: outcome\nexpect: {outcome: {steps: [{step: third}]}}\n", 11, "must be first or regular"),
    # timing and history
    ("turn: {phase: comabt}\n", 1, 'did you mean "combat"?'),
    ("turn: {phase: end, step: upkeep}\n", 1, "turn.step is upkeep, which is a step of the phase beginning, not end"),
    ("turn: {step: upkep}\n", 1, 'did you mean "upkeep"?'),
    ("turn: {priority: X}\n", 1, 'turn.priority names "X"'),
    ("history: {lost_lif: []}\n", 1, 'the key "lost_lif" is not known in history; did you mean "lost_life"?'),
    ("history: {lost_life: D}\n", 1, "write [D]"),
    ("history: {commander_casts: {q: 1}}\n", 1, 'history.commander_casts.q names "q"'),
]


@pytest.mark.parametrize(("text", "line", "words"), CASES, ids=[f"{words[:50]}-{n}" for n, (_, _, words) in enumerate(CASES)])
def test_one_sentence_with_its_place(text: str, line: int, words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        read_scenario(text, file="board.yaml")
    assert str(caught.value).startswith(f"board.yaml:{line}: ")
    assert "\n" not in str(caught.value)


def test_crlf_and_cr_count_as_lines() -> None:
    for end in ("\r\n", "\r"):
        with pytest.raises(InputError) as caught:
            read_scenario(f"title: x{end}active: A{end}judge: blok{end}")
        assert caught.value.line == 3


def test_without_a_file_the_sentence_still_says_where() -> None:
    with pytest.raises(InputError, match=r"^players\.A\.life must be a whole number"):
        scenario_from({"players": {"A": {"life": "x"}, "D": {}}})


def test_what_is_found_is_shown_short_and_on_one_line() -> None:
    for value in ("x" * 5000, "a\nb\x1b[31m".replace("\x1b", "")):
        with pytest.raises(InputError) as caught:
            scenario_from({"active": value})
        assert len(str(caught.value)) < 200
        assert "\n" not in str(caught.value)


def test_attachments_that_go_round() -> None:
    objects = {name: {"controller": "A", "pt": "1/1", "attached_to": to} for name, to in (("x", "y"), ("y", "z"), ("z", "y"))}
    with pytest.raises(InputError, match="is attached to itself, directly or by way of others"):
        scenario_from({"battlefield": objects})
