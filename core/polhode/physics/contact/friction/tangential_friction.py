"""The force of rough surfaces on each other, F = -k_t xi: it exchanges spin and speed and conserves energy.

U = k_t xi^2/2 with the displacement xi of tangential_springs.py (Endo numbers 15 to 18). With k_t = k m_t/m_n, m_n and
m_t being the effective masses along and across the normal (for a solid sphere on a wall k_t = 2/7 k), the tangential
force vanishes just when the spheres part, and the tangential velocity of one surface relative to the other is then the
opposite of what it was. (Garwin, Am. J. Phys. 37, 88, 1969)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import CONTACT
from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.bodies.at_point import add_force_at
from polhode.physics.contact.arrays import Contacts, TangentialSprings, TangentialState, Walls
from polhode.physics.contact.friction.tangential_springs import holds_on, tangential_displacement
from polhode.physics.contact.sphere_contact import harmonic_mean


@kernel
def tangential_force(stiffness: float, stretched: Triple, normal: Triple) -> Triple:
    """F = -k_t {xi - (xi.n) n} [N], laboratory frame; `stretched` is xi [m], `stiffness` k_t [N/m]."""
    return scale(-stiffness, subtract(stretched, scale(dot(stretched, normal), normal)))


@kernel
def tangential_stiffness(contacts: Contacts, walls: Walls, springs: TangentialSprings, r: int) -> float:
    """k_t [N/m] of spring r: its share of the normal stiffness of the wall, or of the mean of both spheres."""
    if springs.is_wall[r]:
        return springs.share[r] * walls.stiffness[springs.second[r], springs.body[r, 0]]
    one, other = springs.first[r], springs.second[r]
    return springs.share[r] * harmonic_mean(contacts.stiffness[one], contacts.stiffness[other])


@kernel
def add_tangential_friction(
    contacts: Contacts,
    walls: Walls,
    springs: TangentialSprings,
    state: np.ndarray,
    body_work: BodyWork,
    tangential: TangentialState,
    power: np.ndarray,
    stop_time: np.ndarray,
) -> float:
    """LAW: add the forces of all rough surfaces in contact to bodies; returns U = sum k_t xi^2/2 [J].

    A spring that decays after separation exerts no force; the power -2 U/t_stop of its decay goes to power[CONTACT].
    """
    energy = 0.0
    for r in range(len(springs.first)):
        xi, stiffness, at = (
            tangential_displacement(springs, state, r),
            tangential_stiffness(contacts, walls, springs, r),
            row(tangential.position, r),
        )
        energy += 0.5 * stiffness * dot(xi, xi)
        if holds_on(tangential, stop_time, r, xi):
            force = tangential_force(stiffness, xi, row(tangential.normal, r))
            push_body(body_work, springs.body[r, 0], at, force)
            push_body(body_work, springs.body[r, 1], at, scale(-1.0, force))
        else:
            power[CONTACT] -= stiffness * dot(xi, xi) / stop_time[0]
    return energy


@kernel
def push_body(body_work: BodyWork, b: int, at: Triple, force: Triple) -> None:
    """Add a force [N] at the point `at` [m] of body b; nothing if b is NOTHING."""
    if b != NOTHING:
        add_force_at(body_work, b, at, force)
