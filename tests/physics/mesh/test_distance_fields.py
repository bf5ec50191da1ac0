"""Distance fields of meshes against closed forms and a search through all triangles; sample points; level surfaces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
import trimesh
from sampling import sampled

from polhode.mesh.distance import nodes
from polhode.mesh.distance.field import Grid, distance_field, grid_around, signed_distances
from polhode.mesh.distance.inside import inside
from polhode.mesh.distance.level_surface import level_surface, quarters
from polhode.mesh.distance.order import morton_order, spheres_around
from polhode.mesh.distance.rounded import rounded_solid
from polhode.mesh.distance.samples import halved, samples_of
from polhode.mesh.distance.triangle_tree import TriangleTree, lowered, triangle_tree
from polhode.physics.contact.fields.surfaces import Surface, revolved

SIZE = np.array([0.05, 0.04, 0.03])  # [m] of the box
TUBE = {"r_min": 0.03, "r_max": 0.04, "height": 0.1}


def box() -> tuple[np.ndarray, np.ndarray]:
    mesh = trimesh.creation.box(SIZE)
    return mesh.vertices, mesh.faces.astype(np.int64)


def tube(sections: int = 64) -> tuple[np.ndarray, np.ndarray]:
    mesh = trimesh.creation.annulus(**TUBE, sections=sections)
    return mesh.vertices, mesh.faces.astype(np.int64)


def torus() -> tuple[np.ndarray, np.ndarray]:
    mesh = trimesh.creation.torus(0.02, 0.004, major_sections=96, minor_sections=32)
    return mesh.vertices, mesh.faces.astype(np.int64)


def distances(surface: Surface, cells: int) -> tuple[Grid, np.ndarray]:
    """A grid around a surface, and the signed distances of its nodes."""
    grid = grid_around(surface[0], cells)
    return grid, signed_distances(tree_of(surface), grid, lambda part: None)[0]


def tree_of(surface: Surface) -> TriangleTree:
    return triangle_tree(surface[0][surface[1]])


def nodes_of(grid: Grid) -> np.ndarray:
    """(nx, ny, nz, 3) places of the nodes."""
    return grid.low + grid.cell * np.stack(np.indices(grid.counts), axis=-1)


def from_box(places: np.ndarray) -> np.ndarray:
    """Signed distance (...) of places (..., 3) from the box: the closed form."""
    beyond = np.abs(places) - SIZE / 2
    return np.linalg.norm(np.maximum(beyond, 0.0), axis=-1) + np.minimum(beyond.max(axis=-1), 0.0)


def from_triangles(corners: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Distance (n,) of places (n, 3) from triangles (t, 3, 3): the least over all projections, edges and corners."""
    best = np.full(len(places), np.inf)
    for a, b, c in corners:
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        height = (places - a) @ normal
        foot = places - height[:, None] * normal
        sides = [np.cross(end - start, foot - start) @ normal for start, end in ((a, b), (b, c), (c, a))]
        within = np.all([side >= 0 for side in sides], axis=0)
        best = np.where(within, np.minimum(best, np.abs(height)), best)
        for start, end in ((a, b), (b, c), (c, a)):
            along = end - start
            share = np.clip((places - start) @ along / (along @ along), 0.0, 1.0)
            best = np.minimum(best, np.linalg.norm(places - start - share[:, None] * along, axis=1))
    return best


def test_nodes_have_the_distance_from_a_box() -> None:
    """Beside the rounding of numbers of the size of the box."""
    grid, values = distances(box(), 24)
    np.testing.assert_allclose(values, from_box(nodes_of(grid)), rtol=0, atol=1e-15)


def test_nodes_of_a_tube_are_as_a_search_through_all_triangles_has_them() -> None:
    vertices, faces = tube(24)
    grid, values = distances((vertices, faces), 20)
    exact = from_triangles(vertices[faces], nodes_of(grid).reshape(-1, 3)).reshape(values.shape)
    np.testing.assert_allclose(np.abs(values), exact, rtol=0, atol=1e-15)
    radius = np.linalg.norm(nodes_of(grid)[..., :2], axis=-1)
    within = (radius > TUBE["r_min"]) & (radius < TUBE["r_max"] * np.cos(np.pi / 24))
    within &= np.abs(nodes_of(grid)[..., 2]) < TUBE["height"] / 2
    assert (values[within] < 0).all()
    assert (values[radius < TUBE["r_min"] * np.cos(np.pi / 24)] > 0).all()


