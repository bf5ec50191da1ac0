"""Texts of the window have the contrast that WCAG 2 asks for at level AA, in both themes: 4.5, or 3 for signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from gui import SOON
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.docks.story import story_card
from polhode_app.main_window import MainWindow
from polhode_app.viewport.base.palette import THEMES
from polhode_app.window.shell import theme
from polhode_app.window.widgets import toast

AA, SIGNS = 4.5, 3.0
ROLES = QPalette.ColorRole
TEXTS = {
    ROLES.Window: (ROLES.WindowText, ROLES.PlaceholderText, ROLES.BrightText, ROLES.Link),
    ROLES.Base: (ROLES.Text, ROLES.PlaceholderText, ROLES.BrightText, ROLES.Link),
    ROLES.AlternateBase: (ROLES.Text, ROLES.PlaceholderText),
    ROLES.Button: (ROLES.ButtonText,),
    ROLES.Midlight: (ROLES.ButtonText,),  # a button under the pointer
    ROLES.Mid: (ROLES.ButtonText,),  # a pressed button
    ROLES.ToolTipBase: (ROLES.ToolTipText,),
    ROLES.Highlight: (ROLES.HighlightedText,),
}
"""Colours of the texts on each background. Texts of disabled widgets are exempt."""


def luminance(color: QColor) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of two opaque colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(ground: str, behind: str) -> QColor:
    """A colour of a style sheet, "rgba(r, g, b, a)" with numbers to 255, over an opaque one."""
    *parts, alpha = map(int, re.findall(r"\d+", ground))
    under = QColor(behind).getRgb()[:3]
    return QColor(
        *(round((alpha * one + (255 - alpha) * other) / 255) for one, other in zip(parts, under, strict=True))
    )


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    theme.apply_theme(request.param)
    yield request.param
    theme.apply_theme("dark")


def test_the_measure_is_that_of_the_standard() -> None:
    black, white, grey = QColor("#000000"), QColor("#ffffff"), QColor("#777777")
    assert contrast(black, white) == pytest.approx(21.0)
    assert contrast(grey, white) == pytest.approx(4.48, abs=0.005)  # the usual example of a grey that just fails


def test_texts_of_the_palette(scheme: str, qapp: QApplication) -> None:
    palette = qapp.palette()
    ratios = {
        f"{text.name} on {ground.name}": contrast(palette.color(text), palette.color(ground))
        for ground, texts in TEXTS.items()
        for text in texts
    }
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < AA} == {}


def test_texts_of_style_sheets(scheme: str, qapp: QApplication) -> None:
    window = qapp.palette().window().color()
    for colors in theme.STATES.values():
        assert contrast(QColor(colors[scheme == "dark"]), window) >= AA
    view = THEMES[scheme]
    card = story_card.COLORS[scheme]
    message = dict(re.findall(r"QFrame#over( QLabel)? \{ (?:color|background): ([^;]+);", toast.STYLE))
    for behind in (view.top, view.bottom):
        assert contrast(QColor(view.text), QColor(behind)) >= AA
        assert contrast(QColor(card["text"]), over(card["ground"], behind)) >= AA
        ground = over(message[""], behind)
        assert contrast(QColor(message[" QLabel"]), ground) >= AA
        assert contrast(QColor(toast.RED.removeprefix("color: ")), ground) >= SIGNS


@pytest.mark.nightly
def test_labels_of_the_window_have_colours_of_the_palette_or_ones_with_contrast(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """Also after a change of theme: no label keeps a colour of the other one."""
    window = lab(gallery.path("heavy_top"))
    for dock in ("tree", "inspector", "plots", "sensor"):
        window.action_table[dock].setChecked(True)
    window.session.select(("body", 0))
    qtbot.waitUntil(lambda: {"plots", "sensor"} <= window.docks.docks.keys(), timeout=SOON)
    qtbot.waitUntil(lambda: window.session.limits is not None, timeout=SOON)
    plots = window.docks.docks["plots"]
    for name in ("light", "dark", "light"):
        window.set_theme(name)
        qtbot.wait(300)
        labels = [each for each in window.findChildren(QLabel) if each.isVisible() and each.text()]
        labels = [each for each in labels if each.isEnabled() and not window.view.isAncestorOf(each)]
        assert len(labels) > 30
        ground = QApplication.palette().window().color()
        low = {}
        for label in labels:
            html = re.findall(r"color: (#[0-9a-f]{6})", label.styleSheet() + label.text())
            for color in [QColor(each) for each in html] or [label.palette().color(label.foregroundRole())]:
                if contrast(color, ground) < AA:
                    low[label.text()] = color.name()
        assert low == {}
        qtbot.waitUntil(lambda: bool(plots.time_plot.plots), timeout=SOON)
        legend = next(iter(plots.time_plot.legends.values()))
        color = QColor(legend.opts["color"] or QApplication.palette().windowText().color())
        assert contrast(color, QApplication.palette().base().color()) >= AA


@pytest.mark.new_window
def test_a_dock_that_is_built_while_the_theme_changes_has_the_new_one(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab(gallery.path("heavy_top"))
    window.docks.open("plots")
    qtbot.waitUntil(lambda: hasattr(window.docks.docks.get("plots"), "time_plot"), timeout=SOON)
    assert window.docks.dock("plots") is None  # further parts are to come
    window.set_theme("dark")
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    plots = window.docks.dock("plots")
    qtbot.waitUntil(lambda: bool(plots.time_plot.plots), timeout=SOON)
    ground = plots.time_plot.grab().toImage().pixelColor(4, 4)
    assert contrast(ground, QApplication.palette().base().color()) < 1.1
    window.set_theme("light")
