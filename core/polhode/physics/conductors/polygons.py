"""Rings of metal beside coils that are polygons."""

from __future__ import annotations

from math import pi

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, cross, row, scale, subtract
from polhode.physics.coils.arrays import Coils, CoilWork
from polhode.physics.coils.windings.segments import ends, potential_of_segment
from polhode.physics.conductors.arrays import Conductors, ConductorWork


@kernel
def of_ring_in_polygon(
    coils: Coils, k: int, i: int, conductors: Conductors, permeability: float, coil_work: CoilWork, work: ConductorWork
) -> tuple[float, Triple, Triple]:
    """M [H] of coil k and ring i, the force [N/A^2] on the ring, and the torque [N m/A^2] about its middle."""
    axes, radius, across = coil_work.axes[k], conductors.radius[i], row(work.across, i)
    e1, e2, axis = row(axes, 0), row(axes, 1), row(axes, 2)
    normal = scale(1.0 / (pi * radius * radius), row(work.area, i))
    middle = components(subtract(row(work.position, i), row(coil_work.position, k)), e1, e2, axis)
    u, w = components(across, e1, e2, axis), components(cross(normal, across), e1, e2, axis)
    mutual, force, torque, count = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), conductors.circle.shape[1]
    for n in range(count):
        cosine, sine = conductors.circle[0, n], conductors.circle[1, n]
        arm = add(scale(cosine, u), scale(sine, w))
        along = scale(2.0 * pi / count, subtract(scale(cosine, w), scale(sine, u)))
        for s in range(coils.first_segment[k], coils.first_segment[k + 1]):
            p, q = ends(coils, s)
            found, pull, turn = potential_of_segment(p, q, add(arm, middle), along)
            mutual = mutual + found
            force, torque = add(force, pull), add(torque, add(turn, cross(arm, pull)))
    strength = permeability / (4.0 * pi) * coils.turns[k]
    total, turned = combine(force, e1, e2, axis), combine(torque, e1, e2, axis)
    return strength * mutual, scale(strength, total), scale(strength, turned)
