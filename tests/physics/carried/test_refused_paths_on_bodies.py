"""Options that a path moving with a body can't have are refused, with location and remedy."""

import pytest
from carrying_bodies import KNOT, on, rod
from meaning import Meaning, refuses

from polhode.simulation.simulation import Simulation
from scenes import bead_scene


@pytest.mark.parametrize(
    ("bead", "body", "said"),
    [
        (
            {"path_motion": {"kind": "body", "body": "rot"}},
            {},
            Meaning("bead[0].path_motion.body", name="rot", near="rod"),
        ),
        ({"one_sided": "inside"}, {}, Meaning("bead[0]", "path", "one-sided")),
        ({"moment": [0, 0, 1.0]}, {}, Meaning("bead[0]", "turning")),
        ({}, {"support": "pivot", "dry_friction": 0.1}, Meaning("bead[0].path_motion.body", "friction", name="rod")),
        (
            {},
            {"support": "driven", "motion": {"kind": "sensor"}},
            Meaning("bead[0].path_motion.body", "follows", name="rod"),
        ),
        (
            {},
            {"inertia": {"mass": 1.0, "tensor": [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}},
            Meaning("bead[0].path_motion.body", "inertia", name="rod"),
        ),
    ],
)
def test_refused(bead, body, said):
    with refuses(said):
        Simulation(bead_scene(on("rod", path=KNOT, **bead), body=[rod(**body)]))


def test_a_jointed_body_carries_no_beads():
    hinge = {"name": "hinge", "kind": "hinge", "first": "rod", "anchor": [0, 0, 0], "axis": [0, 1, 0]}
    with refuses("bead[0].path_motion.body", "joints", name="rod"):
        Simulation(bead_scene(on("rod", path=KNOT), body=[rod()], joint=[hinge]))


def test_a_thin_rod_carries_a_bead_along_its_axis():
    wire = {"kind": "line", "start": [-0.5, 0, 0], "end": [0.5, 0, 0]}
    thin = rod(inertia={"mass": 1.0, "tensor": [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}, angular_velocity=[0, 0, 1.0])
    simulation = Simulation(bead_scene(on("rod", path=wire, parameter=0.6), gravity=0, body=[thin]))
    first = simulation.snapshot()
    simulation.advance(0.5)
    assert simulation.snapshot().angular_momentum == pytest.approx(first.angular_momentum, abs=1e-10)
