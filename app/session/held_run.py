"""A run that is held while something is drawn in it."""

from __future__ import annotations

from app.session.session import Session


class HeldRun:
    """Holds the run from the first click of a tool until what was drawn is compiled.

    So it is added to the moment in which it was drawn: a compilation may take seconds, in which things would move on.
    """

    def __init__(self, session: Session):
        self._session, self._goes_on = session, False

    def begin(self) -> bool:
        """Pause a run; returns whether one is held."""
        if self._session.running:
            self._goes_on = True
            self._session.play(False)
        return self._goes_on

    def end(self) -> None:
        """Let a run that was held go on, after the edits that the physics has been handed."""
        if self._goes_on:
            self._goes_on = False
            self._session.play(True)
