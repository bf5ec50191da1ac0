"""The field of a cylindrical current sheet: a solenoid of many turns, closed forms.

Radius a, turns per length n, from z = -h to h; with the heights z+- = z +- h over its ends (N. Derby and S. Olbert, Am.
J. Phys. 78, 229, 2010):

    B_rho = mu0 n I a/pi [cel(k, 1, 1, -1)/s]+-        B_z = mu0 n I a/(pi (a + rho)) [z cel(k, g^2, 1, g)/s]+-
    s = sqrt(z^2 + (rho + a)^2)      k^2 = (z^2 + (a - rho)^2)/s^2      g = (a - rho)/(a + rho)

[ ]+- is the value at z+ less that at z-. The derivatives with respect to z are differences of the fields of two loops
at the ends: dB/dz = n [B_loop]+-.
"""

from __future__ import annotations

from math import pi, sqrt

from polhode.jit.kernel import kernel
from polhode.jit.simd import any_lane, where
from polhode.physics.coils.windings.elliptic import cel
from polhode.physics.coils.windings.loop import NEAR_AXIS, RoundField, of_loop


@kernel
def of_end(a: float, rho: float, z: float) -> tuple[float, float]:
    """cel(k, 1, 1, -1)/s/rho [1/m^2] and z cel(k, g^2, 1, g)/s at the height z [m] over an end."""
    square = z * z + (rho + a) * (rho + a)
    s, k, g = sqrt(square), sqrt((z * z + (a - rho) * (a - rho)) / square), (a - rho) / (a + rho)
    axial = z / s * cel(k, g * g, 1.0, g)
    radial = cel(k, 1.0 + 0.0 * k, 1.0, -1.0) / (s * rho)
    is_near = NEAR_AXIS * s > rho
    if not any_lane(is_near):
        return radial, axial
    # the series of the radial field: B_rho = -rho/2 B' + rho^3/16 B''', B on the axis in proportion to z/sqrt(.)
    of = a * a + z * z
    return where(is_near, -0.5 * pi / a * near_end(a, rho * rho, of, sqrt(of), z), radial), axial


@kernel
def near_end(a: float, rho_square: float, of: float, root: float, z: float) -> float:
    """(1/2) d/dz - rho^2/16 d^3/dz^3 + rho^4/384 d^5/dz^5 of z/sqrt(a^2 + z^2), which is `root`^2 = `of` [m^2]."""
    first = a * a / (of * root)
    ratio = z * z / of
    third = first / of * (15.0 * ratio - 3.0)
    fifth = first / (of * of) * (45.0 - 630.0 * ratio + 945.0 * ratio * ratio)
    return 0.5 * first - rho_square / 16.0 * third + rho_square * rho_square / 384.0 * fifth


@kernel
def of_sheet(a: float, half: float, rho: float, z: float, permeability: float) -> RoundField:
    """The field of one turn that is spread over the length 2 `half` [m], at (rho, z) [m], scalars or lanes.

    Without its potential.
    """
    upper, lower = of_end(a, rho, z + half), of_end(a, rho, z - half)
    first, last = of_loop(a, rho, z + half, permeability), of_loop(a, rho, z - half, permeability)
    turns = 0.5 / half
    strength = permeability * turns * a / pi
    return RoundField(
        0.0 * z,  # of the type of the others
        strength * (upper[0] - lower[0]),
        strength / (a + rho) * (upper[1] - lower[1]),
        turns * (first.axial - last.axial),
        turns * (first.radial - last.radial),
    )
