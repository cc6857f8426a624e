"""The brute force, and what is compared with it."""
