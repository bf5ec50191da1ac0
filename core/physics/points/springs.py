"""Springs with dampers between points, and between points and anchors (Imura).

The dampers are axial, or full as in Imura's course: those act against all relative motion, which destroys angular
momentum.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.engine.ledger import DAMPING, LEDGER_SIZE
from core.engine.model import NOTHING
from core.jit.kernel import inlined, kernel, view
from core.jit.kernel_struct import rows_within
from core.jit.simd import (
    WIDTH,
    Bool8,
    Float64x8,
    address_of,
    broadcast,
    chosen_lanes,
    first_lanes,
    inverse_length,
    load,
    load_three,
    reduce_sum,
    store,
    three_from,
    three_to,
    three_where,
    where,
)
from core.jit.vec import Triple, accumulate, add, cross, dot, put, row, scale, subtract
from core.jit.work_sharing import BLOCKS, address, first_part, has_help, next_part, publish_task, wait
from core.physics.bodies.arrays import BodyWork
from core.physics.points.arrays import Anchors, AnchorWork, Points, PointWork, SpringRows, Springs, point_rows
from core.physics.points.spring_tiles import PAGE, TILES, SpringWork

Constants = tuple[Float64x8, Float64x8, Float64x8]  # of eight springs: length [m], stiffness [N/m], damping [N s/m]

assert LEDGER_SIZE >= WIDTH - 1, "eight lanes from the last point on end within the state"  # see pull_eight


@kernel
def spring_force(
    along: Triple, velocity: Triple, rest: float, stiffness: float, damping: float, full: bool
) -> tuple[Triple, float]:
    """Force [N] on the end j, the opposite of that on i, and the square [m^2/s^2] of what the damper sees of v.

    F_j = -k (l - l0) e - d (v.e) e, or -d v of a full damper; e = r/l, r = x_j - x_i, v = v_j - v_i. Where the ends
    meet, a spring has no direction and no force. Of eight springs at once or of one.
    """
    inverse = inverse_length(dot(along, along))
    if full:
        pushing = stiffness * rest * inverse - stiffness
        return subtract(scale(pushing, along), scale(damping, velocity)), dot(velocity, velocity)
    stretching = dot(velocity, along) * inverse
    pushing = (stiffness * rest - damping * stretching) * inverse - stiffness
    return scale(pushing, along), stretching * stretching


@view
def tile_rows(spring_work: SpringWork, rows: np.ndarray, low: int, thread: int) -> np.ndarray:
    """(6, length) [N] x, y, z on first ends and on second ends of a block that begins with point `low`."""
    size, length, tiles = len(spring_work.tiles) // TILES, spring_work.length, spring_work.tiles
    behind = (address(rows) - address(tiles)) // 8 + low + spring_work.offset - thread * size
    begin = thread * size + behind % PAGE
    return rows_within(tiles, begin, 6, length)


@kernel
def add_block(
    runs: SpringRows, rows: np.ndarray, point_work: PointWork, spring_work: SpringWork, block: int, thread: int
) -> None:
    """Springs of a block: sum their forces in a tile of this thread's own, and hand them over."""
    low = spring_work.reach[block, 0]
    tile = tile_rows(spring_work, rows, low, thread)
    if runs.full[runs.block[block]]:  # two loops: to ask within one costs as much as the answer
        spring_work.power[block] = add_groups(runs, rows, spring_work, tile, block, True)
    else:
        spring_work.power[block] = add_groups(runs, rows, spring_work, tile, block, False)
    hand_over(point_work, spring_work, tile, block)


@inlined
def add_groups(
    runs: SpringRows, rows: np.ndarray, spring_work: SpringWork, tile: np.ndarray, block: int, full: bool
) -> float:
    """All springs of a block, eight at a time; returns the power [W] of their dampers.

    Where a run ends the lanes that are left have no length and no force.
    """
    springs, seen = spring_work, broadcast(0.0)
    first, rest, low = runs.block[block], runs.rest, springs.reach[block, 0]
    stiffness, damping = broadcast(runs.stiffness[first]), broadcast(runs.damping[first])
    groups = springs.groups[springs.block[block] : springs.block[block + 1]]
    for g in range(len(groups)):
        i, j, here = groups[g, 0], groups[g, 1], chosen_lanes(groups[g, 3])
        law = broadcast(rest[groups[g, 2]]), stiffness, damping
        seen = seen + pull_eight(rows, tile, i, j, low, here, law, full)
    return -runs.damping[first] * reduce_sum(seen)


