"""Our own icons: outlines on a 24 x 24 grid, drawn in the colour of the text around them."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

FILLED = 'fill="{color}"'
LINED = 'fill="none" stroke="{color}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
RED = 'fill="#e5484d"'

ICONS = {
    "play": f'<path {FILLED} d="M7 4.5v15l13-7.5z"/>',
    "pause": f'<path {FILLED} d="M6 4.5h4v15H6zM14 4.5h4v15h-4z"/>',
    "step": f'<path {FILLED} d="M5 4.5v15l10-7.5zM16.5 4.5h3v15h-3z"/>',
    "back": f'<path {FILLED} d="M19 4.5v15l-10-7.5zM7.5 4.5h-3v15h3z"/>',
    "reset": f'<path {LINED} d="M5 5v5h5M5.6 10a7.5 7.5 0 1 1-.9 5"/>',
    "slower": f'<path {LINED} d="M11 6l-6 6 6 6M19 6l-6 6 6 6"/>',
    "faster": f'<path {LINED} d="M5 6l6 6-6 6M13 6l6 6-6 6"/>',
    "camera": f'<path {LINED} d="M4 8h3.5l1.7-2.5h5.6L16.5 8H20v11H4z"/><circle {LINED} cx="12" cy="13" r="3.3"/>',
    "record": f'<circle {RED} cx="12" cy="12" r="6.5"/>',
    "stop": f'<rect {RED} x="6" y="6" width="12" height="12" rx="1.5"/>',
    "fit": f'<path {LINED} d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/><circle {LINED} cx="12" cy="12" r="2.5"/>',
    "open": f'<path {LINED} d="M3.5 19V5.5h6l2 2.5h8v3M3.5 19l3-8h15l-3 8z"/>',
}


def icon(name: str, palette: QPalette, size: int = 24) -> QIcon:
    """An icon for a light or dark palette, sharp on dense screens too."""
    made = QIcon()
    for mode, group in (
        (QIcon.Mode.Normal, QPalette.ColorGroup.Active),
        (QIcon.Mode.Disabled, QPalette.ColorGroup.Disabled),
    ):
        color = palette.color(group, QPalette.ColorRole.WindowText).name()
        made.addPixmap(_drawn(ICONS[name].format(color=color), 2 * size), mode)
    return made


def app_icon() -> QIcon:
    """A magnet that hangs from a pivot."""
    body = (
        '<rect fill="#1d2129" width="24" height="24" rx="5"/>'
        '<path stroke="#dfe5ec" stroke-width="1.5" d="M12 3.5L16 14"/><circle fill="#f6c945" cx="12" cy="3.5" r="1.5"/>'
        '<path fill="#d9480f" d="M12.200 14.500l3.800-1.500 1.300 3.400-3.800 1.500z"/>'
        '<path fill="#1c6fb5" d="M13.5 17.900l3.800-1.500 1.300 3.400-3.800 1.500z"/>'
    )
    return svg_icon(body, 128)


def svg_icon(body: str, size: int = 32) -> QIcon:
    """An icon of elements on the grid."""
    return QIcon(_drawn(body, size))


def _drawn(body: str, size: int) -> QPixmap:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{body}</svg>'
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
