"""Connects the row of films and cameras with the thread that watches, and lays what it finds over the run."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from polhode.camera.picture_process import Source, check_library
from polhode.camera.tags import tag_of
from polhode.camera.watching import Wanted
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode_app.data.measured.live.camera_link import CameraLink, CameraRequest, CameraState
from polhode_app.docks.measured.data_controller import DataController
from polhode_app.docks.measured.live.camera_files import CameraFiles
from polhode_app.docks.measured.live.live_table import LiveTable
from polhode_app.docks.measured.rows.camera_row import CameraRow
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.window.shell.window_context import WindowContext


class CameraController(QObject):
    """A film is read, and a camera watched, in a thread and a process of its own. Rows that came are kept."""

    def __init__(self, context: WindowContext, row: CameraRow, data: DataController):
        super().__init__(row)
        self._settings, self._row, self._data = context.settings, row, data
        self.link, self.live = CameraLink(), LiveTable(context, data, "pose.csv", self)
        self.files = CameraFiles(context, row)
        self._shown: CameraState | None = None
        self._was_watching = False
        self._error: InputError | None = None
        self._is_checked = False  # for the library, once the row is seen
        row.calibration.setText(self._settings.camera_calibration)
        row.watch_wanted.connect(self.watch)
        row.save_wanted.connect(self.ask_save)
        self.live.left.connect(self.link.stop)
        self.live.failed.connect(self._show_error)
        self.live.saved.connect(self._on_saved)
        data.units_changed.connect(self._change_units)

    def stop(self) -> None:
        """End the threads, and with them the process that decodes."""
        self.link.close()
        self.live.stop()
        self.files.stop()

    def open(self, film: Path) -> None:
        """Show a film as the source."""
        self._row.source.show_choice("film")
        self._row.path.setText(str(film))

    def watch(self, on: bool) -> None:
        """Begin to watch the chosen source, or end it."""
        if not on:
            self.link.stop()
            return
        try:
            request = self._request()
        except InputError as error:
            self._show_error(error)
            return
        self._settings.camera_calibration = self._row.calibration.text().strip()
        self._error, self.link.units = None, {}
        self.live.begin()
        self.link.start(request)

    def _request(self) -> CameraRequest:
        """The request of the row. Raises InputError."""
        row = self._row
        source = Source(row.kind, row.source_name)
        if not source.name:
            raise InputError.of("camera", Message("no file is chosen"), Message("choose a film, or another source"))
        try:
            tag = tag_of(row.tag.text()) if row.looks_for_tag else None
        except InvalidValue as error:
            raise InputError("camera", [error.problem]) from None
        calibration = row.calibration.text().strip()
        wanted = Wanted(row.size.value(), tag, upright=row.upright.isChecked())
        return CameraRequest(source, wanted, Path(calibration) if calibration else None)

    def ask_save(self) -> bool:
        """Ask for a file, and write the received rows to it; whether it does."""
        return self.live.ask_save(self.link.state.kept)

    def refresh(self) -> None:
        """Show the camera again in the next frame, as in another language."""
        self._shown = None

    @property
    def newest(self) -> dict[str, float]:
        """Readings of the picture of a camera that came last by column, SI; {} while none is watched."""
        state, request = self.link.state, self.link.request
        is_live = self.link.is_watching and self.live.is_laid and request is not None and request.source.is_live
        if not is_live or state.newest is None or state.table is None:
            return {}
        names = (label.partition(" ")[0] for label in state.table.table.labels)
        return dict(zip(names, state.newest, strict=True))

    def tick(self, is_busy: bool) -> None:
        """Take received rows, once per frame; they wait while the previous ones are evaluated."""
        self.link.poll()
        self.live.tick()
        self.files.tick()
        if not self._is_checked and self._row.isVisible():
            self._check_library()
        state = self.link.state
        if state is not self._shown or self.link.is_watching != self._was_watching:
            self._shown, self._was_watching = state, self.link.is_watching
            self._show(state)
        self.live.offer(state.data, is_busy)

    def _check_library(self) -> None:
        """Show an error if OpenCV is not installed, before the first request."""
        self._is_checked = True
        try:
            check_library("camera")
        except InputError as error:
            self._show_error(error)

    def _change_units(self) -> None:
        """Convert the received rows to the chosen units, at once if the thread has ended."""
        if not self.live.is_laid:
            return
        self.link.units = dict(self._data.units)
        if not self.link.is_watching:
            try:
                self.live.take(self.link.state.with_data(self.link.units).data)
            except InputError as error:
                self._show_error(error)

    def _on_saved(self, path: Path) -> None:
        """The shown rows are now those of a file, which a scene can name."""
        if self.live.is_laid and not self.link.is_watching and self.link.state.data is not None:
            self._data.adopt(path)

    def _show(self, state: CameraState) -> None:
        """Show the source, the received rows, and a problem."""
        row, is_watching, request = self._row, self.link.is_watching, self.link.request
        count = len(state.table.rows) if state.table is not None else 0
        is_film = request is not None and not request.source.is_live
        row.show_watching(is_watching, state.kept is not None)
        row.show_progress(state.pictures, state.total if is_watching and is_film else 0)
        name = state.name
        if request is not None and request.source.kind == "camera":
            name = self.tr("Camera {number}").format(number=request.source.name)
        values = {"name": name, "rows": count, "pictures": state.pictures, "total": state.total or "?"}
        if not state.name:
            text = ""
        elif is_watching and is_film:
            text = self.tr("Reading '{name}': {pictures} of {total} pictures").format(**values)
        elif is_watching:
            text = self.tr("Watching {name}: {pictures} pictures, {rows} rows").format(**values)
        else:
            text = self.tr("{name}: {pictures} pictures, {rows} rows").format(**values)
        problem = self._error or state.problem
        problems = problem.problems if problem is not None else ()
        notes = [] if is_watching and is_film else [translate(note) for note in state.notes]
        row.show_texts("\n".join([text, *notes]).strip(), "\n".join(map(translate_problem, problems)))

    def _show_error(self, error: InputError) -> None:
        """Show a problem, beside the rows received before."""
        self._error = error
        self._show(self.link.state)
