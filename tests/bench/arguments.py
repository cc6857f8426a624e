"""The arguments of a benchmark: whole numbers, which its docstring describes."""

from __future__ import annotations

import argparse
import sys

__all__ = ["number", "numbers"]


def numbers(description: str | None, **defaults: int) -> list[int]:
    """Return the numbers of the command line in the order of `defaults`, which stand for those that are left out.

    --help prints `description`; what is no number from 1 on is a usage error. Both end the process.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        parser.add_argument(name, metavar=name.upper(), type=number, nargs="?", default=default, help=f"by default {default:,}")
    given = parser.parse_args(sys.argv[1:])
    return [getattr(given, name) for name in defaults]


def number(text: str) -> int:
    """Return the number that an argument is, for argparse."""
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f'"{text}" is no whole number from 1 on')
    return int(text)
