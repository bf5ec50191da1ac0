"""The field B in space, inside and outside, of magnets with a closed form."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, dot, scale, subtract
from polhode.physics.magnets.exact.arrays import ExactMagnets
from polhode.physics.magnets.exact.cuboid import of_cuboid
from polhode.physics.magnets.exact.cylinder import field_of_cylinder
from polhode.physics.magnets.exact.solids import (
    AXES,
    CENTER,
    COLUMNS,
    CUBOID,
    CYLINDER,
    KIND,
    MAGNETISATION,
    SIZE,
    three,
)


@dataclass(frozen=True, eq=False)
class Solids:
    """Magnets with a closed form, and the dipoles that fill them."""

    rows: np.ndarray
    """(s, COLUMNS) as in solids.py."""
    filled: np.ndarray
    """(s, 2) int64: the dipoles from ... to."""
    reach: np.ndarray
    """(s,) [m] distance from the middle beyond which the dipoles have the same field."""


NO_SOLIDS = Solids(np.zeros((0, COLUMNS)), np.zeros((0, 2), np.int64), np.zeros(0))


def placed_solids(exact: ExactMagnets, reference: np.ndarray, origin: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """All shapes with a closed form, (s, COLUMNS), in the laboratory frame.

    reference: (n, 3) [m] from the reference point of each body to its origin, body frame
    origin: (n, 3) [m] of the bodies' origins; basis: (n, 3, 3) rows u1, u2, u3 of the bodies
    """
    found, owner = exact.shown.copy(), exact.shown_owner
    turns = basis[owner]
    arm = exact.shown[:, CENTER:AXES] - reference[owner]
    found[:, CENTER:AXES] = origin[owner] + np.einsum("si,sij->sj", arm, turns)
    axes = exact.shown[:, AXES:SIZE].reshape(-1, 3, 3)
    found[:, AXES:SIZE] = np.einsum("ski,sij->skj", axes, turns).reshape(-1, 9)
    return found


@kernel
def field_of_solid(x: Triple, solids: np.ndarray, s: int, permeability: float) -> Triple:
    """B [T] at x [m] of row s of solids (s, COLUMNS), in their frame: mu0 (H + M) inside."""
    e1, e2, e3 = three(solids, s, AXES), three(solids, s, AXES + 3), three(solids, s, AXES + 6)
    size, magnetisation = three(solids, s, SIZE), three(solids, s, MAGNETISATION)
    local = components(subtract(x, three(solids, s, CENTER)), e1, e2, e3)
    square = dot(local, local)
    across, height = local[0] * local[0] + local[1] * local[1], abs(local[2])
    if solids[s, KIND] == CUBOID:
        field = of_cuboid(local, size, magnetisation)[1]
        is_inside = abs(local[0]) < size[0] and abs(local[1]) < size[1] and height < size[2]
    elif solids[s, KIND] == CYLINDER:
        field = field_of_cylinder(local, size[0], size[1], magnetisation)
        is_inside = across < size[0] * size[0] and height < size[1]
    else:
        is_inside = square < size[0] * size[0]
        field = of_sphere(local, square, size[0], magnetisation, is_inside)
    if is_inside:
        field = add(field, magnetisation)
    return scale(permeability, combine(field, e1, e2, e3))


@kernel
def of_sphere(r: Triple, square: float, radius: float, magnetisation: Triple, is_inside: bool) -> Triple:
    """H [A/m] at r [m] from the middle of a sphere: -M/3 inside, outside that of a dipole M V; square: r^2 [m^2]."""
    if is_inside:
        return scale(-1.0 / 3.0, magnetisation)
    volume = 4.0 * pi / 3.0 * radius * radius * radius
    strength = volume / (4.0 * pi * square * sqrt(square))
    return scale(strength, subtract(scale(3.0 * dot(magnetisation, r) / square, r), magnetisation))
