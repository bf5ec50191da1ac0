"""Contact of convex solids with spheres, points and each other by penalty forces.

Solids are convex cores rounded by a radius (arrays.py). What touches:

    vertices, spheres and points    with the nearest point of the other core (nearest.py)
    rims of cylinders               at four points, the first of them the nearest one, with the other core
    edges, rims, axes of cylinders  with each other where they cross (crossing.py)

Each contact overlaps by the sum of both radii less the distance of the cores. All distances are continuous and, as long
as cores do not meet, differentiable functions of position and orientation, so the sum of U = w k depth^2/2 is a
potential: without damping and friction energy is conserved, also where contact points come and go as a box slides over
the edge of another one. Nothing is remembered from step to step. (Spheropolyhedra: Galindo-Torres, Alonso-Marroquin,
Wang, Pedroso, Munoz Castano, Physical Review E 79, 060301, 2009; the weights of crossings are new.)
"""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt

import numpy as np

from core.engine.model import NOTHING
from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, add, components, cross, dot, row, scale, subtract
from core.physics.bodies.at_point import add_force_at, velocity_at
from core.physics.contact.arrays import Contacts, ContactWork, FrictionContacts
from core.physics.contact.colliders import Colliders, velocity_of
from core.physics.contact.friction.dry_friction import across
from core.physics.contact.solids.arrays import CYLINDER, STIFFNESS, TURNING, Solids, SolidWork
from core.physics.contact.solids.crossing import ZERO, Crossing, Edge, cross_edges, cross_inside
from core.physics.contact.solids.frames import Frame, frame_of, seen_from, to_local, to_outer, turned
from core.physics.contact.solids.nearest import Nearest, nearest_on, turning_by
from core.physics.contact.solids.press import (
    Law,
    law_of_solids,
    law_of_sphere,
    press_contact,
    resist_turning,
)

FEET = 4  # contact points of a rim: three are the fewest that support it
OWN = Frame(ZERO, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))  # a frame as seen from itself
LEVEL = 1e-24  # squared sine of the tilt below which a rim lies flat
ROUNDS = 8  # of Newton's method for the crossing of a rim with an edge
TRIES = 40  # largest number of steps to the nearest point of a rim
FADE = 2.0  # width over which crossings fade at the ends of edges, over the sum of both radii


@kernel
def turning_of(colliders: Colliders, frame: Frame, near: Nearest, a: int, p: int, b: int, at: Triple) -> Triple:
    """Rate [1/s] of the normal of the solid of body b at the nearest point to `at` [m], which moves with body a or
    point p; laboratory frame.
    """
    relative = subtract(velocity_of(colliders, a, p, at), velocity_of(colliders, b, NOTHING, at))
    bending = turning_by(near, components(relative, frame.x, frame.y, frame.z))
    rotation = cross(row(colliders.body_work.angular_velocity, b), turned(frame, near.normal))
    return add(rotation, turned(frame, bending))


@kernel
def is_near(solids: Solids, j: int, local: Triple, radius: float) -> bool:
    """Whether a sphere may touch solid j: it meets the bounding box. `local`: its centre [m] in the solid's frame."""
    touch = radius + solids.radius[j]
    return (
        abs(local[0]) < solids.bound[j, 0] + touch
        and abs(local[1]) < solids.bound[j, 1] + touch
        and abs(local[2]) < solids.bound[j, 2] + touch
    )


@kernel
def press_ball(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    j: int,
    frame: Frame,
    a: int,
    p: int,
    local: Triple,
    radius: float,
    law: Law,
) -> float:
    """Contact of solid j with a sphere of body a, or point p; returns the elastic energy [J], 0 if they are apart.

    frame: of the solid, as seen from the laboratory; local: centre of the sphere [m] in that frame; radius: [m].
    """
    touch = radius + solids.radius[j]
    near = nearest_on(solids, j, local, touch)
    depth = touch - near.distance
    if depth <= 0.0:
        return 0.0
    center, normal, b = to_outer(frame, local), turned(frame, near.normal), solids.body[j]
    turning = turning_of(colliders, frame, near, a, p, b, center)
    at = center if a == NOTHING else subtract(center, scale(radius - 0.5 * depth, normal))
    moving = subtract(velocity_of(colliders, a, p, center), scale(radius, turning))
    return press_contact(colliders, friction, power, (a, p, b), law, at, normal, turning, moving, depth, 1.0)


