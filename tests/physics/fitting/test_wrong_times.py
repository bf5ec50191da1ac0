"""Times in a wrong unit, and those that no run reaches, are told before anything is fitted."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest
from made_data import PENDULUM, swing
from meaning import Meaning, refuses

from polhode.data.measured import MeasuredData, measured
from polhode.data.reading import read_data
from polhode.fitting.fit import fit
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

MAPPING = {"w": "bob.angular_velocity.y"}
FREE = ["world.gravity[2]"]


def pendulum(gravity: float = 9.81) -> Scene:
    return scene_of(tomllib.loads(PENDULUM.format(gravity=gravity, friction=0.002, angle=1.2)), "pendulum")


def data_of(gravity: float = 9.81) -> MeasuredData:
    """8 s of a swing, with noise of a seed."""
    times = np.linspace(0.0, 8.0, 200)
    noise = 0.02 * np.random.default_rng(1).standard_normal(200)
    return measured("made.csv", times, {"w": swing(times, gravity)[1] + noise})


def with_times(folder: Path, heading: str, factor: float) -> MeasuredData:
    """The swing in less gravity from a file whose times are `factor` times as large as they should be."""
    data = data_of(gravity=9.0)
    rows = [f"{factor * t!r},{w!r}" for t, w in zip(data.times.tolist(), data.column("w").values.tolist(), strict=True)]
    path = folder / "swing.csv"
    path.write_text("\n".join([f"{heading},w", *rows]) + "\n")
    return read_data(path)


@pytest.mark.parametrize(
    ("heading", "factor", "said"),
    [
        ("time", 1e3, Meaning("", "oscillates", "unit", name="time", unit="ms")),
        ("time (s)", 1e3, Meaning("", "oscillates", "unit", name="time", unit="ms")),
        ("time (ms)", 1.0, Meaning("", "oscillates", "unit", name="time", unit="s")),
        ("time (ms)", 1e6, Meaning("", "oscillates", "unit", name="time", unit="us")),
        ("time (min)", 1e3, Meaning("", "state", factor=0.001, scale=0.001)),
    ],
)
def test_a_wrong_unit_of_the_times_is_recognised(tmp_path: Path, heading: str, factor: float, said: Meaning) -> None:
    factor = factor / 60 if "min" in heading else factor
    with refuses("", "times", name="w", quantity="bob.angular_velocity.y") as error:
        fit(pendulum(), with_times(tmp_path, heading, factor), MAPPING, FREE)
    assert said.of(error.value)


def test_the_remedy_of_a_wrong_unit_of_the_times_mends_it(tmp_path: Path) -> None:
    path = with_times(tmp_path, "time", 1e3).source
    for data, stated in ((read_data(path, units={"time": "ms"}), {}), (read_data(path), {"data.time_scale": 1e-3})):
        found = fit(pendulum(), data, MAPPING, FREE, stated=stated)
        assert found.estimate(FREE[0]).value == pytest.approx(-9.0, abs=0.05)


@pytest.mark.parametrize("gravity", [3.0, 30.0])
def test_a_start_that_is_off_by_a_factor_of_three_is_no_wrong_unit(gravity: float) -> None:
    data = data_of()
    assert fit(pendulum(gravity=gravity), data, MAPPING, FREE).fitted == 200


def test_times_that_no_run_reaches_are_refused_at_once() -> None:
    """Such as the seconds since 1970: millions of millions of steps."""
    data = data_of()
    late = MeasuredData("late.csv", data.times + 1.7e9, data.columns)
    with refuses("", "steps", most=20000000) as error:
        fit(pendulum(), late, MAPPING, FREE)
    assert Meaning("", "data", time=1.7e09, offset=-1.7e09).of(error.value)
    found = fit(pendulum(gravity=9.5), late, MAPPING, FREE, stated={"data.time_offset": -late.times[0]})
    assert found.has_converged


def test_a_long_time_without_an_offset_is_refused_with_the_unit_as_remedy() -> None:
    data = data_of()
    slow = MeasuredData("slow.csv", np.linspace(0.0, 1e9, 200), data.columns)
    with refuses("", "data", most=20000000):
        fit(pendulum(), slow, MAPPING, FREE)
