"""Rotation of a deformed body: the frame in which its deformation has no part of a rotation.

With positions r from the centre of mass and s at rest, R maximises tr(R^T A), A = sum m r s^T (Kabsch). With q = R^T r
the matrix H = sum m q s^T = R^T A is then symmetric, that is, sum m s x q = 0. Closed form by the largest root lambda
of a quartic (Markley, J. Astronaut. Sci. 41, 261, 1993), which is exact also where all points are in one plane:

    (lambda^2 - |A|^2)^2 - 8 lambda det A - 4 |cof A|^2 = 0
    R = {(kappa + |A|^2) A + lambda cof A - A A^T A} / (kappa lambda - det A)      kappa = (lambda^2 - |A|^2)/2
"""

from __future__ import annotations

from math import sqrt

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, cross, dot, scale, subtract
from polhode.physics.modal.placement import solved

Columns = tuple[Triple, Triple, Triple]
"""A 3 x 3 matrix by its columns."""


@kernel
def largest_root(square: float, determinant: float, minors: float) -> float:
    """lambda of the quartic of a matrix with |A|^2 = square, det A and |cof A|^2 = minors, by Newton's method.

    Begins above the root, sqrt(3) |A|, and decreases until rounding stops it.
    """
    root = sqrt(3.0 * square)
    for _ in range(50):
        above = root * root - square
        value = above * above - 8.0 * root * determinant - 4.0 * minors
        slope = 4.0 * root * above - 8.0 * determinant
        if not value > 0.0 or not slope > 0.0 or root - value / slope == root:
            break
        root -= value / slope
    return root


@kernel
def fitted_rotation(a: Columns) -> Columns:
    """Columns of R for A = sum m r s^T: the closed form, and one Newton step that removes its rounding errors."""
    a1, a2, a3 = a
    square = dot(a1, a1) + dot(a2, a2) + dot(a3, a3)
    size = 1.0 / sqrt(square)
    a1, a2, a3 = scale(size, a1), scale(size, a2), scale(size, a3)
    c1, c2, c3 = cross(a2, a3), cross(a3, a1), cross(a1, a2)
    determinant = dot(a1, c1)
    root = largest_root(1.0, determinant, dot(c1, c1) + dot(c2, c2) + dot(c3, c3))
    kappa = 0.5 * (root * root - 1.0)
    over = 1.0 / (kappa * root - determinant)
    u1 = closed_form(a1, c1, (a1, a2, a3), kappa, root, over)
    u2 = closed_form(a2, c2, (a1, a2, a3), kappa, root, over)
    u3 = closed_form(a3, c3, (a1, a2, a3), kappa, root, over)
    return polished((u1, u2, u3), (a1, a2, a3))


@kernel
def closed_form(column: Triple, minor: Triple, a: Columns, kappa: float, root: float, over: float) -> Triple:
    """One column of R, from that of A and of its cofactor matrix; |A| = 1."""
    cubed = combine((dot(a[0], column), dot(a[1], column), dot(a[2], column)), a[0], a[1], a[2])
    return scale(over, subtract(add(scale(kappa + 1.0, column), scale(root, minor)), cubed))


@kernel
def polished(u: Columns, a: Columns) -> Columns:
    """R (1 + delta x), made orthonormal, with the rotation vector delta for which H becomes symmetric."""
    u1, u2, u3 = u
    d = around(u, a, twist(u, a))
    v1 = add(u1, subtract(scale(d[2], u2), scale(d[1], u3)))
    v2 = add(u2, subtract(scale(d[0], u3), scale(d[2], u1)))
    v3 = add(u3, subtract(scale(d[1], u1), scale(d[0], u2)))
    g11, g22, g33, g12, g13, g23 = dot(v1, v1), dot(v2, v2), dot(v3, v3), dot(v1, v2), dot(v1, v3), dot(v2, v3)
    return (
        subtract(scale(1.5, v1), scale(0.5, combine((g11, g12, g13), v1, v2, v3))),
        subtract(scale(1.5, v2), scale(0.5, combine((g12, g22, g23), v1, v2, v3))),
        subtract(scale(1.5, v3), scale(0.5, combine((g13, g23, g33), v1, v2, v3))),
    )


@kernel
def in_frame(u: Columns, a: Columns) -> Columns:
    """R^T A."""
    u1, u2, u3 = u
    return components(a[0], u1, u2, u3), components(a[1], u1, u2, u3), components(a[2], u1, u2, u3)


@kernel
def twist(u: Columns, b: Columns) -> Triple:
    """sum m s x w for the matrix B = sum m R w s^T: the antisymmetric part of R^T B."""
    h1, h2, h3 = in_frame(u, b)
    return (h2[2] - h3[1], h3[0] - h1[2], h1[1] - h2[0])


@kernel
def around(u: Columns, a: Columns, b: Triple) -> Triple:
    """x of (tr(H) 1 - H) x = b, with H = R^T A, symmetric but for rounding."""
    h1, h2, h3 = in_frame(u, a)
    off = (-0.5 * (h2[2] + h3[1]), -0.5 * (h3[0] + h1[2]), -0.5 * (h1[1] + h2[0]))
    return solved((h2[1] + h3[2], h1[0] + h3[2], h1[0] + h2[1]), off, b)
