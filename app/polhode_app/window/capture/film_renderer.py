"""Pictures in any size, and films of scenes and recordings, rendered by options that the user sets in a dialog."""

from __future__ import annotations

import tempfile
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import tomlkit
from PySide6.QtCore import QObject

from polhode.scene.problem import InputError
from polhode.simulation.snapshot import Snapshot
from polhode_app.export.camera_path import CameraKey, key_of
from polhode_app.i18n.translation import translate_error
from polhode_app.messages import FrameData
from polhode_app.session.new_file import new_file
from polhode_app.viewport.base.picture import save
from polhode_app.window.capture.page_export import PageExport
from polhode_app.window.capture.render_dialog import RenderDialog, RenderOptions
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import CommandQueue, Order, scene_copy
from polhode_app.window.widgets.toast import FilmBar

TRAIL_TIME = 4.0  # [s] length of the trails of a picture
TRAIL_NUMBERS = 2**23  # limit of the memory for the trails, in numbers of 8 bytes
DEFAULT_DURATION = 10.0  # [s] length of a film of a scene


class FilmRenderer(QObject, WindowPart):
    """Opens the dialogs, renders pictures, and renders films in child processes, one after another.

    The process runs `python -m polhode_app render`, so that neither view nor simulation is slowed by it. Snapshots of
    the last TRAIL_TIME are kept to draw the trails of a picture.
    """

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self._trail: deque[tuple[Snapshot, tuple[Snapshot | None, ...]]] = deque()
        self._generation = 0  # of the scene of the trail
        self.dialog: RenderDialog | None = None
        self.films = CommandQueue(self)
        self.films.progressed.connect(self._update_bar)
        self.films.ended.connect(self._on_ended)
        self.bar = FilmBar(context.view)
        self.bar.cancel.connect(self.cancel)
        self.pages = PageExport(context)

    def retranslate(self) -> None:
        """Set the texts of the bar in the current language."""
        self.bar.retranslate()
        self._update_bar()

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Keep the snapshots of the frames since the last call.

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
        return False

    def _trail_duration(self) -> float:
        """Simulated time [s] between the oldest and the newest snapshot of the trail."""
        return self._trail[-1][0].time - self._trail[0][0].time if self._trail else 0.0

    def metadata(self) -> dict[str, str]:
        """Texts stored in a picture: title, simulated time, file of the scene."""
        document, frame = self._context.session.document, self._context.session.frame
        about = {"Title": document.scene.title}
        if frame is not None:
            about["Simulated time"] = f"{frame.snapshot.time!r} s"
        return about | ({"Scene": document.path.name} if document.path is not None else {})

    # Pictures

    def ask_picture(self) -> None:
        """Open the dialog for a picture of the view."""
        self._open_dialog(RenderDialog(self._context.window, self._view_size(), self._new_file("png")))
        self.dialog.requested.connect(self.render_picture)

    def _new_file(self, ending: str) -> Path:
        """Path of a new file beside the scene."""
        return new_file(ending, self._context.session.document.path)

    def _view_size(self) -> tuple[int, int]:
        """Width and height of the view [pixel]."""
        width, height = self._context.view.plotter.render_window.GetSize()
        return width, height

    def _open_dialog(self, dialog: RenderDialog) -> None:
        """Open a dialog, which is deleted when it closes."""
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def render_picture(self, options: RenderOptions) -> None:
        """Render the current view in the requested size and save it."""
        from polhode_app.export.still import PlotData, render_still  # imported here, because it loads the compiler

        context, session = self._context, self._context.session
        frame = session.frame
        if frame is None or session.meshes is None:
            return
        trail = [*self._trail] or [(frame.snapshot, frame.ghosts)]  # empty before the first frame of the window
        dock, plotted = self._context.docks.dock("plots"), None
        if options.plots and dock is not None:
            units = dock.plotted_units
            plotted = PlotData(units, dock.history.times, dock.history.table([*units]))
        view = context.scene_view
        appearance = view.theme_name, view.visible, view.sizes
        camera = context.view.plotter.renderer.GetActiveCamera()
        picture = render_still(
            session.document.scene,
            session.compiled,
            session.meshes,
            trail,
            camera,
            appearance,
            options.size,
            options.transparent,
            options.clock,
            plotted,
        )
        try:
            save(picture, options.path, self.metadata())
        except (InputError, OSError) as error:
            context.toast.show_message(translate_error(error), 20.0)
            return
        context.toast.show_file_saved(self.tr("Picture saved: {path}"), options.path)

    # Films

    def ask_film(self) -> None:
        """Open the dialog for a film of the current replay, or of the scene from its start."""
        replay = self._context.session.replay
        span = (float(replay.times[0]), replay.until) if replay is not None else (0.0, DEFAULT_DURATION)
        path = self._new_file("mp4")
        self._open_dialog(RenderDialog(self._context.window, self._view_size(), path, span, self._camera_key))
        self.dialog.requested.connect(self.render_film)

    def _camera_key(self, at: float) -> CameraKey:
        """Current camera pose as a key at the time `at` [s] of the film."""
        return key_of(self._context.view.plotter.renderer.GetActiveCamera(), at)

    def render_film(self, options: RenderOptions) -> None:
        """Start to render a film in a child process."""
        try:
            folder = tempfile.TemporaryDirectory(prefix="polhode-")
            arguments = self._arguments(options, Path(folder.name))
        except (InputError, OSError) as error:
            self._context.toast.show_message(translate_error(error), 20.0)
            return
        self.films.add(Order(arguments, options.path, folder, options))

    def _arguments(self, options: RenderOptions, folder: Path) -> list[str]:
        """Command line of the process; scene and camera keys are written to `folder`.

        Raises InputError for a mesh that cannot be read any more.
        """
        context, replay = self._context, self._context.session.replay
        source = scene_copy(context.session.document.scene, folder) if replay is None else replay.path
        keys = tomlkit.dumps(
            {"key": [{"time": k.time, "position": k.position, "look_at": k.look_at, "up": k.up} for k in options.keys]}
        )
        (folder / "keys.toml").write_text(keys, encoding="utf-8")
        values = {
            "--until": options.until,
            "--out": options.path,
            "--size": f"{options.size[0]}x{options.size[1]}",
            "--fps": options.fps,
            "--speed": options.speed,
            "--from": options.begin,
            "--turn": options.turn,
            "--camera": folder / "keys.toml",
            "--theme": context.scene_view.theme_name,
        }
        command = ["render", str(source)]
        command += [str(word) for option in values.items() for word in option]
        command += ["--clock"] if options.clock else []
        dock = self._context.docks.dock("plots")
        command += [w for name in (dock.plotted_units if options.plots and dock else ()) for w in ("--plot", name)]
        command += [w for name, size in context.scene_view.sizes.items() for w in ("--arrows", f"{name}={size:g}")]
        return command + [
            w for name, on in context.scene_view.visible.items() for w in ("--show" if on else "--hide", name)
        ]

    def _update_bar(self) -> None:
        """Show the progress and the estimated remaining time of the film that is rendered, and what waits."""
        if not self.films.orders:
            self.bar.hide()
            return
        now, *later = self.films.orders
        options, progress = now.details, self.films.progress
        left = (time.perf_counter() - self.films.started) * (1 - progress) / progress if progress else None
        seconds = (options.until - options.begin) / options.speed * progress
        self.bar.show_writing(seconds, progress, left, [each.path.name for each in later])

    def _on_ended(self, film: Order, status: int, reason: str) -> None:
        """Report the result of the command by its exit status and its last message."""
        self._update_bar()
        if status == 0:
            self._context.toast.show_file_saved(self.tr("Video saved: {path}"), film.path)
        else:
            text = self.tr("The video could not be written: {reason}")
            self._context.toast.show_message(text.format(reason=reason or status), 20.0)

    def cancel(self) -> None:
        """Cancel the film that is rendered; waiting films follow."""
        if self.films.orders:
            self.films.cancel()
            self._context.toast.show_message(self.tr("Recording cancelled, no file was kept"))
            self._update_bar()

    def stop(self) -> None:
        """Cancel films and other exports."""
        self.films.close()
        self._context.exports.close()
