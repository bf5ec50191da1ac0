"""Indices of the energies, and of the energy ledger, the last section of the state.

The ledger integrates powers along with the state, so that E - sum of the ledger is constant but for integration errors,
whatever dissipates or drives. Positive numbers are energy [J] that has entered the system.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add

# Lines of the ledger, in the order of the fields of Ledger (core/polhode/simulation/snapshot.py): friction of supports
# and paths; driven bodies, walls and paths, the rotation of the laboratory, and forces by formulas; the change of the
# world's field, and gravity by formulas without a potential; dampers of springs and modes, and eddy currents in plates;
# contacts; drag; mouse interactions (column work.hand); friction in joints; their motors; the projection onto their
# equations; sources of voltage; heat of resistances.
FRICTION, DRIVE, FIELD, DAMPING, CONTACT, AIR, HAND, JOINT_FRICTION, MOTOR, PROJECTION, SOURCE, JOULE = range(12)
LEDGER_SIZE = 12

# Energies, in the order of the fields of Energy (core/polhode/simulation/snapshot.py); the last two are the potentials
# of the centrifugal force and of forces by formulas.
KINETIC, GRAVITY, MAGNETIC, ELASTIC, CENTRIFUGAL, FORCE, ENERGIES = range(7)


def sum_in_order(values: Iterable[float]) -> float:
    """Sum of numbers, one after another: `sum` of Python 3.12 compensates its rounding errors, earlier ones do not."""
    return reduce(add, values, 0.0)
