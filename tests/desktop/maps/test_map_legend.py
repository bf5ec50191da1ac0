"""The legend of a map: tooltips of its entries, and marks in the tints of the picture."""

from __future__ import annotations

import numpy as np
from gui import SOON
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from polhode.run.status import UNCERTAIN
from polhode.sweep.maps.map import NO_LABEL
from polhode_app.data.maps.picture import Layer, draw_layer, most_common
from polhode_app.docks.maps.legend import LegendMark, MapLegend, _swatch


def test_the_entry_under_the_pointer_is_explained(qtbot: QtBot) -> None:
    legend = MapLegend()
    qtbot.addWidget(legend)
    legend.resize(400, 60)
    marks = [LegendMark("east 50 %", None), LegendMark("certain 99 %", None, "Confirmed by a check.")]
    legend.show_entries(marks, None)
    legend.show()
    plain, explained = legend._areas(legend.width())
    for area, tip in ((explained, "Confirmed by a check."), (plain, "")):
        at = area.center()
        QApplication.sendEvent(legend, QHelpEvent(QEvent.Type.ToolTip, at, legend.mapToGlobal(at)))
        qtbot.waitUntil(lambda tip=tip: QToolTip.isVisible() is bool(tip), timeout=SOON)
        assert tip in QToolTip.text()
    QToolTip.hideText()


def test_the_mark_of_uncertain_cells_has_the_tint_of_most_of_them() -> None:
    label = np.array([[2, 2, 0], [1, 2, NO_LABEL]], dtype=np.int32)
    status = np.full(label.shape, UNCERTAIN, dtype=np.uint8)
    canvas = np.full((60, 60), 0xFFFFFFFF, dtype=np.uint32)
    extent = (0.0, 1.0, 0.0, 1.0)
    draw_layer(canvas, Layer(extent, status, label), extent)
    mark = _swatch(UNCERTAIN, most_common(label.reshape(-1)))
    assert set(np.unique(mark)) <= set(np.unique(canvas))
    assert most_common(np.array([NO_LABEL])) == NO_LABEL
