"""Checks that stored states are possible states of a scene, beyond finite numbers."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE
from polhode.physics.paths.arrays import BEAD_SIZE, HOLD, HOLDS
from polhode.recording.checks.isolated_file import REMEDY
from polhode.recording.contents import ROOT
from polhode.scene.message import Message
from polhode.scene.problem import Problem

DRIFT = 1e-6  # largest |u_i.u_j - delta_ij| of a basis; each step repairs it to rounding


def state_fault(compiled: CompiledScene, states: np.ndarray, first: int) -> Problem | None:
    """The first fault of the states (t, k) of frames `first` ... in a scene; None where they are possible.

    The bases of bodies must be orthonormal and right-handed, and beads be on their path, at its end, or gone.
    """
    bodies, beads = compiled.scene.bodies, compiled.model.beads
    rows = states[:, : BODY_SIZE * len(bodies)].reshape(len(states), len(bodies), BODY_SIZE)
    basis = rows[..., BASIS:ANGULAR_MOMENTUM].reshape(len(states), len(bodies), 3, 3)
    with np.errstate(all="ignore"):
        error = np.abs(np.swapaxes(basis, -1, -2) @ basis - np.eye(3)).max(axis=(-1, -2), initial=0.0)
        wrong = ~(error < DRIFT) | ~(np.linalg.det(basis) > 0.0)
    holds = states[:, beads.at : beads.at + BEAD_SIZE * len(beads.body)].reshape(
        len(states), BEAD_SIZE, len(beads.body)
    )
    lost = ~np.isin(holds[:, HOLD], HOLDS)
    for faults, names, rule in (
        (wrong, bodies, Message("has a basis that is not orthonormal")),
        (lost, compiled.scene.bead, Message("is neither on its path nor off it")),
    ):
        if faults.any():
            row, number = np.argwhere(faults)[0].tolist()
            return Problem(f"{ROOT}/State[{first + row}], '{names[number].name}'", rule, REMEDY)
    return None
