"""Runs tests/engine_page.py in a process for a generic processor, and the module of kernels of tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from import_path import IMPORT_PATH
from made_once import made_once

from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.jit.storage.shipped_code import GENERIC

TESTS = Path(__file__).parent
FILE = "kernels"
SCENES = ("heavy_top", "magnet_pendulum", "double_well", "course_3_spring_pendulum", "bead_on_circle", "two_masses")
"""Scenes whose kernels the module of tests has."""


def output_of(*arguments: str) -> str:
    """Its lines."""
    environment = {**os.environ, **GENERIC, "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(TESTS)))}
    words = [sys.executable, str(TESTS / "engine_page.py"), *arguments]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def kernels_of_tests(factory: pytest.TempPathFactory) -> WebModule:
    """The module of all kernels if it is kept, else that of SCENES, made once for all tests."""
    if (kept := kept_module()) is not None:
        return kept
    folder = made_once(factory, "kernels", lambda folder: print(output_of("--module", str(folder / FILE), *SCENES)))
    return WebModule.of_file((folder / FILE).read_bytes())
