"""The folder meshes/ against its own README."""

import re
from pathlib import Path

import pytest

from polhode.mesh.mesh import Meshes, guess_unit
from polhode.mesh.volume_integrals import enclosed

FOLDER = Path(__file__).parents[3] / "meshes"
ROW = re.compile(
    r"^\| `(?P<file>\S+)` \| (?P<unit>m|mm) \| (?P<origin>.+) \| (?P<volume>\S+) \| (?P<licence>MIT) \|$", re.M
)
ROWS = [match.groupdict() for match in ROW.finditer((FOLDER / "README.md").read_text())]
FINE = "pinion.ply", "spur_gear.ply"  # flanks that keep the ratio of the speeds to 1e-3
METRES = {"m": 1.0, "mm": 0.001}


def test_every_mesh_has_its_row():
    files = {path.name for path in FOLDER.iterdir() if path.suffix in (".stl", ".obj", ".ply")}
    assert files == {row["file"] for row in ROWS}
    assert len(files) >= 8


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["file"])
def test_mesh_is_the_solid_of_its_row(row):
    path = FOLDER / row["file"]
    mesh = Meshes().mesh(path)
    assert mesh.notes == ()  # closed and outward as it stands, nothing had to be mended
    assert guess_unit(mesh) == (row["unit"], METRES[row["unit"]])
    volume = enclosed(mesh.vertices, mesh.faces)[0] * METRES[row["unit"]] ** 3 * 1e6
    assert volume == pytest.approx(float(row["volume"]), rel=2e-3)  # the row gives three digits at least
    assert path.stat().st_size <= (650_000 if row["file"] in FINE else 400_000)
