"""Icons of the program: SVG outlines on a 24 x 24 grid, drawn in the text colour of the palette."""

from __future__ import annotations

import re

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from polhode_app.i18n.data_files import read_data

SIZES = {"usual": 16, "build": 20, "transport": 22}
"""Sizes of icons [pixel] at letters of 100 %: those of menus, lists and most buttons, and those of two bars."""
_scale = 1.0  # of the letters

FILLED = 'fill="{color}"'
LINED = 'fill="none" stroke="{color}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
RED = 'fill="#e5484d"'

ATTRIBUTES = {"FILLED": FILLED, "LINED": LINED, "RED": RED}
ICONS: dict[str, str] = {
    name: re.sub("FILLED|LINED|RED", lambda match: ATTRIBUTES[match[0]], text)
    for name, text in read_data("icons").items()
}

# The program's own: a magnet that hangs from a pivot.
APP_ICON = (
    '<rect fill="#1d2129" width="24" height="24" rx="5"/>'
    '<path stroke="#dfe5ec" stroke-width="1.5" d="M12 3.5L16 14"/><circle fill="#f6c945" cx="12" cy="3.5" r="1.5"/>'
    '<path fill="#d9480f" d="M12.200 14.5l3.800-1.5 1.300 3.400-3.800 1.5z"/>'
    '<path fill="#1c6fb5" d="M13.5 17.900l3.800-1.5 1.300 3.400-3.800 1.5z"/>'
)


def set_scale(scale: float) -> None:
    """Set the size of the letters, relative to that of the system, for all icons that are drawn from now on."""
    global _scale
    _scale = scale


def icon(name: str, palette: QPalette) -> QIcon:
    """The icon with this name for a palette, in normal, selected and disabled state.

    It is drawn in the pixels of the screen at each of SIZES, for the current size of the letters.
    """
    result, ratio = QIcon(), QGuiApplication.instance().devicePixelRatio()  # type: ignore[union-attr]
    for mode, group, role in (
        (QIcon.Mode.Normal, QPalette.ColorGroup.Active, QPalette.ColorRole.WindowText),
        (QIcon.Mode.Selected, QPalette.ColorGroup.Active, QPalette.ColorRole.HighlightedText),
        (QIcon.Mode.Disabled, QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText),
    ):
        body = ICONS[name].format(color=palette.color(group, role).name())
        for size in SIZES.values():
            result.addPixmap(_drawn(body, round(round(size * _scale) * ratio)), mode)
    return result


def app_icon() -> QIcon:
    """Icon of the program."""
    return svg_icon(APP_ICON, 128)


def svg_icon(body: str, size: int = 32) -> QIcon:
    """An icon made from SVG elements on the grid; `size` in pixels."""
    return QIcon(_drawn(body, size))


def svg_of(body: str) -> str:
    """SVG file with elements on the grid."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{body}</svg>'


def _drawn(body: str, size: int) -> QPixmap:
    """A square pixmap of `size` [pixel] with SVG elements on a transparent background."""
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg_of(body).encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
