"""The window's part of a run, the command and the library compute the same numbers, bit by bit."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from command_line import polhode
from loop_alone import Shown
from sampling import sampled
from switching_scenes import IN_GALLERY, LAWS, scene_with

from polhode.scene.scene_writing import write_scene
from polhode.simulation.simulation import Simulation
from polhode_app.messages import AdvanceSteps, Pause, Play

EVERY, ROWS = 25, 4  # steps between two rows


@pytest.mark.parametrize("law", sampled([*LAWS, *IN_GALLERY], 6))
def test_window_command_and_library_have_the_same_bits(law: str, tmp_path: Path) -> None:
    scene = scene_with(law)
    simulation, rows, states = Simulation(scene), [Simulation(scene).snapshot().numbers], []
    for _ in range(ROWS):
        simulation.advance_steps(EVERY)
        rows.append(simulation.snapshot().numbers)
        states.append(simulation.state)

    shown = Shown(scene)
    for state in states:
        shown.do(AdvanceSteps(EVERY))
        np.testing.assert_array_equal(shown.run._simulation.state, state)
    shown.do(Play())
    while shown.run._simulation.steps == EVERY * ROWS:  # a part at the pace of the clock
        shown.run.batch()
    shown.do(Pause())
    simulation.advance_steps(shown.run._simulation.steps - simulation.steps)
    np.testing.assert_array_equal(shown.run._simulation.state, simulation.state)

    write_scene(scene, tmp_path / "scene.toml")
    until, every = ROWS * EVERY * scene.solver.time_step, EVERY * scene.solver.time_step
    words = "run", "scene.toml", "--until", repr(until), "--every", repr(every), "--out", "table.csv"
    done = polhode(*words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "table.csv").open(newline="") as file:
        table = [[float(number) for number in row] for row in list(csv.reader(file))[1:]]
    assert len(table) == len(rows)
    for found, expected in zip(table, rows, strict=True):
        assert found[0] == pytest.approx(expected[0], rel=1e-15)  # the decimal number of the time
        np.testing.assert_array_equal(found[1:], expected[1:])
