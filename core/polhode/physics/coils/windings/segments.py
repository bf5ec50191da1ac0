"""The field of straight pieces of wire, closed forms.

A piece from p to q with the current I, at x; a = x - p, b = x - q, L = q - p:

    B = mu0 I/(4 pi) (L x a) (|a| + |b|)/(|a||b| (|a||b| + a.b))
    A = mu0 I/(4 pi) (L/|L|) ln{(|a| + |b| + |L|)/(|a| + |b| - |L|)}

(J. D. Jackson, Classical Electrodynamics, 5.3, integrated along the piece.) A closed polygon of them has no sources. In
the frame of the coil; B of scalars or lanes. On the wire the field is not finite.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

from polhode.jit.kernel import kernel
from polhode.jit.libm.logarithm import log
from polhode.jit.simd import broadcast
from polhode.jit.vec import Triple, add, combine, components, dot, row, scale, subtract
from polhode.physics.coils.arrays import Coils, CoilWork

Vectors = Any
"""Three floats, or three Float64x8: eight vectors."""


@kernel
def of_segment(p: Triple, q: Triple, x: Vectors) -> tuple[Vectors, Vectors, Vectors]:
    """L x a [m^2], and F [1/m^3] with its derivatives [1/m^4], of B = mu0/(4 pi) (L x a) F of 1 A at x [m]."""
    a, b, along = subtract(x, p), subtract(x, q), subtract(q, p)
    first, second = sqrt(dot(a, a)), sqrt(dot(b, b))
    product = first * second
    bottom = product * (product + dot(a, b))
    factor = (first + second) / bottom
    of_product = add(scale(second / first, a), scale(first / second, b))
    of_bottom = add(scale(2.0 * product + dot(a, b), of_product), scale(product, add(a, b)))
    rate = subtract(add(scale(1.0 / first, a), scale(1.0 / second, b)), scale(factor, of_bottom))
    return crossed(along, a), factor, scale(1.0 / bottom, rate)


@kernel
def crossed(one: Triple, other: Vectors) -> Vectors:
    """Cross product of a vector of numbers and one of numbers or lanes."""
    x = one[1] * other[2] - one[2] * other[1]
    y = one[2] * other[0] - one[0] * other[2]
    return x, y, one[0] * other[1] - one[1] * other[0]


@kernel
def ends(coils: Coils, s: int) -> tuple[Triple, Triple]:
    """Begin and end [m] of piece s, frame of its coil."""
    piece = coils.segment[s]
    return (piece[0], piece[1], piece[2]), (piece[3], piece[4], piece[5])


@kernel
def of_polygon(
    coils: Coils, coil_work: CoilWork, k: int, r: Vectors, moment: Vectors, permeability: float
) -> tuple[Vectors, Vectors]:
    """B [T/A] of the pieces of coil k, and the force grad (m.B) [N/A] on eight dipoles m = `moment` [A m^2].

    r: from the coil to the points [m]; laboratory frame
    """
    axes = coil_work.axes[k]
    e1, e2, axis = row(axes, 0), row(axes, 1), row(axes, 2)
    x, m = components(r, e1, e2, axis), components(moment, e1, e2, axis)
    zero = broadcast(0.0)
    field = force = (zero, zero, zero)
    for s in range(coils.first_segment[k], coils.first_segment[k + 1]):
        p, q = ends(coils, s)
        around, factor, rate = of_segment(p, q, x)
        field = add(field, scale(factor, around))
        turned = scale(-factor, crossed(subtract(q, p), m))  # grad m.(L x a) = m x L
        force = add(force, add(turned, scale(dot(m, around), rate)))
    strength = permeability / (4.0 * pi) * coils.turns[k]
    return combine(scale(strength, field), e1, e2, axis), combine(scale(strength, force), e1, e2, axis)


@kernel
def potential_of_segment(p: Triple, q: Triple, x: Triple, along: Triple) -> tuple[float, Triple, Triple]:
    """A.dl 4 pi/mu0 [m] of 1 A in a piece of wire at x [m] for dl = `along` [m], its derivatives, and dl x A."""
    a, b, whole = subtract(x, p), subtract(x, q), subtract(q, p)
    first, second, length = sqrt(dot(a, a)), sqrt(dot(b, b)), sqrt(dot(whole, whole))
    both = first + second
    value = log((both + length) / (both - length)) / length
    rate = -2.0 / ((both + length) * (both - length))
    share = dot(along, whole)
    grad = scale(share * rate, add(scale(1.0 / first, a), scale(1.0 / second, b)))
    return share * value, grad, scale(-value, crossed(whole, along))
