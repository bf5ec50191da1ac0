"""A mesh becomes a scene in which it hangs from the pivot that was asked for, and moves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from meaning import refuses

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.shapes import Magnet
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.simulation.simulation import Simulation
from polhode_app.edit.hang_mesh import TILT, hang, lowest, moment_for, nearest_on_triangles, properties, usual
from polhode_app.edit.open_file import MESH_ENDINGS, SCENE_ENDINGS, open_scene

MESHES = Path(__file__).parents[3] / "meshes"
HAMMER = MESHES / "hammer.stl"


def test_the_pivot_of_the_mesh_is_the_origin_of_the_body() -> None:
    meshes = Meshes()
    pivot = (0.001, 0.002, 0.003)
    options = replace(usual(HAMMER, meshes), pivot=pivot)
    scene = hang(HAMMER, options, meshes)
    assert scene.body[0].shape[0].position == tuple(-x for x in pivot)
    simulation = Simulation(scene, meshes)
    simulation.advance(0.5)
    assert (simulation.snapshot().bodies.position[0] == scene.body[0].position).all()


@pytest.mark.parametrize("file", ["hammer.stl", "gear.obj", "aeroplane.ply"])
@pytest.mark.parametrize("held", ["top", "centre"])
def test_every_hung_mesh_moves_from_the_start_and_never_reaches_the_ground(file: str, held: str) -> None:
    meshes, path = Meshes(), MESHES / file
    options = usual(path, meshes)
    if held == "centre":
        options = replace(options, pivot=tuple(properties(path, options, meshes).center), magnets=False)
    scene = hang(path, options, meshes)
    simulation = Simulation(scene, meshes)
    points = meshes.mesh(path).vertices * options.scale + scene.body[0].shape[0].position
    start = simulation.snapshot().bodies.basis[0]
    for _ in range(20):
        simulation.advance(0.05)
        now = simulation.snapshot().bodies
        assert (points @ now.basis[0] + now.position[0])[:, 2].min() > 0
    simulation.reset()
    simulation.advance(0.1)
    assert np.abs(simulation.snapshot().bodies.basis[0] - start).max() > 1e-3


@pytest.mark.parametrize("file", ["hammer.stl", "gear.obj"])
def test_a_mesh_that_is_free_falls_onto_its_floor_and_lies_there(file: str) -> None:
    meshes, path = Meshes(), MESHES / file
    scene = hang(path, replace(usual(path, meshes), support="free", magnets=False), meshes)
    assert scene.body[0].support == "free"
    simulation = Simulation(scene, meshes)
    points = meshes.mesh(path).vertices * usual(path, meshes).scale + scene.body[0].shape[0].position
    size = float(np.ptp(points, axis=0).max())
    start = simulation.snapshot().bodies.position[0]
    simulation.advance(3.0)
    now = simulation.snapshot().bodies
    lowest_now = (points @ now.basis[0] + now.position[0])[:, 2].min()
    assert now.position[0][2] < start[2] - 0.1 * size
    assert -0.05 * size < lowest_now < 0.02 * size  # the floor gives way by a hundredth of its size at each touch
    assert np.abs(now.velocity[0]).max() < 0.5 * size


@pytest.mark.parametrize("seed", range(6))
def test_a_mesh_starts_tilted_out_of_its_rest_wherever_it_is_held(seed: int) -> None:
    meshes = Meshes()
    options = usual(HAMMER, meshes)
    center = properties(HAMMER, options, meshes).center
    random = np.random.default_rng(seed)
    offset = np.array([0.0, 0.0, -0.05]) if seed == 0 else random.normal(scale=0.05, size=3)  # 0: from straight below
    scene = hang(HAMMER, replace(options, pivot=tuple(center + offset)), meshes)
    arm = Simulation(scene, meshes).snapshot().bodies.basis[0].T @ -offset
    # The axis of TILT is horizontal, so that all of its angle leads away from the vertical.
    assert np.arccos(-arm[2] / np.linalg.norm(offset)) == pytest.approx(TILT.angle, abs=1e-9)


def test_the_magnet_sits_under_the_pivot_at_the_lowest_point() -> None:
    meshes = Meshes()
    options = usual(HAMMER, meshes)
    mesh, held = meshes.mesh(HAMMER), properties(HAMMER, options, meshes)
    pivot = (0.0, 0.0, 0.0)
    place = lowest(mesh, options.scale, held.center, pivot)
    down = held.center / np.linalg.norm(held.center)
    assert np.cross(place, down) == pytest.approx(np.zeros(3), abs=1e-12)
    assert place @ down == pytest.approx((mesh.vertices * options.scale @ down).max())


@pytest.mark.parametrize("pivot", [(0.0, 0.0, 0.0), (0.02, 0.01, 0.0)])
def test_a_magnet_beside_the_mesh_is_joined_to_it_by_a_rod(pivot: tuple[float, float, float]) -> None:
    """Held at a side, the mesh hangs askew, and below its pivot there is nothing of it."""
    meshes = Meshes()
    options = replace(usual(HAMMER, meshes), pivot=pivot)
    body = hang(HAMMER, options, meshes).body[0]
    mesh, magnet = meshes.mesh(HAMMER), body.shape[1]
    corners = mesh.vertices[mesh.faces] * options.scale - pivot

    def distance(place: np.ndarray) -> float:
        return float(np.linalg.norm(nearest_on_triangles(corners, place) - place))

    gap = distance(np.array(magnet.position))
    assert len(body.shape) == (3 if gap > 2 * magnet.radius else 2)
    for rod in body.shape[2:]:
        half = rod.orientation.matrix() @ (0, 0, rod.length / 2)
        assert rod.position + half == pytest.approx(magnet.position, abs=1e-9)
        assert distance(rod.position - half) < 1e-9
        assert rod.mass == 0.0


def test_the_nearest_place_on_triangles_is_that_of_many_places_on_them() -> None:
    random = np.random.default_rng(5)
    shares = random.dirichlet([0.5, 0.5, 0.5], 4000)
    for _ in range(20):
        corners, place = random.normal(size=(3, 3, 3)), random.normal(size=3)
        found = nearest_on_triangles(corners, place)
        many = np.einsum("sk,tkx->tsx", shares, corners).reshape(-1, 3)
        least = np.linalg.norm(many - place, axis=1).min()
        assert least - 0.15 < np.linalg.norm(found - place) <= least + 1e-12  # they are up to about 0.1 apart
        assert np.linalg.norm(nearest_on_triangles(corners, found) - found) < 1e-12


def test_two_suggested_magnets_hold_half_the_weight() -> None:
    mass, gap = 0.05, 0.03
    moment = moment_for(mass, gap)
    force = 3 * 1.25663706127e-6 * moment**2 / (2 * np.pi * gap**4)  # coaxial dipoles
    assert force == pytest.approx(0.5 * mass * 9.80665)


def test_the_magnets_in_the_ground_have_as_many_dipoles_as_the_pendulum_needs() -> None:
    """Their own dipoles form most of the pairs, each of which costs time; the torque differs by less than 1 %."""
    meshes = Meshes()
    scene = hang(HAMMER, usual(HAMMER, meshes), meshes)
    finer = tuple(
        body.model_copy(
            update={"shape": (body.shape[0].model_copy(update={"magnet": Magnet(moment=body.shape[0].magnet.moment)}),)}
        )
        for body in scene.body[1:]
    )
    torques = []
    for bodies in (scene.body, (scene.body[0], *finer)):
        simulation = Simulation(scene.model_copy(update={"body": bodies}), meshes)
        torques.append(simulation.snapshot(forces=True).forces["magnetic"].torque[0])
        if bodies is scene.body:
            assert len(simulation.compiled.model.dipoles.moment) < 40
    assert np.linalg.norm(torques[1] - torques[0]) < 0.01 * np.linalg.norm(torques[1])


def test_a_scene_saved_elsewhere_still_finds_its_mesh(tmp_path: Path) -> None:
    meshes = Meshes()
    scene = hang(HAMMER, usual(HAMMER, meshes), meshes)
    folder = tmp_path / "a folder"
    folder.mkdir()
    write_scene(scene, folder / "hammer.toml")
    again = read_scene(folder / "hammer.toml")
    assert Simulation(again).compiled.start == pytest.approx(Simulation(scene).compiled.start, rel=1e-12)


def test_a_file_of_another_kind_is_refused_with_the_kinds_that_open(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello")
    with refuses("", ending=".txt", endings=", ".join(SCENE_ENDINGS + MESH_ENDINGS)):
        open_scene(file)
