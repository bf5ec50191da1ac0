"""Scenes that cells of maps with draws start, without a window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from map_window import SCENE as NEEDLE

from polhode.scene.scene_file import read_scene
from polhode.scene.uncertain import Uncertain
from polhode.scene.variants.numbers import tilted
from polhode_app.data.maps.cell import scene_of_cell
from polhode_app.data.maps.map_run import MapRun

AXES = NEEDLE[NEEDLE.index("axes = [") : NEEDLE.index("outcome =")]
WITH_DRAWS = """axes = [
    { parameter = "body[0].tilt[2]", range = [-1, 1], count = 3 },
    { parameter = "body[0].friction", draws = { count = 4 } },
    { parameter = "%s", draws = { count = 4, deviation = 0.1 } },
]
"""


def run_of(tmp_path: Path, drawn: str) -> MapRun:
    """A map over a tilt, with draws of an uncertain friction and of another number."""
    path = tmp_path / "needle.toml"
    text = NEEDLE.replace("friction = 2e-3", 'friction = "2e-3 +- 6e-4"').replace(AXES, WITH_DRAWS % drawn)
    path.write_text(text)
    scene = read_scene(path)
    return MapRun.of(scene, scene.sweep[0], tmp_path / "map.h5")


def test_a_cell_of_probabilities_keeps_a_tilt_beside_one_with_draws(tmp_path: Path) -> None:
    run = run_of(tmp_path, "body[0].tilt[1]")
    cell = 2 * 4 + 3
    made = scene_of_cell(run, cell, run.scene, is_drawn=False).body[0]
    assert made.orientation == tilted(run.scene, 0, np.array([0, 0, 1.0]))
    assert made.friction == Uncertain(2e-3, 6e-4)
    drawn = scene_of_cell(run, cell, run.scene).body[0]
    tilt = np.array([0, run.variation.axis_values[2][3], 1.0])
    assert drawn.orientation == tilted(run.scene, 0, tilt)


def test_a_cell_of_probabilities_keeps_stated_numbers(tmp_path: Path) -> None:
    run = run_of(tmp_path, "body[0].angular_velocity[2]")
    made = scene_of_cell(run, 3, run.scene, is_drawn=False).body[0]
    assert made.angular_velocity == run.scene.body[0].angular_velocity
    assert made.friction == Uncertain(2e-3, 6e-4)
