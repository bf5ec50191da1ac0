"""Angles that count from elsewhere than the run: the library and the command line warn before a fit, by one check."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from made_data import PENDULUM, swing
from meaning import Meaning

from polhode.data.measured import MeasuredData, measured
from polhode.fitting.fit import fit, prepare
from polhode.scene.problem import Problem
from polhode.scene.scene_file import read_scene
from polhode_app.cli.main import main

SCENE = PENDULUM.format(gravity=9.81, friction=0.002, angle=0.5).replace('"pivot"', '"axle"\naxis = [0, 1, 0]')
FREE = ["world.gravity[2]"]


def written(folder: Path) -> Path:
    path = folder / "swing.toml"
    path.write_text(SCENE)
    return path


def angle_from(shift: float) -> MeasuredData:
    """The angle of the pendulum from the vertical, plus a shift [rad], for 2 s."""
    times = np.linspace(0.0, 2.0, 101)
    return measured("made", times, {"a": swing(times, angle=0.5)[0] + shift})


def warned(folder: Path, quantity: str, shift: float, free: list[str] = FREE) -> tuple[Problem, ...]:
    return prepare(read_scene(written(folder)), angle_from(shift), {"a": quantity}, free).warnings


def test_an_angle_from_the_vertical_is_warned_of_on_an_axle(tmp_path: Path) -> None:
    (warning,) = warned(tmp_path, "bob.angle", 0.0)
    assert Meaning("mapping", quantity="bob.angle").of(warning)
    assert warning.remedy.values == {"column": "a", "quantity": "bob.deflection"}
    assert warned(tmp_path, "bob.deflection", 0.0) == ()
    assert warned(tmp_path, "bob.angle", -0.5) == ()


def test_an_angle_from_elsewhere_is_warned_of_unless_its_offset_is_unknown(tmp_path: Path) -> None:
    (warning,) = warned(tmp_path, "bob.deflection", 0.3)
    assert warning.remedy.values["offset"] == pytest.approx(-0.3, abs=1e-3)
    assert warned(tmp_path, "bob.deflection", 0.3, [*FREE, "data.a.offset"]) == ()


def test_the_library_warns_once_and_fits(tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(read_scene(written(tmp_path)), angle_from(0.0), {"a": "bob.angle"}, FREE)
    own = [each for each in caught if each.category is RuntimeWarning]
    assert [Path(each.filename) for each in own] == [Path(__file__)]
    assert "bob.deflection" in str(own[0].message)


def test_the_command_line_warns_of_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = angle_from(0.0)
    table = np.stack([data.times, data.column("a").values], axis=1)
    np.savetxt(tmp_path / "swing.csv", table, delimiter=",", header="t (s),a (rad)", comments="")
    arguments = ["fit", str(written(tmp_path)), "--data", str(tmp_path / "swing.csv"), "--free", *FREE, "--quiet"]
    assert main([*arguments, "--map", "a=bob.angle"]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "bob.deflection" in line]
    assert "--map" in line
    assert main([*arguments, "--map", "a=bob.deflection"]) == 0
    assert "bob" not in capsys.readouterr().err
