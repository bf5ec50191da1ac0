"""polhode.mass_properties: beside trimesh and closed forms, of files, of trimesh and of arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from polhode import InputError, mass_properties

CUBOID = trimesh.creation.box((1.0, 2.0, 3.0))


def test_a_cuboid_has_its_closed_form() -> None:
    """m/12 (b^2 + c^2) about its centre, wherever it is."""
    moved = CUBOID.vertices + [5.0, -3.0, 2.0]
    found = mass_properties((moved, CUBOID.faces), density=2.0)
    assert found.mass == pytest.approx(12.0, rel=1e-14)
    assert found.center == pytest.approx([5.0, -3.0, 2.0], rel=1e-14)
    assert found.inertia == pytest.approx(np.diag([13.0, 10.0, 5.0]), abs=1e-12)
    assert mass_properties(CUBOID, mass=1.0).inertia == pytest.approx(np.diag([13.0, 10.0, 5.0]) / 12, abs=1e-14)
    assert mass_properties(CUBOID, scale=0.1).mass == pytest.approx(6.0, rel=1e-14)  # of water
    assert "6000 kg" in repr(mass_properties(CUBOID))


def test_any_solid_has_the_integrals_of_trimesh(tmp_path: Path) -> None:
    """Two sums of the same integrals: rounding errors of some thousand terms."""
    points = np.random.default_rng(4).normal(size=(60, 3))
    for mesh in (trimesh.convex.convex_hull(points), trimesh.creation.torus(1.0, 0.3)):
        found = mass_properties(mesh, density=3.0)
        assert found.mass == pytest.approx(3.0 * mesh.volume, rel=1e-12)
        assert found.center == pytest.approx(mesh.center_mass, abs=1e-12)
        assert found.inertia == pytest.approx(3.0 * mesh.moment_inertia, rel=1e-10, abs=1e-10 * found.mass)
        mesh.export(tmp_path / "a.ply")
        of_file = mass_properties(tmp_path / "a.ply", density=3.0)
        assert of_file.inertia == pytest.approx(found.inertia, rel=1e-5, abs=1e-6 * found.mass)  # float32


def with_unit(unit: str) -> trimesh.Trimesh:
    """The cuboid, its lengths in a unit."""
    mesh = CUBOID.copy()
    mesh.units = unit
    return mesh


def test_the_unit_of_a_mesh_of_trimesh_counts() -> None:
    assert mass_properties(with_unit("centimeters")).mass == pytest.approx(6000e-6, rel=1e-12)


@pytest.mark.parametrize(
    "mesh",
    [
        with_unit("no unit"),
        trimesh.Trimesh(),
        trimesh.Trimesh(CUBOID.vertices * [np.nan, 1, 1], CUBOID.faces, process=False),
        ([["1", "2", "3"]] * 3, [[0, 1, 2]]),
        5,
        None,
        "nothing.stl",
        (1, 2, 3),
        (5, 6),
        ("a", "b"),
        CUBOID.vertices,
        (CUBOID.vertices, CUBOID.faces[:-1]),
        (CUBOID.vertices, CUBOID.faces + 5),
        (CUBOID.vertices, CUBOID.faces - 1),
        (CUBOID.vertices, CUBOID.faces * 1.0),
        (CUBOID.vertices * np.nan, CUBOID.faces),
        (CUBOID.vertices[:, :2], CUBOID.faces),
        (CUBOID.vertices * 1e150, CUBOID.faces),
        (CUBOID.vertices * [1, 1, 0], CUBOID.faces),
        (np.zeros((0, 3)), np.zeros((0, 3), dtype=int)),
    ],
    ids=range(20),
)
def test_other_meshes_are_refused(mesh: object) -> None:
    with pytest.raises(InputError) as refused:
        mass_properties(mesh)
    assert all(problem.rule and problem.remedy for problem in refused.value.problems)
