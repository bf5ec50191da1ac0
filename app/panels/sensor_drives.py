"""What the hand drives: walls and driven bodies that follow it, by how much and how far; each change is an edit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.panels.number_box import NumberBox
from app.session import Session
from core.scene import Body, Scene
from core.sensor import BodyFollows, WallFollows
from core.shapes import unit
from core.soft import Wall, WallAtRest

HOLD, DEFAULT = "hold", "default"


class SensorDrives(QWidget):
    def __init__(self, session: Session):
        super().__init__()
        self._session = session
        self.thing, self.toggle, self.about = QComboBox(), QPushButton(), QLabel()
        self.boxes = {
            "scale": NumberBox(-1000.0, 1000.0, "", 4),
            "offset": NumberBox(-1000.0, 1000.0, "m", 4),
            "lowest": NumberBox(-1000.0, 1000.0, "m", 4),
            "highest": NumberBox(-1000.0, 1000.0, "m", 4),
        }
        self.lost, self.default = QComboBox(), NumberBox(0.0, 10_000.0, "mm", 1)
        self._lay_out()
        self.thing.activated.connect(lambda _row: self._show())
        self.toggle.clicked.connect(self._toggle)
        for box in self.boxes.values():
            box.valueChanged.connect(lambda _value: self._edit())
        self.lost.activated.connect(lambda _row: self._lose())
        self.default.valueChanged.connect(lambda _value: self._lose())
        session.shown.connect(lambda _document: self._show_scene())
        self._show_scene()

    def _lay_out(self) -> None:
        self.about.setWordWrap(True)
        self.thing.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        names = (self.tr("Scale"), self.tr("Offset"), self.tr("From"), self.tr("To"))
        tips = (
            self.tr("Way per way of the hand; negative: the other way"),
            self.tr("Way when the hand is at distance 0"),
            self.tr("It goes no farther back"),
            self.tr("It goes no farther ahead"),
        )
        grid = QGridLayout()
        for place, (box, name, tip) in enumerate(zip(self.boxes.values(), names, tips, strict=True)):
            box.setToolTip(tip)
            grid.addWidget(QLabel(name), place // 2, 2 * (place % 2))
            grid.addWidget(box, place // 2, 2 * (place % 2) + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.lost.addItem(self.tr("it holds still"), HOLD)
        self.lost.addItem(self.tr("it goes to"), DEFAULT)
        self.default.setValue(300.0)
        for widget in (self.thing, self.toggle, self.lost):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space stays with play
        first, last = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.thing, 1)
        first.addWidget(self.toggle)
        last.addWidget(QLabel(self.tr("If the hand is lost")))
        last.addWidget(self.lost)
        last.addWidget(self.default)
        last.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 8, 6, 4)
        for row in (first, grid, last):
            column.addLayout(row)
        column.addWidget(self.about)
        column.addStretch(1)
        self._lose()

    # What there is

    @property
    def _scene(self) -> Scene:
        return self._session.document.scene

    def _part(self) -> Wall | Body | None:
        name = self.thing.currentData()
        return next((part for part in (*self._scene.wall, *self._scene.body) if part.name == name), None)

    def _show_scene(self) -> None:
        """Things that can follow; those that do come first, and the one that was chosen stays so."""
        name = self.thing.currentData()
        driven = [body for body in self._scene.body if body.support == "driven"]
        parts = sorted((*self._scene.wall, *driven), key=lambda part: part.motion.kind != "sensor")
        self.thing.clear()
        for part in parts:
            self.thing.addItem(part.name, part.name)
        self.thing.setCurrentIndex(max(self.thing.findData(name), 0))
        self._show()

    def _show(self) -> None:
        part = self._part()
        follows = part is not None and isinstance(part.motion, WallFollows)
        self.thing.setEnabled(part is not None)
        self.toggle.setEnabled(part is not None)
        self.toggle.setText(self.tr("Let it stand") if follows else self.tr("Drive it"))
        for name, box in self.boxes.items():
            box.setEnabled(follows)
            if part is not None and isinstance(part.motion, WallFollows):
                box.show_value(getattr(part.motion, name))
        self.about.setText(self._words(part))

    def _words(self, part: Wall | Body | None) -> str:
        if part is None:
            return self.tr("This scene has no wall and no driven body that could follow the hand.")
        if not isinstance(part.motion, WallFollows):
            return self.tr("'{name}' does not follow the hand.").format(name=part.name)
        along = self.tr("along its axis") if isinstance(part.motion, BodyFollows) else self.tr("along its normal")
        text = self.tr("'{name}' moves {along} by scale × distance + offset, and no faster than {fastest} m/s.")
        return text.format(name=part.name, along=along, fastest=f"{self._scene.sensor.fastest:g}")

    # What a person does

    def _edit(self) -> None:
        part = self._part()
        if part is None or not isinstance(part.motion, WallFollows):
            return
        values = {name: box.value() for name, box in self.boxes.items()}
        if values["scale"] == 0 or values["lowest"] >= values["highest"]:
            for name, box in self.boxes.items():  # what makes no sense is taken back
                box.blockSignals(True)
                box.setValue(getattr(part.motion, name))
                box.blockSignals(False)
            return
        self._replace(part, part.model_copy(update={"motion": part.motion.model_copy(update=values)}))

    def _toggle(self) -> None:
        """Let it follow from where it is, or stand where it is."""
        part, moment = self._part(), self._session.moment
        if part is None or moment is None:
            return
        distance = moment.snapshot.distance
        if isinstance(part.motion, WallFollows):
            changed = self._stopped(part)
        elif isinstance(part, Wall):
            way = float(moment.snapshot.walls[[wall.name for wall in self._scene.wall].index(part.name)])
            changed = part.model_copy(update={"motion": WallFollows(kind="sensor", offset=way - distance)})
        else:
            place = self._place(part)
            motion = BodyFollows(kind="sensor", offset=-distance)
            changed = part.model_copy(update={"position": place, "motion": motion})
        self._replace(part, changed)

    def _stopped(self, part: Wall | Body) -> Wall | Body:
        moment = self._session.moment
        assert moment is not None
        if isinstance(part, Wall):
            way = float(moment.snapshot.walls[[wall.name for wall in self._scene.wall].index(part.name)])
            point = tuple((part.point + way * unit(part.normal)).tolist())
            return part.model_copy(update={"motion": WallAtRest(), "point": point})
        return part.model_copy(
            update={"motion": type(part).model_fields["motion"].default, "position": self._place(part)}
        )

    def _place(self, body: Body) -> tuple[float, ...]:
        """[m] where a body is now."""
        moment = self._session.moment
        assert moment is not None
        number = [each.name for each in self._scene.body].index(body.name)
        return tuple(moment.snapshot.bodies.position[number].tolist())

    def _replace(self, part: Wall | Body, changed: Wall | Body) -> None:
        field = "wall" if isinstance(part, Wall) else "body"
        parts = tuple(changed if each is part else each for each in getattr(self._scene, field))
        self._session.edit(self._scene.model_copy(update={field: parts}))

    def _lose(self) -> None:
        """What happens when nothing is measured any more."""
        goes = self.lost.currentData() == DEFAULT
        self.default.setEnabled(goes)
        self._session.hub.default = self.default.value() if goes else None
