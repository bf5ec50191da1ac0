"""The future that a run had before it was resumed from an earlier time: undo brings it back. No Qt."""

from __future__ import annotations

from polhode_app.messages import HistoryTruncated
from polhode_app.session.document import Document


class SetAside:
    """Whether the newest thing that undo or redo concerns is the future of the run, and not an edit.

    The future that an edit has ended comes back with the edit itself.
    """

    def __init__(self) -> None:
        self._generation = 0  # of the scene whose run was resumed; 0: nothing is set aside
        self._is_back = False

    def take(self, event: HistoryTruncated, document: Document) -> None:
        """The run of a document was resumed from an earlier time."""
        self._generation, self._is_back = 0 if event.by_edit else document.generation, False

    def forget(self) -> None:
        """The run has no past any more."""
        self._generation = 0

    def exchange(self) -> None:
        """The other future is brought back."""
        self._is_back = not self._is_back

    def is_undone_by(self, document: Document) -> bool:
        """Whether undo brings the future back: nothing was edited since."""
        return self._generation == document.generation and not self._is_back

    def is_redone_by(self, document: Document) -> bool:
        """Whether redo takes up the run again that was resumed."""
        return self._generation == document.generation and self._is_back
