"""What the window remembers and a person may choose: language, colours, memory for the past, places of the docks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.i18n.language import LANGUAGES
from app.panels.shell.menus import theme_names
from app.session.settings import Settings, Theme

LEAST, MOST = 16, 65_536  # [MB]


class SettingsDialog(QDialog):
    """Every choice counts at once."""

    def __init__(
        self,
        settings: Settings,
        speak: Callable[[str], None],
        wear: Callable[[Theme], None],
        remember: Callable[[int], None],
        compile_ahead: Callable[[bool], None],
        place_docks: Callable[[], None],
        parent: QWidget,
    ):
        """`remember` takes the memory [MB] for the past of a run."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.language, self.theme, self.past = QComboBox(), QComboBox(), QSpinBox()
        self.ahead = QCheckBox(self.tr("Compile in the background"))
        docks = QPushButton(self.tr("Restore the default dock layout"))
        docks.setAutoDefault(False)
        self._fill(settings)
        self.language.activated.connect(lambda _row: speak(self.language.currentData()))
        self.theme.activated.connect(lambda _row: wear(self.theme.currentData()))
        self.past.valueChanged.connect(remember)
        self.ahead.toggled.connect(compile_ahead)
        docks.clicked.connect(place_docks)
        self._lay_out(docks)

    def _fill(self, settings: Settings) -> None:
        """Show the settings as they are."""
        for language, name in LANGUAGES.items():
            self.language.addItem(name, language)
        for theme, name in theme_names().items():
            self.theme.addItem(name, theme)
        self.language.setCurrentIndex(self.language.findData(settings.language))
        self.theme.setCurrentIndex(self.theme.findData(settings.theme))
        self.past.setRange(LEAST, MOST)
        self.past.setSuffix(" MB")
        self.past.setValue(settings.past)
        self.past.setKeyboardTracking(False)
        self.past.setToolTip(self.tr("Memory for rewinding a run; when it is full, older states are thinned out"))
        self.ahead.setToolTip(
            self.tr("Compile the physics of other scenes in the background, so that they open at once")
        )
        self.ahead.setChecked(settings.ahead)

    def _lay_out(self, docks: QPushButton) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.setContentsMargins(20, 16, 20, 16)
        form.setSpacing(10)
        form.addRow(self.tr("Language"), self.language)
        form.addRow(self.tr("Theme"), self.theme)
        form.addRow(self.tr("Memory for rewinding"), self.past)
        form.addRow("", self.ahead)
        form.addRow("", docks)
        form.addRow(buttons)
