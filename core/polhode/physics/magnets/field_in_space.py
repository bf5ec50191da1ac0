"""The magnetic field in space, of all dipoles, iron, coils, metal and the world: at points, and along field lines.

B = B_world + sum mu0/(4 pi d^3) {3 (p.r) r/d^2 - p} (pair.py) + sum I B_coil (loop.py and solenoid.py), and that of
cuboids, cylinders, tubes and spheres in closed form (exact/in_space.py), however they act on each other. A field line
is dx/ds = B/|B|, integrated by the classical Runge-Kutta method with steps in proportion to the distance of the nearest
dipole or wire; a cubic with the directions at both ends gives the points between. Used for drawing; nothing of a step
depends on it.
"""

from __future__ import annotations

from dataclasses import replace
from math import pi, sqrt

import numpy as np

from polhode.engine.model import NOTHING, Inputs, Model
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.simd import WIDTH, any_lane, broadcast, first_lanes, load, load_three, reduce_min, reduce_sum, where
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, add, dot, put, row, scale, subtract
from polhode.physics.coils.windings.loop import of_loop
from polhode.physics.coils.windings.segments import of_segment
from polhode.physics.coils.windings.solenoid import of_sheet
from polhode.physics.conductors.outside import field_of_metal
from polhode.physics.induced.outside import with_induced
from polhode.physics.iron.outside import PARTS, panel_dipoles
from polhode.physics.magnets.arrays import NO_FIELD, WorldField
from polhode.physics.magnets.exact.in_space import NO_SOLIDS, Solids, field_of_solid, placed_solids
from polhode.physics.magnets.exact.solids import CENTER, three
from polhode.physics.magnets.field_by_formula import field_by_formula
from polhode.physics.magnets.magnetic import world_field
from polhode.physics.magnets.pair import pair

STEP = 0.2  # length of a step along a line, relative to the distance of the nearest dipole
LONGEST = 0.08  # largest length of a step, in radii of the sphere where lines end
PIECES = 3  # points drawn per step: a step turns by up to 3 STEP = 34 degrees, at the equator of a dipole
STEPS = 64  # largest number of steps of a line; bounds its cost
POINTS = 1 + PIECES * STEPS  # capacity of a line
EDGES = 2.5  # of a panel of iron: the least distance of its dipole that counts for the steps of lines
NEAR = 0.2  # of the square of that distance: below that its parts count instead of it, beyond it less and less
FAR = 1e100  # [m] distance of padding sources
NO_SHEETS, NO_PIECES, NO_CURRENTS, NO_PARTS = np.zeros((0, 9)), np.zeros((0, 7)), np.zeros(0), np.zeros((6, 0))
AT_EDGE, AT_MAGNET, UNFINISHED = range(3)  # how a line ends: on the sphere, at a dipole, or after STEPS


class Sources(KernelStruct):
    """Sources of the magnetic field at one time, laboratory frame."""

    position: np.ndarray
    """(m, 3) [m] of the dipoles."""
    moment: np.ndarray
    """(m, 3) [A m^2]."""
    uniform: np.ndarray
    """(3,) [T] the world's field, laboratory frame."""
    permeability: float
    """[T m/A]."""
    rows: np.ndarray
    """(8, k) x, y, z [m], moments [A m^2], the square [m^2] of the distance below which a dipole does not count as
    nearer, and the number of its parts in `fine` or -1, in rows; blocks are padded to whole SIMD vectors by sources at
    FAR without moment."""
    world: WorldField
    """The world's field, of which the formulas are evaluated at each point."""
    time: float
    """[s]."""
    pieces: np.ndarray
    """(g, 7) straight pieces of wire: begin and end [m], and turns times current [A]."""
    sheets: np.ndarray
    """(c, 9) current sheets of coils, and rings of metal: centre [m], axis, radius [m], half length [m], turns times
    current [A]."""
    solids: np.ndarray
    """(s, COLUMNS) magnets with a closed form (exact/solids.py), laboratory frame."""
    block: np.ndarray
    """(b, 4) int64 columns of `rows` from ... to, and the solids from ... to that they fill; the first block has
    none."""
    far: np.ndarray
    """(b,) [m^2] square of the distance from the middle of its solids beyond which the dipoles of a block count."""
    fine: np.ndarray
    """(6, p) x, y, z [m] and moments [A m^2] of parts that count in place of a dipole that is near."""


