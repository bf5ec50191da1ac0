"""Light and dark theme: palettes and style sheet of the application."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from polhode_app.session.settings import Theme
from polhode_app.window.accessibility.letters import apply_letters, scaled
from polhode_app.window.widgets.icons import SIZES, set_scale

SCHEMES = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark, "system": Qt.ColorScheme.Unknown}
ACCENT = {"light": "#1c6fb5", "dark": "#56b4e9"}

STATES = {"good": ("#2b7a3d", "#69db7c"), "inaccurate": ("#a34700", "#ffa94d"), "unstable": ("#c92a2a", "#ff8787")}
"""Colours of texts about a state or a warning, on a light and on a dark window: contrast above 4.5."""
MIDDLE = 128  # lightness of a window, 0 to 255, below which it is dark

BOXES = "#b4bdca"  # window colour of dark menus, from which Qt derives the colour of check boxes

STYLE = """
QToolTip { padding: 4px; }
QToolButton { border: none; border-radius: 6px; padding: 5px; }
QToolButton:hover { background: palette(midlight); }
QToolButton:pressed, QToolButton:checked { background: palette(mid); }
QStatusBar::item { border: none; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QHeaderView::section { padding: 4px; }
QCheckBox::indicator { border: 1px solid #7d8796; border-radius: 3px; }
QCheckBox::indicator:unchecked { background: palette(base); }
QCheckBox::indicator:checked { background: #1c6fb5; border-color: #1c6fb5; image: url(CHECK); }
QCheckBox::indicator:disabled { border-color: palette(mid); }
QToolButton::menu-indicator { image: none; }
QComboBox QAbstractItemView { background: palette(base); color: palette(text); }
""".replace("CHECK", Path(__file__).with_name("check.svg").as_posix())

ICON_STYLE = """
QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QMenu, QTabBar {{ icon-size: {usual}px; }}
BuildBar, BuildBar QToolButton {{ icon-size: {build}px; }}
TransportBar QToolButton {{ icon-size: {transport}px; }}
QCheckBox::indicator {{ width: {box}px; height: {box}px; }}
QDockWidget::close-button, QDockWidget::float-button {{
    icon-size: {usual}px; width: {title}px; height: {usual}px;
    subcontrol-position: top right; position: absolute; right: 1px;
}}
QDockWidget::float-button {{ right: {beside}px; }}
"""
LENGTHS = {**SIZES, "box": 14, "title": 18, "beside": 20}  # [pixel] of ICON_STYLE, at letters of 100 %


def state_style(state: str) -> str:
    """Style sheet of a text in a state of STATES, for the current theme; bold unless the state is good."""
    is_dark = QGuiApplication.palette().window().color().lightness() < MIDDLE
    return f"color: {STATES[state][is_dark]};" + ("" if state == "good" else " font-weight: bold")


def apply_theme(theme: Theme, letters: int = 100) -> str:
    """Set theme and size of letters [%] of all windows; returns "light" or "dark", for "system" that of the system."""
    resized = apply_letters(letters)
    set_scale(letters / 100)
    hints = QGuiApplication.styleHints()
    hints.setColorScheme(SCHEMES[theme])
    system = "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
    scheme = system if theme == "system" else theme
    app = QApplication.instance()
    # styling all widgets again takes long
    if isinstance(app, QApplication) and (resized or app.property("scheme") != scheme):
        app.setProperty("scheme", scheme)
        app.setPalette(_palette(scheme))
        app.setStyleSheet(STYLE + ICON_STYLE.format(**{name: scaled(size) for name, size in LENGTHS.items()}))
        app.setPalette(_menu_palette(scheme), "QMenu")
    return scheme


def _menu_palette(scheme: str) -> QPalette:
    """Palette of menus. Qt draws their check boxes darker than the window, which a dark theme makes invisible."""
    palette = _palette(scheme)
    if scheme == "dark":
        palette.setColor(QPalette.ColorRole.Window, QColor(BOXES))
    return palette


def _palette(scheme: str) -> QPalette:
    """Palette of windows for "light" or "dark"."""
    dark = scheme == "dark"
    window, base, text = ("#22262e", "#1a1d23", "#e6e9ee") if dark else ("#f3f5f8", "#ffffff", "#1d2530")
    palette = QPalette(QColor(window))
    roles = QPalette.ColorRole
    for role, color in (
        (roles.Window, window),
        (roles.Base, base),
        (roles.AlternateBase, "#20242b" if dark else "#f6f8fa"),
        (roles.Button, "#2c313b" if dark else "#e7ebf0"),
        (roles.Midlight, "#343a46" if dark else "#dfe5ec"),
        (roles.Mid, "#3e4553" if dark else "#ced6df"),
        (roles.ToolTipBase, base),
        (roles.Highlight, ACCENT[scheme]),
        (roles.Accent, ACCENT[scheme]),
        (roles.HighlightedText, "#10141a" if dark else "#ffffff"),
        (roles.Link, ACCENT[scheme]),
    ):
        palette.setColor(role, QColor(color))
    for role in (roles.WindowText, roles.Text, roles.ButtonText, roles.ToolTipText):
        palette.setColor(role, QColor(text))
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor("#6d7683" if dark else "#98a2ae"))
    palette.setColor(roles.PlaceholderText, QColor("#9aa4b2" if dark else "#5f6b7a"))  # also units and second lines
    palette.setColor(roles.BrightText, QColor("#ff8a4c" if dark else "#b84300"))  # what is wrong
    return palette
