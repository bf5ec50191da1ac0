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

PAST = 4.0  # [s] of trails in a picture
NUMBERS = 2**23  # of the moments that are kept for them
AFTER_END = (300, 1000, 3000)  # [ms]
USUAL = 10.0  # [s] of a film of a scene
HOME = Path(__file__).parents[3]  # where the program is imported from


@dataclass
class RenderJob:
    """A film on its way."""

    process: QProcess
    wish: RenderOptions
    folder: tempfile.TemporaryDirectory  # what it is made from
    begun: float  # [s] wall time
    share: float = 0.0  # that is written


class FilmRenderer(QObject):
    """One film at a time is made by another process, so that neither the view nor the physics waits for it."""

    def __init__(self, context: WindowContext, plots: PlotPanel):
        super().__init__(context.window)
        self._context, self._plots = context, plots
        self._past: deque[tuple[Snapshot, tuple[Snapshot | None, ...]]] = deque()
        self._generation = 0  # of the scene of these
        self.dialog: RenderDialog | None = None
        self._film: RenderJob | None = None
        self.bar = FilmBar(context.view)
        self.bar.cancel.connect(self.cancel)
        context.actions["picture_as"].triggered.connect(lambda: self.ask_picture())
        context.actions["film_as"].triggered.connect(lambda: self.ask_film())

    def retranslate(self) -> None:
        """Set the texts of the bar in the current language."""
        self.bar.retranslate()
        if self._film is not None:
            self._show(self._film)

    def poll(self, passed: list[FrameData]) -> None:
        """Moments since the last frame: pictures have their trails."""
        for moment in passed:
            now = moment.snapshot
            if moment.generation != self._generation or (self._past and now.time < self._past[-1][0].time):
                self._past.clear()
            self._generation = moment.generation
            self._past.append((now, moment.ghosts))
        most = max(1, NUMBERS // max(1, len(self._past[-1][0].numbers))) if self._past else 1
        while len(self._past) > most or (self._past and self._past[-1][0].time - self._past[0][0].time > PAST):
            self._past.popleft()

    def about(self) -> dict[str, str]:
        """What the current picture knows of itself."""
        document = self._context.session.document
        about = {"Title": document.scene.title}
        if self._past:
            about["Simulated time"] = f"{self._past[-1][0].time!r} s"
        return about | ({"Scene": document.path.name} if document.path is not None else {})

    # Pictures

    def ask_picture(self) -> None:
        """A dialog about a picture of the view."""
        self._ask(RenderDialog(self._context.window, self._view_size(), self._new_file("png")))
        self.dialog.wished.connect(self.take)

    def _new_file(self, ending: str) -> Path:
        return new_file(ending, self._context.session.document.path)

    def _view_size(self) -> tuple[int, int]:
        width, height = self._context.view.plotter.render_window.GetSize()
        return width, height

    def _ask(self, dialog: RenderDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take(self, wish: RenderOptions) -> None:
        """Take the picture."""
        from app.export.still import PlotData, portrait  # it brings the compiler, for which the window does not wait

        context, session = self._context, self._context.session
        if not self._past or session.meshes is None:
            return
        dock, plotted = self._plots.dock, None
        if wish.plots and dock is not None:
            units = dock.plotted_units
            plotted = PlotData(units, dock.history.times, dock.history.table([*units]))
        view = context.scene_view
        looks = view.theme_name, view.visible, view.sizes
        camera = context.view.plotter.renderer.GetActiveCamera()
        frame = portrait(
            session.document.scene,
            session.built,
            session.meshes,
            [*self._past],
            camera,
            looks,
            wish.size,
            wish.transparent,
            wish.clock,
            plotted,
        )
        try:
            save(frame, wish.path, self.about())
        except (InputError, OSError) as error:
            context.toast.show_message(translate_error(error), 20.0)
            return
        context.toast.tell_file(self.tr("Picture saved: {path}"), wish.path)

    # Films

    def ask_film(self) -> None:
        """A dialog about a film of the recording that is shown, or of the scene from its start."""
        if self._film is not None:
            self._context.toast.show_message(self.tr("A film is being rendered already"))
            return
        replay = self._context.session.replay
        span = (float(replay.times[0]), replay.until) if replay is not None else (0.0, USUAL)
        self._ask(RenderDialog(self._context.window, self._view_size(), self._new_file("mp4"), span, self._key))
        self.dialog.wished.connect(self.film)

    def _key(self, at: float) -> CameraKey:
        return key_of(self._context.view.plotter.renderer.GetActiveCamera(), at)

    def film(self, wish: RenderOptions) -> None:
        """Begin to make the film."""
        folder = tempfile.TemporaryDirectory(prefix="polhode-")
        try:
            arguments = self._arguments(wish, Path(folder.name))
        except InputError as error:
            self._context.toast.show_message(translate_error(error), 20.0)
            return
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert(PROGRESS, "1")
        environment.insert(LANGUAGE, language())
        paths = [str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment.insert("PYTHONPATH", os.pathsep.join(paths))
        process = QProcess()
        process.setProcessEnvironment(environment)
        self._attend(RenderJob(process, wish, folder, time.perf_counter()))
        process.start(sys.executable, arguments)

    def _attend(self, film: RenderJob) -> None:
        """Show how far it is, and say when it is there."""
        self._film = film
        film.process.setParent(self)
        film.process.finished.connect(self._ended)
        film.process.errorOccurred.connect(self._failed)
        film.process.readyReadStandardOutput.connect(self._hear)
        self._show(film)

    def _arguments(self, wish: RenderOptions, folder: Path) -> list[str]:
        """The command that makes it. Raises InputError for a mesh that can't be read any more."""
        context, replay = self._context, self._context.session.replay
        source = folder / "scene.toml"
        if replay is None:
            bundle = bundle_scene(context.session.document.scene)
            source.write_text(scene_text(bundle.scene), encoding="utf-8")
            unpack(bundle.files, folder, str(source))
        keys = tomlkit.dumps(
            {"key": [{"time": k.time, "position": k.position, "look_at": k.look_at, "up": k.up} for k in wish.keys]}
        )
        (folder / "keys.toml").write_text(keys, encoding="utf-8")
        options = {
            "--until": wish.until,
            "--out": wish.path,
            "--size": f"{wish.size[0]}x{wish.size[1]}",
            "--fps": wish.fps,
            "--speed": wish.speed,
            "--from": wish.begin,
            "--turn": wish.turn,
            "--camera": folder / "keys.toml",
            "--theme": context.scene_view.theme_name,
        }
        command = ["-m", "app", "render", str(source if replay is None else replay.path)]
        command += [str(word) for option in options.items() for word in option]
        command += ["--clock"] if wish.clock else []
        dock = self._plots.dock
        command += [w for name in (dock.plotted_units if wish.plots and dock else ()) for w in ("--plot", name)]
        command += [w for name, size in context.scene_view.sizes.items() for w in ("--arrows", f"{name}={size:g}")]
        return command + [
            w for name, on in context.scene_view.visible.items() for w in ("--show" if on else "--hide", name)
        ]

    def _hear(self) -> None:
        """How far it is."""
        film = self._film
        lines = bytes(film.process.readAllStandardOutput().data()).split() if film is not None else []
        if film is not None and lines:
            film.share = float(lines[-1])
            self._show(film)

    def _show(self, film: RenderJob) -> None:
        wish, share = film.wish, film.share
        left = (time.perf_counter() - film.begun) * (1 - share) / share if share else None
        self.bar.show_writing((wish.until - wish.begin) / wish.speed * share, share, left)

    def _ended(self, status: int) -> None:
        film = self._film
        if film is None:
            return
        said = bytes(film.process.readAllStandardError().data()).decode(errors="replace").strip()  # in our language
        self._rest(film)
        if status == 0:
            self._context.toast.tell_file(self.tr("Video saved: {path}"), film.wish.path)
        else:
            text = self.tr("The video could not be written: {reason}")
            self._context.toast.show_message(text.format(reason=said.split("\n")[-1] or status), 20.0)

    def _failed(self) -> None:
        if self._film is not None and self._film.process.state() == QProcess.ProcessState.NotRunning:
            self._ended(1)

    def cancel(self) -> None:
        """End the film, and leave no file of it."""
        film, self._film = self._film, None
        if film is None:
            return
        film.process.kill()
        film.process.waitForFinished(5000)
        part = part_of(film.wish.path)
        for later in AFTER_END:  # an encoder that was just starting begins its file, and then ends
            QTimer.singleShot(later, self, lambda: self._film or part.unlink(missing_ok=True))
        part.unlink(missing_ok=True)
        self._rest(film)
        self._context.toast.show_message(self.tr("Recording cancelled, no file was kept"))

    def _rest(self, film: RenderJob) -> None:
        self._film = None
        self.bar.hide()
        film.folder.cleanup()

    def close(self) -> None:
        """The window closes: a film that is not whole is none."""
        self.cancel()
