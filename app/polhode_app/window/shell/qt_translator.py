"""Translation of texts that Qt looks up: those of the program by its catalogues, those of Qt by Qt's."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from polhode_app.i18n.language import set_language, tr

OF_QT = re.compile("Q[A-Z]")  # contexts of Qt are names of its classes
_installed: list[QTranslator] = []


class Translator(QTranslator):
    """Translates by polhode_app.i18n.language, which ignores the context of a text."""

    def isEmpty(self) -> bool:
        """False; Qt ignores translators that are empty."""
        return False

    def translate(
        self, context: str, text: str, _disambiguation: str | None = None, _n: int = -1
    ) -> str | None:  # None: ask the next translator
        """The translation of a text, or None if there is none or the text belongs to Qt."""
        if OF_QT.match(context):  # words such as "End" have another meaning there
            return None
        found = tr(text)
        return found if found != text else None


def use_language(language: str) -> None:
    """Set the language (a key of LANGUAGES) of the program and of Qt.

    Qt sends LanguageChange events to all windows.
    """
    for old in _installed:
        QCoreApplication.removeTranslator(old)
    _installed.clear()
    set_language(language)
    if language == "en":
        return
    of_qt = QTranslator()  # buttons of dialogs
    of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    _installed.extend([of_qt, Translator()])  # the last one is asked first
    for translator in _installed:
        QCoreApplication.installTranslator(translator)
