"""Views of laws by formulas: the field in a plane and as lines, moving supports, the box of a force."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.physics.magnets import field_in_space
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.color_map import COLORS, color_map
from polhode_app.viewport.base.motion_range import displacements_of, speed_of, start_of, wall_range
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.field.field_lines import drawn, plan
from polhode_app.viewport.field.field_slice import CELLS, DECADES, GRID, cut, cut_through
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.viewport.view import SceneView

QUADRUPOLE = {"kind": "formula", "x": "-0.5e-3*x", "y": "-0.5e-3*y", "z": "1e-3*z*cos(t)"}
BALL = {"kind": "sphere", "radius": 0.05, "mass": 0.3, "position": [0, 0, -0.3]}
MAGNET = {"name": "magnet", "position": [0.2, 0, 0.1], "shape": [BALL], "dipole": [{"moment": [0, 0, 0.2]}]}


def staged(plotter: pv.Plotter, **parts: object) -> tuple[Stage, Simulation, SceneView]:
    scene = scene_of(parts, "test")
    simulation, view = Simulation(scene), SceneView(plotter, Meshes(), patient=True)
    view.show(scene, simulation.snapshot(forces=True), compiled=simulation.compiled)
    assert view.stage is not None
    return view.stage, simulation, view


def flux_at(place: np.ndarray, time: float) -> np.ndarray:
    x, y, z = place
    return 1e-3 * np.array([-0.5 * x, -0.5 * y, z * np.cos(time)])


def test_a_slice_has_the_colours_of_the_formulas(plotter: pv.Plotter) -> None:
    still = {"name": "still", "support": "fixed", "shape": [BALL]}
    stage, simulation, _ = staged(plotter, body=[still], world={"magnetic_field": QUADRUPOLE})
    simulation.advance(0.7)
    plane, now, colors = cut_through(stage), simulation.snapshot(), color_map()
    made = cut(plane, colors, now, field_in_space)
    for number in (7 * CELLS + 30, 60 * CELLS + 80):
        flux = flux_at(plane.points(GRID)[number], 0.7)
        share = (np.log10(np.linalg.norm(flux)) - plane.bottom) / DECADES
        expected = colors[int(np.clip(share, 0, 1) * (COLORS - 1))]
        assert np.abs(made.pixels.reshape(-1, 4)[number, :3].astype(int) - expected).max() <= 2  # a step of the table


def test_lines_of_the_field_follow_the_formulas(plotter: pv.Plotter) -> None:
    still = {"name": "still", "support": "fixed", "shape": [BALL]}
    stage, simulation, _ = staged(plotter, body=[still], world={"magnetic_field": QUADRUPOLE})
    now, planned = simulation.snapshot(), plan(stage)
    assert planned.count > 0
    lines = drawn(planned, now, field_in_space).points.reshape(planned.count, -1, 3).astype(float)
    checked = 0
    for line in lines:
        steps = np.diff(line, axis=0)
        for place, step in zip((line[1:] + line[:-1]) / 2, steps, strict=True):
            if np.linalg.norm(step) > 1e-4 * stage.radius:
                flux = flux_at(place, 0.0)
                cosine = abs(step @ flux) / np.linalg.norm(step) / np.linalg.norm(flux)
                assert cosine > 0.99
                checked += 1
    assert checked > 100


def test_a_magnet_in_a_field_by_formulas_is_drawn_with_its_arrows(plotter: pv.Plotter) -> None:
    _, simulation, view = staged(plotter, body=[MAGNET], world={"magnetic_field": QUADRUPOLE})
    for name in ("forces", "torques", "field_lines", "field_slice"):
        view.set_visible(name, True)
    simulation.advance(0.05)
    now = simulation.snapshot(forces=True)
    view.update(now)
    assert now.forces["magnetic"].torque.any()


@pytest.mark.parametrize("support", ["pivot", "driven"])
def test_the_room_of_a_moved_body_is_in_the_picture(plotter: pv.Plotter, support: str) -> None:
    motion = {"kind": "formula", "x": "0.3*sin(2*t)"}
    body = {"name": "bob", "support": support, "shape": [BALL], "motion": motion}
    stage, _, _ = staged(plotter, body=[body])
    assert np.ptp(displacements_of(stage.scene.body[0], stage.scene), axis=0)[0] == pytest.approx(0.6, rel=1e-3)
    unbounded = Scene.model_validate({"body": [{**body, "motion": {**motion, "y": "1/(t - 3)"}}]})
    assert displacements_of(unbounded.body[0], unbounded) == []


def test_the_range_of_a_motion_by_measured_data(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "rig.csv", [[0, 0.1], [1, 0.4], [2, 0.2]], delimiter=",", header="time,x", comments="")
    data = {"data": "rig.csv", "column": "x", "unit": "m", "outside": "hold"}
    body = {"name": "bob", "support": "driven", "shape": [BALL], "motion": {"kind": "formula", "x": data}}
    wall = {"name": "floor", "motion": {"kind": "formula", "displacement": data}}
    scene = Scene.model_validate({"body": [body], "wall": [wall]}).in_folder(tmp_path)
    assert np.ptp(displacements_of(scene.body[0], scene), axis=0) == pytest.approx([0.3, 0, 0])
    assert wall_range(scene.wall[0], scene) == pytest.approx((0.1, 0.4))
    assert start_of(scene.wall[0], scene) == pytest.approx(0.1)
    assert speed_of(scene.wall[0], scene) == pytest.approx(0.3)


def test_the_box_of_a_force_is_that_of_what_it_acts_on(plotter: pv.Plotter) -> None:
    stage, simulation, _ = staged(plotter, body=[MAGNET], force=[{"on": "magnet", "force": [0, 0, "sin(t)"]}])
    now = simulation.snapshot()
    box, body = box_of(stage, now, ("force", 0)), box_of(stage, now, ("body", 0))
    assert box is not None
    assert body is not None
    assert np.array_equal(box.corners, body.corners)
