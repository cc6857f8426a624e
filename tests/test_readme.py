"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return [text for name, text in fences if name == language]


def test_the_example_is_shown_with_its_answer() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "lawmage", "check", "examples/menace.yaml"],
        cwd=ROOT,
        env={"COLUMNS": "80", "PATH": "", "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    shown = "\n".join(line.rstrip() for line in answer.stdout.splitlines())
    assert shown in [block.strip("\n") for block in blocks("")]


def test_the_board_shown_is_the_example() -> None:
    example = (ROOT / "examples" / "menace.yaml").read_text(encoding="utf-8")
    assert blocks("yaml")[0] in example


def test_the_python_example_runs() -> None:
    code = blocks("python")[0]
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    expected = [line.split("# ")[1] for line in code.splitlines() if "# " in line]
    assert answer.stdout.splitlines() == expected


def test_commands_named_in_the_readme_exist() -> None:
    named = set(re.findall(r"`lawmage ([a-z]+)", README))
    helped = subprocess.run([sys.executable, "-m", "lawmage", "--help"], capture_output=True, text=True, check=True).stdout
    assert [command for command in sorted(named) if not re.search(rf"│ {command} ", helped)] == []
