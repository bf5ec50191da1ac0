"""Parts of a mesh inside one another, beside one another and overlapping: which of them are solid."""

from __future__ import annotations

import pytest
import trimesh
from balls import ball, inside_out, together, volume
from meaning import Meaning

from polhode.mesh.mesh import Mesh, check_mesh
from polhode.mesh.repair import repaired

BALL, SMALL = ball(), ball(radius=0.5)
CUBE = Mesh(trimesh.creation.box().vertices, trimesh.creation.box().faces)


@pytest.mark.parametrize("outer", [BALL, inside_out(BALL)])
@pytest.mark.parametrize("inner", [SMALL, inside_out(SMALL)])
def test_a_shell_inside_another_is_a_cavity_whatever_its_orientation(outer, inner):
    mended, problems = check_mesh(together(outer, inner), "thing.stl")
    assert problems == []
    assert volume(mended) == pytest.approx(volume(BALL) - volume(SMALL), rel=1e-12)


def test_two_outward_shells_say_that_the_inner_one_is_a_cavity():
    big, inner = ball(subdivisions=3), ball(radius=0.8, subdivisions=3)
    assert len(big.faces) == 1280
    mended, _ = check_mesh(together(big, inner), "thing.stl")
    assert 1000 * volume(mended) == pytest.approx(2026.5, abs=0.05)
    assert any(Meaning("", "solid", "union", count=1).of(note) for note in mended.notes)


def test_a_solid_in_a_cavity_is_solid():
    core = ball(radius=0.2)
    mended, _ = check_mesh(together(BALL, core, SMALL), "thing.stl")
    assert volume(mended) == pytest.approx(volume(BALL) - volume(SMALL) + volume(core), rel=1e-12)


def test_a_part_beside_another_one_in_its_bounding_box_is_no_cavity():
    corner = ball(center=(0.85, 0.85, 0.85), radius=0.1)
    mended, _ = check_mesh(together(BALL, corner), "thing.stl")
    assert volume(mended) == pytest.approx(volume(BALL) + volume(corner), rel=1e-12)
    assert mended.notes == ()


def test_union_counts_the_common_volume_of_parts_once():
    two = together(CUBE, Mesh(CUBE.vertices + (0.5, 0, 0), CUBE.faces))
    mended, _ = check_mesh(two, "thing.stl")
    assert volume(mended) == pytest.approx(2.0)
    assert any(Meaning("", "overlap", "union", before=2.0).of(note) for note in mended.notes)
    vertices, faces, notes = repaired(two.vertices, two.faces, ["union"])
    assert volume(Mesh(vertices, faces)) == pytest.approx(1.5, rel=1e-12)
    assert len(notes) == 1
    nested = together(BALL, SMALL)
    vertices, faces, _ = repaired(nested.vertices, nested.faces, ["union"])
    assert volume(Mesh(vertices, faces)) == pytest.approx(volume(BALL), rel=1e-9)