def sources(
    model: Model,
    inputs: Inputs,
    origin: np.ndarray,
    basis: np.ndarray,
    time: float,
    currents: np.ndarray = NO_CURRENTS,
    in_metal: np.ndarray = NO_CURRENTS,
    charges: np.ndarray = NO_CURRENTS,
) -> Sources:
    """The sources of the field at `time` [s], laboratory frame: magnets, panels of iron, coils, metal and the world.

    origin: (n, 3) [m] of the bodies' origins.
    basis: (n, 3, 3) rows u1, u2, u3 of the bodies.
    currents: (k,) [A] of the coils.
    in_metal: (n,) [A] of the nodes of conductors; none: no currents.
    charges: (p,) [A m] of the panels of iron; none: they are solved for.
    """
    owner = np.repeat(np.arange(len(origin)), np.diff(model.dipoles.first))
    arm = model.dipoles.position - model.bodies.origin[owner]
    own = np.einsum("mi,mij->mj", model.dipoles.moment, basis[owner])
    own = with_induced(own, model, inputs, origin, basis, time, currents)
    iron = panel_dipoles(model, inputs, origin, basis, time, currents, charges)
    triangles, of_triangles, sides, rings = field_of_metal(model, origin, basis, in_metal)
    sheets, pieces = _wires(model, origin, basis, currents)
    return sources_of(
        np.vstack([origin[owner] + np.einsum("mi,mij->mj", arm, basis[owner]), iron.position, triangles]),
        np.vstack([own, iron.moment, of_triangles]),
        np.array(world_field(inputs.field, time)),
        model.permeability,
        inputs.field,
        time,
        np.vstack([sheets, rings]),
        pieces,
        np.concatenate([np.zeros(len(owner)), EDGES * iron.edge, EDGES * sides]),
        Solids(placed_solids(model.exact, model.bodies.origin, origin, basis), model.exact.filled, model.exact.reach),
        iron.fine,
        np.concatenate([np.full(len(owner), -1), iron.number, np.full(len(triangles), -1)]),
    )


