"""The surfaces with which shapes press: hull, parts and field of a mesh, against closed forms and in scenes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh

from polhode.mesh.convex_parts import COUNTS, MARK, KeptParts
from polhode.mesh.mesh import Meshes
from polhode.physics.contact.shapes_in_contact import ShapeInContact, depths, shapes_in_contact
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from scenes import scene

G = 9.80665
INNER, OUTER, HEIGHT = 0.03, 0.05, 0.02  # [m] of a ring
PARTS = """
import hashlib, sys
import numpy as np, trimesh
from polhode.mesh.convex_parts import KeptParts
ring = trimesh.load(sys.argv[1])
parts = KeptParts.of((ring.vertices, ring.faces), 24).make(lambda part: None)
print(hashlib.sha256(KeptParts.packed(parts)).hexdigest())
"""


def ring() -> trimesh.Trimesh:
    return trimesh.creation.annulus(r_min=INNER, r_max=OUTER, height=HEIGHT, sections=48)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("meshes")
    ring().export(made / "ring.stl")
    return made


def ball_over_ring(folder: Path, shape: str, height: float = 0.05) -> Scene:
    """A ball that fits through a fixed ring, above it."""
    law = {"stiffness": 1e4, "restitution": 0.3, "detail": 48}
    mesh = {"kind": "mesh", "file": "ring.stl", "unit": "m", "density": 1000}
    ball = {"kind": "sphere", "radius": 0.015, "density": 1000}
    return scene(
        {"name": "ring", "support": "fixed", "shape": [mesh], "contact": law | {"shape": shape}},
        {"name": "ball", "support": "free", "position": [0, 0, height], "shape": [ball], "contact": law},
    ).in_folder(folder)


def found(folder: Path, shape: str) -> ShapeInContact:
    described = ball_over_ring(folder, shape)
    [each] = shapes_in_contact(described, described.body[0], Meshes())
    return each


def test_a_hull_fills_the_hole(folder: Path) -> None:
    """Its volume is R^2/(R^2 - r^2) times as large, beside the rounding of the file, and the middle of the inner wall
    lies half the height below it.
    """
    hull = found(folder, "hull")
    assert hull.law == "solid"
    assert hull.ratio == pytest.approx(OUTER**2 / (OUTER**2 - INNER**2), rel=1e-6)
    assert hull.deviation == pytest.approx(HEIGHT / 2, abs=5e-4)  # points are 1 mm apart


def test_a_field_follows_the_surface(folder: Path) -> None:
    """Up to the roundings of edges, r (sqrt(2) - 1), and half a cell."""
    field = found(folder, "mesh")
    cell, rounding = 2 * OUTER / 48, 0.02 * HEIGHT
    assert field.law == "field"
    assert field.deviation < rounding * (np.sqrt(2) - 1) + cell / 2
    assert field.ratio == pytest.approx(1.0, abs=0.01)
    vertices, faces = field.surfaces[0]
    drawn = trimesh.Trimesh(vertices, faces, process=False)
    assert drawn.is_watertight
    assert drawn.volume == pytest.approx(field.volume, rel=1e-9)


def test_parts_cover_the_mesh(folder: Path) -> None:
    """No part of it lies outside of all of them; hollows of more than a cell stay open."""
    parts = found(folder, "parts")
    assert parts.law == "parts"
    assert len(parts.surfaces) > 3
    surface = ring()
    points, _ = trimesh.sample.sample_surface(surface, 2000, seed=1)
    assert depths(points, parts.surfaces).min() > -1e-4 * OUTER  # planes of cuts run through the middle of triangles
    assert 1.0 - 1e-6 < parts.ratio < 1.2
    assert parts.deviation < 2 * OUTER / 48 * 2
    for vertices, faces in parts.surfaces:
        assert trimesh.Trimesh(vertices, faces).is_convex


@pytest.mark.nightly
def test_parts_are_the_same_in_each_process(folder: Path) -> None:
    """With one thread and with several."""
    digests = [
        subprocess.run(
            [sys.executable, "-c", PARTS, str(folder / "ring.stl")],
            env=os.environ | {"OMP_NUM_THREADS": threads},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for threads in ("1", "4")
    ]
    assert digests[0] == digests[1]
    assert len(digests[0]) == hashlib.sha256().digest_size * 2


@pytest.mark.parametrize(("shape", "falls"), [("hull", False), ("parts", True), ("mesh", True)])
def test_a_ball_falls_through_what_is_open(folder: Path, shape: str, falls: bool) -> None:
    """Through the ring it falls as in the void; on the hull it lies."""
    simulation = Simulation(ball_over_ring(folder, shape))
    simulation.advance(0.3)
    height = simulation.snapshot().bodies.position[1, 2]
    if falls:
        assert height == pytest.approx(0.05 - G * 0.3**2 / 2, abs=1e-12)
    else:
        assert height == pytest.approx(HEIGHT / 2 + 0.015, abs=1e-3)


@pytest.mark.parametrize("shape", ["parts", "mesh"])
def test_a_ball_lies_on_the_rim(folder: Path, shape: str) -> None:
    described = ball_over_ring(folder, shape).with_values({"body[1].position": (0.0, 0.04, 0.026)})
    simulation = Simulation(described)
    simulation.advance(0.5)
    assert simulation.snapshot().bodies.position[1, 2] == pytest.approx(HEIGHT / 2 + 0.015, abs=3e-4)


def test_a_rod_presses_with_the_thickness_that_is_seen() -> None:
    """It lies across a board: it sinks by the weight over the stiffness of its two contacts with edges or more."""
    law = {"stiffness": 1e4, "restitution": 0.1, "kinetic_friction": 0.3, "shape": "mesh"}
    rod = {"kind": "rod", "length": 0.2, "mass": 0.1, "orientation": {"axis": [0, 1, 0], "angle": np.pi / 2}}
    described = scene(
        {
            "name": "board",
            "support": "fixed",
            "shape": [{"kind": "cuboid", "size": [0.1, 0.1, 0.02], "density": 1000}],
            "contact": law,
        },
        {"name": "rod", "support": "free", "position": [0, 0, 0.014], "shape": [rod], "contact": law},
    )
    simulation = Simulation(described)
    simulation.advance(1.0)
    low = 0.01 + 0.015 * 0.2
    height = simulation.snapshot().bodies.position[1, 2]
    assert low - 0.1 * G / 1e4 < height < low
    hull = described.with_values({"body[0].contact.shape": "hull"})
    assert len(Simulation(described).compiled.model.solids.body) == 2
    assert len(Simulation(hull).compiled.model.solids.body) == 2


DAMAGE = {
    "empty": lambda content: b"",
    "mark": lambda content: b"X" + content[1:],
    "short": lambda content: content[:-1],
    "long": lambda content: content + b"0",
    "no part": lambda content: COUNTS.pack(MARK, 0) + content[COUNTS.size :],
    "many": lambda content: COUNTS.pack(MARK, 2**40) + content[COUNTS.size :],
    "negative": lambda content: content[: COUNTS.size] + b"\xff" * 8 + content[COUNTS.size + 8 :],
    "corner": lambda content: content[:-8] + (2**40).to_bytes(8, "little"),
    "number": lambda content: content[: COUNTS.size + 16] + b"\xff" * 8 + content[COUNTS.size + 24 :],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_files_of_parts_are_checked(damage: str) -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    content = KeptParts.packed(((corners, np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])),))
    [(vertices, faces)] = KeptParts.unpacked(content) or ()
    assert (vertices == corners).all()
    assert faces.shape == (4, 3)
    assert KeptParts.unpacked(DAMAGE[damage](content)) is None
