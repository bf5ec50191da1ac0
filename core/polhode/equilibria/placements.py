"""Positions and orientations of the items of a scene in an equilibrium, for tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.equilibria.coordinates import Coordinate, values_in
from polhode.equilibria.pose import pose_of_state
from polhode.equilibria.rotations import vectors
from polhode.physics.bodies.shapes import unit


@dataclass(frozen=True)
class PoseQuantity:
    """One quantity of one item: `rotation` [rad], `angle` [rad], `position` [m] or `q`."""

    name: str
    quantity: str
    unit: str
    values: tuple[float, ...]


def placements(compiled: CompiledScene, state: np.ndarray) -> tuple[PoseQuantity, ...]:
    """Rotation vectors from the laboratory frame, angles about axles, positions of origins of free bodies, parameters
    of beads, positions of particles and centres of soft bodies, in a placed state (k,).
    """
    pose, found = pose_of_state(compiled, state), []
    for b, body in enumerate(compiled.scene.bodies[: compiled.model.bodies.first_bead]):
        if body.support == "axle" and body.axis is not None:
            axis = Coordinate(body.name, "angle", b, unit(body.axis), "rad", 0.0, 0.0)
            found.append(PoseQuantity(body.name, "angle", "rad", values_in((axis,), pose)))
        elif body.support in ("pivot", "free"):
            turn = vectors(np.swapaxes(pose.basis[b : b + 1], 1, 2))[0]
            found.append(PoseQuantity(body.name, "rotation", "rad", tuple(turn.tolist())))
        if body.support == "free":
            found.append(PoseQuantity(body.name, "position", "m", tuple(pose.position[b].tolist())))
    for bead, q in zip(compiled.scene.bead, pose.parameter.tolist(), strict=True):
        found.append(PoseQuantity(bead.name, "q", bead.path.parameter_unit, (q,)))
    for item in (*compiled.scene.soft, *compiled.scene.particle):
        centre = pose.points[compiled.points[item.name]].mean(axis=0)
        found.append(PoseQuantity(item.name, "position", "m", tuple(centre.tolist())))
    return tuple(found)
