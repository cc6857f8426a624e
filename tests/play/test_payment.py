"""What is told by counting of mana that pays is what clingo finds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.play import payment
from lawmage.play.payment import BASIC, Payment, pays

amounts = st.dictionaries(st.sampled_from(BASIC), st.integers(0, 3), max_size=4)
helpers = st.lists(st.sets(st.sampled_from(BASIC), max_size=3), max_size=3)
payments = st.builds(
    Payment,
    owed=amounts,
    mana=amounts,
    exact=st.booleans(),
    helpers=helpers.map(lambda some: {str(number): one for number, one in enumerate(some)}),
    life=st.none() | st.integers(0, 2),
    life_owed=st.integers(0, 2),
    life_left=st.none() | st.integers(0, 3),
)


@settings(max_examples=120, deadline=None)
@given(payments)
def test_by_counting_and_by_clingo(one: Payment) -> None:
    assert payment._is_enough(one) == payment._is_found(one)


def test_what_is_chosen_is_left_to_clingo() -> None:
    assert pays(Payment(owed={"w/u": 2}, mana={"white": 1, "blue": 1}))
    assert not pays(Payment(owed={"w/u": 2}, mana={"white": 1, "red": 1}))
    assert pays(Payment(owed={"generic": 3}, mana={"red": 1}, helped=True))
    assert not pays(Payment(owed={"generic": 3}, mana={"red": 1}))
