"""The 3-D view as a Qt widget: the only file that knows QtInteractor, and the only one that draws."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pyvistaqt import QtInteractor
from vtkmodules.vtkRenderingCore import vtkCellPicker

from app.pyside_workaround import keep_surfaces
from app.viewport.base.antialiasing import drawn_by_processor, smooth_edges
from app.viewport.base.camera import FittedCamera, keep_in_view, orbit
from app.viewport.base.camera_animation import LASTS, CameraPose, between, pose_of, see_all, set_camera
from app.viewport.base.picture import picture, pixels
from app.viewport.picking.picking import Ray, ray_at
from app.viewport.software_surface import SoftwareSurface

FRAME = 16  # [ms] between two looks at the newest snapshot
TURN = 0.007  # [rad/pixel] that a drag turns the view
CLICK = 4.0  # [pixel] a press and release closer than this is a click, not a drag
HANDS = (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.Wheel)
KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)


class ViewWidget(QWidget):
    """A plotter in a widget. Per frame `change` writes the newest data; if it returns True, one draw follows.

    It keeps the last picture while `is_ready` says that what is to be drawn is not complete; where it has to be drawn
    or is touched nevertheless, `complete` is called first.
    """

    drawn = Signal()  # a frame is on the screen
    clicked = Signal(QPointF)  # place in the widget
    asked = Signal(QPointF)  # place in the widget, where a menu is wanted

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.plotter = QtInteractor(auto_update=False)
        software = drawn_by_processor(self.plotter.render_window)
        keep_surfaces(self.plotter)
        self.surface: QWidget = SoftwareSurface(self.plotter, self) if software else self.plotter
        self.change: Callable[[], bool] = lambda: False
        self.is_ready: Callable[[], bool] = lambda: True
        self.complete: Callable[[], None] = lambda: None
        self.grasps: list[Callable[[QMouseEvent], bool]] = []  # who takes an event of the mouse says True
        self.open_hand = False  # whether a plain drag takes hold of things
        self._stale = True  # the camera or the scene changed since the last draw
        self._press = QPointF()
        self._turned_from: QPointF | None = None  # where the pointer was last, while it turns the view
        self._kept = FittedCamera()
        self._way: tuple[CameraPose, CameraPose, float] | None = None  # of the camera, and wall time [s] when it began
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.surface)
        self.surface.setAcceptDrops(False)  # a plotter would take dropped meshes for itself
        self.surface.installEventFilter(self)
        smooth_edges(self.plotter.render_window)
        self._may_draw = True
        self._draw_without_lock()
        self.plotter.enable_custom_trackball_style(
            left="rotate", shift_left="pan", control_left="spin", middle="pan", right="pan"
        )
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._frame)

    def start(self) -> None:
        self._timer.start(FRAME)

    def _draw_without_lock(self) -> None:
        """Let the physics go on while a frame is drawn.

        An interactor that draws keeps Python's lock until it is done, the render window itself gives it back meanwhile.
        """
        interactor, window = self.plotter.iren.interactor, self.plotter.render_window

        def draw(*_: object) -> None:
            if self._may_draw:
                window.Render()

        interactor.EnableRenderOff()  # then it only says that it would draw
        self._drawer = interactor.AddObserver("RenderEvent", draw)

    def redraw(self) -> None:
        """Draw at the next frame even if no data change."""
        self._stale = True

    def stop(self) -> None:
        """The last thing to call: no drawing after it."""
        self.blockSignals(True)  # a frame that was drawn just now is still on its way to those who wait for it
        self._timer.stop()
        self.surface.removeEventFilter(self)
        self.plotter.iren.interactor.RemoveObserver(self._drawer)  # VTK holds it, and it holds this widget
        self.plotter.close()
        if self.surface is not self.plotter:  # no widget owns it: Python would delete it at any time, in any thread
            shiboken6.delete(self.plotter)

    def glide(self, change: Callable[[], None]) -> None:
        """Let `change` place the camera, and go there smoothly."""
        camera = self.plotter.renderer.GetActiveCamera()
        before = pose_of(camera)
        change()
        self._way = before, pose_of(camera), time.perf_counter()
        set_camera(camera, before)
        self.redraw()

    @property
    def glides(self) -> bool:
        """Whether the camera is on its way."""
        return self._way is not None

    def _go_on(self) -> None:
        if self._way is None:
            return
        one, other, begun = self._way
        share = (time.perf_counter() - begun) / LASTS
        set_camera(self.plotter.renderer.GetActiveCamera(), between(one, other, share))
        self._way = self._way if share < 1 else None
        self._stale = True

    def _frame(self) -> None:
        changed = self.change()
        self._go_on()
        if (changed or self._stale) and self.is_ready():
            self._stale = False
            see_all(self.plotter.renderer)
            self.surface.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys go to the window's actions, never to VTK; a drag moves the camera, and the next frame draws it."""
        kind = event.type()
        if kind in KEYS:
            event.ignore()
            return True
        if kind in HANDS:
            self._may_draw = False  # VTK would draw at every event of the mouse, several times per frame
            self._stale = True
            if kind == QEvent.Type.MouseButtonPress:
                self.complete()
            if isinstance(event, QMouseEvent) and any(grasp(event) for grasp in self.grasps):
                return True
            if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel):
                self._way = None  # a hand takes it
            self._watch_click(event)
            if self._turn(event):
                return True
        elif isinstance(event, QResizeEvent):
            self._kept = keep_in_view(self.plotter.renderer.GetActiveCamera(), self._kept, aspect(event.size()))
            see_all(self.plotter.renderer)  # it is painted before the next frame
            self._stale = True
        elif kind == QEvent.Type.Paint:
            if not isinstance(self.surface, SoftwareSurface) or self.surface.is_due:
                self.complete()
            self._may_draw = True
            QTimer.singleShot(0, self.drawn.emit)
        return super().eventFilter(watched, event)

    def _turn(self, event: QEvent) -> bool:
        """A plain left drag keeps the horizon level, which VTK's own would roll; True if the event is used up."""
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
            self._turned_from = event.position() if plain else None
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._turned_from = None
        elif self._turned_from is not None:
            moved = event.position() - self._turned_from
            self._turned_from = event.position()
            orbit(self.plotter.renderer.GetActiveCamera(), -TURN * moved.x(), TURN * moved.y())
            return True
        return False

    def _watch_click(self, event: QEvent) -> None:
        left, right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
        if not isinstance(event, QMouseEvent) or event.button() not in (left, right):
            return
        if event.type() == QEvent.Type.MouseButtonPress:
            self._press = event.position()
        elif (event.position() - self._press).manhattanLength() < CLICK:
            (self.clicked if event.button() == left else self.asked).emit(event.position())

    def show_hand(self, holds: bool) -> None:
        """The pointer while something is held, or no longer: then an open hand, where that would take hold."""
        if holds:
            self.surface.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self.open_hand:
            self.surface.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.surface.unsetCursor()

    def point_at(self, set_camera: QPointF) -> np.ndarray | None:
        """(3,) point of the scene that is seen at a place of the widget, or None."""
        ratio = self.surface.devicePixelRatioF()
        picker = vtkCellPicker()
        picker.SetTolerance(0.0)
        y = self.surface.height() - 1 - set_camera.y()
        hit = picker.Pick(set_camera.x() * ratio, y * ratio, 0, self.plotter.renderer)
        return np.array(picker.GetPickPosition()) if hit else None

    def ray_at(self, set_camera: QPointF) -> Ray:
        """What is seen at a place of the widget."""
        ratio = self.surface.devicePixelRatioF()
        y = self.surface.height() - 1 - set_camera.y()
        return ray_at(self.plotter.renderer, set_camera.x() * ratio, y * ratio)

    def toggle_parallel(self) -> None:
        """Between perspective and parallel projection; what is in the middle keeps its size."""
        camera = self.plotter.renderer.GetActiveCamera()
        slope = np.tan(np.radians(camera.GetViewAngle() / 2))
        if camera.GetParallelProjection():  # the wheel has changed the scale, not the distance
            middle, ahead = np.array(camera.GetFocalPoint()), np.array(camera.GetDirectionOfProjection())
            camera.SetPosition(*(middle - ahead * camera.GetParallelScale() / slope))
        else:
            camera.SetParallelScale(camera.GetDistance() * slope)
        camera.SetParallelProjection(not camera.GetParallelProjection())
        self.redraw()

    def pixels(self) -> np.ndarray:
        """(height, width, 3) uint8 of the last frame, top row first."""
        self.plotter.render_window.MakeCurrent()
        return pixels(self.plotter)

    def save_picture(self, path: Path, about: Mapping[str, str] | None = None) -> None:
        """The last frame as a PNG file. Raises InputError where it can't be written."""
        self.plotter.render_window.MakeCurrent()
        picture(self.plotter, path, about)


def aspect(size: QSize) -> float:
    """Width of a picture in its height."""
    return size.width() / max(size.height(), 1)
