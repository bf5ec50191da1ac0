"""Which shapes of iron are one induced dipole each, and their polarisabilities."""

from __future__ import annotations

from math import isinf, pi

import numpy as np
import scipy.special

from polhode.physics.bodies import shapes
from polhode.physics.iron.description import IDEAL
from polhode.scene.scene import Body, Scene

MANY = 20  # bodies of iron above which spheres are dipoles where a scene does not say
CLOSEST = 1.5  # of the largest semi-axis: dipoles nearer than the sum of both are too weak by 7 %
LEAST = 1e-12  # chi of what is not magnetic, whose polarisability has an inverse then
KINDS = shapes.Sphere, shapes.Ellipsoid


def are_dipoles(scene: Scene) -> bool:
    """Whether iron that does not say it is of dipoles: many spheres that do not saturate."""
    every = [shape for body in scene.bodies for shape in body.shape if shape.iron is not None]
    if sum(any(shape.iron is not None for shape in body.shape) for body in scene.bodies) <= MANY:
        return False
    return all(isinstance(shape, shapes.Sphere) and _may_be_dipole(shape) for shape in every)


def is_beside_panels(scene: Scene) -> bool:
    """Whether a scene has metal or iron of panels, with whose unknowns those of dipoles are solved (iron/parts.py)."""
    by_default = are_dipoles(scene)
    for body in scene.bodies:
        for shape in body.shape:
            if shape.conductor is not None:
                return True
            if shape.iron is not None and not by_default and shape.iron.induced != "dipole":
                return True
    return False


def _may_be_dipole(shape: shapes.ShapeBase) -> bool:
    iron = shape.iron
    return iron is not None and iron.saturation is None and iron.induced != "surface"


def of_dipoles(body: Body, scene: Scene) -> list[int]:
    """Indices of the shapes of a body whose iron is a dipole; `each_of_dipoles` is faster for all bodies."""
    return _of_dipoles(body, any(shape.iron is not None for shape in body.shape) and are_dipoles(scene))


def each_of_dipoles(scene: Scene) -> list[list[int]]:
    """Indices of the shapes of each body whose iron is a dipole."""
    by_default = are_dipoles(scene)
    return [_of_dipoles(body, by_default) for body in scene.bodies]


def _of_dipoles(body: Body, by_default: bool) -> list[int]:
    iron = [(k, shape.iron) for k, shape in enumerate(body.shape) if shape.iron is not None]
    return [k for k, each in iron if by_default or each.induced == "dipole"]


def rows_of_dipoles(body: Body, scene: Scene) -> list[int]:
    """Those of them that are dipoles beside magnets, in a scene without panels and metal."""
    found = of_dipoles(body, scene)
    return [] if found and is_beside_panels(scene) else found


def semi_axes(shape: shapes.ShapeBase) -> np.ndarray:
    """(3,) [m] of a sphere or an ellipsoid."""
    if isinstance(shape, shapes.Ellipsoid):
        return np.array(shape.semi_axes)
    assert isinstance(shape, shapes.Sphere)
    return np.full(3, shape.radius)


def demagnetising_factors(axes: np.ndarray) -> np.ndarray:
    """(3,) factors N of an ellipsoid with semi-axes (3,), whose sum is 1: N_a = a b c/3 R_D(b^2, c^2, a^2)."""
    squares = axes**2
    found = [scipy.special.elliprd(*np.roll(squares, -1 - k)[:2], squares[k]) for k in range(3)]
    return np.asarray(np.prod(axes) / 3.0 * np.array(found))


def polarisability(shape: shapes.ShapeBase) -> np.ndarray:
    """(3, 3) [m^3] moment over the field H without the iron itself, frame of the shape.

    Of a hollow sphere by J. D. Jackson, Classical Electrodynamics, 5.12.
    """
    iron, axes = shape.iron, semi_axes(shape)
    assert iron is not None
    chi, volume = max(iron.susceptibility, LEAST), 4.0 / 3.0 * pi * float(np.prod(axes))
    if iron.thickness is not None:
        inner, mu = (1.0 - iron.thickness / axes[0]) ** 3, min(1.0 + chi, IDEAL)
        outside, inside = (2.0 * mu + 1.0) * (mu - 1.0), (2.0 * mu + 1.0) * (mu + 2.0)
        return np.eye(3) * (3.0 * volume * outside * (1.0 - inner) / (inside - 2.0 * inner * (mu - 1.0) ** 2))
    return np.diag(volume / ((0.0 if isinf(chi) else 1.0 / chi) + demagnetising_factors(axes)))
