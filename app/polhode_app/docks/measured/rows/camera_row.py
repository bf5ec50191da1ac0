"""Controls that watch a film or a camera: source, what to look for, calibration, progress, and saving the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLabel, QLineEdit, QMenu, QProgressBar, QWidget

from polhode_app.docks.maps.key_button import ChoiceBox, KeyButton
from polhode_app.edit.open_file import FILM_ENDINGS
from polhode_app.window.widgets.layouts import Cell, grid_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel
from polhode_app.window.widgets.spin_box import SpinBox

FILM, CAMERA, PIPE = "film", "camera", "pipe"
TAG, BALL = "tag", "ball"
USUAL_TAG, USUAL_SIZE = "36h11:3", 0.04
MOST_CAMERAS = 100
NARROW = 34  # [pixel] width of a button with "…"
Kind = Literal["film", "camera", "pipe"]


class CameraRow(QWidget):
    """`watch_wanted` carries whether to watch; `sheet_wanted` is "tag" or "board"."""

    watch_wanted = Signal(bool)
    save_wanted = Signal()
    sheet_wanted = Signal(str)
    calibration_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.source, self.path, self.browse = ChoiceBox(), QLineEdit(), KeyButton()
        self.number = SpinBox(0, MOST_CAMERAS - 1, decimals=0)
        self.target, self.tag, self.size = ChoiceBox(), QLineEdit(USUAL_TAG), SpinBox(1e-4, 100.0, "m", decimals=6)
        self.calibration, self.browse_calibration, self.upright = QLineEdit(), KeyButton(), QCheckBox()
        self.watch, self.save, self.more, self.progress = KeyButton(), KeyButton(), KeyButton(), QProgressBar()
        self.state, self.error = NoteLabel(), NoteLabel(is_error=True)
        self.labels = {name: QLabel() for name in ("source", "target", "size", "calibration")}
        self.menu = QMenu(self.more)
        self.actions_of = {name: self.menu.addAction("") for name in ("tag", "board", "calibrate")}
        self._is_watching = False
        self._lay_out()
        self._connect()
        self.retranslate()
        self.show_watching(False, False)

    def _lay_out(self) -> None:
        labels = self.labels
        rows: tuple[tuple[Cell, ...], ...] = (
            (labels["source"], self.source, (row_of((self.path, 1), self.number, self.browse, spacing=4), 2)),
            (labels["target"], self.target, self.tag, row_of(labels["size"], self.size, spacing=4)),
            (labels["calibration"], (row_of((self.calibration, 1), self.browse_calibration, spacing=4), 3)),
            ((row_of(self.watch, self.upright, 0, self.more, self.save, spacing=5), 4),),
            ((self.progress, 4),),
            ((self.state, 4),),
            ((self.error, 4),),
        )
        grid_of(*rows, on=self, margins=(0, 0, 0, 4), spacing=(5, 5), stretched=[2])
        self.size.setValue(USUAL_SIZE)
        self.size.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
        self.upright.setChecked(True)
        self.more.setMenu(self.menu)
        for button in (self.browse, self.browse_calibration):
            button.setMaximumWidth(NARROW)
        self.progress.hide()
        for field in (self.path, self.tag, self.calibration):
            field.setMinimumWidth(60)

    def _connect(self) -> None:
        self.source.currentIndexChanged.connect(lambda _row: self._show_fields())
        self.target.currentIndexChanged.connect(lambda _row: self._show_fields())
        self.browse.clicked.connect(lambda _checked: self._ask_source())
        self.browse_calibration.clicked.connect(lambda _checked: self._ask_calibration())
        self.watch.clicked.connect(lambda _checked: self.watch_wanted.emit(not self._is_watching))
        self.path.returnPressed.connect(lambda: self.watch_wanted.emit(True))
        self.save.clicked.connect(lambda _checked: self.save_wanted.emit())
        for name in (TAG, "board"):
            self.actions_of[name].triggered.connect(lambda _checked, name=name: self.sheet_wanted.emit(name))
        self.actions_of["calibrate"].triggered.connect(lambda _checked: self.calibration_wanted.emit())

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        sources = ((self.tr("Film"), FILM), (self.tr("Camera"), CAMERA), (self.tr("Pipe"), PIPE))
        self.source.offer(sources)
        self.target.offer(((self.tr("Tag"), TAG), (self.tr("Coloured ball"), BALL)))
        for box in (self.source, self.target):
            box.setCurrentIndex(max(box.currentIndex(), 0))
        self.labels["source"].setText(self.tr("Source"))
        self.labels["target"].setText(self.tr("Look for"))
        self.labels["calibration"].setText(self.tr("Calibration"))
        self.browse.setText("…")
        self.browse.setAccessibleName(self.tr("Choose a film"))
        self.browse_calibration.setText("…")
        self.browse_calibration.setAccessibleName(self.tr("Choose a calibration"))
        self.number.setAccessibleName(self.tr("Number of the camera"))
        self.tag.setToolTip(self.tr("Family and number of the tag, such as 36h11:3 or 4x4_50:0"))
        self.tag.setAccessibleName(self.tr("Tag"))
        self.calibration.setPlaceholderText(self.tr("none: distances have an unknown scale"))
        self.calibration.setAccessibleName(self.labels["calibration"].text())
        self.upright.setText(self.tr("z up"))
        self.upright.setToolTip(
            self.tr("Axes x to the right, y along the view and z up; otherwise y down and z along the view")
        )
        self.more.setText(self.tr("Sheets"))
        self.more.setToolTip(self.tr("Print tags and the board for the calibration, and calibrate the camera"))
        self.actions_of[TAG].setText(self.tr("Sheet with this tag..."))
        self.actions_of["board"].setText(self.tr("Board for the calibration..."))
        self.actions_of["calibrate"].setText(self.tr("Calibrate from a film of the board..."))
        self.save.setText(self.tr("Save..."))
        self.save.setToolTip(self.tr("Save the received rows as a table (CSV) that can be opened as data"))
        self.progress.setAccessibleName(self.tr("Part of the film that is read"))
        self._show_fields()
        self._name_button()

    @property
    def kind(self) -> Kind:
        """Kind of the chosen source."""
        kind: Kind = self.source.currentData()
        return kind

    @property
    def source_name(self) -> str:
        """File of the film or of the pipe, or number of the camera; "" for none."""
        return str(int(self.number.value())) if self.kind == CAMERA else self.path.text().strip()

    @property
    def looks_for_tag(self) -> bool:
        """Whether a tag is looked for, and not a ball."""
        return self.target.currentData() == TAG

    def show_watching(self, is_watching: bool, has_rows: bool) -> None:
        """Show whether a source is watched, and whether there is anything to save."""
        self._is_watching = is_watching
        for field in (self.source, self.path, self.number, self.browse, self.target, self.tag, self.size):
            field.setEnabled(not is_watching)
        for field in (self.calibration, self.browse_calibration, self.upright, self.more):
            field.setEnabled(not is_watching)
        self.save.setVisible(has_rows)
        self._name_button()

    def show_progress(self, pictures: int, total: int) -> None:
        """Show how many pictures of a film are read; hidden for a total of 0."""
        self.progress.setVisible(total > 0)
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(min(pictures, total))

    def show_texts(self, state: str, error: str) -> None:
        """Show the received rows and a problem; "" for none."""
        self.state.show_text(state)
        self.error.show_text(error)

    def _show_fields(self) -> None:
        """Show the fields of the chosen source and of what is looked for."""
        is_camera = self.kind == CAMERA
        self.path.setVisible(not is_camera)
        self.browse.setVisible(not is_camera)
        self.number.setVisible(is_camera)
        self.path.setPlaceholderText(self.tr("film.mp4") if self.kind == FILM else self.tr("named pipe (YUV4MPEG2)"))
        self.path.setAccessibleName(self.tr("File of the film") if self.kind == FILM else self.tr("Named pipe"))
        self.tag.setVisible(self.looks_for_tag)
        if self.looks_for_tag:
            text, tip = self.tr("Side"), self.tr("Side of the black square of the tag")
        else:
            text, tip = self.tr("Diameter"), self.tr("Diameter of the ball")
        self.labels["size"].setText(text)
        self.size.setToolTip(tip)
        self.size.setAccessibleName(tip)

    def _name_button(self) -> None:
        self.watch.setText(self.tr("Stop") if self._is_watching else self.tr("Watch"))

    def _ask_source(self) -> None:
        films = self.tr("Films ({endings})").format(endings=" ".join(f"*{ending}" for ending in FILM_ENDINGS))
        kinds = films if self.kind == FILM else ""
        self._ask(self.path, self.tr("Choose a film"), kinds)

    def _ask_calibration(self) -> None:
        kinds = self.tr("Calibrations ({endings})").format(endings="*.toml")
        self._ask(self.calibration, self.tr("Choose a calibration"), kinds)

    def _ask(self, field: QLineEdit, title: str, kinds: str) -> None:
        """Ask for a file, and put its path into a field."""
        folder = str(Path(field.text()).parent) if field.text() else str(Path.cwd())
        name, _ = QFileDialog.getOpenFileName(self, title, folder, kinds)
        if name:
            field.setText(name)
