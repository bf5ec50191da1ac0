"""Soft iron as the dipoles of its panels, for its field in space.

The field of a magnetisation M = grad u is that of the moments u A n of the surface: outside of the iron B/mu0 = H, and
inside H + M. A dipole at the centroid of each panel has it from a distance of about a panel on; nearer to the panel
sixteen parts of it have, with u that varies between the corners and the same mean: from a quarter of that on.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING, Inputs, Model, Step
from polhode.engine.program import MAGNETISE
from polhode.engine.work import link, make_tables, run_hooks
from polhode.physics.bodies.arrays import BASIS, body_states
from polhode.physics.iron.part import COILS, solve

SAME = 1e-9  # distance of corners in the same place, in sizes of the shape


def _middles(sides: int) -> np.ndarray:
    """(s^2, 3) barycentric coordinates of the middles of equal parts of a triangle with its sides divided by s."""
    upright = [(i, j) for i in range(sides) for j in range(sides - i)]
    turned = [(i, j) for i in range(sides - 1) for j in range(sides - 1 - i)]
    found = [(i + 1 / 3, j + 1 / 3) for i, j in upright] + [(i + 2 / 3, j + 2 / 3) for i, j in turned]
    first, second = np.array(found).T / sides
    return np.column_stack([first, second, 1.0 - first - second])


MIDDLES = _middles(4)
PARTS = len(MIDDLES)


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


class PanelDipoles(NamedTuple):
    """Charges of all iron as dipoles, laboratory frame."""

    position: np.ndarray  # (n, 3) [m]
    moment: np.ndarray  # (n, 3) [A m^2]
    edge: np.ndarray  # (n,) [m] of panels; 0 of shapes with one moment
    fine: np.ndarray  # (6, 16 p) positions [m] and moments [A m^2] of the parts of each panel
    number: np.ndarray  # (n,) int64 index of the first part; -1 of a charge without


NO_DIPOLES = PanelDipoles(
    np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros((6, 0)), np.zeros(0, dtype=np.int64)
)


def panel_dipoles(
    model: Model,
    inputs: Inputs,
    origin: np.ndarray,
    basis: np.ndarray,
    time: float,
    currents: np.ndarray,
    charges: np.ndarray,
) -> PanelDipoles:
    """All iron as dipoles, and each panel as PARTS of them with u that varies between its corners.

    origin: (b, 3) [m] of the bodies' origins; basis: (b, 3, 3) rows u1, u2, u3; time: [s]; currents: (k,) [A];
    charges: (p,) [A m] of all panels, without which they are solved for
    """
    iron = model.iron
    if not len(iron.body):
        return NO_DIPOLES
    step = step_at(model, inputs, origin, basis, time, currents)
    if len(charges) == len(iron.edge):  # not of a snapshot from before an edit
        step.work.iron.charge[0] = charges
    else:
        link(model, inputs, step.work, (MAGNETISE,))
        run_hooks(COILS.couple if COILS.is_in(model, inputs) else (solve,), step)
    inner = np.zeros(len(iron.edge))
    at, area, places = np.zeros((len(inner), 3)), np.zeros((len(inner), 3)), np.zeros((len(inner), PARTS, 3))
    for b, (first, end) in zip(iron.body.tolist(), pairwise(iron.first.tolist()), strict=True):
        of_body = slice(first, end)
        inner[of_body] = iron.from_flux[of_body, : end - first] @ step.work.iron.charge[0, of_body]
        at[of_body] = step.work.bodies.position[b] + iron.middle[:, of_body].T @ basis[b]
        area[of_body] = iron.area[:, of_body].T @ basis[b]
        corners = _corners(iron.point[:, of_body]) @ basis[b] + step.work.bodies.position[b]
        places[of_body] = np.einsum("pc,ncx->npx", MIDDLES, corners)
    kept, panels = iron.area.any(axis=0), iron.edge > 0.0
    shares = np.repeat(inner[:, None], PARTS, axis=1)
    for first, end in zip(iron.shape_first.tolist(), iron.shape_end.tolist(), strict=True):
        if panels[first]:
            weights = np.linalg.norm(area[first:end], axis=1)
            varied = _at_corners(iron.point[:, first:end], inner[first:end], weights) @ MIDDLES.T
            shares[first:end] += varied - varied.mean(axis=1, keepdims=True)
    moments = shares[panels][:, :, None] * area[panels][:, None] / PARTS
    fine = np.concatenate([places[panels].reshape(-1, 3), moments.reshape(-1, 3)], axis=1).T
    number = np.where(panels, PARTS * (np.cumsum(panels) - 1), -1)
    return PanelDipoles(at[kept], (inner[:, None] * area)[kept], iron.edge[kept], fine, number[kept])


def _corners(points: np.ndarray) -> np.ndarray:
    """(n, 3, 3) [m] corners of panels with their thirds of charge at `points` (9, n)."""
    each = points.T.reshape(-1, 3, 3)
    return np.asarray(2.0 * each - each.mean(axis=1, keepdims=True))


def _at_corners(points: np.ndarray, inner: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """(n, 3) [A] u at the corners of the panels of a shape: means over the panels that meet there, by their areas."""
    place = _numbered(points.tobytes())
    total = np.bincount(place, weights=np.repeat(inner * areas, 3)) / np.bincount(place, weights=np.repeat(areas, 3))
    return np.asarray(total[place].reshape(-1, 3))


@lru_cache(maxsize=32)
def _numbered(points: bytes) -> np.ndarray:
    """(3 n,) int64 number of the corner of each panel, one for corners in the same place; points: those of `Iron`."""
    flat = _corners(np.frombuffer(points).reshape(9, -1)).reshape(-1, 3)
    size = float(np.ptp(flat, axis=0).max())
    return np.asarray(np.unique(np.round(flat / (SAME * size)), axis=0, return_inverse=True)[1].reshape(-1))
