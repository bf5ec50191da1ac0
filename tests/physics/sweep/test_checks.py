"""Labels that are checked by displaced starts, against the linearised motion about the hill between two dips."""

import numpy as np
import pytest
from meaning import refuses

from polhode.run.neighbours import extent
from polhode.run.status import SETTLED, UNCERTAIN
from polhode.scene.scene_file import read_scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.sweep import Sweep

SIZE = 4e-3
AXIS = {"parameter": "bead[0].parameter", "range": [-0.018, 0.0181], "count": 60}
NEAR = {"kind": "attractor", "near": ["left", "right"], "of": "bead"}
MEAN = {"features": [{"quantity": "bead.parameter", "tolerance": 0.3}], "after": 20.0}


def hill():
    """The scene of a bead in a double well, at rest."""
    given = read_scene("scenes/double_well.toml")
    return given.model_copy(update={"bead": (given.bead[0].model_copy(update={"speed": 0.0}),)})


@pytest.mark.parametrize("outcome", [NEAR, MEAN])
def test_cells_are_uncertain_as_far_from_the_border_as_the_start_is_displaced(outcome):
    """On top of the hill z = 0.2 ((q/0.6)^2 - 1)^2 the sign of v + a q decides, with a^2 - (c/m) a - (0.8/0.36) g = 0.

    q is displaced by d = SIZE times the size of the scene and v by d in a second, in one direction or the other: from
    rest, labels change up to |q| = d (1 + 1/a) or d (1 - 1/a), by their signs. 3 % for what is not linear.
    """
    sweep = SweepSettings.model_validate(
        {"until": 30.0, "axes": [AXIS], "outcome": outcome, "check": "perturbation", "perturbation": SIZE}
    )
    run = Sweep(hill(), sweep)
    made, far = run.run(), SIZE * extent(run.compiled)
    slowed = 0.1 / 0.2
    a = 0.5 * slowed + np.sqrt(0.25 * slowed**2 + 0.8 / 0.36 * 9.80665)
    q = np.abs(made.axis_values[0])
    assert (made.status[q < 0.97 * far * (1 - 1 / a)] == UNCERTAIN).all()
    assert (made.status[q > 1.03 * far * (1 + 1 / a)] == SETTLED).all()
    assert (made.status == UNCERTAIN).sum() > 10
    assert (made.status == SETTLED).sum() > 10
    certain, ends = made.status == SETTLED, made.features[..., 0] if "features" in outcome else made.label
    assert np.array_equal(ends[certain] > 0, (made.axis_values[0] > 0)[certain])


def test_a_smaller_displacement_makes_fewer_cells_uncertain():
    counts = []
    for size in (4e-3, 2e-3, 1e-3):
        asked = {"until": 30.0, "axes": [AXIS], "outcome": NEAR, "check": "perturbation", "perturbation": size}
        counts.append(Sweep(hill(), SweepSettings.model_validate(asked)).run().counts().get("uncertain", 0))
    assert counts[0] > counts[1] > counts[2] > 0
    assert counts[0] == pytest.approx(2 * counts[1], abs=2)  # proportional to the displacement, but for whole cells


def test_displaced_starts_need_labels_that_are_compared():
    asked = {"until": 1.0, "axes": [AXIS], "outcome": {"kind": "settled"}, "check": "perturbation"}
    with refuses("", "compared", kind="settled", raised=ValueError):
        SweepSettings.model_validate(asked)
