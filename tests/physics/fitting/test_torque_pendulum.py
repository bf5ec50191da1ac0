"""The tables of DFKI's pendulum: the numbers of docs/torque_pendulum.md, and a fit without runs beside them."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from pathlib import Path

import numpy as np
import pytest
from scipy.signal import savgol_filter

from polhode.data.reading import read_data
from polhode.fitting.fit import fit
from polhode.fitting.result import FitResult
from polhode.scene.scene_file import read_scene

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("POLHODE_CORPUS", ROOT.parent / "shared/corpus")) / "dfki_pendulum"
PAGE = (ROOT / "docs/torque_pendulum.md").read_text("utf-8")
LENGTH = 0.4  # [m]
NAMES = [f"body[0].{name}" for name in ("inertia.mass", "inertia.tensor[1][1]", "friction", "dry_friction")]
TABLES = {
    1: ("data_measured.csv", "position", 4),
    2: ("measured_data.csv", "pos", 200),
}
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the public tables are not here")


def scene_text(table: int) -> str:
    """The scene of the page, for the second table as the page says."""
    found = re.search(r"(?:^ {4}.*\n|^\n)+", PAGE[PAGE.index("    [world]") :], re.MULTILINE)
    assert found is not None
    text = textwrap.dedent(found[0])
    if table == 1:
        return text
    changes = {"data_measured": "measured_data", "0.26": "0.9", "step = 0.001": "step = 0.002"}
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text.replace("axis = [0, 1, 0]", "axis = [0, 1, 0]\norientation = { axis = [0, 1, 0], angle = -3.04 }")


def fitted(folder: Path, table: int) -> FitResult:
    """The fit of the page."""
    file, column, segments = TABLES[table]
    shutil.copy(FOLDER / file, folder / file)
    (folder / "rig.toml").write_text(scene_text(table))
    free = NAMES if table == 1 else [*NAMES, "body[0].tilt[1]", "body[0].angular_velocity[1]"]
    data = read_data(folder / file, {"time": "s", column: "rad"})
    return fit(read_scene(folder / "rig.toml"), data, {column: "arm.deflection"}, free, segments=segments)


def numbers_of_page(table: int) -> list[tuple[float, float]]:
    """Mass times length, inertia, viscous and dry friction of the page, with the half widths of their intervals."""
    rows = [line.split("|")[1 + table].split("±") for line in PAGE.splitlines() if "±" in line and line.startswith("|")]
    return [(float(value), float(half)) for value, half in rows]


def by_windows(table: int, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Inertia, mass times length, viscous and dry friction, with standard deviations, without any run.

    I a + m g l sin(q) + c w + d sign(w) = torque, times a smooth window and integrated by parts: no derivative of the
    angle is needed, and the noise of the torque is that of the left side of a linear regression.
    """
    file, _, _ = TABLES[table]
    rows = np.genfromtxt(FOLDER / file, delimiter=",", skip_header=1)[:, -4:]
    step = float(np.median(np.diff(rows[:, 0])))
    times = np.arange(rows[0, 0], rows[-1, 0], step)
    angle, torque = (np.interp(times, rows[:, 0], rows[:, k]) for k in (1, 3))
    sign = np.sign(savgol_filter(angle, 21 if table == 1 else 11, 3, 1, step))
    count = int(width / step)
    window = (np.linspace(0, 1, count + 1) * np.linspace(1, 0, count + 1)) ** 4
    first = np.gradient(window, step)

    def over(values: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        return np.convolve(values, kernel[::-1], "valid")[:: count // 8] * step

    slopes = [over(angle, np.gradient(first, step)), 9.81 * over(np.sin(angle), window), -over(angle, first)]
    matrix = np.column_stack([*slopes, over(sign, window), over(np.ones_like(angle), window)])
    found, square = np.linalg.lstsq(matrix, over(torque, window), rcond=None)[:2]
    covariance = np.linalg.inv(matrix.T @ matrix) * square[0] / len(matrix) * 8  # windows overlap eightfold
    return found, np.sqrt(np.diag(covariance))


def check(found: FitResult, table: int) -> None:
    """Compare a fit with the page, and with the regression by windows."""
    stated = numbers_of_page(table)
    for each, name, factor, (value, half) in zip(found.estimates, NAMES, (LENGTH, 1.0, 1.0, 1.0), stated, strict=False):
        assert each.unknown.name == name
        assert factor * each.value == pytest.approx(value, abs=0.5 * half)
        assert factor * (each.high - each.low) / 2 == pytest.approx(half, rel=0.3)
    assert all(test.has_structure for test in found.residuals)
    assert found.covariance.by_inputs == pytest.approx(1.0, abs=0.1)
    inertia, arm = found.estimate(NAMES[1]).value, LENGTH * found.estimate(NAMES[0]).value
    free, errors = by_windows(table, 0.8 if table == 1 else 1.2)
    assert abs(free[1] - arm) < 3 * errors[1] + 0.03
    assert abs(free[0] - inertia) < 3 * errors[0] + 0.02


def test_the_first_table_gives_the_numbers_of_the_page(tmp_path):
    check(fitted(tmp_path, 1), 1)


@pytest.mark.nightly
def test_the_second_table_gives_the_numbers_of_the_page(tmp_path):
    check(fitted(tmp_path, 2), 2)


def test_segments_follow_where_one_run_does_not(tmp_path):
    """The first twenty seconds of the second table: 40 segments from values that are far off."""
    file, column, _ = TABLES[2]
    shutil.copy(FOLDER / file, tmp_path / file)
    (tmp_path / "rig.toml").write_text(scene_text(2))
    rows = (FOLDER / file).read_text("utf-8").splitlines()[:2001]
    (tmp_path / file).write_text("\n".join(rows))
    data = read_data(tmp_path / file, {"time": "s", column: "rad"})
    scene = read_scene(tmp_path / "rig.toml").with_values({NAMES[0]: 1.4, NAMES[1]: 0.25, NAMES[3]: 0.02})
    found = fit(scene, data, {column: "arm.deflection"}, [*NAMES, "body[0].tilt[1]"], segments=40)
    assert found.residuals[0].rms < 0.08
    assert 0.3 < LENGTH * found.estimate(NAMES[0]).value < 0.5
