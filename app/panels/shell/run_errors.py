"""What is said when a run has paused by itself, and the ways to go on; and when it goes on from its past."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.i18n.field_names import METHODS
from app.i18n.language import tr
from app.i18n.translation import translate
from app.messages import RunHalted
from app.panels.shell.window_context import WindowContext
from app.session.document import Document


class RunErrors(QObject):
    """Names what left the numbers, tells the limit of the step as soon as it is estimated, and offers remedies."""

    questioned = Signal()  # why it has halted

    def __init__(self, context: WindowContext):
        super().__init__(context.toast)
        session = context.session
        self._session, self._toast, self._status = session, context.toast, context.status
        self._said: RunHalted | None = None
        self._of: Document | None = None  # what it was said of
        session.halted.connect(self._say)
        session.limits_changed.connect(self._say_again)
        session.transport_changed.connect(self._go_on)
        session.history_truncated.connect(self._tell_loss)
        session.scene_changed.connect(self._forget)

    def reset(self) -> None:
        """The scene from its start: what was said was about the state that is left."""
        self._leave()
        self._session.reset()

    def _halve_step(self) -> None:
        self._leave()
        self._session.halve_step()

    def _leave(self) -> None:
        self._said = None
        self._toast.end()
        self._status.clearMessage()

    def _go_on(self) -> None:
        if self._session.running and self._said is not None:
            self._said = None
            self._status.clearMessage()

    def _tell_loss(self, time: float) -> None:
        """A run that goes on from a moment of its past forgets what came after that."""
        text = self.tr("Resumed at {time} s; the later history was discarded")
        self._status.show_text(text.format(time=f"{time:.4g}"))

    def _forget(self, document: Document) -> None:
        """Another scene is no reason to go on about this one."""
        if self._said is not None and self._of is not None and not document.is_version_of(self._of):
            self._leave()

    def _say(self, event: RunHalted) -> None:
        self._said, self._of = event, self._session.document
        text = self.tr("Paused at t = {time} s: {message}").format(
            time=f"{event.time:.4g}", message=translate(event.message)
        )
        self._status.show_text(text, 60.0)
        remedies: dict[str, Callable[[], None]] = {}
        if event.part:
            text += self._limit()
            remedies[self.tr("Halve the step and continue")] = self._halve_step
        remedies[self.tr("Reset")] = self.reset
        if event.part:
            remedies[self.tr("Why?")] = self.questioned.emit
        self._toast.show_message(text, None, remedies)

    def retranslate(self) -> None:
        """Show what is shown in the current language."""
        self._say_again()

    def _say_again(self) -> None:
        if self._said is not None and not self._session.running:
            self._say(self._said)

    def _limit(self) -> str:
        """The largest stable step where the run stands now, if it is known."""
        limits, scene = self._session.limits, self._session.document.scene
        limit = limits.largest.get(scene.solver.method, np.inf) if limits and limits.hold_for(scene) else np.inf
        if not 0 < limit < scene.solver.time_step:
            return ""
        method = tr(METHODS.get(scene.solver.method, scene.solver.method))
        text = self.tr("In that state {method} needs steps below about {limit} s.")
        return "\n" + text.format(method=method, limit=f"{limit:.2g}")
