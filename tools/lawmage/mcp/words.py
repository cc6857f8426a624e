"""Answers in words for a language model: the verdict first, then the reasons with their rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from lawmage.decks.repair_words import change_in_words
from lawmage.play.declaration_words import declaration_in_words, listed, payment_in_words
from lawmage.play.play_words import PLAYS, play_in_words
from lawmage.play.together_words import gathered

__all__ = [
    "card_lines",
    "comparison_lines",
    "deck_lines",
    "dependency_lines",
    "diff_lines",
    "keyword_lines",
    "lethal_lines",
    "located_lines",
    "outcome_lines",
    "pairing_lines",
    "path_lines",
    "rule_lines",
    "search_lines",
    "told",
    "verdict_lines",
]

Document = Mapping[str, Any]

_NO_TEXT = "(the text of this release is not installed; `lawmage data import` installs it)"
_MOST_NUMBERS = 40
#: How many steps of an argument are told in words; the document has more.
_MOST_STEPS = 40
_DECLARED = ("attack", "block", "damage", "outcome")


def told(declaration: Document, judge: str) -> str:
    """Return a declaration, or a play, in words, such as `b1 and b2 block m`."""
    if judge in PLAYS:
        return play_in_words(declaration, judge)
    return declaration_in_words(declaration, judge) if judge in _DECLARED else str(dict(declaration))


# ---------------------------------------------------------------- verdicts


def verdict_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage check` answers on one file."""
    for name, verdict in answer["proposals"].items():
        if "lethal" in verdict:  # no verdict on a proposal: the answer to a question that a file can ask
            for one in (*verdict["lethal"], *verdict.get("damage", ())):
                yield from _lethal(one)
            yield from _argument(verdict)
            continue
        yield f"{name}: {verdict['verdict']}"
        yield from _reasons(verdict)
        requirements = verdict["requirements"]
        if verdict["verdict"] == "legal" and requirements["maximum"]:
            yield f"  obeys {requirements['obeyed']} requirement(s); no free declaration obeys more than {requirements['maximum']}"
        if requirements["clash"]:
            yield f"  cannot all hold together: {'; '.join(gathered(requirements['clash']))}"
        yield from _nearest(verdict, answer["judge"])
        if isinstance(verdict.get("total"), str):
            yield f"  costs {verdict['total']} ({verdict.get('using')})"
        yield from _doubts(verdict)
        yield from _argument(verdict)
    if not answer["proposals"]:
        yield "nothing is proposed (propose), so nothing is judged; the tool enumerate lists what is legal"
    if "count" in answer:
        yield f"{answer['count']:,} legal declaration(s)"
    yield f"judged: {answer['judge']}; rules as of {answer['release']}"


def _reasons(verdict: Document) -> Iterator[str]:
    perhaps = "perhaps " if verdict["verdict"] == "undecided" else ""
    for violation in verdict["violations"]:
        yield f"  {perhaps}{violation['rule']}: {violation['message']}"


def _doubts(verdict: Document) -> Iterator[str]:
    for sentence in verdict["not_understood"]:
        yield f"  not understood: {sentence}"
    for sentence in verdict["assumptions"]:
        yield f"  assumed: {sentence}"
    if verdict["cites"]:
        yield f"  rules: {', '.join(verdict['cites'])}"


def _argument(verdict: Document) -> Iterator[str]:
    if "explanation" in verdict:
        yield "  why:"
        *shown, last = islice(_steps(verdict["explanation"], 2), _MOST_STEPS + 1)
        yield from shown
        yield "    ..." if len(shown) == _MOST_STEPS else last


