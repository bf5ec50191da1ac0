"""Hooks of the parts of a window."""

from __future__ import annotations

from collections.abc import Sequence

from polhode_app.messages import FrameData


class WindowPart:
    """A part of the window; its hooks do nothing unless it overrides them.

    The main window registers its parts in `WindowContext.parts`, and calls each hook of all of them in that order.
    """

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Follow the run: called once per frame at a wall time [s], with the frames since the last call.

        Called after the view shows the newest frame; returns True if the part has changed the view.
        """
        return False

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Show the numbers of a frame at a wall time [s]; called a few times a second."""

    def retranslate(self) -> None:
        """Set all texts in the current language."""

    def set_theme(self) -> None:
        """Adopt the colours of the window."""

    def stop(self) -> None:
        """End threads, processes and files; called when the window closes."""
