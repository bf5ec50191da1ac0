"""Other models of a fit that fail: the fit itself is kept, and evident mistakes are refused before it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_data import PENDULUM, swing

from polhode.data.measured import measured
from polhode.fitting.fit import fit
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode_app.data.measured.fit_models import OtherModels, predicted_band
from polhode_app.data.measured.fit_run import FitOrder, fit_order
from polhode_app.data.measured.measured_layer import Assignment, MeasuredLayer
from polhode_app.jobs import CheckCancelled, JobCancelled

RATE = "bob.angular_velocity.y"
FRICTION, GRAVITY = "body[0].friction", "world.gravity[2]"
SCENE = PENDULUM.format(gravity=9.4, friction=0.004, angle=1.2)
RESTING = PENDULUM.format(gravity=9.4, friction=0.004, angle=0.0)
EMPTY = 'title = "nothing"\n'


@pytest.fixture
def order() -> FitOrder:
    """A fit of friction and gravity to a swing."""
    times = np.linspace(0.0, 2.0, 101)
    noise = 1e-2 * np.random.default_rng(1).standard_normal(len(times))
    data = measured("made", times, {"w": swing(times)[1] + noise})
    layer = MeasuredLayer(data, {"w": Assignment(RATE)})
    return FitOrder(scene_of(tomllib.loads(SCENE), "swing"), layer, (FRICTION, GRAVITY))


def against(order: FitOrder, path: Path, text: str) -> FitOrder:
    """The order with a comparison with another scene, beside a model without friction."""
    path.write_text(text)
    return replace(order, models=OtherModels(without=(FRICTION,), against=path))


def test_a_fit_is_kept_where_another_model_is_not_determined(order: FitOrder, tmp_path: Path) -> None:
    found, (smaller, other) = fit_order(against(order, tmp_path / "resting.toml", RESTING), CheckCancelled())
    expected = fit(order.scene, order.layer.data, order.layer.mapping, order.free)
    assert [each.value for each in found.estimates] == pytest.approx([each.value for each in expected.estimates])
    assert smaller.without == (FRICTION,)
    assert smaller.comparison is not None
    assert smaller.comparison.is_nested
    assert other.scene == "resting.toml"
    assert other.comparison is None
    assert other.problems


@pytest.mark.parametrize("text", [EMPTY, "[[body]", None])
def test_a_wrong_scene_is_refused_before_the_fit(order: FitOrder, tmp_path: Path, text: str | None) -> None:
    path, check = tmp_path / "other.toml", CheckCancelled()
    wanted = against(order, path, text or "")
    if text is None:
        path.unlink()
    with pytest.raises(InputError):
        fit_order(wanted, check)
    assert check.progress is None, "no run was made"


def test_a_prediction_can_be_cancelled(order: FitOrder) -> None:
    found = fit(order.scene, order.layer.data, order.layer.mapping, order.free)
    check = CheckCancelled()
    assert predicted_band(found, check) is not None
    check.cancel()
    with pytest.raises(JobCancelled):
        predicted_band(found, check)