def _steps(step: Document, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{step['rule'] + ' ' if step['rule'] else ''}{step['sentence']}"
    for child in step["children"]:
        yield from _steps(child, depth + 1)


def comparison_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage check --compare` answers on one file."""
    for name, compared in answer["compared"].items():
        verdicts = [
            f"{release}: {verdict['verdict'] if verdict else refused}"
            for release, verdict, refused in zip(answer["releases"], compared["verdicts"], compared["refused"], strict=True)
        ]
        yield f"{name}: {'the same' if compared['same'] else 'different'} ({'; '.join(verdicts)})"
        for verdict in filter(None, compared["verdicts"]):
            yield from _reasons(verdict)
        for change in compared["because"]:
            numbers = " -> ".join(number or "no rule" for number in change["rules"])
            yield f"  because of {numbers}: {change['says']}"


def _nearest(verdict: Document, judge: str) -> Iterator[str]:
    """Yield what is legal and nearest to what was proposed, or that nothing is legal, where that is told."""
    nearest = verdict.get("nearest")
    if nearest is not None and nearest != verdict["requirements"]["better"]:
        paid = payment_in_words(verdict.get("nearest_pay", {}), verdict.get("nearest_with", {}))
        yield f"  nearest legal: {told(nearest, judge)}{paid}"
    if "nearest_steps" in verdict:
        yield f"  nearest legal: {'; then '.join(told(step, judge) for step in verdict['nearest_steps'])}"
    if "no_nearest" in verdict:
        yield f"  {verdict['no_nearest']}"


def outcome_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage outcome` answers on one file. That what is proposed has an outcome doesn't make it legal, so this isn't said."""
    for name, verdict in answer["proposals"].items():
        yield f"{name}:{'' if verdict['verdict'] == 'legal' else ' ' + verdict['verdict']}"
        yield from _reasons(verdict)
        yield from _nearest(verdict, answer["judge"])
        if "players" in verdict:
            yield from _happening(verdict)
        yield from _doubts(verdict)
        yield from _argument(verdict)
    yield f"rules as of {answer['release']}"


def _happening(verdict: Document) -> Iterator[str]:
    if verdict.get("ways", 1) > 1:
        yield f"  there are {verdict['ways']:,} ways to divide the damage; what differs between them is null below, with its range"
    for step in verdict.get("steps") or ():
        dealt = [f"{one['source']} deals {one['amount']:,} to {one['target']}" for one in step["damage"]]
        yield f"  {step['step']} damage: {'; '.join(dealt) or 'none'}"
    for name, player in verdict["players"].items():
        kept = [f"{key} {_value(player[key])}" for key in ("life", "poison") if key in player and (key == "life" or player[key] != 0)]
        lost = f", loses the game ({player['lost']})" if player.get("lost") else ""
        yield f"  {name}: {', '.join(kept)}{lost}"
    for name, thing in verdict["objects"].items():
        state = [f"{key} {_value(thing[key])}" for key in ("damage", "counters", "attached_to") if thing.get(key)]
        if thing.get("zone") != "battlefield" or state:
            yield f"  {name}: {', '.join([_value(thing.get('zone')), *state])}"
    for trigger in verdict.get("triggers") or ():
        yield f"  {trigger['ability']} of {trigger['source']} triggers {trigger['times']} time(s) ({trigger['rule']})"
    for place, differs in verdict.get("differences", {}).items():
        span = f"{differs['least']:,} to {differs['most']:,}" if isinstance(differs, Mapping) else " or ".join(map(str, differs))
        yield f"  {place}: {span}"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{count} {kind}" for kind, count in value.items())
    return "differs" if value is None else str(value)


def lethal_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage lethal` answers on one file."""
    yield from _lethal(answer)
    yield f"rules as of {answer['release']}"


def _lethal(answer: Document) -> Iterator[str]:
    """Yield the answer on one defending player; where it was stopped, it says little."""
    player = answer.get("player", "the defending player")
    if "max_damage" in answer:
        yield from _greatest_damage(answer, player)
    else:
        yield f"{answer['verdict']}: whether {player} loses whatever blocks"
        if answer.get("attack") is not None:
            yield f"  this attack wins: {told(answer['attack'], 'attack')}"
    for defence in answer.get("defences", ()):
        against = f"if {told(defence['attack'], 'attack')}: " if defence["attack"] else ""
        yield f"  {against}{player} survives when {told(defence['block'], 'block')} (answers {defence['answers']})"
    for what, bound in answer.get("bounds", {}).items():
        number = "" if bound["least"] == bound["most"] else f"between {bound['least']} and "
        yield f"  against the best block, {number}{bound['most']} of {what}"
    for sentence in answer["not_understood"]:
        yield f"  not understood: {sentence}"
    yield from _argument(answer)


def _greatest_damage(answer: Document, player: str) -> Iterator[str]:
    if answer["verdict"] == "found":
        yield f"{answer['max_damage']:,} damage to {player} is certain, and no attack makes more certain"
    else:
        most = "any number" if answer["at_most"] is None else f"{answer['at_most']:,}"
        yield f"undecided: the damage to {player} that an attack makes certain lies between {answer['at_least']:,} and {most}"
    if answer["attack"] is not None:
        yield f"  the attack: {told(answer['attack'], 'attack')}"
    if answer["block"] is not None:
        yield f"  the block that leaves least: {told(answer['block'], 'block')}"


# ---------------------------------------------------------------- decks and cards


def deck_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage deck` answers on one deck."""
    led = f", led by {listed(answer['commanders'])}" if answer["commanders"] else ""
    yield f"{answer['verdict']} in {answer['format']}: {answer['cards']:,} cards{led}"
    for violation in answer["violations"]:
        yield f"  {violation['rule']}: {violation['message']}"
        if unnamed := [card for card in violation["cards"] if card not in violation["message"]]:
            yield f"    cards: {', '.join(unnamed)}"
    if answer["companion"]:
        yield f"  companion {answer['companion']['name']}: {answer['companion']['verdict']}"
    if repair := answer["repair"]:
        least = "a smallest repair" if repair["proved"] else "a repair, perhaps not the smallest"
        changes = map(change_in_words, repair["changes"])
        yield f"  {least}: {'; '.join(changes)}" if repair["possible"] else "  no repair was found"
    for sentence in answer["not_understood"]:
        yield f"  not understood: {sentence}"
    for sentence in (*answer["assumptions"], *answer["notices"]):
        yield f"  note: {sentence}"
    bans = f"; ban list of {answer['ban_list']}" if answer["ban_list"] else ""
    yield f"rules as of {answer['release']}{bans}"


def pairing_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage pairings` answers."""
    card = answer.get("card")
    yield f"{answer['count']:,} legal {f'second commanders for {card}' if card else 'pairs of commanders'} in {answer['format']}"
    for pair in answer["pairs"]:
        names = [name for name in pair["cards"] if name != card] if card else pair["cards"]
        yield f"  {' and '.join(names)} ({', '.join(filter(None, [*pair['abilities'], *pair['rules']]))})"
    yield f"rules as of {answer['release']}, cards of {answer['cards_of']}"


def card_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage card` answers about a card that there is."""
    identity = ", ".join(answer["color_identity"]) or "colorless"
    yield f"{answer['card']}: mana value {answer['mana_value']:g}, color identity {identity}, layout {answer['layout']}"
    for face in answer["faces"]:
        kind = " ".join([*face["supertypes"], *face["types"]])
        size = f" {face['power']}/{face['toughness']}" if face["power"] is not None else ""
        yield f"  {face['name']}: {kind}{' - ' + ' '.join(face['subtypes']) if face['subtypes'] else ''}{size} {face['mana_cost'] or ''}"
        yield from (f"    {line}" for line in (face["text"] or "").split("\n") if line)
        yield from (f"    keyword {one['written']} ({one['rule'] or 'no rule in this release'})" for one in face["keywords"])
        yield from (f"    states: {one['says']} ({one['rule']})" for one in face["states"])
        yield from (f"    not understood: {one['sentence']}" for one in face["not_understood"])
    legal = sorted(name for name, status in answer["legalities"].items() if status == "legal")
    banned = sorted(name for name, status in answer["legalities"].items() if status == "banned")
    yield f"  legal in {', '.join(legal) or 'no format'}{'; banned in ' + ', '.join(banned) if banned else ''}"
    yield f"facts of {answer['date']} ({answer['source']})"


# ---------------------------------------------------------------- rules


def rule_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage rule` answers."""
    heading = f" {answer['heading']}" if answer["heading"] else ""
    yield f"{answer['number']}{heading} ({answer['kind']} of the rules as of {answer['release']})"
    yield _NO_TEXT if answer["text"] is None else answer["text"]
    yield from (f"Example: {example}" for example in answer["examples"] or ())
    for child in answer["children"]:
        yield f"{child['number']} {child['heading'] or child['text'] or ''}".rstrip()
    yield from _numbers("cites", [edge["target"] for edge in answer["cites"]])
    yield from _numbers("cited by", [edge["source"] for edge in answer["cited_by"]])
    if answer["encoded_by"]:
        yield f"carried out by {', '.join(answer['encoded_by'])}"


def _numbers(label: str, numbers: Sequence[str]) -> Iterator[str]:
    found = list(dict.fromkeys(numbers))
    if found:
        more = f" and {len(found) - _MOST_NUMBERS} more" if len(found) > _MOST_NUMBERS else ""
        yield f"{label}: {', '.join(found[:_MOST_NUMBERS])}{more}"


def dependency_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage deps` answers."""
    name = f"{answer['number']} {answer['heading']}".rstrip()
    if answer["reverse"]:
        yield f"{answer['count']:,} part(s) of the rules depend on {name}"
    else:
        yield f"{name} depends on {answer['count']:,} part(s) of the rules"
    for item in answer["dependencies"]:
        kinds = ", ".join(dict.fromkeys(edge["kind"] for edge in item["references"]))
        yield f"{'  ' * item['depth']}{item['number']} {item['heading']}".rstrip() + f" ({kinds}; from {item['reached_from']})"
    yield f"rules as of {answer['release']}"


def path_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage path` answers."""
    if not answer["found"]:
        yield f"no chain of references leads from {answer['from']} to {answer['to']}"
    else:
        yield " -> ".join(answer["path"])
        yield from (f"  {step['from']} {step['kind']} {step['to']} (in {step['via'] or step['from']})" for step in answer["steps"])
    yield f"rules as of {answer['release']}"


def search_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage search` answers."""
    some = "" if answer["match"] == "all" else ", none of which has all of the words"
    yield f"{answer['count']:,} found{some}"
    for asked, instead in answer["corrections"].items():
        yield f"nothing has {asked}; searched for {instead or 'the rest'}"
    for hit in answer["results"]:
        title = hit["title"] or hit["heading"]
        yield f"{hit['number'] or hit['kind']} {title}{': ' + hit['text'] if hit['text'] else ''}"
    what = "" if answer["text"] else "; only headings, glossary terms and keywords, as no text is installed"
    yield f"rules as of {answer['release']}{what}"


def keyword_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage keyword` answers about a keyword that the release has."""
    kind = "keyword action" if answer["action"] else "keyword ability"
    yield f"{answer['keyword']} ({answer['rule']}): {kind}; {', '.join(answer['kind'])}"
    for label in ("written", "zones", "timing", "stacking"):
        if answer[label]:
            yield f"  {label}: {', '.join(answer[label])}"
    yield from (f"  imposes: {one['reading']} ({one['rule']})" for one in answer["imposes"])
    yield from (f"  cost: {one['pays']} ({one['rule']})" for one in answer["costs"])
    yield f"  judged by lawmage: {answer['works']}"
    for rule in answer["rules"]:
        said = rule["text"] or rule["gist"] or ", ".join(rule["says"])
        yield f"{rule['number']} {said}"
    yield f"rules as of {answer['release']}"


def located_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage locate` answers."""
    yield f"{answer['located']:,} passage(s) found in the rules"
    for passage in answer["passages"]:
        if passage["rule"] is None:
            yield f"not from the rules: {passage['passage']}"
            continue
        how = "word for word" if passage["exact"] else f"{passage['likeness']:.0f} % alike"
        releases = passage["releases"]
        span = (
            releases[0]
            if len(releases) == 1
            else f"{releases[0]} to {releases[-1]} ({len(releases)} releases)"
            if releases
            else "no release"
        )
        yield f"{passage['rule']} ({how}; {span}): {passage['restored']}"


def diff_lines(answer: Document) -> Iterator[str]:
    """Yield what `lawmage diff` answers: of two releases, or of a rule."""
    if "histories" in answer:
        for history in answer["histories"]:
            yield f"{history['number']} {history['heading']} as numbered in {history['release']}"
            for step in history["steps"]:
                yield f"{step['from']} to {step['to']}:"
                yield from (f"  {_change(change)}" for change in step["changes"])
        if not any(history["steps"] for history in answer["histories"]):
            yield "nothing changed"
        return
    counts = ", ".join(f"{count:,} {kind}" for kind, count in answer["counts"].items() if count)
    yield f"{answer['old']} to {answer['new']}: {counts or 'nothing changed'}"
    yield from (_change(change) for change in answer["changes"])


def _change(change: Document) -> str:
    old, new = change["old"], change["new"]
    number = new if old in (None, new) else old if new is None else f"{old} -> {new}"
    only = ", only in the numbers it refers to" if change["references_only"] else ""
    words = f": {change['words']}" if change["words"] else ""
    return f"{number} {change['kind']}{only}{words}"
