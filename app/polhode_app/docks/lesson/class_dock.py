"""Dock of the table of a class: collects the hand-ins of a folder by the command `collect`, beside the window."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QLabel, QProgressBar, QSplitter, QTableWidget, QWidget
from PySide6.QtWidgets import QTableWidgetItem as Item

from polhode.data.csv_line import without_apostrophe
from polhode.recording.unpacking import plain
from polhode.scene.files.file_writing import replace_file
from polhode.scene.problem import InputError
from polhode_app.docks.maps.key_button import KeyButton, KeyCheckBox
from polhode_app.i18n.translation import translate_error
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import CommandQueue, Order
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel, wrapped

TABLE, PICTURES = "class.csv", "pictures"
DONE, HAS_PROBLEMS = 0, 1  # exit status of the command with a table
THUMBNAIL = (96, 36)  # [pixel]
WIDEST = 260  # [pixel] of a column
LEFT_OUT = ("number", "messages")  # columns that are shown otherwise


class ClassDock(Dock):
    """A table with a row for each hand-in: names, answers, checks, faults, and a picture of its curves."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self.queue = context, CommandQueue(self)
        self._folder: TemporaryDirectory[str] | None = None  # with table and pictures
        self._asked: Path | None = None  # folder with hand-ins
        self.rows: list[dict[str, str]] = []

    def build(self) -> Iterator[None]:
        """Make the contents."""
        self.choose, self.cancel, self.save = KeyButton(), KeyButton(), KeyButton()
        self.anonymous, self.bar = KeyCheckBox(), QProgressBar()
        self.table, self.picture, self.note, self.error = (
            QTableWidget(),
            QLabel(),
            NoteLabel(),
            NoteLabel(is_error=True),
        )
        yield
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setIconSize(QSize(*map(scaled, THUMBNAIL)))
        self.table.verticalHeader().hide()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.picture.setMinimumWidth(1)
        splitter, inside = QSplitter(), QWidget()
        splitter.addWidget(self.table)
        splitter.addWidget(self.picture)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([700, 260])
        buttons = row_of(self.choose, self.anonymous, self.cancel, (self.bar, 1), 1, self.save, margins=0)
        column_of(buttons, self.note, self.error, (splitter, 1), on=inside, margins=(8, 6, 8, 8))
        self.setWidget(inside)
        yield
        self.choose.clicked.connect(lambda _checked: self._ask())
        self.cancel.clicked.connect(lambda _checked: self._cancel())
        self.save.clicked.connect(lambda _checked: self._ask_table())
        self.table.itemSelectionChanged.connect(self._show_picture)
        self.queue.progressed.connect(lambda: self.bar.setValue(round(1000 * self.queue.progress)))
        self.queue.ended.connect(self._on_ended)
        self.bar.setRange(0, 1000)
        self.retranslate()
        yield

    def retranslate(self) -> None:
        """Set all texts in the current language; the table is in that in which it was made."""
        self.setWindowTitle(self.tr("Hand-ins of a class"))
        self.choose.setText(self.tr("Choose a folder..."))
        self.anonymous.setText(self.tr("Without names"))
        self.cancel.setText(self.tr("Cancel"))
        self.save.setText(self.tr("Save the table..."))
        self.table.setAccessibleName(self.tr("Hand-ins"))
        self.bar.setAccessibleName(self.tr("Progress of the repetition"))
        self._show()

    def _show(self) -> None:
        """Show what is possible now."""
        running = bool(self.queue.orders)
        self.choose.setEnabled(not running)
        self.anonymous.setEnabled(not running)
        self.cancel.setVisible(running)
        self.bar.setVisible(running)
        self.save.setEnabled(bool(self.rows) and not running)
        wrong = sum(row.get("problems", "0") != "0" for row in self.rows)
        if running:
            text = self.tr("Each run is repeated and compared.")
        elif self.rows:
            some = self.tr("{count} hand-ins, {wrong} with problems")
            text = self.tr("One hand-in, {wrong} with problems") if len(self.rows) == 1 else some
            text = text.format(count=len(self.rows), wrong=wrong)
        else:
            text = self.tr("Collects the hand-ins of a folder, and repeats their runs.")
        self.note.show_text(text)

    def _ask(self) -> None:
        """Ask for a folder."""
        found = QFileDialog.getExistingDirectory(self._context.window, self.tr("Folder with hand-ins"), str(Path.cwd()))
        if found:
            self.collect(Path(found))

    def collect(self, folder: Path) -> None:
        """Repeat the hand-ins of a folder, and show their table."""
        self.error.show_text("")
        self._asked = folder
        self._drop_results()
        self._folder = TemporaryDirectory(prefix="polhode-")
        made = Path(self._folder.name)
        words = ["collect", str(folder), "--out", str(made / TABLE), "--pictures", str(made / PICTURES)]
        if self.anonymous.isChecked():
            words.append("--anonymous")
        self.queue.add(Order(words, made / TABLE, TemporaryDirectory(prefix="polhode-")))
        self._show()

    def _drop_results(self) -> None:
        self.rows = []
        self.table.setRowCount(0)
        self._show_picture()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _cancel(self) -> None:
        """End the command."""
        self.queue.cancel()
        self._show()

    def _on_ended(self, order: Order, status: int, reason: str) -> None:
        """Show the table, or why there is none."""
        if status in (DONE, HAS_PROBLEMS) and order.path.exists():
            with order.path.open(encoding="utf-8", newline="") as file:
                self.rows = [dict(row) for row in csv.DictReader(file)]
            self._fill()
        else:
            self.error.show_text(reason or self.tr("The hand-ins could not be collected."))
        self._show()

    @property
    def pictures(self) -> Path:
        """Folder of the pictures."""
        assert self._folder is not None
        return Path(self._folder.name) / PICTURES

    def _picture_of(self, row: int) -> Path:
        """File of the picture of a row; it may not exist."""
        name = self.rows[row].get("file")
        number = row + 1
        return self.pictures / f"{plain(number, Path(name).stem) if name else number}.png"

    def _fill(self) -> None:
        """Write the table; faults are the tool tip of their number, and stand below the table when they are chosen."""
        titles = [title for title in self.rows[0] if title not in LEFT_OUT] if self.rows else []
        self.table.setColumnCount(len(titles) + 1)
        self.table.setHorizontalHeaderLabels([self.tr("curves"), *titles])
        self.table.setRowCount(len(self.rows))
        for row, cells in enumerate(self.rows):
            thumbnail = Item()
            if self._picture_of(row).exists():
                thumbnail.setIcon(QIcon(str(self._picture_of(row))))
            self.table.setItem(row, 0, thumbnail)
            for column, title in enumerate(titles, 1):
                text = without_apostrophe(cells[title])
                item = Item(_short(text))
                item.setToolTip(wrapped(cells["messages"] if title == "problems" else text))
                if title == "problems" and text != "0":
                    font = item.font()
                    font.setBold(True)
                    item.setFont(font)
                self.table.setItem(row, column, item)
        self.table.resizeColumnsToContents()
        for column in range(1, self.table.columnCount()):
            self.table.setColumnWidth(column, min(self.table.columnWidth(column), scaled(WIDEST)))
        for row in range(self.table.rowCount()):
            self.table.setRowHeight(row, scaled(THUMBNAIL[1]) + 4)

    def _show_picture(self) -> None:
        """Show the picture and the faults of the chosen row."""
        chosen = self.table.currentRow()
        is_chosen = 0 <= chosen < len(self.rows) and bool(self.table.selectedItems())
        self.error.show_text(self.rows[chosen]["messages"].replace(" | ", "\n") if is_chosen else "")
        picture = QPixmap(str(self._picture_of(chosen))) if is_chosen else QPixmap()
        self.picture.setVisible(not picture.isNull())
        if not picture.isNull():
            width = max(self.picture.width(), scaled(240))
            self.picture.setPixmap(picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation))
            self.picture.setAccessibleName(self.rows[chosen].get("name", ""))

    def _ask_table(self) -> None:
        """Ask for a file, and save the table."""
        assert self._asked is not None
        proposed = str(self._asked.parent / f"{self._asked.name}.csv")
        found, _ = QFileDialog.getSaveFileName(self._context.window, self.tr("Save the table..."), proposed, "*.csv")
        if found:
            self.save_table(Path(found if found.lower().endswith(".csv") else f"{found}.csv"))

    def save_table(self, path: Path) -> None:
        """Write the table to a file."""
        assert self._folder is not None
        try:
            replace_file(path, (Path(self._folder.name) / TABLE).read_bytes())
        except (InputError, OSError) as error:
            self.error.show_text(translate_error(error))
        else:
            self._context.toast.show_file_saved(self.tr("Table saved: {path}"), path)

    def stop(self) -> None:
        """End the command, and remove its results."""
        self.queue.close()
        self._drop_results()


def _short(text: str) -> str:
    """A cell in one line, with numbers of a few digits."""
    line = " ".join(text.split())
    try:
        return f"{float(line):.6g}"
    except ValueError:
        return line
