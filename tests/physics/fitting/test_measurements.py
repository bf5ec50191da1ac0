"""The examples of measurements/: each scene finds the truth that its made data come from."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from polhode.data.reading import read_data
from polhode.fitting.fit import fit
from polhode.scene.scene_file import read_scene

FOLDER = Path(__file__).parents[3] / "measurements"
SPEC = importlib.util.spec_from_file_location("make", FOLDER / "make.py")
assert SPEC is not None
assert SPEC.loader is not None
make = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make)

MAPPING = {
    "pendulum": {"wy": "bob.angular_velocity.y"},
    "hammer": {"wy": "hammer.angular_velocity.y"},
    "compass": {"wz": "needle.angular_velocity.z"},
    "pendulum_over_magnet": {"wy": "bob.angular_velocity.y"},
    "force_of_magnets": {"scale": "scale.force.z"},
    "rolling_ball": {"x": "ball.position.x"},
    "spring": {"z": "mass.position.z"},
}
HAMMER = "body[0].inertia.tensor[1][1]"


def truth(name: str) -> dict[str, float]:
    """True values by unknown."""
    values = dict(make.TRUTH[name])
    if name == "hammer":
        values[HAMMER] = make.hammer_properties()[2]
    return values


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.nightly] * (name == "force_of_magnets")) for name in MAPPING],
)
def test_a_fit_finds_the_truth(name: str) -> None:
    """The seeds of make.py are fixed; 95 % intervals contain all 15 numbers, and residuals are noise."""
    expected = truth(name)
    found = fit(read_scene(FOLDER / f"{name}.toml"), read_data(FOLDER / f"{name}.csv"), MAPPING[name], list(expected))
    assert found.has_converged
    for unknown, value in expected.items():
        estimate = found.estimate(unknown)
        assert estimate.low < value < estimate.high, (unknown, estimate.low, value, estimate.high)
        assert estimate.error < 0.05 * abs(value)
    assert not any(test.has_structure for test in found.residuals)


def test_the_tables_are_those_of_make_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six digits are written; runs of DOP853 on other processors differ by less."""
    monkeypatch.setattr(make, "FOLDER", tmp_path)
    for name in ("compass", "spring"):
        getattr(make, name)()
        assert (FOLDER / f"{name}.csv").read_text().startswith("# made by measurements/make.py, not measured")
        made, kept = (read_data(folder / f"{name}.csv").columns[0].values for folder in (tmp_path, FOLDER))
        assert made == pytest.approx(kept, abs=2e-5 * np.abs(kept).max())
