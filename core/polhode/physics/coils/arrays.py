"""Constants and scratch arrays of coils and their circuits.

A coil is a set of current sheets (cylinders about its axis; of length 0 a ring) in its field at magnets, a set of rings
and of elements of wire in its flux through other coils, and a disc of points in its flux of the world's field. In place
of sheets and rings a polygon has straight pieces of wire.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import Addresses, KernelStruct
from polhode.jit.simd import WIDTH

OPEN, DRIVEN, RESISTIVE, DYNAMIC = range(4)
"""Kinds of circuits: no current; a given one; one that follows the voltage at once; one with an inductance, whose flux
linkage is in the state.
"""
RADIUS, HALF, TURNS = range(3)
"""Columns of sheets: radius [m], half length [m], turns; of rings the second one is the height over the coil's
origin [m].
"""


class Coils(KernelStruct):
    """Coils of a scene, constant."""

    circuit: np.ndarray
    """(n,) int64 circuit that a coil is in."""
    sign: np.ndarray
    """(n,) 1, or -1 of a coil that is connected the other way round."""
    in_series: np.ndarray
    """(n,) bool: in a circuit with other things, so that the voltage of the source is not that at its ends."""
    body: np.ndarray
    """(n,) int64 body that carries the coil; NOTHING: the laboratory."""
    position: np.ndarray
    """(n, 3) [m] from the reference point of the body, body frame."""
    basis: np.ndarray
    """(n, 3, 3) rows e1, e2 and the axis, body frame."""
    resistance: np.ndarray
    """(n,) [ohm]."""
    inductance: np.ndarray
    """(n, n) [H] self inductances, and mutual ones of coils on the same body."""
    first_sheet: np.ndarray
    """(n + 1,) int64 index of the first sheet of each coil."""
    sheet: np.ndarray
    """(s, 3) radius [m], half length [m], turns."""
    first_segment: np.ndarray
    """(n + 1,) int64 index of the first straight piece of wire of each coil; of round ones there is none."""
    segment: np.ndarray
    """(g, 6) [m] begin and end of each, frame of the coil."""
    turns: np.ndarray
    """(n,) turns of each coil."""
    first_ring: np.ndarray
    """(n + 1,) int64 index of the first ring of each coil."""
    ring: np.ndarray
    """(r, 3) radius [m], height over the origin of the coil [m], turns."""
    first_element: np.ndarray
    """(n + 1,) int64 index of the first element of wire of each coil."""
    element: np.ndarray
    """(e, 6) [m] position, and vector along the wire times the turns, frame of the coil."""
    first_point: np.ndarray
    """(n + 1,) int64 index of the first point of the discs of each coil."""
    point: np.ndarray
    """(q, 6) position [m] and vector area times turns [m^2], frame of the coil."""
    pair: np.ndarray
    """(p, 2) int64 pairs of coils that induce currents in each other and are on different bodies."""


class Circuits(KernelStruct):
    """Circuits of a scene, constant: each is one current, through one coil or several in series."""

    at: int
    """Index of the section of circuits in the state: flux linkages [Wb] of dynamic circuits, charges [C] of capacitors,
    and 1 for each switch that is open, 0 for closed ones.
    """
    kind: np.ndarray
    """(c,) int64: OPEN, DRIVEN, RESISTIVE or DYNAMIC."""
    resistance: np.ndarray
    """(c,) [ohm]."""
    elastance: np.ndarray
    """(c,) [1/F] 1/C of the capacitor; 0 without one."""
    current: np.ndarray
    """(c,) [A] of dynamic circuits at the start."""
    charge: np.ndarray
    """(c,) [C] of capacitors at the start."""
    dynamic: np.ndarray
    """(d,) int64 the dynamic circuits."""
    charged: np.ndarray
    """(q,) int64 circuits with a capacitor."""
    switched: np.ndarray
    """(s,) int64 circuits with a switch."""
    address: Addresses
    """(c,) int64 machine code of voltage [V] or current [A] and its derivative (`call_1_2`)."""
    first_number: np.ndarray
    """(c,) int64 index of the first constant of each of them."""
    switch_address: Addresses
    """(s,) int64 machine code of switches and their derivatives (`call_1_2`)."""
    switch_first: np.ndarray
    """(s,) int64 index of the first constant of each of them."""
    numbers: np.ndarray
    """(k,) constants of all formulas."""


class CoilWork(KernelStruct):
    """Scratch of coils, laboratory frame."""

    position: np.ndarray
    """(n, 3) [m] written by PLACE."""
    axes: np.ndarray
    """(n, 3, 3) rows e1, e2 and the axis; written by PLACE."""
    on_body: np.ndarray
    """(n, b, 6) force [N/A] and torque about the reference point [N m/A] on each body by 1 A in a coil, in the fields
    of magnets and of the world: derivative of the flux by displacement and rotation of the body.
    """
    on_pair: np.ndarray
    """(p, 2, 6) force [N/A^2] and torque [N m/A^2] on the bodies of both coils of a pair by 1 A in each."""
    on_coil: np.ndarray
    """(n, 3) [N] force on each coil; written by LAW."""
    dipoles: np.ndarray
    """(6, m) positions [m] and moments [A m^2] of dipoles in rows, padded to whole SIMD vectors."""
    felt: np.ndarray
    """(6, m) field [T/A] of a coil at each of them and its force [N/A] on it, in rows."""
    flux: np.ndarray
    """(n,) [Wb] of magnets and of the world."""
    flux_rate: np.ndarray
    """(n,) [V] change of the world's flux with time where the coil is."""
    inductance: np.ndarray
    """(n, n) [H] with the mutual ones of all pairs."""
    inductance_rate: np.ndarray
    """(n, n) [V/A] change of the mutual inductances by motion."""
    motional: np.ndarray
    """(n,) [V] change of the flux of magnets and of the world, by motion and with time."""
    current: np.ndarray
    """(n,) [A]."""
    current_rate: np.ndarray
    """(n,) [A/s] of driven coils; of dynamic ones where outputs need it."""


