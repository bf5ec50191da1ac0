"""The field of a cylinder of uniform magnetisation in any direction, closed forms.

Radius a, from z = -h to h. With the potential G of a body of density 1, lap G = -1 inside, psi = -M.grad G and H =
grad (M.grad G): the magnetisation along the axis is a sheet of current M per length (solenoid.py), whose field b =
B/(mu0 M) and vector potential p = A_phi/(mu0 M rho) give all second derivatives of G. With the components M_z, and M_t
across the axis, at the point x across the axis,

    H_z = (b_z - 1 inside) M_z + (b_rho/rho) x.M_t          q = (b_z - 2 p)/rho^2
    H_t = (b_rho/rho) M_z x - p M_t - q (x.M_t) x
    psi = M_z (V(z - h) - V(z + h))/(4 pi) + p x.M_t

p and the potential V of a disc of charge 1 per area are, with s, k and g of solenoid.py, each at the height z over an
end, and [ ]+- the value at z + h less that at z - h (p by parts from the integral of the current sheet; V: H. Lass and
L. Blitzer, Celestial Mech. 30, 225, 1983; J. T. Conway, IEEE Trans. Magn. 37, 2977, 2001),

    p = [a z/(pi rho s) {cel(k, 1, 0, 1) - g^2 cel(k, g^2, 0, 1)}]+-
    V = 2 {s E + (a^2 - rho^2)/s K + z^2 g/s cel(k, g^2, 1, 1)} - 2 pi |z| inside the radius
"""

from __future__ import annotations

from math import pi, sqrt

from polhode.jit.kernel import kernel
from polhode.jit.simd import any_lane, where
from polhode.jit.vec import Triple
from polhode.physics.coils.windings.elliptic import cel
from polhode.physics.coils.windings.loop import NEAR_AXIS
from polhode.physics.coils.windings.solenoid import of_end

BESIDE = 1e-12  # distance from the surface of the radius, in radii, to which points that are nearer are moved


@kernel
def off_surface(a: float, rho: float) -> float:
    """rho [m], or a little more where that is the radius a [m], at which the integrals are improper."""
    return where((BESIDE * a) * (BESIDE * a) > (a - rho) * (a - rho), a * (1.0 + 2.0 * BESIDE), rho)


@kernel
def turned_potential(a: float, rho: float, z: float) -> float:
    """The brace of p of an end with its factor, at the height z [m] over the end."""
    square = z * z + (rho + a) * (rho + a)
    s, k, g = sqrt(square), sqrt((z * z + (a - rho) * (a - rho)) / square), (a - rho) / (a + rho)
    one = 1.0 + 0.0 * k
    difference = cel(k, one, 0.0, 1.0) - g * g * cel(k, g * g, 0.0, 1.0)
    beside = a * z / (pi * rho * s) * difference
    is_near = NEAR_AXIS * s > rho
    if not any_lane(is_near):
        return beside
    # the series b/2 - rho^2/16 b'' + rho^4/384 b'''' of b = z/(2 sqrt(a^2 + z^2)) on the axis
    of, r2 = a * a + z * z, rho * rho
    root, ratio = sqrt(of), z * z / of
    first = a * a / (of * root)
    second, fourth = -3.0 * z / of * first, (45.0 - 105.0 * ratio) * z / (of * of) * first
    return where(is_near, 0.25 * z / root - r2 / 32.0 * second + r2 * r2 / 768.0 * fourth, beside)


@kernel
def disc_potential(a: float, rho: float, z: float) -> float:
    """V [m] of a disc of charge 1 per area at the height z [m] over its plane."""
    square = z * z + (rho + a) * (rho + a)
    s, k, g = sqrt(square), sqrt((z * z + (a - rho) * (a - rho)) / square), (a - rho) / (a + rho)
    one, of_k = 1.0 + 0.0 * k, (a * a - rho * rho) / s
    found = cel(k, one, s + of_k, s * k * k + of_k) + z * z * g / s * cel(k, g * g, 1.0, 1.0)
    return 2.0 * found - where(a > rho, 2.0 * pi * sqrt(z * z), 0.0)


@kernel
def field_of_cylinder(r: Triple, a: float, half: float, magnetisation: Triple) -> Triple:
    """H [A/m] at r [m] from the middle of a cylinder of radius a and half length `half` [m], scalars or lanes.

    magnetisation: M [A/m]. In the frame of the cylinder; on an end the field is that of the outside.
    """
    x, y, z = r
    square = x * x + y * y
    rho = off_surface(a, sqrt(square))
    upper, lower = of_end(a, rho, z + half), of_end(a, rho, z - half)
    radial, axial = a / pi * (upper[0] - lower[0]), a / (pi * (a + rho)) * (upper[1] - lower[1])
    along, across = magnetisation[2], magnetisation[0] * x + magnetisation[1] * y
    inside = where(half * half > z * z, where(a > rho, 1.0, 0.0 * z), 0.0)
    h_x, h_y, h_z = radial * along * x, radial * along * y, (axial - inside) * along + radial * across
    if magnetisation[0] != 0.0 or magnetisation[1] != 0.0:
        p = turned_potential(a, rho, z + half) - turned_potential(a, rho, z - half)
        q = where(square > 0.0, (axial - 2.0 * p) / square, 0.0) * across
        h_x, h_y = h_x - p * magnetisation[0] - q * x, h_y - p * magnetisation[1] - q * y
    return h_x, h_y, h_z


@kernel
def potential_of_cylinder(r: Triple, a: float, half: float, magnetisation: Triple) -> float:
    """psi [A] of the same."""
    x, y, z = r
    rho = off_surface(a, sqrt(x * x + y * y))
    found = 0.0 * z
    if magnetisation[2] != 0.0:
        ends = disc_potential(a, rho, z - half) - disc_potential(a, rho, z + half)
        found = magnetisation[2] * 0.25 / pi * ends
    if magnetisation[0] != 0.0 or magnetisation[1] != 0.0:
        p = turned_potential(a, rho, z + half) - turned_potential(a, rho, z - half)
        found = found + p * (magnetisation[0] * x + magnetisation[1] * y)
    return found
