"""Maps that are saved, and exported as pictures and tables by the commands of the program."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from polhode_app.docks.maps.map_session import MapSession
from polhode_app.docks.maps.map_widgets import MapWidgets
from polhode_app.i18n.translation import translate_error
from polhode_app.session.new_file import new_file
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import ExportTexts, escaped

MAP = ".h5"
PICTURES, TABLES = (".png", ".svg"), (".csv", ".parquet", ".npz")


class MapExport(QObject):
    """Asks for files, and writes them; pictures and tables in a child process."""

    def __init__(self, context: WindowContext, maps: MapSession, widgets: MapWidgets):
        """Connect the actions of the dock."""
        super().__init__(widgets)
        self._context, self._maps, self._widgets = context, maps, widgets
        actions = widgets.export_actions
        actions["save"].triggered.connect(lambda _checked=False: self._ask("save", (MAP,), self.save))
        actions["picture"].triggered.connect(lambda _checked=False: self._ask("picture", PICTURES, self.export))
        actions["table"].triggered.connect(lambda _checked=False: self._ask("table", TABLES, self.export))

    @property
    def is_busy(self) -> bool:
        """Whether a file is being written."""
        return bool(self._context.exports.orders)

    def _ask(self, name: str, endings: tuple[str, ...], write: Callable[[Path], None]) -> None:
        """Ask for a file with one of these endings, under the name of the action."""
        path = new_file(endings[0][1:], self._context.session.document.path)
        title = self._widgets.export_actions[name].text().removesuffix("...")
        dialog = QFileDialog(self._widgets, title, str(path.parent))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([f"{ending[1:].upper()} (*{ending})" for ending in endings])
        dialog.setDefaultSuffix(endings[0])
        dialog.selectFile(path.name)

        def suffix(chosen: str) -> None:
            dialog.setDefaultSuffix(endings[dialog.nameFilters().index(chosen)])

        dialog.filterSelected.connect(suffix)
        dialog.fileSelected.connect(lambda chosen: write(Path(chosen)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save(self, path: Path) -> None:
        """Save the map that is shown, as it is now: what pictures and tables of it have, too."""
        try:
            self._maps.save(path)
        except OSError as error:
            self._context.toast.show_message(translate_error(error), 20.0)
            return
        self._context.settings.opened(path)
        run = self._maps.run
        is_part = run is not None and run.is_zoom
        text = self.tr("Visible part of the map saved: {path}") if is_part else self.tr("Map saved: {path}")
        self._context.toast.show_file_saved(text, path)

    def export(self, path: Path) -> None:
        """Write a picture or a table of the map that is shown, by its ending."""
        run = self._maps.run
        if run is None:
            return
        folder = TemporaryDirectory(prefix="polhode-")
        source = Path(folder.name) / f"map{MAP}"
        try:
            shutil.copyfile(run.path if run.path != Path() or run.stored is None else run.stored.path, source)
        except OSError as error:
            folder.cleanup()
            self._context.toast.show_message(translate_error(error), 20.0)
            return
        if path.suffix.lower() in PICTURES:
            arguments = ["render", str(source), "--out", str(path)]
        else:
            arguments = ["convert", str(source), str(path), *(["--titles"] if path.suffix.lower() == ".csv" else [])]
        texts = ExportTexts(
            self.tr("Exporting {name}...").format(name=escaped(path.name)),
            self.tr("Map exported: {path}"),
            self.tr("The map could not be exported: {reason}"),
        )
        self._context.exports.start(arguments, path, folder, texts)
