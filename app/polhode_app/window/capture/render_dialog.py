"""Dialog for the options of a picture or a film: size, overlay, camera, time, speed and file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QHBoxLayout, QLabel, QPushButton, QWidget

from polhode_app.export.camera_path import CameraKey
from polhode_app.i18n.language import tr
from polhode_app.window.widgets.export_dialog import LONGEST, ExportDialog
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160), (7680, 4320))
LARGEST = 8192  # [pixel] width and height
FORMATS = {
    "MP4": ".mp4",
    "WebM": ".webm",
    "GIF": ".gif",
    QT_TRANSLATE_NOOP("ShotDialog", "PNG sequence"): "-%04d.png",
}
BYTES = {".mp4": 0.005, ".webm": 0.004, ".gif": 0.35, "-%04d.png": 0.7}
"""Bytes per pixel and frame of films of scenes of the gallery, within a factor of 2 from 960 x 540 to 1920 x 1080."""


@dataclass(frozen=True)
class RenderOptions:
    """Options entered in the dialog."""

    path: Path
    size: tuple[int, int]  # [pixel] width, height
    clock: bool  # draw the simulated time
    plots: bool  # draw the open plots
    transparent: bool = False  # transparent background, for pictures
    plain: bool = False  # without axes and the scale bar
    pauses: bool = False  # the run, while a film is rendered
    fps: float = 30.0  # [1/s] frames of the film
    speed: float = 1.0  # simulated seconds per second of film
    begin: float = 0.0  # [s] simulated time of the first frame
    until: float = 0.0  # [s] simulated time of the last frame
    turn: float = 0.0  # [s] of the film for one orbit of the camera; 0: no orbit
    keys: tuple[CameraKey, ...] = ()  # keys of the camera path


class RenderDialog(ExportDialog):
    """Asks for the options (RenderOptions) of a picture, or of a film if `camera_at` is given."""

    def __init__(
        self,
        parent: QWidget,
        view_size: tuple[int, int],
        path: Path,
        span: tuple[float, float] = (0.0, 0.0),
        camera_at: Callable[[float], CameraKey] | None = None,
    ):
        """Create the dialog.

        `view_size` is (width, height) of the view [pixel], `path` the proposed file, `span` the proposed start and end
        [s] of a film. `camera_at(time)` returns the current camera pose as a key at a time [s] of the film; None asks
        for a picture.
        """
        super().__init__(parent, tr("Export image") if camera_at is None else tr("Render video"), path)
        self._view_size, self._camera_at, self._keys = view_size, camera_at, []
        self._add_size()
        self.clock, self.plots = QCheckBox(self.tr("Clock")), QCheckBox(self.tr("Open plots"))
        self.transparent = QCheckBox(self.tr("Transparent background"))
        self.annotations = QCheckBox(self.tr("Axes and scale bar"))
        self.annotations.setChecked(True)
        self.form.addRow(self.tr("Overlay"), self.clock)
        self.form.addRow("", self.plots)
        self.form.addRow("", self.annotations)
        if camera_at is None:
            self.form.addRow("", self.transparent)
        else:
            self._add_pace(span)
            self._add_camera()
            self.pauses = QCheckBox(self.tr("Pause the run meanwhile"))
            self.pauses.setToolTip(self.tr("Both together would take several times as long"))
            self.pauses.setChecked(True)
            self.form.addRow("", self.pauses)
        self.add_path()
        self.summary = QLabel()
        self.lay_out(below=self.summary)
        self._update_summary()

    def _add_size(self) -> None:
        """Add the row of the size."""
        self.sizes = ComboBox()
        self.sizes.addItem(self.tr("Match view"), self._view_size)
        for width, height in SIZES:
            self.sizes.addItem(f"{width} × {height}", (width, height))
        self.sizes.addItem(self.tr("Other"), None)
        self.width_box, self.height_box = (SpinBox(2, LARGEST, "px", 0) for _ in range(2))
        row = QHBoxLayout()
        for widget, share in ((self.sizes, 1), (self.width_box, 1), (QLabel("×"), 0), (self.height_box, 1)):
            row.addWidget(widget, share)
        self.form.addRow(self.tr("Size"), row)
        self.sizes.setCurrentIndex(2)
        self.sizes.currentIndexChanged.connect(lambda _row: self._show_size())
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(lambda _value: self._update_summary())
        self._show_size()

    def _show_size(self) -> None:
        """Show the selected size; only "Other" can be edited."""
        size = self.sizes.currentData()
        for box, value in zip((self.width_box, self.height_box), size or (0, 0), strict=True):
            box.setEnabled(size is None)
            if size is not None:
                box.setValue(value)

    def _add_pace(self, span: tuple[float, float]) -> None:
        """Add the rows of format, frame rate, speed and times."""
        self.kind = ComboBox()
        for name, ending in FORMATS.items():
            self.kind.addItem(self.tr(name), ending)
        self.kind.currentIndexChanged.connect(lambda row: self._set_ending(self.kind.itemData(row)))
        self.fps = self._make_box(1.0, 240.0, "1/s", 30.0)
        self.speed = self._make_box(1e-3, 1e3, "×", 1.0)
        self.begin = self._make_box(0.0, LONGEST, "s", span[0])
        self.until = self._make_box(0.0, LONGEST, "s", span[1])
        for text, widget in (
            (self.tr("Format"), self.kind),
            (self.tr("Frames"), self.fps),
            (self.tr("Speed"), self.speed),
            (self.tr("Start time"), self.begin),
            (self.tr("End time"), self.until),
        ):
            self.form.addRow(text, widget)

    def _make_box(self, low: float, high: float, unit: str, value: float) -> SpinBox:
        """Create a spin box that updates the summary."""
        box = SpinBox(low, high, unit)
        box.setValue(value)
        box.valueChanged.connect(lambda _value: self._update_summary())
        return box

    def _add_camera(self) -> None:
        """Add the row of the camera: fixed, orbit, or keyframes."""
        self.camera = ComboBox()
        self.camera.addItems([self.tr("Match view"), self.tr("One orbit"), self.tr("Through keyframes")])
        self.turn = self._make_box(0.5, 1e4, "s", 12.0)
        self.add_key = QPushButton(self.tr("Add keyframe"))
        self.add_key.setToolTip(self.tr("The camera takes its current view at this time of the film"))
        self.key_time = self._make_box(0.0, LONGEST, "s", 0.0)
        row = QHBoxLayout()
        for widget in (self.camera, self.turn, self.key_time, self.add_key):
            row.addWidget(widget)
        self.form.addRow(self.tr("Camera"), row)
        self.camera.currentIndexChanged.connect(lambda _row: self._show_camera())
        self.add_key.clicked.connect(self._add_keyframe)
        self._show_camera()

    def _show_camera(self) -> None:
        """Show the widgets of the selected camera motion."""
        row = self.camera.currentIndex()
        self.turn.setVisible(row == 1)
        self.key_time.setVisible(row == 2)
        self.add_key.setVisible(row == 2)
        self._update_summary()

    def _add_keyframe(self) -> None:
        """Add the current camera pose at the entered time, replacing a key at the same time."""
        assert self._camera_at is not None
        time = self.key_time.value()
        others = [key for key in self._keys if key.time != time]
        self._keys = sorted([*others, self._camera_at(time)], key=lambda key: key.time)
        self.key_time.setValue(time + 2.0)
        self._update_summary()

    def _set_ending(self, ending: str) -> None:
        """Set the ending of the file name by the format."""
        stem = self.path.text()
        for known in (*FORMATS.values(), ".png"):
            stem = stem.removesuffix(known)
        self.path.setText(stem + ending)

    def _show_bytes(self, pixels: int) -> None:
        """Name the formats with the size of a file; `pixels` is the number in all of its frames."""
        for row, (name, ending) in enumerate(FORMATS.items()):
            size = self.tr("about {size}").format(size=_bytes_text(BYTES[ending] * pixels))
            self.kind.setItemText(row, f"{self.tr(name)} ({size})")

    @property
    def options(self) -> RenderOptions:
        """The entered options."""
        size = round(self.width_box.value()), round(self.height_box.value())
        shared = Path(self.path.text()), size, self.clock.isChecked(), self.plots.isChecked()
        plain = not self.annotations.isChecked()
        if self._camera_at is None:
            return RenderOptions(*shared, self.transparent.isChecked(), plain)
        camera = self.camera.currentIndex()
        keys = tuple(self._keys) if camera == 2 and self._keys else (self._camera_at(0.0),)
        pace = self.fps.value(), self.speed.value(), self.begin.value(), self.until.value()
        return RenderOptions(
            *shared, False, plain, self.pauses.isChecked(), *pace, self.turn.value() if camera == 1 else 0.0, keys
        )

    def _update_summary(self) -> None:
        """Show length, frames and keys of a film; disable saving of invalid options."""
        if not hasattr(self, "summary"):
            return
        options, fits = self.options, True
        if self._camera_at is not None:
            seconds = max(0.0, options.until - options.begin) / options.speed
            fits = options.until > options.begin
            text = self.tr("{seconds} s of film, {frames} frames, keyframes of the camera: {keys}")
            count = int(seconds * options.fps) + 1
            self._show_bytes(count * options.size[0] * options.size[1])
            self.summary.setText(text.format(seconds=f"{seconds:.4g}", frames=count, keys=len(self._keys)))
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(fits and min(options.size) >= 2)


def _bytes_text(size: float) -> str:
    """A size [bytes] with one digit: 9134567 is "9 MB"."""
    rounded = float(f"{max(size, 1e4):.1g}")
    return f"{rounded / 1e9:g} GB" if rounded >= 1e9 else f"{rounded / 1e6:g} MB"
