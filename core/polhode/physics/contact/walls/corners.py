"""Corners of convex hulls on a wall: the lowest point, how it wanders over the body as that turns, and its curvature.

A corner is an ellipsoid with semi-axes A about c, a disc or a point, thickened by a sphere of radius rho. With
S = A A^T and q = sqrt(n.S n), its lowest point along the normal n of the wall is

    r = c - rho n - S n/q        dr/dt = -rho dn/dt - S dn/dt/q + S n (n.S dn/dt)/q^3

in the body frame, where dn/dt = n x omega. So r moves by B (omega x n) relative to the body, with the radii of
curvature B = rho (1 - n n) + S/q - S n n S/q^3, of a tilted disc along its rim alone. A disc touches there and at three
more points, each a quarter of its rim further: as they turn with the lowest one, the energy depends on the tilt alone,
and a flat disc rests on four points, which don't wander.
"""

from __future__ import annotations

from math import copysign, sqrt

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, row, scale, subtract, transform
from polhode.physics.contact.arrays import HullCorners
from polhode.physics.contact.friction.dry_rows import ZERO, Roundness, sphere_of, tangents

FLAT = 1e-24  # squared sine of the tilt below which a disc lies flat


@kernel
def on_foot(hulls: HullCorners, i: int, k: int, outward: Triple) -> Triple:
    """Vector of foot k of corner i, or its rate, from that of the lowest point, both from the centre; body frame."""
    turned = cross(row(hulls.axis, i), outward) if k % 2 == 1 else outward
    return turned if k < 2 else scale(-1.0, turned)


@kernel
def touching_place(hulls: HullCorners, i: int, k: int, normal: Triple) -> Triple:
    """Contact point k of corner i nearest to a wall with this normal; arm [m] from the reference point; body frame.

    normal: unit vector of the wall, body frame.
    """
    arm = subtract(row(hulls.position, i), scale(hulls.radius[i], normal))
    if hulls.spread[i] == 0.0:
        return arm
    outward = scale(-1.0, transform(hulls.square, i, normal))
    square = -dot(outward, normal)
    if square < FLAT * hulls.spread[i] ** 2:
        longest = 0
        for axis in range(1, 3):
            if hulls.square[i, axis, axis] > hulls.square[i, longest, longest]:
                longest = axis
        outward, square = row(hulls.square[i], longest), hulls.square[i, longest, longest]
    return add(arm, on_foot(hulls, i, k, scale(1.0 / sqrt(square), outward)))


@kernel
def wandering(hulls: HullCorners, i: int, k: int, normal: Triple, turning: Triple) -> Triple:
    """Rate [m/s] of contact point k of corner i, as `touching_place`; body frame.

    turning: rate of the normal [1/s], body frame.
    """
    rate = scale(-hulls.radius[i], turning)
    if hulls.spread[i] == 0.0:
        return rate
    along, turned = transform(hulls.square, i, normal), transform(hulls.square, i, turning)
    square = dot(along, normal)
    if square < FLAT * hulls.spread[i] ** 2:
        return rate
    outward = subtract(scale(dot(along, turning) / square, along), turned)
    return add(rate, on_foot(hulls, i, k, scale(1.0 / sqrt(square), outward)))


@kernel
def corner_roundness(hulls: HullCorners, i: int, k: int, normal: Triple) -> Roundness:
    """B of corner i at its contact point k, body frame; that of its sphere where a disc lies flat."""
    radius, along = hulls.radius[i], transform(hulls.square, i, normal)
    square = dot(along, normal)
    if k > 0 or square <= FLAT * hulls.spread[i] ** 2:
        return sphere_of(radius)
    first, second = tangents(normal)
    inverse = 1.0 / sqrt(square)
    down, aside = dot(first, along) * inverse, dot(second, along) * inverse
    bent = transform(hulls.square, i, second)
    b11 = inverse * (dot(first, transform(hulls.square, i, first)) - down * down)
    b12, b22 = inverse * (dot(first, bent) - down * aside), inverse * (dot(second, bent) - aside * aside)
    mean, half = 0.5 * (b11 + b22), 0.5 * (b11 - b22)
    spread = sqrt(half * half + b12 * b12)
    if spread == 0.0:
        return sphere_of(radius + mean)
    x, y = sqrt(max(0.0, 0.5 * (1.0 + half / spread))), copysign(sqrt(max(0.0, 0.5 * (1.0 - half / spread))), b12)
    wide = sqrt(2.0 * spread)
    return Roundness(radius + max(0.0, mean - spread), add(scale(wide * x, first), scale(wide * y, second)), ZERO)