@kernel
def press_vertices(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    solids: Solids,
    solid_work: SolidWork,
    i: int,
    j: int,
    law: Law,
) -> float:
    """Contacts of the vertices and rims of solid i with solid j; returns the elastic energy [J]."""
    frame, a, radius, energy = frame_of(solid_work, j), solids.body[i], solids.radius[i], 0.0
    seen = seen_from(frame_of(solid_work, i), frame)
    for k in range(solids.first_vertex[i], solids.first_vertex[i + 1]):
        local = to_outer(seen, row(solids.vertex, k))
        if is_near(solids, j, local, radius):
            energy += press_ball(colliders, friction, power, solids, j, frame, a, NOTHING, local, radius, law)
    if solids.kind[i] != CYLINDER:
        return energy
    for end in range(2):
        center = to_outer(seen, (0.0, 0.0, (2 * end - 1) * solids.size[i, 2]))
        if nearest_on(solids, j, center, inf).distance > solids.size[i, 0] + radius + solids.radius[j]:
            continue
        lowest = nearest_on_rim(solids, j, seen, center, solids.size[i, 0])
        aside = cross(seen.z, lowest)
        for k in range(FEET):
            arm = scale((1.0 if k < 2 else -1.0) * solids.size[i, 0], lowest if k % 2 == 0 else aside)
            local = add(center, arm)
            if is_near(solids, j, local, radius):
                energy += press_ball(colliders, friction, power, solids, j, frame, a, NOTHING, local, radius, law)
    return energy


@kernel
def nearest_on_rim(solids: Solids, j: int, seen: Frame, center: Triple, radius: float) -> Triple:
    """Unit vector from the centre of a rim to its point nearest to the core of solid j, found by Newton's method,
    with bisection where that leaves the bracket; any one where the rim lies flat.

    The derivatives of the distance by the angle are r n.t and r (r t.dn - n.e), with the unit vectors e to the point of
    the rim and t along it, the normal n, and its change dn per displacement along t.

    seen: frame of the cylinder; center, radius: of the rim [m]; all as seen from solid j.
    """
    along = across(nearest_on(solids, j, center, inf).normal, seen.z)
    square = dot(along, along)
    if square < LEVEL:
        return seen.x
    middle = scale(-1.0 / sqrt(square), along)
    aside, low, high, angle, found = cross(seen.z, middle), -0.5 * pi, 0.5 * pi, 0.0, middle
    for _ in range(TRIES):
        found = add(scale(cos(angle), middle), scale(sin(angle), aside))
        near, tangent = nearest_on(solids, j, add(center, scale(radius, found)), inf), cross(seen.z, found)
        slope = dot(near.normal, tangent)
        low, high = (low, angle) if slope > 0.0 else (angle, high)
        if slope * slope < LEVEL:
            break
        curved = radius * dot(tangent, turning_by(near, tangent)) - dot(near.normal, found)
        angle = angle - slope / curved if curved > 0.0 else low
        if not low < angle < high:
            angle = 0.5 * (low + high)
    return found


