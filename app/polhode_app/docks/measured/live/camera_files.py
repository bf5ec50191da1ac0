"""Files of cameras that the window writes: sheets to print, and a calibration from a film of the board."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from polhode.camera.calibrating import calibration_of
from polhode.camera.tags import check_number, tag_of, vision
from polhode.scene.files.file_writing import not_written
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode_app.docks.measured.rows.camera_row import CameraRow
from polhode_app.edit.open_file import FILM_ENDINGS
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.window.shell.window_context import WindowContext

SHEET, LENS = ".pdf", ".toml"


class CameraFiles(QObject):
    """Asks for files and writes them in the background."""

    def __init__(self, context: WindowContext, row: CameraRow):
        super().__init__(row)
        self._context, self._row, self._job = context, row, Job("files of the camera")
        row.sheet_wanted.connect(self.ask_sheet)
        row.calibration_wanted.connect(self.ask_calibration)

    def stop(self) -> None:
        """End the thread."""
        self._job.close()

    def ask_sheet(self, name: str) -> None:
        """Ask for a PDF file, and write the sheet with the tag of the row, or with the board, to it."""
        path = self._asked_target(self.tr("Save the sheet"), f"{name}{SHEET}", SHEET)
        if path is not None:
            text, side = self._row.tag.text(), self._row.size.value()
            self._job.add(lambda _check: _sheet(path, text if name == "tag" else None, side))

    def ask_calibration(self) -> None:
        """Ask for a film of the board and for a calibration file, and write that; the row names it then."""
        kinds = self.tr("Films ({endings})").format(endings=" ".join(f"*{ending}" for ending in FILM_ENDINGS))
        title = self.tr("Film of the board")
        film, _ = QFileDialog.getOpenFileName(self._context.window, title, str(Path.cwd()), kinds)
        path = self._asked_target(self.tr("Save the calibration"), f"camera{LENS}", LENS) if film else None
        if path is not None:
            self._row.show_texts(self.tr("Reading the film of the board..."), "")
            self._job.add(lambda check: _calibrated(Path(film), path, check))

    def tick(self) -> None:
        """Show the written file, or the error, once per frame."""
        made = self._job.poll()
        if isinstance(made, InputError):
            self._row.show_texts("", "\n".join(map(translate_problem, made.problems)))
        elif made is not None:
            path, rule = made
            if path.suffix == LENS:
                self._row.calibration.setText(str(path))
            self._row.show_texts(translate(rule), "")
            self._context.toast.show_file_saved(self.tr("File saved: {path}"), path)

    def _asked_target(self, title: str, name: str, ending: str) -> Path | None:
        """A file to write, with its ending; None if the dialog is cancelled."""
        kinds = self.tr("Files ({endings})").format(endings=f"*{ending}")
        found, _ = QFileDialog.getSaveFileName(self._context.window, title, str(Path.cwd() / name), kinds)
        if not found:
            return None
        return Path(found) if found.lower().endswith(ending) else Path(f"{found}{ending}")


def _sheet(path: Path, text: str | None, side: float) -> tuple[Path, Message]:
    """Write the sheet of a tag, or of the board for None. Raises InputError."""
    from polhode_app.export.tag_sheet import board_page, tag_page, write_page  # imports matplotlib

    try:
        if text is None:
            page = board_page()
        else:
            tag = tag_of(text)
            check_number(vision(str(path)), tag)
            page = tag_page(tag, side)
    except InvalidValue as error:
        raise InputError(str(path), [error.problem]) from None
    try:
        write_page(path, page)
    except OSError as error:
        raise not_written(path, error) from None
    return path, Message("print it at 100 %, and check the line of 100 mm")


def _calibrated(film: Path, path: Path, check: CheckCancelled) -> tuple[Path, Message]:
    """Write the calibration by a film of the board. Raises InputError."""
    lens, rule = calibration_of(film, check)
    lens.save(path)
    return path, rule
