"""Curved surfaces: contact at the nearest point, by the law of contacts (sphere_contact.py; Endo numbers 2, 4 and 6).

On z = f(x, y) with p = (x, y, f) the nearest point to the centre c is where (c - p).p_x = (c - p).p_y = 0, found by
Newton's method from the point below c; the normal is (-f_x, -f_y, 1)/sqrt(1 + f_x^2 + f_y^2). On a mesh it is the
nearest point of the triangles near c. A sphere smaller than the surface's hollows has one such point; a larger one
touches at one of them only. Surfaces are fixed, so their forces do no work of their own.
"""

from __future__ import annotations

from math import floor, sqrt

import numpy as np

from polhode.engine.ledger import CONTACT
from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_2_6
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, cross, dot, row, scale, subtract
from polhode.mesh.triangles import nearest_on_triangle
from polhode.physics.contact.arrays import Surfaces
from polhode.physics.contact.colliders import Colliders, add_force_to, mobility, stiffness_column, velocity_of
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_friction import add_friction_contact
from polhode.physics.contact.friction.dry_rows import ContactGeometry, across, sphere_of
from polhode.physics.contact.sphere_contact import contact_energy, contact_force, impact_damping
from polhode.physics.points.arrays import point_rows

ROUNDS = 30  # of Newton's method
CONVERGED = 1e-28  # squared step relative to the squared radius at which the iteration has converged
LEVEL = 1 - 1e-12  # cosine between a normal and that of a face above which they are the same
THIN = 1e-18  # squared distance from an edge over its squared length below which a point lies on it
CLOSE = 1e-9  # distance from an end of an edge over its length below which a point lies at that corner
SHORT = 1e-8  # squared length of an edge over the squared distance below which it is a corner
ZERO = (0.0, 0.0, 0.0)
Touch = tuple[float, Triple, Triple]


@kernel
def height(surfaces: Surfaces, s: int, x: float, y: float) -> tuple[float, float, float, float, float, float]:
    """f [m], f_x, f_y, f_xx, f_xy, f_yy of surface s at (x, y) [m], formula coordinates."""
    return call_2_6(surfaces.address[s], surfaces.numbers, surfaces.first[s], x, y)


@kernel
def on_formula(surfaces: Surfaces, s: int, center: Triple, velocity: Triple, radius: float) -> Touch:
    """Depth [m] of a sphere in surface s, at most 0 without contact; the normal, and its rate [1/s]; laboratory frame.

    Minimises the squared distance of p and c by Newton's method, with the full second derivatives where these are
    positive definite, else without those of f; a step that increases the distance is halved. The rate of the normal is
    that at the nearest point, which moves with the centre. Outside the rectangle, and deeper than a diameter, there is
    no contact.

    center, radius: of the sphere [m]; velocity: of its centre [m/s]; laboratory frame.
    """
    cx, cy, cz = subtract(center, row(surfaces.offset, s))
    x, y = cx, cy
    f, fx, fy, fxx, fxy, fyy = height(surfaces, s, x, y)
    far = (cz - f) * (cz - f)
    for _ in range(ROUNDS):
        gx, gy, up = x - cx + (f - cz) * fx, y - cy + (f - cz) * fy, f - cz
        a, b, d = 1 + fx * fx + up * fxx, fx * fy + up * fxy, 1 + fy * fy + up * fyy
        if not (a > 0.0 and a * d - b * b > 1e-3):
            a, b, d = 1 + fx * fx, fx * fy, 1 + fy * fy
        inverse = 1.0 / (a * d - b * b)
        dx, dy = inverse * (b * gy - d * gx), inverse * (b * gx - a * gy)
        share = 1.0
        for _ in range(ROUNDS):
            f, fx, fy, fxx, fxy, fyy = height(surfaces, s, x + share * dx, y + share * dy)
            now = (x + share * dx - cx) ** 2 + (y + share * dy - cy) ** 2 + (f - cz) ** 2
            if now <= far * (1 + 1e-15):
                break
            share *= 0.5
        x, y, far = x + share * dx, y + share * dy, now
        if dx * dx + dy * dy <= CONVERGED * radius * radius:
            break
    inside = surfaces.low[s, 0] <= x <= surfaces.high[s, 0] and surfaces.low[s, 1] <= y <= surfaces.high[s, 1]
    slant = 1.0 / sqrt(1 + fx * fx + fy * fy)
    normal = (-slant * fx, -slant * fy, slant)
    depth = radius - dot((cx - x, cy - y, cz - f), normal)
    if not (inside and 0.0 < depth < 2 * radius):
        return 0.0, normal, ZERO
    up = f - cz
    a, b, d = 1 + fx * fx + up * fxx, fx * fy + up * fxy, 1 + fy * fy + up * fyy
    inverse = 1.0 / (a * d - b * b)
    along_x, along_y = velocity[0] + fx * velocity[2], velocity[1] + fy * velocity[2]
    rate_x, rate_y = inverse * (d * along_x - b * along_y), inverse * (a * along_y - b * along_x)
    tilting = (-slant * (fxx * rate_x + fxy * rate_y), -slant * (fxy * rate_x + fyy * rate_y), 0.0)
    return depth, normal, across(tilting, normal)


