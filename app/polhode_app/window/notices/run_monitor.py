"""Notices about runs that their picture does not explain, with remedies."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import Any

from PySide6.QtCore import QObject

from polhode.scene.fields import at, parse_path
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import named
from polhode_app.i18n.translation import capitalized, translate
from polhode_app.interactors.camera import CameraController
from polhode_app.messages import FrameData
from polhode_app.session.run_health import (
    Behind,
    Condition,
    FarAway,
    LongStep,
    RunHealth,
    Sunk,
    Surroundings,
    falling_reach,
)
from polhode_app.session.session import SPEEDS
from polhode_app.window.notices.notice import Notice
from polhode_app.window.notices.steps import MS, changes_motion, step_remedies
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

RECENT = 10.0  # [s] wall time for which an edit may be the reason why an item is lost
FAR, VERY_FAR = 1e3, 1e6  # [m]
STATED = (".breaks_at", ".breaks_at_strain", ".modes")
"""Ends of the locations of problems that a scene may ask for."""
STEP = "solver.time_step"  # location of problems with the time step


def is_stated(scene: Scene, path: str) -> bool:
    """Whether a scene states what a warning is about: what breaks, or what becomes of modes that buckle."""
    if not path.endswith(STATED):
        return False
    try:
        part = at(scene, parse_path(path)[:2])
    except (LookupError, AttributeError):
        return False  # the scene has changed meanwhile
    fields = {"breaks_at", "breaks_at_strain", "unstable_modes"} & part.model_fields_set
    return any(getattr(part, field) is not None for field in fields)


def distance_text(distance: float) -> str:
    """A distance [m] as text without unit, of three digits; thousands are written out: 1,080."""
    if FAR <= distance < VERY_FAR:
        return f"{float(f'{distance:.3g}'):,.0f}"
    return f"{distance:.3g}"


class RunMonitor(QObject, WindowPart):
    """Says why a run stands still, is slow, or has left the picture, each once until it ends.

    `show_frame` is called for frames; the condition itself is found by RunHealth.
    """

    def __init__(self, context: WindowContext, camera: CameraController):
        """Follow the session of the window."""
        super().__init__(context.toast)
        self._camera = camera
        self._session, self._toast, self._scene_view = context.session, context.toast, context.scene_view
        self._status = context.status
        self._undo = context.actions["undo"].trigger
        self._edited, self._wall = -inf, 0.0  # [s] wall time of the newest edit of the motion, and of the last frame
        self._health = RunHealth()
        self._told: set[type[Condition]] = set()  # kinds of conditions of this run that were shown
        self._condition: Condition | None = None
        self._notice = Notice(context.toast)
        self._offer = Notice(context.toast)  # to return to the moment of an edit that was undone
        self._time = 0.0  # [s] simulated, of the last frame
        self._is_halted = False  # the run was paused by an error
        self._session.scene_changed.connect(self._on_scene_changed)
        self._session.undone.connect(self._on_undone)
        self._session.halted.connect(lambda _event: self._set_halted(True))
        self._session.transport_changed.connect(lambda: self._set_halted(False) if self._session.running else None)

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Look at a frame, at a wall time [s]; a run that was rewound is a new one."""
        stage, compiled = self._scene_view.stage, self._session.compiled
        if stage is None or compiled is None or self._session.is_pending:
            return
        if frame.snapshot.time < self._time:
            self._told.clear()
        self._time, self._wall = frame.snapshot.time, wall
        around = Surroundings(stage.center, stage.radius, compiled.points, falling_reach(compiled))
        condition = self._health.look(frame, self._session.speed, around, wall)
        if condition is None:
            if self._condition is not None:
                self._notice.withdraw()
        elif type(condition) not in self._told:
            self._told.add(type(condition))
            self._notice.show(lambda: self._show_condition(condition))
        self._condition = condition

    def retranslate(self) -> None:
        """Show the current notice in the current language, if it is visible."""
        self._notice.retranslate()
        self._offer.retranslate()

    def show_warning(self, problem: Problem) -> None:
        """Show a warning of the run; one about its time step with better steps, one whose remedy is values with them.

        What the scene states itself, such as the force at which a joint breaks, only goes to the log and the status
        bar.
        """
        if is_stated(self._session.scene, problem.place):
            text = capitalized(translate(problem.rule))
            self._toast.message_shown.emit(text)
            self._status.show_text(text)
            return
        remedies = dict(step_remedies(self._session)) if problem.place == STEP else {}
        if problem.values:
            scene = self._session.scene
            remedies[self.tr("Apply")] = lambda: self._apply(scene, dict(problem.values))
        self._notice.show(lambda: self._toast.show_warning(problem, remedies))

    def _apply(self, scene: Scene, values: dict[str, Any]) -> None:
        """Follow the remedy of a warning about a scene, from its start, unless it was edited: paths may differ then."""
        if self._session.scene is scene:
            self._session.edit(scene.with_values(values), restart=True)

    def _on_scene_changed(self, _document: object) -> None:
        """An edited scene is another run: its conditions are shown again, and that of the run before is over."""
        self._told.clear()
        if self._condition is not None:
            self._condition = None
            self._notice.withdraw()
        self._offer.withdraw()
        if not self._session.diff.is_edit:
            self._edited = -inf
        elif changes_motion(self._session.diff):
            self._edited = time.perf_counter()

    def _show_condition(self, condition: Condition) -> None:
        """Show a condition with its remedies."""
        match condition:
            case FarAway(name, distance):
                text = self.tr("'{name}' is {distance} m away from the scene, out of the picture.")
                text = text.format(name=named(name), distance=distance_text(distance))
                self._notice.message(text, self._ways_back(name))
            case Sunk(name, wall):
                text = self.tr("'{name}' has sunk into '{wall}': it is pressed harder than its contact can bear.")
                self._notice.message(text.format(name=named(name), wall=named(wall)), self._ways_back(name))
            case Behind(factor, speed):
                text = self.tr("The run reaches {factor} × real time instead of {speed} ×: its steps take too long.")
                self._notice.message(text.format(factor=f"{factor:.2g}", speed=f"{speed:g}"), self._faster(factor))
            case LongStep(step, wait):
                text = self.tr("A step of {step} ms takes {wait} s at this speed, so the picture moves in jumps.")
                text = text.format(step=f"{step * MS:g}", wait=f"{wait:.2g}")
                self._notice.message(text, step_remedies(self._session) or self._faster(inf))

    def _ways_back(self, name: str) -> dict[str, Callable[[], None]]:
        """Remedies for an item that is lost. An edit is to blame only if the run went on from it a moment ago."""
        found = {self.tr("Show it"): lambda: self._camera.show_item(name)}
        if self._session.newest.undo and self._wall - self._edited < RECENT:
            found[self.tr("Undo the last edit")] = self._undo
        found[self.tr("Reset")] = self._session.reset
        return found

    def _faster(self, factor: float) -> dict[str, Callable[[], None]]:
        """Remedies for a run whose measured speed is `factor`: a longer step, or a speed that is reached."""
        found = step_remedies(self._session, longer=True)
        reached = [speed for speed in SPEEDS if speed <= factor]
        if reached and reached[-1] < self._session.speed:
            text = self.tr("Speed × {speed}").format(speed=f"{reached[-1]:g}")
            found[text] = lambda: self._session.set_speed(reached[-1])
        elif factor == inf and self._session.speed < 1.0:
            found[self.tr("Speed × {speed}").format(speed="1")] = lambda: self._session.set_speed(1.0)
        return found

    def _on_undone(self, time: float) -> None:
        """Offer to return to the moment of an edit that was undone, at a simulated time [s], if it was before.

        A run that the edit has halted may stand at that time, with a state that is lost.
        """
        if changes_motion(self._session.diff) and (self._time > time or self._is_halted):
            self._told.add(FarAway)  # what was lost by the edit comes back by the return
            self._offer.show(lambda: self._show_return(time))

    def _set_halted(self, on: bool) -> None:
        """Note whether an error has paused the run."""
        self._is_halted = on

    def _show_return(self, time: float) -> None:
        """Show the offer to return to a simulated time [s]."""
        text = self.tr("The edit is undone; the motion continues from its present state.")
        button = self.tr("Return to {time} s, when it was made").format(time=f"{time:.4g}")
        self._offer.message(text, {button: lambda: self._return_to(time)})

    def _return_to(self, time: float) -> None:
        """Return to a simulated time [s], and run on from there."""
        self._session.seek(time)
        self._session.play(True)
