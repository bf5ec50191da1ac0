"""Changes of the charges of soft iron by motion and with time, which induce currents in conductors.

S q = -psi (iron/solve.py), of which the change in the frame of the iron is

    S q' = -(psi' + S' q)      psi' of magnets and coils that move or turn, of given currents that change, and of the
                               world      S' between bodies of iron

where psi of a dipole m at x is that of potentials.py, and x' and m' are seen from the iron. Iron that saturates is no
linear system: its response to a small change is that of the second derivative of U (iron/saturation).
"""

from __future__ import annotations

from math import pi

import numpy as np

from polhode.engine.model import NOTHING, Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, inverse_root, load, load_three, reduce_sum, store
from polhode.jit.vec import Triple, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.coils.windings.field import turned_by
from polhode.physics.conductors.coupled.arrays import EddyWork
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.potentials import POINTS, add_uniform, multiply_all, subtract_product
from polhode.physics.iron.saturation.several_shapes import respond_to
from polhode.physics.iron.solve import is_saturating, panel, solve_charges
from polhode.physics.magnets.arrays import Dipoles, DipoleWork, WorldField
from polhode.physics.magnets.field_by_formula import on_dipole
from polhode.physics.magnets.magnetic import world_field, world_field_rate

ZERO = (0.0, 0.0, 0.0)


@kernel
def place_moving(iron: Iron, state: np.ndarray, body_work: BodyWork, work: IronWork, eddy: EddyWork) -> None:
    """Write vector areas and velocities of all panels, laboratory frame; their centroids are placed."""
    for a in range(len(iron.body)):
        b = iron.body[a]
        u1, u2, u3 = read_basis(state, b)
        reference, turning = row(body_work.position, b), row(body_work.angular_velocity, b)
        for i in range(iron.first[a], iron.first[a + 1]):
            area = combine(panel(iron.area, i), u1, u2, u3)
            velocity = add(row(body_work.velocity, b), cross(turning, subtract(panel(work.position, i), reference)))
            for axis in range(3):
                eddy.panel_area[axis, i] = area[axis]
                eddy.panel_velocity[axis, i] = velocity[axis]


@kernel
def add_potential_rate(
    iron: Iron, a: int, at: Triple, moment: Triple, velocity: Triple, turning: Triple, rate: np.ndarray
) -> None:
    """Add the change [A/s] of the potential of a dipole to `rate` (1, n) of the panels of a.

    at: [m]; moment: [A m^2]; velocity: [m/s]; turning: [A m^2/s] change of the moment; frame of the iron
    """
    everything, factor = first_lanes(WIDTH), 1.0 / (4.0 * pi * POINTS)
    for i in range(iron.first[a], iron.first[a + 1], WIDTH):
        total = broadcast(0.0)
        for t in range(POINTS):
            r = subtract(load_three(iron.point, 3 * t, i, everything), at)
            inverse = inverse_root(dot(r, r))
            square = inverse * inverse
            approach = 3.0 * square * dot(moment, r) * dot(velocity, r)
            total = total + (dot(turning, r) - dot(moment, velocity) + approach) * (square * inverse)
        store(rate, 0, i, None, load(rate, 0, i) + factor * total)


@kernel
def add_magnets(
    iron: Iron,
    a: int,
    dipoles: Dipoles,
    basis: tuple[Triple, Triple, Triple],
    body_work: BodyWork,
    dipole_work: DipoleWork,
    rate: np.ndarray,
) -> None:
    """Add the changes of the potentials of magnets of other bodies at the panels of iron a to `rate` (1, n)."""
    b, (u1, u2, u3) = iron.body[a], basis
    reference, turning = row(body_work.position, b), row(body_work.angular_velocity, b)
    for c in range(len(dipoles.first) - 1):
        if c == b:
            continue
        spin = row(body_work.angular_velocity, c)
        for i in range(dipoles.first[c], dipoles.first[c + 1]):
            arm, moment = subtract(row(dipole_work.position, i), reference), row(dipole_work.moment, i)
            moving = add(row(body_work.velocity, c), cross(spin, row(dipole_work.arm, i)))
            moving = subtract(subtract(moving, row(body_work.velocity, b)), cross(turning, arm))
            turned = cross(subtract(spin, turning), moment)
            at, strength = components(arm, u1, u2, u3), components(moment, u1, u2, u3)
            seen = components(moving, u1, u2, u3)
            add_potential_rate(iron, a, at, strength, seen, components(turned, u1, u2, u3), rate)