@kernel
def edges_near(solids: Solids, i: int, j: int, seen: Frame, to: Frame, near: np.ndarray) -> int:
    """Write the edges of solid i that may touch solid j into `near` (e, 11), see SolidWork; returns how many they are.

    seen: frame of solid i, as seen from solid j.
    to: frame of solid i, as seen from that of the edges that are written.
    """
    count, bound = 0, row(solids.bound, j)
    for e in range(solids.first_edge[i], solids.first_edge[i + 1]):
        start, direction = row(solids.start, e), row(solids.direction, e)
        end = to_outer(seen, add(start, scale(solids.length[e], direction)))
        begin, touch = to_outer(seen, start), solids.thickness[e] + solids.radius[j]
        outside = False
        for axis in range(3):
            most = bound[axis] + touch
            outside = outside or min(begin[axis], end[axis]) > most or max(begin[axis], end[axis]) < -most
        if not outside:
            begin, along, outward = to_outer(to, start), turned(to, direction), turned(to, row(solids.outward, e))
            for axis in range(3):
                near[count, axis], near[count, 3 + axis], near[count, 6 + axis] = (
                    begin[axis],
                    along[axis],
                    outward[axis],
                )
            near[count, 9] = solids.length[e]
            near[count, 10] = solids.thickness[e]
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
def press_crossing(
    colliders: Colliders,
    friction: FrictionContacts,
    power: np.ndarray,
    frame: Frame,
    a: int,
    b: int,
    touch: float,
    found: Crossing,
    law: Law,
) -> float:
    """Apply the contact of two crossing edges of bodies a and b; returns the elastic energy [J], 0 if they are apart.

    frame: that of `found`, as seen from the laboratory; touch: sum of the thicknesses of both edges [m].
    """
    depth = touch - found.gap
    if found.weight <= 0.0 or not 0.0 < depth < 2.0 * touch:
        return 0.0
    normal, body_work = turned(frame, found.normal), colliders.body_work
    first, second = to_outer(frame, found.first), to_outer(frame, found.second)
    at = scale(0.5, add(first, second))
    turning = scale(0.5, add(row(body_work.angular_velocity, a), row(body_work.angular_velocity, b)))
    turning = cross(turning, normal)
    moving = scale(0.5, add(velocity_at(body_work, a, at), velocity_at(body_work, b, at)))
    energy = press_contact(
        colliders, friction, power, (a, NOTHING, b), law, at, normal, turning, moving, depth, found.weight
    )
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
    law: Law,
) -> float:
    """Contacts of crossing edges of solids i and j; returns the elastic energy [J]."""
    frame, other, energy = frame_of(solid_work, j), frame_of(solid_work, i), 0.0
    seen, a, b = seen_from(other, frame), solids.body[i], solids.body[j]
    width, first, second = FADE * (solids.radius[i] + solids.radius[j]), solid_work.near[0], solid_work.near[1]
    of_first = edges_near(solids, i, j, seen, seen, first)
    of_second = edges_near(solids, j, i, seen_from(frame, other), OWN, second) if of_first > 0 else 0
    for m in range(of_first):
        edge = edge_in(first, m)
        for n in range(of_second):
            partner = edge_in(second, n)
            if cross_inside(edge, partner):
                touch = first[m, 10] + second[n, 10]
                found = cross_edges(edge, partner, width)
                energy += press_crossing(colliders, friction, power, frame, a, b, touch, found, law)
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
    sine, apart = 1.0 - c * c, subtract(found.first, found.second)
    if found.weight <= 0.0:
        return at
    offset = dot(subtract(found.first, tangent.start), tangent.direction) - middle
    share = sine / (sine - dot(tangent.bend, apart))
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
    law: Law,
) -> float:
    """Contacts of the rims of cylinder i with the edges of solid j that cross them; returns the elastic energy [J].

    A line crosses a rim at most twice, seen along the axis of the cylinder; each crossing is then found by Newton's
    method on the tangents of the rim.
    """
    frame, other, energy = frame_of(solid_work, i), frame_of(solid_work, j), 0.0
    seen, radius = seen_from(other, frame), solids.size[i, 0]
    count = edges_near(solids, j, i, seen, seen, solid_work.near[0])
    width = FADE * (solids.radius[i] + solids.radius[j])
    for m in range(count):
        edge, touch = edge_in(solid_work.near[0], m), solid_work.near[0, m, 10] + solids.radius[i]
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
                    energy += press_crossing(
                        colliders, friction, power, frame, solids.body[i], solids.body[j], touch, found, law
                    )
    return energy


