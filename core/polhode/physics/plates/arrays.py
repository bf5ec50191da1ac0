"""Constants and scratch arrays of conducting plates.

The frame of a plate has its origin on the middle plane and the axes e1, e2 and n, its normal. On each side heights are
measured away from the plate, so that both sides have the same equations.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.pages import aligned_zeros
from polhode.jit.simd import WIDTH

X, Y, HEIGHT, SIDE, MOMENT, RATE, VELOCITY, ROWS = 0, 1, 2, 3, 4, 7, 10, 13
"""Rows of `PlateWork.images`."""


class Outlines(KernelStruct):
    """Corners of the convex hulls of magnets, for checks of what touches a plate; none in a scene without plates.

    A corner is an ellipsoid with semi-axes A, a disc or a point, thickened by a sphere (contact/compile.py).
    """

    body: np.ndarray
    """(c,) int64 index of the corner's body."""
    magnet: np.ndarray
    """(c,) int64 number of the corner's magnet: a shape, or a single dipole; rises from 0 by steps of 1."""
    position: np.ndarray
    """(c, 3) [m] from the body's reference point, body frame."""
    square: np.ndarray
    """(c, 3, 3) [m^2] A A^T, body frame."""
    radius: np.ndarray
    """(c,) [m] of the sphere."""


class Plates(KernelStruct):
    """Plates of a scene in order, constant. Read by LAW and OBSERVE."""

    point: np.ndarray
    """(p, 3) [m] on the middle plane, laboratory frame."""
    basis: np.ndarray
    """(p, 3, 3) rows e1, e2, n, laboratory frame."""
    conductivity: np.ndarray
    """(p,) [S/m]."""
    thickness: np.ndarray
    """(p,) [m]."""
    side: np.ndarray
    """(p, m) 1 for a dipole that starts on the side of the normal, -1 for one on the other side."""
    divides: np.ndarray
    """(p,) bool: there are dipoles on both sides."""
    outlines: Outlines


class PlateWork(KernelStruct):
    """Scratch of plates."""

    images: np.ndarray
    """(ROWS, k) of the dipoles in the frame of one plate: x, y [m], height above its face [m], side, and the images of
    moment [A m^2], its rate [A m^2/s] and the velocity [m/s]; k is m rounded up to whole SIMD vectors. Written by LAW
    for one plate after the other; columns behind the last dipole have no moment.
    """
    force: np.ndarray
    """(p, 3) [N] on the plate, laboratory frame; written by LAW."""
    heating: np.ndarray
    """(p,) [W] Joule heat of the eddy currents; written by LAW."""
    reynolds: np.ndarray
    """(p,) largest magnetic Reynolds number since the last check of the range of validity; raised by LAW."""
    fastest: np.ndarray
    """(p,) int64 the dipole that had it."""


def make_plate_work(plates: Plates) -> PlateWork:
    """Scratch arrays for the plates of a scene."""
    count, dipoles = plates.side.shape
    wide = -(-dipoles // WIDTH) * WIDTH if count else 0
    images = aligned_zeros(ROWS * wide).reshape(ROWS, wide)
    images[HEIGHT] = 1.0
    return PlateWork(images, np.zeros((count, 3)), np.zeros(count), np.zeros(count), np.zeros(count, dtype=np.int64))
