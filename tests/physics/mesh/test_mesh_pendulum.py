"""The main job, end to end in numbers: a mesh from disk as a magnetic pendulum, against trimesh and DOP853."""

import numpy as np
import pytest
import reference
import trimesh

from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation

SCENE = """
format = 1
[world]
gravity = [0.3, 0, -9.7]
magnetic_field = { kind = "uniform", value = [1e-3, 0, 4e-3] }
[solver]
time_step = 2e-4

[[body]]
name = "bob"
position = [0.1, 0, 0.3]
orientation = { axis = [1, 1, 0], angle = 0.6 }
angular_velocity = [0, 2, 1]
friction = 1e-4
[[body.shape]]
kind = "mesh"
file = "part.stl"
scale = 0.001
density = 2700
position = [-0.01, 0.02, -0.12]
orientation = { axis = [0, 1, 1], angle = 0.7 }
[[body.shape]]
kind = "cone"
radius = 0.01
length = 0.03
mass = 0.02
position = [0, 0, -0.05]
[[body.dipole]]
position = [0, 0.01, -0.15]
moment = [0.1, 0, 1.1]

[[body]]
name = "base"
support = "fixed"
position = [0.12, 0.02, 0.0]
[[body.shape]]
kind = "cylinder"
radius = 0.02
length = 0.01
mass = 0.1
[[body.dipole]]
moment = [0, 0.5, 2]
"""


@pytest.fixture
def off_centre_part(tmp_path):
    """A ring in millimetres, far from its file's origin."""
    part = trimesh.creation.annulus(r_min=6, r_max=15, height=9)
    part.apply_transform(trimesh.transformations.rotation_matrix(0.4, (1, 2, 3)))
    part.apply_translation((55, -20, 70))
    part.export(tmp_path / "part.stl")
    (tmp_path / "bob.toml").write_text(SCENE)
    return part


def test_an_off_centre_stl_in_millimetres_swings_as_dop853_says(tmp_path, off_centre_part):
    """Mass properties by trimesh and closed forms, motion by DOP853: independent of the library. STL holds float32,
    which is 1e-7 of the mesh's coordinates, so 1e-6 of the angles after 2 s."""
    scene = read_scene(tmp_path / "bob.toml")
    turn = scene.body[0].shape[0].orientation.matrix()
    part = off_centre_part.copy()
    part.apply_scale(0.001)
    part.density = 2700
    cone_mass, a, h = 0.02, 0.01, 0.03
    across = cone_mass * (3 / 20 * a**2 + 3 / 80 * h**2)
    parts = [
        (part.mass, turn @ part.center_mass + scene.body[0].shape[0].position, turn @ part.moment_inertia @ turn.T),
        (cone_mass, np.array([0, 0, -0.05]), np.diag([across, across, 0.3 * cone_mass * a**2])),
    ]
    mass = sum(m for m, _, _ in parts)
    center = sum(m * c for m, c, _ in parts) / mass
    inertia = sum(i + m * (c @ c * np.eye(3) - np.outer(c, c)) for m, c, i in parts)
    bob, base = scene.body
    bodies = [
        reference.RigidBody(mass, center, inertia, bob.position, bob.orientation.matrix(), bob.angular_velocity,
                            bob.friction, [(bob.dipole[0].position, bob.dipole[0].moment)]),
        reference.RigidBody(0.1, np.zeros(3), np.eye(3), base.position, np.eye(3), np.zeros(3),
                            dipoles=[(np.zeros(3), base.dipole[0].moment)], support="fixed"),
    ]  # fmt: skip
    times = np.linspace(0, 2, 3)
    world = scene.world
    _, expected = reference.integrate(bodies, times, world.gravity, world.magnetic_field.value, world.permeability)
    simulation = Simulation(scene)
    for turns in expected:
        assert np.swapaxes(simulation.snapshot().bodies.basis, 1, 2) == pytest.approx(turns, abs=1e-6)
        simulation.advance(1.0)
