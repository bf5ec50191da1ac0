"""Tour in two steps: grab something that moves, then try something else."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QPushButton

from polhode_app.messages import FrameData
from polhode_app.session.document import Document
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.toast import OverlayFrame

STEPS = 2


class Tour(QObject):
    """Explains two steps in a frame over the view; each ends when it was done.

    `update` is called for frames. The first step ends with a grab, the second with an edit or another scene.
    """

    def __init__(self, context: WindowContext):
        """Create the tour; `start` shows it."""
        super().__init__(context.window)
        self._session, self._actions, self._settings = context.session, context.actions, context.settings
        self.frame = OverlayFrame(context.view, at_top=False)
        self._step = 0  # number of the current step; 0: none
        self._is_due = False  # it starts with the first scene that runs
        self.act_button, self.close_button = self._button(self._act), self._button(self.stop)
        self._session.scene_changed.connect(self._on_scene_changed)

    @property
    def step(self) -> int:
        """Number of the current step, from 1 on; 0 while there is no tour."""
        return self._step

    def offer(self) -> None:
        """Start as soon as a scene runs, if this user has never seen the tour."""
        self._is_due = not self._settings.toured

    def start(self) -> None:
        """Begin with the first step, in a run that moves."""
        self._is_due, self._settings.toured = False, True
        self._session.play(True)
        self._show(1)

    def stop(self) -> None:
        """End the tour."""
        self._step = 0
        self.frame.hide()
        self._actions["hand"].setChecked(False)

    def update(self, frame: FrameData) -> None:
        """Look whether something is grabbed."""
        if self._is_due and frame.running:
            self.start()
        if self._step == 1 and frame.snapshot.interaction_marker is not None:
            self._show(2)

    def retranslate(self) -> None:
        """Show the step in the current language."""
        if self._step:
            self._show(self._step)

    def _show(self, step: int) -> None:
        """Show a step."""
        self._step = step
        if step == 1:
            text = self.tr("Grab it: drag what moves. A drag beside it turns the view.")
            self.act_button.setText(self.tr("Grab tool"))
        else:
            text = self.tr("Try something else: press a button of the card, or open another scene.")
            self.act_button.setText(self.tr("Gallery"))
        count = self.tr("Step {step} of {count}").format(step=step, count=STEPS)
        self.frame.label.setText(f"{count}\n{text}")
        self.close_button.setText(self.tr("Close"))
        self.frame.show()
        self.frame.place()

    def _act(self) -> None:
        """Do what the button of the current step says."""
        if self._step == 1:
            self._actions["hand"].setChecked(True)  # also where a key has chosen it before
        else:
            self._actions["scenes"].trigger()

    def _on_scene_changed(self, document: Document) -> None:
        """End the tour with whatever was tried in the second step, and where there is nothing to grab."""
        if self._step == STEPS or (self._step and document.is_empty):
            self.stop()

    def _button(self, function: Callable[[], None]) -> QPushButton:
        """Add a button to the frame."""
        button = QPushButton()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: function())
        self.frame.side.addWidget(button)
        return button
