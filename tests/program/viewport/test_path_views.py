"""Paths on the screen: wires and rails where beads go, in the room, above the ground, moved with their paths."""

from __future__ import annotations

import time

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn

from polhode.mesh.mesh import Meshes
from polhode.physics.paths.path_geometry import path_pose, point_on_path, points_on
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.stage import placed
from polhode_app.viewport.paths.path_polylines import GAUGE, WIRE, PathPolyline, tracks
from polhode_app.viewport.paths.paths import PathView
from polhode_app.viewport.view import SceneView
from scenes import bead_scene

LOOP = [
    [-2, 0, 2],
    [-1, 0, 0.6],
    [0, 0, 0.1],
    [0.9, 0, 0.6],
    [0.5, 0.1, 1.3],
    [0, 0.2, 0.7],
    [0.5, 0.3, 0.15],
    [2, 0.3, 1],
]
SPLINE = {"kind": "spline", "points": LOOP}
CIRCLE = {"kind": "circle", "radius": 0.6, "center": [0, 0, 1]}
SINE = {"kind": "sine", "direction": [1, 0, 0], "amplitude": 0.3, "period": 1.0}


def track(**bead: object) -> PathPolyline:
    (found,) = tracks(bead_scene(bead)).values()
    return found


def shown(plotter: pv.Plotter, described: Scene) -> SceneView:
    view = SceneView(plotter, Meshes())
    view.show(described)
    view.reset_camera()
    return view


def from_path(described: Scene, places: np.ndarray) -> np.ndarray:
    """(n,) [m] how far each place is from the first bead's path."""
    path = described.bead[0].path
    along = points_on(path, np.linspace(*path.ends(), 20_001))
    return np.array([np.linalg.norm(along - place, axis=1).min() for place in places])


def test_a_wire_goes_along_its_path_at_even_lengths() -> None:
    wire = track(path=SPLINE)
    assert from_path(bead_scene({"path": SPLINE}), wire.line).max() < 1e-3
    lengths = np.linalg.norm(np.diff(wire.line, axis=0), axis=1)
    assert np.ptp(lengths) < 0.02 * lengths.mean()
    assert wire.stops
    assert not track(path=SPLINE, ends="leave").stops
    assert not track(path=CIRCLE).stops


def test_a_rail_is_on_the_side_that_the_ball_rolls_on() -> None:
    rail = track(path=SPLINE, rolling=True, radius=0.05)
    away = 0.05 * (1 + WIRE)
    assert from_path(bead_scene({"path": SPLINE}), rail.line) == pytest.approx(away, abs=2e-3)
    wire = track(path=SPLINE).line
    start, top = rail.line[0] - wire[0], (rail.line - wire)[wire[100:-100, 2].argmax() + 100]
    assert start[2] < 0  # the ball is above the rail
    assert top[2] > 0.9 * away  # and below it on top of the loop


def test_a_wire_is_cut_at_cusps() -> None:
    cycloid = {"kind": "cycloid", "radius": 0.3, "arches": 3}
    pieces = track(path=cycloid).pieces
    assert len(pieces) == 3
    assert np.allclose([piece[0][2] for piece in pieces], 0.6)
    assert len(track(path=SPLINE).pieces) == 1


def test_the_room_holds_the_path_and_the_ground_is_below(plotter: pv.Plotter) -> None:
    stage = shown(plotter, bead_scene({"path": SPLINE}, {"path": CIRCLE, "path_motion": SINE})).stage
    assert stage is not None
    low, high = stage.extent.min(axis=0), stage.extent.max(axis=0)
    assert (low <= [-2, 0, 0.1]).all()
    assert (high >= [2, 0.3, 2]).all()
    assert stage.ground < 0.05


def test_a_path_is_drawn_and_moves_as_it_says(plotter: pv.Plotter) -> None:
    described = bead_scene({"path": CIRCLE, "path_motion": SINE, "radius": 0.02}, {"path": SPLINE})
    view = shown(plotter, described)
    on = drawn(view)
    view.set_visible("paths")
    assert np.abs(drawn(view) - on).max() > 30
    view.set_visible("paths")
    assert np.array_equal(drawn(view), on)
    paths = next(made for made in view.views.values() if isinstance(made, PathView))
    assert [motion.kind for motion, _ in paths.wires] == ["sine", "still"]
    now = placed(described)
    for moment in (0.0, 0.2, 0.25):
        view.update(type(now)(**{**vars(now), "time": moment}))
        expected = path_pose(described.bead[0].path_motion, moment, 0.0).offset
        matrix = paths.wires[0][1].GetUserMatrix()
        assert [matrix.GetElement(axis, 3) for axis in range(3)] == pytest.approx(expected.tolist(), abs=1e-12)
        assert paths.wires[1][1].GetUserMatrix() is None


def test_a_path_on_a_body_is_drawn_in_its_frame(plotter: pv.Plotter) -> None:
    placing = {"position": [0.3, 0, 0.2], "orientation": {"axis": [1, 2, 3], "angle": 0.8}}
    look = {"kind": "sphere", "radius": 0.1, "mass": 1.0, "position": [0, 0, -0.2]}
    body = {"name": "arm", "angular_velocity": [1, 2, 3], **placing, "shape": [look]}
    bead = {"path": CIRCLE, "parameter": 0.4, "radius": 0.02, "path_motion": {"kind": "body", "body": "arm"}}
    described = bead_scene(bead, body=[body])
    simulation = Simulation(described)
    view = shown(plotter, described)
    paths = next(made for made in view.views.values() if isinstance(made, PathView))
    for _ in range(2):
        now = simulation.snapshot()
        view.update(now)
        matrix = paths.wires[0][1].GetUserMatrix()
        q = float(now.beads.parameter[0])
        place = [*point_on_path(described.bead[0].path, q), 1.0]
        assert matrix.MultiplyPoint(place)[:3] == pytest.approx(now.bodies.position[1].tolist(), abs=1e-12)
        simulation.advance(0.3)
    assert view.stage is not None
    assert (np.abs(view.stage.extent).max(axis=0) > 1).all()  # the circle of 1 m may turn anywhere


def test_a_thousand_paths_are_one_actor(plotter: pv.Plotter) -> None:
    shifted = [{"path": {**SPLINE, "points": [[x, y + 0.2 * k, z] for x, y, z in LOOP]}} for k in range(1000)]
    described = bead_scene(*shifted)
    view = SceneView(plotter, Meshes())
    start = time.thread_time()
    view.show(described)
    assert time.thread_time() - start < 20  # a few seconds of it on a slow machine, most for the bodies
    paths = next(made for made in view.views.values() if isinstance(made, PathView))
    assert len(paths.wires) == 1


def test_a_rolling_bead_touches_both_rails() -> None:
    rolling, centre = track(path=CIRCLE, rolling=True, radius=0.05), track(path=CIRCLE, radius=0.05).line
    assert len(rolling.rails) == 2
    for rail in rolling.rails:
        assert np.linalg.norm(rail - centre, axis=1) == pytest.approx(0.05 * (1 + WIRE), rel=1e-3)
    apart = np.linalg.norm(rolling.rails[0] - rolling.rails[1], axis=1)
    assert apart == pytest.approx(2 * GAUGE * 0.05, rel=1e-6)
    assert len(rolling.ties) > 10
