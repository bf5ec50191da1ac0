"""One frame of the main window: from the newest snapshot of the simulation to the view, the docks and the numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence

from polhode.simulation.snapshot import Snapshot
from polhode_app.interactors.camera import CameraController
from polhode_app.interactors.grab import GrabTool
from polhode_app.interactors.selection import SelectionTool
from polhode_app.messages import FrameData, SetForcesByLaw
from polhode_app.viewport.driven_redraw import DrivenRedraw
from polhode_app.window.shell.window_context import WindowContext

NUMBERS_INTERVAL = 0.1  # [s] between two updates of the numbers: faster changes are illegible


class FrameUpdate:
    """Updates the parts of a window once per frame.

    The view calls `update` in the GUI thread. The simulation runs in another thread, which is never waited for: a frame
    without a new snapshot only continues animations and unfinished builds.
    """

    def __init__(self, context: WindowContext, grab: GrabTool, camera: CameraController, selection: SelectionTool):
        self._context, self._session, self._scene_view = context, context.session, context.scene_view
        self._grab_tool, self._camera, self._selection_tool = grab, camera, selection
        self._driven_redraw = DrivenRedraw(context.scene_view)
        self._snapshot: Snapshot | None = None  # that the view shows
        self._numbers_updated_at = 0.0  # [s] perf_counter
        self._has_forces = False  # frames have the forces separated by law

    def update(self) -> bool:
        """Update all parts; returns whether the view must be rendered."""
        session, view, now = self._session, self._scene_view, time.perf_counter()
        if not view.is_built:
            view.continue_build()
            return False
        session.process_events()
        if not view.is_built:  # the events have changed the scene
            return False
        self._grab_tool.tick()  # before the newest frame is taken, so that the run follows the pointer soon
        if view.needs_forces != self._has_forces:
            self._has_forces = view.needs_forces
            session.send(SetForcesByLaw(self._has_forces))
        frame = session.frame  # before the others: what comes later belongs to the next frame
        passed = session.new_frames()
        frame = passed[-1] if passed else frame
        changed = self._camera.tick(now, frame)  # it follows an item in the frame that is drawn next
        if frame is not None:
            changed |= self._draw(frame, passed, now)
        for part in self._context.parts:  # after the view: previews in docks change what it has drawn
            changed |= part.tick(now, passed)
        if frame is not None and now - self._numbers_updated_at > NUMBERS_INTERVAL:
            self._numbers_updated_at = now
            for part in self._context.parts:
                part.show_frame(frame, now)
        return self._selection_tool.tick(frame) | changed  # last: it outlines what is drawn

    def _draw(self, frame: FrameData, passed: Sequence[FrameData], now: float) -> bool:
        """Show a new snapshot, or continue the view of the last one; returns whether the view has changed.

        The other frames that have `passed` only extend the trails. `now` is a time [s] of perf_counter.
        """
        if frame.snapshot is self._snapshot:
            return self._scene_view.catch_up()
        self._snapshot = frame.snapshot
        for other in passed:
            if other is not frame:
                self._scene_view.follow(other.snapshot, other.ghosts)
        self._scene_view.update(frame.snapshot, frame.ghosts, reach=False)  # the widget does that
        self._driven_redraw.update(frame, now)
        return True
