"""Solver in the transport bar: integration method, time step, and the largest stable step."""

from __future__ import annotations

from math import ceil, inf

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from app.i18n.field_names import METHODS
from app.i18n.language import tr
from app.messages import StepLimitsFound
from app.panels.shell.help_window import help_button
from app.panels.widgets.spin_box import SpinBox
from app.session.session import Session

MS = 1e3  # [ms/s]; dividing is exact where multiplying by 0.001 is not: 1.3 / 1000 == 0.0013
WARNING = "color: #e8590c; font-weight: bold"


class SolverBar(QWidget):
    """Shows and edits the solver of the scene, also while it runs.

    The limit beside the time step is the estimated largest stable step of the method; it is marked when the step
    exceeds it. The tool tip lists the limits of all methods.
    """

    help_requested = Signal(str)
    """Method to explain."""

    def __init__(self, session: Session, parent: QWidget | None = None):
        """Create the bar for the scene of a session."""
        super().__init__(parent)
        self._session = session
        self.method = QComboBox()
        for name in METHODS:
            self.method.addItem("", name)
        self.method.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the space bar remains the key of play
        self.method.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.step = SpinBox(1e-6, 1e5, "ms", 6)
        self.limit = QLabel()
        self.limit.setMinimumWidth(self.limit.fontMetrics().horizontalAdvance("⚠ ≤ 0.0000 ms") + 8)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.help_button = help_button()
        self.help_button.clicked.connect(lambda: self.help_requested.emit(self.method.currentData()))
        for widget in (self.method, self.help_button, self.step, self.limit):
            row.addWidget(widget)
        self.method.activated.connect(lambda row: session.set_solver(method=self.method.itemData(row)))
        self.step.valueChanged.connect(lambda value: session.set_solver(time_step=value / MS))
        session.scene_changed.connect(self.refresh)
        session.limits_changed.connect(self.refresh)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        for row, text in enumerate(METHODS.values()):
            self.method.setItemText(row, tr(text))
        usual, letter = (self.fontMetrics().horizontalAdvance(text) for text in (tr(METHODS["rk4"]), "X"))
        self.method.setMinimumContentsLength(ceil(usual / letter))
        self.method.setToolTip(self.tr("Integration method"))
        self.step.setToolTip(self.tr("Time step"))
        self.help_button.setToolTip(self.tr("About the methods and their largest steps"))
        self.refresh()

    def refresh(self) -> None:
        """Show the current solver and its limit."""
        solver = self._session.document.scene.solver
        self.method.setCurrentIndex(self.method.findData(solver.method))
        if not self.step.hasFocus():
            self.step.blockSignals(True)
            self.step.setValue(solver.time_step * MS)
            self.step.blockSignals(False)
        largest = self._largest_steps()
        limit = largest.get(solver.method)
        passed = limit is not None and solver.time_step > limit
        self.limit.setText(("⚠ " if passed else "") + self._limit_text(limit))
        self.limit.setStyleSheet(WARNING if passed else "")
        self.limit.setToolTip(self._limits_table(largest, solver.method, passed))

    def _largest_steps(self) -> dict[str, float]:
        """Largest stable time steps [s] by method; empty while, or where, none are known."""
        limits = self._limits()
        return {} if limits is None else dict(limits.largest)

    def _limits(self) -> StepLimitsFound | None:
        """The limits of the current scene; None while they are being estimated."""
        limits = self._session.limits
        return limits if limits is not None and limits.hold_for(self._session.document.scene) else None

    def _limit_text(self, limit: float | None) -> str:
        """A limit [s] as text in ms; empty if it is unknown."""
        if limit is None:
            return ""
        if limit == inf:
            return self.tr("any step")
        return f"≤ {limit * MS:.3g} ms" if limit > 0 else self.tr("unstable")

    def _limits_table(self, largest: dict[str, float], chosen: str, passed: bool) -> str:
        """All methods with their limits, as rich text; `chosen` is bold, `passed` adds a warning."""
        if self._limits() is None:
            return self.tr("The largest stable step is being estimated")
        if not largest:
            return self.tr("The largest stable step could not be estimated: the scene is too large, or has diverged")
        names = {name: f"<b>{tr(text)}</b>" if name == chosen else tr(text) for name, text in METHODS.items()}
        limits = {name: self._limit_text(largest.get(name)) for name in METHODS}
        rows = "".join(f"<tr><td>{names[name]}&nbsp;&nbsp;</td><td>{limits[name]}</td></tr>" for name in METHODS)
        heading = self.tr("Largest stable step, estimated where the scene was loaded or edited")
        advice = self.tr("The step is too long: the motion will gain energy until it diverges. Shorten it.")
        return f"<p>{heading}</p><table>{rows}</table>" + (f"<p><b>{advice}</b></p>" if passed else "")
