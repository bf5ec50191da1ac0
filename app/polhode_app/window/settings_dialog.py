"""Settings of the window: language, theme, letters, memory of the rewind buffer, compilation, docks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QWidget,
)

from polhode_app.i18n.language import LANGUAGES
from polhode_app.session.settings import LEAST_PAST, LETTERS, MOST_PAST, Settings, Theme
from polhode_app.window.shell.menus import theme_names
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox


class SettingsDialog(QDialog):
    """Edits the settings. Every change takes effect at once, there is nothing to confirm."""

    def __init__(
        self,
        settings: Settings,
        set_language: Callable[[str], None],
        set_theme: Callable[[Theme], None],
        set_letters: Callable[[int], None],
        set_history_size: Callable[[int], None],
        set_background_compilation: Callable[[bool], None],
        reset_docks: Callable[[], None],
        parent: QWidget,
    ):
        """Create the dialog with the current settings.

        The functions are called when the user changes a setting: `set_language` with a key of LANGUAGES, `set_theme`
        with a theme, `set_letters` with a size [%], `set_history_size` with the memory [MB] of the rewind buffer.
        `reset_docks` restores the default layout.
        """
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.language, self.theme, self.letters = ComboBox(), ComboBox(), ComboBox()
        self.memory = SpinBox(LEAST_PAST, MOST_PAST, "MB", decimals=0)
        self.background = QCheckBox(self.tr("Compile in the background"))
        docks = QPushButton(self.tr("Restore the default dock layout"))
        docks.setAutoDefault(False)
        self._fill(settings)
        self.language.activated.connect(lambda _row: set_language(self.language.currentData()))
        self.theme.activated.connect(lambda _row: set_theme(self.theme.currentData()))
        self.letters.activated.connect(lambda _row: set_letters(self.letters.currentData()))
        self.memory.valueChanged.connect(lambda size: set_history_size(int(size)))
        self.background.toggled.connect(set_background_compilation)
        docks.clicked.connect(reset_docks)
        self._lay_out(docks)

    def _fill(self, settings: Settings) -> None:
        """Fill the widgets with the current settings."""
        for language, name in LANGUAGES.items():
            self.language.addItem(name, language)
        for theme, name in theme_names().items():
            self.theme.addItem(name, theme)
        self.language.setCurrentIndex(self.language.findData(settings.language))
        self.theme.setCurrentIndex(self.theme.findData(settings.theme))
        for percent in LETTERS:
            self.letters.addItem(f"{percent} %", percent)
        self.letters.setCurrentIndex(self.letters.findData(settings.letters))
        self.memory.setValue(settings.past)
        self.memory.setToolTip(self.tr("Memory for rewinding a run; when it is full, older states are thinned out"))
        self.background.setToolTip(
            self.tr("Compile the physics of other scenes in the background, so that they open at once")
        )
        self.background.setChecked(settings.ahead)

    def _lay_out(self, docks: QPushButton) -> None:
        """Place the widgets in a form."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.setContentsMargins(20, 16, 20, 16)
        form.setSpacing(10)
        form.addRow(self.tr("Language"), self.language)
        form.addRow(self.tr("Theme"), self.theme)
        form.addRow(self.tr("Text size"), self.letters)
        form.addRow(self.tr("Memory for rewinding"), self.memory)
        form.addRow("", self.background)
        form.addRow("", docks)
        form.addRow(buttons)
