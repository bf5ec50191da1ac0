"""FMUs give the bits of native runs for a generic processor, and FMPy finds no fault in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from physics.fmi.conftest import run_scenes

ROOT = Path(__file__).parents[3]
SHARE = 0.85  # of all built-in scenes that can be FMUs


def check(found: dict) -> None:
    """No column differs, and the validation says nothing."""
    assert set(found["differing"]) == {0}
    assert found["said"] == []


def test_forces_formulas_and_a_bead_have_equal_bits(pushed: Path) -> None:
    """In steps of any length, before and after a change of all inputs; the balance of energy included."""
    found = json.loads((pushed / "pushed.json").read_text())
    for each in found.values():
        check(each)
    assert found["pushed"]["input"] > 10


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_every_scene_has_equal_bits(tmp_path: Path) -> None:
    found = run_scenes(tmp_path, "--all")
    known = {name: run for name, run in found.items() if "refused" not in run}
    assert len(known) >= SHARE * len(found)
    assert {name: run for name, run in known.items() if set(run["differing"]) != {0} or run["said"]} == {}


@pytest.mark.nightly
def test_the_recipe_balances_the_pole(tmp_path: Path) -> None:
    """As the same controller does in Python."""
    found = run_scenes(tmp_path, str(ROOT / "docs/recipes/cart_pole.toml"))
    check(found["cart_pole"])
    lines = []
    for words in (
        [ROOT / "docs/recipes/cart_pole_fmu.py", tmp_path / "cart_pole.fmu"],
        [ROOT / "docs/recipes/cart_pole.py"],
    ):
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        lines.append(done.stdout)
    assert lines[0] == lines[1]
