"""Projects of Tracker: positions in the calibrated axes, against points that were placed in known axes."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.data.reading import read_data


def prop(name: str, value: object, kind: str = "double") -> str:
    return f'<property name="{name}" type="{kind}">{value}</property>'


def made(name: str, kind: str, content: str) -> str:
    return f'<property name="{name}" type="object"><object class="org.ops.{kind}">{content}</object></property>'


def framed(kind: str, frames: dict[int, dict[str, float]]) -> str:
    entries = [
        made(f"[{n}]", kind, "".join(prop(key, value) for key, value in numbers.items()))
        for n, numbers in frames.items()
    ]
    return f'<property name="framedata" type="array">{"".join(entries)}</property>'


def project(axes: dict[int, dict[str, float]], masses: dict[str, dict[int, dict[str, float]]], unit: str = "m") -> str:
    tracks = "".join(
        made("item", "PointMass", prop("name", name, "string") + framed("PointMass$FrameData", marks))
        for name, marks in masses.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><object class="org.ops.TrackerPanel">'
        + made("videoclip", "VideoClip", prop("startframe", 10, "int") + prop("starttime", 500.0))
        + made("clipcontrol", "StepperClipControl", prop("delta_t", 40.0))
        + made("coords", "ImageCoordSystem", framed("ImageCoordSystem$FrameData", axes))
        + prop("length_unit", unit, "string")
        + f'<property name="tracks" type="collection">{tracks}</property></object>'
    )


def pixel(axes: dict[str, float], x: float, y: float) -> dict[str, float]:
    """Where a point (x, y) of the axes is in a picture whose rows count downwards."""
    angle = radians(axes["angle"])
    along, up = axes["xscale"] * x, axes["yscale"] * y
    return {
        "x": axes["xorigin"] + along * cos(angle) - up * sin(angle),
        "y": axes["yorigin"] - (along * sin(angle) + up * cos(angle)),
    }


AXES = {"xorigin": 320.0, "yorigin": 240.5, "angle": 30.0, "xscale": 250.0, "yscale": 260.0}
LATER = {"xorigin": 10.0, "yorigin": 20.0, "angle": -100.0, "xscale": 50.0, "yscale": 55.0}
POINTS = {10: (0.1, 0.2), 12: (-0.3, 0.4), 15: (1.0, -0.5)}


def test_marks_are_calibrated_by_the_axes_of_their_frame(tmp_path):
    marks = {n: pixel(AXES if n < 12 else LATER, *point) for n, point in POINTS.items()}
    path = tmp_path / "a.trk"
    path.write_text(project({0: AXES, 12: LATER}, {"bob": marks, "rod": {12: marks[12]}}, unit="cm"))
    data = read_data(path)
    assert np.allclose(data.times, [0.5, 0.58, 0.7], rtol=1e-14)
    assert np.allclose(data.column("bob.x").values, [0.001, -0.003, 0.01], rtol=1e-12)
    assert np.allclose(data.column("bob.y").values, [0.002, 0.004, -0.005], rtol=1e-12)
    assert data.column("rod.x").gaps == 2
    assert [column.name for column in read_data(path, table="bob").columns] == ["bob.x", "bob.y"]
    assert np.allclose(read_data(path, units={"bob.x": "m"}).column("bob.x").values, [0.1, -0.3, 1.0], rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("delta_t", "rate"), Meaning("clipcontrol", "duration")),
        (
            ('name="xscale" type="double">250.0', 'name="xscale" type="double">0'),
            Meaning("line 1: <object>", "scale", "zero"),
        ),
        (
            ('name="xscale" type="double">250.0', 'name="xscale" type="double">nan'),
            Meaning("line 1: <property> 'xscale'", name="xscale", word="nan"),
        ),
        (("coords", "other"), Meaning("coords", "calibration")),
        (("PointMass", "Vector"), Meaning("", "marked", "masses")),
        (("TrackerPanel", "Panel"), Meaning("", "XML", "project")),
    ],
)
def test_a_faulty_project_is_refused(tmp_path, change, said):
    marks = {n: pixel(AXES, *point) for n, point in POINTS.items()}
    text = project({0: AXES}, {"bob": marks})
    assert text.replace(*change) != text
    (path := tmp_path / "a.trk").write_text(text.replace(*change))
    with refuses(said):
        read_data(path)
