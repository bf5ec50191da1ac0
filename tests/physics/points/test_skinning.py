"""Skins follow the points that they are bound to."""

from pathlib import Path

import numpy as np
import pytest
import trimesh

from polhode.physics.points.lattice import grid
from polhode.physics.points.skinning import skin_weights
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MESHES = Path(__file__).parents[3] / "meshes"
TURN = np.array([[0.8, -0.6, 0.0], [0.48, 0.64, -0.6], [0.36, 0.48, 0.8]])


@pytest.fixture
def block():
    """A lattice, and vertices in it and up to a cell outside of it."""
    points = 0.1 * grid((6, 5, 4))
    return points, np.random.default_rng(3).uniform(-0.1, [0.6, 0.5, 0.4], (400, 3))


def test_at_rest_the_skin_is_the_mesh(block):
    points, vertices = block
    assert np.abs(skin_weights(points, vertices) @ points - vertices).max() < 1e-13


def test_whatever_affine_motion_the_points_make_the_skin_makes_it_with_them(block):
    points, vertices = block
    motion = np.diag([1.4, 0.7, 1.0]) @ TURN
    moved = skin_weights(points, vertices) @ (points @ motion + (3.0, -2.0, 1.0))
    assert np.abs(moved - (vertices @ motion + (3.0, -2.0, 1.0))).max() < 1e-12


def test_points_in_a_plane_still_carry_a_skin_with_them():
    points = 0.1 * grid((5, 5, 1))
    vertices = points[:3] + (0.01, 0.0, 0.02)
    weights = skin_weights(points, vertices)
    assert np.allclose(weights @ (points + (1.0, 2.0, 3.0)) - weights @ points, (1.0, 2.0, 3.0))


def test_a_soft_mesh_starts_as_its_file_shows_it():
    mesh = trimesh.load(MESHES / "hammer.stl", process=False)
    soft = {"name": "jelly", "kind": "mesh", "file": "hammer.stl", "scale": 0.001, "spacing": 0.01}
    more = {"position": (1, 0, 0), "particle_mass": 0.1, "stiffness": 10}
    compiled = Simulation(Scene.model_validate({"soft": [soft | more]}).in_folder(MESHES)).compiled
    skin = compiled.skins["jelly"] @ compiled.start_points
    assert np.allclose([skin.min(axis=0), skin.max(axis=0)], 0.001 * mesh.bounds + (1, 0, 0), atol=1e-9)
