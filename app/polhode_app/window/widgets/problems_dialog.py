"""Dialog with all problems of a file: location, problem, remedy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStyle,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from polhode.scene.problem import InputError
from polhode_app.i18n.translation import translate, translate_error
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import PlainLabel, wrapped

LOW, HIGH = 200, 560  # [pixel] limits of the height


class ProblemsDialog(QDialog):
    """Shows an InputError as a table. The dialog does not block the simulation."""

    def __init__(self, error: InputError, parent: QWidget | None = None):
        """Create the dialog for an error; it is deleted when it closes."""
        super().__init__(parent)
        self.error = error
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Can't open this"))
        self.resize(820, LOW)
        self.table = self._make_table()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy as text"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(translate_error(error)))
        copy.setAutoDefault(False)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        buttons.rejected.connect(self.reject)
        column_of(self._header_row(), self.table, buttons, on=self, margins=16, spacing=12)

    def showEvent(self, event: QShowEvent) -> None:
        """Adapt the height to the rows, whose heights depend on the widths of the columns."""
        super().showEvent(event)
        missing = self.table.verticalHeader().length() - self.table.viewport().height()
        self.resize(self.width(), min(max(self.height() + missing, LOW), HIGH))

    def _header_row(self) -> QHBoxLayout:
        """Warning icon, name of the file and number of problems."""
        picture = QLabel()
        warning = self.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxWarning)
        picture.setPixmap(warning.pixmap(32, 32))
        count = sum(problem.others or 1 for problem in self.error.problems)
        what = self.tr("one problem") if count == 1 else self.tr("{count} problems").format(count=count)
        file = Path(self.error.source).name or self.error.source
        text_label = PlainLabel(
            self.tr("{file}: {what}. The running simulation was kept.").format(file=file, what=what)
        )
        text_label.setToolTip(wrapped(self.error.source))
        text_label.setWordWrap(True)
        return row_of(picture, (text_label, 1), spacing=12)

    def _make_table(self) -> QTableWidget:
        """Table with one row for each problem."""
        table = QTableWidget(len(self.error.problems), 3)
        table.setHorizontalHeaderLabels([self.tr("Location"), self.tr("Problem"), self.tr("Remedy")])
        for row, problem in enumerate(self.error.problems):
            for column, text in enumerate(
                (translate(problem.place) or self.tr("file"), translate(problem.rule), translate(problem.remedy))
            ):
                item = QTableWidgetItem(text)
                item.setToolTip(wrapped(text))
                item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                table.setItem(row, column, item)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)  # Tab moves to the buttons; arrow keys move from cell to cell
        table.verticalHeader().hide()
        table.setAlternatingRowColors(True)
        table.setWordWrap(True)
        header = table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        return table
