"""Meshes and tables as their owners publish them, beside the repository; without them the tests are skipped."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import numpy as np
import pytest
import trimesh

from polhode.data.reading import read_data
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import mesh_properties
from polhode.scene.problem import InputError

BESIDE = Path(__file__).resolve().parents[4] / "shared/corpus"
CORPUS = Path(os.environ.get("POLHODE_CORPUS", BESIDE))
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the public files are not here")
VOLUMES = {  # [m^3], parts
    "3mf/cube_gears.3mf": (1.12366e-4, 17),
    "3mf/dodeca_chain_loop.3mf": (3.258388e-5, 40),
    "dfki_pendulum/meshes/Link_1.STL": (2.226491e-4, 3),
    "dfki_pendulum/meshes/base_link.STL": (2.315401e-4, 1),
    "urdf_tutorial/meshes/l_finger.dae": (1.808971e-4, 1),
    "urdf_tutorial/meshes/l_finger_tip.dae": (1.997202e-5, 1),
}
TABLES = {  # rows, last time [s], a column, its unit and its first and last value
    "dfki_pendulum/data_measured.csv": (1170, 3.89782, "position", ""),
    "dfki_pendulum/measured_data.csv": (10000, 99.99, "pos", ""),
    "phyphox/z_acc.csv": (982, 9.84785, "Gyroscope z", "rad/s"),
    "phyphox/z_acc.xls": (982, 9.84785, "Gyroscope z", "rad/s"),
    "phyphox/sample_1.zip": (27, 26.8969, "Altitude", "m"),
}
DAMAGED = 20  # relatives of each file
LONGEST = 20.0  # [s] of one of them


def test_every_file_has_its_values_here() -> None:
    endings = {".stl", ".dae", ".3mf", ".csv", ".xls", ".zip"}
    found = {path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.suffix.lower() in endings}
    assert found == VOLUMES.keys() | TABLES.keys()


@pytest.mark.parametrize("name", VOLUMES)
def test_meshes_have_their_volume_and_parts(name: str) -> None:
    mesh = Meshes().mesh(CORPUS / name)
    volume, parts = VOLUMES[name]
    assert mesh_properties(mesh).mass == pytest.approx(volume, rel=1e-6 if "gears" not in name else 5e-6)
    assert mesh.part_count() == parts
    theirs = trimesh.load_scene(CORPUS / name, process=False).to_mesh().volume * (mesh.frame.unit or 1.0) ** 3
    assert mesh_properties(mesh).mass == pytest.approx(theirs, rel=2e-4)


@pytest.mark.parametrize("name", TABLES)
def test_tables_have_their_rows_and_units(name: str) -> None:
    data = read_data(CORPUS / name)
    rows, last, column, unit = TABLES[name]
    assert len(data.times) == rows
    assert data.times[-1] == pytest.approx(last, rel=1e-5)
    assert data.column(column).unit == unit
    assert np.isfinite(data.column(column).values).any()


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The file cut off, with other bytes, or without some."""
    at, count = chance.randrange(len(content)), chance.randrange(1, 200)
    match chance.randrange(3):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + chance.randbytes(count) + content[at + count :]
        case _:
            return content[:at] + content[at + count :]


@pytest.mark.parametrize("name", [*VOLUMES, *TABLES])
def test_damaged_relatives_end_in_one_message_or_open(name: str, tmp_path: Path) -> None:
    """Nothing but InputError escapes, and that has one problem with a remedy; what still opens has finite values."""
    content = (CORPUS / name).read_bytes()
    chance = random.Random(name)
    read: Callable[[Path], float] = (
        (lambda path: mesh_properties(Meshes().mesh(path)).mass)
        if name in VOLUMES
        else (lambda path: float(read_data(path).times[-1]))
    )
    refused = 0
    for number in range(DAMAGED):
        path = tmp_path / f"{number}{Path(name).suffix}"
        path.write_bytes(damaged(content, chance))
        began = monotonic()
        try:
            assert np.isfinite(read(path))
        except InputError as error:
            (problem,) = error.problems
            assert problem.rule
            assert problem.remedy
            refused += 1
        assert monotonic() - began < LONGEST
    assert refused > 0
