"""The law of two point dipoles: what each does to the other; of single ones, or of eight pairs at once."""

from __future__ import annotations

from math import pi

from core.jit.kernel import kernel
from core.jit.simd import inverse_root
from core.jit.vec import Triple, add, dot, scale, subtract


@kernel
def pair(r: Triple, p_a: Triple, p_b: Triple, permeability: float) -> tuple[Triple, Triple, Triple]:
    """Fields at a and at b [T], and force on a [N]; the force on b is the opposite. r = r_b - r_a [m].

    B_a = -dU/dp_a = mu0/(4 pi d^3) {3 (p_b.r) r/d^2 - p_b}, B_b likewise,
    F_a = dU/dr = -3 mu0/(4 pi d^5) {(p_b.r) p_a + (p_a.r) p_b + (p_a.p_b) r - 5 (p_a.r)(p_b.r) r/d^2}
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
