"""Forces of each law separately: their sum moves the scene, and each equals its closed form."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.analysis.forces_by_law import forces_by_law
from polhode.engine.rates import add_forces, place
from polhode.engine.work import make_work
from polhode.physics.bodies.arrays import FREE
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation


@pytest.mark.parametrize("name", ["magnet_pendulum", "heavy_top", "jelly_magnet", "break_shot", "needle_lattice"])
def test_the_parts_add_up_to_what_moves_the_scene(name: str) -> None:
    simulation = Simulation(read_scene(gallery.path(name)))
    simulation.advance_steps(200)
    compiled, inputs, state = simulation.compiled, simulation.inputs, simulation.state
    work = make_work(compiled.model, compiled.inputs)
    place(compiled.model, inputs, simulation.time, state, work)
    add_forces(compiled.model, inputs, simulation.time, state, work)
    free = compiled.model.bodies.support == FREE
    about_center = work.bodies.torque - np.cross(work.bodies.com_offset, work.bodies.force)
    torque, force = np.where(free[:, None], about_center, work.bodies.torque), work.bodies.force.copy()

    parts = forces_by_law(
        compiled.model, inputs, simulation.time, state, make_work(compiled.model, compiled.inputs)
    ).values()
    assert parts
    sizes = [np.abs(part.on_bodies).max(initial=0.0) for part in parts]
    turns = [np.abs(part.torque).max(initial=0.0) for part in parts]
    # Sums of the same numbers in another order; dry friction agrees with itself to a thousandth of its sweeps.
    assert sum(part.on_bodies for part in parts) == pytest.approx(force, abs=1e-9 * max(sizes))
    assert sum(part.torque for part in parts) == pytest.approx(torque, abs=1e-9 * max(turns))


def test_a_pendulum_is_turned_by_its_weight_and_braked_by_its_support() -> None:
    bob = {
        "name": "bob",
        "support": "pivot",
        "position": (0.3, 0, 1),
        "orientation": {"axis": (1, 0, 0), "angle": 0.7},
        "angular_velocity": (2.0, 0, 0),
        "friction": 0.01,
        "shape": [{"kind": "sphere", "radius": 0.05, "mass": 0.4, "position": (0, 0, -0.5)}],
    }
    forces = Simulation(scene_of({"body": [bob]}, "")).snapshot(forces=True).forces
    weight = 0.4 * 9.80665
    assert forces["gravity"].torque[0] == pytest.approx([-weight * 0.5 * np.sin(0.7), 0, 0], rel=1e-12)
    assert forces["gravity"].about[0] == pytest.approx([0.3, 0, 1])
    assert forces["friction"].torque[0] == pytest.approx([-0.02, 0, 0], rel=1e-12)
    assert not forces["friction"].on_bodies.any()


def test_a_free_body_is_turned_about_its_centre_of_mass() -> None:
    """Its weight does not turn it, however far its centre is from where its frame begins; a field turns its magnet."""
    box = {
        "name": "box",
        "support": "free",
        "shape": [{"kind": "cuboid", "size": (0.1, 0.1, 0.1), "mass": 2.0, "position": (0.4, 0, 0)}],
        "dipole": [{"moment": (3.0, 0, 0), "position": (0, 0.2, 0)}],
    }
    world = {"magnetic_field": {"kind": "uniform", "value": (0, 0, 0.5)}}
    forces = Simulation(scene_of({"body": [box], "world": world}, "")).snapshot(forces=True).forces
    assert np.abs(forces["gravity"].torque).max() < 1e-14
    assert forces["gravity"].about[0] == pytest.approx([0.4, 0, 0])
    assert forces["magnetic"].torque[0] == pytest.approx([0, -1.5, 0])
