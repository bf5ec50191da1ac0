"""Moments that iron has in the fields of magnets, of the world, of coils and of other iron, one for each shape.

With H the field of everything else at the centre, without the iron itself, m = alpha H, alpha = 4 pi a^3 (mu_r -
1)/(mu_r + 2) of a sphere, V chi/(1 + chi N) along the axes of an ellipsoid (J. A. Osborn, Phys. Rev. 67, 351, 1945). In
fields B = mu0 H, with T the law of two dipoles (magnets/pair.py), k = mu0/alpha,

    U = -m.B + 1/2 m.(k - T) m      (k - T) m = B      the minimum of U

so that forces and torques are those of dipoles with the moments m: dm/dx does not count. The equations are solved by
conjugate gradients with alpha as preconditioner, always from m = 0, so that a run repeats to the byte. The
currents of dynamic circuits follow the moments, I = L^-1 (lam - Phi(m)), which adds h L^-1 h' to k - T, h the field of
1 A: the energy stays a minimum over m.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from polhode.engine.model import Step
from polhode.jit.cholesky import substitute
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, inverse_root, load, load_three, reduce_sum, store
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, add, combine, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.coils.arrays import Circuits, CircuitWork, Coils
from polhode.physics.induced.arrays import Induced, InducedWork
from polhode.physics.magnets.arrays import DipoleWork
from polhode.physics.magnets.field_by_formula import field_by_formula
from polhode.physics.magnets.magnetic import world_field

TOLERANCE = 1e-20  # of the energy: the square of that of the moments
MOST_STEPS = 200


@kernel
def turned(of_body: np.ndarray, basis: tuple[Triple, Triple, Triple], found: np.ndarray, i: int) -> None:
    """Write a symmetric matrix (3, 3) of the body frame into column i of `found` (6, n), laboratory frame."""
    u1, u2, u3 = basis
    first, second, third = combine(row(of_body, 0), u1, u2, u3), row(of_body, 1), row(of_body, 2)
    second, third = combine(second, u1, u2, u3), combine(third, u1, u2, u3)
    x = combine((first[0], second[0], third[0]), u1, u2, u3)
    y = combine((first[1], second[1], third[1]), u1, u2, u3)
    found[0, i], found[1, i], found[2, i] = x
    found[3, i], found[4, i] = y[1], y[2]
    found[5, i] = combine((first[2], second[2], third[2]), u1, u2, u3)[2]


@kernel
def place_induced(
    induced: Induced, state: np.ndarray, body_work: BodyWork, dipole_work: DipoleWork, seconds: float, work: InducedWork
) -> None:
    """Write positions and polarisabilities, of bodies that have turned for `seconds` [s]; dipoles must have been placed
    likewise.
    """
    for i in range(len(induced.row)):
        u1, u2, u3 = read_basis(state, induced.body[i])
        turn = scale(seconds, row(body_work.angular_velocity, induced.body[i]))
        basis = add(u1, cross(turn, u1)), add(u2, cross(turn, u2)), add(u3, cross(turn, u3))
        work.position[0, i], work.position[1, i], work.position[2, i] = row(dipole_work.position, induced.row[i])
        turned(induced.polarisability[i], basis, work.polarisability, i)
        turned(induced.stiffness[i], basis, work.stiffness, i)


@kernel
def multiply(matrix: np.ndarray, at: int, x: np.ndarray, y: np.ndarray) -> None:
    """Write symmetric matrices, rows xx, xy, xz, yy, yz, zz from `at` on, times the vectors x (3, n) into y (3, n)."""
    for i in range(0, x.shape[1], WIDTH):
        a, b, c = load(x, 0, i), load(x, 1, i), load(x, 2, i)
        xy, xz, yz = load(matrix, at + 1, i), load(matrix, at + 2, i), load(matrix, at + 4, i)
        store(y, 0, i, None, load(matrix, at, i) * a + xy * b + xz * c)
        store(y, 1, i, None, xy * a + load(matrix, at + 3, i) * b + yz * c)
        store(y, 2, i, None, xz * a + yz * b + load(matrix, at + 5, i) * c)


@kernel
def product(x: np.ndarray, y: np.ndarray) -> float:
    """Sum of x.y over all dipoles; (3, n) each."""
    total = broadcast(0.0)
    for i in range(0, x.shape[1], WIDTH):
        total = total + load(x, 0, i) * load(y, 0, i) + load(x, 1, i) * load(y, 1, i) + load(x, 2, i) * load(y, 2, i)
    return reduce_sum(total)


@kernel
def add_scaled(factor: float, x: np.ndarray, y: np.ndarray) -> None:
    """Add factor x to y; (3, n) each."""
    for i in range(0, x.shape[1], WIDTH):
        for axis in range(3):
            store(y, axis, i, None, load(y, axis, i) + factor * load(x, axis, i))


@kernel
def subtract_fields(permeability: float, work: InducedWork, moment: np.ndarray, found: np.ndarray) -> None:
    """Subtract the fields of moments (3, n) at each other from `found` (3, n); each pair once, eight at a time."""
    factor, zero = permeability / (4.0 * pi), broadcast(0.0)
    for j in range(1, moment.shape[1]):
        at = work.position[0, j], work.position[1, j], work.position[2, j]
        own = moment[0, j], moment[1, j], moment[2, j]
        total = (zero, zero, zero)
        for i in range(0, j, WIDTH):
            lanes = first_lanes(j - i)
            r = subtract(at, load_three(work.position, 0, i, lanes))
            inverse = inverse_root(dot(r, r))
            square = inverse * inverse
            strength, triple = factor * square * inverse, 3.0 * square
            others = load_three(moment, 0, i, lanes)
            total = add(total, scale(strength, subtract(scale(triple * dot(others, r), r), others)))
            along = triple * dot(own, r)
            for axis in range(3):
                gained = load(found, axis, i, lanes) - strength * (along * r[axis] - own[axis])
                store(found, axis, i, lanes, gained)
        x, y, z = total_three(total)
        found[0, j], found[1, j], found[2, j] = found[0, j] - x, found[1, j] - y, found[2, j] - z


@kernel
def add_sources(induced: Induced, permeability: float, dipole_work: DipoleWork, work: InducedWork) -> None:
    """Add the fields of magnets at all induced dipoles, those of the same body included."""
    everything, factor = first_lanes(WIDTH), permeability / (4.0 * pi)
    for k in range(len(induced.source)):
        at, moment = row(dipole_work.position, induced.source[k]), row(dipole_work.moment, induced.source[k])
        for i in range(0, work.field.shape[1], WIDTH):
            r = subtract(load_three(work.position, 0, i, everything), at)
            inverse = inverse_root(dot(r, r))
            square = inverse * inverse
            strength, along = factor * square * inverse, 3.0 * square * dot(moment, r)
            for axis in range(3):
                gained = load(work.field, axis, i) + strength * (along * r[axis] - moment[axis])
                store(work.field, axis, i, None, gained)


@kernel
def write_field(s: Step) -> None:
    """Write the field of magnets and of the world at all induced dipoles; all is placed."""
    induced, work = s.model.induced, s.work.induced
    everywhere = world_field(s.inputs.field, s.time)
    for i in range(len(induced.row)):
        field = everywhere
        if s.inputs.field.value.address != 0:
            field = add(field, field_by_formula(s.inputs.field, row(s.work.dipoles.position, induced.row[i]), s.time))
        work.field[0, i], work.field[1, i], work.field[2, i] = field
    add_sources(induced, s.model.permeability, s.work.dipoles, work)
    for i in range(len(induced.row), work.field.shape[1]):
        work.field[0, i] = work.field[1, i] = work.field[2, i] = 0.0


@kernel
def follow(coils: Coils, circuits: Circuits, circuit_work: CircuitWork, work: InducedWork) -> None:
    """Write the currents of coils by which dynamic circuits follow moments `direction`, at constant flux linkages.

    The Cholesky factor of their inductances is known.
    """
    for i in range(len(circuits.dynamic)):
        circuit_work.right[i] = 0.0
        for k in range(len(coils.body)):
            if coils.circuit[k] == circuits.dynamic[i] and not circuit_work.is_open[circuits.dynamic[i]]:
                flux = product(work.of_coil[3 * k : 3 * k + 3], work.direction)
                circuit_work.right[i] -= coils.sign[k] * flux
    substitute(circuit_work.factor, circuit_work.right)
    for k in range(len(coils.body)):
        work.current[k] = 0.0
        for i in range(len(circuits.dynamic)):
            if coils.circuit[k] == circuits.dynamic[i]:
                work.current[k] = coils.sign[k] * circuit_work.right[i]


@kernel
def write_image(s: Step) -> None:
    """Write the fields that give the moments `direction` into `image`, less those of currents that follow them."""
    work = s.work.induced
    multiply(work.stiffness, 0, work.direction, work.image)
    subtract_fields(s.model.permeability, work, work.direction, work.image)
    if len(s.model.circuits.dynamic) > 0 and not s.work.circuits.is_given[0]:
        follow(s.model.coils, s.model.circuits, s.work.circuits, work)
        for k in range(len(work.current)):
            add_scaled(-work.current[k], work.of_coil[3 * k : 3 * k + 3], work.image)


@kernel
def write_moments(s: Step) -> None:
    """Write the moments in `field`, also into the rows of dipoles."""
    induced, work = s.model.induced, s.work.induced
    for i in range(0, work.field.shape[1], WIDTH):
        for axis in range(3):
            store(work.moment, axis, i, None, broadcast(0.0))
            store(work.residual, axis, i, None, load(work.field, axis, i))
    multiply(work.polarisability, 0, work.residual, work.direction)
    size = product(work.residual, work.direction)
    whole, limit = size, TOLERANCE * size
    for _ in range(MOST_STEPS):
        if not size > limit:
            break
        write_image(s)
        length = size / product(work.direction, work.image)
        if not length > 0.0:
            break  # dipoles so close to each other that their energy has no minimum
        add_scaled(length, work.direction, work.moment)
        add_scaled(-length, work.image, work.residual)
        multiply(work.polarisability, 0, work.residual, work.step)
        left = product(work.residual, work.step)
        share, size = left / size, left
        for i in range(0, work.field.shape[1], WIDTH):
            for axis in range(3):
                store(work.direction, axis, i, None, load(work.step, axis, i) + share * load(work.direction, axis, i))
    if size > limit:
        work.left[0] = max(work.left[0], sqrt(size / whole))
    for i in range(len(induced.row)):
        for axis in range(3):
            s.work.dipoles.moment[induced.row[i], axis] = work.moment[axis, i]


@kernel
def own_energy(s: Step) -> float:
    """U [J] = 1/2 m.k m of all induced dipoles, and that in the fields of dipoles of the same body, which do not act on
    each other elsewhere.
    """
    induced, work, dipoles = s.model.induced, s.work.induced, s.work.dipoles
    factor = s.model.permeability / (4.0 * pi)
    multiply(work.stiffness, 0, work.moment, work.step)
    energy = 0.5 * product(work.moment, work.step)
    for i in range(len(induced.row)):
        own, b = induced.row[i], induced.body[i]
        for j in range(s.model.dipoles.first[b], s.model.dipoles.first[b + 1]):
            share = 1.0 if j < own or s.model.dipoles.form[j] != s.model.dipoles.form[own] else 0.0
            if j == own or share == 0.0:
                continue
            r = subtract(row(dipoles.position, own), row(dipoles.position, j))
            m, p, inverse = row(dipoles.moment, own), row(dipoles.moment, j), inverse_root(dot(r, r))
            across = dot(m, p) - 3.0 * dot(m, r) * dot(p, r) * inverse * inverse
            energy += factor * inverse * inverse * inverse * across
    return energy
