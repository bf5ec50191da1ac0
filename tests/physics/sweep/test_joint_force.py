"""The largest force in a joint against an independent integration, the columns of a run, and bad requests."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode.analysis.columns import columns
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.run.status import DIVERGED, UNSETTLED
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.simulation import Simulation
from polhode.sweep.measure import check_sweeps
from polhode.sweep.sweep import Sweep
from scenes import G, scene, sphere

MASS, ARM, RADIUS, DAMPING = 0.3, 0.5, 0.02, 0.02


PIN = {"name": "pin", "kind": "hinge", "first": "bob", "axis": [0, 1, 0], "anchor_first": [0, 0, 0]}
LINK = {"name": "link", "kind": "hinge", "first": "low", "second": "bob", "axis": [0, 1, 0], "anchor_first": [0, 0, 0]}
LOW = {"name": "low", "support": "free", "position": [ARM, 0, 0], "shape": [sphere(RADIUS, MASS, (0, 0, -0.2))]}


def pendulum(*further: dict[str, Any], joints: tuple[dict[str, Any], ...] = (), **parts: Any) -> Scene:
    """A ball on a hinge, which is released from rest where it points along x."""
    bob = {"name": "bob", "support": "free", "shape": [sphere(RADIUS, MASS, (ARM, 0, 0))]}
    joint = [PIN | {"spring": {"damping": DAMPING}}, *joints]
    return scene(bob, *further, joint=joint, **({"gravity": [0, 0, -G]} | parts))


def asked(until: float, parameter: str = "world.gravity[2]", **outcome: Any) -> SweepSettings:
    axis = {"parameter": parameter, "range": [-G, -2 * G], "count": 2}
    outcome = {"kind": "joint_force"} | outcome
    return SweepSettings.model_validate({"until": until, "axes": [axis], "outcome": outcome})


def forces_by_dop853(gravity: float, times: np.ndarray) -> np.ndarray:
    """(n,) [N] in the pin of I a'' = m g l cos a - c a', where a is the angle below the horizontal."""
    inertia = MASS * (ARM**2 + 0.4 * RADIUS**2)

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (MASS * gravity * ARM * np.cos(y[0]) - DAMPING * y[1]) / inertia]

    angle, rate = solve_ivp(rates, (0, times[-1]), [0, 0], "DOP853", times, rtol=1e-11, atol=1e-12).y
    along = MASS * (ARM * rate**2 + gravity * np.sin(angle))
    across = MASS * (ARM * np.array([rates(0, y)[1] for y in np.stack([angle, rate], 1)]) - gravity * np.cos(angle))
    return np.hypot(along, across)


@pytest.mark.parametrize("after", [0.0, 0.7, 1.6])
def test_it_is_that_of_an_independent_integration(after: float) -> None:
    until = 3.0
    made = Sweep(pendulum(), asked(until, after=after)).run()
    times = np.linspace(0.0, until, 30_001)
    for gravity, value in zip(made.axis_values[0], made.value, strict=True):
        forces = forces_by_dop853(abs(gravity), times)[times > after]
        # The peak is round: a step beside it is lower by its curvature, (w dt)^2/2 with w = 8 to 11 rad/s, 6e-5.
        assert value == pytest.approx(forces.max(), rel=1e-4)
    assert (made.status == UNSETTLED).all()


def test_later_peaks_are_lower_for_friction_takes_energy() -> None:
    values = [Sweep(pendulum(), asked(3.0, after=after)).run().value for after in (0.0, 0.7, 1.6)]
    assert (np.diff(values, axis=0) < -0.1).all()


@pytest.mark.parametrize("method", ["rk4", "adams_bashforth_2"])
@pytest.mark.parametrize("name", ["pin", "link", ""])
def test_it_has_the_bits_of_the_column_of_a_run(name: str, method: str) -> None:
    given = pendulum(LOW, joints=(LINK,), method=method)
    made = Sweep(given, asked(1.0, of=name)).run()
    for gravity, value in zip(made.axis_values[0], made.value, strict=True):
        world = given.world.model_copy(update={"gravity": (0.0, 0.0, gravity)})
        simulation = Simulation(given.model_copy(update={"world": world}))
        simulation.advance(1.0)
        row = dict(zip(columns(build(given, Meshes())), simulation.snapshot().numbers, strict=True))
        assert value == max(row[f"{each}.largest_force"] for each in ([name] if name else ["pin", "link"]))


def test_a_run_that_diverges_has_no_force() -> None:
    made = Sweep(pendulum(time_step=1.0, gravity=[0, 0, -1e9]), asked(50.0)).run()
    assert np.isnan(made.value[made.status == DIVERGED]).all()
    assert (made.status == DIVERGED).any()


@pytest.mark.parametrize(
    ("joints", "of", "values"),
    [([], "", {}), ([{"name": "pin", "kind": "ball", "first": "bob"}], "pim", {"name": "pim"})],
)
def test_a_scene_without_that_joint_is_refused(joints: list[dict[str, Any]], of: str, values: dict[str, str]) -> None:
    bob = {"name": "bob", "support": "free", "shape": [sphere()]}
    given = scene(bob, joint=joints).model_copy(update={"sweep": (asked(1.0, of=of),)})
    with pytest.raises(InputError) as error:
        check_sweeps(given, build(given, Meshes()))
    (problem,) = error.value.problems
    assert problem.place.startswith("sweep[0].outcome")
    assert problem.rule.values == values
    assert problem.remedy
