"""Springs with dampers between points, and between points and anchors (Imura).

The dampers are axial, or full as in Imura's course: those act against all relative motion, which destroys angular
momentum.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.kernel import kernel
from core.model import DAMPING, Model, Work, point_rows
from core.vec import Triple, accumulate, add, dot, row, scale, subtract


@kernel
def spring_force(
    along: Triple, velocity: Triple, rest: float, stiffness: float, damping: float, full: bool
) -> tuple[Triple, float]:
    """Force [N] on the end j, the opposite of that on i, and the damper's power [W], never positive.

    F_j = -k (l - l0) e - d (v.e) e, or -d v of a full damper; e = r/l, r = x_j - x_i, v = v_j - v_i. Where the ends
    meet, a spring has no direction and no force.
    """
    square = dot(along, along)
    inverse = 1.0 / sqrt(square) if square > 0.0 else 0.0
    stretching = dot(velocity, along) * inverse
    pulling = stiffness * (square * inverse - rest)
    if full:
        force = add(scale(-pulling * inverse, along), scale(-damping, velocity))
        return force, -damping * dot(velocity, velocity)
    return scale(-(pulling + damping * stretching) * inverse, along), -damping * stretching * stretching


@kernel
def add_inner_springs(model: Model, state: np.ndarray, work: Work) -> None:
    """Springs between two points."""
    springs, force, rows = model.springs, work.point_force, point_rows(model, state)
    power = 0.0
    for s in range(springs.inner):
        i, j = springs.first[s], springs.second[s]
        along = (rows[0, j] - rows[0, i], rows[1, j] - rows[1, i], rows[2, j] - rows[2, i])
        velocity = (rows[3, j] - rows[3, i], rows[4, j] - rows[4, i], rows[5, j] - rows[5, i])
        on_j, lost = spring_force(
            along, velocity, springs.rest[s], springs.stiffness[s], springs.damping[s], springs.full[s]
        )
        power += lost
        for axis in range(3):
            force[axis, i] -= on_j[axis]
            force[axis, j] += on_j[axis]
    work.power[DAMPING] += power


@kernel
def end(model: Model, state: np.ndarray, work: Work, number: int) -> tuple[Triple, Triple]:
    """Position [m] and velocity [m/s] of a spring's end."""
    p = len(model.points.mass)
    if number < p:
        rows = point_rows(model, state)
        return (rows[0, number], rows[1, number], rows[2, number]), (rows[3, number], rows[4, number], rows[5, number])
    return row(work.anchor_position, number - p), row(work.anchor_velocity, number - p)


@kernel
def pull_end(model: Model, work: Work, number: int, force: Triple) -> None:
    p = len(model.points.mass)
    if number < p:
        for axis in range(3):
            work.point_force[axis, number] += force[axis]
    else:
        accumulate(work.anchor_force, number - p, force)


@kernel
def add_springs(model: Model, state: np.ndarray, work: Work) -> None:
    """All springs."""
    add_inner_springs(model, state, work)
    springs = model.springs
    for s in range(springs.inner, len(springs.rest)):
        x_i, v_i = end(model, state, work, springs.first[s])
        x_j, v_j = end(model, state, work, springs.second[s])
        on_j, lost = spring_force(
            subtract(x_j, x_i),
            subtract(v_j, v_i),
            springs.rest[s],
            springs.stiffness[s],
            springs.damping[s],
            springs.full[s],
        )
        work.power[DAMPING] += lost
        pull_end(model, work, springs.first[s], scale(-1.0, on_j))
        pull_end(model, work, springs.second[s], on_j)


@kernel
def spring_energy(model: Model, state: np.ndarray, work: Work) -> float:
    """U = k (l - l0)^2/2 [J] of all springs."""
    springs = model.springs
    energy = 0.0
    for s in range(len(springs.rest)):
        x_i, _ = end(model, state, work, springs.first[s])
        x_j, _ = end(model, state, work, springs.second[s])
        along = subtract(x_j, x_i)
        stretch = sqrt(dot(along, along)) - springs.rest[s]
        energy += 0.5 * springs.stiffness[s] * stretch * stretch
    return energy