@kernel
def pull_eight(
    rows: np.ndarray, tile: np.ndarray, i: int, j: int, low: int, here: Bool8, law: Constants, full: bool
) -> Float64x8:
    """Springs from points i, i + 1, ... to j, j + 1, ...; returns the squares [m^2/s^2] of what their dampers see.

    Lanes without a spring read what stands behind the points, at least the energy ledger, and add zero.
    """
    at_i, at_j, apart = address_of(rows, 0, i), address_of(rows, 0, j), rows.strides[0]
    along = three_where(here, subtract(three_from(at_j, apart), three_from(at_i, apart)))
    at_i, at_j = at_i + 3 * apart, at_j + 3 * apart
    velocity = three_where(here, subtract(three_from(at_j, apart), three_from(at_i, apart)))
    on_j, seen = spring_force(along, velocity, law[0], law[1], law[2], full)
    on_first, on_second, apart = address_of(tile, 0, i - low), address_of(tile, 3, j - low), tile.strides[0]
    three_to(on_first, apart, subtract(three_from(on_first, apart), on_j))
    # Apart from the others: what has just been stored can't be read again at once.
    three_to(on_second, apart, add(three_from(on_second, apart), on_j))
    return seen


@kernel
def hand_over(point_work: PointWork, spring_work: SpringWork, tile: np.ndarray, block: int) -> None:
    """Add what a block has summed to the forces on its points, keep the rest for later, and clear the tile."""
    carry, zero = spring_work.carry, broadcast(0.0)
    low, stop, high = row(spring_work.reach, block)
    last = (stop - low) % WIDTH
    for axis in range(3):
        for i in range(low, stop - WIDTH + 1, WIDTH):
            hand_over_eight(point_work, tile, axis, i, i - low, None)
        if last > 0:
            hand_over_eight(point_work, tile, axis, stop - last, stop - last - low, first_lanes(last))
        for i in range(stop, high, WIDTH):
            here = first_lanes(high - i)
            store(carry, 3 * block + axis, i - stop, here, load(tile, axis + 3, i - low, here))
            store(tile, axis + 3, i - low, here, zero)


@inlined
def hand_over_eight(point_work: PointWork, tile: np.ndarray, axis: int, i: int, k: int, here: Bool8 | None) -> None:
    """The forces on points i, i + 1, ..., which stand from k on in the tile."""
    both = load(tile, axis, k, here) + load(tile, axis + 3, k, here)
    store(point_work.force, axis, i, here, load(point_work.force, axis, i, here) + both)
    store(tile, axis, k, here, broadcast(0.0))
    store(tile, axis + 3, k, here, broadcast(0.0))


@kernel
def add_carried(point_work: PointWork, spring_work: SpringWork) -> None:
    """What blocks have done to points of the next ones."""
    force, carry = point_work.force, spring_work.carry
    for block in range(len(spring_work.power)):
        _, stop, high = row(spring_work.reach, block)
        for axis in range(3):
            for i in range(stop, high, WIDTH):
                here = first_lanes(high - i)
                more = load(carry, 3 * block + axis, i - stop, here)
                store(force, axis, i, here, load(force, axis, i, here) + more)


@kernel
def add_runs(
    points: Points,
    runs: SpringRows,
    state: np.ndarray,
    point_work: PointWork,
    spring_work: SpringWork,
    power: np.ndarray,
    crew: np.ndarray,
) -> None:
    """Springs of soft bodies: block by block, then what blocks have done to points of others."""
    rows, blocks = point_rows(points, state), len(spring_work.power)
    if has_help(crew):
        publish_task(crew, BLOCKS, blocks, state, state, state, state)
        block = first_part(crew)
        while block >= 0:
            add_block(runs, rows, point_work, spring_work, block, 0)
            block = next_part(crew)
        wait(crew, blocks)
    else:
        for block in range(blocks):
            add_block(runs, rows, point_work, spring_work, block, 0)
    add_carried(point_work, spring_work)
    for block in range(blocks):
        power[DAMPING] += spring_work.power[block]


