"""Contact by penalty: what overlaps is pressed apart, and never pulled together.

The law is that of walls, too. Spheres of bodies press on those of other bodies; both feel opposite forces in one point,
in the middle of the overlap, so that momentum and angular momentum stay.
"""

from __future__ import annotations

from core.forces.friction import friction_torque
from core.kernel import kernel
from core.model import CONTACT, Model, Work
from core.vec import Triple, accumulate, add, cross, dot, row, scale, subtract


@kernel
def contact_force(
    depth: float, normal: Triple, velocity: Triple, stiffness: float, damping: float, friction: float, sticky: bool
) -> Triple:
    """F = N n - d_t (v - (v.n) n) [N], N = k depth - d v.n, on what is `depth` [m] > 0 too deep.

    The unit normal n points to where it is pressed; v [m/s] is its velocity in the contact, as seen from the other.
    N does not pull, unless the contact is sticky.
    """
    departing = dot(velocity, normal)
    pressure = stiffness * depth - damping * departing
    if not sticky:
        pressure = max(0.0, pressure)
    sliding = subtract(velocity, scale(departing, normal))
    return subtract(scale(pressure, normal), scale(friction, sliding))


@kernel
def contact_energy(depth: float, stiffness: float) -> float:
    """U = k depth^2/2 [J]."""
    return 0.5 * stiffness * depth * depth


@kernel
def harmonic_mean(a: float, b: float) -> float:
    """Harmonic mean: of two alike it is their own, of two unlike the softer one counts."""
    return 2 * a * b / (a + b) if a + b > 0 else 0.0


@kernel
def overlap(model: Model, work: Work, a: int, i: int, b: int, j: int) -> tuple[float, Triple, Triple]:
    """Depth [m], at most 0 where they are apart, of sphere i of body a and sphere j of body b.

    Then the unit normal from b to a, and the arm [m] from the reference point of a to the middle of the overlap.
    """
    middle_a = add(row(work.position, a), row(work.contact_arm, i))
    between = subtract(middle_a, add(row(work.position, b), row(work.contact_arm, j)))
    touch = model.contacts.radius[i] + model.contacts.radius[j]
    square = dot(between, between)
    if square >= touch * touch or square == 0.0:  # middles in one place have no normal
        return 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    distance = square**0.5
    normal = scale(1.0 / distance, between)
    depth = touch - distance
    arm = subtract(row(work.contact_arm, i), scale(model.contacts.radius[i] - 0.5 * depth, normal))
    return depth, normal, arm


@kernel
def add_contacts(model: Model, work: Work) -> None:
    contacts = model.contacts
    first, last = contacts.first, len(contacts.radius)
    for a in range(len(first) - 1):
        for i in range(first[a], first[a + 1]):
            b = a
            for j in range(first[a + 1], last):
                while j >= first[b + 1]:
                    b += 1
                depth, normal, arm_a = overlap(model, work, a, i, b, j)
                if depth <= 0.0:
                    continue
                arm_b = add(arm_a, subtract(row(work.position, a), row(work.position, b)))
                velocity_a = add(row(work.velocity, a), cross(row(work.angular_velocity, a), arm_a))
                velocity_b = add(row(work.velocity, b), cross(row(work.angular_velocity, b), arm_b))
                velocity = subtract(velocity_a, velocity_b)
                stiffness = harmonic_mean(contacts.stiffness[a], contacts.stiffness[b])
                damping = harmonic_mean(contacts.damping[a], contacts.damping[b])
                friction = harmonic_mean(contacts.friction[a], contacts.friction[b])
                force = contact_force(depth, normal, velocity, stiffness, damping, friction, False)
                accumulate(work.force, a, force)
                accumulate(work.torque, a, cross(arm_a, force))
                accumulate(work.force, b, scale(-1.0, force))
                accumulate(work.torque, b, cross(arm_b, scale(-1.0, force)))
                turning = subtract(row(work.angular_velocity, a), row(work.angular_velocity, b))
                torque = friction_torque(harmonic_mean(contacts.rolling[a], contacts.rolling[b]), turning)
                accumulate(work.torque, a, torque)
                accumulate(work.torque, b, scale(-1.0, torque))
                elastic = scale(stiffness * depth, normal)
                work.power[CONTACT] += dot(subtract(force, elastic), velocity) + dot(torque, turning)


@kernel
def overlap_energy(model: Model, work: Work) -> float:
    """Energy [J] of all overlaps, everything placed."""
    contacts = model.contacts
    first, last = contacts.first, len(contacts.radius)
    energy = 0.0
    for a in range(len(first) - 1):
        for i in range(first[a], first[a + 1]):
            b = a
            for j in range(first[a + 1], last):
                while j >= first[b + 1]:
                    b += 1
                depth, _, _ = overlap(model, work, a, i, b, j)
                if depth > 0.0:
                    energy += contact_energy(depth, harmonic_mean(contacts.stiffness[a], contacts.stiffness[b]))
    return energy
