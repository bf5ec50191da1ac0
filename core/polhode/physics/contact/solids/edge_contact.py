"""Contact of crossing edges of two solids: straight edges, axes of cylinders and capsules, and rims of cylinders."""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.bodies.at_point import add_force_at, velocity_at
from polhode.physics.contact.colliders import Colliders
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_rows import ContactGeometry, Roundness, across
from polhode.physics.contact.solids.arrays import STIFFNESS, Solids, SolidWork
from polhode.physics.contact.solids.crossing import ZERO, Crossing, Edge, cross_edges, cross_inside
from polhode.physics.contact.solids.frames import Frame, frame_of, to_outer, turned
from polhode.physics.contact.solids.press import Law, press_contact

OWN = Frame(ZERO, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))  # a frame as seen from itself
ROUNDS = 8  # of Newton's method for the crossing of a rim with an edge
FADE = 2.0  # width over which crossings fade at the ends of edges, over the sum of both radii


@kernel
def edges_near(solids: Solids, i: int, j: int, seen: Frame, in_other: bool, near: np.ndarray) -> int:
    """Write the edges of solid i that may touch solid j into `near` (e, 11), see SolidWork; returns how many they are.

    seen: frame of solid i, as seen from solid j.
    in_other: write them as seen from solid j, else in the frame of solid i.
    """
    count, bound = 0, row(solids.bound, j)
    for e in range(solids.first_edge[i], solids.first_edge[i + 1]):
        start, direction, length = row(solids.start, e), row(solids.direction, e), solids.length[e]
        begin, along, touch = to_outer(seen, start), turned(seen, direction), solids.thickness[e] + solids.radius[j]
        outside = False
        for axis in range(3):
            most, end = bound[axis] + touch, begin[axis] + length * along[axis]
            outside = outside or min(begin[axis], end) > most or max(begin[axis], end) < -most
        if not outside:
            outward = row(solids.outward, e)
            if in_other:
                start, direction, outward = begin, along, turned(seen, outward)
            for axis in range(3):
                near[count, axis], near[count, 3 + axis], near[count, 6 + axis] = (
                    start[axis],
                    direction[axis],
                    outward[axis],
                )
            near[count, 9], near[count, 10] = length, solids.thickness[e]
            count += 1
    return count


@kernel
def edge_in(near: np.ndarray, k: int) -> Edge:
    """Edge k of an array (e, 11), see SolidWork."""
    return Edge(
        (near[k, 0], near[k, 1], near[k, 2]),
        (near[k, 3], near[k, 4], near[k, 5]),
        near[k, 9],
        (near[k, 6], near[k, 7], near[k, 8]),
        ZERO,
    )


@kernel
def crossing_geometry(
    body_work: BodyWork,
    frame: Frame,
    a: int,
    b: int,
    edges: tuple[Edge, Edge],
    found: Crossing,
    arm: float,
) -> ContactGeometry:
    """Where crossing edges of bodies a and b touch, `arm` [m] below the nearest point of the first, and its rate.

    The nearest points p and q wander along their edges with s' and t'. With D = p - q, the relative velocity w of both
    as points of their bodies, and notation of crossing.py, D.u = D.v = 0 stays so:

        H s' = c (w.v + D.(omega' x v)) - (w.u + D.(omega x u))        t' = c s' + w.v + D.(omega' x v)
        dn/dt = across n of (du/dt x v + u x dv/dt)/(n.(u x v))        du/dt = omega x u - s' b, dv/dt = omega' x v

    frame: that of edges and `found`, as seen from the laboratory.
    """
    u, v, bend = turned(frame, edges[0].direction), turned(frame, edges[1].direction), turned(frame, edges[0].bend)
    normal, first, second = turned(frame, found.normal), to_outer(frame, found.first), to_outer(frame, found.second)
    separation, c, going = subtract(first, second), dot(u, v), velocity_at(body_work, a, first)
    relative = subtract(going, velocity_at(body_work, b, second))
    u_rate, v_rate = cross(row(body_work.angular_velocity, a), u), cross(row(body_work.angular_velocity, b), v)
    on_first, on_second = dot(relative, u) + dot(separation, u_rate), dot(relative, v) + dot(separation, v_rate)
    along = (c * on_second - on_first) / (1.0 - c * c - dot(bend, separation))
    u_rate = subtract(u_rate, scale(along, bend))
    turning = across(add(cross(u_rate, v), cross(u, v_rate)), normal)
    turning = scale(1.0 / dot(normal, cross(u, v)), turning)
    moving = subtract(add(going, scale(along, u)), add(scale(arm, turning), scale(0.5 * dot(relative, normal), normal)))
    return ContactGeometry(subtract(first, scale(arm, normal)), normal, turning, moving)


