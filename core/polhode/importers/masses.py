"""Masses of links, from what a file states, or from their shapes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import get_args

import numpy as np

from polhode.importers.kinematics import HERE, IDENTITY, MassOf, RigidTransform, Tables, steiner
from polhode.importers.links import Link
from polhode.physics.bodies.mass.solids import SOLIDS

KINDS = {get_args(solid.model_fields["kind"].annotation)[0]: formula for solid, formula in SOLIDS.items()}
NOTHING = MassOf(0.0, np.zeros(3), np.zeros((3, 3)))


def combined(parts: list[MassOf]) -> MassOf:
    """Several parts, given in one frame, as one."""
    mass = sum(part.mass for part in parts)
    if mass == 0.0:
        return NOTHING
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    tensors = (part.tensor + part.mass * steiner(part.center - center) for part in parts)
    return MassOf(mass, center, sum(tensors, np.zeros((3, 3))))


def mass_of_shape(shape: Tables) -> MassOf:
    """Mass properties of a shape in the frame in which it is placed; nothing of a mesh, which is not read here."""
    if shape["kind"] not in KINDS:
        return NOTHING
    try:
        volume, per_mass = KINDS[shape["kind"]](SimpleNamespace(**shape))
    except ZeroDivisionError:  # without a size, which the scene refuses
        return NOTHING
    mass = shape["mass"] if "mass" in shape else shape["density"] * volume
    return MassOf(mass, np.zeros(3), mass * np.diag(per_mass)).seen_from(pose_of_shape(shape))


def pose_of_shape(shape: Tables) -> RigidTransform:
    """The pose of a shape in the frame in which it is placed."""
    basis = shape.get("orientation", {}).get("basis")
    return RigidTransform(
        IDENTITY if basis is None else np.array(basis).T, np.array(shape.get("position", HERE.position))
    )


def mass_of_link(link: Link) -> MassOf:
    """Stated mass properties of a link, or those of its shapes."""
    return link.stated if link.stated is not None else combined([*map(mass_of_shape, link.shapes), *link.parts])


def bounded(mass: MassOf, least: tuple[float, float], balances: bool) -> MassOf:
    """Mass properties of at least a mass [kg] and moments [kg m^2].

    balances: moments of which one exceeds the sum of the others become equal
    """
    moments, axes = np.linalg.eigh(mass.tensor)
    moments = np.maximum(moments, least[1])
    if balances and moments[2] > moments[0] + moments[1]:
        moments = np.full(3, moments.mean())
    return MassOf(max(mass.mass, least[0]), mass.center, axes @ np.diag(moments) @ axes.T)