class CircuitWork(KernelStruct):
    """Scratch of circuits: sums over their coils, with the signs of these."""

    is_given: np.ndarray
    """(1,) bool: COUPLE finds the currents of all coils in `current`, which are not to be solved for."""
    is_open: np.ndarray
    """(c,) bool: the switch is open."""
    drop: np.ndarray
    """(c,) [V] Q/C of the capacitor."""
    flux: np.ndarray
    """(c,) [Wb] of magnets and of the world."""
    flux_rate: np.ndarray
    """(c,) [V] change of the world's flux with time."""
    motional: np.ndarray
    """(c,) [V] change of the flux of magnets and of the world, by motion and with time."""
    inductance: np.ndarray
    """(c, c) [H]."""
    inductance_rate: np.ndarray
    """(c, c) [V/A] change by motion."""
    factor: np.ndarray
    """(d, d) Cholesky factor of the inductances of dynamic circuits."""
    failed: np.ndarray
    """(3,) a circuit with which inductances were not positive definite, the one that it is coupled to, and the
    coupling; NaN: they always were."""
    right: np.ndarray
    """(d,) right-hand side and solution of these."""
    current: np.ndarray
    """(c,) [A]."""
    current_rate: np.ndarray
    """(c,) [A/s] of driven circuits; of dynamic ones where outputs need it."""
    voltage: np.ndarray
    """(c,) [V] of the sources."""
    switching: np.ndarray
    """(s,) values of switches."""


def make_coil_work(coils: Coils, bodies: int, dipoles: int) -> CoilWork:
    """Scratch arrays for coils beside a number of bodies and of dipoles."""
    n = len(coils.body)
    padded = -(-dipoles // WIDTH) * WIDTH if n else 0
    return CoilWork(
        position=np.zeros((n, 3)),
        axes=np.zeros((n, 3, 3)),
        on_body=np.zeros((n, bodies if n else 0, 6)),
        on_pair=np.zeros((len(coils.pair), 2, 6)),
        on_coil=np.zeros((n, 3)),
        dipoles=np.zeros((6, padded)),
        felt=np.zeros((6, padded)),
        inductance=coils.inductance.copy(),
        inductance_rate=np.zeros((n, n)),
        **{name: np.zeros(n) for name in ("flux", "flux_rate", "motional", "current", "current_rate")},
    )


def make_circuit_work(circuits: Circuits) -> CircuitWork:
    """Scratch arrays for circuits."""
    c, d = len(circuits.kind), len(circuits.dynamic)
    of_circuits = ("drop", "flux", "flux_rate", "motional", "current", "current_rate", "voltage")
    return CircuitWork(
        is_given=np.zeros(1, dtype=np.bool_),
        is_open=np.zeros(c, dtype=np.bool_),
        inductance=np.zeros((c, c)),
        inductance_rate=np.zeros((c, c)),
        factor=np.zeros((d, d)),
        failed=np.full(3, np.nan),
        right=np.zeros(d),
        switching=np.zeros(len(circuits.switched)),
        **{name: np.zeros(c) for name in of_circuits},
    )
