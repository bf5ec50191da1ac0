"""Views of mechanics: velocities, angular velocities, centre of mass, principal axes, equivalent ellipsoid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.glyph_arrows import LONGEST
from polhode_app.viewport.registry import SIZED
from polhode_app.viewport.vectors.arrows import ArrowView, QuantityArrows, magnification
from polhode_app.viewport.vectors.axes import AxesView
from polhode_app.viewport.vectors.inertia import InertiaView, frames
from polhode_app.viewport.view import SceneView

SIZE = (0.06, 0.10, 0.03)
BOX = {"kind": "cuboid", "size": SIZE, "mass": 0.2, "position": (0.01, 0.02, 0.0)}
BODY = {
    "name": "box",
    "position": (0, 0, 0.2),
    "support": "free",
    "shape": [BOX],
    "velocity": (0.5, 0, 0),
    "angular_velocity": (0, 0, 4.0),
}
LEVEL = {
    "name": "bob",
    "position": (0, 0, 0.5),
    "shape": [{"kind": "sphere", "radius": 0.05, "mass": 0.2, "position": (0, 0.2, 0)}],
}


def shown(plotter: pv.Plotter, *names: str) -> tuple[SceneView, Simulation]:
    described = Scene.model_validate({"body": [BODY], "world": {"gravity": (0, 0, 0)}, "view": {"show": names}})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), compiled=simulation.compiled)
    view.reset_camera()
    return view, simulation


def drawings(view: SceneView, name: str) -> list[QuantityArrows]:
    drawing = view.views[name]
    assert isinstance(drawing, ArrowView)
    return drawing.drawings


def test_velocities_are_those_of_the_centres_of_mass(plotter: pv.Plotter) -> None:
    """v + w x r = (0.5, 0, 0) + (0, 0, 4) x (0.01, 0.02, 0) = (0.42, 0.04, 0), of 0.5 m/s at most."""
    view, simulation = shown(plotter, "velocities")
    view.update(simulation.snapshot())
    of_speed, of_spin = drawings(view, "velocities")
    longest = LONGEST * view.stage.radius
    speed, spin = of_speed.arrows.data, of_spin.arrows.data
    assert speed.points[0] == pytest.approx([0.01, 0.02, 0.2], abs=1e-6)
    assert speed.point_data["vector"][0] == pytest.approx(np.array([0.42, 0.04, 0]) * longest / 0.5, rel=1e-6, abs=1e-9)
    assert spin.point_data["vector"][0] == pytest.approx(np.array([0, 0, 4]) * longest / 5, rel=1e-6, abs=1e-9)
    assert of_speed.text.GetInput() == "longest velocity 0.5 m/s"
    (symbol,) = of_spin.arrows.symbols  # at the end of its arrow
    assert symbol.GetInput() == "ω"
    end = spin.points[0] + spin.point_data["vector"][0]
    assert symbol.GetPositionCoordinate().GetValue() == pytest.approx(end, abs=1e-6)
    view.set_visible("velocities", False)
    assert of_spin.arrows.symbols == []


def test_rounding_is_no_motion(plotter: pv.Plotter) -> None:
    view, simulation = shown(plotter, "velocities")
    now = simulation.snapshot()
    for kind in drawings(view, "velocities"):
        kind.arrows.begin(1.0)
    slow = np.array([[1e-9, 0, 0]])
    view.update(replace(now, bodies=replace(now.bodies, velocity=slow, angular_velocity=slow)))
    for kind in drawings(view, "velocities"):
        assert not kind.arrows.data.point_data["vector"].any()
        assert kind.arrows.unit == 0


def test_arrows_of_every_kind_are_as_long_as_they_are_wanted(plotter: pv.Plotter) -> None:
    magnet = {**BODY, "support": "pivot", "velocity": (0, 0, 0), "dipole": [{"moment": (0, 0, 2.0)}]}
    bead = {"name": "bead", "path": {"kind": "circle", "radius": 0.2}, "mass": 0.1, "radius": 0.02, "parameter": 0.5}
    hung = {**BODY, "name": "hung", "support": "free", "position": (0.6, 0, 0)}
    joint = {"name": "pin", "kind": "weld", "first": "hung", "anchor": (0.5, 0, 0.1)}
    described = Scene.model_validate({"body": [magnet, hung], "bead": [bead], "joint": [joint]})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(forces=True), compiled=simulation.compiled)
    view.reset_camera()
    view.set_visible("trails", False)
    for name in SIZED:
        was_visible = view.visible[name]
        view.set_visible(name, False)
        without = drawn(view)
        covered = []
        for size in (1.5, 2.5, 4.0):
            view.set_arrow_size(name, size)
            view.set_visible(name, True)
            covered.append((np.abs(drawn(view) - without).max(axis=2) > 10).sum())
            view.set_visible(name, False)
        assert 0 < covered[0] < covered[1] < covered[2], name
        view.set_arrow_size(name, 1.0)
        view.set_visible(name, was_visible)


def test_the_ellipsoid_has_the_mass_and_the_moments_of_the_body(plotter: pv.Plotter) -> None:
    """A cuboid of edge l and the ellipsoid of half axis a have the same moments where a^2/5 = l^2/12."""
    view, simulation = shown(plotter, "inertia")
    ellipsoid, axes, center = frames(view.stage, 0)
    half = np.sqrt(5 / 12) * np.array(SIZE)
    assert ellipsoid[:3, :3] @ ellipsoid[:3, :3].T == pytest.approx(np.diag(half**2), abs=1e-12)
    assert ellipsoid[:3, 3] == pytest.approx([0.01, 0.02, 0])
    assert center[:3, 3] == pytest.approx([0.01, 0.02, 0])
    lengths = np.linalg.norm(axes[:3, :3], axis=0)
    assert lengths == pytest.approx(np.full(3, lengths[0]))
    drawing = view.views["inertia"]
    assert isinstance(drawing, InertiaView)
    simulation.advance(0.3)
    now = simulation.snapshot()
    drawing.update(now)
    found = np.array([drawing.actors[0].GetUserMatrix().GetElement(i, 3) for i in range(3)])
    assert found == pytest.approx(now.bodies.position[0] + [0.01, 0.02, 0] @ now.bodies.basis[0])


@pytest.mark.parametrize("name", ["velocities", "inertia"])
def test_they_are_seen_when_they_are_on(plotter: pv.Plotter, name: str) -> None:
    view, simulation = shown(plotter)
    before = drawn(view)
    view.set_visible(name)
    view.update(simulation.snapshot())
    on = drawn(view)
    assert (np.abs(on - before).max(axis=2) > 40).sum() > 50
    view.set_visible(name)
    assert (drawn(view) == before).all()


def test_forces_of_laws_have_their_symbols_and_small_ones_are_magnified(plotter: pv.Plotter) -> None:
    """m = 2 kg on a disc of 0.3 rad/s, 1 m out: weight 20 N, centrifugal force 0.18 N, drawn as 18 N of 20 N."""
    ball = {"name": "ball", "mass": 2.0, "radius": 0.05, "position": (1.0, 0.0, 0.0)}
    world = {"gravity": (0, 0, -10.0), "rotation": (0, 0, 0.3)}
    described = Scene.model_validate({"particle": [ball], "world": world, "view": {"show": ("forces",)}})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(view.needs_forces), compiled=simulation.compiled)
    view.update(simulation.snapshot(forces=True))
    (drawing,) = drawings(view, "forces")
    lines = {law: text.GetInput() for law, text in drawing.law_texts.items() if text.GetVisibility()}
    assert lines["gravity"].startswith("G ")
    assert lines["centrifugal"].startswith("F_cf ")
    assert lines["centrifugal"].endswith("×100")
    lengths = np.linalg.norm(np.asarray(drawing.arrows.data.point_data["vector"]), axis=1)
    weight, outwards = lengths[lengths > 0.0]
    assert outwards / weight == pytest.approx(18.0 / 20.0, rel=1e-5)
    assert {actor.GetInput() for actor in drawing.arrows.symbols} == {"G", "F_cf"}


@pytest.mark.parametrize(("size", "factor"), [(0.0, 1), (1.0, 1), (0.11, 1), (0.09, 10), (0.0011, 100), (1e-9, 1000)])
def test_magnified_arrows_are_not_longer_than_the_longest(size: float, factor: int) -> None:
    assert magnification(2.0 * size, 2.0) == factor
    assert size * factor <= 1.0


def test_body_axes_carry_their_names(plotter: pv.Plotter) -> None:
    view, simulation = shown(plotter, "axes")
    view.update(simulation.snapshot())
    axes = view.views["axes"]
    assert isinstance(axes, AxesView)
    assert [actor.GetInput() for actor in axes.symbols] == ["u1", "u2", "u3"]
    view.set_visible("axes", False)
    assert axes.symbols == []


def test_torques_are_about_the_support_as_long_as_their_scale_says(plotter: pv.Plotter) -> None:
    """Weight m g at a lever of 0.2 m that lies level turns by 0.2 x 9.80665 x 0.2 = 0.392 N m, of 0.5 at most."""
    described = Scene.model_validate({"body": [LEVEL], "view": {"show": ("torques",)}})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(view.needs_forces), compiled=simulation.compiled)
    assert view.needs_forces
    view.update(simulation.snapshot(forces=True))
    (drawing,) = drawings(view, "torques")
    arrows = drawing.arrows.data
    assert arrows.points[0] == pytest.approx([0, 0, 0.5])
    longest = LONGEST * view.stage.radius
    expected = [-0.2 * 9.80665 * 0.2 / 0.5 * longest, 0, 0]
    assert arrows.point_data["vector"][0] == pytest.approx(expected, rel=1e-6)
    assert drawing.text.GetInput() == "longest torque 500 mN m"
    assert drawing.law_texts["gravity"].GetInput() == "torque: gravity"


def test_angular_accelerations_are_drawn_at_centres_of_mass(plotter: pv.Plotter) -> None:
    """A ball on a rod of l = 0.2 m that lies level: alpha = g/(l + 2 r^2/(5 l)) = 47.9 rad/s^2, of 50 at most."""
    described = Scene.model_validate({"body": [LEVEL], "view": {"show": ("angular_accelerations",)}})
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), compiled=simulation.compiled)
    (drawing,) = drawings(view, "angular_accelerations")
    assert not drawing.text.GetVisibility()  # a snapshot without forces has none
    assert view.needs_forces
    view.update(simulation.snapshot(forces=True))
    data, longest = drawing.arrows.data, LONGEST * view.stage.radius
    assert data.points[0] == pytest.approx([0, 0.2, 0.5], abs=1e-6)
    alpha = 9.80665 / (0.2 + 0.4 * 0.05**2 / 0.2)
    assert data.point_data["vector"][0] == pytest.approx([-alpha / 50 * longest, 0, 0], rel=1e-6, abs=1e-9)
    assert drawing.text.GetInput() == "longest angular acceleration 50 rad/s²"


def test_the_sum_of_forces_is_mass_times_acceleration(plotter: pv.Plotter) -> None:
    """A point of 0.5 kg on a spring of 100 N/m, 0.1 m too long: 10 - 4.9 N up, of 10 N at most; another is at rest."""
    masses = [
        {"name": "ball", "mass": 0.5, "position": (0, 0, -0.6)},
        {"name": "still", "mass": 0.5, "position": (1, 0, -0.549)},
    ]
    springs = [
        {"from": (mass["position"][0], 0, 0), "to": mass["name"], "stiffness": 100.0, "rest_length": 0.5}
        for mass in masses
    ]
    described = Scene.model_validate(
        {"particle": masses, "spring": springs, "world": {"gravity": (0, 0, -9.8)}, "view": {"show": ["sum_of_forces"]}}
    )
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(view.needs_forces), compiled=simulation.compiled)
    assert view.needs_forces
    view.update(simulation.snapshot(forces=True))
    (drawing,) = drawings(view, "sum_of_forces")
    arrows, longest = drawing.arrows.data, LONGEST * view.stage.radius
    assert arrows.points[0] == pytest.approx([0, 0, -0.6], abs=1e-6)
    assert arrows.point_data["vector"][0] == pytest.approx([0, 0, 5.1 / 10 * longest], rel=1e-6)
    assert not arrows.point_data["vector"][1:].any()
    assert drawing.text.GetInput().endswith(" forces 10 N")
