"""Constants and scratch arrays of dipoles.

SI units: moments in A m^2, fields in T. Dipoles are in the order of their bodies; those of one body do not act on
each other.
"""

from __future__ import annotations

import numpy as np

from polhode.formulas.codegen import CompiledFormulas, no_formulas
from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.magnets.tree import DipoleTreeWork, TreeSettings, make_tree_work


class Dipoles(KernelStruct):
    """Dipoles of all bodies, constant: those of body b are first[b] ... first[b + 1] - 1. Read by PLACE and LAW."""

    first: np.ndarray
    """(n + 1,) int64."""
    position: np.ndarray
    """(m, 3) [m] from the body's reference point, body frame: r' of the module magnetic.py."""
    moment: np.ndarray
    """(m, 3) [A m^2] body frame."""
    size: np.ndarray
    """(m,) [m] distance scale: dipoles nearer than the sum of their sizes do not describe the magnets."""
    clearance: np.ndarray
    """(m,) [m] a dipole of a cloud is inaccurate for all that is nearer, whatever its size; 0 of single dipoles."""
    form: np.ndarray
    """(m,) int64: DIPOLES, SHOWN or EXACT of dipole_cloud.py; EXACT ones act on coils, metal and iron as dipoles, on
    magnets by closed forms."""
    reach: np.ndarray
    """(n,) [m] largest distance of a dipole, with its size or clearance, from the body's reference point; of
    proximity.py."""


class WorldField(KernelStruct):
    """The world's magnetic field: B(t) = cosine cos(frequency t) + sine sin(frequency t) everywhere, or by formulas.

    An input.
    """

    cosine: np.ndarray
    """(3,) [T] B1, laboratory frame; the whole field if the frequency is 0."""
    sine: np.ndarray
    """(3,) [T] B2, laboratory frame."""
    frequency: float
    """[rad/s], 0 for a uniform field."""
    value: CompiledFormulas
    """B [T] by formulas of x, y, z [m] and t [s], added to the field above; its address is 0 without formulas."""
    derivatives: CompiledFormulas
    """B, its derivatives by x, y, z [T/m] and by t [T/s], fifteen numbers (`call_4_15`)."""


NO_FIELD = WorldField(np.zeros(3), np.zeros(3), 0.0, no_formulas(), no_formulas())


class DipoleWork(KernelStruct):
    """Scratch of dipoles, laboratory frame."""

    arm: np.ndarray
    """(m, 3) [m] from the body's reference point, R r'. Written by PLACE; read by LAW."""
    position: np.ndarray
    """(m, 3) [m] written by PLACE; read by LAW, by ENERGY, and by the warnings of close dipoles."""
    moment: np.ndarray
    """(m, 3) [A m^2] R p, written by PLACE; read by LAW and ENERGY."""
    first: np.ndarray
    """(1, m) index of the first dipole of the same body, constant, as float for SIMD comparisons."""
    field: np.ndarray
    """(m, 3) [T] at each dipole, of the dipoles of other bodies only. Cleared and summed by LAW and by ENERGY."""
    force: np.ndarray
    """(m, 3) [N] on each dipole by the gradient of that field, F = grad (p.B). Cleared and summed with it."""
    tree: DipoleTreeWork


def make_dipole_work(dipoles: Dipoles, tree: TreeSettings) -> DipoleWork:
    """Scratch arrays of the sizes that the dipoles need, with those of the tree if `tree` asks for it."""
    first, count = dipoles.first, len(dipoles.moment)
    of_body = np.repeat(first[:-1], np.diff(first)).astype(float)[np.newaxis]
    arm, position, moment, field, force = (np.zeros((count, 3)) for _ in range(5))
    return DipoleWork(arm, position, moment, of_body, field, force, make_tree_work(tree, len(first) - 1, count))
