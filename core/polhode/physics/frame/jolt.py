"""Jumps of the laboratory's rotation, as by an edit or by the sensor: velocities in an inertial frame are kept."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.program import REST, call_phase
from polhode.engine.rates import place, project
from polhode.physics.frame.rotation import EULER, push_bodies, push_points, turning


def jolt(model: Model, before: Inputs, after: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Change the momenta in `state` by the impulse of the Euler force of a jump between two rotations.

    A jump dW changes v by -dW x r: the Euler force with W' = dW acting for one second, projected by supports, paths and
    modes. Between two batches of steps; Python, not compiled.

    before, after: inputs with the old and the new rotation; time: [s]; state: (k,) changed in place; work: overwritten.
    """
    if not after.rotation.rotates:
        return
    was, now = (np.array(turning(inputs.rotation, time)[0]) for inputs in (before, after))
    if np.array_equal(was, now):
        return
    rates, w, jump = [], (0.0, 0.0, 0.0), tuple((now - was).tolist())
    for push in (False, True):
        rate = np.zeros_like(state)
        place(model, before, time, state, work)
        call_phase(REST, model, before, time, state, work, work.rate)
        work.beads.loaded[0] = 1.0
        if push:
            push_bodies(model.bodies, state, w, jump, EULER, work.bodies)
            push_points(model.points, state, w, jump, EULER, work.points)
        project(model, before, time, state, work, rate)
        rates.append(rate)
    by_forces = model.is_momentum[: model.ledger]
    state[: model.ledger] += np.where(by_forces, (rates[1] - rates[0])[: model.ledger], 0.0)
