"""Views of joints: their arrows, slack strings, and what is broken."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.glyph_arrows import LONGEST
from polhode_app.viewport.things.joints import PIECES, JointView, hanging
from polhode_app.viewport.vectors.arrows import ArrowView
from polhode_app.viewport.view import SceneView


def pendulum(**joint):
    shape = {"kind": "cuboid", "size": [0.05, 0.05, 0.4], "mass": 1}
    body = {"name": "rod", "support": "free", "position": [0.2, 0, 0], "shape": [shape]}
    body["orientation"] = {"axis": [0, 1, 0], "angle": 1.5707963267948966}
    return scene_of({"format": 1, "body": [body], "joint": [{"name": "j", "first": "rod"} | joint]}, "")


def shown(plotter: pv.Plotter, described: Scene) -> tuple[SceneView, Simulation]:
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), compiled=simulation.compiled)
    view.reset_camera()
    return view, simulation


def view_of(view, kind):
    return next(made for made in view.views.values() if isinstance(made, kind))


@pytest.mark.parametrize("name", ["joint_forces", "joint_torques"])
def test_arrows_of_joints_are_drawn_on_request(plotter: pv.Plotter, name: str) -> None:
    described = pendulum(kind="weld", anchor=[0, 0, 0])
    view, simulation = shown(plotter, described)
    now = simulation.snapshot()
    view.update(now)
    off = drawn(view)
    view.set_visible(name)
    view.update(now)
    assert np.abs(drawn(view) - off).max() > 30
    made = view.views[name]
    assert isinstance(made, ArrowView)
    data = made.drawings[0].arrows.data
    assert data.points[0] == pytest.approx([0, 0, 0])
    wanted = [0, 0, -9.80665 / 10] if name == "joint_forces" else [0, 0.2 * 9.80665 / 2, 0]  # on the laboratory
    longest = LONGEST * view.stage.radius  # of 10 N or 2 N m
    assert data.point_data["vector"][0] == pytest.approx(np.array(wanted) * longest, rel=1e-6, abs=1e-9)


def test_what_is_broken_is_not_drawn(plotter: pv.Plotter) -> None:
    described = pendulum(kind="distance", anchor_first=[0, 0, 0.2], anchor_second=[0.4, 0, 0.5], breaks_at=1.0)
    view, simulation = shown(plotter, described)
    view.update(simulation.snapshot())
    joints = view_of(view, JointView)
    before = len(joints.copies)
    simulation.advance_steps(2)
    assert simulation.snapshot().joints.is_broken[0]
    view.update(simulation.snapshot())
    assert (before, len(joints.copies), joints._count) == (1, 0, 0)


def test_a_slack_string_sags_and_keeps_its_length() -> None:
    ends = np.array([[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0]]], dtype=float)
    points = hanging(ends, np.array([1.02, 0.0]), np.array([0, 0, -1.0]))
    assert points.shape == (2, PIECES + 1, 3)
    length = np.linalg.norm(np.diff(points[0], axis=0), axis=1).sum()
    assert length == pytest.approx(1.02, abs=1e-3)
    assert points[0, PIECES // 2, 2] < -0.05
    assert np.abs(points[1, :, 2]).max() == 0.0
