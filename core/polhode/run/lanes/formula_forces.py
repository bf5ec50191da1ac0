"""Forces by formulas on the body that moves in eight runs at once, as core/polhode/physics/forces/applied_force.py.

Formulas take one number of each variable: they are called for one lane after the other.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.formula_calls import call_7_8
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, constant
from polhode.jit.vec import add, combine, cross, scale
from polhode.physics.bodies.arrays import BASIS, FREE, MOMENTUM, POSITION
from polhode.run.lanes.bank import FOUND, GIVEN, NOW, LaneTriple, constants, put_three, three
from polhode.run.lanes.constants import INVERSE_MASS, LaneConstants


@kernel
def with_formula_forces(
    body: LaneConstants, bank: np.ndarray, at: int, omega: LaneTriple, force: LaneTriple, torque: LaneTriple
) -> tuple[LaneTriple, LaneTriple]:
    """`force` [N], and `torque` [N m] about the reference point, with those by formulas at NOW.

    The states are in the rows of `bank` (rows, 8) from `at` on; omega: [rad/s]
    """
    u1, u2, u3 = three(bank, at + BASIS), three(bank, at + BASIS + 3), three(bank, at + BASIS + 6)
    for f in range(len(body.force_address)):
        arm = combine(constants(body.force_arm, 3 * f), u1, u2, u3)
        velocity = cross(omega, arm)
        if body.support == FREE:
            velocity = add(scale(constant(body.numbers, INVERSE_MASS), three(bank, at + MOMENTUM)), velocity)
        put_three(bank, GIVEN, add(three(bank, at + POSITION), arm))
        put_three(bank, GIVEN + 3, velocity)
        evaluate_force(body, f, bank)
        own = three(bank, FOUND)
        force, torque = add(force, own), add(torque, add(cross(arm, own), three(bank, FOUND + 3)))
    return force, torque


@kernel
def evaluate_force(body: LaneConstants, f: int, bank: np.ndarray) -> None:
    """Write F [N] and T [N m] of force f to the rows of FOUND of `bank` (rows, 8).

    The point and its velocity are in the rows of GIVEN.
    """
    for lane in range(WIDTH):
        n = call_7_8(
            body.force_address[f, lane],
            body.force_numbers,
            body.force_first[f, lane],
            bank[GIVEN, lane],
            bank[GIVEN + 1, lane],
            bank[GIVEN + 2, lane],
            bank[GIVEN + 3, lane],
            bank[GIVEN + 4, lane],
            bank[GIVEN + 5, lane],
            bank[NOW, lane],
        )
        for k in range(6):
            bank[FOUND + k, lane] = n[k]
