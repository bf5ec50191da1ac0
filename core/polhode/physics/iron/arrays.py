"""Constants and scratch arrays of soft iron.

The iron of a body is a set of panels, triangles on its surfaces with a magnetic charge [A m] each. A third of the
charge is at each of three points of the panel. Panels of a body are padded to whole SIMD vectors by panels whose charge
is always 0. Lengths are from the reference point of the body, in its frame.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.coils.arrays import Coils
from polhode.physics.conductors.arrays import Conductors


class Iron(KernelStruct):
    """Iron of all bodies, constant: the panels of iron a are first[a] ... first[a + 1] - 1."""

    body: np.ndarray
    """(k,) int64 body of which it is a part."""
    first: np.ndarray
    """(k + 1,) int64, multiples of the width of a SIMD vector."""
    volume: np.ndarray
    """(k,) [m^3]."""
    first_shape: np.ndarray
    """(k + 1,) int64: the shapes of iron a are first_shape[a] ... first_shape[a + 1] - 1."""
    shape_first: np.ndarray
    """(m,) int64 first panel of each shape."""
    shape_end: np.ndarray
    """(m,) int64 the panel after its last one."""
    shape_volume: np.ndarray
    """(m,) [m^3]."""
    susceptibility: np.ndarray
    """(m,) chi_0 of each shape in weak fields."""
    saturation: np.ndarray
    """(m,) [A/m] M_s; inf of a shape that does not saturate."""
    own_value: np.ndarray
    """(1, n) s of the modes of the only shape of iron, if it saturates; else 1."""
    point: np.ndarray
    """(9, n) [m] x, y, z of the first point of each panel, then of the second and the third one."""
    middle: np.ndarray
    """(3, n) [m] x, y, z of the centroids of panels."""
    area: np.ndarray
    """(3, n) [m^2] x, y, z of vector areas of panels, outwards."""
    edge: np.ndarray
    """(n,) [m] length of an edge of a panel, if it had three equal ones; 0 of padding, and of the charges of a
    shape with one moment."""
    own: np.ndarray
    """(1, n) [A] magnetic potential of the magnets of the same body at panels."""
    inverse: np.ndarray
    """(n, w) [m] R: charges are -R psi. Rows of all panels, columns of those of the same body. Of the only
    shape of iron, if it saturates, T [m^(1/2)], with a column for each mode."""
    from_flux: np.ndarray
    """(n, w) [1/m] N: from fluxes of the magnetisation [A m] to its potential u [A], in the same arrangement."""

    def magnetisation_of(self, j: int, charge: np.ndarray) -> float:
        """M [A/m] of shape j with charges (n,) [A m], root of the mean square."""
        panels = slice(self.shape_first[j], self.shape_end[j])
        start = self.first[np.searchsorted(self.first_shape, j, side="right") - 1]
        own = self.from_flux[panels, panels.start - start : panels.stop - start]
        return float(max(charge[panels] @ own @ charge[panels] / self.shape_volume[j], 0.0)) ** 0.5


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
    """(m,) 1/chi of shapes, written where any of them saturates."""
    magnetisation: np.ndarray
    """(m,) [A/m] of shapes, root of the mean square; written where any of them saturates."""
    newton: np.ndarray
    """(1, n) [A m] step of Newton of several shapes of which some saturate; this and the next three only of these."""
    of_newton: np.ndarray
    """(1, n) [A] its potential at the panels of the same body, for weak fields."""
    of_charge: np.ndarray
    """(1, n) [A] that of the charges."""
    of_flux: np.ndarray
    """(1, n) [A] N times a direction."""
    curvature: np.ndarray
    """(m,) [1/(A^2 m^3)] c of shapes in several_shapes.py."""
    gain: np.ndarray
    """(r, r) [1/m] K of several_shapes_coils.py: of coils, then of slow modes of conductors."""
    base_current: np.ndarray
    """(r,) [A] I_0 there."""
    of_current: np.ndarray
    """(r, n) [1] psi of 1 A in each."""
    linked: np.ndarray
    """(r,) [A m] sums of these times charges."""
    follows: np.ndarray
    """(1,) bool: these currents follow the charges; else they are given."""
    base_flux: np.ndarray
    """(c,) [Wb] of coils without the charges, for I_0."""
    left: np.ndarray
    """(1,) largest error of charges that were not found since it was set to 0, relative to the charges; or 0."""
    along: np.ndarray
    """(3, m) [A^2 m] q.N q, q.N p and p.N p of each shape for a step p."""
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


def several_saturate(iron: Iron, conductors: Conductors) -> bool:
    """Whether iron that saturates is not one shape, which has modes of its own, or is beside metal."""
    is_alone = len(iron.saturation) == 1 and len(conductors.body) == 0
    return not is_alone and bool(np.isfinite(iron.saturation).any())


def make_iron_work(iron: Iron, coils: Coils, conductors: Conductors) -> IronWork:
    """Scratch arrays for iron beside coils and metal."""
    n = len(iron.edge)
    c = len(coils.body) if n else 0
    of_panels = ("potential", "charge", "inner", "residual", "direction", "image", "of_direction", "step")
    shapes = len(iron.saturation)
    of_shapes = {name: np.zeros(shapes) for name in ("reluctivity", "magnetisation")}
    several = several_saturate(iron, conductors)
    slow = int(conductors.slow.sum()) if several else 0
    rows = c + slow if several else 0
    of_several = ("newton", "of_newton", "of_charge", "of_flux")
    return IronWork(
        position=np.zeros((3, n)),
        area=np.zeros((3, n if c else 0)),
        field=np.zeros((9 * c, n)),
        of_coil=np.zeros((c, n)),
        of_magnets=np.zeros((1, n if c or slow else 0)),
        charge_of_coil=np.zeros((c, n)),
        amplitude=np.zeros((1 + c, n)),
        flux=np.zeros(c),
        inductance=np.zeros((c, c)),
        apart=np.zeros((c, c)),
        differential=np.zeros((c, c)),
        reaction=np.zeros((c, 3)),
        curvature=np.zeros(shapes),
        gain=np.zeros((rows, rows)),
        base_current=np.zeros(rows),
        of_current=np.zeros((rows, n)),
        linked=np.zeros(rows),
        follows=np.zeros(1, np.bool_),
        base_flux=np.zeros(c),
        left=np.zeros(1),
        along=np.zeros((3, shapes)),
        **of_shapes,
        **{name: np.zeros((1, n)) for name in of_panels},
        **{name: np.zeros((1, n if several else 0)) for name in of_several},
    )
