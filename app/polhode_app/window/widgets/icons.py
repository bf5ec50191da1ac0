"""Icons of the program: SVG outlines on a 24 x 24 grid, drawn in the text colour of the palette."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

SIZES = {"usual": 16, "build": 20, "transport": 22}
"""Sizes of icons [pixel] at letters of 100 %: those of menus, lists and most buttons, and those of two bars."""
_scale = 1.0  # of the letters

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
    "take_picture": (
        f'<path {LINED} d="M4 8h3.5l1.7-2.5h5.6L16.5 8H20v11H4z"/><circle {LINED} cx="12" cy="13" r="3.3"/>'
    ),
    "record": f'<circle {RED} cx="12" cy="12" r="6.5"/>',
    "stop": f'<rect {RED} x="6" y="6" width="12" height="12" rx="1.5"/>',
    "fit": f'<path {LINED} d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/><circle {LINED} cx="12" cy="12" r="2.5"/>',
    "scenes": f'<path {LINED} d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"/>',
    "add": f'<path {LINED} d="M12 5v14M5 12h14"/>',
    "delete": f'<path {LINED} d="M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7M10.5 11v5M13.5 11v5"/>',
    "duplicate": f'<rect {LINED} x="4" y="4" width="11" height="11" rx="1.5"/><path {LINED} d="M19 9v11H9"/>',
    "eye": f'<path {LINED} d="M3 12c4-6.5 14-6.5 18 0c-4 6.5-14 6.5-18 0z"/><circle {FILLED} cx="12" cy="12" r="3"/>',
    "closed_eye": f'<path {LINED} d="M3 11c4 5 14 5 18 0M6 14.5l-1.5 2.5M12 16v3M18 14.5l1.5 2.5"/>',
    "scene": f'<path {LINED} d="M12 3.5l8 4.5v8l-8 4.5-8-4.5v-8zM4 8l8 4.5L20 8M12 12.5v8"/>',
    "world": f'<path {LINED} d="M12 4v15M7 14l5 5 5-5"/>',
    "magnetic_field": f'<path {LINED} d="M4 8c5-4 11 4 16 0M4 13c5-4 11 4 16 0M4 18c5-4 11 4 16 0"/>',
    "wind": f'<path {LINED} d="M3 9h11a2.5 2.5 0 1 0-2.5-2.5M3 13h15a2.5 2.5 0 1 1-2.5 2.5M3 17h8"/>',
    "solver": f'<path {LINED} d="M4 19V5M4 19h16M6 16c3 0 4-9 7-9s3 5 6 5"/>',
    "sensor": f'<path {LINED} d="M4 9v6M8 6.5c3 3 3 8 0 11M12 4.5c5 4 5 11 0 15"/>',
    "grab": f'<path {LINED} d="M4 4l6 16 2.5-6.5L19 11z"/><path {LINED} d="M14 15l6 6"/>',
    "body": f'<path {LINED} d="M5 8.5l7-3.5 7 3.5v7.5L12 19.5 5 16zM5 8.5l7 3.5 7-3.5M12 12v7.5"/>',
    "sphere": f'<circle {LINED} cx="12" cy="12" r="7"/><path {LINED} d="M5 12c3 3 11 3 14 0"/>',
    "bead": f'<path {LINED} d="M3 16C7 4 17 4 21 16"/><circle {FILLED} cx="12" cy="7" r="3.5"/>',
    "soft": f'<path {LINED} d="M5 5h14v14H5zM5 12h14M12 5v14M5 5l14 14"/>',
    "pendulum": f'<path {LINED} d="M6 4h12M12 4L7.5 14"/><circle {LINED} cx="6.2" cy="17" r="3.2"/>',
    "magnet": f'<path {LINED} d="M5 4v8a7 7 0 0 0 14 0V4h-4v8a3 3 0 0 1-6 0V4zM5 8h4M15 8h4"/>',
    "chain": f'<path {LINED} d="M5 5l3.5 3.5M10 10l4 4M15.5 15.5L19 19"/><circle {LINED} cx="9" cy="9" r="1.5"/>'
    f'<circle {LINED} cx="15" cy="15" r="1.5"/>',
    "particle": f'<circle {FILLED} cx="12" cy="12" r="4"/>',
    "spring": f'<path {LINED} d="M12 2.5v3l4 1.5-8 3 8 3-8 3 4 1.5v4"/>',
    "joint": f'<circle {LINED} cx="12" cy="12" r="3.2"/><path {LINED} d="M3 19l6.6-4.9M14.4 9.9L21 5"/>',
    "force": f'<circle {FILLED} cx="6" cy="18" r="3"/><path {LINED} d="M8 16L19 5M19 5h-6M19 5v6"/>',
    "wall": f'<path {LINED} d="M3 9h18M6 9l-3 5M11 9l-3 5M16 9l-3 5M21 9l-3 5"/>',
    "surface": f'<path {LINED} d="M3 7c3 10 15 10 18 0M3 7c6 3 12 3 18 0"/>',
    "plate": f'<path {LINED} d="M3 13l6-6h12l-6 6zM3 13v4h12v-4M15 17l6-6V7"/>',
    "ghost": f'<path {LINED} d="M6 20V11a6 6 0 0 1 12 0v9l-3-2-3 2-3-2z"/>',
    "shape": f'<circle {LINED} cx="9" cy="9" r="5"/><path {LINED} d="M10 14v6h10V10h-6"/>',
    "dipole": f'<path {LINED} d="M5 19L18 6M18 6h-6M18 6v6"/>',
    "maps": f'<path {LINED} d="M4 4h16v16H4zM4 14c4-5 5 2 9-2s3-5 7-4M9 20c0-3 2-4 3-7"/>',
    "sweep": f'<path {LINED} d="M4 4h16v16H4zM4 14c4-5 5 2 9-2s3-5 7-4M9 20c0-3 2-4 3-7"/>',
    "axes": f'<path {LINED} d="M5 4v15h15M5 4L2.5 7M5 4l2.5 3M20 19l-3-2.5M20 19l-3 2.5"/>',
    "measured": f'<path {LINED} d="M4 4v16h16M6 16c3 0 4-9 7-9s3 5 6 5"/><circle {FILLED} cx="8" cy="14" r="1.8"/>'
    f'<circle {FILLED} cx="13" cy="8" r="1.8"/><circle {FILLED} cx="18" cy="13" r="1.8"/>',
    "export": f'<path {LINED} d="M12 4v11M7.5 10.5L12 15l4.5-4.5M4.5 16v4h15v-4"/>',
    "settings": f'<path {LINED} d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle {LINED} cx="15" cy="7" r="2"/>'
    f'<circle {LINED} cx="9" cy="17" r="2"/>',
    "back_arrow": f'<path {LINED} d="M20 12H5M11 6l-6 6 6 6"/>',
    "forward_arrow": f'<path {LINED} d="M4 12h15M13 6l6 6-6 6"/>',
    "open": f'<path {LINED} d="M3.5 19V5.5h6l2 2.5h8v3M3.5 19l3-8h15l-3 8z"/>',
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
