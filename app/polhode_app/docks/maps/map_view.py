"""View of a map: the picture of two axes, or curves over one, with the path of the running scene on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import QWidget

from polhode_app.data.maps.picture import Curve, Layer, draw_layer, packed
from polhode_app.window.accessibility.key_claims import PRESS
from polhode_app.window.widgets.canvas import Canvas, ShortNumberAxis, style_axes

WAIT = 350  # [ms] without another turn of the wheel after which the visible range is computed
POINT_SIZE, MARKER_SIZE = 5, 11  # [pixel]
PATH_COLOR = "#ffffff"
STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Down: (0, -1), Qt.Key.Key_Up: (0, 1)}
Extent = tuple[float, float, float, float]  # x of the left and right edge, y of the lower and upper one


class MapImage(pg.GraphicsObject):
    """The layers of a map, drawn for the visible range at the resolution of the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.layers: Sequence[Layer] = ()  # the last one is at the front
        self._range: Extent = (0.0, 1.0, 0.0, 1.0)
        self._pixels = np.zeros((1, 1), dtype=np.uint32)  # QImage refers to it
        self._image = QImage()

    def draw(self, view: Extent, width: int, height: int, background: int) -> None:
        """Draw the range `view` with this many pixels; `background` is the colour 0xffRRGGBB of unknown cells."""
        self._pixels = np.full((max(height, 1), max(width, 1)), background, dtype=np.uint32)
        for layer in self.layers:
            draw_layer(self._pixels, layer, view)
        rows, columns = self._pixels.shape
        self._image = QImage(self._pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
        self.prepareGeometryChange()
        self._range = view
        self.update()

    def boundingRect(self) -> QRectF:
        """The range that was drawn."""
        left, right, bottom, top = self._range
        return QRectF(QPointF(left, bottom), QPointF(right, top))

    def paint(self, painter: QPainter, *_args: object) -> None:
        """Called by Qt. Row 0 of the image is at the lower edge, as the plot's vertical axis points up."""
        painter.drawImage(self.boundingRect(), self._image)

    @property
    def pixels(self) -> np.ndarray:
        """(h, w) uint32 the pixels as they are drawn, row 0 at the bottom."""
        return self._pixels


class MapView(Canvas):
    """A plot whose axes are those of a sweep.

    The wheel zooms about the pointer and a drag moves the range; `range_chosen` follows when that has ended. A click
    chooses a cell. By keyboard, arrow keys go from cell to cell, from a clicked one on, and Return chooses. `build`
    must be called before the view is used.
    """

    range_chosen = Signal(object)  # Extent
    cell_clicked = Signal(int)
    cell_hovered = Signal(int)  # flat index, or -1
    cell_reached = Signal(int)  # by an arrow key
    claimed_keys = frozenset({*STEPS, *PRESS})

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setMinimumSize(160, 120)
        self._axes: tuple[np.ndarray, ...] = ()
        self._cell: int | None = None  # where the keyboard is
        self._unknown = 0xFFFFFFFF

    def build(self) -> Iterator[None]:
        """Make the plot and its items, in parts, between which the window can work."""
        self.ci.layout.setContentsMargins(2, 6, 12, 2)
        self.plot = self.addPlot(
            enableMenu=False, axisItems={side: ShortNumberAxis(side) for side in ("left", "bottom")}
        )
        style_axes(self.plot)
        self.plot.hideButtons()
        yield
        self._box = self.plot.getViewBox()
        self._box.setDefaultPadding(0.0)
        self.image = MapImage()
        self.image.setZValue(-10)
        self.plot.addItem(self.image)
        self.curve = self.plot.plot(connect="finite", symbol="o", symbolSize=POINT_SIZE, symbolPen=None)
        self._crosses = self.plot.plot(pen=None, symbol="x", symbolSize=2 * POINT_SIZE)
        self._path_edge = self.plot.plot(pen=pg.mkPen("#000000", width=3))
        self._path = self.plot.plot(pen=pg.mkPen(PATH_COLOR, width=1.4))
        self._marker = self.plot.plot(pen=None, symbol="o", symbolSize=MARKER_SIZE, symbolBrush="#ff3b7f")
        self._marker.setSymbolPen(pg.mkPen("#ffffff", width=2))
        self._chosen = self.plot.plot(pen=None, symbol="+", symbolSize=16, symbolPen=pg.mkPen("#000000", width=2))
        self._timer = QTimer(self, singleShot=True, interval=WAIT)
        self._timer.timeout.connect(lambda: self.range_chosen.emit(self.visible_range))
        self._box.sigRangeChanged.connect(lambda *_: self.redraw())
        self._box.sigRangeChangedManually.connect(lambda _axes: self._timer.start())
        self._box.sigResized.connect(lambda *_: self.redraw())
        self.scene().sigMouseClicked.connect(self._on_clicked)
        self.scene().sigMouseMoved.connect(self._on_moved)

    @property
    def visible_range(self) -> Extent:
        """The range that is seen."""
        (left, right), (bottom, top) = self._box.viewRange()
        return left, right, bottom, top

    def set_axes(self, axes: tuple[np.ndarray, ...], titles: tuple[str, str]) -> None:
        """Set the values of the axes that are shown, one or two, and the titles of both directions."""
        if tuple(map(len, axes)) != tuple(map(len, self._axes)):
            self._cell = None
        self._axes = axes
        self.draw_path(np.zeros(0), np.zeros(0))  # it was one over other axes
        for side, title in zip(("bottom", "left"), titles, strict=True):
            axis = self.plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setLabel(escape(title))
        is_picture = len(axes) == 2
        self.image.setVisible(is_picture)
        self._box.setMouseEnabled(x=True, y=is_picture)
        self.plot.showGrid(x=not is_picture, y=not is_picture, alpha=0.15)

    def set_range(self, extent: Extent) -> None:
        """Show this range; of curves only its horizontal part, as the other one follows the values."""
        self._timer.stop()
        left, right, bottom, top = extent
        self._box.setXRange(min(left, right), max(left, right), padding=0)
        if len(self._axes) == 2:
            self._box.disableAutoRange()
            self._box.setYRange(min(bottom, top), max(bottom, top), padding=0)
        else:
            self._box.enableAutoRange(axis=pg.ViewBox.YAxis)

    def show_layers(self, layers: Sequence[Layer]) -> None:
        """Show maps of two axes, the last one at the front."""
        self.image.layers = layers
        self.curve.setData([], [])
        self._crosses.setData([], [])
        self.redraw()

    def show_curve(self, curve: Curve) -> None:
        """Show values over the one axis, with crosses where they are uncertain."""
        self.image.layers = ()
        if curve.colors:
            brushes = {color: pg.mkBrush(color) for color in set(curve.colors)}  # shared ones are drawn faster
            self.curve.setData(curve.x, curve.y, pen=None, symbolBrush=[brushes[color] for color in curve.colors])
        else:
            line = pg.mkPen(self._curve_color, width=1.5)
            self.curve.setData(curve.x, curve.y, pen=line, symbolBrush=pg.mkBrush(self._curve_color))
        self._crosses.setData(curve.x[curve.uncertain], curve.y[curve.uncertain])

    def redraw(self) -> None:
        """Draw the visible range again."""
        if len(self._axes) == 2 and self.isVisible():
            ratio, rect = self.devicePixelRatioF(), self._box.screenGeometry()
            if rect is not None:
                size = int(rect.width() * ratio), int(rect.height() * ratio)
                self.image.draw(self.visible_range, *size, self._unknown)

    def draw_path(self, xs: np.ndarray, ys: np.ndarray) -> None:
        """Draw the path of the running scene, values (n,) of both axes, with a marker at its end."""
        self._path_edge.setData(xs, ys)
        self._path.setData(xs, ys)
        self._marker.setData(xs[-1:], ys[-1:])

    @property
    def path_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Values (n,) of both axes of the drawn path."""
        xs, ys = self._path.getData()
        return (np.zeros(0), np.zeros(0)) if xs is None else (xs, ys)

    def mark(self, cell: tuple[float, float] | None) -> None:
        """Mark the cell that was chosen, by the values of its axes."""
        self._chosen.setData(*([[value] for value in cell] if cell is not None else ([], [])))

    def set_theme(self, palette: QPalette) -> None:
        """Apply a palette."""
        text, base = palette.color(QPalette.ColorRole.WindowText), palette.color(QPalette.ColorRole.Base)
        self._unknown, self._curve_color = int(packed(base.name())), palette.color(QPalette.ColorRole.Highlight)
        self.setBackground(base)
        for side in ("left", "bottom"):
            self.plot.getAxis(side).setPen(text)
            self.plot.getAxis(side).setTextPen(text)
        self._crosses.setSymbolPen(pg.mkPen("#d55e00", width=2))
        self.redraw()

    # Pointer

    def cell_at(self, where: QPointF) -> int:
        """Flat index of the cell at a position of the widget [pixel]; -1 beside the map."""
        at = self._box.mapSceneToView(where)
        if not self._axes or not self._box.sceneBoundingRect().contains(where):
            return -1
        indices = [_index(values, value) for values, value in zip(self._axes, (at.x(), at.y()), strict=False)]
        if any(index < 0 for index in indices):
            return -1
        return int(np.ravel_multi_index(tuple(indices), tuple(map(len, self._axes))))

    def position_of(self, cell: int) -> QPointF:
        """Position of the middle of a cell in the widget [pixel]."""
        indices = np.unravel_index(cell, tuple(map(len, self._axes)))
        values = [float(axis[k]) for axis, k in zip(self._axes, indices, strict=True)]
        return QPointF(self._box.mapViewToScene(QPointF(values[0], values[1] if len(values) > 1 else 0.0)))

    def _on_clicked(self, event: object) -> None:
        """Choose the cell under a click."""
        if event.button() == Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            cell = self.cell_at(event.scenePos())  # type: ignore[attr-defined]
            if cell >= 0:
                self._cell = cell
                self.cell_clicked.emit(cell)

    def _on_moved(self, where: QPointF) -> None:
        self.cell_hovered.emit(self.cell_at(where))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next cell, or choose the one that was reached; the first one is in the middle."""
        step, cell = STEPS.get(Qt.Key(event.key())), self._cell
        if not self._axes or (step is None and (event.key() not in PRESS or cell is None)):
            super().keyPressEvent(event)
        elif step is None:
            self.cell_clicked.emit(cell)
        else:
            shape = tuple(map(len, self._axes))
            if cell is None:
                left, right, bottom, top = self.visible_range
                middle = ((left + right) / 2, (bottom + top) / 2)
                at = [int(np.abs(values - value).argmin()) for values, value in zip(self._axes, middle, strict=False)]
            else:
                moved = zip(np.unravel_index(cell, shape), step, shape, strict=False)
                at = [min(max(int(index) + by, 0), count - 1) for index, by, count in moved]
            self._cell = int(np.ravel_multi_index(tuple(at), shape))
            self.cell_reached.emit(self._cell)

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that the pointer is over no cell."""
        self.cell_hovered.emit(-1)
        super().leaveEvent(event)


def _index(values: np.ndarray, value: float) -> int:
    """Index of the equidistant value whose cell a value is in; -1 outside."""
    if len(values) < 2:
        return 0
    found = int(np.floor((value - values[0]) / (values[-1] - values[0]) * (len(values) - 1) + 0.5))
    return found if 0 <= found < len(values) else -1
