"""Soft bodies that move by their modes, as the engine knows them."""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work
from core.engine.part import Part
from core.jit.kernel import kernel
from core.physics.modal.modal_damping import add_modal_damping
from core.physics.modal.placement import (
    add_inertial,
    clear_modal,
    orthonormalise_frames,
    place_modal,
    project_modal,
)


@kernel
def reduce(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    place_modal(model.bodies, model.points, model.modal, state, work.modal)
    clear_modal(work.modal)
    return 0.0


@kernel
def forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_modal_damping(model.modal, work.modal, work.power)
    add_inertial(model.bodies, model.points, model.modal, state, work.modal)
    return 0.0


@kernel
def project(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    project_modal(model.bodies, model.points, model.modal, state, work.points, work.modal, out)
    return 0.0


@kernel
def finish(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    work.drift[0] = max(work.drift[0], orthonormalise_frames(model.bodies, model.modal, state))
    return 0.0


PART = Part(
    "modal",
    is_in=lambda model, inputs: len(model.modal.mass) > 0,
    meets_bodies=False,
    reduce=(reduce,),
    laws={"modal damping": forces},
    project=(project,),
    finish=(finish,),
    shown={},
)
