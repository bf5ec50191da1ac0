"""Runs tests/engine_page.py in a process for a generic processor."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from import_path import IMPORT_PATH

from polhode.jit.storage.shipped_code import GENERIC

TESTS = Path(__file__).parent


def output_of(*arguments: str) -> str:
    """What it writes."""
    environment = {**os.environ, **GENERIC, "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(TESTS)))}
    words = [sys.executable, str(TESTS / "engine_page.py"), *arguments]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
