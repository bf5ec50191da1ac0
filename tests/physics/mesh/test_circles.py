"""Circles of meshes: rims of holes and shafts, found by least squares, and what a click near one means."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from brackets import DIAMETER, HOLE, bracket

from polhode.mesh.circles import circle_at, circles_of
from polhode.mesh.mesh import Mesh


def mesh_of(made: trimesh.Trimesh) -> Mesh:
    return Mesh(np.array(made.vertices), np.array(made.faces))


def test_the_hole_of_a_bracket_is_found_between_its_rims() -> None:
    (hole,) = circles_of(mesh_of(bracket()))
    assert hole.center == pytest.approx(HOLE, abs=1e-6)
    assert abs(hole.axis[1]) == pytest.approx(1.0)
    assert (hole.radius, hole.depth) == pytest.approx((DIAMETER / 2, 4.0))


def test_circles_are_found_however_the_mesh_is_turned() -> None:
    """A tube has two: its bore and its outer edge; turned at random, so are they."""
    tube = trimesh.creation.annulus(3.0, 5.0, 12.0, sections=40)
    turn = trimesh.transformations.random_rotation_matrix(np.array([0.3, 0.6, 0.1]))
    turn[:3, 3] = (7.0, -2.0, 1.0)
    tube.apply_transform(turn)
    found = sorted(circles_of(mesh_of(tube)), key=lambda each: each.radius)
    assert [each.radius for each in found] == pytest.approx([3.0, 5.0])
    for each in found:
        assert each.center == pytest.approx(turn[:3, 3], abs=1e-6)
        assert abs(each.axis @ turn[:3, 2]) == pytest.approx(1.0)


def test_edges_of_boxes_and_round_surfaces_are_no_circles() -> None:
    for made in (trimesh.creation.box([1, 2, 3]), trimesh.creation.icosphere(3), trimesh.creation.capsule(2.0, 1.0)):
        assert circles_of(mesh_of(made)) == []


def test_a_click_means_the_nearest_circle_or_none() -> None:
    circles = circles_of(mesh_of(bracket()))
    for offset in ((3.5, -2.0, 0.0), (0.0, 2.0, 4.0), (0.0, 0.0, 3.0)):
        found = circle_at(circles, HOLE + offset)
        assert found is not None
        assert found.center == pytest.approx(HOLE, abs=1e-6)
    assert circle_at(circles, HOLE - (0.0, 2.0, 20.0)) is None
