"""The ways in which a play can be done, what each costs (118), when it may be used and on what conditions (602.5)."""

from __future__ import annotations

from collections.abc import Iterable

from lawmage.constraints import Condition
from lawmage.errors import InputError
from lawmage.play.facts import quoted
from lawmage.play.keyword_uses import PlayCondition, UseCost, times
from lawmage.play.play_problem import Cost, Way
from lawmage.play.play_texts import Found, PlayTexts
from lawmage.text.costs import Price, read_cost, symbols
from lawmage.text.described import described, number_of
from lawmage.text.words import listed

__all__ = ["MOST_MANA", "PlayWays", "term_of", "value_of"]

_KNOWN_SYMBOLS = frozenset({"generic", "white", "blue", "black", "red", "green", "colorless", "snow", "x"})
#: More mana of one symbol than this is not judged: clingo's numbers have 32 bits, and sums must fit.
MOST_MANA = 1_000_000


class PlayWays(PlayTexts):
    """Adds the facts of ways, costs, times and conditions."""

    def _way(self, way: Way) -> int:
        self.ways.append(way)
        number = len(self.ways)
        self.add("way", number)
        return number

    def _price(self, cost: UseCost, found: Found, mana_cost: Price) -> Price | None:
        """Return what a keyword's cost asks for on this object; None, and named as not understood, where it cannot be read."""
        if found.plus_mana_cost and cost.pays == "{cost}":
            assert found.beside is not None
            return mana_cost.plus(found.beside)
        written = cost.pays
        if "{cost}" in written:
            written = written.replace("{cost}", found.use.cost or "?")
        if "{number}" in written:
            written = written.replace("{number}", "?" if found.use.number is None else str(found.use.number))
        if "{mana cost}" in written and self.thing.mana_cost is None:
            # 701.40b, 701.58b: what has none can't be turned face up so.
            self.assumptions.append(f"{self.thing.id} has no mana cost, since the file gives it no mana_cost")
            return None
        written = written.replace("{mana cost}", self.thing.mana_cost or "")
        if "{materials}" in written:
            named = number_of(found.use.materials.partition(" ")[0]) is not None or found.use.materials.startswith("one or more ")
            written = written.replace("{materials}", found.use.materials if named else f"a {found.use.materials}")
        price = read_cost(written.replace("{quality} ", ""))
        if "{quality}" in written and price is not None:
            price = None if found.use.quality is None else price.narrowed(found.use.quality)
        if price is None or " and/or " in found.use.written:
            self._needs_reading(found)
            return None
        return price

    def _needs_reading(self, found: Found) -> None:
        self.unread.append(f"{found.source or self.thing.id}: {found.use.shown}")

    def _cost(self, told: str, rule: str, price: Price, takes_off: str = "") -> int:
        if any(amount > MOST_MANA for _, amount in price.mana):
            raise InputError(f"the cost {told} asks for more than {MOST_MANA:,} mana", line=self.thing.line or None)
        self.costs.append(Cost(told, rule, price))
        number = len(self.costs)
        for symbol, amount in price.mana:
            self.add("mana_of", number, term_of(symbol), amount)
        if price.life:
            self.add("act_life", number, price.life)
        for kind, amount in price.counters:
            self.add("act_counters", number, quoted(kind), amount)
        if price.unpayable:
            self.add("unpayable", number)
        for place, act in enumerate(price.acts, start=1):
            if act.itself:
                self.add("act_self", number, place, act.verb)
                continue
            if act.number is None:
                self.add("act_power", number, place, act.power)
            elif act.up_to:
                self.add("act_up_to", number, place, act.verb, act.number)
            else:
                if act.or_more:
                    self.add("act_more", number, place)
                self.add("act_of", number, place, act.verb, act.number)
            if act.what is not None:
                self.add("act_filter", number, place, self._filter(act.what, early=False))
            for zone in act.zones:
                self.add("act_zone", number, place, zone)
            if takes_off:
                self.add("takes_off", number, place, takes_off)
        return number

    def _hybrid(self, name: str) -> None:
        """Name as not understood that nobody says which half of a hybrid symbol of this mana cost comes off another cost (118.7e)."""
        if any("/" in symbol and not symbol.endswith("/P") for symbol in symbols(self.board.objects[name].mana_cost or "") or {}):
            self.unread.append(f"{name}: which half of its hybrid mana comes off the cost")

    def _times(self, way: int, named: Iterable[str]) -> None:
        """Add when and how often: what kb/ calls times (lm:Time) are moments, limits and one condition."""
        history = self.board.history
        for time in named:
            meant = times().get(time)
            if meant is None:
                self.add("way_time", way, time)
            elif meant.after:
                self._needs(way, PlayCondition("happened", meant.after, "self", 1, False, meant.says))
            else:
                self.add("limit", way, 1)
                self.add("used", way, history.get("activated" if meant.per == "turn" else "used", {}).get(self.thing.id, 0))

    def _condition_number(self, says: str) -> int:
        self._next_condition += 1
        self.says[self._next_condition] = says
        return self._next_condition

    def _needs(self, way: int, condition: PlayCondition) -> None:
        self.add("needs_not" if condition.negated else "needs", way, self._of_condition(condition))

    def _of_condition(self, condition: PlayCondition) -> int:
        """Add what a condition asks, and return its number."""
        number = self._condition_number(condition.says)
        self._ask(number, condition)
        if condition.describes:
            own = [word for word in self.thing.subtypes if word.title() in listed("subtypes", "creature")]
            what = described(condition.value.replace("{creature types}", " or ".join(own)))
            if what is not None:
                self.add("described_by", number, self._filter(what, early=False))
        return number

    def _ask(self, number: int, condition: PlayCondition) -> None:
        self.add("asks", number, condition.kind, quoted(condition.value), quoted(condition.who), condition.number)

    def _needs_controls(self, way: int, condition: Condition, source: str) -> None:
        assert condition.filter is not None
        number = self._condition_number(source)
        self.add("counts_objects", number, quoted(condition.who), self._filter(condition.filter, early=False), condition.number)
        self.add("needs_not" if condition.negated else "needs", way, number)


def term_of(symbol: str) -> str:
    """Return a mana symbol as asp/ has it."""
    return symbol if symbol in _KNOWN_SYMBOLS else quoted(symbol)


def value_of(symbol: str) -> int:
    """Return what a mana symbol adds to a mana value (202.3); of generic mana each."""
    return 0 if symbol == "x" else 2 if symbol.startswith("2/") else 1
