"""Inductances of coils with iron of dipoles, and voltages that changes of its moments induce, for outputs.

The moments of 1 A in a coil are its share of all inductances. The change of moments with time, at constant currents, is
the difference of those of the state moved on and back by a short time at its present velocities.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING, Step
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, put, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.coils.arrays import RESISTIVE
from polhode.physics.coils.placement import place_coils, position_of
from polhode.physics.induced.coils import add_coils, write_fields_of_coils
from polhode.physics.induced.solve import place_induced, product, write_field, write_moments
from polhode.physics.magnets.placement import place_dipoles


@kernel
def copy(x: np.ndarray, y: np.ndarray) -> None:
    """Write x into y; (3, n) each."""
    for axis in range(3):
        for i in range(x.shape[1]):
            y[axis, i] = x[axis, i]


@kernel
def moved(bodies: BodyWork, b: int, arm: Triple, seconds: float) -> Triple:
    """Displacement [m] of a point of body b at `arm` [m] from the reference point in `seconds` [s]."""
    return scale(seconds, add(row(bodies.velocity, b), cross(row(bodies.angular_velocity, b), arm)))


@kernel
def displace(s: Step, seconds: float) -> None:
    """Write positions and directions of dipoles and coils as they would be after `seconds` [s], to first order."""
    bodies, dipoles, of_dipoles, coils, of_coils = (
        s.work.bodies,
        s.model.dipoles,
        s.work.dipoles,
        s.model.coils,
        s.work.coils,
    )
    place_dipoles(s.model.bodies, dipoles, s.state, bodies, of_dipoles)
    place_coils(coils, s.state, bodies, of_coils)
    for b in range(len(dipoles.first) - 1):
        turn = scale(seconds, row(bodies.angular_velocity, b))
        for i in range(dipoles.first[b], dipoles.first[b + 1]):
            shift, moment = moved(bodies, b, row(of_dipoles.arm, i), seconds), row(of_dipoles.moment, i)
            put(of_dipoles.position, i, add(row(of_dipoles.position, i), shift))
            put(of_dipoles.moment, i, add(moment, cross(turn, moment)))
    for k in range(len(coils.body)):
        b = coils.body[k]
        if b == NOTHING:
            continue
        arm = subtract(row(of_coils.position, k), position_of(coils, k, bodies))
        put(of_coils.position, k, add(row(of_coils.position, k), moved(bodies, b, arm, seconds)))
        turn = scale(seconds, row(bodies.angular_velocity, b))
        for axis in range(3):
            along = row(of_coils.axes[k], axis)
            put(of_coils.axes[k], axis, add(along, cross(turn, along)))


@kernel
def add_inductances(s: Step) -> None:
    """Add the share of the iron to all inductances, and take it from the fluxes, which have it for present currents.

    Resistive coils do not magnetise.
    """
    work, coil_work, coils = s.work.induced, s.work.coils, s.model.coils
    for j in range(len(coils.body)):
        if s.model.circuits.kind[coils.circuit[j]] == RESISTIVE:
            continue
        copy(work.of_coil[3 * j : 3 * j + 3], work.field)
        write_moments(s)
        for k in range(len(coils.body)):
            added = product(work.of_coil[3 * k : 3 * k + 3], work.moment)
            coil_work.inductance[k, j] += added
            coil_work.flux[k] -= added * coil_work.current[j]


@kernel
def induce(s: Step) -> None:
    """INDUCE: add the iron to inductances, and the changes of its moments to the voltages that motion induces."""
    work, coil_work, shift = s.work.induced, s.work.coils, s.model.induced.shift
    copy(work.moment, work.kept)
    s.work.circuits.is_given[0] = True
    add_inductances(s)
    for k in range(len(coil_work.current)):
        coil_work.motional[k] -= work.moving[k]
    for side in (1.0, -1.0):
        seconds = side * shift
        displace(s, seconds)
        place_induced(s.model.induced, s.state, s.work.bodies, s.work.dipoles, seconds, work)
        write_field(Step(s.model, s.inputs, s.time + seconds, s.state, s.work, s.out))
        write_fields_of_coils(s.model.coils, s.model.permeability, coil_work, work)
        add_coils(s)
        write_moments(s)
        for k in range(len(coil_work.current)):
            coil_work.motional[k] += product(work.of_coil[3 * k : 3 * k + 3], work.moment) / (2.0 * seconds)
    s.work.circuits.is_given[0] = False
    displace(s, 0.0)
    copy(work.kept, work.moment)
    for i in range(len(s.model.induced.row)):
        put(s.work.dipoles.moment, s.model.induced.row[i], (work.kept[0, i], work.kept[1, i], work.kept[2, i]))
