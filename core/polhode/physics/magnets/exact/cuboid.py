"""The field of a cuboid of uniform magnetisation: charged rectangles, closed forms.

With the magnetisation M along w the faces w = -c and w = c carry the charges -M and M per area. The potential of a
rectangle at the height w over its plane, u and v from its edges (G. Akoun and J.-P. Yonnet, IEEE Trans. Magn. 20, 1962,
1984), is

    psi = M/(4 pi) [u ln(v + r) + v ln(u + r) - w atan(u v/(w r))]        H = -grad psi, r^2 = u^2 + v^2 + w^2
    4 pi H_u/M = -[ln(v + r)]      4 pi H_v/M = -[ln(u + r)]      4 pi H_w/M = [atan(u v/(w r))]

[ ] is the sum over the four corners, whose signs alternate. The logarithms of two corners of an edge are one of a
ratio, without cancellation far away; the arc tangents of two corners are one of a product of complex numbers.
"""

from __future__ import annotations

from math import pi, sqrt

from polhode.jit.kernel import kernel
from polhode.jit.libm.inverse_trigonometric import atan2
from polhode.jit.libm.logarithm import log
from polhode.jit.vec import Triple, add, scale

LEAST = 1e-200  # [m^2] in place of zero, on an edge, where the field is infinite


@kernel
def edge(square: float, v1: float, v2: float) -> float:
    """ln (v1 + r1)/(v2 + r2) for v1 > v2 [m], r^2 = `square` [m^2] + v^2."""
    r1, r2 = sqrt(square + v1 * v1), sqrt(square + v2 * v2)
    if v2 >= 0.0:
        return log((v1 + r1) / max(v2 + r2, LEAST))
    if v1 <= 0.0:
        return log((r2 - v2) / max(r1 - v1, LEAST))
    return log((v1 + r1) * (r2 - v2) / max(square, LEAST))


@kernel
def corners(x1: float, y1: float, x2: float, y2: float) -> float:
    """atan(y1/x1) - atan(y2/x2) for x >= 0."""
    return atan2(y1 * x2 - y2 * x1, x1 * x2 + y1 * y2)


@kernel
def of_rectangle(u: float, v: float, w: float, a: float, b: float) -> tuple[float, float, float, float]:
    """psi [m] and its negative gradient at (u, v, w) [m] for the charge 4 pi per area on |u| < a, |v| < b, w = 0."""
    u1, u2, v1, v2, square, height = u + a, u - a, v + b, v - b, w * w, abs(w)
    along1, along2 = edge(u1 * u1 + square, v1, v2), edge(u2 * u2 + square, v1, v2)
    across1, across2 = edge(v1 * v1 + square, u1, u2), edge(v2 * v2 + square, u1, u2)
    r11, r12 = sqrt(u1 * u1 + v1 * v1 + square), sqrt(u1 * u1 + v2 * v2 + square)
    r21, r22 = sqrt(u2 * u2 + v1 * v1 + square), sqrt(u2 * u2 + v2 * v2 + square)
    angle = corners(height * r11, u1 * v1, height * r12, u1 * v2)
    angle += corners(height * r22, u2 * v2, height * r21, u2 * v1)
    potential = u1 * along1 - u2 * along2 + v1 * across1 - v2 * across2 - height * angle
    return potential, along2 - along1, across2 - across1, angle if w >= 0.0 else -angle


@kernel
def of_faces(u: float, v: float, w: float, a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """The same of the faces w = c and w = -c with opposite charges 1 per area."""
    upper, lower = of_rectangle(u, v, w - c, a, b), of_rectangle(u, v, w + c, a, b)
    unit = 0.25 / pi
    return (
        unit * (upper[0] - lower[0]),
        unit * (upper[1] - lower[1]),
        unit * (upper[2] - lower[2]),
        unit * (upper[3] - lower[3]),
    )


@kernel
def of_cuboid(r: Triple, half: Triple, magnetisation: Triple) -> tuple[float, Triple]:
    """psi [A] and H [A/m] at r [m] from the middle of a cuboid with half sides `half` [m], in its frame.

    magnetisation: M [A/m]. H is infinite on the edges; on a face it is that of the outside.
    """
    x, y, z = r
    a, b, c = half
    potential, field = 0.0, (0.0, 0.0, 0.0)
    if magnetisation[0] != 0.0:
        found = of_faces(y, z, x, b, c, a)
        potential += magnetisation[0] * found[0]
        field = add(field, scale(magnetisation[0], (found[3], found[1], found[2])))
    if magnetisation[1] != 0.0:
        found = of_faces(z, x, y, c, a, b)
        potential += magnetisation[1] * found[0]
        field = add(field, scale(magnetisation[1], (found[2], found[3], found[1])))
    if magnetisation[2] != 0.0:
        found = of_faces(x, y, z, a, b, c)
        potential += magnetisation[2] * found[0]
        field = add(field, scale(magnetisation[2], (found[1], found[2], found[3])))
    return potential, field
