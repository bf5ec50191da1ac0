"""The field of a coil at a point, with its gradient: the sum over the sheets of its winding.

In the frame of the coil, with q = (-dB_z/dz - 2 B_rho/rho)/rho^2, which is (1/rho) d(B_rho/rho)/drho,

    dB_x/dx = B_rho/rho + q x^2     dB_x/dy = q x y     dB_x/dz = x (dB_rho/dz)/rho

and so on: the gradient of a field without sources is a symmetric matrix without trace.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.simd import broadcast, where
from polhode.jit.vec import combine, components, dot, row
from polhode.physics.coils.arrays import HALF, RADIUS, TURNS, Coils, CoilWork
from polhode.physics.coils.windings.loop import RoundField, of_loop
from polhode.physics.coils.windings.segments import of_polygon
from polhode.physics.coils.windings.solenoid import of_sheet

Vectors = Any
"""Three Float64x8: eight vectors."""


@kernel
def round_field(coils: Coils, k: int, rho: float, z: float, permeability: float) -> RoundField:
    """Field of the sheets of coil k at (rho, z) [m], lanes, for 1 A."""
    radial = axial = axial_rate = radial_rate = broadcast(0.0)
    for s in range(coils.first_sheet[k], coils.first_sheet[k + 1]):
        radius, half, turns = coils.sheet[s, RADIUS], coils.sheet[s, HALF], coils.sheet[s, TURNS]
        is_sheet = half > 0.0
        found = of_sheet(radius, half, rho, z, permeability) if is_sheet else of_loop(radius, rho, z, permeability)
        radial = radial + turns * found.radial
        axial = axial + turns * found.axial
        axial_rate = axial_rate + turns * found.axial_rate
        radial_rate = radial_rate + turns * found.radial_rate
    return RoundField(broadcast(0.0), radial, axial, axial_rate, radial_rate)


@kernel
def round_at(coils: Coils, coil_work: CoilWork, k: int, r: Vectors, permeability: float) -> RoundField:
    """Field of coil k for 1 A at eight points; `r` [m] from the coil, laboratory frame."""
    axes = coil_work.axes[k]
    x, y, z = components(r, row(axes, 0), row(axes, 1), row(axes, 2))
    return round_field(coils, k, sqrt(x * x + y * y), z, permeability)


@kernel
def of_round(found: RoundField, axes: np.ndarray, r: Vectors, moment: Vectors) -> tuple[Vectors, Vectors]:
    """B [T/A] of an axisymmetric field, and the force grad (m.B) [N/A] on eight dipoles m = `moment` [A m^2].

    axes: (3, 3) rows e1, e2 and the axis; r: from the coil to the points [m]; laboratory frame
    """
    e1, e2, axis = row(axes, 0), row(axes, 1), row(axes, 2)
    x, y, _ = components(r, e1, e2, axis)
    a, b, c = components(moment, e1, e2, axis)
    square = x * x + y * y
    q = where(square > 0.0, -(found.axial_rate + 2.0 * found.radial) / square, 0.0)
    turned = q * (a * x + b * y) + found.radial_rate * c
    force = (
        found.radial * a + turned * x,
        found.radial * b + turned * y,
        found.radial_rate * (a * x + b * y) + found.axial_rate * c,
    )
    field = found.radial * x, found.radial * y, found.axial
    return combine(field, e1, e2, axis), combine(force, e1, e2, axis)


@kernel
def field_and_gradient(
    coils: Coils, coil_work: CoilWork, k: int, r: Vectors, permeability: float
) -> tuple[Vectors, tuple[Vectors, Vectors]]:
    """B [T/A] of coil k at eight points, and its derivatives [T/(A m)] xx, xy, xz and yy, yz, zz; laboratory frame.

    r: from the coil to the points [m]
    """
    zero, one = broadcast(0.0), broadcast(1.0)
    unit_x, unit_y, unit_z = (one, zero, zero), (zero, one, zero), (zero, zero, one)
    if is_polygon(coils, k):
        field, x = of_polygon(coils, coil_work, k, r, unit_x, permeability)
        y = of_polygon(coils, coil_work, k, r, unit_y, permeability)[1]
        z = of_polygon(coils, coil_work, k, r, unit_z, permeability)[1]
        return field, (x, (y[1], y[2], z[2]))
    axes, found = coil_work.axes[k], round_at(coils, coil_work, k, r, permeability)
    field, x = of_round(found, axes, r, unit_x)
    y, z = of_round(found, axes, r, unit_y)[1], of_round(found, axes, r, unit_z)[1]
    return field, (x, (y[1], y[2], z[2]))


@kernel
def turned_by(gradient: tuple[Vectors, Vectors], moment: Vectors) -> Vectors:
    """Force grad (m.B) [N/A] on dipoles m = `moment` [A m^2] of derivatives [T/(A m)] xx, xy, xz and yy, yz, zz."""
    x, y = gradient
    return dot(x, moment), dot((x[1], y[0], y[1]), moment), dot((x[2], y[1], y[2]), moment)


@kernel
def is_polygon(coils: Coils, k: int) -> bool:
    """Whether coil k has straight pieces of wire, and neither sheets nor rings."""
    return coils.first_segment[k] < coils.first_segment[k + 1]


@kernel
def field_and_force(
    coils: Coils, coil_work: CoilWork, k: int, r: Vectors, moment: Vectors, permeability: float
) -> tuple[Vectors, Vectors]:
    """B [T/A] of coil k, and the force grad (m.B) [N/A] on eight dipoles m = `moment` [A m^2]; laboratory frame.

    r: from the coil to the points [m]
    """
    if is_polygon(coils, k):
        return of_polygon(coils, coil_work, k, r, moment, permeability)
    return of_round(round_at(coils, coil_work, k, r, permeability), coil_work.axes[k], r, moment)
