"""The potential through which eddy currents in a plate couple two dipoles, and contractions of its derivatives.

In the limit of low speeds the currents of a plate of thickness T, conductivity s and permeability mu0 flow parallel to
its faces, J = s curl(n dW/dt), where dW/dz is the scalar potential of the dipoles. Indeed curl E = -dB/dt inside, and
no current crosses a face. (J. C. Maxwell, Proc. R. Soc. 20, 160, 1872; W. M. Saslow, Am. J. Phys. 60, 693, 1992: here
to first order in the speed, and summed over the sheets of a thick plate.) With D = p.grad at the place of a dipole p,

    G_ij = s int grad W_i . grad W_j dV = mu0^2 s/(8 pi) D_i D_j f

couples two dipoles: the power of the currents is -sum (d/dt)_i (d/dt)_j G_ij. The potential f has the horizontal
distance r of both, and the height u of one above the image of the other:

    f = {Q(r, u + 2 T) - Q(r, u)}/2       on the same side, u the sum of their heights above the face
    f = -T dQ/du                          on different sides, u the sum of their heights and T
    Q = R - u ln(R + u), R^2 = r^2 + u^2  a harmonic function

f depends on r and u only, so all its derivatives follow from f^(n,k) = (1/r d/dr)^n (d/du)^k f. Works on floats, and
lane by lane on Float64x8.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple

Derivatives = Any
"""f^(n,k) in five tuples n = 0 ... 4; k from 0 on, but from 2 on in the first one, with n + k <= 4 in all."""


@kernel
def derivatives_of_q(square: float, u: float) -> Derivatives:
    """f^(n,k) of Q = R - u ln(R + u), with R^2 = square + u^2 and u > 0 [m]."""
    over = 1.0 / sqrt(square + u * u)
    w = over / (1.0 + u * over)  # 1/(R + u)
    cube = over * over * over
    fifth = cube * over * over
    return (
        (-over, u * cube, cube - 3.0 * u * u * fifth),
        (w, -w * over, cube, -3.0 * u * fifth),
        (-w * w * over, w * over * over * (w + over), -3.0 * fifth),
        (
            w * w * over * over * (2.0 * w + over),
            -w * cube * (2.0 * w * w + 3.0 * over * (w + over)),
        ),
        (-3.0 * w * w * cube * (2.0 * w * w + over * (2.0 * w + over)),),
    )


@kernel
def derivatives_of_slope(square: float, u: float) -> Derivatives:
    """f^(n,k) of dQ/du = -ln(R + u), with R^2 = square + u^2 and u > 0 [m]."""
    over = 1.0 / sqrt(square + u * u)
    w = over / (1.0 + u * over)
    cube = over * over * over
    fifth = cube * over * over
    seventh = fifth * over * over
    return (
        (u * cube, cube - 3.0 * u * u * fifth, u * (15.0 * u * u * seventh - 9.0 * fifth)),
        (-w * over, cube, -3.0 * u * fifth, 15.0 * u * u * seventh - 3.0 * fifth),
        (w * over * over * (w + over), -3.0 * fifth, 15.0 * u * seventh),
        (-w * cube * (2.0 * w * w + 3.0 * over * (w + over)), 15.0 * seventh),
        (w * cube * over * (6.0 * w * w * w + over * (12.0 * w * w + 15.0 * over * (w + over))),),
    )


@kernel
def difference(f: Derivatives, g: Derivatives) -> Derivatives:
    """Derivatives of f - g."""
    return (
        (f[0][0] - g[0][0], f[0][1] - g[0][1], f[0][2] - g[0][2]),
        (f[1][0] - g[1][0], f[1][1] - g[1][1], f[1][2] - g[1][2], f[1][3] - g[1][3]),
        (f[2][0] - g[2][0], f[2][1] - g[2][1], f[2][2] - g[2][2]),
        (f[3][0] - g[3][0], f[3][1] - g[3][1]),
        (f[4][0] - g[4][0],),
    )


@kernel
def second(f: Derivatives, x: float, y: float, a: Triple) -> Triple:
    """grad (a.grad f), components along e1, e2 and the height, at the horizontal distance (x, y) [m]."""
    a_r = a[0] * x + a[1] * y
    along = f[2][0] * a_r + f[1][1] * a[2]
    return f[1][0] * a[0] + along * x, f[1][0] * a[1] + along * y, f[1][1] * a_r + f[0][0] * a[2]


@kernel
def third(f: Derivatives, x: float, y: float, a: Triple, b: Triple) -> Triple:
    """grad (a.grad)(b.grad) f, as `second`."""
    a_b, a_r, b_r = a[0] * b[0] + a[1] * b[1], a[0] * x + a[1] * y, b[0] * x + b[1] * y
    mixed, upright = a[2] * b_r + b[2] * a_r, a[2] * b[2]
    along = f[2][0] * a_b + f[3][0] * a_r * b_r + f[2][1] * mixed + f[1][2] * upright
    along_a, along_b = f[2][0] * b_r + f[1][1] * b[2], f[2][0] * a_r + f[1][1] * a[2]
    return (
        along * x + along_a * a[0] + along_b * b[0],
        along * y + along_a * a[1] + along_b * b[1],
        f[1][1] * a_b + f[2][1] * a_r * b_r + f[1][2] * mixed + f[0][1] * upright,
    )


@kernel
def _pairing(f: Derivatives, b: Triple, c: Triple, b_c: float, b_r: float, c_r: float) -> float:
    """(b.grad)(c.grad) of f^(1,0), with the horizontal products b.c, b.r and c.r."""
    return f[2][0] * b_c + f[3][0] * b_r * c_r + f[2][1] * (b[2] * c_r + c[2] * b_r) + f[1][2] * b[2] * c[2]


@kernel
def fourth(f: Derivatives, x: float, y: float, a: Triple, b: Triple, c: Triple) -> Triple:
    """grad (a.grad)(b.grad)(c.grad) f, as `second`."""
    a_b, a_c, b_c = a[0] * b[0] + a[1] * b[1], a[0] * c[0] + a[1] * c[1], b[0] * c[0] + b[1] * c[1]
    a_r, b_r, c_r = a[0] * x + a[1] * y, b[0] * x + b[1] * y, c[0] * x + c[1] * y
    level, flat = a_b * c_r + a_c * b_r + b_c * a_r, a_r * b_r * c_r
    one = a[2] * b_c + b[2] * a_c + c[2] * a_b
    one_r = a[2] * b_r * c_r + b[2] * a_r * c_r + c[2] * a_r * b_r
    two_r = a[2] * b[2] * c_r + a[2] * c[2] * b_r + b[2] * c[2] * a_r
    three = a[2] * b[2] * c[2]
    along = f[3][0] * level + f[4][0] * flat + f[2][1] * one + f[3][1] * one_r + f[2][2] * two_r + f[1][3] * three
    along_a = _pairing(f, b, c, b_c, b_r, c_r)
    along_b = _pairing(f, a, c, a_c, a_r, c_r)
    along_c = _pairing(f, a, b, a_b, a_r, b_r)
    return (
        along * x + along_a * a[0] + along_b * b[0] + along_c * c[0],
        along * y + along_a * a[1] + along_b * b[1] + along_c * c[1],
        f[2][1] * level + f[3][1] * flat + f[1][2] * one + f[2][2] * one_r + f[1][3] * two_r + f[0][2] * three,
    )
