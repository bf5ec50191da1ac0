"""Springs with dampers between points, and between points and anchors (Imura eqs. 28-31).

With r = x_j - x_i, l = |r|, e = r/l, v = v_j - v_i, natural length l0, stiffness k and damping d,

    axial damper    F_j = -k (l - l0) e - d (v.e) e = -F_i        P = -d (v.e)^2
    full damper     F_j = -k (l - l0) e - d v = -F_i              P = -d v^2
    U = k (l - l0)^2/2

P is the power of the damper, which goes to the ledger's line DAMPING. Both dampers conserve momentum. The axial one,
the default, also conserves angular momentum, since its force is along the line between the ends; the full one of the
course does not: a spinning lattice comes to rest. A mass m on a spring to a fixed point has the period 2 pi sqrt(m/k).

The springs of soft bodies are evaluated eight at a time, block by block (SpringRows), and a helper thread may take
part. Springs of a block add their forces to a tile, scratch rows that stay in the cache (spring_tiles.py); afterwards
the tile is added to the forces on points. Each number is the same whether or not a helper takes part.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import DAMPING, LEDGER_SIZE
from polhode.engine.model import NOTHING
from polhode.jit.kernel import inlined, kernel, view
from polhode.jit.kernel_struct import rows_within
from polhode.jit.simd import (
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
from polhode.jit.vec import Triple, accumulate, add, cross, dot, put, row, scale, subtract
from polhode.jit.work_sharing import BLOCKS, address, first_part, has_help, next_part, publish_task, wait
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.points.arrays import Anchors, AnchorWork, Points, PointWork, SpringRows, Springs, point_rows
from polhode.physics.points.spring_tiles import PAGE, TILES, SpringWork

Constants = tuple[Float64x8, Float64x8, Float64x8]  # of eight springs: length [m], stiffness [N/m], damping [N s/m]

assert LEDGER_SIZE >= WIDTH - 1, "eight lanes from the last point on end within the state"  # see pull_eight


@kernel
def spring_force(
    along: Triple, velocity: Triple, rest: float, stiffness: float, damping: float, full: bool
) -> tuple[Triple, float]:
    """Force [N] on the end j of a spring, the opposite of that on i, and the square [m^2/s^2] of the damped velocity.

    F_j = -k (l - l0) e - d (v.e) e, or -d v instead of the last term for a full damper; the squares are (v.e)^2 and
    v^2. Where the ends coincide a spring has no direction, and its force is zero but for a full damper's. Evaluates one
    spring (floats) or eight at once (Float64x8). Where `full` is a constant the compiler drops the other branch.

    along: r = x_j - x_i [m], laboratory frame.
    velocity: v_j - v_i [m/s], laboratory frame.
    rest, stiffness, damping: l0 [m], k [N/m], d [N s/m].
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
    """(6, length) [N] view of the tile of thread 0 or 1 for a block whose first point is `low`.

    Zero before and after its use.

    Rows 0 to 2 are x, y, z of the forces on first ends, rows 3 to 5 those on second ends; column 0 belongs to point
    `low`. The view begins `spring_work.offset` numbers after the position of that point in `rows`, apart from whole
    pages.

    rows: (6, p) positions and velocities of all points, `point_rows` of the state.
    """
    size, length, tiles = len(spring_work.tiles) // TILES, spring_work.length, spring_work.tiles
    behind = (address(rows) - address(tiles)) // 8 + low + spring_work.offset - thread * size
    begin = thread * size + behind % PAGE
    return rows_within(tiles, begin, 6, length)


@kernel
def add_block(
    runs: SpringRows, rows: np.ndarray, point_work: PointWork, spring_work: SpringWork, block: int, thread: int
) -> None:
    """Sum the forces of the springs of one block in the tile of a thread, and add them to the points of the block.

    Writes the power [W] of its dampers to spring_work.power[block]. Forces on points of the next block go to `carry`.

    rows: (6, p) positions [m] and velocities [m/s] of all points, `point_rows` of the state.
    thread: 0 for the thread of the simulation, 1 for the helper; each has a tile.
    """
    low = spring_work.reach[block, 0]
    tile = tile_rows(spring_work, rows, low, thread)
    if runs.full[runs.block[block]]:  # one loop for each kind: a test of every spring would cost as much as its force
        spring_work.power[block] = add_groups(runs, rows, spring_work, tile, block, True)
    else:
        spring_work.power[block] = add_groups(runs, rows, spring_work, tile, block, False)
    hand_over(point_work, spring_work, tile, block)