def _wires(model: Model, origin: np.ndarray, basis: np.ndarray, currents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The current sheets of all coils, and the straight pieces, as in `Sources`."""
    coils, sheets, pieces = model.coils, [], []
    for k, body in enumerate(coils.body):
        center, axes = coils.position[k], coils.basis[k]
        if body != NOTHING:
            center = origin[body] + (center - model.bodies.origin[body]) @ basis[body]
            axes = axes @ basis[body]
        for radius, half, turns in coils.sheet[coils.first_sheet[k] : coils.first_sheet[k + 1]]:
            sheets.append([*center, *axes[2], radius, half, turns * currents[k]])
        for piece in coils.segment[coils.first_segment[k] : coils.first_segment[k + 1]]:
            ends = center + piece.reshape(2, 3) @ axes
            pieces.append([*ends.ravel(), coils.turns[k] * currents[k]])
    return np.array(sheets).reshape(-1, 9), np.array(pieces).reshape(-1, 7)


def sources_of(
    position: np.ndarray,
    moment: np.ndarray,
    uniform: np.ndarray,
    permeability: float,
    world: WorldField = NO_FIELD,
    time: float = 0.0,
    sheets: np.ndarray = NO_SHEETS,
    pieces: np.ndarray = NO_PIECES,
    least: np.ndarray | None = None,
    solids: Solids = NO_SOLIDS,
    fine: np.ndarray = NO_PARTS,
    number: np.ndarray | None = None,
) -> Sources:
    """Sources for given dipoles.

    position: (m, 3) [m]; moment: (m, 3) [A m^2]; uniform: (3,) [T]; laboratory frame.
    permeability: mu0 [T m/A].
    world: the field whose formulas, if it has any, are added at `time` [s].
    sheets: (c, 9), pieces: (g, 7) as in `Sources`.
    least: (m,) [m] the distance of each dipole below which it does not count as nearer; none: 0.
    solids: magnets with a closed form, which some of the dipoles fill.
    fine: (6, p) positions [m] and moments [A m^2] of PARTS dipoles in place of one that is near;
    number: (m,) index of the first of them, -1 for a dipole without; none: all without.
    """
    numbers = np.full(len(position), -1.0) if number is None else number
    squares = np.zeros(len(position)) if least is None else least**2
    columns = np.column_stack([position, moment, squares, numbers])
    alone, parts, block, at = np.ones(len(position), bool), [np.zeros((0, 8))], [], 0
    filled = np.unique(solids.filled, axis=0)
    for begin, end in filled:
        alone[begin:end] = False
    for begin, end in [(-1, -1), *filled]:
        part = columns[alone] if end < 0 else columns[begin:end]
        same = np.flatnonzero((solids.filled == (begin, end)).all(axis=1))
        parts += [part, np.tile((FAR, FAR, FAR, 0.0, 0.0, 0.0, 0.0, -1.0), (-len(part) % WIDTH, 1))]
        count = len(part) + len(parts[-1])
        block.append((at, at + count, *((same[0], same[-1] + 1) if len(same) else (0, 0))))
        at += count
    rows, blocks = np.ascontiguousarray(np.vstack(parts).T), np.array(block, np.int64)
    far = np.append(-1.0, solids.reach[blocks[1:, 2]] ** 2)
    parts_of = np.ascontiguousarray(fine)
    return Sources(
        position, moment, uniform, permeability, rows, world, time, pieces, sheets, solids.rows, blocks, far, parts_of
    )


@kernel
def field_of_sheet(x: Triple, sheet: np.ndarray, permeability: float) -> tuple[Triple, float]:
    """B [T] at x [m] of a current sheet (9,) of `Sources`, and the square of the distance [m^2] to its wire."""
    axis, radius, half = (sheet[3], sheet[4], sheet[5]), sheet[6], sheet[7]
    r = subtract(x, (sheet[0], sheet[1], sheet[2]))
    z = dot(r, axis)
    across = subtract(r, scale(z, axis))
    rho = sqrt(dot(across, across))
    found = of_sheet(radius, half, rho, z, permeability) if half > 0.0 else of_loop(radius, rho, z, permeability)
    field = add(scale(found.radial, across), scale(found.axial, axis))
    beyond = max(abs(z) - half, 0.0)
    return scale(sheet[8], field), (rho - radius) ** 2 + beyond**2


@kernel
def field_of_piece(x: Triple, piece: np.ndarray, permeability: float) -> tuple[Triple, float]:
    """B [T] at x [m] of a straight piece of wire (7,) of `Sources`, and the square of the distance [m^2] to it."""
    p, q = (piece[0], piece[1], piece[2]), (piece[3], piece[4], piece[5])
    around, factor, _ = of_segment(p, q, x)
    a, along = subtract(x, p), subtract(q, p)
    share = min(max(dot(a, along) / dot(along, along), 0.0), 1.0)
    beside = subtract(a, scale(share, along))
    return scale(permeability / (4.0 * pi) * piece[6] * factor, around), dot(beside, beside)


@kernel
def instead_of_near(x: Triple, first: int, sources: Sources) -> Triple:
    """Difference of B [T] at x [m] of parts and of the dipoles that they stand in for, those of the vector of rows that
    begins with `first` that are near; it fades out with the distance.
    """
    rows, fine, zero, lanes, total = sources.rows, sources.fine, broadcast(0.0), first_lanes(WIDTH), (0.0, 0.0, 0.0)
    for k in range(first, first + WIDTH):
        r = subtract((rows[0, k], rows[1, k], rows[2, k]), x)
        begin, square, least = int(rows[7, k]), dot(r, r), rows[6, k]
        if begin < 0 or square > least:
            continue
        coarse, _, _ = pair(r, (0.0, 0.0, 0.0), (rows[3, k], rows[4, k], rows[5, k]), sources.permeability)
        found = (zero, zero, zero)
        for i in range(begin, begin + PARTS, WIDTH):
            at = subtract(load_three(fine, 0, i, lanes), x)
            of_parts, _, _ = pair(at, (0.0, 0.0, 0.0), load_three(fine, 3, i, lanes), sources.permeability)
            found = add(found, of_parts)
        share = min(1.0, (least - square) / (least * (1.0 - NEAR)))
        total = add(total, scale(share, subtract(total_three(found), coarse)))
    return total


@kernel
def field_at(x: Triple, sources: Sources) -> tuple[Triple, float]:
    """B [T] at a point x [m], and the square of the distance [m^2] to the nearest dipole or wire.

    The contribution of a dipole is that of the pair law; at the dipole itself the field is singular. Magnets with a
    closed form have it where their cloud of dipoles would differ from it, and inside.
    """
    zero, nearest, all_lanes = broadcast(0.0), broadcast(np.inf), first_lanes(WIDTH)
    field, of_solids = (zero, zero, zero), (0.0, 0.0, 0.0)
    for b in range(len(sources.block)):
        is_far, solid = True, sources.block[b, 2]
        if sources.block[b, 3] > solid:
            r = subtract(three(sources.solids, solid, CENTER), x)
            is_far = dot(r, r) > sources.far[b]
        for i in range(sources.block[b, 0], sources.block[b, 1], WIDTH):
            r = subtract(load_three(sources.rows, 0, i, all_lanes), x)
            square = dot(r, r)
            least = load(sources.rows, 6, i)
            counted = where(least > square, least, square)
            nearest = where(nearest > counted, counted, nearest)
            if is_far:
                part, _, _ = pair(r, (0.0, 0.0, 0.0), load_three(sources.rows, 3, i, all_lanes), sources.permeability)
                field = add(field, part)
                if sources.fine.shape[1] > 0 and any_lane(least > square):
                    of_solids = add(of_solids, instead_of_near(x, i, sources))
        if not is_far:
            for s in range(solid, sources.block[b, 3]):
                of_solids = add(of_solids, field_of_solid(x, sources.solids, s, sources.permeability))
    uniform = (sources.uniform[0], sources.uniform[1], sources.uniform[2])
    if sources.world.value.address != 0:
        uniform = add(uniform, field_by_formula(sources.world, x, sources.time))
    closest = reduce_min(nearest)
    for c in range(len(sources.sheets)):
        of_coil, square = field_of_sheet(x, sources.sheets[c], sources.permeability)
        uniform, closest = add(uniform, of_coil), min(closest, square)
    for g in range(len(sources.pieces)):
        of_wire, square = field_of_piece(x, sources.pieces[g], sources.permeability)
        uniform, closest = add(uniform, of_wire), min(closest, square)
    uniform = add(uniform, of_solids)
    return add(uniform, (reduce_sum(field[0]), reduce_sum(field[1]), reduce_sum(field[2]))), closest


@kernel
def fields(points: np.ndarray, sources: Sources, field: np.ndarray) -> None:
    """Write B [T] at points (n, 3) [m] into `field` (n, 3)."""
    for k in range(len(points)):
        put(field, k, field_at(row(points, k), sources)[0])


def world_at(point: np.ndarray, sources: Sources) -> np.ndarray:
    """(3,) [T] the world's field alone at a point (3,) [m]."""
    found = np.empty((1, 3))
    fields(np.array([point]), replace(sources, block=sources.block[:0], sheets=NO_SHEETS, pieces=NO_PIECES), found)
    return np.asarray(found[0])


@kernel
def direction(x: Triple, sense: float, sources: Sources) -> tuple[Triple, float, float]:
    """Unit vector along B, or against it for sense -1, at x; |B| [T]; squared distance [m^2] to the nearest source."""
    field, nearest = field_at(x, sources)
    strength = sqrt(dot(field, field))
    return scale(sense / strength, field), strength, nearest


@kernel
def step_along(x: Triple, t1: Triple, h: float, sense: float, sources: Sources) -> Triple:
    """x [m] a length h [m] further along dx/ds = B/|B|, by one step of the classical Runge-Kutta method.

    t1: direction at x; sense: 1, or -1 to go against B.
    """
    t2, _, _ = direction(add(x, scale(h / 2, t1)), sense, sources)
    t3, _, _ = direction(add(x, scale(h / 2, t2)), sense, sources)
    t4, _, _ = direction(add(x, scale(h, t3)), sense, sources)
    return add(x, scale(h / 6, add(add(t1, t4), scale(2.0, add(t2, t3)))))


@kernel
def between(a: Triple, b: Triple, t_a: Triple, t_b: Triple, h: float, s: float) -> Triple:
    """Point at 0 <= s <= 1 of the cubic from a to b with the directions t_a and t_b there; h is the length."""
    start, end = (1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s)
    leaving, coming = h * s * (1 - s) ** 2, -h * s * s * (1 - s)
    return add(add(scale(start, a), scale(end, b)), add(scale(leaving, t_a), scale(coming, t_b)))


@kernel
def inside_any(x: Triple, centers: np.ndarray, radii: np.ndarray) -> bool:
    """Whether x is within one of the spheres (n, 3), (n,) [m]."""
    for i in range(len(radii)):
        r = subtract(x, row(centers, i))
        if dot(r, r) < radii[i] * radii[i]:
            return True
    return False


@kernel
def trace(
    seeds: np.ndarray,
    senses: np.ndarray,
    sources: Sources,
    centers: np.ndarray,
    radii: np.ndarray,
    middle: np.ndarray,
    reach: float,
    lines: np.ndarray,
    strengths: np.ndarray,
    ends: np.ndarray,
) -> None:
    """Field lines from seeds, each of up to STEPS steps.

    A line ends within a sphere of `centers` and `radii`, the magnets, on the sphere of radius `reach` [m] about
    `middle`, or after STEPS.

    seeds: (k, 3) [m], laboratory frame; senses: (k,) 1, or -1 to go against B.
    centers: (n, 3) [m]; radii: (n,) [m]; middle: (3,) [m].
    lines: (k, POINTS, 3) [m] written; behind the end of a line its last point is repeated.
    strengths: (k, POINTS) [T] |B| at these points, written.
    ends: (k,) one of AT_EDGE, AT_MAGNET and UNFINISHED for each line, written.
    """
    heart = (middle[0], middle[1], middle[2])
    for k in range(len(seeds)):
        x = row(seeds, k)
        t, strength, nearest = direction(x, senses[k], sources)
        put(lines[k], 0, x)
        strengths[k, 0] = strength
        count, ends[k] = 1, UNFINISHED
        for _ in range(STEPS):
            r = subtract(x, heart)
            if not dot(r, r) < reach * reach:  # also for nan
                ends[k] = AT_EDGE
                break
            h = min(STEP * sqrt(nearest), LONGEST * reach)
            y = step_along(x, t, h, senses[k], sources)
            t_y, strength_y, nearest = direction(y, senses[k], sources)
            for piece in range(PIECES):
                s = (piece + 1) / PIECES
                put(lines[k], count, between(x, y, t, t_y, h, s))
                strengths[k, count] = strength + s * (strength_y - strength)
                count += 1
            x, t, strength = y, t_y, strength_y
            if inside_any(x, centers, radii):
                ends[k] = AT_MAGNET
                break
        for rest in range(count, POINTS):
            put(lines[k], rest, row(lines[k], count - 1))
            strengths[k, rest] = strengths[k, count - 1]
