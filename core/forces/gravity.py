"""Weight in a uniform field of gravity: U = -M g.R, T = R_G x M g about the reference point."""

from __future__ import annotations

from core.kernel import kernel
from core.model import Inputs, Model, Work
from core.vec import Triple, accumulate, cross, scale


@kernel
def weight(mass: float, gravity: Triple) -> Triple:
    """F = M g [N]."""
    return scale(mass, gravity)


@kernel
def add_weight(model: Model, inputs: Inputs, work: Work) -> None:
    """Weight of bodies and points. Points have it first of all: another pass over many to clear them costs as much."""
    g = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2])
    for b in range(len(model.bodies.mass)):
        force = weight(model.bodies.mass[b], g)
        arm = (work.arm[b, 0], work.arm[b, 1], work.arm[b, 2])
        accumulate(work.force, b, force)
        accumulate(work.torque, b, cross(arm, force))
    for axis in range(3):
        for i in range(len(model.points.mass)):
            work.point_force[axis, i] = model.points.mass[i] * g[axis]
