"""Shapes that share space: volumes against closed forms, and what must not be called an overlap."""

import numpy as np
import pytest
import trimesh
from meaning import Meaning
from pydantic import TypeAdapter

from polhode.mesh.mesh import Mesh, Meshes
from polhode.physics.bodies.geometry.equivalent_ellipsoid import equivalent_ellipsoid
from polhode.physics.bodies.geometry.overlap import overlaps
from polhode.physics.bodies.geometry.point_in_solid import REGIONS, inside_mesh
from polhode.physics.bodies.mass.mass_report import body_report, scene_report
from polhode.physics.bodies.mass.solids import SOLIDS
from polhode.physics.bodies.shapes import Shape
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

BALL = {"kind": "sphere", "radius": 0.1, "density": 1000}
SIZES = [
    {"kind": "sphere", "radius": 0.7},
    {"kind": "cylinder", "radius": 0.5, "length": 1.8},
    {"kind": "capsule", "radius": 0.5, "length": 0.8},
    {"kind": "cone", "radius": 0.6, "length": 1.2},
    {"kind": "ellipsoid", "semi_axes": [0.5, 0.8, 1.1]},
    {"kind": "cuboid", "size": [0.4, 0.8, 1.6]},
    {"kind": "torus", "radius": 0.7, "tube_radius": 0.2},
    {"kind": "tube", "radius": 0.7, "inner_radius": 0.4, "length": 1.2},
]


def of(*shapes, **body):
    return Scene.model_validate({"body": [{"name": "thing", "shape": list(shapes), **body}]})


def found(*shapes, **body):
    scene = of(*shapes, **body)
    return overlaps(scene, scene.body[0], Meshes())


@pytest.mark.parametrize("fields", SIZES, ids=lambda fields: fields["kind"])
def test_region_of_a_solid_has_its_volume_and_its_centre(fields):
    """2^17 random points know a volume to 1 %, and a first moment to 1 % of the size."""
    shape = TypeAdapter(Shape).validate_python({**fields, "density": 1.0})
    half, middle, inside = REGIONS[type(shape)](shape)
    box = 2 * np.random.default_rng(3).random((2**17, 3)) - 1
    points = np.array(half) * box + [0, 0, middle]
    kept = points[inside(points)]
    assert np.prod(np.multiply(half, 2)) * len(kept) / 2**17 == pytest.approx(SOLIDS[type(shape)](shape)[0], rel=0.01)
    assert kept.mean(axis=0) == pytest.approx(np.zeros(3), abs=0.01)
    assert kept.min(axis=0) == pytest.approx(np.array([0, 0, middle]) - half, abs=0.1)


def test_every_shape_with_a_volume_has_a_region():
    assert {kind.__name__ for kind in set(SOLIDS) - set(REGIONS)} == {"Rod", "Point"}


def test_inside_of_a_mesh_agrees_with_the_solid_that_it_bounds():
    """A tube: its hole is outside. Points on a grid with the mesh's own coordinates lie over edges and vertices."""
    tube = trimesh.creation.annulus(r_min=0.5, r_max=1.0, height=2.0, sections=64)
    mesh = Mesh(tube.vertices, tube.faces)
    points = np.stack(np.meshgrid(*[np.linspace(-1.25, 1.25, 21)] * 3), axis=-1).reshape(-1, 3)
    distance = np.hypot(points[:, 0], points[:, 1])
    clear = (abs(distance - 0.5) > 0.01) & (abs(distance - 1) > 0.01) & (abs(abs(points[:, 2]) - 1) > 0.01)
    expected = (distance > 0.5) & (distance < 1) & (abs(points[:, 2]) < 1)
    assert clear.sum() > 5000
    assert (inside_mesh(mesh, points) == expected)[clear].all()


def test_two_balls_share_a_lens():
    """V = pi (4 r + d) (2 r - d)^2/12; 2^14 points know it to 1 %."""
    (overlap,) = found(BALL, {**BALL, "position": [0.06, 0.06, 0.03]})
    d = 0.09
    assert (overlap.first, overlap.second) == (0, 1)
    assert overlap.volume == pytest.approx(np.pi * (0.4 + d) * (0.2 - d) ** 2 / 12, rel=0.01)


def test_what_lies_wholly_inside_is_shared_wholly():
    turn = {"axis": [1, 2, 3], "angle": 0.8}
    box = {"kind": "cuboid", "size": [0.02, 0.04, 0.06], "mass": 1, "position": [0.01, 0, 0.02], "orientation": turn}
    (overlap,) = found(box, BALL)
    assert overlap.volume == pytest.approx(0.02 * 0.04 * 0.06, rel=0.01)


