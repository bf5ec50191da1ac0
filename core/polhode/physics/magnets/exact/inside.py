"""The field of a magnet continued through its surface, for charges of other magnets that are pressed into it.

The normal component of H jumps at a charged surface: a magnet that a contact lets overlap by a hair would be pulled
before and pushed away behind. So the potential inside gets the term s M f more, M the magnetisation along an axis of
the shape, s the side of its middle, and

    f = min(depth below the charged surface, distance from the middle, depths below all other surfaces)

which makes the force continuous through the charged surface, and leaves the potential continuous everywhere: the forces
remain a gradient. For overlaps that are small beside the magnet f is the depth.
"""

from __future__ import annotations

from math import sqrt

from polhode.jit.kernel import kernel
from polhode.jit.simd import where
from polhode.jit.vec import Triple


@kernel
def in_cuboid(r: Triple, half: Triple, magnetisation: Triple) -> tuple[float, Triple]:
    """Terms of psi [A] and H [A/m] of a cuboid at r [m], in its frame; half sides `half` [m]."""
    depth, nearest = half[0] - abs(r[0]), 0
    for i in range(1, 3):
        if half[i] - abs(r[i]) < depth:
            depth, nearest = half[i] - abs(r[i]), i
    potential, h_x, h_y, h_z = 0.0, 0.0, 0.0, 0.0
    if depth > 0.0:
        for i in range(3):
            side = 1.0 if r[i] >= 0.0 else -1.0
            far = abs(r[i]) < depth
            potential += side * magnetisation[i] * (abs(r[i]) if far else depth)
            axis = i if far else nearest
            push = -magnetisation[i] if far else side * magnetisation[i] * (1.0 if r[nearest] >= 0.0 else -1.0)
            h_x += push if axis == 0 else 0.0
            h_y += push if axis == 1 else 0.0
            h_z += push if axis == 2 else 0.0
    return potential, (h_x, h_y, h_z)


@kernel
def in_cylinder(r: Triple, a: float, half: float, inner: float, magnetisation: Triple) -> tuple[float, Triple]:
    """The same of a cylinder of radius a and half length `half` [m], scalars or lanes.

    inner: radius [m] of its bore, negative without one; in the bore the terms are zero
    """
    x, y, z = r
    square = x * x + y * y
    rho, up = sqrt(square), where(z > 0.0, 1.0 + 0.0 * z, -1.0)
    height = up * z
    end, side, bore = half - height, a - rho, rho - inner
    in_wall = where(bore > side, side, bore)
    wall = where(bore > side, -1.0 + 0.0 * z, 1.0)  # direction of the depth in the wall, along rho
    over = where(rho > 0.0, 1.0 / where(rho > 0.0, rho, 1.0), 0.0)
    across = (magnetisation[0] * x + magnetisation[1] * y) * over
    # along the axis: the lesser of the height over the middle, the depth below the end and the depth in the wall
    low = where(end > height, height, end)
    f = where(low > in_wall, in_wall, low)
    is_in = where(f > 0.0, 1.0 + 0.0 * z, 0.0)
    of_wall = where(low > in_wall, is_in, 0.0)
    of_end = where(low > in_wall, 0.0, where(end > height, -1.0 * is_in, is_in))
    potential = magnetisation[2] * up * is_in * f
    h_z = magnetisation[2] * of_end
    pushed = -1.0 * magnetisation[2] * up * of_wall * wall
    # across it: the lesser of the distance from the axis, the depth in the wall and that below the end
    low = where(in_wall > rho, rho, in_wall)
    slope = where(in_wall > rho, 1.0 + 0.0 * z, wall)
    f = where(low > end, end, low)
    is_in = where(f > 0.0, 1.0 + 0.0 * z, 0.0)
    potential = potential + across * is_in * f
    h_z = h_z + where(low > end, up * across * is_in, 0.0)
    pushed = pushed - where(low > end, 0.0, across * slope * is_in)
    turning = f * is_in * over
    radial = pushed + turning * across
    h_x, h_y = radial * x * over - turning * magnetisation[0], radial * y * over - turning * magnetisation[1]
    return potential, (h_x, h_y, h_z)
