"""Messages about runs that were paused by an error, with remedies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Signal

from polhode.scene.fields import at, parse_path
from polhode.scene.measured_input import MeasuredInput
from polhode_app.i18n.field_names import METHODS
from polhode_app.i18n.language import tr
from polhode_app.i18n.translation import translate
from polhode_app.messages import HistoryTruncated, RunHalted
from polhode_app.session.document import Document
from polhode_app.window.notices.steps import changes_motion, step_remedies
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

WORTH = 1.0  # [s] wall time of a run that is worth a message when it is set aside


class RunErrors(QObject, WindowPart):
    """Shows why a run was paused, which time step would be stable, and buttons for remedies.

    The largest stable step is estimated in another thread; the message is updated when it is known, and removed when
    the run continues or another scene is opened.
    """

    help_requested = Signal()
    """The user asks why runs diverge."""

    def __init__(self, context: WindowContext):
        """Follow the session of the window."""
        super().__init__(context.toast)
        session = context.session
        self._session, self._toast, self._status = session, context.toast, context.status
        self._halt: RunHalted | None = None
        self._halted_document: Document | None = None  # document of the paused run
        self._text = ""  # of the message
        self._offered: tuple[HistoryTruncated, int, str] | None = None  # with the document's generation, and the text
        session.halted.connect(self._show_halt)
        session.limits_changed.connect(self._update_message)
        session.transport_changed.connect(self._on_transport_changed)
        session.history_truncated.connect(self._on_history_truncated)
        session.undone.connect(self._on_undone)
        session.scene_changed.connect(self._on_scene_changed)

    def reset(self) -> None:
        """Reset the run and remove the message."""
        self._clear_message()
        self._session.reset()

    def _halve_step(self) -> None:
        """Halve the time step, and continue from the last valid state."""
        self._clear_message()
        self._session.set_step(self._session.scene.solver.time_step / 2)

    def _clear_message(self) -> None:
        """Remove the message."""
        self._halt = None
        self._toast.dismiss()
        self._status.clearMessage()

    def _on_transport_changed(self) -> None:
        """Forget the error once the run continues."""
        if self._session.running and self._halt is not None:
            self._halt = None
            self._status.clearMessage()
        self._end_offer()

    def _on_history_truncated(self, event: HistoryTruncated) -> None:
        """Report that what followed in the run was set aside, because the run was resumed earlier."""
        if event.by_edit:
            text = self.tr("Edited at {time} s: the {lost} s that followed are set aside. Undo brings them back.")
        else:
            text = self.tr("Resumed at {time} s: the {lost} s that followed are set aside. Undo brings them back.")
        text = text.format(time=f"{event.time:.4g}", lost=f"{event.lost:.3g}")
        self._status.show_text(text)
        if event.lost >= WORTH * self._session.speed:
            self._offered = event, self._session.newest.generation, text
            self._toast.show_message(text, 15.0, {self.tr("Undo"): self._undo})

    def _end_offer(self) -> None:
        """Remove the offer of an undo that would now undo something else."""
        if self._offered is None:
            return
        (event, generation, text), document = self._offered, self._session.newest
        is_open = event.by_edit or self._session.set_aside.is_undone_by(document)
        if document.generation != generation or not is_open:
            self._offered = None
            if self._toast.text == text:
                self._toast.dismiss()
                self._status.clearMessage()

    def _undo(self) -> None:
        self._offered = None
        self._toast.dismiss()
        self._session.undo()

    def _on_undone(self, _time: float) -> None:
        """Remove the message if the edit that is undone may have caused the error; RunMonitor offers to go back."""
        if self._halt is not None and changes_motion(self._session.diff):
            self._clear_message()

    def _on_scene_changed(self, document: Document) -> None:
        """Remove a message about another scene. One from a file runs: it was the error that paused, not the user."""
        halted = self._halted_document
        if self._halt is not None and halted is not None and not document.is_version_of(halted):
            self._clear_message()
            if document.path is not None and document.recording is None:
                self._session.play(True)
        self._end_offer()

    def _show_halt(self, event: RunHalted) -> None:
        """Show the error, with the remedies that apply to it."""
        self._halt, self._halted_document = event, self._session.document
        message = translate(event.message)
        if event.part:  # the message says when
            text = self.tr("Paused: {message}").format(message=message)
        else:
            text = self.tr("Paused at t = {time} s: {message}").format(time=f"{event.time:.4g}", message=message)
        self._status.show_text(text, 60.0)
        remedies: dict[str, Callable[[], None]] = {}
        diverged = event.part and not self._is_of_data(event.part)
        if event.part and not diverged:
            remedies[self.tr("Hold the last value")] = lambda: self._hold_data(event.part)
        if diverged:
            text += self._limit_text()
            remedies[self.tr("Halve the step and continue")] = self._halve_step
            remedies |= step_remedies(self._session)
        remedies[self.tr("Reset")] = self.reset
        if diverged:
            remedies[self.tr("Why?")] = self.help_requested.emit
        self._toast.show_message(text, None, remedies)
        self._text = text

    def _is_of_data(self, part: str) -> bool:
        """Whether a part is the place of measured data in the scene, whose end has ended the run."""
        try:
            return isinstance(at(self._session.document.scene, parse_path(part)), MeasuredInput)
        except (LookupError, ValueError):
            return False

    def _hold_data(self, place: str) -> None:
        """Let the measured data at a place hold their last value, and continue."""
        self._clear_message()
        if self._is_of_data(place):
            self._session.edit(self._session.scene.with_values({f"{place}.outside": "hold"}))
        self._session.play(True)

    def retranslate(self) -> None:
        """Show the message in the current language."""
        self._update_message()

    def _update_message(self) -> None:
        """Show the message again, if the run is still paused by the error and no other message has replaced it."""
        if self._halt is not None and not self._session.running and self._toast.text == self._text:
            self._show_halt(self._halt)

    def _limit_text(self) -> str:
        """Sentence with the largest stable step in the current state; empty if it is unknown or not exceeded."""
        limits, scene = self._session.limits, self._session.document.scene
        limit = limits.largest.get(scene.solver.method, np.inf) if limits and limits.hold_for(scene) else np.inf
        if not 0 < limit < scene.solver.time_step:
            return ""
        method = tr(METHODS.get(scene.solver.method, scene.solver.method))
        text, cause = self.tr("In that state {method} needs steps below about {limit} s."), ""
        if limits is not None and (found := limits.causes.get(scene.solver.method)) is not None:
            text = self.tr("For {cause} {method} needs steps below about {limit} s.")
            cause = translate(found)
        return "\n" + text.format(method=method, limit=f"{limit:.2g}", cause=cause)