@pytest.mark.parametrize(
    "shapes",
    [
        [BALL, {**BALL, "position": [0.2, 0, 0]}],
        [BALL, {**BALL, "position": [0.15, 0.15, 0.15]}],  # their boxes share a corner
        [{**BALL, "radius": 0.03}, {"kind": "torus", "radius": 0.1, "tube_radius": 0.05, "mass": 1}],
        [BALL, {"kind": "rod", "length": 1, "mass": 1}, {"kind": "point", "mass": 1}],
        [BALL, {"kind": "sphere", "radius": 0.05, "mass": 0}],
    ],
    ids=["touching", "boxes only", "in the hole", "rod and point", "without mass"],
)
def test_what_shares_no_space_is_no_overlap(shapes):
    assert found(*shapes) == []


def test_halves_of_a_tilted_box_touch():
    turn = {"axis": [1, 2, 3], "angle": 0.8}
    side = np.array(TypeAdapter(Shape).validate_python({**BALL, "orientation": turn}).orientation.matrix())[:, 0]
    half = {"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 1, "orientation": turn}
    assert found({**half, "position": (0.05 * side).tolist()}, {**half, "position": (-0.05 * side).tolist()}) == []


def test_a_body_that_no_force_moves_may_overlap():
    assert found(BALL, BALL, support="fixed") == []
    assert len(found(BALL, BALL)) == 1


def test_magnet_in_a_mesh_is_found_in_the_units_of_the_file(tmp_path):
    trimesh.creation.box(extents=(100, 100, 100)).export(tmp_path / "block.stl")
    block = {"kind": "mesh", "file": "block.stl", "scale": 0.001, "density": 1000, "position": [0, 0, 0.2]}
    magnet = {"kind": "cylinder", "radius": 0.01, "length": 0.02, "mass": 0.1, "position": [0, 0, 0.15]}
    scene = of(block, magnet).in_folder(tmp_path)
    (overlap,) = overlaps(scene, scene.body[0], Meshes())  # half of the magnet sticks out
    assert overlap.volume == pytest.approx(np.pi * 0.01**2 * 0.01, rel=0.01)
    problem = overlap.problem(scene.body[0])
    assert Meaning("shape[1]", shape=0, name="thing").of(problem)


def test_tensor_of_a_body_is_what_its_shapes_add():
    turn = {"axis": [1, 2, 3], "angle": 0.8}
    scene = of(
        {**BALL, "position": [0.3, 0.1, 0]},
        {"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 2, "orientation": turn, "position": [0, 0, -0.4]},
        {"kind": "rod", "length": 0.3, "mass": 0.5},
    )
    report = body_report(scene, scene.body[0], Meshes())
    assert sum(part.inertia + part.shift for part in report.shapes) == pytest.approx(report.inertia, abs=1e-15)
    assert sum(part.mass for part in report.shapes) == pytest.approx(report.mass)
    s = report.center
    about = report.inertia + report.mass * (s @ s * np.eye(3) - np.outer(s, s))
    assert report.inertia_about_origin == pytest.approx(about, abs=1e-15)
    each = [part.inertia_about_origin for part in report.shapes]
    assert sum(each) == pytest.approx(about, abs=1e-15)
    assert each[2] == pytest.approx(np.diag([0.5 * 0.3**2 / 12] * 2 + [0]), abs=1e-15)  # the rod's centre is the origin
    x, y = 0.3, 0.1  # of the ball
    shift = np.array([[y * y, -x * y, 0], [-x * y, x * x, 0], [0, 0, x * x + y * y]])
    ball = report.shapes[0]
    assert each[0] == pytest.approx(ball.inertia + ball.mass * shift, abs=1e-15)
    axes = report.principal_axes
    assert axes.T @ np.diag(report.principal_moments) @ axes == pytest.approx(report.inertia, abs=1e-15)
    a, b, c = report.equivalent_ellipsoid
    moments = report.mass / 5 * np.array([b**2 + c**2, a**2 + c**2, a**2 + b**2])
    assert moments == pytest.approx(report.principal_moments, rel=1e-12)


def test_equivalent_ellipsoid_of_an_ellipsoid_is_itself_and_of_a_rod_a_line():
    scene = of({"kind": "ellipsoid", "semi_axes": [0.3, 0.2, 0.1], "density": 500})
    assert body_report(scene, scene.body[0], Meshes()).equivalent_ellipsoid == pytest.approx([0.3, 0.2, 0.1])
    assert equivalent_ellipsoid(1.0, np.array([0.0, 1.0, 1.0])) == pytest.approx([np.sqrt(5), 0, 0])


def test_report_of_a_scene_names_every_body_at_fault():
    empty = {"shape": [{"kind": "point", "mass": 0}]}
    scene = Scene.model_validate({"body": [{"name": "a", **empty}, {"name": "b", **empty}]})
    with pytest.raises(InputError) as refused:
        scene_report(scene, Meshes())
    assert [problem.place for problem in refused.value.problems] == ["body[0].shape", "body[1].shape"]