@kernel
def are_apart(solids: Solids, a: int, b: int) -> bool:
    """Whether bodies a and b do not press on each other: they are the same, or tied by a joint."""
    if a == b:
        return True
    for k in range(solids.first_apart[a], solids.first_apart[a + 1]):
        if solids.apart[k] == b:
            return True
    return False


@kernel
def boxes_meet(solids: Solids, i: int, j: int, seen: Frame) -> bool:
    """Whether the bounding boxes of solids i and j overlap along each axis of both.

    seen: frame of solid i, as seen from solid j.
    """
    touch, axes = solids.radius[i] + solids.radius[j], (seen.x, seen.y, seen.z)
    for k in range(3):
        wide = solids.bound[j, k] + touch
        tall = solids.bound[i, k] + touch
        for other in range(3):
            wide += abs(axes[other][k]) * solids.bound[i, other]
            tall += abs(axes[k][other]) * solids.bound[j, other]
        if abs(seen.origin[k]) > wide or abs(dot(seen.origin, axes[k])) > tall:
            return False
    return True


@kernel
def add_solids(
    colliders: Colliders,
    solids: Solids,
    solid_work: SolidWork,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: all solids against each other; returns the elastic energy [J].

    Pairs are rejected by their bounding spheres: a million pairs in some milliseconds.

    colliders: forces and torques of bodies are added to.
    friction: contacts with dry friction are appended.
    """
    energy = 0.0
    for i in range(len(solids.body)):
        here, reach, a = row(solid_work.center, i), solids.reach[i], solids.body[i]
        for j in range(i):
            between, touch = subtract(here, row(solid_work.center, j)), reach + solids.reach[j]
            if dot(between, between) >= touch * touch or are_apart(solids, a, solids.body[j]):
                continue
            if not boxes_meet(solids, i, j, seen_from(frame_of(solid_work, i), frame_of(solid_work, j))):
                continue
            law = law_of_solids(solids, i, j)
            energy += press_vertices(colliders, friction, power, solids, solid_work, i, j, law)
            energy += press_vertices(colliders, friction, power, solids, solid_work, j, i, law)
            energy += press_edges(colliders, friction, power, solids, solid_work, i, j, law)
            if solids.kind[i] == CYLINDER:
                energy += press_rims(colliders, friction, power, solids, solid_work, i, j, law)
            if solids.kind[j] == CYLINDER:
                energy += press_rims(colliders, friction, power, solids, solid_work, j, i, law)
    return energy


@kernel
def add_spheres_on_solids(
    colliders: Colliders,
    contacts: Contacts,
    contact_work: ContactWork,
    solids: Solids,
    solid_work: SolidWork,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: all spheres of bodies and points against all solids; returns the elastic energy [J].

    colliders: forces and torques of bodies and forces on points are added to.
    friction: contacts with dry friction are appended.
    """
    energy = 0.0
    for j in range(len(solids.body)):
        frame, b, reach = frame_of(solid_work, j), solids.body[j], solids.reach[j]
        for i in range(len(contacts.radius)):
            center, a = row(contact_work.position, i), contacts.body[i]
            between, touch = subtract(center, frame.origin), reach + contacts.radius[i]
            if dot(between, between) >= touch * touch or (a != NOTHING and are_apart(solids, a, b)):
                continue
            local, p, radius = to_local(frame, center), contacts.point[i], contacts.radius[i]
            if not is_near(solids, j, local, radius):
                continue
            law = law_of_sphere(contacts, i, solids, j)
            gained = press_ball(colliders, friction, power, solids, j, frame, a, p, local, radius, law)
            if gained > 0.0 and a != NOTHING and law[TURNING] > 0.0:
                resist_turning(colliders, power, a, b, law[TURNING])
            energy += gained
    return energy
