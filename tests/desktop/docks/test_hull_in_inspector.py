"""The inspector tells how much larger the hull is than a mesh that presses with it; fields take lengths with units."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from pathlib import Path

import pytest
import trimesh
from gui import SOON, accepted, inspect, row_of, type_in
from meaning import Meaning
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

SCENE = """
format = 1
[[body]]
name = "ring"
support = "free"
contact = { stiffness = 1000 }
orientation = { axis = [0, 1, 0], angle = 0.5 }
[[body.shape]]
kind = "mesh"
file = "ring.stl"
density = 1000
"""


def test_the_header_has_the_note_and_fields_take_units(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02).export(tmp_path / "ring.stl")
    path = tmp_path / "ring.toml"
    path.write_text(SCENE)
    window = lab(path)
    for place in (("body", 0), ("body", 0, "shape", 0)):
        inspector = inspect(window, *place)
        qtbot.waitUntil(lambda shown=inspector: "2.8" in shown.header.text(), timeout=SOON)
        assert Meaning("", "hull", ratio="2.8").of(inspector.header.text())
    inspect(window, "body", 0)
    type_in(qtbot, row_of(window, "body[0].orientation.angle").editor.field, "12 deg")
    assert accepted(window, qtbot).body[0].orientation.angle == pytest.approx(12 * pi / 180)
    type_in(qtbot, row_of(window, "body[0].position").editor.fields[2], "0,4 cm")
    assert accepted(window, qtbot).body[0].position == pytest.approx((0.0, 0.0, 0.004))
