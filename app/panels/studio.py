"""Pictures and films as a person wishes them: the dialogs, what they ask of the window, and the film that is made."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import tomlkit
from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer

from app.commands import Moment
from app.console import TELL
from app.export.moves import Key, key_of
from app.export.picture import part_of, save
from app.language import ASKED, language
from app.panels.filming import new_file
from app.panels.notice import FilmBar
from app.panels.shot_dialog import ShotDialog, Wish
from app.sentences import sentences, told
from core.belongings import bundled
from core.problem import InputError
from core.recorded import scene_text
from core.snapshot import Snapshot

if TYPE_CHECKING:
    from app.main_window import LabWindow

PAST = 4.0  # [s] of trails in a picture
NUMBERS = 2**23  # of the moments that are kept for them
AFTER_END = (300, 1000, 3000)  # [ms]
USUAL = 10.0  # [s] of a film of a scene
HOME = Path(__file__).parents[2]  # where the program is imported from


class Studio(QObject):
    """One film at a time is made by another process, so that neither the view nor the physics waits for it."""

    def __init__(self, window: LabWindow):
        super().__init__(window)
        self._window = window
        self._past: deque[tuple[Snapshot, tuple[Snapshot | None, ...]]] = deque()
        self._scene: object = None
        self.dialog: ShotDialog | None = None
        self._film: QProcess | None = None
        self._folder: tempfile.TemporaryDirectory | None = None
        self._wish: Wish | None = None
        self._begun = 0.0  # [s] wall time
        window.exports.about = self.about
        self.bar = FilmBar(window.view)
        self.bar.cancel.connect(self.cancel)
        window.deeds["picture_as"].triggered.connect(lambda: self.ask_picture())
        window.deeds["film_as"].triggered.connect(lambda: self.ask_film())

    def look(self, passed: list[Moment]) -> None:
        """Moments since the last frame: pictures have their trails."""
        for moment in passed:
            now = moment.snapshot
            if moment.scene is not self._scene or (self._past and now.time < self._past[-1][0].time):
                self._past.clear()
            self._scene = moment.scene
            self._past.append((now, moment.ghosts))
        most = max(1, NUMBERS // max(1, len(self._past[-1][0].numbers))) if self._past else 1
        while len(self._past) > most or (self._past and self._past[-1][0].time - self._past[0][0].time > PAST):
            self._past.popleft()

    def about(self) -> dict[str, str]:
        """What a picture of now knows of itself."""
        document = self._window.session.document
        about = {"Title": document.scene.title}
        if self._past:
            about["Simulated time"] = f"{self._past[-1][0].time!r} s"
        return about | ({"Scene": document.path.name} if document.path is not None else {})

    # Pictures

    def ask_picture(self) -> None:
        """A dialog about a picture of the view."""
        self._ask(ShotDialog(self._window, self._view_size(), self._new_file("png")))
        self.dialog.wished.connect(self.take)

    def _new_file(self, ending: str) -> Path:
        return new_file(ending, self._window.session.document.path)

    def _view_size(self) -> tuple[int, int]:
        width, height = self._window.view.plotter.render_window.GetSize()
        return width, height

    def _ask(self, dialog: ShotDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take(self, wish: Wish) -> None:
        """Take the picture."""
        from app.export.portrait import Plotted, portrait  # it brings the compiler, for which the window does not wait

        window, session = self._window, self._window.session
        if not self._past or session.meshes is None:
            return
        dock, plotted = window.docks.plots, None
        if wish.plots and dock is not None:
            units = dock.plotted_units
            plotted = Plotted(units, dock.history.times, dock.history.table([*units]))
        view = window.scene_view
        looks = view.theme_name, view.visible, view.sizes
        camera = window.view.plotter.renderer.GetActiveCamera()
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
            window.notice.say(sentences(error), 20.0)
            return
        window.notice.tell_file(self.tr("Picture saved: {path}"), wish.path)

    # Films

    def ask_film(self) -> None:
        """A dialog about a film of the recording that is shown, or of the scene from its start."""
        if self._film is not None:
            self._window.notice.say(self.tr("A film is being made already"))
            return
        replay = self._window.session.replay
        span = (float(replay.times[0]), replay.until) if replay is not None else (0.0, USUAL)
        self._ask(ShotDialog(self._window, self._view_size(), self._new_file("mp4"), span, self._key))
        self.dialog.wished.connect(self.film)

    def _key(self, at: float) -> Key:
        return key_of(self._window.view.plotter.renderer.GetActiveCamera(), at)

    def film(self, wish: Wish) -> None:
        """Begin to make the film."""
        self._folder = tempfile.TemporaryDirectory(prefix="polhode-")
        try:
            arguments = self._arguments(wish, Path(self._folder.name))
        except InputError as error:
            self._window.notice.say(sentences(error), 20.0)
            return
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert(TELL, "1")
        environment.insert(ASKED, language())
        paths = [str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment.insert("PYTHONPATH", os.pathsep.join(paths))
        self._film, self._wish, self._begun = QProcess(self), wish, time.perf_counter()
        self._film.setProcessEnvironment(environment)
        self._film.finished.connect(self._ended)
        self._film.errorOccurred.connect(self._failed)
        self._film.readyReadStandardOutput.connect(self._hear)
        self._film.start(sys.executable, arguments)
        self.bar.show_writing(0.0, 0.0)

    def _arguments(self, wish: Wish, folder: Path) -> list[str]:
        """The command that makes it. Raises InputError for a mesh that can't be read any more."""
        window, replay = self._window, self._window.session.replay
        source = folder / "scene.toml"
        if replay is None:
            bundle = bundled(window.session.document.scene)
            source.write_text(scene_text(bundle.scene), encoding="utf-8")
            for name, content in bundle.files.items():
                (folder / name).write_bytes(content)
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
            "--theme": window.scene_view.theme_name,
        }
        command = ["-m", "app", "render", str(source if replay is None else replay.path)]
        command += [str(word) for option in options.items() for word in option]
        command += ["--clock"] if wish.clock else []
        dock = window.docks.plots
        command += [w for name in (dock.plotted_units if wish.plots and dock else ()) for w in ("--plot", name)]
        command += [w for name, size in window.scene_view.sizes.items() for w in ("--arrows", f"{name}={size:g}")]
        return command + [
            w for name, on in window.scene_view.visible.items() for w in ("--show" if on else "--hide", name)
        ]

    def _hear(self) -> None:
        """How far it is."""
        film, wish = self._film, self._wish
        lines = bytes(film.readAllStandardOutput().data()).split() if film is not None else []
        if lines and wish is not None:
            share = float(lines[-1])
            left = (time.perf_counter() - self._begun) * (1 - share) / max(share, 1e-3)
            self.bar.show_writing((wish.until - wish.begin) / wish.speed * share, share, left)

    def _ended(self, status: int) -> None:
        film, wish = self._film, self._wish
        if film is None or wish is None:
            return
        said = bytes(film.readAllStandardError().data()).decode(errors="replace").strip()
        self._rest()
        if status == 0:
            self._window.notice.tell_file(self.tr("Video saved: {path}"), wish.path)
        else:
            text = self.tr("The video could not be written: {reason}")
            self._window.notice.say(text.format(reason=told(said.split("\n")[-1]) or str(status)), 20.0)

    def _failed(self) -> None:
        if self._film is not None and self._film.state() == QProcess.ProcessState.NotRunning:
            self._ended(1)

    def cancel(self) -> None:
        """End the film, and leave no file of it."""
        film, wish = self._film, self._wish
        if film is None or wish is None:
            return
        self._film = None
        film.kill()
        film.waitForFinished(5000)
        part = part_of(wish.path)
        for later in AFTER_END:  # an encoder that was just starting begins its file, and then ends
            QTimer.singleShot(later, self, lambda: self._film or part.unlink(missing_ok=True))
        part.unlink(missing_ok=True)
        self._rest()
        self._window.notice.say(self.tr("Recording cancelled, no file was kept"))

    def _rest(self) -> None:
        self._film = self._wish = None
        self.bar.hide()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def close(self) -> None:
        """The window closes: a film that is not whole is none."""
        self.cancel()