def test_the_winding_number_decides_where_pieces_overlap() -> None:
    """Two boxes that overlap are inside where either is."""
    vertices, faces = box()
    moved = np.concatenate([vertices, vertices + [0.02, 0.01, 0.01]])
    corners = moved[np.concatenate([faces, faces + len(vertices)])]
    low, cell, counts = np.array([-0.0405, -0.0307, -0.0303]), 0.0021, (50, 40, 40)
    places = low + cell * np.stack(np.indices(counts), axis=-1)
    expected = (from_box(places) < 0) | (from_box(places - [0.02, 0.01, 0.01]) < 0)
    assert (inside(corners, low, cell, counts) == expected).all()


def test_the_surface_of_the_spline_converges_to_that_of_a_torus() -> None:
    """By the third order at least until the facets show, whose sagitta is (pi/32)^2/2 of the tube's radius."""
    vertices, faces = torus()
    places, _ = trimesh.sample.sample_surface(trimesh.Trimesh(vertices, faces, process=False), 4000, seed=1)
    errors = [np.abs(distance_field(vertices, faces, cells).at(np.asarray(places))[0]).max() for cells in (16, 32, 64)]
    assert errors[0] / errors[1] > 3
    assert errors[2] < 0.004 * (np.pi / 32) ** 2 * 1.5


def test_the_gradient_is_that_of_the_value() -> None:
    """Central differences over a step h: h^2 of the third derivative, and the rounding of the value over h."""
    field = distance_field(*tube(), cells=32)
    rng, step = np.random.default_rng(1), 1e-6
    places = rng.uniform([-0.045, -0.045, -0.055], [0.045, 0.045, 0.055], (500, 3))
    _, gradient = field.at(places)
    for axis in range(3):
        aside = step * np.eye(3)[axis]
        difference = (field.at(places + aside)[0] - field.at(places - aside)[0]) / (2 * step)
        np.testing.assert_allclose(gradient[:, axis], difference, rtol=0, atol=2e-7)


