"""Magnets as clouds of dipoles: exact low moments, and fields and forces against magpylib's closed forms."""

from __future__ import annotations

from pathlib import Path

import magpylib
import numpy as np
import pytest
import reference
import trimesh
from kernel_arguments import placed
from reference import cloud_field
from scipy.spatial.transform import Rotation

from polhode.engine.model import Step
from polhode.engine.work import run_hooks
from polhode.mesh.mesh import Mesh, Meshes
from polhode.physics.bodies.shapes import Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Magnet, MeshShape, Sphere, Torus
from polhode.physics.magnets.dipole_cloud import cloud, total_moment, volume_moments
from polhode.physics.magnets.part import forces
from polhode.scene.scene import VACUUM as MU0
from polhode.simulation.simulation import Simulation
from scenes import scene, turned

MESHES = Path(__file__).parents[3] / "meshes"
BR = (0.2, 0.0, 1.1)
MAGNET = Magnet(remanence=BR)
UNCHECKED = {
    "check_open": "skip",
    "reorient_faces": "skip",
    "check_disconnected": "skip",
    "check_selfintersecting": "skip",
}  # they take minutes
SOLIDS = {
    "cylinder": Cylinder(kind="cylinder", radius=0.5, length=2, mass=1, magnet=MAGNET),
    "capsule": Capsule(kind="capsule", radius=0.5, length=1.5, mass=1, magnet=MAGNET),
    "cone": Cone(kind="cone", radius=0.7, length=2, mass=1, magnet=MAGNET),
    "ellipsoid": Ellipsoid(kind="ellipsoid", semi_axes=(1, 1.5, 0.6), mass=1, magnet=MAGNET),
    "cuboid": Cuboid(kind="cuboid", size=(0.7, 1.2, 1.6), mass=1, magnet=MAGNET),
    "torus": Torus(kind="torus", radius=1, tube_radius=0.4, mass=1, magnet=MAGNET),
}


def triangles(kind: str) -> trimesh.Trimesh:
    """The same solid as a fine mesh, by trimesh; a cone of trimesh stands on z = 0."""
    match kind:
        case "cylinder":
            return trimesh.creation.cylinder(0.5, 2, sections=128)
        case "capsule":
            return trimesh.creation.capsule(1.5, 0.5, count=[48, 48])
        case "cone":
            return trimesh.creation.cone(0.7, 2, sections=128).apply_translation([0, 0, -0.5])
        case "ellipsoid":
            return trimesh.creation.icosphere(4).apply_scale([1, 1.5, 0.6])
        case "cuboid":
            return trimesh.creation.box([0.7, 1.2, 1.6])
    return trimesh.creation.torus(1, 0.4, major_sections=96, minor_sections=48)


def directions(count: int) -> np.ndarray:
    return np.array(Rotation.random(count, random_state=3).apply([0, 0, 1]))


@pytest.mark.parametrize("kind", SOLIDS)
def test_a_cloud_has_the_moment_the_middle_and_the_second_moments_of_its_solid(kind: str) -> None:
    """Of the second moments only the part without trace acts outside."""
    shape = SOLIDS[kind]
    for count in (64, 400):
        dense = shape.model_copy(update={"magnet": Magnet(remanence=BR, dipoles=count)})
        points, shares, *_ = cloud(dense)
        volume, middle, second = volume_moments(dense, None)
        assert 0.6 * count < len(points) < 1.3 * count
        assert shares.sum() == pytest.approx(1, abs=1e-14)
        assert shares @ points == pytest.approx(middle, abs=1e-14)
        missing = second - (points * shares[:, None]).T @ points
        if kind != "torus" or count == 400:  # whose 64 dipoles lie in two layers, of which nothing can be stretched
            assert missing == pytest.approx(np.eye(3) * np.trace(missing) / 3, abs=1e-12)
        assert total_moment(dense) == pytest.approx(np.array(BR) * volume / MU0, rel=1e-14)


@pytest.mark.filterwarnings("ignore:Unchecked")
@pytest.mark.parametrize("kind", SOLIDS)
def test_the_field_of_a_cloud_is_that_of_its_solid(kind: str) -> None:
    """At 1.5 and 3 sizes from the middle; what the mesh of the closed form itself misses is some 1e-3."""
    shape, mesh = SOLIDS[kind], triangles(kind)
    points, shares, *_ = cloud(shape)
    moments = np.outer(shares, total_moment(shape))
    closed_form = magpylib.magnet.TriangularMesh(vertices=mesh.vertices, faces=mesh.faces, polarization=BR, **UNCHECKED)
    size = np.linalg.norm(mesh.extents) / 2
    for distance, tolerance in ((1.5, 0.01), (3.0, 0.004)):
        at = distance * size * directions(12)
        expected = closed_form.getB(at)
        error = np.linalg.norm(cloud_field(points, moments, at, MU0) - expected, axis=1)
        assert (error / np.linalg.norm(expected, axis=1)).max() < tolerance


