"""Benchmarks say how they are called, and what is wrong where they are called otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = sorted((ROOT / "tests" / "bench").glob("bench_*.py"))


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=[file.stem for file in BENCHMARKS])
def test_a_wrong_argument_gets_a_usage_line(benchmark: Path) -> None:
    """The same way leads to --help, which is not asked for here, as each program takes a while to load."""
    ended = subprocess.run([sys.executable, str(benchmark), "nothing-like-it"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert ended.returncode == 2
    usage, *_, error = ended.stderr.strip().splitlines()
    assert usage.startswith(f"usage: {benchmark.name}") or usage.startswith("usage: python tests/bench/")
    assert "nothing-like-it" in error
    assert "Traceback" not in ended.stderr


def test_help_tells_what_is_measured() -> None:
    benchmark = ROOT / "tests" / "bench" / "bench_rulebook.py"
    ended = subprocess.run([sys.executable, str(benchmark), "--help"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "How long the rulebook takes" in ended.stdout
