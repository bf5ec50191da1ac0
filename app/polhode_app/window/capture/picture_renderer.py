"""Pictures of the view in any size, rendered in parts between which the window answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QTimer
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.translation import translate_error
from polhode_app.jobs import Job
from polhode_app.messages import FrameData
from polhode_app.viewport.base.picture import check_target, save
from polhode_app.window.capture.render_dialog import RenderOptions
from polhode_app.window.shell.window_context import WindowContext

TRAIL_TIME = 4.0  # [s] length of the trails of a picture
TRAIL_NUMBERS = 2**23  # limit of the memory for the trails, in numbers of 8 bytes
PAUSE = 30  # [ms] between two parts: the window draws its message, and takes what the user does
SAVED = "saved"  # result of the job

Part = Generator[float, None, np.ndarray]


class PictureRenderer(QObject):
    """Renders the frame that is shown, with its trails, and saves it in a background thread.

    OpenGL renders in the thread of the window, where one frame of that size is the longest part; packing the file takes
    longer on most computers. Snapshots of the last TRAIL_TIME are kept to draw the trails.
    """

    def __init__(self, context: WindowContext, metadata: Callable[[], Mapping[str, str]]):
        """`metadata` returns the texts that are stored in a picture."""
        super().__init__(context.window)
        self._context, self._metadata = context, metadata
        self._trail: deque[tuple[Snapshot, tuple[Snapshot | None, ...]]] = deque()
        self._generation = 0  # of the scene of the trail
        self._parts: Part | None = None
        self._options: RenderOptions | None = None  # of the picture that is rendered or saved
        self._about: Mapping[str, str] = {}
        self._job = Job("picture", Message("the picture could not be saved"))

    @property
    def is_busy(self) -> bool:
        """Whether a picture is rendered or saved."""
        return self._options is not None

    def tick(self, passed: Sequence[FrameData]) -> None:
        """Keep the snapshots of the frames since the last call, and report a file that was saved.

        They are dropped when the scene changes or the time goes back, and limited to TRAIL_NUMBERS numbers.
        """
        for frame in passed:
            now = frame.snapshot
            if frame.generation != self._generation or (self._trail and now.time < self._trail[-1][0].time):
                self._trail.clear()
            self._generation = frame.generation
            self._trail.append((now, frame.ghosts))
        most = max(1, TRAIL_NUMBERS // max(1, len(self._trail[-1][0].numbers))) if self._trail else 1
        while len(self._trail) > most or self._trail_duration() > TRAIL_TIME:
            self._trail.popleft()
        if (result := self._job.poll()) is not None:
            self._report(result)

    def _trail_duration(self) -> float:
        """Simulated time [s] between the oldest and the newest snapshot of the trail."""
        return self._trail[-1][0].time - self._trail[0][0].time if self._trail else 0.0

    def start(self, options: RenderOptions) -> None:
        """Render the shown frame, in place of a picture that is not complete."""
        from polhode_app.export.still import Looks, PlotData, render_still  # imported here, as it loads the compiler

        context, session = self._context, self._context.session
        frame, view = session.frame, self._context.scene_view
        if frame is None or session.meshes is None or session.compiled is None:
            return
        self.cancel()
        try:
            check_target(options.path, (".png",))
        except InputError as error:
            context.toast.show_message(translate_error(error), 20.0)
            return
        trail = [*self._trail]
        if not trail or trail[-1][0] is not frame.snapshot:  # newer than the last tick
            trail.append((frame.snapshot, frame.ghosts))
        dock, plotted = context.docks.dock("plots"), None
        if options.plots and dock is not None:
            units = dock.plotted_units
            plotted = PlotData(units, dock.history.times, dock.history.table([*units]))
        camera = vtkCamera()
        camera.DeepCopy(context.view.plotter.renderer.GetActiveCamera())
        looks = Looks(
            view.theme_name,
            dict(view.visible),
            view.sizes,
            options.size,
            options.transparent,
            options.clock,
            options.plain,
        )
        scene, compiled, meshes = session.document.scene, session.compiled, session.meshes
        self._options, self._about = options, self._metadata()
        self._parts = render_still(scene, compiled, meshes, trail, camera, looks, plotted)
        self._show_progress(0.0)
        QTimer.singleShot(PAUSE, self, self._continue)

    def _continue(self) -> None:
        """Do the next part; the last one hands the picture to the thread that saves it."""
        if self._parts is None or self._options is None:  # cancelled
            return
        try:
            self._show_progress(next(self._parts))
        except StopIteration as end:
            self._parts = None
            picture, path, about = end.value, self._options.path, self._about
            self._show_progress(0.7)
            self._job.start(lambda _check: _saved(picture, path, about))
        except InputError as error:
            self._report(error)
        else:
            QTimer.singleShot(PAUSE, self, self._continue)

    def _show_progress(self, done: float) -> None:
        """Show the fraction that is done, with a button to cancel."""
        text = self.tr("Rendering the picture: {percent} %").format(percent=round(100 * done))
        self._context.toast.show_progress(text, self.tr("Cancel"), self.cancel)

    def _report(self, result: object) -> None:
        """Say where the picture is, or why there is none."""
        options, self._options, self._parts = self._options, None, None
        if isinstance(result, InputError | OSError):
            self._context.toast.show_message(translate_error(result), 20.0)
        elif options is not None:
            self._context.toast.show_file_saved(self.tr("Picture saved: {path}"), options.path)

    def cancel(self) -> None:
        """Leave a picture that is rendered or waits to be saved."""
        if self.is_busy:
            if self._parts is not None:
                self._parts.close()
            self._job.cancel()
            self._options = self._parts = None
            self._context.toast.dismiss()

    def stop(self) -> None:
        """Leave a picture that is rendered, and wait for one that is being written."""
        if self._parts is not None:
            self.cancel()
        self._job.wait()


def _saved(picture: np.ndarray, path: Path, about: Mapping[str, str]) -> object:
    """Save a picture; returns SAVED, or the OSError that prevented it. Raises InputError."""
    try:
        save(picture, path, about)
    except OSError as error:
        return error
    return SAVED
