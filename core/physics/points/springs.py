"""Springs with dampers between points, and between points and anchors (Imura).

The dampers are axial, or full as in Imura's course: those act against all relative motion, which destroys angular
momentum.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.engine.model import DAMPING, NOTHING, Model, Work, point_rows
from core.jit.kernel import kernel
from core.jit.simd import WIDTH, first_lanes, load_three, spread, store_three, total, where
from core.jit.vec import Triple, accumulate, add, cross, dot, put, row, scale, subtract
from core.jit.work_sharing import EVEN, PARTS, REACTIONS, first_part, has_help, next_part, piece_of, share_out, wait


@kernel
def spring_force(
    along: Triple, velocity: Triple, rest: float, stiffness: float, damping: float, full: bool
) -> tuple[Triple, float]:
    """Force [N] on the end j, the opposite of that on i, and the damper's power [W], never positive; or eight of them.

    F_j = -k (l - l0) e - d (v.e) e, or -d v of a full damper; e = r/l, r = x_j - x_i, v = v_j - v_i. Where the ends
    meet, a spring has no direction and no force.
    """
    square = dot(along, along)
    inverse = where(square > 0.0, 1.0 / sqrt(square), 0.0)
    stretching = dot(velocity, along) * inverse
    pulling = stiffness * (square * inverse - rest)
    if full:
        force = add(scale(-pulling * inverse, along), scale(-damping, velocity))
        return force, -damping * dot(velocity, velocity)
    return scale(-(pulling + damping * stretching) * inverse, along), -damping * stretching * stretching


@kernel
def add_block(model: Model, rows: np.ndarray, work: Work, block: int) -> None:
    """Springs of a block, eight at a time. Where a run ends the lanes that are left have no length and no force."""
    runs, force, reaction = model.runs, work.point_force, work.reaction
    power = spread(0.0)
    for r in range(runs.block[block], runs.block[block + 1]):
        for k in range(0, runs.count[r], WIDTH):
            here = first_lanes(runs.count[r] - k)
            i, j = runs.first[r] + k, runs.second[r] + k
            along = subtract(load_three(rows, 0, j, here), load_three(rows, 0, i, here))
            velocity = subtract(load_three(rows, 3, j, here), load_three(rows, 3, i, here))
            on_j, lost = spring_force(along, velocity, runs.rest[r], runs.stiffness[r], runs.damping[r], runs.full[r])
            power = power + lost
            store_three(force, i, here, subtract(load_three(force, 0, i, here), on_j))
            # Apart from the others: what has just been stored can't be read again at once.
            store_three(reaction, j, here, add(load_three(reaction, 0, j, here), on_j))
    work.block_power[block] = total(power)


@kernel
def add_reactions(work: Work, axis: int, piece: int, pieces: int) -> None:
    """What springs do to their second ends: one of the pieces of all points, along one axis."""
    here = piece_of(work.reaction.shape[1], piece, pieces)
    force, reaction = work.point_force[axis, here], work.reaction[axis, here]
    for i in range(len(force)):
        force[i] += reaction[i]
        reaction[i] = 0.0


@kernel
def add_runs(model: Model, state: np.ndarray, work: Work) -> None:
    """Springs of soft bodies: blocks that share no points, then the others, then what they have kept apart."""
    rows, blocks = point_rows(model, state), len(model.runs.block) - 1
    if has_help(work.crew):
        for odd in range(2):
            parts = (blocks + 1 - odd) // 2
            share_out(work.crew, EVEN + odd, parts, state, state, state, state)
            part = first_part(work.crew)
            while part >= 0:
                add_block(model, rows, work, 2 * part + odd)
                part = next_part(work.crew)
            wait(work.crew, parts)
        share_out(work.crew, REACTIONS, PARTS, state, state, state, state)
        part = first_part(work.crew)
        while part >= 0:
            add_reactions(work, part % 3, part // 3, PARTS // 3)
            part = next_part(work.crew)
        wait(work.crew, PARTS)
    else:
        for odd in range(2):
            for block in range(odd, blocks, 2):
                add_block(model, rows, work, block)
        for axis in range(3):
            add_reactions(work, axis, 0, 1)
    for block in range(blocks):
        work.power[DAMPING] += work.block_power[block]


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
def clear_anchors(work: Work) -> None:
    for q in range(len(work.anchor_force)):
        put(work.anchor_force, q, (0.0, 0.0, 0.0))


@kernel
def load_bodies(model: Model, work: Work) -> None:
    """Hand the forces on anchors to the bodies that they are in."""
    for q in range(len(model.anchors.body)):
        b = model.anchors.body[q]
        if b != NOTHING:
            force = row(work.anchor_force, q)
            arm = subtract(row(work.anchor_position, q), row(work.position, b))
            accumulate(work.force, b, force)
            accumulate(work.torque, b, cross(arm, force))


@kernel
def add_springs(model: Model, state: np.ndarray, work: Work) -> None:
    """All springs."""
    add_runs(model, state, work)
    springs = model.springs
    for s in range(len(springs.rest)):
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
def stretch_energy(along: Triple, rest: float, stiffness: float) -> float:
    """U = k (l - l0)^2/2 [J]; or eight of them."""
    stretch = sqrt(dot(along, along)) - rest
    return 0.5 * stiffness * (stretch * stretch)


@kernel
def spring_energy(model: Model, state: np.ndarray, work: Work) -> float:
    """U [J] of all springs."""
    springs, energy = model.springs, run_energy(model, state)
    for s in range(len(springs.rest)):
        x_i, _ = end(model, state, work, springs.first[s])
        x_j, _ = end(model, state, work, springs.second[s])
        along = subtract(x_j, x_i)
        energy += stretch_energy(along, springs.rest[s], springs.stiffness[s])
    return energy


@kernel
def run_energy(model: Model, state: np.ndarray) -> float:
    """That of the springs of soft bodies."""
    runs, rows, energy = model.runs, point_rows(model, state), spread(0.0)
    for r in range(len(runs.count)):
        for k in range(0, runs.count[r], WIDTH):
            here = first_lanes(runs.count[r] - k)
            i, j = runs.first[r] + k, runs.second[r] + k
            along = subtract(load_three(rows, 0, j, here), load_three(rows, 0, i, here))
            energy = energy + where(here, stretch_energy(along, runs.rest[r], runs.stiffness[r]), 0.0)
    return total(energy)
