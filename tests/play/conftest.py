"""Tests of this folder use the brute force and the random boards of its neighbours, by their place in the repository."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
