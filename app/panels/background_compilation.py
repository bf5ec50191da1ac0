"""What other scenes need is compiled in the background, by a process of the lowest priority, as soon as one runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.panels.shell.window_context import WindowContext
from app.panels.widgets.compile_bar import CompileBar

if TYPE_CHECKING:
    from app.compilation.preparation import CompilerPool

START_DELAY = 5.0  # [s] that a first scene runs before
POLL_INTERVAL = 0.5  # [s] from one look at the process to the next


class BackgroundCompilation(QObject):
    """Does nothing until `begin`; then whenever the settings say so."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._session, self._settings, self._toast = context.session, context.settings, context.toast
        self.bar = CompileBar(context.view)
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
        """From now on, if the settings say so."""
        self.started = True
        if self._settings.ahead:
            self._timer.start(int(START_DELAY * 1000))

    def _on_progress(self, done: int, total: int) -> None:
        """How much of what a scene waits for is compiled."""
        if total and self._session.meshes is None:
            self._toast.dismiss()  # the bar says more than that the physics is being prepared
        self.bar.show_progress(done, total)

    def set_enabled(self, on: bool) -> None:
        """Remember whether it is wanted; what is wanted begins at once."""
        self._settings.ahead = on
        self.stop()
        if on and self.started:
            self.start()

    def stop(self) -> None:
        """End the process, if there is one."""
        self._timer.stop()
        if self.compilers is not None:
            self.compilers.kill()
            self.compilers = None

    def _poll(self) -> None:
        if self.compilers is None:
            if self._session.moment is None:  # nothing runs yet, or what runs is about to be another scene
                return
            # Here and not at the top: it brings the compiler, which the physics thread has loaded by now.
            from app.compilation.preparation import start_background_compilation

            self.compilers = start_background_compilation()
            self._timer.start(int(POLL_INTERVAL * 1000))
        if self.compilers is not None:
            self.compilers.poll()
        if self.compilers is None or self.compilers.over:
            self.stop()
