"""Meshes that press with a larger hull are noted by `check`, and their hulls are drawn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from meaning import Meaning

from polhode.mesh.mesh import Meshes
from polhode.physics.contact.solids.hulls import hull_note, mesh_notes
from polhode.scene.scene_file import read_scene
from polhode_app.cli.main import main

SCENE = """
format = 1
[[body]]
name = "ring"
support = "free"
contact = {{ stiffness = 1000 }}
[[body.shape]]
kind = "mesh"
file = "{file}"
density = 1000
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02).export(tmp_path / "ring.stl")
    trimesh.creation.box([0.1, 0.1, 0.1]).export(tmp_path / "box.stl")
    (tmp_path / "ring.toml").write_text(SCENE.format(file="ring.stl"))
    (tmp_path / "box.toml").write_text(SCENE.format(file="box.stl"))
    (tmp_path / "walls.toml").write_text(SCENE.format(file="ring.stl").replace("contact", "#"))
    return tmp_path / "ring.toml"


def test_check_notes_how_much_larger_the_hull_is(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ring of radii 8 and 10 cm fills 1 - 0.64 of its hull."""
    assert main(["check", str(scene), "--json"]) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert Meaning("", "hull", name="ring", file="ring.stl", ratio="2.78").of(note)


def test_convex_meshes_and_walls_alone_need_no_note(scene: Path) -> None:
    for name in ("box.toml", "walls.toml"):
        assert mesh_notes(read_scene(scene.with_name(name)), Meshes()) == []
    mesh = Meshes().mesh(scene.with_name("ring.stl"))
    note = hull_note(mesh, "ring.stl")
    assert note is not None
    expected = trimesh.Trimesh(mesh.vertices, mesh.faces).convex_hull.volume / mesh.trimesh.volume
    assert note.values["touching"].values["ratio"] == pytest.approx(expected, rel=1e-9)
    assert np.isfinite(expected)
