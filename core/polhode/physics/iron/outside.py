"""Soft iron as the dipoles of its panels, for its field in space.

The field of a magnetisation M = grad u is that of the moments u A n of the surface: outside of the iron B/mu0 = H, and
inside H + M. A dipole at the centroid of each panel has it from a distance of about a panel on.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from polhode.engine.model import NOTHING, Inputs, Model, Step
from polhode.engine.work import make_tables, run_hooks
from polhode.physics.bodies.arrays import BASIS, body_states
from polhode.physics.iron.part import COILS, PART


def step_at(
    model: Model, inputs: Inputs, origin: np.ndarray, basis: np.ndarray, time: float, currents: np.ndarray
) -> Step:
    """Scratch arrays with bodies, dipoles and coils at given poses, and given currents.

    origin: (b, 3) [m] of the bodies' origins; basis: (b, 3, 3) rows u1, u2, u3; time: [s]; currents: (k,) [A]
    """
    dipoles, state, work = model.dipoles, np.zeros(len(model.is_momentum)), make_tables(model)
    owner = np.repeat(np.arange(len(origin)), np.diff(dipoles.first))
    reference = origin - np.einsum("bi,bij->bj", model.bodies.origin, basis)
    body_states(model.bodies, state)[:, BASIS : BASIS + 9] = basis.reshape(-1, 9)
    work.bodies.position[:] = reference
    work.dipoles.position[:] = reference[owner] + np.einsum("mi,mij->mj", dipoles.position, basis[owner])
    work.dipoles.moment[:] = np.einsum("mi,mij->mj", dipoles.moment, basis[owner])
    for k, b in enumerate(model.coils.body.tolist()):
        at, turn = (np.zeros(3), np.eye(3)) if b == NOTHING else (reference[b], basis[b])
        work.coils.position[k] = at + model.coils.position[k] @ turn
        work.coils.axes[k] = model.coils.basis[k] @ turn
    if len(model.coils.body):
        work.coils.current[:], work.circuits.is_given[0] = currents, True
    return Step(model, inputs, time, state, work, work.energy)


def panel_moments(
    model: Model,
    inputs: Inputs,
    origin: np.ndarray,
    basis: np.ndarray,
    time: float,
    currents: np.ndarray,
    charges: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions (n, 3) [m], moments (n, 3) [A m^2] and edges (n,) [m] of the charges of all iron, laboratory frame.

    origin: (b, 3) [m] of the bodies' origins; basis: (b, 3, 3) rows u1, u2, u3; time: [s]; currents: (k,) [A];
    charges: (p,) [A m] of all panels, without which they are solved for
    """
    iron = model.iron
    if not len(iron.body):
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0)
    step = step_at(model, inputs, origin, basis, time, currents)
    if len(charges) == len(iron.edge):  # not of a snapshot from before an edit
        step.work.iron.charge[0] = charges
    else:
        run_hooks(COILS.couple if COILS.is_in(model, inputs) else PART.energy, step)
    positions, moments = [], []
    for b, (first, end) in zip(iron.body.tolist(), pairwise(iron.first.tolist()), strict=True):
        of_body, count = slice(first, end), end - first
        inner = iron.from_flux[of_body, :count] @ step.work.iron.charge[0, of_body]
        positions.append(step.work.bodies.position[b] + iron.middle[:, of_body].T @ basis[b])
        moments.append((inner * iron.area[:, of_body]).T @ basis[b])
    kept = iron.area.any(axis=0)
    return np.concatenate(positions)[kept], np.concatenate(moments)[kept], iron.edge[kept]
