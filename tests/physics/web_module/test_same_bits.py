"""Kernels in WebAssembly give the bits of the native ones for a generic processor, for every scene that qualifies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from import_path import IMPORT_PATH

from polhode.jit.storage.shipped_code import GENERIC

TESTS = Path(__file__).parents[2]
SHARE = 0.85  # of all built-in scenes that must qualify


def runs(steps: int, *names: str) -> dict[str, dict]:
    """Results of tests/web_runs.py by scene."""
    environment = {**os.environ, **GENERIC, "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(TESTS)))}
    words = [sys.executable, str(TESTS / "web_runs.py"), str(steps), *names]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line.pop("scene"): line for line in lines}


def check(found: dict[str, dict], steps: int) -> None:
    """All qualifying scenes took all steps, to equal states."""
    qualifying = {name: run for name, run in found.items() if run["qualifies"]}
    assert qualifying
    assert {name: run for name, run in qualifying.items() if run["differing"] or run["taken"] != steps} == {}


def test_a_formula_and_magnets_have_equal_bits_after_1000_steps() -> None:
    found = runs(1000, "bead_on_circle", "magnet_pendulum")
    assert all(run["qualifies"] for run in found.values())
    check(found, 1000)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_all_scenes_have_equal_bits_after_1000_steps() -> None:
    found = runs(1000, "--all")
    check(found, 1000)
    assert sum(run["qualifies"] for run in found.values()) >= SHARE * len(found)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_scenes_of_each_kind_have_equal_bits_after_10000_steps() -> None:
    """Rigid bodies, magnets, springs, contact, joints, paths that switch, driven bodies, coils, points of a cloth."""
    names = "heavy_top magnet_pendulum cradle_of_spheres double_rod_pendulum trebuchet gyroscope_in_gimbals coil_gun"
    check(runs(10_000, *names.split(), "bead_on_circle", "swinging_atwood"), 10_000)
