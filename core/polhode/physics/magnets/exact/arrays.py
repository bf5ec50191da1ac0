"""Constants and scratch arrays of the closed forms of magnets."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.magnets.exact.solids import COLUMNS


class ExactMagnets(KernelStruct):
    """Magnets with closed forms. Those in `solid` and `charge` act by them; groups of charges belong to one body each.

    A group is the charges of one shape, or all dipoles of a body as dumb-bells.
    """

    solid: np.ndarray
    """(s, COLUMNS) shapes that act by closed forms, from the body's reference point, body frame; solids.py."""
    owner: np.ndarray
    """(s,) int64 body of each."""
    charge: np.ndarray
    """(4, n) x, y, z [m] from the body's reference point, body frame, and charge [A m]; groups are padded with charges
    of 0 to whole SIMD vectors."""
    first: np.ndarray
    """(g + 1,) int64: the charges of group g are first[g] ... first[g + 1] - 1."""
    carrier: np.ndarray
    """(g,) int64 body of each group."""
    pair: np.ndarray
    """(p, 2) int64 a solid, and a group of another body on which it acts."""
    weight: np.ndarray
    """(p,) 1, or 1/2 for each direction of two magnets whose charges are about as dense."""
    others: np.ndarray
    """(k,) int64 dipoles that act on each other as such."""
    shown: np.ndarray
    """(c, COLUMNS) all shapes with a closed form, for the field in space; from the body's reference point."""
    shown_owner: np.ndarray
    """(c,) int64 body of each."""
    filled: np.ndarray
    """(c, 2) int64 the dipoles that fill each, from ... to."""
    reach: np.ndarray
    """(c,) [m] distance from its middle beyond which these have the same field."""


class DipoleSums(KernelStruct):
    """Scratch of the dipoles that act on each other as such; members as in DipoleWork."""

    position: np.ndarray
    """(k, 3) [m]."""
    moment: np.ndarray
    """(k, 3) [A m^2]."""
    field: np.ndarray
    """(k, 3) [T]."""
    force: np.ndarray
    """(k, 3) [N]."""
    first: np.ndarray
    """(1, k) number of the body of each, equal for those that do not meet: index of its first dipole among these."""


class ExactWork(KernelStruct):
    """Scratch of the closed forms, laboratory frame. Written by PLACE, read by LAW and ENERGY."""

    position: np.ndarray
    """(3, n) [m] of charges."""
    center: np.ndarray
    """(s, 3) [m] middles of solids."""
    axes: np.ndarray
    """(s, 3, 3) their axes, in rows."""
    sums: DipoleSums


def make_exact_work(exact: ExactMagnets, first: np.ndarray) -> ExactWork:
    """Scratch arrays of these sizes; first: (n + 1,) that of the dipoles of all bodies (arrays.py of magnets)."""
    owner = np.searchsorted(first, exact.others, side="right")
    of_body = np.searchsorted(owner, owner).astype(float)[np.newaxis]
    count = len(exact.others)
    position, moment, field, force = (np.zeros((count, 3)) for _ in range(4))
    sums = DipoleSums(position, moment, field, force, of_body)
    solids = len(exact.solid)
    return ExactWork(np.zeros((3, exact.charge.shape[1])), np.zeros((solids, 3)), np.zeros((solids, 3, 3)), sums)


def no_exact_magnets(shown: np.ndarray, owner: np.ndarray, filled: np.ndarray, reach: np.ndarray) -> ExactMagnets:
    """Where no magnet acts by closed forms.

    shown: (c, COLUMNS), owner: (c,) of each, filled: (c, 2), reach: (c,) as of ExactMagnets
    """
    none, first = np.zeros(0, np.int64), np.zeros(1, np.int64)
    solids, pair = np.zeros((0, COLUMNS)), np.zeros((0, 2), np.int64)
    of_charges = np.zeros((4, 0)), first, none, pair, np.zeros(0), none
    return ExactMagnets(solids, none, *of_charges, shown, owner, filled, reach)
