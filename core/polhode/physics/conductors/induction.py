"""Currents induced in conductors, their forces on bodies, their heat, and the rates of their flux linkages.

With the resistances R and inductances L of a fixed set of loops, the modes v of L v = tau R v, v.R v = 1, are coils of
1 ohm and tau henry that do not act on each other. Of the flux Phi of magnets and of the world through a mode,

    slow modes, tau of a time step or more:    lam = tau I + Phi    dlam/dt = -I           U = tau I^2/2
    fast modes:                                I = -dPhi/dt, without inductance

and the heat is the sum of I^2, which is never negative. Of rings, which have no resistance in common, the currents of
all fast modes are those of the rings without inductance, less those of the slow modes without it. The change of the
flux by motion is that in the frame of the conductor, which may move and spin. Its force on a magnet is I dPhi/dx (H. H.
Woodson and J. R. Melcher, Electromechanical Dynamics, 1968, chapter 3; modes as W. R. Smythe, Static and Dynamic
Electricity, 10.06). Check: a dipole m in a long thin tube, radius a, wall w, falls with the drag
45/1024 mu0^2 m^2 sigma w/a^4 per speed.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FIELD, JOULE
from polhode.jit.kernel import kernel
from polhode.jit.vec import accumulate, add, cross, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.conductors.arrays import Conductors, ConductorWork


@kernel
def through_mode(conductors: Conductors, c: int, k: int, of_nodes: np.ndarray) -> float:
    """Sum of `of_nodes` (n,) over the nodes of conductor c by their currents in mode k."""
    first, total = conductors.first_node[c], 0.0
    for n in range(conductors.begin[k], conductors.first_node[c + 1] - first):
        total += conductors.mode[k, n] * of_nodes[first + n]
    return total


@kernel
def write_excess(conductors: Conductors, linkages: np.ndarray, work: ConductorWork, excess: np.ndarray) -> None:
    """Write lam - Phi [Wb] of slow modes into `excess` (k,); `linkages` (d,) [Wb] from the state."""
    at = 0
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for k in range(start, start + conductors.slow[c]):
            excess[k] = linkages[at] - through_mode(conductors, c, k, work.flux)
            at += 1


@kernel
def write_currents(conductors: Conductors, work: ConductorWork) -> None:
    """Write the currents of fast modes and of nodes, and the heating; those of slow modes are known."""
    for c in range(len(conductors.body)):
        first, last = conductors.first_node[c], conductors.first_node[c + 1]
        start, heating, is_simple = conductors.first_mode[c], 0.0, conductors.conductance[first] > 0.0
        for n in range(first, last):
            work.node_current[n] = -conductors.conductance[n] * work.change[n]
        fast = start + conductors.slow[c]
        for k in range(start, fast if is_simple else conductors.first_mode[c + 1]):
            added = 0.0
            if k < fast:
                current = work.current[k]
                added = through_mode(conductors, c, k, work.change) if is_simple else 0.0  # instead of a fast mode
            else:
                current = -through_mode(conductors, c, k, work.change)
            work.current[k] = current
            heating += current * current
            for n in range(conductors.begin[k], last - first):
                work.node_current[first + n] += (current + added) * conductors.mode[k, n]
        if is_simple:
            heating = 0.0
            for n in range(first, last):
                heating += work.node_current[n] * work.node_current[n] / conductors.conductance[n]
        work.heating[c] = heating


@kernel
def load_bodies(conductors: Conductors, body_work: BodyWork, work: ConductorWork, power: np.ndarray) -> None:
    """LAW: add forces and torques of all currents to magnets and conductors, and the powers of heat and fields."""
    for c in range(len(conductors.body)):
        carrier = conductors.body[c]
        power[JOULE] -= work.heating[c]
        force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for n in range(conductors.first_node[c], conductors.first_node[c + 1]):
            current, own = work.node_current[n], work.on_own[n]
            power[FIELD] -= current * work.flux_rate[n]
            force = add(force, scale(current, (own[0], own[1], own[2])))
            torque = add(torque, scale(current, (own[3], own[4], own[5])))
        for k in range(len(conductors.magnet)):
            b = conductors.magnet[k]
            if b == carrier:
                continue
            pull, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            for n in range(conductors.first_node[c], conductors.first_node[c + 1]):
                current, of = work.node_current[n], work.on_magnet[n, k]
                pull = add(pull, scale(current, (of[0], of[1], of[2])))
                turn = add(turn, scale(current, (of[3], of[4], of[5])))
            accumulate(body_work.force, b, pull)
            accumulate(body_work.torque, b, turn)
            arm = subtract(row(body_work.position, b), row(body_work.position, carrier))
            force, torque = subtract(force, pull), subtract(torque, add(turn, cross(arm, pull)))
        accumulate(body_work.force, carrier, force)
        accumulate(body_work.torque, carrier, torque)


@kernel
def magnetic_energy(conductors: Conductors, current: np.ndarray) -> float:
    """U [J] = sum tau I^2/2 over slow modes; `current` (k,) [A] of all modes."""
    energy = 0.0
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for k in range(start, start + conductors.slow[c]):
            energy += 0.5 * conductors.time_constant[k] * current[k] * current[k]
    return energy


@kernel
def write_linkage_rates(conductors: Conductors, work: ConductorWork, rate: np.ndarray) -> None:
    """PROJECT: dlam/dt = -I of slow modes into the section `rate` (d,)."""
    at = 0
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for k in range(start, start + conductors.slow[c]):
            rate[at] = -work.current[k]
            at += 1


@kernel
def write_linkages(conductors: Conductors, current: np.ndarray, work: ConductorWork, linkages: np.ndarray) -> None:
    """Write the flux linkages (d,) [Wb] of slow modes whose currents are `current` (k,) [A]."""
    at = 0
    for c in range(len(conductors.body)):
        start = conductors.first_mode[c]
        for k in range(start, start + conductors.slow[c]):
            linkages[at] = conductors.time_constant[k] * current[k] + through_mode(conductors, c, k, work.flux)
            at += 1
