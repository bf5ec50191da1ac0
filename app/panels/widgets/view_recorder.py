"""The film of the view that is being recorded."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.export.screen_recorder import ScreenRecorder
from app.panels.widgets.toast import FilmBar
from app.viewport.widget import ViewWidget


class ViewRecorder(QObject):
    """Records the view from `start` to `stop`; `ended` gives the file, or None and a reason."""

    ended = Signal(object, object)  # Path or None, why there is none: a Message, or ""
    changed = Signal(bool)  # recording

    def __init__(self, view: ViewWidget):
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
        return self._recording

    def start(self, path: Path) -> None:
        """Record into a new file, unless one is still being written. Raises InputError where none can be."""
        if self._recorder is not None:
            return
        height, width, _ = self._view.pixels().shape
        self._recorder = ScreenRecorder(path, (width, height))
        self._set_recording(True)

    def stop(self) -> None:
        """Keep what there is; it is written in the background."""
        if self._recorder is not None and self._recording:
            self._recorder.finish()
            self._set_recording(False)

    def cancel(self) -> None:
        """Leave no file."""
        if self._recorder is not None:
            self._recorder.cancel()
            self._set_recording(False)

    def retranslate(self) -> None:
        """Set the texts of the bar in the current language."""
        self.bar.retranslate()

    def close(self, patience: float = 20.0) -> None:
        """The window closes: finish the file first."""
        film = self._recorder
        self.stop()
        if film is not None:
            film.join(patience)

    def poll(self) -> None:
        """Show how far the film is. Called once per frame."""
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
        self._recording = recording
        self.changed.emit(recording)

    def _add_frame(self) -> None:
        film, now = self._recorder, time.perf_counter()
        if film is not None and self._recording and film.wants(now):
            film.add(self._view.pixels(), now)
