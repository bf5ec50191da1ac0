"""Help > Report a problem: versions, graphics and the end of the log as text to be copied. Nothing is sent."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QLocale, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from polhode.jit.storage.kept import FILES
from polhode_app.version import version as program_version
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.shell.help import LIBRARIES
from polhode_app.window.shell.log import LogLine

LINES = 40  # of the log, the newest ones
GRAPHICS = ("OpenGL vendor string", "OpenGL renderer string", "OpenGL version string")


def report(window: vtkRenderWindow, screen: str, log: Sequence[LogLine]) -> str:
    """The report, in English for the developers.

    window: of the view; screen: its size and scale; log: messages of this session
    """
    found = dict(line.split(":", 1) for line in window.ReportCapabilities().splitlines() if ":" in line)
    rows = {
        "Polhode": program_version(),
        "Python": f"{platform.python_version()} ({platform.architecture()[0]})",
        "System": platform.platform(),
        "Processors": str(os.cpu_count()),
        "Qt": f"{qVersion()}, {QGuiApplication.platformName()}, {screen}",
        "Language": QLocale.system().name(),
        **{name: _version(name) for name in (*LIBRARIES, "llvmlite")},
        **{name.removesuffix(" string"): found.get(name, "unknown").strip() for name in GRAPHICS},
        "Machine code": FILES.path.name,
    }
    width = max(map(len, rows))
    lines = [f"{name:{width}}  {value}" for name, value in rows.items()]
    messages = [f"{line.when:%H:%M:%S}  {line.text}" for line in list(log)[-LINES:]]
    return "\n".join([*lines, "", "Last messages", *(messages or ["none"])])


def _version(name: str) -> str:
    """Version of a library, or that there is none."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


class ReportDialog(QDialog):
    """Shows the report, with a button that copies it."""

    def __init__(self, text: str, parent: QWidget):
        super().__init__(parent)
        self.setWindowTitle(self.tr("Report a problem"))
        about = QLabel(
            self.tr(
                "Copy this text into your report, and add what you did, what you expected, and what happened instead. "
                "It may name files of yours: read it before you pass it on. Nothing is sent from here."
            )
        )
        about.setWordWrap(True)
        self.page = QPlainTextEdit(text)
        self.page.setReadOnly(True)
        self.page.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.page.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.page.setAccessibleName(self.tr("Report"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = buttons.addButton(self.tr("Copy all"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setDefault(True)
        self.copy_button.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(about)
        column.addWidget(self.page)
        column.addWidget(buttons)
        self.resize(scaled(720), scaled(480))

    def _copy(self) -> None:
        """Copy the text, and say so on the button."""
        QGuiApplication.clipboard().setText(self.page.toPlainText())
        self.copy_button.setText(self.tr("Copied"))
