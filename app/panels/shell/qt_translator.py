"""The language of the window: what Qt's own texts and ours are looked up in."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from app.i18n.language import set_language, tr

OF_QT = re.compile("Q[A-Z]")  # names of its classes
_installed: list[QTranslator] = []


class Translator(QTranslator):
    """Asks app.i18n.language, whoever of us asks: a text means the same wherever it stands. Qt's own are Qt's."""

    def isEmpty(self) -> bool:  # Qt's name
        return False

    def translate(
        self, context: str, text: str, _disambiguation: str | None = None, _n: int = -1
    ) -> str | None:  # None: others may know it
        if OF_QT.match(context):  # "End" is a key there
            return None
        found = tr(text)
        return found if found != text else None


def use_language(language: str) -> None:
    """From now on widgets that are made speak it."""
    for old in _installed:
        QCoreApplication.removeTranslator(old)
    _installed.clear()
    set_language(language)
    if language == "en":
        return
    of_qt = QTranslator()  # what stands on the buttons of its dialogs
    of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    _installed.extend([of_qt, Translator()])  # asked from the last to the first
    for translator in _installed:
        QCoreApplication.installTranslator(translator)
