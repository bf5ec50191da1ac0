"""Compilation of the kernels of other scenes in a background process of the lowest priority."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from polhode_app.i18n.field_names import scene_name
from polhode_app.messages import CancelLoading, CompilationProgress, FrameData
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.compile_bar import CompileBar

if TYPE_CHECKING:
    from polhode_app.compilation.preparation import CompilerPool

START_DELAY = 5.0  # [s] after the first scene before the process starts
POLL_INTERVAL = 0.5  # [s] between two polls of the process


class BackgroundCompilation(QObject, WindowPart):
    """Compiles kernels in the background while a scene runs, and shows the progress of all compilation.

    Nothing is compiled before `start`, and only if the settings enable it. All methods are called in the GUI thread;
    the work is done by a child process.
    """

    def __init__(self, context: WindowContext):
        """Create the progress bar; the process is not started."""
        super().__init__(context.window)
        self._session, self._settings, self._toast = context.session, context.settings, context.toast
        self._drawing = context.scene_view.job
        self._of_view: Any = None  # part of what views compute that is done, as it is shown
        self.bar = CompileBar(context.view)
        self.bar.cancelled.connect(lambda: context.session.send(CancelLoading()))
        context.session.compiling.connect(self._on_progress)
        self.started = False
        self.compilers: CompilerPool | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._poll)

    @property
    def is_scheduled(self) -> bool:
        """Whether compilation runs, or will start after START_DELAY."""
        return self._timer.isActive()

    def start(self) -> None:
        """Allow background compilation; it starts after START_DELAY if the settings enable it."""
        self.started = True
        if self._settings.ahead:
            self._timer.start(int(START_DELAY * 1000))

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Show how far views are with surfaces that are computed once."""
        done = self._drawing.progress
        if done != self._of_view:
            self._of_view = done
            self._show(CompilationProgress(0, 0, shapes=done), False)
        return False

    def _on_progress(self, progress: CompilationProgress) -> None:
        """Show how many of the units that the newest scene waits for are compiled."""
        if progress.total != 0 or progress.shapes is not None:
            self._toast.end_preparing()  # the bar replaces the message about the preparation
        self._show(progress, self._session.compiled is not None)

    def _show(self, progress: CompilationProgress, can_cancel: bool) -> None:
        newest = self._session.newest
        self.bar.show_progress(progress, scene_name(newest.scene, newest.path), can_cancel)

    def set_enabled(self, on: bool) -> None:
        """Store in the settings whether to compile in the background, and start or stop accordingly."""
        self._settings.ahead = on
        self.stop()
        if on and self.started:
            self.start()

    def stop(self) -> None:
        """Kill the process, if there is one."""
        self._timer.stop()
        if self.compilers is not None:
            self.compilers.kill()
            self.compilers = None

    def _poll(self) -> None:
        """Start the process once a scene runs, then poll it until it has compiled everything."""
        if self.compilers is None:
            if self._session.frame is None:  # no scene runs, or another one is being prepared
                return
            # Imported here, because it loads the compiler, which the simulation thread has done by now.
            from polhode_app.compilation.background import start_background_compilation

            self.compilers = start_background_compilation()
            self._timer.start(int(POLL_INTERVAL * 1000))
        if self.compilers is not None:
            self.compilers.poll()
        if self.compilers is None or self.compilers.over:
            self.stop()
