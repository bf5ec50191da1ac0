"""Two rings of current: their mutual inductance by Neumann's sum over points of one of them, and its derivatives.

With A of one ring, and points of the other one that divide it into equal parts dl,

    M = sum A.dl      F = dM/dx      T about the middle of the other ring

so force and torque are exact derivatives of the same sum. Coaxial rings have closed forms.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, load, reduce_sum, where
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.coils.windings.loop import of_loop
from polhode.physics.conductors.arrays import Conductors, ConductorWork

COAXIAL = 1e-12  # distance of axes, and sine of their angle, that count as none, relative to the radius
ZERO = (0.0, 0.0, 0.0)


@kernel
def of_loop_on_ring(
    loop: float, middle: Triple, u: Triple, w: Triple, circle: np.ndarray, permeability: float
) -> tuple[float, Triple, Triple]:
    """M [H] of a loop about z at the origin, radius `loop` [m], and a ring at `middle` [m] with the radii u and w; the
    force [N/A^2] on the ring, and the torque [N m/A^2] about its middle.

    circle: (2, p) cosines and sines of the points
    """
    zero, count = broadcast(0.0), circle.shape[1]
    mutual, force, torque = zero, (zero, zero, zero), (zero, zero, zero)
    for n in range(0, count, WIDTH):
        cosine, sine = load(circle, 0, n), load(circle, 1, n)
        arm = add(scale(cosine, u), scale(sine, w))
        along = scale(2.0 * pi / count, subtract(scale(cosine, w), scale(sine, u)))
        x, y, z = add(arm, middle)
        square, turning = x * x + y * y, x * along[1] - y * along[0]
        found = of_loop(loop, sqrt(square), z, permeability)
        potential = found.potential
        steep = where(square > 0.0, (found.axial - 2.0 * potential) / square, 0.0) * turning
        pull = x * steep + potential * along[1], y * steep - potential * along[0], -(found.radial * turning)
        mutual = mutual + potential * turning
        force = add(force, pull)
        turn = cross(along, (-(potential * y), potential * x, zero))
        torque = add(torque, add(turn, cross(arm, pull)))
    return reduce_sum(mutual), total_three(force), total_three(torque)


@kernel
def of_two_rings(
    j: int, i: int, conductors: Conductors, permeability: float, work: ConductorWork
) -> tuple[float, Triple, Triple]:
    """M [H] of the rings j and i of conductors, the force [N/A^2] on ring i, and the torque [N m/A^2] about its middle;
    laboratory frame.
    """
    loop, radius = conductors.radius[j], conductors.radius[i]
    axis = scale(1.0 / (pi * loop * loop), row(work.area, j))
    normal = scale(1.0 / (pi * radius * radius), row(work.area, i))
    e1 = scale(1.0 / loop, row(work.across, j))
    e2, across = cross(axis, e1), row(work.across, i)
    middle = components(subtract(row(work.position, i), row(work.position, j)), e1, e2, axis)
    u, w = components(across, e1, e2, axis), components(cross(normal, across), e1, e2, axis)
    if abs(middle[0]) + abs(middle[1]) + abs(u[2]) + abs(w[2]) < COAXIAL * radius:
        found = of_loop(loop, radius, middle[2], permeability)
        length = 2.0 * pi * radius * radius * (1.0 if dot(normal, axis) > 0.0 else -1.0)
        return length * found.potential, scale(-length * found.radial, axis), ZERO
    mutual, force, torque = of_loop_on_ring(loop, middle, u, w, conductors.circle, permeability)
    return mutual, combine(force, e1, e2, axis), combine(torque, e1, e2, axis)
