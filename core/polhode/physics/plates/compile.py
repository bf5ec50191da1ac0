"""Plates of a scene as kernel arrays, and the check that no magnet touches one at the start."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy

from polhode.data.inputs import formula_of
from polhode.engine.part import Draft
from polhode.formulas.parser import parse
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.bodies.description import Body, EllipseMotion, FormulaMotion
from polhode.physics.bodies.shapes import unit
from polhode.physics.magnets.arrays import Dipoles
from polhode.physics.plates.arrays import Plates
from polhode.physics.plates.description import Plate
from polhode.physics.plates.outlines import build_outlines, depths, owners
from polhode.physics.sensor.description import BodyFollows
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene


def compile_plates(draft: Draft) -> None:
    """Add the member `plates` of the Model. Raises InputError where a magnet touches a plate at the start."""
    scene, bodies, dipoles = draft.scene, draft.model["bodies"], draft.model["dipoles"]
    positions, bases = start_poses(scene, bodies)
    point = np.array([plate.point for plate in scene.plate]).reshape(-1, 3)
    basis = np.array([frame_of(plate) for plate in scene.plate]).reshape(-1, 3, 3)
    side = _sides(point, basis, dipoles, positions, bases)
    plates = Plates(
        point=point,
        basis=basis,
        conductivity=np.array([plate.conductivity for plate in scene.plate]),
        thickness=np.array([plate.thickness for plate in scene.plate]),
        side=side,
        divides=np.ptp(side, axis=1) > 0.0 if side.size else np.zeros(len(point), dtype=np.bool_),
        outlines=build_outlines(scene, bodies, draft.meshes),
    )
    if problems := _touching(scene, plates, depths(plates, positions, bases)):
        raise InputError(scene.title or "scene", problems)
    draft.model["plates"] = plates


def frame_of(plate: Plate) -> np.ndarray:
    """(3, 3) rows e1, e2, n of a plate, right-handed, laboratory frame."""
    n = unit(plate.normal)
    e1 = unit(np.cross(np.eye(3)[np.abs(n).argmin()], n))
    return np.array([e1, np.cross(n, e1), n])


def start_poses(scene: Scene, bodies: Bodies) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) [m] of reference points, and bases (n, 3, 3) with rows u1, u2, u3, of all bodies at t = 0."""
    bases = np.array([_basis_at_start(body, scene.folder) for body in scene.bodies]).reshape(-1, 3, 3)
    origins = np.array([_origin_at_start(body, scene) for body in scene.bodies]).reshape(-1, 3)
    return origins - np.einsum("ni,nij->nj", bodies.origin, bases), bases


def _origin_at_start(body: Body, scene: Scene) -> np.ndarray:
    """(3,) [m] of the origin of a body at t = 0, laboratory frame."""
    motion, position = body.motion, np.array(body.position)
    if isinstance(motion, FormulaMotion):
        return position + [_at_start(source, scene.folder) for source in (motion.x, motion.y, motion.z)]
    if isinstance(motion, EllipseMotion):
        return position + np.cos(motion.phase) * np.array(motion.r1) + np.sin(motion.phase) * np.array(motion.r2)
    if isinstance(motion, BodyFollows):
        displacement = motion.scale * float(scene.sensor.distances(np.zeros(1))[0]) + motion.offset
        return position + np.clip(displacement, motion.lowest, motion.highest) * unit(motion.axis)
    return position


def _at_start(source: str | MeasuredInput, folder: Path) -> float:
    """Value of a formula of t, or of measured data, at t = 0."""
    return float(parse(formula_of(source, folder), ("t",))({"t": 0.0}))


def _basis_at_start(body: Body, folder: Path) -> np.ndarray:
    """(3, 3) rows u1, u2, u3 of a body at t = 0, laboratory frame."""
    basis = body.orientation.matrix().T
    if isinstance(body.motion, FormulaMotion) and body.motion.turns:
        motion = body.motion
        turn = _at_start(motion.angle, folder) * unit(motion.axis)
        if motion.turns_by_vector:
            turn = np.array([_at_start(each, folder) for each in (motion.turn_x, motion.turn_y, motion.turn_z)])
        return np.asarray(scipy.spatial.transform.Rotation.from_rotvec(turn).apply(basis))
    return basis


def _sides(
    point: np.ndarray, basis: np.ndarray, dipoles: Dipoles, positions: np.ndarray, bases: np.ndarray
) -> np.ndarray:
    """(p, m) 1 or -1: the sides of plates on which the dipoles start.

    point, basis: of the plates; positions, bases: of the bodies
    """
    owner = np.repeat(np.arange(len(positions)), np.diff(dipoles.first))
    dipole_positions = positions[owner] + np.einsum("mi,mij->mj", dipoles.position, bases[owner])
    heights = np.einsum("pmi,pi->pm", dipole_positions - point[:, None], basis[:, 2])
    return np.where(heights > 0.0, 1.0, -1.0)


def _touching(scene: Scene, plates: Plates, deep: np.ndarray) -> list[Problem]:
    """Problems of magnets that touch plates at the start, one for each body and plate; `deep` (p, k) as of `depths`."""
    problems = {}
    of_magnet = owners(plates.outlines)
    for k, magnet in zip(*np.nonzero(deep >= 0.0), strict=True):
        b = int(of_magnet[magnet])
        rule = Message(
            "its magnet touches the plate '{plate}': it reaches {depth:.3g} m below its face",
            plate=scene.plate[k].name,
            depth=float(deep[k][of_magnet == b].max()),
        )
        problems[b, k] = Problem(scene.place_of(b), rule, Message("move one of them"))
    return list(problems.values())
