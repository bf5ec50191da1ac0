"""Maps of scenes with uncertain numbers: probabilities of attractors over draws."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pytest
from meaning import Meaning

from polhode import InputError, Scene, Sweep, read_scene
from polhode.scene.variants.outcome import Outcome
from polhode.scene.variants.sweep import Axis, Draws, SweepSettings
from polhode_app.data.maps.map_report import messages

MEAN, DEVIATION, COUNT = 0.05, 0.05, 200


def ridge(parameter: object) -> Scene:
    """The bead on the ridge between its two hollows, at rest."""
    return read_scene("double_well").with_values({"bead[0].speed": 0.0, "bead[0].parameter": parameter})


def settings(draws: Draws) -> SweepSettings:
    """A map over the friction, with draws of the start."""
    axes = (
        Axis(parameter="bead[0].friction", range=(0.2, 0.3), count=3),
        Axis(parameter="bead[0].parameter", draws=draws),
    )
    outcome = Outcome(kind="attractor", near=("left", "right"), of="bead")
    return SweepSettings(until=30.0, axes=axes, outcome=outcome, check="none")


def test_each_cell_has_the_probability_of_its_attractors() -> None:
    """The bead rolls to the side on which it starts: P = (1 + erf(mean/(sqrt(2) s)))/2, by draws to 3 sigma."""
    sweep = Sweep(ridge(f"{MEAN} +- {DEVIATION}"), settings(Draws(count=COUNT)))
    made = sweep.run()
    chances = made.probabilities()
    assert chances is not None
    assert chances.shape == (2, 3)
    exact = 0.5 * (1.0 + erf(MEAN / (sqrt(2.0) * DEVIATION)))
    assert chances[1] == pytest.approx(exact, abs=3 * sqrt(exact * (1 - exact) / COUNT))
    assert chances.sum(axis=0) == pytest.approx(np.ones(3))
    assert any(each.values.get("part") == 0.0 for each in messages(made, sweep.variation))
    stated = Sweep(ridge(MEAN), settings(Draws(count=COUNT, deviation=DEVIATION)))
    assert np.array_equal(stated.variation.axis_values[1], sweep.variation.axis_values[1])


def test_uniform_numbers_are_drawn_from_their_range() -> None:
    sweep = Sweep(ridge(f"{MEAN} +- {DEVIATION} uniform"), settings(Draws(count=COUNT)))
    values = sweep.variation.axis_values[1]
    assert 0.0 <= values.min() < 0.01
    assert 0.09 < values.max() <= 0.1


def test_draws_of_a_certain_number_need_a_deviation() -> None:
    with pytest.raises(InputError) as refused:
        Sweep(ridge(MEAN), settings(Draws(count=COUNT)))
    assert Meaning("sweep.axes[1].parameter", "deviation").of(refused.value)


def test_maps_without_draws_have_no_probabilities() -> None:
    scene = ridge(MEAN)
    axes = {"bead[0].friction": (0.2, 0.3, 2)}
    made = Sweep(scene, axes=axes, until=10.0, outcome=settings(Draws(count=2, deviation=1.0)).outcome).run()
    assert made.probabilities() is None
