"""Unlikely sizes of meshes ask for the unit: in commands, in check and in the dialog of a dropped file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trimesh

from polhode.mesh.frame import size_question
from polhode_app.cli.main import main


@pytest.mark.parametrize(
    ("size", "unit", "text"),
    [
        (60.0, 1.0, "60 m? in mm it would be 60 mm"),
        (5.1, 1.0, "5.1 m? in mm it would be 5.1 mm"),
        (6e-5, 1e-3, "60 um? in m it would be 60 mm"),
        (2e-5, 1e-3, "20 um? in m it would be 20 mm"),
        (25.4, 0.0254, "25.4 m? in mm it would be 1 m"),
        (5.0, 1.0, None),
        (1e-3, 1e-3, None),
        (4e9, 1.0, "4e+09 m? check its unit"),
        (4e-4, 1.0, "400 um? check its unit"),
        (0.0, 1.0, None),
    ],
)
def test_the_question_names_the_likely_unit(size: float, unit: float, text: str | None) -> None:
    found = size_question(size, unit)
    assert (None if found is None else str(found)) == text


def test_a_glb_in_millimetres_is_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trimesh.creation.box([60, 20, 10]).export(tmp_path / "part.glb")
    (tmp_path / "part.toml").write_text(
        'format = 1\n[[body]]\nname = "part"\nsupport = "free"\n[[body.shape]]\nkind = "mesh"\nfile = "part.glb"\n'
        "density = 1000\n"
    )
    question = "60 m? in mm it would be 60 mm"
    assert main(["inertia", str(tmp_path / "part.glb"), "--json"]) == 0
    (warning,) = json.loads(capsys.readouterr().out)["warnings"]
    assert warning.startswith(question)
    assert main(["inertia", str(tmp_path / "part.glb"), "--unit", "mm", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["warnings"], found["size"]) == ([], pytest.approx([0.06, 0.01, 0.02]))
    assert main(["check", str(tmp_path / "part.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == [f"'part', 'part.glb': {question}"]
