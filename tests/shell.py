"""The commands as a user's shell runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def polhode(*words: object, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=290,  # with an empty cache the kernels are compiled first
        check=False,
    )


def refused(*words: object, folder: Path) -> str:
    """The message of a command that refuses its input: exit 2, nothing on stdout, no traceback."""
    done = polhode(*words, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return done.stderr.strip()
