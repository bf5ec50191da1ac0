"""Damping of modes: F_a = -C_a X_a', C_a = 2 h_a w_a M_a (Kobayashi, after eq. 3.10).

In physical coordinates that is the damping matrix c = Phi^-T C Phi^-1. Its power -C X'^2 goes to the ledger's line
DAMPING.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DAMPING
from polhode.jit.kernel import kernel
from polhode.physics.modal.arrays import Modal, ModalWork


@kernel
def damping_force(damping: float, rate: float) -> float:
    """F = -C X' [N/sqrt(kg)] of a mode with unit modal mass; C [1/s], X' [m sqrt(kg)/s]."""
    return -damping * rate


@kernel
def add_modal_damping(modal: Modal, modal_work: ModalWork, power: np.ndarray) -> None:
    """LAW: add the damping forces to modal_work.modal_force, and their power [W] to power[DAMPING].

    X_a' is read as written by REDUCE.
    """
    for a in range(len(modal.damping)):
        force = damping_force(modal.damping[a], modal_work.amplitude_rate[a])
        modal_work.modal_force[a] += force
        power[DAMPING] += force * modal_work.amplitude_rate[a]
