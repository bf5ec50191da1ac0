"""Transport bar under the view: timeline, play, step, reset, speed, and solver."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from polhode_app.messages import FrameData
from polhode_app.session.session import SPEEDS
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.accessibility.tab_order import items_of
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.solver_bar import SolverBar
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.number_label import NumberLabel
from polhode_app.window.widgets.timeline import Timeline
from polhode_app.window.widgets.wheel import ComboBox

LEAST_HEIGHT = 32  # [pixel] of a button: a bar that has just wrapped would squeeze its icon
TIME_GAP = 12  # [pixel] before the time
BEHIND = 0.9  # measured speeds below this fraction of the selected one are marked


class TransportBar(QWidget, WindowPart):
    """Buttons for the actions of the window, the timeline, the speed and the solver.

    In a narrow window the solver has a row of its own, and a very narrow one hides what menus, keys and the status bar
    have, too. `refresh` shows the state of the session, `show_frame` the numbers of a frame.
    """

    def __init__(self, context: WindowContext):
        """Create the bar."""
        super().__init__()
        session = context.session
        self._session, self._actions, self._status = session, context.actions, context.status
        self._buttons = {name: self._make_button(self._actions[name]) for name in BUTTONS}
        self._time_label, self._factor_label = NumberLabel(), NumberLabel()
        self._factor_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.timeline = Timeline()
        self.timeline.seek_requested.connect(session.seek)
        self._speed_box = ComboBox()
        for speed in SPEEDS:
            self._speed_box.addItem(f"× {speed:g}", speed)
        self._speed_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # the space bar remains the key of play
        self._speed_box.activated.connect(lambda row: session.set_speed(SPEEDS[row]))
        self.solver = SolverBar(session)
        self.solver.width_changed.connect(lambda: QTimer.singleShot(0, self, self._fit))
        session.transport_changed.connect(self.refresh)
        session.coming_changed.connect(lambda _document: self._show_time(0.0, 0.0, 0.0))
        self._lay_out()
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language, and the heights that suit the icons."""
        for button in self._buttons.values():
            button.setMinimumHeight(scaled(LEAST_HEIGHT))
        self._time_label.describe(self.tr("Simulated time"), "00000.000 s")
        paces = [self._speed_text(10.0, behind) for behind in (False, True)]
        self._factor_label.describe(self.tr("Simulated seconds per second, measured"), *paces, self.tr("paused"))
        self._speed_box.setToolTip(self.tr("Speed: simulated seconds per second (+ and -)"))
        self._speed_box.setMinimumWidth(self._speed_box.sizeHint().width())
        self.timeline.setAccessibleName(self.tr("Timeline"))
        self.timeline.setAccessibleDescription(self.tr("Simulated time [ms] in the history of the run"))
        self.solver.retranslate()
        self.refresh()

    def _lay_out(self) -> None:
        """Place the widgets."""
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(6, 4, 6, 6)
        column.setSpacing(2)
        column.addWidget(self.timeline)
        column.addLayout(row)
        self._row, self._second_row = row, QHBoxLayout()
        column.addLayout(self._second_row)
        row.setSpacing(4)
        for name in ("reset", "back", "play", "step"):
            row.addWidget(self._buttons[name])
        row.addSpacing(TIME_GAP)
        row.addWidget(self._time_label)
        row.addStretch(1)
        for widget in (self._buttons["slower"], self._speed_box, self._buttons["faster"], self._factor_label):
            row.addWidget(widget)
        row.addStretch(1)
        self._solver_index = row.count()
        row.addWidget(self.solver)
        row.addStretch(1)
        for name in ("scenes", "fit", "take_picture", "record"):
            row.addWidget(self._buttons[name])
        self._foldable: tuple[tuple[QWidget, ...], ...] = (
            (self._factor_label,),
            (self._buttons["slower"], self._buttons["faster"]),
            (self._buttons["scenes"], self._buttons["fit"], self._buttons["take_picture"]),
            (self._buttons["back"],),
        )  # hidden in this order where there is no room

    def _make_button(self, action: QAction) -> QToolButton:
        """A flat button for an action, which never takes the focus."""
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def minimumSizeHint(self) -> QSize:
        """The least size in a narrow window, so that docks can take the room of what is hidden or moved there."""
        optional = [widget for group in self._foldable for widget in group]
        row = self._width_of(each for each in self._in_row if each not in optional)
        width = max(row, self._least_width(self.solver)) + self._margins
        return QSize(width, super().minimumSizeHint().height())

    @property
    def _in_row(self) -> list[QWidget]:
        """The widgets of the first row, except the solver, from left to right, also hidden ones."""
        inside = [item for item in items_of(self._row) if isinstance(item, QWidget) and item is not self.solver]
        return sorted(inside, key=self._row.indexOf)

    @property
    def _margins(self) -> int:
        """Width [pixel] of the margins at both sides."""
        margins = self.layout().contentsMargins()
        return margins.left() + margins.right()

    @staticmethod
    def _least_width(widget: QWidget) -> int:
        """Width [pixel] that a widget needs."""
        return max(widget.minimumWidth(), widget.minimumSizeHint().width())

    def _width_of(self, widgets: Iterable[QWidget]) -> int:
        """Width [pixel] that the first row needs with these widgets."""
        return TIME_GAP + sum(self._least_width(each) + self._row.spacing() for each in widgets)

    @property
    def _is_wrapped(self) -> bool:
        """Whether the solver is in the second row."""
        return self._second_row.count() > 0

    def _wrap(self, on: bool) -> None:
        """Move the solver to the second row, or back to the first."""
        if on and not self._is_wrapped:
            self._row.removeWidget(self.solver)
            self._second_row.addWidget(self.solver)
            self._second_row.addStretch(1)
        elif not on and self._is_wrapped:
            self._second_row.removeWidget(self.solver)
            self._second_row.takeAt(0)
            self._row.insertWidget(self._solver_index, self.solver)

    def _settle(self) -> None:
        """Lay the rows out again: Qt keeps an old height of a row where its widgets change while it resizes the bar."""
        for layout in (self._row, self._second_row, self.layout()):
            layout.invalidate()
        self.layout().activate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the solver, and hide what the new width has no room for."""
        self._fit()
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._settle)

    def _fit(self) -> None:
        """Wrap the solver and hide other widgets as the width requires."""
        width = self.width() - self._margins
        solver = self.solver.full_width + self._row.spacing()
        self._wrap(width < self._width_of(self._in_row) + solver)
        shown, left = self._in_row, width if self._is_wrapped else width - solver
        for group in self._foldable:
            fits = self._width_of(shown) <= left
            for widget in group:
                widget.setVisible(fits)
            if not fits:
                shown = [widget for widget in shown if widget not in group]

    def refresh(self) -> None:
        """Show whether the session runs, its speed and its solver."""
        running, speed, play = self._session.running, self._session.speed, self._actions["play"]
        play.setIcon(icon("pause" if running else "play", QGuiApplication.palette()))
        play.setText(self.tr("&Pause") if running else self.tr("&Play"))
        play.setToolTip(self.tr("Pause (Space)") if running else self.tr("Play (Space)"))
        self._actions["faster"].setEnabled(speed < SPEEDS[-1])
        self._actions["slower"].setEnabled(speed > SPEEDS[0])
        self.solver.refresh()
        if speed in SPEEDS:
            self._speed_box.setCurrentIndex(SPEEDS.index(speed))

    def toggle(self) -> None:
        """Play or pause."""
        self._session.play(not self._session.running)

    def set_theme(self) -> None:
        """Draw the icon of the play button in the colours of the window."""
        self.refresh()

    def change_speed(self, steps: int) -> None:
        """Change the speed by a number of rows of SPEEDS."""
        row = SPEEDS.index(self._session.speed) + steps
        if 0 <= row < len(SPEEDS):
            self._session.set_speed(SPEEDS[row])
            self._status.show_text(self.tr("Speed × {speed}").format(speed=f"{SPEEDS[row]:g}"), 3.0)

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Show time and measured speed of a frame, and the range of the rewind buffer."""
        self._show_time(*frame.past, frame.snapshot.time)
        if not frame.running:
            self._factor_label.setText(self.tr("paused"))
            return
        self._factor_label.setText(self._speed_text(frame.factor, frame.factor < BEHIND * self._session.speed))

    def _show_time(self, first: float, last: float, now: float) -> None:
        """Show a time [s] of the run in its history."""
        self._time_label.setText(f"{now:.3f} s")
        self.timeline.show_times(first, last, now)

    def _speed_text(self, factor: float, behind: bool) -> str:
        """Measured speed, marked if it stays behind the selected one."""
        text = self.tr("{factor}× (computer limit)") if behind else self.tr("{factor}× real time")
        return text.format(factor=f"{factor:.2f}")


BUTTONS = ("reset", "back", "play", "step", "slower", "faster", "scenes", "fit", "take_picture", "record")
