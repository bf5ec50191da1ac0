"""The loader of the first frame reads a mesh where compilation does, with its unit and up axis."""

from pathlib import Path

import numpy as np
import pytest
import trimesh
from meaning import refuses

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.shapes import MeshShape
from polhode.physics.contact.surfaces import MeshSurface
from polhode.scene.scene import Scene
from polhode_app.viewport.base.mesh_preview_loader import PreviewLoader, sketched
from polhode_app.viewport.things.surfaces import drawn


@pytest.mark.parametrize("fields", [{}, {"unit": "mm"}, {"up": "x"}, {"unit": "inch", "up": "y"}])
@pytest.mark.parametrize("name", ["a.stl", "a.obj", "a.ply", "a.off", "a.glb", "a.3mf"])
def test_preview_and_compiled_mesh_are_in_the_same_place(name: str, fields: dict, tmp_path: Path) -> None:
    trimesh.creation.box([1, 2, 3]).apply_translation([1, 1, 1]).export(tmp_path / name)
    shape = MeshShape(kind="mesh", file=name, mass=1.0, **fields)
    shown, whole = PreviewLoader().of(shape, tmp_path), Meshes().of(shape, tmp_path)
    corners = np.array([shown.vertices.min(axis=0), shown.vertices.max(axis=0)])
    assert corners == pytest.approx(np.array(whole.box), rel=1e-6)
    assert len(shown.faces) == len(whole.faces)


def test_a_surface_is_drawn_in_the_unit_of_its_file(tmp_path: Path) -> None:
    trimesh.creation.box([100, 200, 300]).export(tmp_path / "floor.3mf")
    surface = MeshSurface(kind="mesh", name="floor", file="floor.3mf", stiffness=1.0)
    skin, _ = drawn(surface, Scene().in_folder(tmp_path))
    assert np.ptp(skin.points, axis=0) == pytest.approx([0.1, 0.2, 0.3], rel=0.01)


def test_a_file_that_refers_to_another_is_refused_here_too(tmp_path: Path) -> None:
    (tmp_path / "a.gltf").write_text('{"asset": {"version": "2.0"}, "buffers": [{"uri": "a.bin", "byteLength": 4}]}')
    with refuses("", "refers", name="a.bin"):
        sketched(MeshShape(kind="mesh", file="a.gltf", mass=1.0), tmp_path)


def test_a_header_that_states_more_than_the_file_holds_is_refused(tmp_path: Path) -> None:
    """A reader of VTK makes room for what the header states, and ends the program."""
    head = "ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nproperty float y\nproperty float z\n"
    (tmp_path / "a.ply").write_text(
        head + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n"
    )
    with refuses("", "cut", file="a.ply", left=99999999998):
        sketched(MeshShape(kind="mesh", file="a.ply", mass=1.0), tmp_path)


def test_equal_corners_are_one_vertex(tmp_path: Path) -> None:
    ball = trimesh.creation.icosphere(subdivisions=3)
    ball.export(tmp_path / "a.stl")
    shown = sketched(MeshShape(kind="mesh", file="a.stl", mass=1.0), tmp_path)
    assert len(shown.vertices) == len(ball.vertices)
    assert len(shown.faces) == len(ball.faces)
