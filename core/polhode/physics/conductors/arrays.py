"""Constants and scratch arrays of conductors.

A conductor is the metal of one body. Its currents are a fixed set of loops: each source of field, a ring of current or
an element of area with a dipole moment, belongs to one node or more, and its current is the sum of theirs times
`share`. A mode is a distribution of currents over the nodes for which the metal is a coil of 1 ohm.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.simd import WIDTH
from polhode.physics.coils.arrays import Coils


class Conductors(KernelStruct):
    """Conductors of a scene, constant. Those of the same body are one."""

    at: int
    """Index of the section of conductors in the state: the flux linkages [Wb] of slow modes."""
    body: np.ndarray
    """(c,) int64 body of each conductor."""
    magnet: np.ndarray
    """(m,) int64 bodies with dipoles."""
    first_source: np.ndarray
    """(c + 1,) int64 index of the first source of each conductor."""
    position: np.ndarray
    """(s, 3) [m] from the reference point of the body, body frame."""
    area: np.ndarray
    """(s, 3) [m^2] area that the source encloses, along its axis, body frame: its moment for 1 A."""
    across: np.ndarray
    """(s, 3) [m] a radius of a ring, perpendicular to its axis, body frame; 0 of other sources."""
    radius: np.ndarray
    """(s,) [m] of a ring; 0 of other sources."""
    node: np.ndarray
    """(s, 3) int64 nodes of each source; NOTHING: none."""
    share: np.ndarray
    """(s, 3) part of the current of each of its nodes that a source has."""
    first_node: np.ndarray
    """(c + 1,) int64 index of the first node of each conductor."""
    first_mode: np.ndarray
    """(c + 1,) int64 index of the first mode of each conductor."""
    slow: np.ndarray
    """(c,) int64 number of slow modes, the first ones of a conductor, whose flux linkages are in the state."""
    conductance: np.ndarray
    """(n,) [1/ohm] of the nodes of a conductor that have no resistance in common, whose fast modes need not be known;
    0 of others.
    """
    time_constant: np.ndarray
    """(k,) [s] of modes, in falling order for each conductor."""
    mode: np.ndarray
    """(k, n) currents of the nodes of a conductor [A] for 1 A in a mode; zero behind the last node. Fast ones are any
    distributions of currents that heat as 1 ohm, and have no other heat in common.
    """
    begin: np.ndarray
    """(k,) int64 the first node, counted from that of the conductor, in which a mode has a current."""
    dipoles: int
    """Number of sources that are no rings."""
    circle: np.ndarray
    """(2, p) cosines and sines of points of a ring in the field of a coil, a multiple of the width of a SIMD vector."""
    disc: np.ndarray
    """(q, 3) points of a disc of radius 1 and their weights, whose sum is 1: of rings in a field by formulas."""


class ConductorWork(KernelStruct):
    """Scratch of conductors, laboratory frame."""

    position: np.ndarray
    """(s, 3) [m] written by PLACE."""
    area: np.ndarray
    """(s, 3) [m^2] written by PLACE."""
    across: np.ndarray
    """(s, 3) [m] written by PLACE."""
    on_magnet: np.ndarray
    """(n, m, 6) force [N/A] and torque about the reference point [N m/A] on each body with dipoles by 1 A in a node;
    the conductor feels the opposite.
    """
    on_own: np.ndarray
    """(n, 6) the same on the body of the conductor by the world's field."""
    flux: np.ndarray
    """(n,) [Wb] of magnets and of the world through each node."""
    flux_rate: np.ndarray
    """(n,) [V] change of the world's flux with time where the node is."""
    change: np.ndarray
    """(n,) [V] change of the flux by motion and with time."""
    node_current: np.ndarray
    """(n,) [A]."""
    current: np.ndarray
    """(k,) [A] of modes."""
    heating: np.ndarray
    """(c,) [W]."""
    felt: np.ndarray
    """(6, s) field [T/A] of a coil at sources, and its force [N/A^2] on their areas; this and all that follows only
    where there are coils."""
    mutual: np.ndarray
    """(l, n) [H] mutual inductances of coils and nodes."""
    mutual_rate: np.ndarray
    """(l, n) [V/A] their changes by motion."""
    on_node: np.ndarray
    """(l, n, 6) force [N/A^2] and torque about the reference point [N m/A^2] of 1 A in a coil on the body of the
    conductor by 1 A in a node; the coil feels the opposite."""
    through: np.ndarray
    """(l, k) [H] mutual inductances of coils and slow modes."""
    answer: np.ndarray
    """(l, k) [1] what slow modes lose of their currents by 1 A in a coil, at constant flux linkages."""
    free: np.ndarray
    """(k,) [A] of slow modes without the currents of coils."""
    failed: np.ndarray
    """(3,) a coil whose inductance without its currents in metal was not positive, the conductor that it is coupled to,
    and the coupling; NaN: it always was."""
    reaction: np.ndarray
    """(l, 3) [N] force of the conductors of other bodies on each coil."""


def slow_modes(conductors: Conductors) -> np.ndarray:
    """(d,) int64 indices of the modes whose flux linkages are in the state."""
    starts = zip(conductors.first_mode[:-1], conductors.slow, strict=True)
    return np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(first, first + n) for first, n in starts)])


def make_conductor_work(conductors: Conductors, coils: Coils) -> ConductorWork:
    """Scratch arrays of the sizes that the conductors beside coils need."""
    sources, nodes = len(conductors.position), int(conductors.first_node[-1])
    modes, count = len(conductors.time_constant), len(coils.body) if nodes else 0
    of_sources = ("position", "area", "across")
    of_nodes = ("flux", "flux_rate", "change", "node_current")
    return ConductorWork(
        felt=np.zeros((6, -(-sources // WIDTH) * WIDTH if count else 0)),
        mutual=np.zeros((count, nodes)),
        mutual_rate=np.zeros((count, nodes)),
        on_node=np.zeros((count, nodes, 6)),
        through=np.zeros((count, modes)),
        answer=np.zeros((count, modes)),
        free=np.zeros(modes),
        failed=np.full(3, np.nan),
        reaction=np.zeros((count, 3)),
        on_magnet=np.zeros((nodes, len(conductors.magnet), 6)),
        on_own=np.zeros((nodes, 6)),
        current=np.zeros(len(conductors.time_constant)),
        heating=np.zeros(len(conductors.body)),
        **{name: np.zeros((sources, 3)) for name in of_sources},
        **{name: np.zeros(nodes) for name in of_nodes},
    )
