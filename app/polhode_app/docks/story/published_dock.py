"""Dock of published experiments: source, picture, and a table of published values beside those of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QProgressBar, QPushButton, QTableWidget, QWidget
from PySide6.QtWidgets import QTableWidgetItem as Item

from polhode.scene import gallery
from polhode.scene.display.published import SOURCES
from polhode.scene.problem import InputError, message_of
from polhode.scene.scene_file import read_scene
from polhode.verification.case import Result
from polhode_app.i18n.field_names import scene_title, unit_text
from polhode_app.i18n.translation import translate
from polhode_app.interactors.published_run import PublishedRun
from polhode_app.messages import FrameData
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.theme import MIDDLE
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.layouts import column_of, row_of, silent
from polhode_app.window.widgets.plain_label import PlainLabel, wrapped
from polhode_app.window.widgets.wheel import ComboBox

if TYPE_CHECKING:
    from polhode.verification.published import Row

DIGITS = 7  # of values
WIDTH = 300  # [pixel] of the picture


class PublishedDock(Dock):
    """Chooses an experiment, opens its scene, and runs it beside the values of its source."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self._session = context, context.session
        self.job = PublishedRun()
        self._results: dict[str, list[tuple[Row, Result]]] = {}
        self._fault = ""
        self._asked = ""  # experiment that runs
        self.choice, self.source, self.picture = ComboBox(), PlainLabel(), QLabel()
        self.open_button, self.run_button, self.bar = QPushButton(), QPushButton(), QProgressBar()
        self.table, self.note = QTableWidget(0, 4), PlainLabel()

    def build(self) -> None:
        """Make the contents."""
        for name in SOURCES:
            self.choice.addItem("", name)
        for label in (self.source, self.note):
            label.setWordWrap(True)
        self.bar.setRange(0, 1000)
        self.bar.hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2, 3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        inside = QWidget()
        buttons = row_of(self.open_button, self.run_button, 1)
        column_of(self.choice, self.picture, self.source, buttons, self.bar, (self.table, 1), self.note, on=inside)
        self.setWidget(inside)
        self.choice.activated.connect(lambda _row: self._show())
        self.open_button.clicked.connect(lambda: self._session.open(gallery.path(self.name)))
        self.run_button.clicked.connect(self._run_or_cancel)
        self._session.scene_changed.connect(lambda document: self._follow(document.path))
        self.retranslate()
        self._follow(self._session.document.path)

    @property
    def name(self) -> str:
        """Of the scene of the experiment that is shown."""
        return str(self.choice.currentData())

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Published experiments"))
        self.choice.setAccessibleName(self.tr("Experiment"))
        for row in range(self.choice.count()):
            self.choice.setItemText(row, scene_title(read_scene(gallery.path(self.choice.itemData(row)))))
        self.open_button.setText(self.tr("Open the scene"))
        self.table.setAccessibleName(self.tr("Published values"))
        heads = self.tr("Quantity"), self.tr("Expected"), self.tr("Here"), self.tr("Difference")
        self.table.setHorizontalHeaderLabels(heads)
        self._show()

    def _follow(self, path: Path | None) -> None:
        """Choose the experiment of a file that has been opened, if it is one."""
        if path is not None and path.parent == gallery.FOLDER and path.stem in SOURCES and path.stem != self.name:
            with silent(self.choice):
                self.choice.setCurrentIndex(self.choice.findData(path.stem))
            self._show()

    def _run_or_cancel(self) -> None:
        """Run the experiment that is shown, or end the run."""
        if self._asked:
            self.job.cancel()
            self._asked = ""
        else:
            self._fault, self._asked = "", self.name
            self.job.run(self.name)
        self._show()

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Show progress and results of a run."""
        if not self._asked:
            return False
        found = self.job.poll()
        self.bar.setValue(round(1000 * (self.job.progress or 0.0)))
        if found is not None:
            if isinstance(found, InputError):
                self._fault = translate(message_of(found.problems[0]))
            else:
                self._results[self._asked] = found
            self._asked = ""
            self._show()
        return False

    def stop(self) -> None:
        """End a run."""
        self.job.close()

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        self._show()

    def _show(self) -> None:
        """Show the chosen experiment, with its results if it has been run."""
        theme = "dark" if self.palette().window().color().lightness() < MIDDLE else "light"
        picture = QPixmap(str(gallery.picture(self.name, theme)))
        self.picture.setVisible(not picture.isNull())
        if not picture.isNull():
            self.picture.setPixmap(picture.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation))
        source = SOURCES[self.name]
        own = "" if source.parameters else self.tr("after this source, with numbers of the program's own")
        self.source.setText(f"{source.text}\n{own}".rstrip())
        running = bool(self._asked)
        self.bar.setVisible(running)
        self.run_button.setText(self.tr("Cancel") if running else self.tr("Run and compare"))
        results = self._results.get(self.name, [])
        self.table.setRowCount(len(results))
        for row, (of, result) in enumerate(results):
            self._fill(row, of, result)
        self.table.setVisible(bool(results))
        self.table.resizeRowsToContents()
        off = sum(not result.passed for _, result in results)
        verdict = self.tr("All values agree within their tolerances.") if not off else self.tr("Not all values agree.")
        self.note.setText(self._fault or (verdict if results else ""))

    def _fill(self, row: int, of: Row, result: Result) -> None:
        """Write one value of the table, with the origin of the expected one as tooltip."""
        case, unit = result.case, unit_text(result.case.unit)
        origins = {
            "source": self.tr("printed in the source"),
            "closed form": self.tr("closed form"),
            "calculation": self.tr("independent calculation"),
        }
        texts = (
            translate(case.name),
            f"{case.expected:.{DIGITS}g} {unit}".rstrip(),
            f"{result.value:.{DIGITS}g} {unit}".rstrip(),
            f"{result.error:.1e}",
        )
        tip = self.tr("allowed: {tolerance} {unit}").format(tolerance=f"{case.tolerance:.1e}", unit=unit)
        for column, text in enumerate(texts):
            item = Item(text)
            item.setToolTip(wrapped(f"{origins[of.origin]}\n{tip}"))
            if column:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if not result.passed:
                font = item.font()
                font.setBold(True)
                item.setFont(font)
            self.table.setItem(row, column, item)
