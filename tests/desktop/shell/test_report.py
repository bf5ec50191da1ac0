"""Help > Report a problem: versions, graphics and messages, copied by keyboard."""

from __future__ import annotations

import platform
from importlib.metadata import version

from gui import SOON
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.window.shell.report import LINES, ReportDialog


def test_a_report_has_what_a_maintainer_needs(window: MainWindow, qtbot: QtBot) -> None:
    for number in range(LINES + 5):
        window.dialogs.log.write(f"message {number}")
    qtbot.waitUntil(lambda: window.dialogs.log.lines[-1].text == f"message {LINES + 4}", timeout=SOON)
    window.action_table["report"].trigger()
    dialog = window.findChild(ReportDialog)
    qtbot.waitUntil(dialog.isVisible, timeout=SOON)
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)  # the default button
    text = QGuiApplication.clipboard().text()
    rows = dict(line.split("  ", 1) for line in text.splitlines() if "  " in line)
    assert rows["numba"].strip() == version("numba")
    assert rows["Python"].strip().startswith(platform.python_version())
    assert rows["OpenGL renderer"].strip() not in ("", "unknown")
    assert f"message {LINES + 4}" in text
    assert "message 4\n" not in text
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