@kernel
def edge_through(at: Triple, a: Triple, b: Triple, c: Triple, distance: float) -> Triple:
    """Unit vector along the edge of the triangle a, b, c that the point `at` lies on; zero at its corners; all [m].

    An edge that is much shorter than the `distance` [m] from which it is seen is a corner.
    """
    for edge in range(3):
        start, end = (a, b) if edge == 0 else ((b, c) if edge == 1 else (c, a))
        along, from_start = subtract(end, start), subtract(at, start)
        square, share = dot(along, along), dot(from_start, along)
        aside = subtract(scale(square, from_start), scale(share, along))
        is_long = square > SHORT * distance * distance
        if is_long and dot(aside, aside) <= THIN * square**3 and CLOSE * square < share < (1.0 - CLOSE) * square:
            return scale(1.0 / sqrt(square), along)
    return ZERO


@kernel
def on_mesh(surfaces: Surfaces, s: int, center: Triple, velocity: Triple, radius: float) -> Touch:
    """As `on_formula`, of a mesh, on either side: the nearest point of the triangles in the list of the centre's grid
    cell.

    The normal points from there to the centre; it turns where an edge or a corner is nearest.
    """
    at = 0
    stride = 1
    for axis in range(3):
        cell = floor((center[axis] - surfaces.corner[s, axis]) / surfaces.cell[s])
        if not 0 <= cell < surfaces.counts[s, axis]:
            return 0.0, ZERO, ZERO
        at += stride * int(cell)
        stride *= surfaces.counts[s, axis]
    away, far, nearest = ZERO, radius * radius, 0
    first = surfaces.first_cell[s] + at
    for k in range(surfaces.start[first], surfaces.start[first + 1]):
        corners = surfaces.triangles[surfaces.items[k]]
        found = subtract(center, nearest_on_triangle(center, row(corners, 0), row(corners, 1), row(corners, 2)))
        square = dot(found, found)
        if 0.0 < square < far:
            away, far, nearest = found, square, surfaces.items[k]
    if far >= radius * radius:
        return 0.0, ZERO, ZERO
    distance = sqrt(far)
    normal, corners = scale(1.0 / distance, away), surfaces.triangles[nearest]
    a, b, c = row(corners, 0), row(corners, 1), row(corners, 2)
    face = cross(subtract(b, a), subtract(c, a))
    if abs(dot(normal, face)) >= LEVEL * sqrt(dot(face, face)):
        return radius - distance, normal, ZERO
    straight = edge_through(subtract(center, away), a, b, c, distance)
    turning = subtract(across(velocity, normal), scale(dot(velocity, straight), straight))
    return radius - distance, normal, scale(1.0 / distance, turning)


@kernel
def press_sphere(
    colliders: Colliders,
    surfaces: Surfaces,
    friction: FrictionContacts,
    power: np.ndarray,
    s: int,
    b: int,
    p: int,
    center: Triple,
    radius: float,
) -> float:
    """Apply the contact of surface s with a sphere, of body b or point p; returns the elastic energy [J].

    The force acts at the lowest point of the sphere along the normal, c - r n. power[CONTACT] gets {F - k depth n}.v.

    center, radius: c and r of the sphere [m], laboratory frame.
    """
    passing = velocity_of(colliders, b, p, center)
    if surfaces.is_mesh[s]:
        depth, normal, turning = on_mesh(surfaces, s, center, passing, radius)
    else:
        depth, normal, turning = on_formula(surfaces, s, center, passing, radius)
    if depth <= 0.0:
        return 0.0
    at = subtract(center, scale(radius, normal))
    velocity, stiffness, damping = (
        velocity_of(colliders, b, p, at),
        surfaces.stiffness[s, stiffness_column(colliders, b, p)],
        surfaces.damping[s],
    )
    if surfaces.dry[s, 0] > 0.0:
        yielding = mobility(colliders, b, p, at, normal)
        damping = impact_damping(surfaces.dry[s, 0], stiffness, yielding)
    force = contact_force(depth, normal, velocity, stiffness, damping, surfaces.friction[s], False)
    pressure = dot(force, normal)
    dry = surfaces.dry[s]
    if pressure > 0.0 and (dry[1] > 0.0 or dry[3] > 0.0 or dry[4] > 0.0):
        numbers = (pressure, dry[1], dry[2], dry[3], dry[4])
        geometry = ContactGeometry(at, normal, turning, subtract(passing, scale(radius, turning)))
        add_friction_contact(friction, (b, p, NOTHING, NOTHING), geometry, sphere_of(radius), numbers)
    add_force_to(colliders, b, p, at, force)
    power[CONTACT] += dot(subtract(force, scale(stiffness * depth, normal)), velocity)
    return contact_energy(depth, stiffness)


@kernel
def add_surfaces(colliders: Colliders, surfaces: Surfaces, friction: FrictionContacts, power: np.ndarray) -> float:
    """LAW: all surfaces against all uniform spheres and points with a radius; returns U = sum k depth^2/2 [J].

    Bodies of other shapes pass through surfaces.

    colliders: forces and torques of bodies and forces on points are added to.
    friction: contacts with dry friction are appended.
    """
    bodies, points, energy, rows = (
        colliders.bodies,
        colliders.points,
        0.0,
        point_rows(colliders.points, colliders.state),
    )
    for s in range(len(surfaces.stiffness)):
        for b in range(len(bodies.mass)):
            if bodies.round[b]:
                at = row(colliders.body_work.position, b)
                energy += press_sphere(colliders, surfaces, friction, power, s, b, NOTHING, at, bodies.radius[b])
        for p in range(len(points.mass)):
            if points.radius[p] > 0.0:
                at = (rows[0, p], rows[1, p], rows[2, p])
                energy += press_sphere(colliders, surfaces, friction, power, s, NOTHING, p, at, points.radius[p])
    return energy