@kernel
def press_crossing(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    frame: Frame,
    a: int,
    b: int,
    edges: tuple[Edge, Edge],
    thickness: tuple[float, float],
    found: Crossing,
    law: Law,
) -> float:
    """Apply the contact of two crossing edges of bodies a and b; returns the elastic energy [J], 0 if they are apart.

    frame: that of `found`, as seen from the laboratory; edges, thickness: of both [m].
    """
    touch = thickness[0] + thickness[1]
    depth = touch - found.gap
    if found.weight <= 0.0 or not 0.0 < depth < 2.0 * touch:
        return 0.0
    body_work, first, second = colliders.body_work, to_outer(frame, found.first), to_outer(frame, found.second)
    geometry = crossing_geometry(body_work, frame, a, b, edges, found, thickness[0] - 0.5 * depth)
    u, v = turned(frame, edges[0].direction), turned(frame, edges[1].direction)
    inverse = 1.0 / sqrt(dot(cross(u, v), cross(u, v)))
    round_by = Roundness(0.0, scale(inverse * sqrt(thickness[0]), v), scale(inverse * sqrt(thickness[1]), u))
    energy = press_contact(colliders, friction, power, (a, NOTHING, b), law, geometry, round_by, depth, found.weight)
    potential = 0.5 * law[STIFFNESS] * depth * depth
    force = scale(potential, turned(frame, found.force))
    add_force_at(body_work, a, first, force)
    add_force_at(body_work, b, second, scale(-1.0, force))
    accumulate(body_work.torque, a, scale(potential, turned(frame, found.couple_on_first)))
    accumulate(body_work.torque, b, scale(potential, turned(frame, found.couple_on_second)))
    return energy


@kernel
def press_edges(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    solid_work: SolidWork,
    i: int,
    j: int,
    seen: tuple[Frame, Frame],
    law: Law,
) -> float:
    """Contacts of crossing edges of solids i and j; returns the elastic energy [J].

    seen: frames of solid i, as seen from solid j, and of solid j, as seen from solid i.
    """
    frame, energy, a, b = frame_of(solid_work, j), 0.0, solids.body[i], solids.body[j]
    width, first, second = FADE * (solids.radius[i] + solids.radius[j]), solid_work.near[0], solid_work.near[1]
    of_first = edges_near(solids, i, j, seen[0], True, first)
    of_second = edges_near(solids, j, i, seen[1], False, second) if of_first > 0 else 0
    for m in range(of_first):
        edge = edge_in(first, m)
        for n in range(of_second):
            partner = edge_in(second, n)
            if cross_inside(edge, partner):
                edges, thickness = (edge, partner), (first[m, 10], second[n, 10])
                found = cross_edges(edge, partner, width)
                energy += press_crossing(colliders, friction, power, frame, a, b, edges, thickness, found, law)
    return energy


@kernel
def rim_edge(seen: Frame, center: Triple, radius: float, at: Triple) -> Edge:
    """Tangent, in place of an edge, of a rim at its point nearest to `at` [m]; its middle is that point.

    seen: frame of the cylinder; center, radius: of the rim [m].
    """
    outward = across(subtract(at, center), seen.z)
    size = sqrt(dot(outward, outward))
    outward = scale(1.0 / size, outward) if size > 0.0 else seen.x
    tangent = cross(seen.z, outward)
    start = add(center, add(scale(radius, outward), scale(-radius, tangent)))
    return Edge(start, tangent, 2.0 * radius, ZERO, scale(1.0 / radius, outward))


@kernel
def next_on_rim(tangent: Edge, edge: Edge, found: Crossing, at: Triple) -> Triple:
    """Point [m] on the tangent of a rim nearer to its crossing with an edge: one step of Newton's method on
    u.D = v.D = 0; `at` [m] where there is none.
    """
    c, middle = dot(tangent.direction, edge.direction), 0.5 * tangent.length
    sine, separation = 1.0 - c * c, subtract(found.first, found.second)
    if found.weight <= 0.0:
        return at
    offset = dot(subtract(found.first, tangent.start), tangent.direction) - middle
    share = sine / (sine - dot(tangent.bend, separation))
    return add(tangent.start, scale(middle + share * offset, tangent.direction))


@kernel
def press_rims(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    solid_work: SolidWork,
    i: int,
    j: int,
    seen: Frame,
    law: Law,
) -> float:
    """Contacts of the rims of cylinder i with the edges of solid j that cross them; returns the elastic energy [J].

    seen: frame of solid j, as seen from the cylinder.

    A line crosses a rim at most twice, seen along the axis of the cylinder; each crossing is then found by Newton's
    method on the tangents of the rim.
    """
    frame, radius, energy = frame_of(solid_work, i), solids.size[i, 0], 0.0
    count = edges_near(solids, j, i, seen, True, solid_work.near[0])
    width = FADE * (solids.radius[i] + solids.radius[j])
    for m in range(count):
        edge, thickness = edge_in(solid_work.near[0], m), (solids.radius[i], solid_work.near[0, m, 10])
        x, y, u, v = edge.start[0], edge.start[1], edge.direction[0], edge.direction[1]
        square, half = u * u + v * v, x * u + y * v
        root = half * half - square * (x * x + y * y - radius * radius)
        if root <= 0.0 or square < 1e-12:
            continue
        for side in range(2):
            t = (-half + (2 * side - 1) * sqrt(root)) / square
            for end in range(2):
                center = (0.0, 0.0, (2 * end - 1) * solids.size[i, 2])
                at = add(edge.start, scale(t, edge.direction))
                tangent = rim_edge(OWN, center, radius, at)
                found = cross_edges(tangent, edge, width)
                for _ in range(ROUNDS):
                    at = next_on_rim(tangent, edge, found, at)
                    tangent = rim_edge(OWN, center, radius, at)
                    found = cross_edges(tangent, edge, width)
                facing = found.normal[2] * center[2] < 0.0
                if facing:
                    edges, a, b = (tangent, edge), solids.body[i], solids.body[j]
                    energy += press_crossing(colliders, friction, power, frame, a, b, edges, thickness, found, law)
    return energy
