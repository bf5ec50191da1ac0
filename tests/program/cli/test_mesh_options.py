"""`polhode inertia` with units, axes and repairs of mesh files, and beside trimesh."""

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from meaning import Meaning

from polhode_app.cli.main import main

BOX = trimesh.creation.box([1, 2, 4])
QUANTITIES = [
    "volume",
    "mass",
    *(f"center.{x}" for x in "xyz"),
    *(f"inertia.{k}" for k in ["xx", "yy", "zz", "xy", "yz", "zx"]),
]


@pytest.fixture
def box(tmp_path: Path) -> str:
    BOX.export(tmp_path / "box.3mf")
    return str(tmp_path / "box.3mf")


def report(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main(["inertia", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_compare_puts_the_results_of_trimesh_beside_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ball = trimesh.creation.icosphere(subdivisions=2).apply_scale([1, 2, 3]).apply_translation([1, 0, 0])
    ball.export(tmp_path / "ball.ply")
    path = str(tmp_path / "ball.ply")
    found = report(capsys, path, "--compare", "--density", "2", "--scale", "0.1")
    assert list(found["comparison"]) == QUANTITIES
    ball.apply_scale(0.1)
    ball.density = 2.0
    for name, theirs in (("volume", ball.volume), ("mass", ball.mass), ("inertia.zz", ball.moment_inertia[2, 2])):
        row = found["comparison"][name]
        assert row["trimesh"] == pytest.approx(theirs, rel=1e-6)  # the file holds float32
        assert row["polhode"] == pytest.approx(row["trimesh"], rel=1e-10)
        assert row["difference"] == row["polhode"] - row["trimesh"]
    assert found["comparison"]["volume"]["polhode"] == found["volume"]
    assert found["comparison"]["center.x"]["polhode"] == found["center"][0] == pytest.approx(0.1, rel=1e-6)
    assert "comparison" not in report(capsys, path, "--no-compare")

    assert main(["inertia", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    (head,) = [number for number, line in enumerate(lines) if line.startswith("compared with trimesh")]
    rows = lines[head + 1 : head + 1 + len(QUANTITIES)]
    assert [row.split()[0] for row in rows] == QUANTITIES
    assert all(abs(float(row.split()[-1])) < 1e-6 * abs(float(rows[0].split()[-3])) for row in rows[:2])


def test_a_stated_unit_counts_unless_another_is_given(box: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words, length in (((), 1e-3), (("--unit", "inch"), 0.0254), (("--scale", "10"), 1e-2)):
        found = report(capsys, box, *words)
        assert found["size"] == pytest.approx(np.array([1, 2, 4]) * length)
        assert found["warnings"] == []
    assert report(capsys, box, "--up", "x")["size"] == pytest.approx([2e-3, 4e-3, 1e-3])


def test_a_broken_mesh_is_repaired_as_it_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.ply"
    trimesh.Trimesh(BOX.vertices, BOX.faces[1:], process=False).export(path)
    assert main(["inertia", str(path)]) == 2
    assert Meaning("", "repair", "convex_hull", count=3).of(capsys.readouterr().err)
    found = report(capsys, str(path), "--repair", "merge", "--repair", "fill_holes")
    assert found["volume"] == pytest.approx(8.0)
    assert any(Meaning("'open.ply'", "holes", count=1).of(warning) for warning in found["warnings"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--unit", "km"], Meaning("", value="km", option="--unit")),
        (["--up", "w"], Meaning("", value="w", option="--up")),
        (["--repair", "glue"], Meaning("", value="glue", option="--repair")),
        (
            ["--repair", "merge", "--repair", "merge"],
            Meaning("--repair", "twice", step="merge"),
        ),
    ],
)
def test_a_bad_option_is_one_line(
    words: list[str], message: Meaning, box: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inertia", box, *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message.of(line)


@pytest.mark.parametrize(
    "words", [["--compare"], ["--no-compare"], ["--unit", "mm"], ["--up", "y"], ["--repair", "merge"]]
)
def test_a_scene_takes_no_options_of_meshes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inertia", "compass", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert Meaning(f"polhode: {words[0].replace('no-', '')}", "meshes").of(line)