@inlined
def add_groups(
    runs: SpringRows, rows: np.ndarray, spring_work: SpringWork, tile: np.ndarray, block: int, full: bool
) -> float:
    """Add the forces of all springs of a block to `tile`, eight at a time; returns the power [W] of their dampers.

    Rows whose length is not a multiple of eight end with a group in which some lanes are masked.

    rows: (6, p) `point_rows` of the state.
    tile: (6, length) [N] as returned by `tile_rows`; added to.
    full: constant, so that the compiler makes one loop for each kind of damper.
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
    """Forces of the springs i + k to j + k, k < 8; returns the squares [m^2/s^2] of the damped velocities.

    Masked lanes read components of the state behind the points (at least the energy ledger), and contribute zero.

    rows: (6, p) `point_rows` of the state.
    tile: (6, length) [N] added to; its column 0 belongs to point `low`.
    here: lanes that hold a spring.
    law: natural length [m], stiffness [N/m] and damping [N s/m] of the eight springs.
    """
    at_i, at_j, stride = address_of(rows, 0, i), address_of(rows, 0, j), rows.strides[0]
    along = three_where(here, subtract(three_from(at_j, stride), three_from(at_i, stride)))
    at_i, at_j = at_i + 3 * stride, at_j + 3 * stride
    velocity = three_where(here, subtract(three_from(at_j, stride), three_from(at_i, stride)))
    on_j, seen = spring_force(along, velocity, law[0], law[1], law[2], full)
    on_first, on_second, stride = address_of(tile, 0, i - low), address_of(tile, 3, j - low), tile.strides[0]
    three_to(on_first, stride, subtract(three_from(on_first, stride), on_j))
    # Last: a processor cannot load at once what it has just stored.
    three_to(on_second, stride, add(three_from(on_second, stride), on_j))
    return seen


@kernel
def hand_over(point_work: PointWork, spring_work: SpringWork, tile: np.ndarray, block: int) -> None:
    """Add the forces of a block to those on its own points, store the others in `carry`, and clear the tile.

    Own points are low ... stop - 1; those from stop to high - 1 belong to the next block, which another thread may be
    working on.

    tile: (6, length) [N] as returned by `tile_rows`; all zero afterwards.
    """
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
    """Add the forces in columns k ... k + 7 of the tile to component `axis` of the points i ... i + 7, and clear them.

    tile: (6, length) [N].
    here: lanes that are points, None for all of them.
    """
    both = load(tile, axis, k, here) + load(tile, axis + 3, k, here)
    store(point_work.force, axis, i, here, load(point_work.force, axis, i, here) + both)
    store(tile, axis, k, here, broadcast(0.0))
    store(tile, axis + 3, k, here, broadcast(0.0))


@kernel
def add_carried(point_work: PointWork, spring_work: SpringWork) -> None:
    """Add the forces of each block on points of the next one, `carry`, to the forces on points.

    Blocks are taken in their order, so that sums are always the same.
    """
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
    """Add the forces of all springs of soft bodies, and the power [W] of their dampers to `power`.

    Blocks are shared with the helper thread if there is one; what crosses a block boundary is added afterwards by this
    thread alone, so the sums do not depend on which thread took which block.

    crew: (SIZE,) int64 shared counters (core/polhode/jit/work_sharing.py).
    """
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
    """Position [m] and velocity [m/s] of a spring's end, laboratory frame: point `number`, or anchor number - p."""
    p = len(points.mass)
    if number < p:
        rows = point_rows(points, state)
        return (rows[0, number], rows[1, number], rows[2, number]), (rows[3, number], rows[4, number], rows[5, number])
    return row(anchor_work.position, number - p), row(anchor_work.velocity, number - p)


@kernel
def pull_end(points: Points, point_work: PointWork, anchor_work: AnchorWork, number: int, force: Triple) -> None:
    """Add a force [N], laboratory frame, to a spring's end: point `number`, or anchor number - p."""
    p = len(points.mass)
    if number < p:
        for axis in range(3):
            point_work.force[axis, number] += force[axis]
    else:
        accumulate(anchor_work.force, number - p, force)


@kernel
def clear_anchors(anchor_work: AnchorWork) -> None:
    """Zero the forces on all anchors, at the start of the law of springs."""
    for q in range(len(anchor_work.force)):
        put(anchor_work.force, q, (0.0, 0.0, 0.0))


@kernel
def load_bodies(anchors: Anchors, body_work: BodyWork, anchor_work: AnchorWork) -> None:
    """Add the force F [N] on every anchor in a body to that body, and its torque r x F [N m] about the reference point.

    Forces on anchors in the laboratory are not used: what holds those is not part of the scene.
    """
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
    """Law: add the forces of all springs to points and anchors, and the powers [W] of their dampers to power[DAMPING].

    Springs of soft bodies by blocks (`add_runs`), single springs one by one.

    crew: (SIZE,) int64 shared counters (core/polhode/jit/work_sharing.py).
    """
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
    """U = k (l - l0)^2/2 [J] of one spring, or of eight at once.

    along: r [m] from one end to the other; rest: l0 [m]; stiffness: k [N/m].
    """
    stretch = sqrt(dot(along, along)) - rest
    return 0.5 * stiffness * (stretch * stretch)


@kernel
def spring_energy(
    points: Points,
    springs: Springs,
    runs: SpringRows,
    state: np.ndarray,
    anchor_work: AnchorWork,
    spring_work: SpringWork,
) -> float:
    """ENERGY: U = sum k (l - l0)^2/2 [J] of all springs, at the placed anchors."""
    energy = run_energy(points, runs, state, spring_work.groups)
    for s in range(len(springs.rest)):
        x_i, _ = end(points, state, anchor_work, springs.first[s])
        x_j, _ = end(points, state, anchor_work, springs.second[s])
        along = subtract(x_j, x_i)
        energy += stretch_energy(along, springs.rest[s], springs.stiffness[s])
    return energy


@kernel
def run_energy(points: Points, runs: SpringRows, state: np.ndarray, groups: np.ndarray) -> float:
    """U [J] of the springs of soft bodies, eight at a time. groups: (g, 4) uint32 of SpringWork"""
    rows, energy = point_rows(points, state), broadcast(0.0)
    for g in range(len(groups)):
        i, j, r, here = int(groups[g, 0]), int(groups[g, 1]), groups[g, 2], chosen_lanes(groups[g, 3])
        along = subtract(load_three(rows, 0, j, here), load_three(rows, 0, i, here))
        energy = energy + where(here, stretch_energy(along, runs.rest[r], runs.stiffness[r]), 0.0)
    return reduce_sum(energy)
