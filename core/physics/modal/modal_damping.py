"""Damping of modes: F = -C X' on each amplitude, C = 2 h w M (Kobayashi and others)."""

from __future__ import annotations

from core.engine.ledger import DAMPING
from core.engine.model import Model, Work
from core.jit.kernel import kernel


@kernel
def damping_force(damping: float, rate: float) -> float:
    """F = -C X' [N/sqrt(kg)] of a mode with unit modal mass."""
    return -damping * rate


@kernel
def add_modal_damping(model: Model, work: Work) -> None:
    for a in range(len(model.modal.damping)):
        force = damping_force(model.modal.damping[a], work.modal.amplitude_rate[a])
        work.modal.modal_force[a] += force
        work.power[DAMPING] += force * work.modal.amplitude_rate[a]
