"""Recording of the view as a film."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from polhode_app.export.screen_recorder import ScreenRecorder
from polhode_app.viewport.widget import ViewWidget
from polhode_app.window.widgets.toast import FilmBar


class ViewRecorder(QObject):
    """Records the rendered frames of the view from `start` to `stop`.

    Frames are encoded in a background thread. All methods are called in the GUI thread.
    """

    ended = Signal(object, object)
    """Path of the film, or None; and the reason of a failure, a Message, or ""."""
    changed = Signal(bool)
    """Whether frames are being recorded."""

    def __init__(self, view: ViewWidget):
        """Create a recorder for a view."""
        super().__init__(view)
        self._view = view
        self._recorder: ScreenRecorder | None = None
        self._recording = False
        self.bar = FilmBar(view)
        self.bar.stop.connect(self.stop)
        self.bar.cancel.connect(self.cancel)
        view.drawn.connect(self._add_frame)

    @property
    def recording(self) -> bool:
        """Whether frames are being recorded."""
        return self._recording

    def start(self, path: Path) -> None:
        """Start a film; no effect while the previous one is being written. Raises InputError."""
        if self._recorder is not None:
            return
        height, width, _ = self._view.pixels().shape
        self._recorder = ScreenRecorder(path, (width, height))
        self._set_recording(True)
        self._view.render()  # `drawn` of a frame with what films leave out may be queued

    def stop(self) -> None:
        """End the film; the remaining frames are written in the background."""
        if self._recorder is not None and self._recording:
            self._recorder.finish()
            self._set_recording(False)

    def cancel(self) -> None:
        """End the film and delete its file."""
        if self._recorder is not None:
            self._recorder.cancel()
            self._set_recording(False)

    def close(self, patience: float = 20.0) -> None:
        """Stop, and wait up to `patience` [s] for the file."""
        film = self._recorder
        self.stop()
        if film is not None:
            film.join(patience)

    def poll(self) -> None:
        """Show the progress, and emit `ended` when the file is complete. Called once per frame."""
        film = self._recorder
        if film is None:
            return
        if self._recording and not film.failure:
            self.bar.show_recording(film.seconds)
        elif film.writing:
            self.bar.show_writing(film.seconds, film.progress)
        else:
            self._recorder = None
            self._set_recording(False)
            self.bar.hide()
            self.ended.emit(film.path if film.path.exists() else None, film.failure)

    def _set_recording(self, recording: bool) -> None:
        """Set the state and emit `changed`."""
        self._recording = self._view.shows_whole = recording  # nothing that covers the view is in the film
        self.changed.emit(recording)

    def _add_frame(self) -> None:
        """Add the rendered frame, if one is due."""
        film, now = self._recorder, time.perf_counter()
        if film is not None and self._recording and film.wants(now):
            film.add(self._view.pixels(), now)
