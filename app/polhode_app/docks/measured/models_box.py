"""Box of the tab of the fit: further runs, other models to compare with, and the band of predictions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from polhode_app.docks.maps.key_button import KeyButton, KeyCheckBox
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel, wrapped

COLUMNS = 4


class FileRow(QWidget):
    """A file with a button that removes it."""

    removed = Signal()

    def __init__(self, name: str, tip: str):
        super().__init__()
        self.name, self.remove = PlainLabel(name), QToolButton()
        self.name.setToolTip(tip)
        self.remove.setAutoRaise(True)
        self.remove.setIcon(icon("delete", self.palette()))
        self.remove.setToolTip(self.tr("Remove"))
        self.remove.setAccessibleName(self.tr("Remove {name}").format(name=name))
        focus_by_tab(self.remove)
        self.remove.clicked.connect(lambda _checked: self.removed.emit())
        row_of((self.name, 1), self.remove, on=self, margins=0, spacing=4)


class ModelsBox(QWidget):
    """`run_wanted` and `scene_wanted` ask for files, `run_removed` and `scene_removed` for their end.

    The tab places `table`, of the comparisons, and `problems`, of models without one, among its results.
    """

    run_wanted = Signal()
    run_removed = Signal(int)
    scene_wanted = Signal()
    scene_removed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.add_run, self.choose_scene = KeyButton(), KeyButton()
        self.predict, self.error = KeyCheckBox(), NoteLabel(is_error=True)
        self.state, self.problems = NoteLabel(), NoteLabel(is_error=True)
        self.runs: list[FileRow] = []
        self.scene: FileRow | None = None
        self.table = QTableWidget(0, COLUMNS)
        self._runs, self._scene = column_of(spacing=0), column_of(spacing=0)
        rows = self._runs, self.add_run, self._scene, self.choose_scene, self.predict, self.state, self.error
        column_of(*rows, on=self, margins=0, spacing=5)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in range(1, COLUMNS):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.table.hide()
        self.add_run.clicked.connect(lambda _checked: self.run_wanted.emit())
        self.choose_scene.clicked.connect(lambda _checked: self.scene_wanted.emit())

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.add_run.setText(self.tr("Add another run of the same experiment..."))
        self.add_run.setToolTip(
            self.tr("A file with the same columns. Unknowns are shared, starts belong to each run.")
        )
        self.choose_scene.setText(self.tr("Compare with another scene..."))
        self.choose_scene.setToolTip(self.tr("A scene with the same unknowns, which is fitted to the same data"))
        self.predict.setText(self.tr("Band of predicted readings in the plots"))
        self.predict.setToolTip(
            self.tr("95 % of the readings of a repeated run: noise, errors of the values, noise of inputs")
        )
        self.table.setHorizontalHeaderLabels([self.tr("Other model"), self.tr("F"), self.tr("AICc"), self.tr("Better")])
        tips = (
            "",
            self.tr("F test of nested models, with the probability of such an F if the smaller model is right"),
            self.tr("AICc of the other model less that of this one: positive where this one is better"),
            self.tr("By F below a probability of 0.05 if the models are nested, otherwise by AICc"),
        )
        for column, tip in enumerate(tips):
            self.table.horizontalHeaderItem(column).setToolTip(wrapped(tip))

    def show_runs(self, names: Sequence[tuple[str, str]]) -> None:
        """Show the files of further runs: names and paths."""
        if [row.name.text() for row in self.runs] == [name for name, _ in names]:
            return
        for row in self.runs:
            row.hide()
            row.deleteLater()
        self.runs = [FileRow(name, path) for name, path in names]
        for number, row in enumerate(self.runs):
            row.removed.connect(lambda number=number: self.run_removed.emit(number))
            self._runs.addWidget(row)

    def show_scene(self, name: str, path: str) -> None:
        """Show the scene of the other model; "" for none."""
        if (self.scene.name.text() if self.scene is not None else "") == name:
            return
        if self.scene is not None:
            self.scene.hide()
            self.scene.deleteLater()
            self.scene = None
        if name:
            self.scene = FileRow(name, path)
            self.scene.removed.connect(self.scene_removed)
            self._scene.addWidget(self.scene)

    def show_comparisons(self, rows: Sequence[tuple[str, ...]], tips: Sequence[str]) -> None:
        """Show a row of texts for each other model; without any the table is hidden."""
        self.table.setVisible(bool(rows))
        self.table.setRowCount(len(rows))
        for number, (texts, tip) in enumerate(zip(rows, tips, strict=True)):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(wrapped(tip))
                if column in (1, 2):
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(number, column, item)
        self.table.resizeRowsToContents()
        heights = sum(map(self.table.rowHeight, range(len(rows))))
        self.table.setFixedHeight(self.table.horizontalHeader().sizeHint().height() + heights + 4)
