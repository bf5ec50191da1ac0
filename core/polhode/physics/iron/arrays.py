"""Constants and scratch arrays of soft iron.

The iron of a body is a set of panels, triangles on its surfaces with a magnetic charge [A m] each. A third of the
charge is at each of three points of the panel. Panels of a body are padded to whole SIMD vectors by panels whose charge
is always 0. Lengths are from the reference point of the body, in its frame.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.coils.arrays import Coils


class Iron(KernelStruct):
    """Iron of all bodies, constant: the panels of iron a are first[a] ... first[a + 1] - 1."""

    body: np.ndarray
    """(k,) int64 body of which it is a part."""
    first: np.ndarray
    """(k + 1,) int64, multiples of the width of a SIMD vector."""
    volume: np.ndarray
    """(k,) [m^3]."""
    susceptibility: np.ndarray
    """(k,) chi_0 in weak fields; of use where iron saturates."""
    saturation: np.ndarray
    """(k,) [A/m] M_s; inf of iron that does not saturate."""
    own_value: np.ndarray
    """(1, n) s of the modes of iron that saturates; 1 of others."""
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
    """(n, w) [m] R: charges are -R psi. Rows of all panels, columns of those of the same body. Of iron that saturates
    T [m^(1/2)], with a column for each mode."""
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
    reluctivity: np.ndarray
    """(k,) 1/chi of iron that saturates."""
    magnetisation: np.ndarray
    """(k,) [A/m] of iron that saturates, root of the mean square."""
    position: np.ndarray
    """(3, n) [m] centroids of panels, laboratory frame; written where there are several bodies, or coils."""
    area: np.ndarray
    """(3, n) [m^2] vector areas of panels, laboratory frame; this and all that follows only where there are coils."""
    field: np.ndarray
    """(9 c, n) of each coil for 1 A at panels: B [T], and its derivatives [T/m] xx, xy, xz, yy, yz, zz."""
    of_coil: np.ndarray
    """(c, n) [1] psi of 1 A in each coil."""
    of_magnets: np.ndarray
    """(1, n) [A m] charges without the currents of coils."""
    charge_of_coil: np.ndarray
    """(c, n) [m] charges of 1 A in each coil."""
    amplitude: np.ndarray
    """(1 + c, n) of iron that saturates: the modes in the potential without coils [A m^(1/2)], and of 1 A in each."""
    flux: np.ndarray
    """(c,) [Wb] of coils without iron."""
    inductance: np.ndarray
    """(c, c) [H] of coils without iron."""
    apart: np.ndarray
    """(c, c) [H] what iron adds to the mutual inductances of resistive and driven coils; 0 of others."""
    differential: np.ndarray
    """(c, c) [H] derivatives of flux linkages with respect to currents, for outputs."""
    reaction: np.ndarray
    """(c, 3) [N] force of the iron of other bodies on each coil."""


def make_iron_work(iron: Iron, coils: Coils) -> IronWork:
    """Scratch arrays for iron beside coils."""
    n = len(iron.edge)
    c = len(coils.body) if n else 0
    of_panels = ("potential", "charge", "inner", "residual", "direction", "image", "of_direction", "step")
    of_iron = {name: np.zeros(len(iron.body)) for name in ("reluctivity", "magnetisation")}
    return IronWork(
        position=np.zeros((3, n)),
        area=np.zeros((3, n if c else 0)),
        field=np.zeros((9 * c, n)),
        of_coil=np.zeros((c, n)),
        of_magnets=np.zeros((1, n if c else 0)),
        charge_of_coil=np.zeros((c, n)),
        amplitude=np.zeros((1 + c, n)),
        flux=np.zeros(c),
        inductance=np.zeros((c, c)),
        apart=np.zeros((c, c)),
        differential=np.zeros((c, c)),
        reaction=np.zeros((c, 3)),
        **of_iron,
        **{name: np.zeros((1, n)) for name in of_panels},
    )
