"""Lock of a scene while a lesson runs on it: nothing but the lesson changes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal

from polhode_app.session.document import Document


class EditLock(QObject):
    """Who may change the document of a session: everyone, or while it is locked its holder alone.

    Other documents can be opened in any case.
    """

    changed = Signal()
    """It was locked or unlocked."""
    refused = Signal()
    """An edit was refused."""

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._document: Document | None = None
        self._passes = False

    @property
    def is_on(self) -> bool:
        """Whether the scene is locked."""
        return self._document is not None

    @property
    def document(self) -> Document | None:
        """The document as it was when it was locked, to be kept and saved; None while it is not locked."""
        return self._document

    def lock(self, document: Document) -> None:
        """Refuse edits of a document."""
        self._document = document
        self.changed.emit()

    def unlock(self) -> None:
        """Allow all edits again."""
        self._document = None
        self.changed.emit()

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Context in which the holder shows other versions of the locked document."""
        self._passes = True
        try:
            yield
        finally:
            self._passes = False

    def refuses(self, document: Document) -> bool:
        """Whether a document may not be shown or saved, since it is a version of the locked one; reports that."""
        is_refused = self._document is not None and not self._passes and document.is_version_of(self._document)
        if is_refused:
            self.refused.emit()
        return is_refused
