"""Surfaces made by numpy and plain VTK, against pyvista's own filters and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv

from polhode_app.viewport.base.polydata import (
    arrow,
    bar,
    box,
    corners,
    crossings,
    joined,
    placed,
    repeated,
    smooth,
    triangulated,
    turn_from_x,
)
from polhode_app.viewport.base.solid import SolidPart
from polhode_app.viewport.things.shape_surfaces import unit_ball

RANDOM = np.random.default_rng(3)


def bumpy() -> pv.PolyData:
    """A closed surface without symmetry, with normals."""
    surface = triangulated(smooth(pv.Superquadric(theta_roundness=0.6, phi_roundness=1.3, theta_resolution=24)))
    return placed(surface, turn_from_x(np.array([0.3, 1.0, -0.4])), np.array([0.2, 0.0, 0.1]), 1.7)


def test_a_placed_surface_is_that_of_a_transformation() -> None:
    surface, turn, place = bumpy(), turn_from_x(RANDOM.normal(size=3)), RANDOM.normal(size=3)
    found = placed(surface, turn, place, 2.0)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = 2.0 * turn, place
    expected = surface.transform(matrix, inplace=False)
    assert np.allclose(found.points, expected.points, atol=1e-6)
    normals = np.asarray(surface.point_data.active_normals) @ turn.T
    assert np.allclose(found.point_data.active_normals, normals, atol=1e-6)
    assert np.array_equal(found.faces, surface.faces)
    assert np.isclose(found.volume, 8 * surface.volume)


def test_a_repeated_surface_stands_at_each_place() -> None:
    surface, places = bumpy(), 10 * RANDOM.normal(size=(5, 3))
    found = repeated(surface, places)
    one_by_one = joined([placed(surface, np.eye(3), place) for place in places])
    assert np.allclose(found.points, one_by_one.points, atol=1e-6)
    assert np.array_equal(found.faces, one_by_one.faces)
    assert np.allclose(found.point_data.active_normals, one_by_one.point_data.active_normals)
    assert np.isclose(found.volume, 5 * surface.volume)


def test_nothing_joined_is_nothing() -> None:
    assert joined([]).n_points == 0


def test_a_bar_ends_where_it_should_and_its_normals_look_outwards() -> None:
    start, end, radius, sides = np.array([0.1, -0.2, 0.3]), np.array([1.0, 0.5, -0.4]), 0.05, 16
    found, way = bar(start, end, radius, sides), end - start
    length = np.linalg.norm(way)
    polygon = sides / 2 * radius**2 * np.sin(2 * np.pi / sides)
    assert np.isclose(found.volume, polygon * length, rtol=1e-5)
    along = (np.asarray(found.points) - start) @ way / length
    assert np.isclose(along.min(), 0, atol=1e-6)
    assert np.isclose(along.max(), length, atol=1e-6)
    outwards = np.asarray(found.points) - (start + end) / 2
    assert (np.einsum("ni,ni->n", outwards, found.point_data.active_normals) > 0).all()


def test_an_arrow_goes_from_its_start_as_far_as_its_length() -> None:
    start, direction = np.array([1.0, 2.0, 3.0]), np.array([0.0, -2.0, 1.0])
    found = arrow(start, direction, 0.4, tip_length=0.3, tip_radius=0.1)
    along = (np.asarray(found.points) - start) @ direction / np.linalg.norm(direction)
    assert np.isclose(along.min(), 0, atol=1e-6)
    assert np.isclose(along.max(), 0.4, atol=1e-6)


@pytest.mark.parametrize("direction", [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0.1, -3, 2)])
def test_a_turn_is_a_rotation_that_leads_x_to_the_direction(direction: tuple[float, float, float]) -> None:
    turn = turn_from_x(np.array(direction, dtype=float))
    assert np.allclose(turn @ turn.T, np.eye(3))
    assert np.isclose(np.linalg.det(turn), 1)
    assert np.allclose(turn[:, 0] * np.linalg.norm(direction), direction)


def test_rays_cross_where_vtk_finds_that_they_do() -> None:
    surface = bumpy()
    triangles = corners(surface)
    for _ in range(30):
        start, ahead = RANDOM.normal(size=3), RANDOM.normal(size=3)
        ahead /= np.linalg.norm(ahead)
        met, _ = surface.ray_trace(start, start + 20 * ahead)
        expected = np.sort(np.linalg.norm(met - start, axis=1)) if len(met) else np.zeros(0)
        assert np.allclose(np.sort(crossings(triangles, start, ahead)), expected, atol=1e-5)


def test_geometry_of_a_part_is_that_of_its_surface() -> None:
    surface = bumpy()
    part = SolidPart(surface, None)
    assert np.isclose(part.areas.sum(), surface.area)
    assert np.isclose(part.reach, np.linalg.norm(surface.points, axis=1).max())
    assert np.allclose(np.transpose(box(part.points)).ravel(), surface.bounds)
    assert np.allclose(part.box, box(part.points))


def test_the_unit_ball_is_round() -> None:
    ball = unit_ball(32)
    assert np.allclose(np.linalg.norm(ball.points, axis=1), 1)
    assert np.allclose(ball.point_data.active_normals, ball.points, atol=0.03)
