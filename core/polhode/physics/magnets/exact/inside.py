"""The field of a magnet continued through its surface, for charges of other magnets that are pressed into it.

The normal component of H jumps at a charged surface: a magnet that a contact lets overlap by a hair would be pulled
before and pushed away behind. So the potential inside gets the term s M f more, for each component M of the
magnetisation along an axis of the shape; s is the side of its middle, and with the depth d below the charged surface

    f = d product of o^2/(o^2 + d^2) over the distances o from the middle and from the other surfaces

Near the charged surface f is d, which makes the force continuous there; at the other surfaces and in the middle f and
its slope are zero. So the forces remain a gradient, and change smoothly everywhere but at edges.
"""

from __future__ import annotations

from math import sqrt

from polhode.jit.kernel import kernel
from polhode.jit.simd import any_lane, where
from polhode.jit.vec import Triple

ABSENT = 1e60  # [m] distance from a surface that a shape has not


@kernel
def share(o: float, d: float) -> tuple[float, float, float]:
    """o^2/(o^2 + d^2) and its derivatives with respect to o and d [1/m]."""
    square = o * o + d * d
    over = 1.0 / where(square > 0.0, square, 1.0)
    return o * o * over, 2.0 * o * d * d * over * over, -2.0 * d * o * o * over * over


@kernel
def depth(d: float, o1: float, o2: float, o3: float) -> tuple[float, float, float, float, float]:
    """f [m] and its derivatives with respect to d and the distances o [m]; zero unless all are positive."""
    (q1, of_1, d1), (q2, of_2, d2), (q3, of_3, d3) = share(o1, d), share(o2, d), share(o3, d)
    least = where(o2 > o1, o1, o2)
    least = where(least > o3, o3, least)
    inside = where(d > 0.0, where(least > 0.0, 1.0, 0.0 * d), 0.0)
    product = q1 * q2 * q3
    slope = product + d * (d1 * q2 * q3 + q1 * d2 * q3 + q1 * q2 * d3)
    weight = inside * d
    return weight * product, inside * slope, weight * of_1 * q2 * q3, weight * q1 * of_2 * q3, weight * q1 * q2 * of_3


@kernel
def along(u: float, v: float, w: float, a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """s f [m] and its negative gradient at (u, v, w) [m] for M along w in a cuboid of half sides a, b, c [m]."""
    of_u, of_v, side = 1.0 if u >= 0.0 else -1.0, 1.0 if v >= 0.0 else -1.0, 1.0 if w >= 0.0 else -1.0
    f, f_d, f_m, f_u, f_v = depth(c - abs(w), abs(w), a - abs(u), b - abs(v))
    return side * f, side * of_u * f_u, side * of_v * f_v, f_d - f_m


@kernel
def in_cuboid(r: Triple, half: Triple, magnetisation: Triple) -> tuple[float, Triple]:
    """Terms of psi [A] and H [A/m] of a cuboid at r [m], in its frame; half sides `half` [m]."""
    (x, y, z), (a, b, c) = r, half
    if abs(x) >= a or abs(y) >= b or abs(z) >= c:
        return 0.0, (0.0, 0.0, 0.0)
    by_x, by_y, by_z = along(y, z, x, b, c, a), along(z, x, y, c, a, b), along(x, y, z, a, b, c)
    m_x, m_y, m_z = magnetisation
    field = (
        m_x * by_x[3] + m_y * by_y[2] + m_z * by_z[1],
        m_x * by_x[1] + m_y * by_y[3] + m_z * by_z[2],
        m_x * by_x[2] + m_y * by_y[1] + m_z * by_z[3],
    )
    return m_x * by_x[0] + m_y * by_y[0] + m_z * by_z[0], field


@kernel
def in_cylinder(r: Triple, a: float, half: float, inner: float, magnetisation: Triple) -> tuple[float, Triple]:
    """The same of a cylinder of radius a and half length `half` [m], scalars or lanes.

    inner: radius [m] of its bore, negative without one; in the bore the terms are zero
    """
    x, y, z = r
    rho, up = sqrt(x * x + y * y), where(z > 0.0, 1.0 + 0.0 * z, -1.0)
    height = up * z
    end, side, bore = half - height, a - rho, rho - max(inner, 0.0)
    zero = 0.0 * z
    if not any_lane(where(end > side, side, end) > 0.0):
        return zero, (zero, zero, zero)
    over = where(rho > 0.0, 1.0 / where(rho > 0.0, rho, 1.0), 0.0)
    f, f_d, f_m, f_side, f_bore = depth(end, height, side, bore if inner > 0.0 else ABSENT + 0.0 * bore)
    potential = magnetisation[2] * up * f
    h_z = magnetisation[2] * (f_d - f_m)
    radial = magnetisation[2] * up * (f_side - f_bore)
    across = (magnetisation[0] * x + magnetisation[1] * y) * over
    f, f_d, f_m, f_end, _ = depth(side, bore, end, ABSENT + 0.0 * rho)
    potential = potential + across * f
    h_z = h_z + across * up * f_end
    radial = radial + across * (f_d - f_m + f * over)
    turning = f * over
    h_x, h_y = radial * x * over - turning * magnetisation[0], radial * y * over - turning * magnetisation[1]
    return potential, (h_x, h_y, h_z)
