"""Indices of the energies and of the energy ledger, the last section of the state."""

from __future__ import annotations

# The energy [J] that has entered the system through the friction of supports (negative), through driven bodies, walls
# and the rotation of the laboratory, the change of the world's field, the dampers of springs, those of contacts, drag,
# and mouse interactions (column work.hand). Energy minus the sum of the ledger is constant but for integration errors.
FRICTION, DRIVE, FIELD, DAMPING, CONTACT, AIR, HAND, LEDGER_SIZE = range(8)

# Energies; the last one is the potential of the centrifugal force.
KINETIC, GRAVITY, MAGNETIC, ELASTIC, CENTRIFUGAL, ENERGIES = range(6)
