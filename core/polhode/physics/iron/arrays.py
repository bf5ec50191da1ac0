"""Constants and scratch arrays of soft iron.

The iron of a body is a set of panels, triangles on its surfaces with a magnetic charge [A m] each. A third of the
charge is at each of three points of the panel. Panels of a body are padded to whole SIMD vectors by panels whose charge
is always 0. Lengths are from the reference point of the body, in its frame.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct


class Iron(KernelStruct):
    """Iron of all bodies, constant: the panels of iron a are first[a] ... first[a + 1] - 1."""

    body: np.ndarray
    """(k,) int64 body of which it is a part."""
    first: np.ndarray
    """(k + 1,) int64, multiples of the width of a SIMD vector."""
    volume: np.ndarray
    """(k,) [m^3]."""
    point: np.ndarray
    """(9, n) [m] x, y, z of the first point of each panel, then of the second and the third one."""
    middle: np.ndarray
    """(3, n) [m] x, y, z of the centroids of panels."""
    area: np.ndarray
    """(3, n) [m^2] x, y, z of vector areas of panels, outwards."""
    edge: np.ndarray
    """(n,) [m] length of an edge of a panel, if it had three equal ones; 0 of padding."""
    own: np.ndarray
    """(1, n) [A] magnetic potential of the magnets of the same body at panels."""
    inverse: np.ndarray
    """(n, w) [m] R: charges are -R psi. Rows of all panels, columns of those of the same body."""
    from_flux: np.ndarray
    """(n, w) [1/m] N: from fluxes of the magnetisation [A m] to its potential u [A], in the same arrangement."""


class IronWork(KernelStruct):
    """Scratch of iron, written by LAW and ENERGY."""

    potential: np.ndarray
    """(1, n) [A] psi of everything else at panels."""
    charge: np.ndarray
    """(1, n) [A m]."""
    inner: np.ndarray
    """(1, n) [A] u, the potential of the magnetisation; and fluxes [A m] of fields by formulas before."""
    residual: np.ndarray
    """(1, n) [A] of the equations of several bodies of iron."""
    direction: np.ndarray
    """(1, n) [A m] along which the charges are searched."""
    image: np.ndarray
    """(1, n) [A] potential of charges `direction`."""
    of_direction: np.ndarray
    """(1, n) [A] potential of them at the panels of the same body."""
    step: np.ndarray
    """(1, n) [A m] R residual."""
    position: np.ndarray
    """(3, n) [m] centroids of panels, laboratory frame; written where there are several bodies."""


def make_iron_work(iron: Iron) -> IronWork:
    """Scratch arrays for iron."""
    n = len(iron.edge)
    of_panels = ("potential", "charge", "inner", "residual", "direction", "image", "of_direction", "step")
    return IronWork(position=np.zeros((3, n)), **{name: np.zeros((1, n)) for name in of_panels})
