"""The recipes of docs/recipes, and the lines of docs/recordings.md, as a reader of the documents runs them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from import_path import IMPORT_PATH

from polhode.scene import gallery

ROOT = Path(__file__).parents[3]


def ran(folder: Path, *words: str | Path) -> str:
    """Output of Python with these arguments."""
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_runs_in_several_processes(tmp_path: Path) -> None:
    """Faster tops stay upright."""
    lines = ran(tmp_path, ROOT / "docs/recipes/processes.py").splitlines()
    heights = [float(line.split(":")[1]) for line in lines]
    assert len(heights) == 4
    assert heights == sorted(heights)


@pytest.mark.parametrize("page", ["docs/recordings.md", "docs/recordings.ja.md"])
def test_the_reader_of_vtk_opens_a_recording(page: str, tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    words = ("run", str(gallery.path("heavy_top")), "--until", "0.1", "--out", "run.vtkhdf")
    ran(tmp_path, "-m", "polhode_app", *words)
    assert int(ran(tmp_path, "-c", block + "print(reader.GetOutput().GetNumberOfPoints())")) > 100
