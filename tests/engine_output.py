"""Runs tests/engine_page.py in a process for a generic processor, and the module of kernels of tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from import_path import IMPORT_PATH

from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.jit.storage.shipped_code import GENERIC

TESTS = Path(__file__).parent


def output_of(*arguments: str) -> str:
    """Its lines."""
    environment = {**os.environ, **GENERIC, "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(TESTS)))}
    words = [sys.executable, str(TESTS / "engine_page.py"), *arguments]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def kernels_of(scenes: Iterable[str], folder: Path) -> WebModule:
    """The module of all kernels if it is kept, else that of some scenes, built in a folder."""
    if (kept := kept_module()) is not None:
        return kept
    path = folder / "kernels"
    output_of("--module", str(path), *scenes)
    return WebModule.of_file(path.read_bytes())
