"""Form of the outcome of a sweep and its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from polhode.scene.fields import forms
from polhode.scene.scene import Scene
from polhode.scene.variants.outcome import (
    CRITERIA,
    KINDS,
    MOST_EXPONENTS,
    MOST_POINTS,
    Feature,
    GridAxis,
    Kind,
    Outcome,
)
from polhode_app.docks.maps.key_button import ChoiceBox, KeyButton
from polhode_app.docks.maps.part_list import PartList
from polhode_app.edit.sweeps import moving_quantity
from polhode_app.i18n.field_names import choice, label, quantity, tip
from polhode_app.window.widgets.layouts import Cell, grid_of
from polhode_app.window.widgets.spin_box import LimitSpinBox, SpinBox

LONGEST, LARGEST = 1e9, 1e12  # [s], [SI]
LABEL_WIDTH = 84  # [pixel]
ALL = "all"
FIELDS = ("near", "extreme", "quantity", "of", "features", "grid", "level", "period", "exponents", "points", "after")
"""Fields of an outcome with editors, from top to bottom; its row says which of them it has."""


class NamesButton(KeyButton):
    """A menu of names that can be checked; `changed` carries the checked ones."""

    changed = Signal(object)  # tuple of names

    def __init__(self) -> None:
        super().__init__()
        self.names: tuple[str, ...] = ()
        self.entries = QMenu(self)
        self.setMenu(self.entries)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # names may be long

    def show_names(self, names: tuple[str, ...], known: Sequence[str]) -> None:
        """Show which of the known names are chosen."""
        self.names = names
        self.setText(", ".join(names) or "…")
        if [action.text() for action in self.entries.actions()] != list(known):
            self.entries.clear()
            for name in known:
                action = self.entries.addAction(name)
                action.setCheckable(True)
                action.triggered.connect(lambda on, action=action: self._set(action, on))
        for action in self.entries.actions():
            action.setChecked(action.text() in names)

    def _set(self, action: QAction, on: bool) -> None:
        kept = tuple(name for name in self.names if name != action.text())
        self.changed.emit((*kept, action.text()) if on else kept)


class OutcomeForm(QWidget):
    """Edits an outcome: `changed` carries another one. `build` must be called before it is used."""

    changed = Signal(object)  # Outcome

    def __init__(self) -> None:
        super().__init__()
        self._scene, self.outcome, self.names = Scene(), Outcome(), list[str]()

    def build(self) -> Iterator[None]:
        """Make the editors in parts, between which the window can work."""
        self.kind, self.criterion, self.of = ChoiceBox(), ChoiceBox(), ChoiceBox()
        yield
        self.quantity, self.extreme, self.exponents = ChoiceBox(), ChoiceBox(), ChoiceBox()
        yield
        self.near = NamesButton()
        self.features = PartList(Feature(quantity="time", tolerance=0.1))
        self.grid = PartList(GridAxis(quantity="time", range=(-1.0, 1.0), count=40))
        self.after, self.level = SpinBox(0, LONGEST, "s", 6), SpinBox(-LARGEST, LARGEST, decimals=9)
        self.period = LimitSpinBox(0, LONGEST, "s", 9, self.tr("by itself"))
        self.points = SpinBox(1, MOST_POINTS, decimals=0)
        self.labels = {name: QLabel() for name in ("kind", "criterion", *FIELDS)}
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        """Labels beside editors; the wide ones stand below theirs."""
        rows: list[tuple[Cell, ...]] = []
        for name, text in self.labels.items():
            editor = getattr(self, name)
            rows += [((text, 2),), ((editor, 2),)] if name in ("features", "grid") else [(text, editor)]
        grid = grid_of(*rows, on=self, margins=0, spacing=(6, 3), stretched=[1])
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)

    def _connect(self) -> None:
        """Connect the editors to edits."""
        self.kind.activated.connect(lambda _row: self._set_kind(self.kind.currentData()))
        self.criterion.activated.connect(lambda _row: self._set_criterion(self.criterion.currentData()))
        for box, field in (
            (self.quantity, "quantity"),
            (self.extreme, "extreme"),
            (self.exponents, "exponents"),
            (self.of, "of"),
        ):
            box.activated.connect(lambda _row, box=box, field=field: self._change(**{field: box.currentData()}))
        for name in ("near", "features", "grid"):
            getattr(self, name).changed.connect(lambda value, name=name: self._change(**{name: value}))
        for name in ("after", "level"):
            getattr(self, name).valueChanged.connect(lambda value, name=name: self._change(**{name: value}))
        self.points.valueChanged.connect(lambda value: self._change(points=round(value)))
        self.period.valueChanged.connect(lambda value: self._change(period=value or None))

    # Display

    def offer_quantities(self, names: list[str]) -> None:
        """Set the columns of the table that an outcome can be taken of."""
        if names != self.names:
            self.names = names
            self._offer()
            self.show_outcome(self._scene, self.outcome)

    def _offer(self) -> None:
        """Fill the lists of choices, in the current language."""
        named = [(quantity(name), name) for name in self.names]
        self.quantity.offer(named)
        for parts in (self.features, self.grid):
            parts.offer(self.names)
        self._offer_of()

    def _offer_of(self) -> None:
        """Fill the list of names for the field `of`."""
        bodies = [(body.name, body.name) for body in self._scene.bodies]
        joints = [(joint.name, joint.name) for joint in self._scene.joint]
        title, without, known = {
            "body": (self.tr("Body"), self.tr("the one that is varied"), bodies),
            "joint": (self.tr("Joint"), self.tr("the one with the largest force"), joints),
            "column": (
                self.tr("Points taken"),
                self.tr("in each period"),
                [(quantity(name), name) for name in self.names],
            ),
        }.get(self.outcome.row.of, ("", "", []))
        self.labels["of"].setText(title)
        self.of.offer([(without, ""), *known])

    def show_outcome(self, scene: Scene, outcome: Outcome) -> None:
        """Show an outcome of a sweep over a scene."""
        self._scene, self.outcome = scene, outcome
        shown = {"kind", *(["criterion"] if outcome.kind == "attractor" else []), *outcome.row.fields}
        for name, text in self.labels.items():
            text.setVisible(name in shown)
            getattr(self, name).setVisible(name in shown)
        self._offer_of()
        self.near.show_names(outcome.near, [body.name for body in scene.bodies])
        for box, data in (
            (self.kind, outcome.kind),
            (self.criterion, outcome.criterion),
            (self.quantity, outcome.quantity),
            (self.extreme, outcome.extreme),
            (self.exponents, outcome.exponents),
        ):
            if data != "":
                box.show_choice(data)
        self.of.show_choice(outcome.of)
        self.features.show_parts(outcome.features)
        self.grid.show_parts(outcome.grid)
        for spin, value in (
            (self.after, outcome.after),
            (self.level, outcome.level),
            (self.points, outcome.points),
            (self.period, outcome.period or 0.0),
        ):
            spin.show_value(value)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        known = forms(Outcome)
        for name, text in self.labels.items():
            text.setText(label(name, "outcome"))
            if name in known:
                text.setToolTip(tip(known[name], ""))
                getattr(self, name).setToolTip(tip(known[name], ""))
        self.labels["kind"].setText(self.tr("Asked for"))
        self.labels["criterion"].setText(self.tr("Classify by"))
        self.labels["near"].setText(self.tr("Ends at"))
        self.labels["points"].setText(self.tr("Kept points"))
        self.kind.offer([(choice(value), value) for value in known["kind"].choices])
        self.extreme.offer([(choice(value), value) for value in known["extreme"].choices])
        self.criterion.offer(
            zip(
                (
                    self.tr("where it rests"),
                    self.tr("the nearest body"),
                    self.tr("features of the motion"),
                    self.tr("recurrences on a grid"),
                ),
                CRITERIA,
                strict=True,
            )
        )
        self.exponents.offer([(str(n), n) for n in range(1, MOST_EXPONENTS + 1)] + [(self.tr("all"), ALL)])
        self.period.setSpecialValueText(self.tr("by itself"))
        self._offer()

    # Edits

    def _change(self, **changes: object) -> None:
        """Emit the outcome with other values of some fields."""
        self.changed.emit(self.outcome.model_copy(update=changes))

    def _set_kind(self, kind: Kind) -> None:
        """Emit another kind of outcome; one that needs a quantity and has none gets one that moves."""
        changes: dict[str, object] = {"kind": kind}
        if "quantity" in KINDS[kind].fields and not self.outcome.quantity and self.names:
            changes["quantity"] = moving_quantity(self._scene, self.names)
        if kind != self.outcome.kind:
            changes |= {"near": (), "features": (), "grid": (), "of": ""}
        self._change(**changes)

    def _set_criterion(self, criterion: str) -> None:
        """Emit another method of distinguishing attractors, with default values of its parameters."""
        if criterion == self.outcome.criterion:
            return
        changes: dict[str, object] = {"near": (), "features": (), "grid": ()}
        if criterion == "near":
            fixed = [body.name for body in self._scene.body if body.support == "fixed"]
            names = fixed if len(fixed) > 1 else [body.name for body in self._scene.bodies]
            changes["near"] = tuple(names[: max(2, len(fixed))])
        elif criterion == "features":
            changes["features"] = (self.features.usual(),)
        elif criterion == "grid":
            changes["grid"] = (self.grid.usual(),)
        self._change(**changes)
