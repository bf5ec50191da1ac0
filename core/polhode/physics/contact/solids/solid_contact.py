"""Contact of convex solids with spheres, points and each other by penalty forces.

Solids are convex cores rounded by a radius (arrays.py). What touches:

    vertices, spheres and points    with the nearest point of the other core (vertex_contact.py, nearest.py)
    rims of cylinders               at four points, the first of them the nearest one, with the other core
    edges, rims, axes of cylinders  with each other where they cross (edge_contact.py, crossing.py)

Each contact overlaps by the sum of both radii less the distance of the cores. All distances are continuous and, as long
as cores do not meet, differentiable functions of position and orientation, so the sum of U = w k depth^2/2 is a
potential: without damping and friction energy is conserved, also where contact points come and go as a box slides over
the edge of another one. Nothing is remembered from step to step. (Spheropolyhedra: Galindo-Torres, Alonso-Marroquin,
Wang, Pedroso, Munoz Castano, Physical Review E 79, 060301, 2009; the weights of crossings are new.)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, row, subtract
from polhode.physics.contact.arrays import Contacts, ContactWork
from polhode.physics.contact.colliders import Colliders, velocity_of
from polhode.physics.contact.friction.arrays import FrictionContacts
from polhode.physics.contact.friction.dry_rows import sphere_of
from polhode.physics.contact.neighbours.arrays import Neighbours, NeighbourWork
from polhode.physics.contact.neighbours.pairs import neighbour, neighbour_range
from polhode.physics.contact.separate import are_separate
from polhode.physics.contact.solids.arrays import CYLINDER, TURNING, Solids, SolidWork
from polhode.physics.contact.solids.edge_contact import press_edges, press_rims
from polhode.physics.contact.solids.frames import Frame, frame_of, seen_from, to_local
from polhode.physics.contact.solids.press import combined, law_of_sphere
from polhode.physics.contact.solids.vertex_contact import Ball, is_near, press_ball, press_vertices
from polhode.physics.contact.sphere_contact import resist_turning


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
    neighbours: Neighbours,
    neighbour_work: NeighbourWork,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: all solids that are neighbours; returns the elastic energy [J].

    colliders: forces and torques of bodies are added to.
    friction: contacts with dry friction are appended.
    """
    energy, first = 0.0, neighbours.solids
    for i in range(len(solids.body)):
        here, reach, a = row(solid_work.center, i), solids.reach[i], solids.body[i]
        begin, end = neighbour_range(neighbour_work, first, first + i, first + i)
        for m in range(begin, end):
            j = neighbour(neighbour_work, m) - first
            between, touch = subtract(here, row(solid_work.center, j)), reach + solids.reach[j]
            if dot(between, between) >= touch * touch:
                continue
            if are_separate(solids.first_separate, solids.separate, a, solids.body[j]):
                continue
            one, other = frame_of(solid_work, i), frame_of(solid_work, j)
            seen = seen_from(one, other)
            if not boxes_meet(solids, i, j, seen):
                continue
            law, back = combined(solids.material[i], solids.material[j]), seen_from(other, one)
            gained = press_vertices(colliders, friction, power, solids, solid_work, i, j, seen, law)
            gained += press_vertices(colliders, friction, power, solids, solid_work, j, i, back, law)
            gained += press_edges(colliders, friction, power, solids, solid_work, i, j, (seen, back), law)
            if solids.kind[i] == CYLINDER:
                gained += press_rims(colliders, friction, power, solids, solid_work, i, j, back, law)
            if solids.kind[j] == CYLINDER:
                gained += press_rims(colliders, friction, power, solids, solid_work, j, i, seen, law)
            if gained > 0.0 and law[TURNING] > 0.0:
                resist_turning(colliders, power, a, solids.body[j], law[TURNING])
            energy += gained
    return energy


@kernel
def add_spheres_on_solids(
    colliders: Colliders,
    contacts: Contacts,
    contact_work: ContactWork,
    solids: Solids,
    solid_work: SolidWork,
    neighbours: Neighbours,
    neighbour_work: NeighbourWork,
    friction: FrictionContacts,
    power: np.ndarray,
) -> float:
    """LAW: spheres of bodies and points against the solids that are their neighbours; returns the elastic energy [J].

    colliders: forces and torques of bodies and forces on points are added to.
    friction: contacts with dry friction are appended.
    """
    energy = 0.0
    for j in range(len(solids.body)):
        frame, b, reach = frame_of(solid_work, j), solids.body[j], solids.reach[j]
        begin, end = neighbour_range(neighbour_work, 0, neighbours.solids, neighbours.solids + j)
        for m in range(begin, end):
            i = neighbour(neighbour_work, m)
            center, a = row(contact_work.position, i), contacts.body[i]
            between, touch = subtract(center, frame.origin), reach + contacts.radius[i]
            if dot(between, between) >= touch * touch or (
                a != NOTHING and are_separate(solids.first_separate, solids.separate, a, b)
            ):
                continue
            local, p, radius = to_local(frame, center), contacts.point[i], contacts.radius[i]
            if not is_near(solids, j, local, radius):
                continue
            law = law_of_sphere(contacts, i, solids.material[j])
            ball = Ball(center, local, velocity_of(colliders, a, p, center), radius, sphere_of(radius))
            gained = press_ball(colliders, friction, power, solids, j, frame, a, p, ball, law)
            if gained > 0.0 and a != NOTHING and law[TURNING] > 0.0:
                resist_turning(colliders, power, a, b, law[TURNING])
            energy += gained
    return energy
