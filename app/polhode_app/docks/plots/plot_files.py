"""Export of plots as image or vector graphics."""

from __future__ import annotations

from errno import EIO
from os import strerror
from pathlib import Path

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QMarginsF, QPoint, QPointF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from polhode.scene.files.file_writing import replacing

FINER = 2  # image pixels per screen pixel


def save_plot(plot: pg.GraphicsView, path: Path) -> None:
    """Write the visible part of a plot as .png, .svg or .pdf, according to the suffix of `path`.

    Images have FINER pixels per screen pixel in each direction. Raises OSError if the file cannot be written.
    """
    size = plot.viewport().size()
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    if path.suffix == ".svg":
        drawing = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # SVG Tiny has no clipping
        drawing.setOutputDevice(buffer)
        drawing.setSize(size)
        drawing.setResolution(plot.logicalDpiX())
        drawing.setViewBox(QRect(QPoint(0, 0), size))
        written = _paint(plot, drawing, size)
    elif path.suffix == ".pdf":
        page = QPdfWriter(buffer)
        page.setResolution(plot.logicalDpiX())
        page.setPageMargins(QMarginsF())
        page.setPageSize(QPageSize(QSizeF(size) * 72 / plot.logicalDpiX(), QPageSize.Unit.Point))
        written = _paint(plot, page, size)
    else:
        picture = QImage(size * FINER, QImage.Format.Format_RGB32)
        written = _paint(plot, picture, size * FINER) and picture.save(buffer, "PNG")
    if not written:
        raise OSError(EIO, strerror(EIO))
    with replacing(path) as file:
        file.write(buffer.data().data())


def _paint(plot: pg.GraphicsView, device: QPaintDevice, size: QSize) -> bool:
    """Paint the view on a device of a size [pixel]; False if the device cannot be opened or closed."""
    painter = QPainter()
    if not painter.begin(device):
        return False
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    plot.render(painter, QRectF(QPointF(0, 0), size), plot.viewport().rect())
    return painter.end()