@kernel
def add_world(
    iron: Iron,
    a: int,
    field: WorldField,
    permeability: float,
    time: float,
    basis: tuple[Triple, Triple, Triple],
    body_work: BodyWork,
    eddy: EddyWork,
    work: IronWork,
) -> None:
    """Add the change of the potential of the world's field at the panels of iron a."""
    b, (u1, u2, u3), rate = iron.body[a], basis, eddy.potential_rate
    turning = row(body_work.angular_velocity, b)
    seen = subtract(world_field_rate(field, time), cross(turning, world_field(field, time)))
    add_uniform(iron, a, scale(1.0 / permeability, components(seen, u1, u2, u3)), rate)
    if field.value.address == 0:
        return
    for i in range(iron.first[a], iron.first[a + 1]):
        pull, turn, gained = on_dipole(field, panel(work.position, i), panel(eddy.panel_area, i), time)
        changed = gained + dot(pull, panel(eddy.panel_velocity, i)) + dot(turn, turning)
        work.inner[0, i] = changed / permeability
    multiply_all(iron, iron.from_flux, work.inner, work.image)
    for i in range(iron.first[a], iron.first[a + 1]):
        rate[0, i] -= work.image[0, i]


@kernel
def add_coils(s: Step) -> None:
    """Add the changes of the potentials of coils, with the changes of given currents, at the panels of all iron."""
    iron, coils, coil_work, work, eddy = s.model.iron, s.model.coils, s.work.coils, s.work.iron, s.work.eddy
    everything, bodies, inverse = first_lanes(WIDTH), s.work.bodies, 1.0 / s.model.permeability
    for i in range(len(iron.edge)):
        work.inner[0, i] = 0.0
    for k in range(len(coils.body)):
        carrier, middle, moving, turning = coils.body[k], ZERO, ZERO, ZERO
        if carrier != NOTHING:
            middle, moving = row(bodies.position, carrier), row(bodies.velocity, carrier)
            turning = row(bodies.angular_velocity, carrier)
        current, rate = inverse * coil_work.current[k], inverse * coil_work.current_rate[k]
        for a in range(len(iron.body)):
            spin = subtract(row(bodies.angular_velocity, iron.body[a]), turning)
            for i in range(iron.first[a], iron.first[a + 1], WIDTH):
                area, at = load_three(eddy.panel_area, 0, i, everything), load_three(work.position, 0, i, everything)
                carried = add(moving, cross(turning, subtract(at, middle)))
                seen = subtract(load_three(eddy.panel_velocity, 0, i, everything), carried)
                field = load_three(work.field, 9 * k, i, everything)
                along = load_three(work.field, 9 * k + 3, i, everything)
                pull = turned_by((along, load_three(work.field, 9 * k + 6, i, everything)), area)
                change = current * (dot(pull, seen) + dot(cross(area, field), spin)) + rate * dot(area, field)
                store(work.inner, 0, i, None, load(work.inner, 0, i) + change)
    multiply_all(iron, iron.from_flux, work.inner, work.image)
    subtract_product(len(iron.edge), 1.0, work.image, eddy.potential_rate)


@kernel
def add_other_iron(iron: Iron, work: IronWork, eddy: EddyWork) -> None:
    """Add the changes of the potentials of the charges of other bodies of iron at all panels."""
    everything, factor, rate = first_lanes(WIDTH), 1.0 / (4.0 * pi), eddy.potential_rate
    for b in range(1, len(iron.body)):
        for j in range(iron.first[b], iron.first[b + 1]):
            own, total = factor * work.charge[0, j], broadcast(0.0)
            at, velocity = panel(work.position, j), panel(eddy.panel_velocity, j)
            for i in range(0, iron.first[b], WIDTH):
                r = subtract(at, load_three(work.position, 0, i, everything))
                moving = subtract(velocity, load_three(eddy.panel_velocity, 0, i, everything))
                inverse = inverse_root(dot(r, r))
                change = -(dot(r, moving) * (inverse * inverse * inverse))
                total = total + load(work.charge, 0, i) * change
                store(rate, 0, i, None, load(rate, 0, i) + own * change)
            rate[0, j] += factor * reduce_sum(total)


@kernel
def respond(s: Step, change: np.ndarray, found: np.ndarray) -> None:
    """Write the change of the charges by that of the potential, (1, n) each; the iron is solved."""
    iron, work = s.model.iron, s.work.iron
    if is_saturating(iron):
        respond_to(iron, change, work.charge, found, work)
    else:
        solve_charges(iron, change, found, work)


@kernel
def write_charge_rates(s: Step) -> None:
    """Write the changes of the potential and of the charges of all iron, which is solved and placed with its panels."""
    iron, work, eddy = s.model.iron, s.work.iron, s.work.eddy
    place_moving(iron, s.state, s.work.bodies, work, eddy)
    for i in range(len(iron.edge)):
        eddy.potential_rate[0, i] = 0.0
    for a in range(len(iron.body)):
        basis = read_basis(s.state, iron.body[a])
        add_magnets(iron, a, s.model.dipoles, basis, s.work.bodies, s.work.dipoles, eddy.potential_rate)
        add_world(iron, a, s.inputs.field, s.model.permeability, s.time, basis, s.work.bodies, eddy, work)
    if len(s.model.coils.body) > 0:
        add_coils(s)
    if len(iron.body) > 1:
        add_other_iron(iron, work, eddy)
    respond(s, eddy.potential_rate, eddy.charge_rate)
