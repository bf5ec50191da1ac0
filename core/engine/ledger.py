"""Energies [J]: those of a moment, and the ledger of what comes in from outside, last in the state."""

from __future__ import annotations

# Last in the state: the energy [J] that has come in by the friction of supports (it is negative), by what drives bodies
# and walls and turns the laboratory, by the change of the world's field, by the dampers of springs, by those of walls,
# by the air and by the hand. What the energies have gained beyond their sum is the method's error.
FRICTION, DRIVE, FIELD, DAMPING, CONTACT, AIR, HAND, LEDGER_SIZE = range(8)

# Energies of a moment; the last one is that of the centrifugal force.
KINETIC, GRAVITY, MAGNETIC, ELASTIC, CENTRIFUGAL, ENERGIES = range(6)
