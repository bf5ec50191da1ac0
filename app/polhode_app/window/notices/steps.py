"""The button that sets a better time step, and what notices ask of edits."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from polhode_app.edit.scene_diff import SceneDiff
from polhode_app.session.session import Session

MS = 1e3  # [ms/s]
WITHOUT_MOTION = ("title", "description", "view", "story", "sweep")  # parts of a scene that no motion depends on


def changes_motion(diff: SceneDiff) -> bool:
    """Whether an edit changes more than texts and the camera."""
    return not diff.is_only(*WITHOUT_MOTION)


def step_remedies(session: Session, longer: bool = False) -> dict[str, Callable[[], None]]:
    """Text and function of a button that sets the recommended step of the current method.

    Only a step that is known and shorter than the current one; with `longer` one that is longer.
    """
    solver, limits = session.scene.solver, session.limits
    if limits is None or not limits.hold_for(session.scene):
        return {}
    better = limits.accurate.get(solver.method)
    if better is None or not (better > solver.time_step if longer else better < solver.time_step):
        return {}
    return {_text("Step {step} ms (recommended)").format(step=f"{better * MS:g}"): lambda: session.set_step(better)}


def _text(text: str) -> str:
    """Translate a text of this module."""
    return QCoreApplication.translate("Steps", text)
