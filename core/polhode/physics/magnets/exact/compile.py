"""Closed forms of a scene: which magnet acts on the charges of which other one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.jit.simd import WIDTH
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.magnets.arrays import Dipoles
from polhode.physics.magnets.dipole_cloud import CLEAR, DIPOLES, EXACT, INDUCED, Magnets, box, form_of
from polhode.physics.magnets.exact.arrays import ExactMagnets, no_exact_magnets
from polhode.physics.magnets.exact.solids import (
    CENTER,
    COLUMNS,
    KIND,
    SIZE,
    SPHERE,
    Charges,
    charges,
    dumbbells,
    rows,
)
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body, Scene

LIKE = 1.5  # largest ratio of the distances of charges of two magnets of which each acts on the charges of the other
# Distance from a magnet, in cells of its cloud, beyond which the field of the cloud is right to 5e-4; of a cloud of
# fewer than FEW dipoles, which has not the second moments of the shape, to 1 %.
CELLS, FEW, OF_FEW = 5.0, 8, 8.0
OF_DUMBBELL = 1e-3  # distance of the charges in place of a dipole, in least sizes of the magnets


def check_closed_forms(scene: Scene) -> list[Problem]:
    """Problems of magnets whose field is requested in closed form where there is none."""
    problems, found = [], False
    for b, body in enumerate(scene.bodies):
        for k, shape in enumerate(body.shape):
            if shape.magnet is None or shape.magnet.field != "exact":
                continue
            found = True
            if form_of(shape) == DIPOLES:
                rule = Message("is 'exact', and there is no closed form of the field of such a shape")
                remedy = Message("take 'dipoles', or a cuboid, cylinder, tube or sphere")
                problems.append(Problem(f"{scene.place_of(b)}.shape[{k}].magnet.field", rule, remedy))
    if found and scene.solver.dipole_sum == "tree":
        rule = Message("is 'tree', which knows no closed forms of magnets")
        problems.append(Problem("solver.dipole_sum", rule, Message("take 'auto' or 'direct'")))
    return problems


def closed_forms(
    all_bodies: Sequence[Body], of_bodies: Sequence[Magnets], bodies: Bodies, dipoles: Dipoles
) -> ExactMagnets:
    """Closed forms of the magnets of all bodies, in the order of `all_bodies`; positions from the reference points."""
    shown: list[np.ndarray] = []
    owners: list[int] = []
    filled: list[tuple[int, int]] = []
    reaches: list[float] = []
    solids: list[int] = []
    groups: list[tuple[int, Charges]] = []
    magnets: list[tuple[int, np.ndarray, float]] = []  # body, numbers of its solids, distance of its charges
    for b, (body, of_body) in enumerate(zip(all_bodies, of_bodies, strict=True)):
        for k, shape in enumerate(body.shape):
            if shape.magnet is None or form_of(shape) == DIPOLES:
                continue
            own, of_shape = rows(shape), np.flatnonzero([path == f"shape[{k}].magnet" for path in of_body.paths])
            own[:, CENTER : CENTER + 3] += bodies.origin[b]
            at, clear = int(dipoles.first[b] + of_shape[0]), float(of_body.clearance[of_shape[0]])
            if form_of(shape) == EXACT:
                on_it = charges(shape)
                magnets.append((b, np.arange(len(solids), len(solids) + len(own)), on_it.spacing))
                solids += range(len(shown), len(shown) + len(own))
                groups.append((b, Charges(on_it.position + bodies.origin[b], on_it.strength, on_it.spacing)))
            for row in own:
                shown.append(row)
                owners.append(b)
                filled.append((at, at + len(of_shape)))
                cells = CELLS if len(of_shape) >= FEW else OF_FEW
                reaches.append(float(np.linalg.norm(box(shape)[1])) + cells * clear / CLEAR)
    table, owner = np.array(shown).reshape(-1, COLUMNS), np.array(owners, np.int64)
    every = table, owner, np.array(filled, np.int64).reshape(-1, 2), np.array(reaches, float)
    if not magnets:
        return no_exact_magnets(*every)
    acting = table[solids]
    groups += _of_dipoles(dipoles, OF_DUMBBELL * _least(acting))
    pair, weight = _pairs(magnets, groups)
    first, charge = _joined(groups)
    carrier = np.array([b for b, _ in groups], np.int64)
    others = np.flatnonzero(dipoles.form != EXACT).astype(np.int64)
    return ExactMagnets(acting, owner[solids], charge, first, carrier, pair, weight, others, *every)


def _least(solids: np.ndarray) -> float:
    """Least half side, radius or half length [m] of solids (s, COLUMNS)."""
    flat = solids[:, KIND] != SPHERE
    sizes = solids[flat, SIZE : SIZE + 2]
    return float(min(sizes.min(), np.where(solids[flat, KIND] == 0.0, solids[flat, SIZE + 2], np.inf).min()))


def _of_dipoles(dipoles: Dipoles, length: float) -> list[tuple[int, Charges]]:
    """The dipoles of each body that no closed form replaces, as charges at a distance `length` [m]."""
    found = []
    for b in range(len(dipoles.first) - 1):
        own = np.arange(dipoles.first[b], dipoles.first[b + 1])
        own = own[(dipoles.form[own] != EXACT) & (dipoles.form[own] != INDUCED)]
        if len(own):
            found.append((b, dumbbells(dipoles.position[own], dipoles.moment[own], length)))
    return found


def _pairs(
    magnets: Sequence[tuple[int, np.ndarray, float]], groups: Sequence[tuple[int, Charges]]
) -> tuple[np.ndarray, np.ndarray]:
    """Solids and groups (p, 2) that act on each other, and weights (p,).

    The field of the magnet with the coarser charges acts on the denser ones of the other: their distance decides the
    error. Where they are alike each acts on the other with half the weight. The first groups are those of the magnets.
    """
    pairs, weights = [], []
    for a, solids, spacing in magnets:
        for g, (b, group) in enumerate(groups):
            if a == b or group.spacing > LIKE * spacing:
                continue
            weight = 1.0 if LIKE * group.spacing < spacing else 0.5
            pairs += [(int(s), g) for s in solids]
            weights += [weight] * len(solids)
    return np.array(pairs, np.int64).reshape(-1, 2), np.array(weights, float)


def _joined(groups: Sequence[tuple[int, Charges]]) -> tuple[np.ndarray, np.ndarray]:
    """`first` and `charge` of ExactMagnets: each group is padded with charges of 0 at the position of its first one."""
    first, parts = [0], [np.zeros((4, 0))]
    for _, group in groups:
        count = len(group.strength)
        part = np.zeros((4, count + -count % WIDTH))
        part[:3] = group.position[0][:, None] if count else 0.0
        part[:3, :count], part[3, :count] = group.position.T, group.strength
        parts.append(part)
        first.append(first[-1] + part.shape[1])
    return np.array(first, np.int64), np.ascontiguousarray(np.concatenate(parts, axis=1))
