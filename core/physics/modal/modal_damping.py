"""Damping of modes: F = -C X' on each amplitude, C = 2 h w M (Kobayashi and others)."""

from __future__ import annotations

import numpy as np

from core.engine.ledger import DAMPING
from core.jit.kernel import kernel
from core.physics.modal.arrays import Modal, ModalWork


@kernel
def damping_force(damping: float, rate: float) -> float:
    """F = -C X' [N/sqrt(kg)] of a mode with unit modal mass."""
    return -damping * rate


@kernel
def add_modal_damping(modal: Modal, modal_work: ModalWork, power: np.ndarray) -> None:
    for a in range(len(modal.damping)):
        force = damping_force(modal.damping[a], modal_work.amplitude_rate[a])
        modal_work.modal_force[a] += force
        power[DAMPING] += force * modal_work.amplitude_rate[a]
