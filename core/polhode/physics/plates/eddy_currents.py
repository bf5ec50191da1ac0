"""Forces and torques of eddy currents on the dipoles that induce them, at low speed (potential.py).

With the image of a vector a = (a_x, a_y, a_z), a' = (-a_x, -a_y, a_z), z the height above the plate, dipole i with
moment p_i feels the currents that all dipoles j, itself among them, induce by their velocities v_j and by the rates of
their moments dp_j/dt = omega x p_j:

    B_i = -k sum_j grad {dp'_j/dt.grad + (v'_j.grad)(p'_j.grad)} f      k = mu0^2 s/(8 pi)
    F_i = grad (p_i.B_i)
    P   = -sum_i {F_i.v_i + B_i.dp_i/dt}                                the Joule heat, never negative

The power -P goes to the ledger's line DAMPING. Valid while the magnetic Reynolds number mu0 s v d of each dipole is
small, d the smaller of thickness and height: the error of the drag is of its square, but the lift, half of it times the
drag, is left out; so are currents by a field of the world that changes with time. The plate has no edges. Checks: drag
3 mu0^2 s T p^2 v/(128 pi h^4) of a vertical dipole along a thin sheet, and twice as much across.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from polhode.engine.ledger import DAMPING
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, Float64x8, broadcast, first_lanes, load, load_three
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, accumulate, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.magnets.arrays import Dipoles, DipoleWork
from polhode.physics.plates.arrays import HEIGHT, MOMENT, RATE, SIDE, VELOCITY, Plates, PlateWork, X, Y
from polhode.physics.plates.potential import (
    Derivatives,
    derivatives_of_q,
    derivatives_of_slope,
    difference,
    fourth,
    second,
    third,
)

LaneTriple = tuple[Float64x8, Float64x8, Float64x8]


@kernel
def write_image(images: np.ndarray, first: int, i: int, side: float, a: Triple) -> None:
    """Write the image of a vector a, in the frame of a plate, for dipole i into `images` (ROWS, k) from a row on."""
    images[first, i], images[first + 1, i], images[first + 2, i] = -a[0], -a[1], side * a[2]


@kernel
def own(images: np.ndarray, first: int, i: int) -> Triple:
    """The vector of dipole i whose image is in `images` (ROWS, k) from a row on, third component along the height."""
    return -images[first, i], -images[first + 1, i], images[first + 2, i]


@kernel
def place_images(
    plates: Plates,
    k: int,
    permeability: float,
    dipoles: Dipoles,
    body_work: BodyWork,
    dipole_work: DipoleWork,
    plate_work: PlateWork,
) -> None:
    """Write positions and images of all dipoles in the frame of plate k, and raise its magnetic Reynolds number.

    That of a dipole without moment is nan, which is not larger than any.
    """
    e1, e2, n, images = row(plates.basis[k], 0), row(plates.basis[k], 1), row(plates.basis[k], 2), plate_work.images
    slowness = permeability * plates.conductivity[k]  # [s/m^2]
    for b in range(len(dipoles.first) - 1):
        velocity, omega = row(body_work.velocity, b), row(body_work.angular_velocity, b)
        for i in range(dipoles.first[b], dipoles.first[b + 1]):
            side, moment = plates.side[k, i], row(dipole_work.moment, i)
            at = components(subtract(row(dipole_work.position, i), row(plates.point, k)), e1, e2, n)
            moved, turned = add(velocity, cross(omega, row(dipole_work.arm, i))), cross(omega, moment)
            height = side * at[2] - 0.5 * plates.thickness[k]
            images[X, i], images[Y, i], images[HEIGHT, i], images[SIDE, i] = at[0], at[1], height, side
            write_image(images, MOMENT, i, side, components(moment, e1, e2, n))
            write_image(images, RATE, i, side, components(turned, e1, e2, n))
            write_image(images, VELOCITY, i, side, components(moved, e1, e2, n))
            speed = sqrt(dot(moved, moved)) + height * sqrt(dot(turned, turned) / dot(moment, moment))
            reynolds = slowness * speed * min(plates.thickness[k], height)
            if reynolds > plate_work.reynolds[k]:
                plate_work.reynolds[k], plate_work.fastest[k] = reynolds, i


@kernel
def coupling(
    f: Derivatives, x: Float64x8, y: Float64x8, p: Triple, weight: Float64x8, images: np.ndarray, start: int
) -> tuple[LaneTriple, LaneTriple]:
    """-B_i/k and -F_i/k by eight dipoles from `start` on, with the potential f; x, y: from them to dipole i [m].

    p: moment of dipole i, third component along its height; weight: factor of f; images: (ROWS, k) of `PlateWork`.
    """
    every = first_lanes(WIDTH)
    q, rate = load_three(images, MOMENT, start, every), load_three(images, RATE, start, every)
    q, rate, v = scale(weight, q), scale(weight, rate), load_three(images, VELOCITY, start, every)
    field = add(second(f, x, y, rate), third(f, x, y, v, q))
    return field, add(third(f, x, y, p, rate), fourth(f, x, y, p, v, q))


@kernel
def field_and_force(plates: Plates, k: int, i: int, images: np.ndarray, permeability: float) -> tuple[Triple, Triple]:
    """B_i [T] and F_i [N] of the currents in plate k at dipole i: components along e1, e2 and the height.

    nan if the dipole is inside the plate, or on the side where it did not start. The cost of all dipoles is in
    proportion to the square of their number.

    images: (ROWS, k) of `PlateWork`
    """
    zero = broadcast(0.0)
    field = force = (zero, zero, zero)
    height = images[HEIGHT, i] if images[HEIGHT, i] > 0.0 else np.nan
    p, thick, every = own(images, MOMENT, i), plates.thickness[k], first_lanes(WIDTH)
    for start in range(0, images.shape[1], WIDTH):
        x, y = images[X, i] - load(images, X, start, every), images[Y, i] - load(images, Y, start, every)
        u, square = height + load(images, HEIGHT, start, every), x * x + y * y
        same = images[SIDE, i] * load(images, SIDE, start, every)  # 1 or -1; 0 where there is no dipole
        f = difference(derivatives_of_q(square, u + 2.0 * thick), derivatives_of_q(square, u))
        of_field, of_force = coupling(f, x, y, p, 0.25 * (same + 1.0), images, start)
        field, force = add(field, of_field), add(force, of_force)
        if plates.divides[k]:
            f = derivatives_of_slope(square, u + thick)
            of_field, of_force = coupling(f, x, y, p, 0.5 * thick * (same - 1.0), images, start)
            field, force = add(field, of_field), add(force, of_force)
    factor = -permeability * permeability * plates.conductivity[k] / (8.0 * pi)
    return scale(factor, total_three(field)), scale(factor, total_three(force))


@kernel
def add_eddy_currents(
    plates: Plates,
    permeability: float,
    dipoles: Dipoles,
    body_work: BodyWork,
    dipole_work: DipoleWork,
    plate_work: PlateWork,
    power: np.ndarray,
) -> None:
    """LAW: add forces and torques p x B + r' x F of the currents in all plates to the bodies of the dipoles.

    power[DAMPING] loses the Joule heat [W].
    """
    images = plate_work.images
    for k in range(len(plates.thickness)):
        place_images(plates, k, permeability, dipoles, body_work, dipole_work, plate_work)
        e1, e2, n = row(plates.basis[k], 0), row(plates.basis[k], 1), row(plates.basis[k], 2)
        heating, total = 0.0, (0.0, 0.0, 0.0)
        for b in range(len(dipoles.first) - 1):
            for i in range(dipoles.first[b], dipoles.first[b + 1]):
                field, force = field_and_force(plates, k, i, images, permeability)
                heating -= dot(force, own(images, VELOCITY, i)) + dot(field, own(images, RATE, i))
                up = scale(plates.side[k, i], n)
                field, force = combine(field, e1, e2, up), combine(force, e1, e2, up)
                turning = cross(row(dipole_work.moment, i), field)
                accumulate(body_work.torque, b, add(turning, cross(row(dipole_work.arm, i), force)))
                accumulate(body_work.force, b, force)
                total = subtract(total, force)
        plate_work.heating[k] = heating
        plate_work.force[k, 0], plate_work.force[k, 1], plate_work.force[k, 2] = total
        power[DAMPING] -= heating
