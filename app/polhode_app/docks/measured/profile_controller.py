"""Controller of the box of profiles: computes them in the background, and keeps those of the newest result."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from polhode.fitting.profile import ProfileCurve
from polhode.fitting.result import FitResult
from polhode.scene.problem import InputError
from polhode_app.data.measured.fit_run import profile_of
from polhode_app.docks.measured.profile_box import ProfileBox
from polhode_app.i18n.translation import translate_problem
from polhode_app.jobs import Job


class ProfileController(QObject):
    """Another result cancels the computation, and discards the profiles of the previous one."""

    def __init__(self, box: ProfileBox):
        super().__init__(box)
        self._box, self._job = box, Job("profile")
        self._result: FitResult | None = None
        self._curves: dict[str, ProfileCurve] = {}  # of the result, by unknown
        self._problem = ""
        self._is_shown_busy = False
        box.wanted.connect(self.start)
        box.cancel_wanted.connect(self.cancel)
        box.unknown.currentIndexChanged.connect(lambda _row: self.refresh())

    @property
    def curves(self) -> list[ProfileCurve]:
        """The profiles that were computed."""
        return list(self._curves.values())

    @property
    def is_busy(self) -> bool:
        """Whether a profile is computed."""
        return self._job.is_running

    def stop(self) -> None:
        """End the thread."""
        self._job.close()

    def show_result(self, result: FitResult | None, titles: Sequence[str]) -> None:
        """Offer the unknowns of a result, with their display names."""
        if result is not self._result:
            self._job.cancel()
            self._result, self._curves, self._problem = result, {}, ""
        self._box.offer([each.unknown.name for each in result.estimates] if result is not None else [], titles)
        self.refresh()

    def start(self, name: str) -> None:
        """Compute the profile of an unknown."""
        result, box = self._result, self._box
        if result is None or name not in [each.unknown.name for each in result.estimates]:
            return
        self._problem = ""
        box.unknown.show_choice(name)
        self._job.start(lambda check_cancelled: profile_of(result, name, check_cancelled))
        self.refresh()

    def cancel(self) -> None:
        """Cancel the computation."""
        self._job.cancel()

    def tick(self) -> None:
        """Take a finished profile, once per frame."""
        made = self._job.poll()
        if isinstance(made, InputError):
            self._problem = "\n".join(map(translate_problem, made.problems))
        elif made is not None:
            self._curves[made.name] = made
        if made is not None or self._is_shown_busy != self.is_busy:
            self.refresh()

    def refresh(self) -> None:
        """Show the profile of the unknown that is chosen."""
        self._is_shown_busy = self.is_busy
        self._box.show_state(self.is_busy, self._curves.get(self._box.unknown.currentData()), self._problem)
