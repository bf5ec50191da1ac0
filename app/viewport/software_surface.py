"""What a plotter draws, painted into the window like any other widget, for where the processor draws.

Qt puts a plotter of its own and the window around it together by OpenGL, the whole window for each of the plotter's
frames. A graphics card does that in no time. A processor takes as long for it as for drawing the frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

if TYPE_CHECKING:
    from pyvistaqt import QtInteractor

MOUSE = (
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
)


class SoftwareSurface(QWidget):
    """A widget for a plotter that is in no window: it shows its frames and hands on the mouse."""

    def __init__(self, plotter: QtInteractor, parent: QWidget):
        super().__init__(parent)
        self._plotter, self._window = plotter, plotter.render_window
        self._pixels = vtkUnsignedCharArray()
        self._image = QImage()
        self.is_due = True  # what is painted next is drawn first
        self.setMouseTracking(True)
        self.setFocusPolicy(plotter.focusPolicy())
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        plotter.resize(1, 1)
        plotter.iren.interactor.EnableRenderOff()
        plotter.grabFramebuffer()  # or it would have no OpenGL

    def update(self) -> None:
        """Draw a frame and show it; one that is painted again because of what is over it is not drawn again."""
        self.is_due = True
        super().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.is_due:
            self.is_due = False
            self._draw()
        painter = QPainter(self)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)  # nothing shows through
        painter.drawImage(0, 0, self._image)

    def _draw(self) -> None:
        self._fit()
        self._window.MakeCurrent()
        self._window.Render()
        width, height = self._window.GetSize()
        self._window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, self._pixels, 0)
        seen = QImage(vtk_to_numpy(self._pixels).data, width, height, QImage.Format.Format_RGBX8888)
        self._image = seen.flipped(Qt.Orientation.Vertical)  # from the bottom row up to the top row first
        self._image.setDevicePixelRatio(self.devicePixelRatioF())

    def _fit(self) -> None:
        ratio = self.devicePixelRatioF()
        size = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        if size != self._window.GetSize():
            self._plotter.iren.interactor.UpdateSize(*size)
        self._window.SetDPI(round(72 * ratio))  # letters are as large as those around

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        self.is_due = True

    def event(self, event: QEvent) -> bool:
        if event.type() in MOUSE:
            return QCoreApplication.sendEvent(self._plotter, event)
        return super().event(event)
