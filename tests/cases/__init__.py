"""Scenario files that mirror the rulebook, and the tests that run them."""
