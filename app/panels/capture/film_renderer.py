"""Pictures and films as a person wishes them: the dialogs, what they ask of the window, and the film that is made."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import tomlkit
from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer

from app.environment import LANGUAGE, PROGRESS
from app.export.camera_path import CameraKey, key_of
from app.i18n.language import language
from app.i18n.translation import translate_error
from app.messages import FrameData
from app.panels.capture.render_dialog import RenderDialog, RenderOptions
from app.panels.plots.plot_panel import PlotPanel
from app.panels.shell.window_context import WindowContext
from app.panels.widgets.toast import FilmBar
from app.session.new_file import new_file
from app.viewport.base.picture import part_of, save
from core.recording.scene_bundle import bundle_scene
from core.recording.unpacking import unpack
from core.scene.problem import InputError
from core.scene.scene_file import scene_text
from core.simulation.snapshot import Snapshot

TRAIL_TIME = 4.0  # [s] of trails in a picture
TRAIL_NUMBERS = 2**23  # of the moments that are kept for them
AFTER_END = (300, 1000, 3000)  # [ms]
DEFAULT_DURATION = 10.0  # [s] of a film of a scene
PACKAGE_ROOT = Path(__file__).parents[3]  # where the program is imported from


@dataclass
class RenderJob:
    """A film on its way."""

    process: QProcess
    options: RenderOptions
    folder: tempfile.TemporaryDirectory  # what it is made from
    started: float  # [s] wall time
    progress: float = 0.0  # that is written


class FilmRenderer(QObject):
    """One film at a time is made by another process, so that neither the view nor the physics waits for it."""

    def __init__(self, context: WindowContext, plots: PlotPanel):
        super().__init__(context.window)
        self._context, self._plots = context, plots
        self._trail: deque[tuple[Snapshot, tuple[Snapshot | None, ...]]] = deque()
        self._scene: object = None
        self.dialog: RenderDialog | None = None
        self.job: RenderJob | None = None
        self.bar = FilmBar(context.view)
        self.bar.cancel.connect(self.cancel)
        context.actions["picture_as"].triggered.connect(lambda: self.ask_picture())
        context.actions["film_as"].triggered.connect(lambda: self.ask_film())

    def retranslate(self) -> None:
        """Set the texts of the bar in the current language."""
        self.bar.retranslate()
        if self.job is not None:
            self._update_bar(self.job)

    def poll(self, passed: list[FrameData]) -> None:
        """Moments since the last frame: pictures have their trails."""
        for moment in passed:
            now = moment.snapshot
            if moment.scene is not self._scene or (self._trail and now.time < self._trail[-1][0].time):
                self._trail.clear()
            self._scene = moment.scene
            self._trail.append((now, moment.ghosts))
        most = max(1, TRAIL_NUMBERS // max(1, len(self._trail[-1][0].numbers))) if self._trail else 1
        while len(self._trail) > most or self._trail_duration() > TRAIL_TIME:
            self._trail.popleft()

    def _trail_duration(self) -> float:
        """Simulated time [s] between the oldest and the newest snapshot of the trail."""
        return self._trail[-1][0].time - self._trail[0][0].time if self._trail else 0.0

    def metadata(self) -> dict[str, str]:
        """What the current picture knows of itself."""
        document = self._context.session.document
        about = {"Title": document.scene.title}
        if self._trail:
            about["Simulated time"] = f"{self._trail[-1][0].time!r} s"
        return about | ({"Scene": document.path.name} if document.path is not None else {})

    # Pictures

    def ask_picture(self) -> None:
        """A dialog about a picture of the view."""
        self._open_dialog(RenderDialog(self._context.window, self._view_size(), self._new_file("png")))
        self.dialog.requested.connect(self.render_picture)

    def _new_file(self, ending: str) -> Path:
        return new_file(ending, self._context.session.document.path)

    def _view_size(self) -> tuple[int, int]:
        width, height = self._context.view.plotter.render_window.GetSize()
        return width, height

    def _open_dialog(self, dialog: RenderDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def render_picture(self, options: RenderOptions) -> None:
        """Take the picture."""
        from app.export.still import (  # it brings the compiler, for which the window does not wait
            PlotData,
            render_still,
        )

        context, session = self._context, self._context.session
        if not self._trail or session.meshes is None:
            return
        dock, plotted = self._plots.dock, None
        if options.plots and dock is not None:
            units = dock.plotted_units
            plotted = PlotData(units, dock.history.times, dock.history.table([*units]))
        view = context.scene_view
        looks = view.theme_name, view.visible, view.sizes
        camera = context.view.plotter.renderer.GetActiveCamera()
        frame = render_still(
            session.document.scene,
            session.built,
            session.meshes,
            [*self._trail],
            camera,
            looks,
            options.size,
            options.transparent,
            options.clock,
            plotted,
        )
        try:
            save(frame, options.path, self.metadata())
        except (InputError, OSError) as error:
            context.toast.show_message(translate_error(error), 20.0)
            return
        context.toast.show_file_saved(self.tr("Picture saved: {path}"), options.path)

    # Films

    def ask_film(self) -> None:
        """A dialog about a film of the recording that is shown, or of the scene from its start."""
        if self.job is not None:
            self._context.toast.show_message(self.tr("A film is being rendered already"))
            return
        replay = self._context.session.replay
        span = (float(replay.times[0]), replay.until) if replay is not None else (0.0, DEFAULT_DURATION)
        path = self._new_file("mp4")
        self._open_dialog(RenderDialog(self._context.window, self._view_size(), path, span, self._camera_key))
        self.dialog.requested.connect(self.render_film)

    def _camera_key(self, at: float) -> CameraKey:
        return key_of(self._context.view.plotter.renderer.GetActiveCamera(), at)

    def render_film(self, options: RenderOptions) -> None:
        """Begin to make the job."""
        folder = tempfile.TemporaryDirectory(prefix="polhode-")
        try:
            arguments = self._arguments(options, Path(folder.name))
        except InputError as error:
            self._context.toast.show_message(translate_error(error), 20.0)
            return
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert(PROGRESS, "1")
        environment.insert(LANGUAGE, language())
        paths = [str(PACKAGE_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment.insert("PYTHONPATH", os.pathsep.join(paths))
        process = QProcess()
        process.setProcessEnvironment(environment)
        self._watch(RenderJob(process, options, folder, time.perf_counter()))
        process.start(sys.executable, arguments)

    def _watch(self, job: RenderJob) -> None:
        """Show how far it is, and say when it is there."""
        self.job = job
        job.process.setParent(self)
        job.process.finished.connect(self._on_finished)
        job.process.errorOccurred.connect(self._on_error)
        job.process.readyReadStandardOutput.connect(self._on_output)
        self._update_bar(job)

    def _arguments(self, options: RenderOptions, folder: Path) -> list[str]:
        """The command that makes it. Raises InputError for a mesh that can't be read any more."""
        context, replay = self._context, self._context.session.replay
        source = folder / "scene.toml"
        if replay is None:
            bundle = bundle_scene(context.session.document.scene)
            source.write_text(scene_text(bundle.scene), encoding="utf-8")
            unpack(bundle.files, folder, str(source))
        keys = tomlkit.dumps(
            {"key": [{"time": k.time, "position": k.position, "look_at": k.look_at, "up": k.up} for k in options.keys]}
        )
        (folder / "keys.toml").write_text(keys, encoding="utf-8")
        options = {
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
        command = ["-m", "app", "render", str(source if replay is None else replay.path)]
        command += [str(word) for option in options.items() for word in option]
        command += ["--clock"] if options.clock else []
        dock = self._plots.dock
        command += [w for name in (dock.plotted_units if options.plots and dock else ()) for w in ("--plot", name)]
        command += [w for name, size in context.scene_view.sizes.items() for w in ("--arrows", f"{name}={size:g}")]
        return command + [
            w for name, on in context.scene_view.visible.items() for w in ("--show" if on else "--hide", name)
        ]

    def _on_output(self) -> None:
        """How far it is."""
        job = self.job
        lines = bytes(job.process.readAllStandardOutput().data()).split() if job is not None else []
        if job is not None and lines:
            job.progress = float(lines[-1])
            self._update_bar(job)

    def _update_bar(self, job: RenderJob) -> None:
        options, progress = job.options, job.progress
        left = (time.perf_counter() - job.started) * (1 - progress) / progress if progress else None
        self.bar.show_writing((options.until - options.begin) / options.speed * progress, progress, left)

    def _on_finished(self, status: int) -> None:
        job = self.job
        if job is None:
            return
        said = bytes(job.process.readAllStandardError().data()).decode(errors="replace").strip()  # in our language
        self._clean_up(job)
        if status == 0:
            self._context.toast.show_file_saved(self.tr("Video saved: {path}"), job.options.path)
        else:
            text = self.tr("The video could not be written: {reason}")
            self._context.toast.show_message(text.format(reason=said.split("\n")[-1] or status), 20.0)

    def _on_error(self) -> None:
        if self.job is not None and self.job.process.state() == QProcess.ProcessState.NotRunning:
            self._on_finished(1)

    def cancel(self) -> None:
        """End the job, and leave no file of it."""
        job, self.job = self.job, None
        if job is None:
            return
        job.process.kill()
        job.process.waitForFinished(5000)
        part = part_of(job.options.path)
        for later in AFTER_END:  # an encoder that was just starting begins its file, and then ends
            QTimer.singleShot(later, self, lambda: self.job or part.unlink(missing_ok=True))
        part.unlink(missing_ok=True)
        self._clean_up(job)
        self._context.toast.show_message(self.tr("Recording cancelled, no file was kept"))

    def _clean_up(self, job: RenderJob) -> None:
        self.job = None
        self.bar.hide()
        job.folder.cleanup()

    def close(self) -> None:
        """The window closes: a film that is not whole is none."""
        self.cancel()
