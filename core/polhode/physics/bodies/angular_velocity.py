"""Angular velocity from angular momentum: omega = I^-1 L."""

from __future__ import annotations

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, combine, components, scale, transform
from polhode.physics.bodies.arrays import Bodies


@kernel
def angular_velocity(bodies: Bodies, b: int, angular_momentum: Triple, u1: Triple, u2: Triple, u3: Triple) -> Triple:
    """omega = sum_ij (I^-1)_ij (L.u_j) u_i [rad/s] of body b, laboratory frame (PEM eq. 3.4).

    Of a uniform sphere L/I, independent of its basis. No rotation about directions without inertia or blocked by the
    support.

    angular_momentum: L [kg m^2/s], laboratory frame; u1, u2, u3: basis of the body.
    """
    if bodies.round[b]:
        return scale(bodies.inverse_moments[b, 0], angular_momentum)
    turned = transform(bodies.inverse_inertia, b, components(angular_momentum, u1, u2, u3))
    return combine(turned, u1, u2, u3)