@kernel
def end(points: Points, state: np.ndarray, anchor_work: AnchorWork, number: int) -> tuple[Triple, Triple]:
    """Position [m] and velocity [m/s] of a spring's end."""
    p = len(points.mass)
    if number < p:
        rows = point_rows(points, state)
        return (rows[0, number], rows[1, number], rows[2, number]), (rows[3, number], rows[4, number], rows[5, number])
    return row(anchor_work.position, number - p), row(anchor_work.velocity, number - p)


@kernel
def pull_end(points: Points, point_work: PointWork, anchor_work: AnchorWork, number: int, force: Triple) -> None:
    p = len(points.mass)
    if number < p:
        for axis in range(3):
            point_work.force[axis, number] += force[axis]
    else:
        accumulate(anchor_work.force, number - p, force)


@kernel
def clear_anchors(anchor_work: AnchorWork) -> None:
    for q in range(len(anchor_work.force)):
        put(anchor_work.force, q, (0.0, 0.0, 0.0))


@kernel
def load_bodies(anchors: Anchors, body_work: BodyWork, anchor_work: AnchorWork) -> None:
    """Hand the forces on anchors to the bodies that they are in."""
    for q in range(len(anchors.body)):
        b = anchors.body[q]
        if b != NOTHING:
            force = row(anchor_work.force, q)
            arm = subtract(row(anchor_work.position, q), row(body_work.position, b))
            accumulate(body_work.force, b, force)
            accumulate(body_work.torque, b, cross(arm, force))


@kernel
def add_springs(
    points: Points,
    springs: Springs,
    runs: SpringRows,
    state: np.ndarray,
    point_work: PointWork,
    anchor_work: AnchorWork,
    spring_work: SpringWork,
    power: np.ndarray,
    crew: np.ndarray,
) -> None:
    """All springs."""
    add_runs(points, runs, state, point_work, spring_work, power, crew)
    for s in range(len(springs.rest)):
        x_i, v_i = end(points, state, anchor_work, springs.first[s])
        x_j, v_j = end(points, state, anchor_work, springs.second[s])
        on_j, seen = spring_force(
            subtract(x_j, x_i),
            subtract(v_j, v_i),
            springs.rest[s],
            springs.stiffness[s],
            springs.damping[s],
            springs.full[s],
        )
        power[DAMPING] -= springs.damping[s] * seen
        pull_end(points, point_work, anchor_work, springs.first[s], scale(-1.0, on_j))
        pull_end(points, point_work, anchor_work, springs.second[s], on_j)


@kernel
def stretch_energy(along: Triple, rest: float, stiffness: float) -> float:
    """U = k (l - l0)^2/2 [J]; or eight of them."""
    stretch = sqrt(dot(along, along)) - rest
    return 0.5 * stiffness * (stretch * stretch)


@kernel
def spring_energy(
    points: Points, springs: Springs, runs: SpringRows, state: np.ndarray, anchor_work: AnchorWork
) -> float:
    """U [J] of all springs."""
    energy = run_energy(points, runs, state)
    for s in range(len(springs.rest)):
        x_i, _ = end(points, state, anchor_work, springs.first[s])
        x_j, _ = end(points, state, anchor_work, springs.second[s])
        along = subtract(x_j, x_i)
        energy += stretch_energy(along, springs.rest[s], springs.stiffness[s])
    return energy


@kernel
def run_energy(points: Points, runs: SpringRows, state: np.ndarray) -> float:
    """That of the springs of soft bodies."""
    rows, energy = point_rows(points, state), broadcast(0.0)
    for r in range(len(runs.count)):
        for k in range(0, runs.count[r], WIDTH):
            here = first_lanes(runs.count[r] - k)
            i, j = runs.first[r] + k, runs.second[r] + k
            along = subtract(load_three(rows, 0, j, here), load_three(rows, 0, i, here))
            energy = energy + where(here, stretch_energy(along, runs.rest[r], runs.stiffness[r]), 0.0)
    return reduce_sum(energy)
