"""Notices about a time step that is too long: before it does harm, or as the energy drifts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from polhode.analysis.steps.energy_drift import BAD, HORIZON
from polhode_app.i18n.translation import capitalized, translate
from polhode_app.messages import FrameData
from polhode_app.window.notices.notice import Notice
from polhode_app.window.notices.steps import MS, step_remedies
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

LASTS = 0.3  # [s] wall time that a drift must last: it is relative to what has moved so far, little at first


class StepMonitor(QObject, WindowPart):
    """Says that the step of a run is too long, by the verdict of a trial or by the drift of the run, with a better one.

    A notice that was closed by its button stays away until the scene or its step changes, or the run begins again.
    """

    def __init__(self, context: WindowContext):
        """Follow the session of the window."""
        super().__init__(context.toast)
        self._session = context.session
        self._notice = Notice(context.toast)
        self._shown_problems: tuple[object, ...] = ()  # what the last notice was about, and its buttons
        self._ignored: tuple[object, ...] = ()  # run whose notice was closed
        self._drifts_since: float | None = None  # [s] wall time
        self._drift = 0.0  # the last that was shown
        self._time = 0.0  # [s] simulated, of the last frame
        context.session.limits_changed.connect(self._judge)
        context.session.scene_changed.connect(lambda _document: self._notice.withdraw())
        context.session.transport_changed.connect(self._judge)

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Look at a frame, at a wall time [s]; a run that was rewound is a new one."""
        if frame.snapshot.time < self._time:
            self._shown_problems = self._ignored = ()
            self._notice.withdraw()
        self._time = frame.snapshot.time
        if self._session.is_pending or frame.replays or abs(frame.recent_drift) <= BAD or not self._keeps_energy:
            self._drifts_since = None
            return
        self._drifts_since = wall if self._drifts_since is None else self._drifts_since
        if frame.running and wall - self._drifts_since > LASTS:
            self._drift = frame.recent_drift
            self._tell(self._show_drift)

    def retranslate(self) -> None:
        """Show the notice in the current language, if it is visible."""
        self._notice.retranslate()

    @property
    def _run(self) -> tuple[object, ...]:
        """Identity of a run: the scene and its version."""
        return self._session.document.number, self._session.document.generation

    @property
    def _keeps_energy(self) -> bool:
        """Whether energy minus ledger would be constant with a short step, as far as that is known."""
        limits = self._session.limits
        verdict = None if limits is None else limits.verdict_on(self._session.scene)
        return verdict is None or verdict.keeps_energy

    def _judge(self) -> None:
        """Tell a verdict on the step of the scene that runs, if it is a bad one."""
        session = self._session
        verdict = None if session.limits is None else session.limits.verdict_on(session.scene)
        if verdict is None or not session.running or session.is_pending:
            return
        if not verdict.keeps_energy:
            self._notice.withdraw()
        elif verdict.problem is not None:
            self._tell(self._show_verdict)

    def _tell(self, show: Callable[[], None]) -> None:
        """Show a notice, once for each run and again when a better step is known."""
        problems = (*self._run, *self._remedies())
        if problems != self._shown_problems and self._run != self._ignored:
            self._shown_problems = problems
            self._notice.show(show)

    def _show_verdict(self) -> None:
        """Show what a trial has found."""
        limits = self._session.limits
        verdict = None if limits is None else limits.verdict_on(self._session.scene)
        if verdict is not None and verdict.problem is not None:
            rule = capitalized(translate(verdict.problem.rule))
            self._message(self.tr("{rule}.").format(rule=rule))

    def _show_drift(self) -> None:
        """Show that the energy drifts."""
        text = self.tr("The energy has drifted by {percent} % within {seconds} s: the step of {step} ms is too long.")
        step = f"{self._session.scene.solver.time_step * MS:g}"
        self._message(text.format(percent=f"{100 * self._drift:+.2g}", seconds=f"{HORIZON:g}", step=step))

    def _message(self, text: str) -> None:
        """Show a text with a better step, and a button to ignore it."""
        self._notice.message(text, {**self._remedies(), self.tr("Ignore"): self._ignore})

    def _remedies(self) -> dict[str, Callable[[], None]]:
        """A button with the recommended step, or half of the step where none was found."""
        found, limits = step_remedies(self._session), self._session.limits
        if found or limits is None or not limits.is_complete:
            return found
        half = self._session.scene.solver.time_step / 2
        return {self.tr("Halve the step to {step} ms").format(step=f"{half * MS:g}"): self._halve}

    def _halve(self) -> None:
        """Halve the step."""
        self._session.set_step(self._session.scene.solver.time_step / 2)

    def _ignore(self) -> None:
        """Say nothing more about the step of this run."""
        self._ignored = self._run