@pytest.mark.filterwarnings("ignore:Unchecked")
@pytest.mark.parametrize("name", ["horseshoe_magnet", "torus_knot", "duck"])
def test_a_mesh_is_filled(name: str) -> None:
    mesh = Meshes().mesh(MESHES / f"{name}.stl")
    shape = MeshShape(kind="mesh", file=f"{name}.stl", scale=0.01, mass=1, magnet=Magnet(remanence=BR, dipoles=300))
    points, shares, *_ = cloud(shape, mesh)
    _, middle, second = volume_moments(shape, mesh)
    assert shares @ points == pytest.approx(middle, abs=1e-13)
    missing = second - ((points - middle) * shares[:, None]).T @ (points - middle)
    assert missing == pytest.approx(np.eye(3) * np.trace(missing) / 3, abs=1e-12 * np.trace(second))
    closed_form = magpylib.magnet.TriangularMesh(
        vertices=mesh.vertices * 0.01, faces=mesh.faces, polarization=BR, **UNCHECKED
    )
    at = middle + 1.2 * np.linalg.norm(mesh.box[1] - mesh.box[0]) * 0.01 * directions(8)
    expected = closed_form.getB(at)
    error = np.linalg.norm(cloud_field(points, np.outer(shares, total_moment(shape, mesh)), at, MU0) - expected, axis=1)
    assert (error / np.linalg.norm(expected, axis=1)).max() < 2e-3


def test_a_mesh_of_a_box_is_filled_as_the_box() -> None:
    """Corners, edges and diagonals of faces lie on the lattice's planes: the hardest case for lines through a mesh."""
    box = trimesh.creation.box([1, 1, 2])
    mesh = MeshShape(kind="mesh", file="box", mass=1, magnet=Magnet(remanence=BR, dipoles=128))
    cuboid = Cuboid(kind="cuboid", size=(1, 1, 2), mass=1, magnet=Magnet(remanence=BR, dipoles=128))
    points, shares, *_ = cloud(mesh, Mesh(box.vertices, box.faces))
    expected, expected_shares, *_ = cloud(cuboid)
    assert points == pytest.approx(expected, abs=1e-12)
    assert shares == pytest.approx(expected_shares, abs=1e-12)


def test_a_sphere_is_one_dipole_exactly() -> None:
    shape = Sphere(kind="sphere", radius=0.3, mass=1, magnet=MAGNET)
    points, shares, *_ = cloud(shape)
    assert len(points) == 1
    at = 0.31 * directions(5)
    closed_form = magpylib.magnet.Sphere(diameter=0.6, polarization=BR)
    assert cloud_field(points, np.outer(shares, total_moment(shape)), at, MU0) == pytest.approx(
        closed_form.getB(at), rel=1e-9
    )


CUBE = {"kind": "cuboid", "size": [1, 1, 1], "mass": 1}
ROD = {"kind": "cylinder", "radius": 0.5, "length": 2, "mass": 1}


def load_on_second(shape: dict, at: np.ndarray, turn: list[float], dipoles: int) -> tuple[np.ndarray, np.ndarray]:
    """Force [N] and torque [N m] about its middle on the second of two alike magnets, by the program."""
    magnet = {**shape, "magnet": {"remanence": [0, 0, 1.2], "dipoles": dipoles}}
    length = float(np.linalg.norm(turn))
    orientation = turned(*turn, length) if length else {}
    bodies = [
        {"name": "a", "support": "fixed", "shape": [magnet]},
        {"name": "b", "support": "free", "position": at.tolist(), "orientation": orientation, "shape": [magnet]},
    ]
    simulation = Simulation(scene(*bodies, gravity=[0, 0, 0]))
    model, inputs, state, work = placed(simulation)
    for array in (work.bodies.force, work.bodies.torque):
        array[:] = 0
    run_hooks([forces], Step(model, inputs, 0.0, state, work, work.energy))
    return work.bodies.force[1].copy(), work.bodies.torque[1].copy()


