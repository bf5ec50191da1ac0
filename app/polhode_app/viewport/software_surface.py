"""Surface for software rendering: frames of an off-screen plotter are painted like an ordinary widget.

Qt composes a native OpenGL widget with its window by OpenGL, the whole window for each frame of the widget. With a GPU
this is free, with software rendering it takes as long as rendering the frame.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkWindowToImageFilter

if TYPE_CHECKING:
    from pyvistaqt import QtInteractor

MOUSE = (
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
)


def text_dpi(widget: QWidget) -> int:
    """Resolution [1/inch] by which text in the picture is as large as that of the widgets around it."""
    app = QCoreApplication.instance()
    letters = app.property("letters_scale") if app is not None else None
    return round(72 * widget.devicePixelRatioF() * (letters or 1.0))


class SoftwareSurface(QWidget):
    """Shows the frames of a plotter that is in no window, and forwards mouse events to it."""

    def __init__(self, plotter: QtInteractor, parent: QWidget):
        super().__init__(parent)
        self._plotter, self._window = plotter, plotter.render_window
        self._reader = vtkWindowToImageFilter()  # unlike methods of the window it releases the GIL while it reads
        self._reader.SetInput(self._window)
        self._reader.SetInputBufferTypeToRGBA()
        self._reader.ShouldRerenderOff()
        self._reader.ReadFrontBufferOff()
        self._image = QImage()
        self.is_due = True  # the next paint event renders a frame
        self.drawn_in = 0.0  # [s] that the last frame took
        self.setMouseTracking(True)
        self.setFocusPolicy(plotter.focusPolicy())
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        plotter.resize(1, 1)
        plotter.iren.interactor.EnableRenderOff()
        plotter.grabFramebuffer()  # creates the OpenGL context

    def update(self) -> None:
        """Render and show a frame.

        Repaints for other reasons, such as an overlay, show the last frame without rendering.
        """
        self.is_due = True
        super().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the last frame, rendering it before if `update` was called."""
        if self.is_due:
            self.is_due = False
            self._draw()
        painter = QPainter(self)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)  # opaque
        painter.drawImage(0, 0, self._image)

    def _draw(self) -> None:
        """Render the plotter into the image."""
        self._fit()
        begun = time.perf_counter()
        self._window.MakeCurrent()
        self._window.Render()
        self._reader.Modified()
        self._reader.Update()
        frame = self._reader.GetOutput()
        width, height, _ = frame.GetDimensions()
        pixels = vtk_to_numpy(frame.GetPointData().GetScalars())
        seen = QImage(pixels.data, width, height, QImage.Format.Format_RGBX8888)
        self._image = seen.flipped(Qt.Orientation.Vertical)  # VTK has the bottom row first
        self._image.setDevicePixelRatio(self.devicePixelRatioF())
        self.drawn_in = time.perf_counter() - begun

    def _fit(self) -> None:
        """Set size and DPI of the render window to those of the widget."""
        ratio = self.devicePixelRatioF()
        size = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        if size != self._window.GetSize():
            self._plotter.iren.interactor.UpdateSize(*size)
        self._window.SetDPI(text_dpi(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the render window to the new size."""
        self._fit()
        self.is_due = True

    def event(self, event: QEvent) -> bool:
        """Forward mouse events to the plotter."""
        if event.type() in MOUSE:
            return QCoreApplication.sendEvent(self._plotter, event)
        return super().event(event)
