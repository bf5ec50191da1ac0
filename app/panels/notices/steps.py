"""Buttons that set a better time step, and what notices ask of edits."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from PySide6.QtCore import QCoreApplication

from app.edit.scene_diff import SceneDiff
from app.session.safe_step import safely_below
from app.session.session import Session

MS = 1e3  # [ms/s]
WITHOUT_MOTION = ("title", "description", "view", "story", "sweep")  # parts of a scene that no motion depends on


def changes_motion(diff: SceneDiff) -> bool:
    """Whether an edit changes more than texts and the camera."""
    return not diff.is_only(*WITHOUT_MOTION)


def step_remedies(session: Session, longer: bool = False) -> dict[str, Callable[[], None]]:
    """Texts and functions of buttons that set the accurate and the largest stable step of the current method.

    Only steps that are known and shorter than the current one; with `longer` the accurate one if it is longer.
    """
    solver, limits = session.scene.solver, session.limits
    if limits is None or not limits.hold_for(session.scene):
        return {}
    accurate, stable = limits.accurate.get(solver.method), limits.largest.get(solver.method, inf)
    found: dict[str, Callable[[], None]] = {}
    if accurate is not None and (accurate > solver.time_step if longer else accurate < solver.time_step):
        text = _text("Step {step} ms (accurate to 0.1 %)").format(step=f"{accurate * MS:g}")
        found[text] = lambda: session.set_step(accurate)
    if not longer and 0 < stable < inf and (step := safely_below(stable)) < solver.time_step:
        text = _text("Step {step} ms (stable)").format(step=f"{step * MS:g}")
        found[text] = lambda: session.set_step(step)
    return found


def _text(text: str) -> str:
    """Translate a text of this module."""
    return QCoreApplication.translate("Steps", text)