def expected_load(shape: dict, at: np.ndarray, turn: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """The closed-form field of the first magnet on the poles of the second."""
    if shape is CUBE:
        source = magpylib.magnet.Cuboid(dimension=shape["size"], polarization=(0, 0, 1.2))
        points, charges = reference.cuboid_charges(shape["size"], np.array([0, 0, 1.2]) / MU0)
    else:
        radius, length = shape["radius"], shape["length"]
        source = magpylib.magnet.Cylinder(dimension=(2 * radius, length), polarization=(0, 0, 1.2))
        points, charges = reference.cylinder_charges(radius, length, np.array([0, 0, 1.2]) / MU0)
    arms = Rotation.from_rotvec(turn).apply(points)
    force = source.getB(arms + at) * charges[:, None]
    return force.sum(axis=0), np.cross(arms, force).sum(axis=0)


def error(shape: dict, at: list[float], turn: list[float], dipoles: int = 64) -> float:
    """Of force and torque together, in parts of the force (times half a metre for the torque)."""
    place_of_second = np.array(at, dtype=float)
    force, torque = load_on_second(shape, place_of_second, turn, dipoles)
    expected, expected_torque = expected_load(shape, place_of_second, turn)
    size = np.linalg.norm(expected) + 2 * np.linalg.norm(expected_torque)
    return float((np.linalg.norm(force - expected) + 2 * np.linalg.norm(torque - expected_torque)) / size)


SKEW = [0.5, 0.9, 0.3]


@pytest.mark.parametrize(
    ("shape", "at", "turn", "tolerance"),
    [
        (CUBE, [0, 0, 1.05], [0, 0, 0], 0.16),  # faces in line, a fifth of a cell apart: the lattices see each other
        (CUBE, [0, 0, 1.2], [0, 0, 0], 0.01),
        (CUBE, [0, 0, 1.5], [0, 0, 0], 1e-3),
        (CUBE, [0, 0, 4], [0, 0, 0], 1e-4),
        (CUBE, [0.4, 0.15, 1.2], [0, 0, 0], 0.01),
        (CUBE, [0.4, 0.3, 1.5], SKEW, 0.01),
        (CUBE, [1.5, 1, 2], SKEW, 1e-3),
        (ROD, [0, 0, 2.1], [0, 0, 0], 0.15),
        (ROD, [0, 0, 2.4], [0, 0, 0], 0.01),
        (ROD, [0, 0, 3], [0, 0, 0], 3e-3),
        (ROD, [0, 0, 8], [0, 0, 0], 1e-4),
        (ROD, [1.2, 0, 0], [0, 0, 0], 0.01),
        (ROD, [1.2, 0.8, 1.5], SKEW, 0.01),
        (ROD, [2, 2, 3], SKEW, 1e-3),
    ],
)
def test_forces_and_torques_of_two_magnets_are_those_of_the_closed_form(
    shape: dict, at: list[float], turn: list[float], tolerance: float
) -> None:
    """Point dipoles are off by 10 % to 300 % in most of these places."""
    assert error(shape, at, turn) < tolerance


@pytest.mark.parametrize(("shape", "at"), [(CUBE, [0.1, 0.2, 1.3]), (ROD, [0.3, 0.1, 2.5]), (ROD, [1.3, 0.2, 0.5])])
def test_more_dipoles_are_better(shape: dict, at: list[float]) -> None:
    errors = [error(shape, at, [0, 0, 0], dipoles) for dipoles in (8, 64, 512)]
    assert errors[0] > 10 * errors[1] > 10 * errors[2]


def test_magpylibs_own_force_on_a_cube_agrees() -> None:
    """It takes gradients of its field on a mesh of the target: good to 1e-3."""
    source = magpylib.magnet.Cuboid(dimension=(1, 1, 1), polarization=(0, 0, 1.2))
    target = magpylib.magnet.Cuboid(dimension=(1, 1, 1), polarization=(0, 0, 1.2), position=(0.3, 0.2, 1.6))
    force, torque = magpylib.getFT(source, target, meshing=1000)
    found = load_on_second(CUBE, np.array([0.3, 0.2, 1.6]), [0, 0, 0], 216)
    assert found[0] == pytest.approx(force, abs=2e-3 * np.abs(force).max())
    assert found[1] == pytest.approx(torque, abs=2e-3 * np.abs(force).max())


def test_the_field_over_the_face_of_a_touching_magnet_is_right_on_average() -> None:
    """On the face of a cube a twentieth of its size away; the mean is what pulls."""
    shape = Cuboid(kind="cuboid", size=(1, 1, 1), mass=1, magnet=Magnet(remanence=(0, 0, 1.2)))
    points, shares, *_ = cloud(shape)
    x = (np.arange(40) + 0.5) / 40 - 0.5
    face = np.array([[a, b, 0.55] for a in x for b in x])
    found = cloud_field(points, np.outer(shares, total_moment(shape)), face, MU0).mean(axis=0)
    expected = magpylib.magnet.Cuboid(dimension=(1, 1, 1), polarization=(0, 0, 1.2)).getB(face).mean(axis=0)
    assert found[2] == pytest.approx(expected[2], rel=0.01)
