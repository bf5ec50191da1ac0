"""Which shapes press as they look: in format 2 by default, in format 1 where the contact states it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from meaning import refuses

from polhode.mesh.mesh import Meshes
from polhode.physics.contact.solids.hulls import mesh_notes
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of
from polhode.scene.scene_writing import write_scene
from polhode.scene.variants.conversion import in_newest_format
from polhode.simulation.simulation import Simulation
from polhode_app.cli.main import main

TEXT = """# a ring and a box
format = {format}

[[body]]
name = "ring"
support = "free"
contact = {{ stiffness = 1000, detail = 16 }}  # by default
shape = [{{ kind = "mesh", file = "ring.stl", unit = "m", density = 1000, convex_hull = {hull} }}]

[[body]]
name = "box"
support = "free"
position = [0, 0, 1]
contact = {{ stiffness = 1000, detail = 16 }}
shape = [{{ kind = "cuboid", size = [0.1, 0.1, 0.1], density = 1000 }}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    trimesh.creation.annulus(r_min=0.06, r_max=0.1, height=0.04).export(tmp_path / "ring.stl")
    for number in (1, 2):
        (tmp_path / f"{number}.toml").write_text(TEXT.format(format=number, hull="false"))
    (tmp_path / "convex.toml").write_text(TEXT.format(format=2, hull="true"))
    return tmp_path


def pressing(scene: Scene) -> tuple[list[int], list[int]]:
    """Bodies of convex solids, and of shapes as they look."""
    model = Simulation(scene).compiled.model
    return model.solids.body.tolist(), model.fields.body.tolist()


def test_a_mesh_presses_by_the_format_unless_its_contact_states_it(folder: Path) -> None:
    """Where there are shapes as they look, convex ones have sample points for contacts with them."""
    one, two = (read_scene(folder / f"{number}.toml") for number in (1, 2))
    assert pressing(one) == ([0, 1], [])
    assert pressing(two) == ([1], [0, 1])
    assert pressing(one.with_values({"body[0].contact.shape": "mesh"})) == ([1], [0, 1])
    assert pressing(two.with_values({"body[0].contact.shape": "hull"})) == ([0, 1], [])
    assert len(mesh_notes(one, Meshes())) == 1
    assert mesh_notes(two, Meshes()) == []


def test_a_mesh_that_is_replaced_by_its_hull_is_a_convex_solid(folder: Path) -> None:
    assert pressing(read_scene(folder / "convex.toml")) == ([0, 1], [])


@pytest.mark.parametrize("kind", ["cone", "ellipsoid", "torus", "tube"])
def test_round_shapes_alone_press_in_format_2_only(kind: str) -> None:
    tube = {"radius": 2, "inner_radius": 1, "length": 3}
    sizes = {"cone": {"radius": 1, "length": 1}, "ellipsoid": {"semi_axes": (1, 2, 3)}, "tube": tube}
    shape = {"kind": kind, "mass": 1, **sizes.get(kind, {"radius": 2, "tube_radius": 1})}
    body = {"name": "a", "support": "free", "shape": [shape], "contact": {}}
    scene = scene_of({"format": 2, "body": [body]}, "scene")
    assert pressing(scene.with_values({"body[0].contact.detail": 8})) == ([], [0])
    with refuses("body[0]", "contact", "shape"):
        scene_of({"body": [body]}, "scene")


def test_a_scene_is_written_in_its_own_format(folder: Path) -> None:
    for number in (1, 2):
        scene = read_scene(folder / f"{number}.toml")
        write_scene(scene, folder / "again.toml")
        assert f"format = {number}\n" in (folder / "again.toml").read_text()
        assert read_scene(folder / "again.toml") == scene


def test_a_converted_scene_computes_the_same(folder: Path) -> None:
    """The hull is stated where it matters alone, comments stay, and all solids have the same bits."""
    assert main(["convert", str(folder / "1.toml"), str(folder / "new.toml")]) == 0
    text = (folder / "new.toml").read_text()
    assert text.startswith("# a ring and a box\nformat = 2\n")
    assert text.count('shape = "hull"') == 1
    old, new = read_scene(folder / "1.toml"), read_scene(folder / "new.toml")
    assert new == in_newest_format(old)
    assert in_newest_format(new) == new
    one, other = (Simulation(scene).compiled.model.solids for scene in (old, new))
    for name in one.__match_args__:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
