"""What tests of commands on boards share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lawmage.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run the command line; a word of several lines, or an empty one, is the content of a file. Returns status, output, errors."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: object) -> tuple[int, str, str]:
        arguments = []
        for index, word in enumerate(map(str, words)):
            if "\n" in word or not word:
                file = tmp_path / f"{index}.yaml"
                file.write_text(word, encoding="utf-8")
                word = str(file)
            arguments.append(word)
        monkeypatch.setattr("sys.argv", ["lawmage", *arguments])
        with pytest.raises(SystemExit) as exit_:
            main()
        output = capsys.readouterr()
        assert "Traceback" not in output.out + output.err
        return int(exit_.value.code or 0), output.out, output.err

    return call
