"""One frame of the main window: from the newest snapshot of the simulation to the view, the docks and the numbers."""

from __future__ import annotations

import time
from typing import Protocol

from polhode.simulation.snapshot import Snapshot
from polhode_app.interactors.camera import CameraController
from polhode_app.interactors.grab import GrabTool
from polhode_app.interactors.selection import SelectionTool
from polhode_app.messages import FrameData
from polhode_app.panels.accessible_window import AccessibleWindow
from polhode_app.panels.capture.film_renderer import FilmRenderer
from polhode_app.panels.capture.recording_bar import RecordingActions
from polhode_app.panels.crash_recovery import CrashRecovery
from polhode_app.panels.dialogs import Dialogs
from polhode_app.panels.equilibria.equilibria_panel import EquilibriaPanel
from polhode_app.panels.maps.maps_panel import MapsPanel
from polhode_app.panels.measured.measured_panel import MeasuredPanel
from polhode_app.panels.modes.modes_panel import ModesPanel
from polhode_app.panels.notices.picture_monitor import PictureMonitor
from polhode_app.panels.notices.run_monitor import RunMonitor
from polhode_app.panels.notices.step_monitor import StepMonitor
from polhode_app.panels.paths.path_panel import PathPanel
from polhode_app.panels.plots.plot_panel import PlotPanel
from polhode_app.panels.sensor.sensor_panel import SensorPanel
from polhode_app.panels.shell.status_bar import StatusBar
from polhode_app.panels.shell.transport_bar import TransportBar
from polhode_app.panels.story.story_panel import StoryPanel
from polhode_app.panels.widgets.view_recorder import ViewRecorder
from polhode_app.session.session import Session
from polhode_app.viewport.driven_redraw import DrivenRedraw
from polhode_app.viewport.view import SceneView

NUMBERS_INTERVAL = 0.1  # [s] between two updates of the numbers: faster changes are illegible


class FrameComponents(Protocol):
    """Components of the window that a frame updates."""

    session: Session
    scene_view: SceneView
    status: StatusBar
    transport: TransportBar
    run_monitor: RunMonitor
    step_monitor: StepMonitor
    picture_monitor: PictureMonitor
    story: StoryPanel
    dialogs: Dialogs
    crash_recovery: CrashRecovery
    recording_actions: RecordingActions
    view_recorder: ViewRecorder
    film_renderer: FilmRenderer
    camera_controller: CameraController
    selection_tool: SelectionTool
    grab_tool: GrabTool
    driven_redraw: DrivenRedraw
    modes: ModesPanel
    equilibria: EquilibriaPanel
    paths: PathPanel
    plots: PlotPanel
    maps: MapsPanel
    measured: MeasuredPanel
    sensor: SensorPanel
    accessible: AccessibleWindow


class FrameUpdate:
    """Updates the components of a window once per frame.

    The view calls `update` in the GUI thread. The simulation runs in another thread, which is never waited for: a frame
    without a new snapshot only continues animations and unfinished builds.
    """

    def __init__(self, window: FrameComponents):
        self._window = window
        self._snapshot: Snapshot | None = None  # that the view shows
        self._numbers_updated_at = 0.0  # [s] perf_counter

    def update(self) -> bool:
        """Update all components; returns whether the view must be rendered."""
        window, now = self._window, time.perf_counter()
        if not window.scene_view.is_built:
            window.scene_view.continue_build()
            return False
        window.session.process_events()
        window.crash_recovery.tick(now)
        if not window.scene_view.is_built:  # the events have changed the scene
            return False
        window.grab_tool.tick()
        window.session.set_forces_by_law(window.scene_view.needs_forces)
        window.view_recorder.poll()
        frame = window.session.moment  # before the others: what comes later belongs to the next frame
        passed = window.session.new_frames()
        frame = passed[-1] if passed else frame
        window.film_renderer.poll(passed)
        window.plots.tick(now, passed)
        window.maps.tick(now, passed)
        window.measured.tick()
        window.sensor.tick(now)
        window.paths.tick()
        window.accessible.tick(now, frame)
        marked = window.camera_controller.tick(now, frame)
        if frame is None:
            return window.selection_tool.tick() or marked
        self._update_numbers(frame, now)
        if frame.snapshot is self._snapshot:
            previewed = window.modes.tick(now) | window.equilibria.tick(now)
            return previewed | window.scene_view.catch_up() | window.selection_tool.tick(frame) | marked
        self._update_view(frame, passed, now)
        window.selection_tool.tick(frame)  # it outlines what is drawn
        return True

    def _update_numbers(self, frame: FrameData, now: float) -> None:
        """Update the numbers of the bars at intervals of NUMBERS_INTERVAL; `now` is a time [s] of perf_counter."""
        if now - self._numbers_updated_at > NUMBERS_INTERVAL:
            self._numbers_updated_at = now
            self._window.status.show_frame(frame)
            self._window.transport.show_frame(frame)
            self._window.recording_actions.update(frame)
            self._window.run_monitor.update(frame, now)
            self._window.step_monitor.update(frame, now)
            self._window.picture_monitor.update(frame, now)
            self._window.story.update()
            self._window.dialogs.tour.update(frame)

    def _update_view(self, frame: FrameData, passed: list[FrameData], now: float) -> None:
        """Show a new snapshot; the other frames that have `passed` only extend the trails."""
        window = self._window
        self._snapshot = frame.snapshot
        for other in passed:
            if other is not frame:
                window.scene_view.follow(other.snapshot, other.ghosts)
        window.scene_view.update(frame.snapshot, frame.ghosts, reach=False)  # the widget does that
        window.driven_redraw.update(frame, now)
        window.modes.tick(now)
        window.equilibria.tick(now)
