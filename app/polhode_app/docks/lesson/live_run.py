"""The run of a lesson as the window plays it, while its numbers are computed in another process."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from polhode.scene.scene import Scene
from polhode_app.session.document import Document
from polhode_app.session.session import Session
from polhode_app.window.crash_recovery import has_unsaved_changes


class LiveRun:
    """Shows versions of a locked document from their start, and pauses a run at its end."""

    def __init__(self, session: Session):
        self._session = session
        self._until = inf  # [s] at which the run pauses
        self._has_begun = False  # a frame before the end was seen

    def show(self, document: Document, scene: Scene, until: float | None = None) -> None:
        """Show a scene in place of that of a locked document: paused at its start, or played to `until` [s]."""
        session = self._session
        self._until, self._has_begun = inf if until is None else until, False
        if session.newest.scene == scene:
            session.reset()
        else:
            saved = document.saved if has_unsaved_changes(document) else scene
            with session.lock.passed():
                undo = (*document.undo, document.scene)
                session.replace_document(replace(document, scene=scene, undo=undo, redo=(), saved=saved))
        session.play(until is not None)

    def tick(self) -> None:
        """Pause the run, and show its end; called once per frame."""
        frame = self._session.frame
        if self._until == inf or frame is None or self._session.is_pending:
            return
        if frame.snapshot.time < self._until:
            self._has_begun = True
        elif self._has_begun:
            self._session.seek(self._until)
            self._until = inf
