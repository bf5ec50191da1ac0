"""The law of two point dipoles a and b (PEM eqs. 3.25-3.33), for one pair or for eight pairs at once.

With r = r_b - r_a, d = |r|, moments p_a and p_b, in the laboratory frame,

    U = -mu0/(4 pi d^3) {3 (p_a.r)(p_b.r)/d^2 - p_a.p_b}                                    (3.25)
    B_a = -dU/dp_a = mu0/(4 pi d^3) {3 (p_b.r) r/d^2 - p_b}     and B_b with a and b exchanged   (3.30)
    F_a = dU/dr = -3 mu0/(4 pi d^5) {(p_b.r) p_a + (p_a.r) p_b + (p_a.p_b) r - 5 (p_a.r)(p_b.r) r/d^2} = -F_b   (3.29)
    T_a = p_a x B_a + r'_a x F_a                                                            (3.33)

T_a is the torque about the reference point of the body of a, r'_a the arm from there to the dipole (magnetic.py). So
momentum is conserved, and angular momentum: T_a + T_b + (x_b - x_a) x F_b = 0. F varies as 1/d^4, B as 1/d^3.

A point dipole describes a magnet at distances of at least about two of its sizes; closer, the scene warns
(proximity.py), or the magnet is a cloud of dipoles (dipole_cloud.py). At d = 0 the results are nan or infinite. A
uniform sphere acts exactly as a point dipole outside itself.
"""

from __future__ import annotations

from math import pi

from polhode.jit.kernel import kernel
from polhode.jit.simd import inverse_root
from polhode.jit.vec import Triple, add, dot, scale, subtract


@kernel
def pair(r: Triple, p_a: Triple, p_b: Triple, permeability: float) -> tuple[Triple, Triple, Triple]:
    """Fields at a and at b [T], and force on a [N] of two dipoles, laboratory frame; the force on b is the opposite.

    The equations are those of the module. Works on floats, and lane by lane on Float64x8.

    r: r_b - r_a [m]; p_a, p_b: moments [A m^2]; permeability: mu0 [T m/A].
    """
    inverse = inverse_root(dot(r, r))
    inverse_square = inverse * inverse
    strength = permeability / (4 * pi) * inverse_square * inverse
    a_r, b_r = dot(p_a, r), dot(p_b, r)
    triple = 3 * inverse_square
    field_a = scale(strength, subtract(scale(triple * b_r, r), p_b))
    field_b = scale(strength, subtract(scale(triple * a_r, r), p_a))
    along_r = dot(p_a, p_b) - 5 / 3 * (triple * a_r * b_r)
    direction = add(add(scale(b_r, p_a), scale(a_r, p_b)), scale(along_r, r))
    return field_a, field_b, scale(-strength * triple, direction)
