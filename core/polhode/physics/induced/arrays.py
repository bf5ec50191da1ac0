"""Constants and scratch arrays of iron whose shapes are one induced dipole each.

The dipoles are rows of those of magnets (magnets/arrays.py), with moments that the solution writes. Arrays are padded
to whole SIMD vectors by dipoles far away that have no moment.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.simd import WIDTH
from polhode.physics.coils.arrays import Coils

FAR = 1e40  # [m] between dipoles that are padding; its sixth power, of which fields of coils are made, is a number


class Induced(KernelStruct):
    """Induced dipoles of a scene, constant."""

    row: np.ndarray
    """(n,) int64 index among all dipoles."""
    body: np.ndarray
    """(n,) int64 body of each."""
    iron: np.ndarray
    """(k,) int64 the bodies with induced dipoles."""
    own_volume: np.ndarray
    """(n,) [m^3] of each."""
    volume: np.ndarray
    """(k,) [m^3] of iron of these."""
    source: np.ndarray
    """(m,) int64 all other dipoles: those of magnets."""
    polarisability: np.ndarray
    """(n, 3, 3) [A m^2/T] moment for a field of 1 T without the own one, body frame."""
    stiffness: np.ndarray
    """(n, 3, 3) [T/(A m^2)] its inverse."""
    shift: float
    """[s] by which the state is moved for derivatives of outputs with respect to time."""
    closed_form: np.ndarray
    """(e,) int64 those dipoles of magnets that act on other magnets by closed forms, on induced dipoles as dipoles."""


class InducedWork(KernelStruct):
    """Scratch of induced dipoles, laboratory frame; n is a multiple of the width of a SIMD vector."""

    position: np.ndarray
    """(3, n) [m]."""
    polarisability: np.ndarray
    """(6, n) [A m^2/T] xx, xy, xz, yy, yz, zz."""
    stiffness: np.ndarray
    """(6, n) [T/(A m^2)] likewise."""
    field: np.ndarray
    """(3, n) [T] of magnets and of the world, later with that of coils."""
    moment: np.ndarray
    """(3, n) [A m^2]."""
    residual: np.ndarray
    """(3, n) [T] of the equations."""
    direction: np.ndarray
    """(3, n) [A m^2] in which moments are searched."""
    image: np.ndarray
    """(3, n) [T] of moments `direction`."""
    step: np.ndarray
    """(3, n) [A m^2] polarisability times residual."""
    of_coil: np.ndarray
    """(3 c, n) [T/A] field of each coil."""
    gradient: np.ndarray
    """(6 c, n) [T/(A m)] and its derivatives xx, xy, xz, yy, yz, zz."""
    current: np.ndarray
    """(c,) [A] of the coils, as moments change them."""
    moving: np.ndarray
    """(c,) [V] change of the flux of moments through each coil by motion, the moments turning with their bodies."""
    left: np.ndarray
    """(1,) largest error of moments that were not found since it was set to 0, relative to those that their field alone
    gives; or 0."""
    kept: np.ndarray
    """(3, n) [A m^2] moments of the present state while outputs vary them."""


def make_induced_work(induced: Induced, coils: Coils) -> InducedWork:
    """Scratch arrays for induced dipoles beside coils."""
    count, c = len(induced.row), len(coils.body)
    n = -(-count // WIDTH) * WIDTH
    rows = {name: np.zeros((3, n)) for name in ("field", "moment", "residual", "direction", "image", "step", "kept")}
    position = np.zeros((3, n))
    position[0, count:] = FAR * (1.0 + np.arange(n - count))
    return InducedWork(
        position=position,
        polarisability=np.zeros((6, n)),
        stiffness=np.zeros((6, n)),
        of_coil=np.zeros((3 * c, n)),
        gradient=np.zeros((6 * c, n)),
        current=np.zeros(c),
        moving=np.zeros(c),
        left=np.zeros(1),
        **rows,
    )
