"""The 3-D view as a Qt widget. The only module that uses QtInteractor, and the only one that triggers rendering."""

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

from polhode_app.pyside_workaround import keep_surfaces, release_surfaces
from polhode_app.viewport.base.camera import FittedCamera, keep_in_view, orbit
from polhode_app.viewport.base.camera_animation import (
    ASPECT,
    LASTS,
    NO_SHIFT,
    WHOLE,
    CameraPose,
    FreeArea,
    PictureShift,
    between,
    pose_of,
    see_all,
    set_camera,
)
from polhode_app.viewport.base.opengl import drawn_by_processor, smooth_edges
from polhode_app.viewport.base.picture import picture, pixels
from polhode_app.viewport.picking.picking import Ray, ray_at
from polhode_app.viewport.software_surface import SoftwareSurface, text_dpi

FRAME = 16  # [ms] interval of frames
TURN = 0.007  # [rad/pixel] rotation of the camera by a drag
CLICK = 4.0  # [pixel] a press and a release closer than this are a click, not a drag
HANDS = (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.Wheel)
KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)


class ViewWidget(QWidget):
    """A pyvista plotter in a widget.

    Once per frame the callback `change` updates the scene; if it returns True, or after `redraw`, the frame is
    rendered. As long as `is_ready` returns False the last picture is kept; if a paint or mouse event needs a complete
    scene nevertheless, `complete` is called first.
    """

    drawn = Signal()  # a frame has been painted
    clicked = Signal(QPointF)  # position in the widget
    asked = Signal(QPointF)  # position in the widget of a request for a context menu
    camera_moved = Signal()  # by the mouse

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.plotter = QtInteractor(auto_update=False)
        self.is_software = drawn_by_processor(self.plotter.render_window)  # the processor draws
        keep_surfaces(self.plotter)
        self.surface: QWidget = SoftwareSurface(self.plotter, self) if self.is_software else self.plotter
        self.change: Callable[[], bool] = lambda: False
        self.is_ready: Callable[[], bool] = lambda: True
        self.complete: Callable[[], None] = lambda: None
        self.grasps: list[Callable[[QMouseEvent], bool]] = []  # mouse handlers in order; True consumes the event
        self.open_hand = False  # a plain drag grabs objects
        self._stale = True  # the camera or the scene has changed since the last frame
        self._drawn_in = 0.0  # [s] that the last frame took
        self._press = QPointF()
        self._turned_from: QPointF | None = None  # last position of the pointer while it rotates the view
        self._kept = FittedCamera()
        self.shows_whole = False  # the free area is not observed, such as while a film is recorded
        self._free_area, self._shift = WHOLE, NO_SHIFT
        self._shifting: tuple[PictureShift, PictureShift, float] | None = None  # start, end, wall time [s] of start
        self._animation: tuple[CameraPose, CameraPose, float] | None = (
            None  # animation: start, end, wall time [s] of start
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.surface)
        self.surface.setAcceptDrops(False)  # otherwise the plotter would accept dropped meshes
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
        """Start the frame timer."""
        self._timer.start(FRAME)

    @property
    def draw_time(self) -> float:
        """How long [s] the last frame took, once for each frame; 0.0 if none was rendered since."""
        seconds, self._drawn_in = self._drawn_in, 0.0
        if isinstance(self.surface, SoftwareSurface):
            seconds, self.surface.drawn_in = self.surface.drawn_in, 0.0
        return seconds

    def _draw_without_lock(self) -> None:
        """Release the GIL during rendering, so that the physics thread can run.

        An interactor keeps the GIL while it renders; vtkRenderWindow.Render called from Python releases it.
        """
        interactor, window = self.plotter.iren.interactor, self.plotter.render_window

        def draw(*_: object) -> None:
            if self._may_draw:
                begun = time.perf_counter()
                window.Render()
                window.WaitForCompletion()  # of the graphics card
                self._drawn_in = time.perf_counter() - begun

        interactor.EnableRenderOff()  # then it only emits RenderEvent
        self._drawer = interactor.AddObserver("RenderEvent", draw)

    def redraw(self) -> None:
        """Render at the next frame even if `change` returns False."""
        self._stale = True

    def stop(self) -> None:
        """Stop all rendering and release the plotter; to be called last."""
        self.blockSignals(True)  # `drawn` of the last frame may still be queued
        self._timer.stop()
        self.surface.removeEventFilter(self)
        self.plotter.iren.interactor.RemoveObserver(self._drawer)  # breaks a cycle of references through VTK
        self.plotter.close()
        release_surfaces(self.plotter)
        if self.surface is not self.plotter:  # without a parent Python might delete it in any thread
            shiboken6.delete(self.plotter)

    def glide(self, change: Callable[[], None]) -> None:
        """Call `change`, which sets the camera, and animate the camera from its previous pose to the new one."""
        camera = self.plotter.renderer.GetActiveCamera()
        before = pose_of(camera)
        change()
        self._animation = before, pose_of(camera), time.perf_counter()
        set_camera(camera, before)
        self.redraw()

    @property
    def glides(self) -> bool:
        """Whether the camera is being animated."""
        return self._animation is not None

    def set_free_area(self, area: FreeArea) -> None:
        """Show what the camera frames in a part of the view, because something covers the rest of it."""
        self._free_area = area

    def _keep_in_view(self, size: QSize) -> None:
        """Adapt the distance of the camera to the shape of the view.

        Where the picture is shifted into a free area that makes it smaller already, as far as the view is narrow.
        """
        shape = aspect(size)
        if self._free_area != WHOLE and not self.shows_whole:
            shape = max(shape, ASPECT)
        if shape != self._kept.shape:
            self._kept = keep_in_view(self.plotter.renderer.GetActiveCamera(), self._kept, shape)
            self._stale = True

    def _shift_picture(self) -> None:
        """Advance the shift of the picture into the free area."""
        self._keep_in_view(self.surface.size())
        wanted = NO_SHIFT if self.shows_whole else self._free_area.shift(aspect(self.surface.size()))
        if self._shifting is None or self._shifting[1] != wanted:
            self._shifting = self._shift, wanted, time.perf_counter()
        start, end, begun = self._shifting
        now = start.towards(end, (time.perf_counter() - begun) / LASTS)
        if now != self._shift:
            self._shift, self._stale = now, True
            now.apply(self.plotter.renderer.GetActiveCamera())

    def _go_on(self) -> None:
        """Advance the animations of the camera."""
        self._shift_picture()
        if self._animation is None:
            return
        one, other, begun = self._animation
        share = (time.perf_counter() - begun) / LASTS
        set_camera(self.plotter.renderer.GetActiveCamera(), between(one, other, share))
        self._animation = self._animation if share < 1 else None
        self._stale = True

    def _frame(self) -> None:
        """Update and, if necessary, render a frame."""
        changed = self.change()
        self._go_on()
        if (changed or self._stale) and self.is_ready():
            self._stale = False
            see_all(self.plotter.renderer)
            self.plotter.render_window.SetDPI(text_dpi(self))
            self.surface.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle events of the surface: keys are left to the actions of the window, mouse events move the camera.

        The camera events do not render by themselves; the next frame does.
        """
        kind = event.type()
        if kind in KEYS:
            event.ignore()
            return True
        if kind in HANDS:
            self._may_draw = False  # VTK would render at each mouse event, several times per frame
            self._stale = True
            if kind == QEvent.Type.MouseButtonPress:
                self.complete()
            if isinstance(event, QMouseEvent) and any(grasp(event) for grasp in self.grasps):
                return True
            if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel):
                self._animation = None  # user input ends the animation
            self._watch_click(event)
            if self._moves_camera(event):
                self.camera_moved.emit()
            if self._turn(event):
                return True
        elif isinstance(event, QResizeEvent):
            self._keep_in_view(event.size())
            see_all(self.plotter.renderer)  # the widget is painted before the next frame
            self._stale = True
        elif kind == QEvent.Type.Paint:
            if not isinstance(self.surface, SoftwareSurface) or self.surface.is_due:
                self.complete()
            self._may_draw = True
            QTimer.singleShot(0, self, self.drawn.emit)
        return super().eventFilter(watched, event)

    def _turn(self, event: QEvent) -> bool:
        """Rotate the camera by a plain left drag; True if the event was consumed.

        Unlike VTK's trackball style this keeps the horizon level.
        """
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
        """Emit `clicked` or `asked` if press and release are close to each other."""
        left, right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
        if not isinstance(event, QMouseEvent):
            return
        if event.type() == QEvent.Type.MouseButtonPress:
            self._press = event.position()
        elif event.button() in (left, right) and (event.position() - self._press).manhattanLength() < CLICK:
            (self.clicked if event.button() == left else self.asked).emit(event.position())

    def _moves_camera(self, event: QEvent) -> bool:
        """Whether an event of the surface is a drag or a turn of the wheel, each of which moves the camera."""
        if isinstance(event, QMouseEvent):
            return bool(event.buttons()) and (event.position() - self._press).manhattanLength() >= CLICK
        return event.type() == QEvent.Type.Wheel

    def show_hand(self, holds: bool) -> None:
        """Set the cursor: a closed hand while something is held, an open hand while the grab tool is on."""
        if holds:
            self.surface.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self.open_hand:
            self.surface.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.surface.unsetCursor()

    def point_at(self, set_camera: QPointF) -> np.ndarray | None:
        """(3,) [m] point of the scene under a position of the widget, laboratory frame; None if there is none."""
        ratio = self.surface.devicePixelRatioF()
        picker = vtkCellPicker()
        picker.SetTolerance(0.0)
        y = self.surface.height() - 1 - set_camera.y()
        hit = picker.Pick(set_camera.x() * ratio, y * ratio, 0, self.plotter.renderer)
        return np.array(picker.GetPickPosition()) if hit else None

    def ray_at(self, set_camera: QPointF) -> Ray:
        """The ray through a position of the widget."""
        ratio = self.surface.devicePixelRatioF()
        y = self.surface.height() - 1 - set_camera.y()
        return ray_at(self.plotter.renderer, set_camera.x() * ratio, y * ratio)

    def set_parallel(self, on: bool) -> None:
        """Set parallel or perspective projection; objects at the focal point keep their size."""
        camera = self.plotter.renderer.GetActiveCamera()
        if on == bool(camera.GetParallelProjection()):
            return
        slope = np.tan(np.radians(camera.GetViewAngle() / 2))
        if not on:  # zooming has changed the scale, not the distance
            middle, ahead = np.array(camera.GetFocalPoint()), np.array(camera.GetDirectionOfProjection())
            camera.SetPosition(*(middle - ahead * camera.GetParallelScale() / slope))
        else:
            camera.SetParallelScale(camera.GetDistance() * slope)
        camera.SetParallelProjection(on)
        self.redraw()

    def render(self) -> None:
        """Render a frame that is not painted, for `pixels`."""
        self.plotter.render_window.MakeCurrent()
        self.plotter.render_window.Render()

    def pixels(self) -> np.ndarray:
        """(height, width, 3) uint8 of the last frame, top row first."""
        self.plotter.render_window.MakeCurrent()
        return pixels(self.plotter)

    def save_picture(self, path: Path, about: Mapping[str, str] | None = None) -> None:
        """Save the view as PNG with metadata `about`, rendered again, as if nothing covered it.

        Raises InputError if the file cannot be written.
        """
        camera = self.plotter.renderer.GetActiveCamera()
        NO_SHIFT.apply(camera)
        self.render()
        try:
            picture(self.plotter, path, about)
        finally:
            self._shift.apply(camera)
            self.redraw()


def aspect(size: QSize) -> float:
    """Aspect ratio width / height."""
    return size.width() / max(size.height(), 1)
