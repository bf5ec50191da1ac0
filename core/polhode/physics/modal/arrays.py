"""Constants, state and scratch arrays of soft bodies in modal coordinates.

Amplitudes X_a are in m sqrt(kg), since the shapes phi_a have unit modal mass: sum m phi_a.phi_a = 1. So M_a = 1
throughout.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import view
from polhode.jit.kernel_struct import KernelStruct, rows_within
from polhode.physics.bodies.arrays import BODY_SIZE, Bodies


class Modal(KernelStruct):
    """Soft bodies in modal coordinates, relative to a frame, which is free where no point is fixed. Constant.

    Also bodies that move point by point, with the modes that are damped; these have no section of the state.

    The modes of body s are first_mode[s] ... first_mode[s + 1] - 1, with unit modal mass. Frames are rows of the state
    after the bodies: position of the centre of mass, momentum and so on, as of a rigid body.
    """

    is_free: np.ndarray
    """(s,) bool: no point is fixed, so the frame moves with the body; else it is the laboratory."""
    mass: np.ndarray
    """(s,) [kg] total mass."""
    first: np.ndarray
    """(s,) int64 index of its first point."""
    stop: np.ndarray
    """(s,) int64 index after its last point."""
    first_mode: np.ndarray
    """(s + 1,) int64 index of the first mode of each body, and the number of modes."""
    first_shape: np.ndarray
    """(s,) int64 index of its shapes in `shapes`."""
    shapes: np.ndarray
    """flat: for each body (modes, 3, points) [1/sqrt(kg)], frame components."""
    rest: np.ndarray
    """(3, p) [m] rest positions s in the frame, x, y, z of all points; (3, 0) where no body is modal."""
    damping: np.ndarray
    """(k,) [1/s] C/M = 2 h w of each mode, h its damping ratio."""
    at: int = 0
    """Index of the amplitudes in the state; their momenta Pi_a follow."""


class ModalWork(KernelStruct):
    """Scratch of modal bodies, in components of their frames unless stated otherwise."""

    displacement: np.ndarray
    """(3, p) [m] positions q of the points in the frame, written by REDUCE; (3, 0) where no body is modal."""
    displacement_rate: np.ndarray
    """(3, p) [m/s] velocities omega x q + dq/dt of the points relative to the frame's origin, written by REDUCE."""
    local_force: np.ndarray
    """(3, p) [N] on points, frame rotation included; cleared by REDUCE, added to by LAW and PROJECT."""
    coupling: np.ndarray
    """(k, 3) [m sqrt(kg)] c_a, angular momentum per rate of an amplitude, written by REDUCE; 0 without a free frame."""
    amplitude_rate: np.ndarray
    """(k,) [m sqrt(kg)/s] X_a', written by REDUCE."""
    modal_force: np.ndarray
    """(k,) [N/sqrt(kg)] on modes, besides the forces on points; cleared by REDUCE, added to by LAW, read by PROJECT."""
    spin: np.ndarray
    """(s, 3) [rad/s] angular velocity of the frames, laboratory frame, written by REDUCE."""


def make_modal_work(modal: Modal) -> ModalWork:
    """Scratch arrays of the sizes that the modal bodies need; the points of other bodies have unused columns."""
    modes = len(modal.damping)
    shift, rate, force = (np.zeros(modal.rest.shape) for _ in range(3))
    spin = np.zeros((len(modal.mass), 3))
    return ModalWork(shift, rate, force, np.zeros((modes, 3)), np.zeros(modes), np.zeros(modes), spin)


def frame_states(bodies: Bodies, modal: Modal, state: np.ndarray) -> np.ndarray:
    """(s, 18) view of the frames of modal bodies in the state, after the bodies and with their layout; `state` (k,)."""
    first, count = BODY_SIZE * len(bodies.mass), len(modal.mass)
    return state[first : first + BODY_SIZE * count].reshape(count, BODY_SIZE)


def mode_states(modal: Modal, state: np.ndarray) -> np.ndarray:
    """(2, k) view of the modes in the state: amplitudes X_a [m sqrt(kg)] and their momenta Pi_a [m sqrt(kg)/s]."""
    count = len(modal.damping)
    return state[modal.at : modal.at + 2 * count].reshape(2, count)


@view
def mode_rows(modal: Modal, state: np.ndarray) -> np.ndarray:
    """(2, k) view of the amplitudes and momenta in a state or a rate, as `mode_states`, for kernels."""
    return rows_within(state, modal.at, 2, len(modal.damping))