def test_outside_of_the_grid_nothing_is_known() -> None:
    field = distance_field(*box(), cells=16)
    values, gradients = field.at(np.array([[0.2, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    assert np.isnan(values).tolist() == [True, False]
    assert np.isnan(gradients).all(axis=1).tolist() == [True, False]
    far = distance_field(*box(), cells=16, reach=0.02)
    assert far.at(np.array([[0.044, 0.0, 0.0]]))[0] == pytest.approx(0.019, abs=1e-6)


def test_the_core_of_a_box_is_a_smaller_box() -> None:
    """Its edges, of a length of 0.432 m, are blunt by a third of a cell: they lack that squared times the length."""
    depth = 0.002
    grid, values = distances(box(), 48)
    moved = partial(lowered, tree_of(box()), depth=depth)
    points, quads = level_surface(grid.low, grid.cell, values + depth, lambda points: moved(points)[0])
    vertices, faces = quarters(points, quads, grid.cell, lambda points: moved(points)[0])
    core = trimesh.Trimesh(vertices, faces, process=False)
    assert core.is_watertight
    assert core.volume == pytest.approx(np.prod(SIZE - 2 * depth), abs=0.432 * (grid.cell / 3) ** 2)


@pytest.mark.parametrize("cells", [64, 61, 50])
def test_the_field_of_a_symmetric_mesh_is_symmetric(cells: int) -> None:
    """Without sizes that are whole numbers of cells. An odd number of facets leaves the plane y = 0; planes of symmetry
    with an edge, where two facets are equally near, keep an error of up to 0.3 % of a cell.
    """
    vertices, faces = tube(sections=63)
    grid = grid_around(vertices, cells)
    middle = grid.low + grid.cell * (np.array(grid.counts) - 1) / 2
    assert middle == pytest.approx((vertices.min(axis=0) + vertices.max(axis=0)) / 2, abs=1e-12)
    for low, high in ((grid.low, vertices.min(axis=0)), (vertices.max(axis=0), grid.low)):
        between = np.abs((high - low) / grid.cell) % 1.0  # no plane of nodes is in a face of the box
        assert ((between > 0.2) & (between < 0.8)).all()
    solid = rounded_solid(vertices, faces, 0.0005, cells)
    for axis in (1, 2):
        mirrored = np.flip(solid.field.coefficients, axis)
        assert np.abs(solid.field.coefficients - mirrored).max() < 1e-3 * grid.cell


@pytest.mark.parametrize("made", sampled([box, tube, torus], 3))
def test_samples_have_the_area_and_the_depth(made: Callable[[], tuple[np.ndarray, np.ndarray]]) -> None:
    vertices, faces = made()
    mesh = trimesh.Trimesh(vertices, faces, process=False)
    samples = samples_of(vertices, faces, tree_of((vertices, faces)), np.ptp(vertices, axis=0).max() / 48, 0.0005)
    assert samples.areas.sum() == pytest.approx(mesh.area, rel=0.02)  # at most 2 % of it is left out
    depths = from_triangles(vertices[faces], samples.points)
    assert np.abs(depths - samples.rounding).max() < 0.05 * samples.rounding


def test_a_wall_that_is_too_thin_has_a_smaller_rounding() -> None:
    plate = trimesh.creation.box([0.04, 0.04, 0.004])
    solid = rounded_solid(plate.vertices, plate.faces.astype(np.int64), 0.003, cells=40)
    assert solid.samples.rounding == 0.0015
    values, _ = solid.field.at(np.array([[0.0, 0.0, 0.003], [0.003, 0.002, 0.002]]))
    np.testing.assert_allclose(values, [0.001, 0.0], atol=2e-5)


def test_edges_are_rounded() -> None:
    """At an edge the rounded surface is (sqrt(2) - 1) r below it, and up to a third of a cell more."""
    solid = rounded_solid(*box(), 0.003, cells=64)
    edge = np.array([[SIZE[0] / 2, 0.0, SIZE[2] / 2]])
    below = solid.field.at(edge)[0][0] - (np.sqrt(2) - 1) * 0.003
    assert 0.0 < below < solid.field.cell / 3


def bowl(radius: float, cap: float, wall: float, facets: int) -> Surface:
    """A spherical bowl of an inner radius about the origin, up to an angle `cap` from the bottom."""
    angles = np.linspace(0.0, cap, facets + 1)
    angles = np.concatenate([angles, angles[::-1]])
    radii = np.repeat([radius + wall, radius], facets + 1)
    return revolved(radii * np.sin(angles), -radii * np.cos(angles))


def test_a_bowl_with_a_thin_wall_has_the_distance_of_a_sphere() -> None:
    """Triangles of a sixth of a cell leave no trace, and the middle of the wall, of 2.7 cells, little of it: 0.05 cells
    close to the surface, and less by a factor of 3.7 with each cell, as the weights of a spline have it.

    Facets lie above the sphere by R a^2/8, with the angle a of each.
    """
    radius, cap, facets = 0.1, 0.6, 225
    solid = rounded_solid(*bowl(radius, cap, 0.005, facets), 0.0005, cells=64, reach=0.0125)
    angle = np.linspace(-0.15, 0.15, 301)
    up = np.stack([np.sin(angle), 0 * angle, -np.cos(angle)], axis=1)
    along = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)
    cell, facet = solid.field.cell, radius * (cap / facets) ** 2 / 8
    for height in (0.0, 0.001, 0.005, 0.01):
        left = 0.05 * 3.7 ** (-height / cell)
        values, gradients = solid.field.at((radius - height) * up)
        np.testing.assert_allclose(values, height, rtol=0, atol=(left + 5e-4) * cell + facet)
        assert np.abs((gradients * along).sum(axis=1)).max() < left + 5e-4


def test_triangles_are_halved_until_none_is_long() -> None:
    thin = np.array([[[0.0, 0, 0], [1.0, 0, 0], [0.5, 1e-3, 0]]])
    pieces = halved(thin, 0.1)
    edges = np.linalg.norm(np.roll(pieces, -1, axis=1) - pieces, axis=2)
    assert edges.max() <= 0.1
    areas = np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1) / 2
    assert areas.sum() == pytest.approx(5e-4)


def test_spheres_of_a_tree_hold_their_points() -> None:
    points = np.random.default_rng(2).normal(size=(123, 3))
    points = points[morton_order(points)]
    middles, radii = spheres_around(points, 4)
    leaves = (len(radii) + 1) // 2
    levels = [2**level - 1 for level in range(leaves.bit_length() + 1)]
    for begin, stop in pairwise(levels):
        span = 4 * leaves // (stop - begin)
        for node in range(begin, stop):
            held = points[(node - begin) * span : (node - begin + 1) * span]
            assert (np.linalg.norm(held - middles[node], axis=1) <= radii[node] + 1e-12).all()
            assert len(held) > 0 or radii[node] < 0


def test_threads_change_nothing_and_what_progress_raises_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes on the middle plane of a box are equally far from two faces, so the slabs would show."""
    found, parts = [], []
    for count in (1, 3):
        monkeypatch.setattr(nodes, "cores", lambda count=count: count)
        found.append(rounded_solid(*box(), 0.003, cells=24, progress=parts.append))
    assert (found[0].field.coefficients == found[1].field.coefficients).all()
    assert (found[0].samples.points == found[1].samples.points).all()
    half = len(parts) // 2
    assert parts[:half] == parts[half:] == sorted(parts[:half])
    assert parts[-1] == pytest.approx(1.0)
    done = []

    def measure(plane: int, begin: int, stack: np.ndarray) -> None:
        done.append((plane, begin))

    def stop(part: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nodes.in_slabs(40, measure, stop)
    assert [plane for plane, begin in done] == [begin for plane, begin in done]  # the first plane of each slab
    assert len(done) == nodes.SLABS
