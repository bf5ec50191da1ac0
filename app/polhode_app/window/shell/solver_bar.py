"""Solver in the transport bar: integration method, time step, and the largest accurate and stable steps."""

from __future__ import annotations

from html import escape
from math import inf

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QStyle, QStyleOptionComboBox, QWidget

from polhode_app.i18n.field_names import METHODS
from polhode_app.i18n.language import tr
from polhode_app.i18n.translation import capitalized, translate
from polhode_app.messages import StepLimitsFound
from polhode_app.session.safe_step import safely_below
from polhode_app.session.session import Session
from polhode_app.window.accessibility.key_claims import PRESS
from polhode_app.window.shell.help_window import help_button
from polhode_app.window.shell.theme import state_style
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of, silent
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

WIDE, FRAME = 1000, 4  # [pixel] width of a list whose frame is measured; margins of its text
MS = 1e3  # [ms/s]; dividing is exact where multiplying by 0.001 is not: 1.3 / 1000 == 0.0013


class StepLabel(QLabel):
    """A limit of the time step, which a click sets, or Space or Return while it has the focus."""

    clicked = Signal()
    claimed_keys = PRESS

    def __init__(self) -> None:
        super().__init__()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Emit `clicked` on Space and Return."""
        if event.key() in PRESS:
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit `clicked`."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class SolverBar(QWidget):
    """Shows and edits the solver of the scene, also while it runs.

    Beside the time step are the recommended step and the largest stable step of the method. Their colours show the
    verdict of a trial about the step, a click sets them. The tool tip lists the limits of all methods. Where there is
    no room for the words of these steps, only their numbers are shown.
    """

    help_requested = Signal(str)
    """Method to explain."""
    width_changed = Signal()
    """Another method needs another width."""

    def __init__(self, session: Session, parent: QWidget | None = None):
        """Create the bar for the scene of a session."""
        super().__init__(parent)
        self._session, self._is_short, self._is_fitting = session, False, False
        self.method = ComboBox()
        for name in METHODS:
            self.method.addItem("", name)
        focus_by_tab(self.method)
        self.method.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # where there is room
        self.method.setMinimumContentsLength(1)  # see `_fit_method`
        self.step = SpinBox(1e-6, 1e5, "ms", 6)
        self.step.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.accurate, self.limit = StepLabel(), StepLabel()
        self.help_button = help_button()
        self.help_button.clicked.connect(lambda: self.help_requested.emit(self.method.currentData()))
        limits = column_of(self.accurate, self.limit, spacing=0)
        row_of(self.method, self.help_button, self.step, limits, on=self, margins=0, spacing=4)
        self.accurate.clicked.connect(lambda: self._set_step("accurate"))
        self.limit.clicked.connect(lambda: self._set_step("largest"))
        self.method.activated.connect(lambda row: session.set_solver(method=self.method.itemData(row)))
        self.step.valueChanged.connect(lambda value: session.set_solver(time_step=value / MS))
        session.scene_changed.connect(self.refresh)
        session.limits_changed.connect(self.refresh)
        self.retranslate()

    def minimumSizeHint(self) -> QSize:
        """The least size: with numbers only, and without the button of the help, which is in the menu, too."""
        return QSize(self._width(short=True), self.layout().totalMinimumSize().height())

    def sizeHint(self) -> QSize:
        """The size with all of it. It must not depend on what is hidden: the bar would get another width, and so on."""
        return super().sizeHint().expandedTo(QSize(self.full_width + self._button_width, 0))

    @property
    def full_width(self) -> int:
        """Width [pixel] that method, step and limits need with their words."""
        return self._width(short=False)

    @property
    def _button_width(self) -> int:
        """Width [pixel] of the button of the help, with the gap beside it."""
        return self.help_button.minimumSizeHint().width() + self.layout().spacing()

    def _width(self, short: bool) -> int:
        """Width [pixel] that method, step and limits need; the whole name of the method, if not `short`."""
        step = self.step.minimumSizeHint().width()
        return self._method_width(short) + step + 2 * self.layout().spacing() + self._limit_width(short)

    def _method_width(self, short: bool) -> int:
        """Width [pixel] that the name of the method needs; with `short` that of the usual method."""
        option = QStyleOptionComboBox()
        option.initFrom(self.method)
        option.rect = QRect(0, 0, WIDE, self.height())
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self.method).width()
        text = tr(METHODS["rk4"]) if short else self.method.currentText()
        return self.fontMetrics().horizontalAdvance(text) + WIDE - room + FRAME

    def _fit_method(self) -> None:
        """Keep as much of the name of the method in sight as the bar has room for."""
        usual, whole = self._method_width(short=True), self._method_width(short=False)
        room = self.width() - self._width(self._is_short) + (usual if self._is_short else whole)
        self.method.setMinimumWidth(max(usual, min(whole, room)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the contents to the new width."""
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Hide the button of the help and the words of the limits where there is no room for them."""
        if self._is_fitting:  # Qt lays out again while the button is shown, which cannot be hidden in that moment
            QTimer.singleShot(0, self, self._fit)
            return
        self._is_fitting = True
        self.help_button.setVisible(self.width() >= self.full_width + self._button_width)
        self._is_fitting = False
        if (self.width() < self.full_width) is not self._is_short:
            self._is_short = not self._is_short
            self.limit.setMinimumWidth(self._limit_width(self._is_short))
            self.refresh()
        self._fit_method()
        self.layout().invalidate()
        self.layout().activate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        for row, text in enumerate(METHODS.values()):
            self.method.setItemText(row, tr(text))
        self._fit_method()
        self.method.setToolTip(self.tr("Integration method"))
        self.step.setToolTip(self.tr("Time step"))
        self.accurate.setAccessibleName(self.tr("Recommended time step"))
        self.limit.setAccessibleName(self.tr("Largest stable time step"))
        self.help_button.setToolTip(self.tr("About the methods and their largest steps"))
        self.limit.setMinimumWidth(self._limit_width(self._is_short))
        height = self.limit.fontMetrics().size(0, self._stable_text(1.0)).height()  # higher in another font
        self.setMinimumHeight(2 * max(self.limit.sizeHint().height(), height))  # the same with one limit
        self.refresh()

    def _limit_width(self, short: bool) -> int:
        """Width [pixel] of the longest usual text of a limit."""
        texts: tuple[str, ...] = (_in_numbers(0.0012345),)
        if not short:
            texts = self._stable_text(0.0012345), self._accurate_text(0.0005)
        return max(self.limit.fontMetrics().horizontalAdvance("⚠ " + text) for text in texts) + 8

    def refresh(self) -> None:
        """Show the current solver and its limit."""
        solver = self._session.document.scene.solver
        if solver.method != self.method.currentData():
            self.method.setCurrentIndex(self.method.findData(solver.method))
            self._fit()
            self.width_changed.emit()
        if not self.step.hasFocus():
            with silent(self.step):
                self.step.setValue(solver.time_step * MS)
        found = self._limits()
        largest: dict[str, float] = {} if found is None else dict(found.largest)
        limit, accurate = largest.get(solver.method), None if found is None else found.accurate.get(solver.method)
        verdict = None if found is None else found.verdict_on(self._session.document.scene)
        unstable = verdict is not None and verdict.problem is not None
        inaccurate = verdict is not None and not verdict.is_good
        state = "unstable" if unstable else "inaccurate" if inaccurate else "good"
        beyond = unstable and (accurate is None or (limit is not None and solver.time_step > limit))
        texts = self._stable_text(limit), self._accurate_text(accurate)
        if self._is_short:
            texts = _in_numbers(limit), _in_numbers(accurate)
        self.limit.setText(("⚠ " if beyond else "") + texts[0])
        self.accurate.setText(("⚠ " if unstable and not beyond else "") + texts[1])
        self.accurate.setVisible(accurate is not None)
        self.limit.setStyleSheet(state_style("unstable") if beyond else "")
        self.accurate.setStyleSheet(state_style(state))
        tip = self._limits_table(largest, solver.method, state)
        for label in (self.limit, self.accurate):
            label.setToolTip(tip)

    def _set_step(self, which: str) -> None:
        """Set the recommended step, or one somewhat below the largest stable one, if it is known."""
        found = self._limits()
        limits: dict[str, float] = {} if found is None else dict(getattr(found, which))
        limit = limits.get(self._session.document.scene.solver.method, inf)
        if 0 < limit < inf:
            self._session.set_solver(time_step=limit if which == "accurate" else safely_below(limit))

    def _limits(self) -> StepLimitsFound | None:
        """The limits of the current scene; None while they are being estimated."""
        limits = self._session.limits
        return limits if limits is not None and limits.hold_for(self._session.document.scene) else None

    def _stable_text(self, limit: float | None) -> str:
        """A largest stable step [s] as text; empty if it is unknown."""
        return "" if limit is None else self.tr("stable {limit}").format(limit=self._limit_text(limit))

    def _accurate_text(self, limit: float | None) -> str:
        """A recommended step [s] as text; empty if it is unknown."""
        return "" if limit is None else self.tr("recommended {limit}").format(limit=self._limit_text(limit))

    def _limit_text(self, limit: float | None) -> str:
        """A limit [s] as text in ms, from a second on in s; empty if it is unknown."""
        if limit is None:
            return ""
        if limit == inf:
            return self.tr("any step")
        if limit <= 0:
            return self.tr("unstable")
        return _in_numbers(limit)

    def _cause_text(self, method: str) -> str:
        """Paragraph about what sets the limit of a method later in the run; empty if the present motion does."""
        found = self._limits()
        cause = None if found is None else found.causes.get(method)
        if cause is None:
            return ""
        text = self.tr("The limit of this method is set by {cause}, which counts before it happens.")
        return f"<p>{escape(text.format(cause=translate(cause)))}</p>"

    def _problem_text(self) -> str:
        """Why the step is too long; empty if it is not."""
        found = self._limits()
        verdict = None if found is None else found.verdict_on(self._session.document.scene)
        problem = None if verdict is None else verdict.problem
        return "" if problem is None else escape(self.tr("{rule}.").format(rule=capitalized(translate(problem.rule))))

    def _limits_table(self, largest: dict[str, float], chosen: str, state: str) -> str:
        """All methods with their limits, as rich text; `chosen` is bold, a `state` other than good adds a warning."""
        if self._limits() is None:
            return self.tr("The largest stable step is being estimated")
        if not largest:
            return self.tr("The largest stable step could not be estimated: the scene is too large, or has diverged")
        names = {name: f"<b>{tr(text)}</b>" if name == chosen else tr(text) for name, text in METHODS.items()}
        limits = {name: self._limit_text(largest.get(name)) for name in METHODS}
        rows = "".join(f"<tr><td>{names[name]}&nbsp;&nbsp;</td><td>{limits[name]}</td></tr>" for name in METHODS)
        heading = self.tr("Largest stable step, estimated where the scene was loaded or edited")
        accurate = self.tr("Recommended: the energy drifts by less than 1 % in the next 10 s, by trial runs.")
        click = self.tr("A click on a limit sets the time step.")
        advice = {
            "good": "",
            "inaccurate": self.tr("With this step the energy drifts by more than 1 % in 10 s."),
            "unstable": self._problem_text(),
        }[state]
        warning = f"<p><b>{advice}</b></p>" if advice else ""
        cause = self._cause_text(chosen)
        return f"<p>{accurate}</p><p>{heading}</p><table>{rows}</table>{cause}{warning}<p>{click}</p>"


def _in_numbers(limit: float | None) -> str:
    """A limit [s] as text without words: in ms, from a second on in s; empty if it is unknown."""
    if limit is None:
        return ""
    if limit in (inf, 0.0):
        return "≤ ∞" if limit else "≤ 0"
    return f"≤ {limit * MS:.3g} ms" if limit < 0.9995 else f"≤ {limit:.3g} s"
