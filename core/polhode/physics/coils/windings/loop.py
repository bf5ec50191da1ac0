"""The field of a current loop, closed forms.

A thin loop of radius a about the z axis, current I, at the distance rho from the axis and the height z:

    alpha^2 = (a - rho)^2 + z^2     beta^2 = (a + rho)^2 + z^2     m = 1 - alpha^2/beta^2     C = mu0 I/pi
    A_phi = C a/(beta m) {(2 - m) K - 2 E}
    B_rho = C z/(2 alpha^2 beta rho) {(a^2 + r^2) E - alpha^2 K}             r^2 = rho^2 + z^2
    B_z   = C/(2 alpha^2 beta) {(a^2 - r^2) E + alpha^2 K}
    dB_z/dz   = C z/(2 alpha^4 beta^3) {[6 a^2 (rho^2 - z^2) - 7 a^4 + r^4] E + alpha^2 (a^2 - r^2) K}
    dB_rho/dz = C/(2 rho alpha^4 beta^3) {[(rho^2 - a^2)^2 (rho^2 + a^2) + 2 z^2 (a^4 - 6 a^2 rho^2 + rho^4)
                + z^4 (a^2 + rho^2)] E - alpha^2 [(rho^2 - a^2)^2 + z^2 (rho^2 + a^2)] K}

(W. R. Smythe, Static and Dynamic Electricity, 7.10; J. Simpson et al., NASA/TM-2013-217919). The other derivatives
follow from div B = 0 and curl B = 0: dB_z/drho = dB_rho/dz and dB_rho/drho = -dB_z/dz - B_rho/rho. Close to the axis,
where the braces cancel, the series in rho of the field on the axis f(z) = mu0 I a^2/2 (a^2 + z^2)^(-3/2) is used.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import NamedTuple

from polhode.jit.kernel import kernel
from polhode.jit.simd import any_lane, where
from polhode.physics.coils.windings.elliptic import first_and_second

NEAR_AXIS = 2e-3  # ratio of rho to beta below which the series has all digits: its error is of the sixth power


class RoundField(NamedTuple):
    """Field of an axisymmetric winding at (rho, z), for a current of 1 A; components divided by rho are finite on the
    axis.
    """

    potential: float
    """[T/A] A_phi/rho."""
    radial: float
    """[T/(A m)] B_rho/rho."""
    axial: float
    """[T/A] B_z."""
    axial_rate: float
    """[T/(A m)] dB_z/dz."""
    radial_rate: float
    """[T/(A m^2)] dB_rho/dz/rho."""


@kernel
def of_loop(a: float, rho: float, z: float, permeability: float) -> RoundField:
    """The field of a loop of radius a [m] at (rho, z) [m], scalars or lanes; infinite or nan on the wire."""
    beta_square = (a + rho) * (a + rho) + z * z
    is_near = NEAR_AXIS * NEAR_AXIS * beta_square > rho * rho
    beside = beside_axis(a, rho, z, beta_square, permeability)
    if not any_lane(is_near):
        return beside
    near = near_axis(a, rho * rho, z, permeability)
    return RoundField(
        where(is_near, near.potential, beside.potential),
        where(is_near, near.radial, beside.radial),
        where(is_near, near.axial, beside.axial),
        where(is_near, near.axial_rate, beside.axial_rate),
        where(is_near, near.radial_rate, beside.radial_rate),
    )


@kernel
def beside_axis(a: float, rho: float, z: float, beta_square: float, permeability: float) -> RoundField:
    """The same by the closed forms; nan on the axis."""
    alpha_square = (a - rho) * (a - rho) + z * z
    kc_square = alpha_square / beta_square
    k, e = first_and_second(kc_square)
    m, beta, a2, r2, z2 = 1.0 - kc_square, sqrt(beta_square), a * a, rho * rho, z * z
    square, strength = r2 + z2, permeability / pi
    half = 0.5 * strength / (alpha_square * beta)
    rate = half / (alpha_square * beta_square)
    apart = (r2 - a2) * (r2 - a2)
    of_e = apart * (r2 + a2) + 2.0 * z2 * (a2 * a2 - 6.0 * a2 * r2 + r2 * r2) + z2 * z2 * (a2 + r2)
    return RoundField(
        strength * a / (beta * m * rho) * ((2.0 - m) * k - 2.0 * e),
        half * z / r2 * ((a2 + square) * e - alpha_square * k),
        half * ((a2 - square) * e + alpha_square * k),
        rate * z * ((6.0 * a2 * (r2 - z2) - 7.0 * a2 * a2 + square * square) * e + alpha_square * (a2 - square) * k),
        rate / r2 * (of_e * e - alpha_square * (apart + z2 * (r2 + a2)) * k),
    )


@kernel
def near_axis(a: float, rho_square: float, z: float, permeability: float) -> RoundField:
    """The same by the series B_z = f - rho^2/4 f'' + rho^4/64 f'''', with rho^2 [m^2]."""
    s, z2 = a * a + z * z, z * z
    f0 = 0.5 * permeability * a * a / (s * sqrt(s))
    f1 = -3.0 * z / s * f0
    f2 = (15.0 * z2 / s - 3.0) / s * f0
    f3 = (45.0 - 105.0 * z2 / s) * z / (s * s) * f0
    f4 = (45.0 - 630.0 * z2 / s + 945.0 * (z2 / s) * (z2 / s)) / (s * s) * f0
    f5 = (-1575.0 + 9450.0 * z2 / s - 10395.0 * (z2 / s) * (z2 / s)) * z / (s * s * s) * f0
    quarter = 0.25 * rho_square
    fourth = 0.25 * quarter * quarter
    return RoundField(
        0.5 * (f0 - 0.5 * quarter * f2 + fourth / 3.0 * f4),
        -0.5 * (f1 - 0.5 * quarter * f3 + fourth / 3.0 * f5),
        f0 - quarter * f2 + fourth * f4,
        f1 - quarter * f3 + fourth * f5,
        -0.5 * (f2 - 0.5 * quarter * f4),
    )
