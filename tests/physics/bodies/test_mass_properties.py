"""Mass, centre and inertia of shapes, meshes and bodies against closed forms, samples and independent code."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import reference
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from meaning import Meaning
from pydantic import TypeAdapter

from polhode.mesh.mesh import Mesh, Meshes
from polhode.physics.bodies import shapes
from polhode.physics.bodies.mass.mass_properties import (
    SOLIDS,
    MassProperties,
    body_properties,
    combine,
    mesh_properties,
    shape_properties,
)
from polhode.physics.bodies.mass.mass_report import mesh_report
from polhode.physics.bodies.shapes import Orientation, Shape
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

MESHES = Path(__file__).parents[3] / "meshes"
BOX_FACES = np.array([[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
                      [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]])  # fmt: skip
numbers = st.floats(-10, 10).map(lambda x: round(x, 3))
vectors = arrays(float, 3, elements=numbers)
rotations = st.tuples(vectors.filter(np.any), numbers).map(lambda turn: Orientation(axis=tuple(turn[0]), angle=turn[1]))


def shape(**fields):
    return TypeAdapter(Shape).validate_python(fields)


def box(size, corner=(0, 0, 0)):
    """Twelve triangles, from `corner` on."""
    grid = np.array([(i, j, k) for k in (0, 1) for j in (0, 1) for i in (0, 1)], dtype=float)
    return Mesh(grid * size + corner, BOX_FACES)


def hypot(*columns):
    return np.sqrt(sum(column**2 for column in columns))


# A shape, what is inside of it, and its half extents; its centre of mass is at the origin.
SOLID_SHAPES = {
    "sphere": ({"radius": 0.7}, lambda p: hypot(*p.T) < 0.7, (0.7,) * 3),
    "cylinder": ({"radius": 0.5, "length": 1.8}, lambda p: hypot(p[:, 0], p[:, 1]) < 0.5, (0.5, 0.5, 0.9)),
    "capsule": (
        {"radius": 0.5, "length": 0.8},
        lambda p: hypot(p[:, 0], p[:, 1], np.maximum(abs(p[:, 2]) - 0.4, 0)) < 0.5,
        (0.5, 0.5, 0.9),
    ),
    "cone": (
        {"radius": 0.6, "length": 1.2},
        lambda p: (p[:, 2] > -0.3) & (hypot(p[:, 0], p[:, 1]) < 0.5 * (0.9 - p[:, 2])),
        (0.6, 0.6, 0.9),
    ),
    "ellipsoid": ({"semi_axes": (0.5, 0.8, 1.1)}, lambda p: hypot(*(p / (0.5, 0.8, 1.1)).T) < 1, (0.5, 0.8, 1.1)),
    "cuboid": ({"size": (0.4, 0.8, 1.6)}, lambda p: p[:, 0] < 1, (0.2, 0.4, 0.8)),
    "tube": (
        {"radius": 0.5, "inner_radius": 0.3, "length": 1.8},
        lambda p: abs(hypot(p[:, 0], p[:, 1]) - 0.4) < 0.1,
        (0.5, 0.5, 0.9),
    ),
    "torus": (
        {"radius": 0.7, "tube_radius": 0.2},
        lambda p: hypot(hypot(p[:, 0], p[:, 1]) - 0.7, p[:, 2]) < 0.2,
        (0.9, 0.9, 0.2),
    ),
}


@pytest.mark.parametrize("kind", SOLID_SHAPES)
def test_solid_shape_agrees_with_sampling(kind):
    fields, inside, extent = SOLID_SHAPES[kind]
    ours = shape_properties(shape(kind=kind, density=3.0, **fields))
    volume, inertia = reference.sampled_inertia(inside, -np.array(extent), np.array(extent))
    # 2^18 quasi-random points know a volume to about 1e-4; the smallest term that may be missed is far larger
    assert ours.mass == pytest.approx(3 * volume, rel=1e-3)
    assert ours.inertia == pytest.approx(3 * inertia, abs=1e-3 * np.trace(3 * inertia))


def test_every_kind_of_shape_has_its_moments():
    kinds = set(get_args(get_args(Shape)[0]))
    assert set(SOLIDS) == kinds - {shapes.MeshShape}
    assert set(SOLID_SHAPES) == {kind.model_fields["kind"].annotation.__args__[0] for kind in kinds} - {
        "rod",
        "point",
        "mesh",
    }


def test_rod_and_point_are_the_limits_of_thin_and_small_solids():
    thin = shape_properties(shape(kind="cylinder", radius=1e-6, length=2.0, mass=3.0))
    assert shape_properties(shape(kind="rod", length=2.0, mass=3.0)).inertia == pytest.approx(thin.inertia, abs=1e-11)
    assert not shape_properties(shape(kind="point", mass=3.0)).inertia.any()


@given(arrays(float, (5, 3), elements=numbers), arrays(float, 5, elements=st.floats(0.1, 10)), vectors)
def test_combined_points_weigh_what_their_sum_weighs(places, masses, point):
    parts = [MassProperties(m, r, np.zeros((3, 3))) for m, r in zip(masses, places, strict=True)]
    direct = reference.point_inertia(places - point, masses)
    # terms of up to 50 kg 300 m^2 cancel; 1e-10 of that
    assert combine(parts).about(point) == pytest.approx(direct, abs=1e-6)


@given(rotations, vectors)
def test_moments_do_not_depend_on_the_frame(turn, shift):
    ours = shape_properties(shape(kind="cuboid", size=(1, 2, 3), mass=2.0)).moved(turn.matrix(), shift)
    moments, axes = ours.principal()
    assert moments == pytest.approx([2 / 12 * 5, 2 / 12 * 10, 2 / 12 * 13], rel=1e-12)
    assert axes @ np.diag(moments) @ axes.T == pytest.approx(ours.inertia, abs=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1)
    assert ours.inertia @ turn.matrix()[:, 0] == pytest.approx(moments[2] * turn.matrix()[:, 0], abs=1e-12)


@given(rotations, vectors)
def test_two_halves_are_the_whole_however_they_lie(turn, shift):
    half = {"kind": "cuboid", "size": (1, 2, 1.5), "mass": 1.0}
    halves = [shape_properties(shape(**half)).moved(np.eye(3), (0, 0, z)) for z in (-0.75, 0.75)]
    ours = combine([part.moved(turn.matrix(), shift) for part in halves])
    whole = shape_properties(shape(kind="cuboid", size=(1, 2, 3), mass=2.0)).moved(turn.matrix(), shift)
    assert ours.center == pytest.approx(whole.center, abs=1e-12)
    assert ours.inertia == pytest.approx(whole.inertia, abs=1e-12)


def test_box_of_twelve_triangles_is_exact():
    ours = mesh_properties(box((0.4, 0.8, 1.6), corner=(1, -2, 3)), density=5.0)
    exact = shape_properties(shape(kind="cuboid", size=(0.4, 0.8, 1.6), density=5.0))
    assert ours.mass == pytest.approx(exact.mass, rel=1e-14)
    assert ours.center == pytest.approx([1.2, -1.6, 3.8], rel=1e-14)
    assert ours.inertia == pytest.approx(exact.inertia, abs=1e-14)


def test_box_keeps_its_digits_far_from_the_origin():
    size = np.array((0.4, 0.8, 1.6))
    far = mesh_properties(box(size, corner=(1e6, -1e6, 1e6)))
    # the vertices themselves are rounded to 1e-10 there; about the origin, inertia would be off by 1e5
    assert far.inertia == pytest.approx(mesh_properties(box(size)).inertia, rel=1e-8, abs=1e-10)
    assert far.center == pytest.approx(size / 2 + (1e6, -1e6, 1e6), abs=1e-9)


@pytest.mark.parametrize("name", ["hammer.stl", "gear.obj", "aeroplane.ply", "duck.stl"])
def test_mesh_integrals_agree_with_tetrahedra_and_trimesh(name):
    mesh = Meshes().mesh(MESHES / name)
    ours = mesh_properties(mesh)
    volume, center, inertia = reference.tetrahedra_properties(mesh.vertices, mesh.faces)
    other = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    size = np.trace(inertia)
    assert (ours.mass, ours.mass) == pytest.approx((volume, other.volume), rel=1e-11)
    assert ours.center == pytest.approx(center, abs=1e-11 * np.ptp(mesh.vertices))
    assert ours.about((0, 0, 0)) == pytest.approx(inertia, abs=1e-11 * size)
    assert ours.inertia == pytest.approx(other.moment_inertia, abs=1e-11 * size)


def test_scale_density_and_mass_of_a_mesh():
    part = {"kind": "mesh", "file": "box.stl", "scale": 0.001}
    box_in_mm = box((400.0, 800.0, 1600.0), corner=(100.0, 0, 0))
    exact = shape_properties(shape(kind="cuboid", size=(0.4, 0.8, 1.6), mass=2.0))
    for ours in (
        shape_properties(shape(mass=2.0, **part), box_in_mm),
        shape_properties(shape(density=2.0 / (0.4 * 0.8 * 1.6), **part), box_in_mm),
    ):
        assert ours.mass == pytest.approx(2.0, rel=1e-14)
        assert ours.center == pytest.approx([0.3, 0.4, 0.8], rel=1e-14)
        assert ours.inertia == pytest.approx(exact.inertia, rel=1e-13, abs=1e-16)


def test_report_of_a_mesh_is_in_si():
    report = mesh_report(box((400.0, 800.0, 1600.0)), scale=0.001, mass=2.0)
    assert (report.triangles, report.volume, report.density) == pytest.approx((12, 0.512, 2 / 0.512))
    assert report.size == pytest.approx([0.4, 0.8, 1.6])
    assert abs(report.principal_axes) == pytest.approx(np.eye(3)[::-1])  # one per row, smallest moment first: z, y, x
    assert mesh_report(box((1.0, 1.0, 1.0))).mass == pytest.approx(1000.0)  # of water


def body(*parts):
    scene = Scene.model_validate({"body": [{"name": "thing", "shape": list(parts)}]})
    return scene.in_folder(MESHES), scene.body[0]


def test_body_of_tilted_shapes_is_the_sum_of_its_points():
    """A mesh and a cylinder that both are turned and shifted, against sums over sampled points in the body frame."""
    turn = {"axis": (1, 2, 3), "angle": 1.1}
    scene, thing = body(
        {"kind": "mesh", "file": "duck.stl", "scale": 0.01, "mass": 2.0, "position": (1, 0, 0), "orientation": turn},
        {"kind": "cylinder", "radius": 0.2, "length": 0.5, "mass": 1.0, "position": (0, 2, 1), "orientation": turn},
    )
    duck = Meshes().mesh(MESHES / "duck.stl")
    q = Orientation(**turn).matrix()
    volume, center, second = reference.tetrahedra_properties((duck.vertices * 0.01) @ q.T + (1, 0, 0), duck.faces)
    d = q[:, 2]
    own = (0.2**2 / 4 + 0.5**2 / 12) * (np.eye(3) - np.outer(d, d)) + 0.2**2 / 2 * np.outer(d, d)
    expected = second * 2 / volume + own + reference.point_inertia(np.array([[0, 2, 1.0]]), 1.0)
    ours = body_properties(scene, thing, Meshes())
    assert ours.mass == 3.0
    assert ours.center == pytest.approx((2 * center + (0, 2, 1)) / 3, abs=1e-12)
    assert ours.about((0, 0, 0)) == pytest.approx(expected, abs=1e-11)


def test_convex_hull_of_a_mesh_is_used_when_asked_for():
    mesh = {"kind": "mesh", "file": "torus_knot.stl", "density": 1.0}
    ours = body_properties(*body(mesh | {"convex_hull": True}), Meshes())
    other = trimesh.load_mesh(MESHES / "torus_knot.stl").convex_hull
    assert ours.mass == pytest.approx(other.volume, rel=1e-9)
    assert ours.inertia == pytest.approx(other.moment_inertia, abs=1e-9 * np.trace(ours.inertia))


@pytest.mark.parametrize(
    ("part", "place", "words"),
    [
        (
            {"kind": "mesh", "file": "nowhere.stl", "mass": 1.0},
            "shape[1].file",
            Meaning("shape[1].file", file="nowhere.stl"),
        ),
        ({"kind": "point", "mass": 0.0}, "shape", Meaning("shape", "masses", name="thing")),
    ],
)
def test_fault_of_a_body_is_named_with_its_place(part, place, words):
    with pytest.raises(InputError) as caught:
        body_properties(*body({"kind": "point", "mass": 0.0}, part), Meshes())
    (problem,) = caught.value.problems
    assert problem.place == place
    assert words.of(problem)
    assert problem.remedy
