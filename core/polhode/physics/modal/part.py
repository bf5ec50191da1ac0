"""Engine records of soft bodies in modal coordinates.

    REDUCE     positions and velocities of points into the state; ModalWork
    LAW        damping of modes, inertial forces of rotating frames; springs and other laws act on the points
    PROJECT    forces on points to rates of frames and amplitudes; rates of the points become zero
    FINISH     orthonormal bases of free frames

The subject has two sections of the state: frames, which follow the bodies, and modes. Bodies that move point by point
and have modal damping are a subject of their own, with one law.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Step
from polhode.engine.part import Part, StateSection
from polhode.jit.kernel import kernel
from polhode.physics.bodies.arrays import BODY_SIZE, changed_by_forces
from polhode.physics.modal.arrays import make_modal_work
from polhode.physics.modal.compile import compile_modal, reduce_to_modes
from polhode.physics.modal.damped_points import add_damping_of_points
from polhode.physics.modal.modal_damping import add_modal_damping
from polhode.physics.modal.placement import add_inertial, clear_modal, orthonormalise_frames, place_modal, project_modal


@kernel
def reduce(s: Step) -> None:
    """REDUCE: place the points of modal bodies, and clear the forces on modes."""
    place_modal(s.model.bodies, s.model.points, s.model.modal, s.state, s.work.modal)
    clear_modal(s.work.modal)


@kernel
def forces(s: Step) -> None:
    """LAW: damping of modes, and inertial forces of rotating frames."""
    add_modal_damping(s.model.modal, s.work.modal, s.work.power)
    add_inertial(s.model.bodies, s.model.points, s.model.modal, s.state, s.work.modal)


@kernel
def damping_of_points(s: Step) -> None:
    """LAW: modal damping of bodies that move point by point."""
    add_damping_of_points(s.model.points, s.model.damped, s.state, s.work.points, s.work.damped, s.work.power)


@kernel
def project(s: Step) -> None:
    """PROJECT: rates of frames and modes; the points of modal bodies have none. After the project hook of points."""
    project_modal(s.model.bodies, s.model.points, s.model.modal, s.state, s.work.points, s.work.modal, s.out)


@kernel
def finish(s: Step) -> None:
    """FINISH: orthonormal bases of free frames."""
    s.work.basis_error[0] = max(s.work.basis_error[0], orthonormalise_frames(s.model.bodies, s.model.modal, s.state))


def _bodies_of_modes(compiled: CompiledScene) -> np.ndarray:
    """Index of the modal body of each mode."""
    return np.repeat(np.arange(len(compiled.modal)), np.diff(compiled.model.modal.first_mode))


FRAMES = Part(
    "frames of modal bodies",
    is_in=lambda model, inputs: False,  # the modes move them
    meets_bodies=False,
    section=StateSection(
        lambda model: changed_by_forces(len(model.modal.mass)),
        lambda compiled, number: list(compiled.modal)[number // BODY_SIZE],
    ),
)
PART = Part(
    "modal",
    compile=compile_modal,
    work=lambda model: {"modal": make_modal_work(model.modal)},
    section=StateSection(
        lambda model: np.repeat([False, True], len(model.modal.damping)),
        lambda compiled, number: list(compiled.modal)[np.tile(_bodies_of_modes(compiled), 2)[number]],
        "modal",
    ),
    start=lambda draft, model, state: reduce_to_modes(model, state),
    is_in=lambda model, inputs: len(model.modal.mass) > 0,
    meets_bodies=False,
    reduce=(reduce,),
    laws={"modes": forces},
    project=(project,),
    finish=(finish,),
    shown={},
)
DAMPED = Part(
    "modal damping of points",
    work=lambda model: {"damped": make_modal_work(model.damped)},
    is_in=lambda model, inputs: len(model.damped.mass) > 0,
    meets_bodies=False,
    laws={"modal_damping": damping_of_points},
)
