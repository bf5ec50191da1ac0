"""Films of scenes and recordings, and the dialogs for films and pictures in any size."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import tomlkit
from PySide6.QtCore import QObject

from polhode.scene.problem import InputError
from polhode_app.export.camera_path import CameraKey, key_of
from polhode_app.i18n.translation import translate_error
from polhode_app.session.new_file import new_file
from polhode_app.window.capture.live_page_export import LivePageExport
from polhode_app.window.capture.page_export import PageExport
from polhode_app.window.capture.picture_renderer import PictureRenderer
from polhode_app.window.capture.render_dialog import RenderDialog, RenderOptions
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import CommandQueue, Order, scene_copy
from polhode_app.window.widgets.toast import FilmBar

DEFAULT_DURATION = 10.0  # [s] length of a film of a scene


class FilmRenderer(QObject, WindowPart):
    """Opens the dialogs, and renders films in child processes, one after another.

    The process runs `python -m polhode_app render`. The run pauses meanwhile if the dialog says so, as both together
    would take several times as long; it continues after the last film, unless the user has played or paused it.
    """

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.pictures = PictureRenderer(context, self.metadata)
        self._pauses = False  # the run, until the last film is complete
        context.session.transport_changed.connect(self._on_transport_changed)
        self.dialog: RenderDialog | None = None
        self.films = CommandQueue(self)
        self.films.progressed.connect(self._update_bar)
        self.films.ended.connect(self._on_ended)
        self.bar = FilmBar(context.view)
        self.bar.cancel.connect(self.cancel)
        self.pages, self.live_pages = PageExport(context), LivePageExport(context)

    def retranslate(self) -> None:
        """Set the texts of the bar in the current language."""
        self.bar.retranslate()
        self._update_bar()

    def metadata(self) -> dict[str, str]:
        """Texts stored in a picture: title, simulated time, file of the scene."""
        document, now = self._context.session.document, self._context.scene_view.now
        about = {"Title": document.scene.title}
        if now is not None:
            about["Simulated time"] = f"{now.time!r} s"
        return about | ({"Scene": document.path.name} if document.path is not None else {})

    # Pictures

    def ask_picture(self) -> None:
        """Open the dialog for a picture of the view."""
        self._open_dialog(RenderDialog(self._context.window, self._view_size(), self._new_file("png")))
        self.dialog.requested.connect(self.pictures.start)

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
        session = self._context.session
        if options.pauses and session.running and session.replay is None:
            session.play(False)
            self._pauses = True
            self._update_bar()

    def _on_transport_changed(self) -> None:
        """Leave a run alone that the user has played meanwhile."""
        self._pauses &= not self._context.session.running

    def _resume(self) -> None:
        """Continue the run that paused for the films, once all of them are complete."""
        if self._pauses and not self.films.orders:
            self._pauses = False
            self._context.session.play(True)

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
        command += [word for word, on in (("--clock", options.clock), ("--plain", options.plain)) if on]
        dock = self._context.docks.dock("plots")
        command += [w for name in (dock.plotted_units if options.plots and dock else ()) for w in ("--plot", name)]
        command += ["--beside"] if options.plots and dock and dock.beside.isChecked() else []
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
        self.bar.show_writing(seconds, progress, left, [each.path.name for each in later], self._pauses)

    def _on_ended(self, film: Order, status: int, reason: str) -> None:
        """Report the result of the command by its exit status and its last message."""
        self._update_bar()
        self._resume()
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
            self._resume()

    def stop(self) -> None:
        """Cancel films, pictures and other exports."""
        self._pauses = False
        self.films.close()
        self._context.exports.close()
