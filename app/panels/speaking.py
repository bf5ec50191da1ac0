"""The language of the window: what Qt's own texts and ours are looked up in."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from app.language import said, speak

_installed: list[QTranslator] = []


class Translator(QTranslator):
    """Asks app.language, whoever asks: a text means the same wherever it stands."""

    def isEmpty(self) -> bool:  # Qt's name
        return False

    def translate(
        self, _context: str, text: str, _disambiguation: str | None = None, _n: int = -1
    ) -> str | None:  # None: others may know it
        found = said(text)
        return found if found != text else None


def use_language(language: str) -> None:
    """From now on widgets that are made speak it."""
    for old in _installed:
        QCoreApplication.removeTranslator(old)
    _installed.clear()
    speak(language)
    if language == "en":
        return
    of_qt = QTranslator()  # what stands on the buttons of its dialogs
    of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    _installed.extend([of_qt, Translator()])  # asked from the last to the first
    for translator in _installed:
        QCoreApplication.installTranslator(translator)
