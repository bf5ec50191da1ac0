"""What the hand drives: walls, driven bodies, paths and numbers, by how much and how far; each change is an edit."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.edit.paths import shifted
from app.panels.sensor.parameter_chooser import ParameterChooser, printed
from app.panels.widgets.plain_label import PlainLabel
from app.panels.widgets.spin_box import LimitSpinBox, SpinBox
from app.session.session import Session
from core.physics.bodies.shapes import unit
from core.physics.paths.bead import Bead
from core.physics.paths.path_geometry import path_offsets
from core.physics.paths.path_motions import PathFollows, StillPath
from core.physics.points.description import Wall, WallAtRest
from core.physics.sensor.description import BodyFollows, Drive, WallFollows
from core.scene.drivable_parameters import parameter_at
from core.scene.fields import at, place_in, with_value
from core.scene.scene import Body, Scene

HOLD, DEFAULT = "hold", "default"
FAR = 1e9  # an end beyond that is none
DECIMALS = 12  # so that a number of any size can be typed
DOUBLED = 0.1  # [m] way of the hand over which a number that is newly driven doubles


Part = Wall | Body | Bead


def field_of(part: Part) -> str:
    """The field that says how it moves."""
    return "path_motion" if isinstance(part, Bead) else "motion"


def motion_of(part: Part) -> Any:
    return getattr(part, field_of(part))


class DrivePanel(QWidget):
    def __init__(self, session: Session):
        super().__init__()
        self._session = session
        self._wanted = ""  # a place that is chosen as soon as it is driven
        self.thing, self.toggle, self.about = QComboBox(), QPushButton(), PlainLabel()
        self.number = QPushButton()
        self.boxes: dict[str, SpinBox] = {name: SpinBox(-FAR, FAR, "", DECIMALS) for name in ("scale", "offset")}
        self.boxes |= {name: LimitSpinBox(-FAR, FAR, "", DECIMALS) for name in ("lowest", "highest")}
        self.lost, self.default = QComboBox(), SpinBox(0.0, 10_000.0, "mm", 1)
        self._lay_out()
        self.thing.activated.connect(lambda _row: self._show())
        self.toggle.clicked.connect(self._toggle)
        self.number.clicked.connect(self._choose_number)
        for box in self.boxes.values():
            box.valueChanged.connect(lambda _value: self._edit())
        self.lost.activated.connect(lambda _row: self._lose())
        self.default.valueChanged.connect(lambda _value: self._lose())
        session.scene_changed.connect(lambda _document: self._show_scene())
        self.retranslate()

    def _lay_out(self) -> None:
        self.about.setWordWrap(True)
        self.thing.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._labels = {name: QLabel() for name in (*self.boxes, "lost")}
        grid = QGridLayout()
        for place, (name, box) in enumerate(self.boxes.items()):
            grid.addWidget(self._labels[name], place // 2, 2 * (place % 2))
            grid.addWidget(box, place // 2, 2 * (place % 2) + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.lost.addItem("", HOLD)
        self.lost.addItem("", DEFAULT)
        self.default.setValue(300.0)
        for widget in (self.thing, self.toggle, self.number, self.lost):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space stays with play
        first, last = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.thing, 1)
        first.addWidget(self.toggle)
        first.addWidget(self.number)
        last.addWidget(self._labels["lost"])
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

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        names = {"scale": self.tr("Scale"), "offset": self.tr("Offset"), "lowest": self.tr("From")}
        names |= {"highest": self.tr("To"), "lost": self.tr("When the signal is lost")}
        tips = {
            "scale": self.tr("Change per distance of the target; a negative value reverses the direction"),
            "offset": self.tr("Value at distance 0"),
            "lowest": self.tr("Lower limit"),
            "highest": self.tr("Upper limit"),
        }
        for name, text in names.items():
            self._labels[name].setText(text)
        for name, tip in tips.items():
            self.boxes[name].setToolTip(tip)
        self.number.setText(self.tr("Parameter..."))
        self.number.setToolTip(self.tr("Drive any parameter of the scene: gravity, a field, a stiffness"))
        self.lost.setItemText(0, self.tr("hold its position"))
        self.lost.setItemText(1, self.tr("move to"))
        self._show_scene()

    # What there is

    @property
    def _scene(self) -> Scene:
        return self._session.document.scene

    def _part(self) -> Part | Drive | None:
        """What is chosen; numbers are known by their places, which no name can look like."""
        name, scene = self.thing.currentData(), self._scene
        drives = (drive for drive in scene.sensor.drive if drive.parameter == name)
        parts = (*scene.wall, *scene.body, *scene.bead)
        return next((part for part in parts if part.name == name), next(drives, None))

    def _follows(self) -> WallFollows | Drive | None:
        """How the chosen thing follows, if it does."""
        part = self._part()
        follows = part if isinstance(part, Drive) or part is None else motion_of(part)
        return follows if isinstance(follows, WallFollows | Drive) else None

    def _show_scene(self) -> None:
        """Things that can follow; those that do come first, and the one that was chosen stays so."""
        name = self.thing.currentData()
        driven = [body for body in self._scene.body if body.support == "driven"]
        parts = (*self._scene.wall, *driven, *self._scene.bead)
        parts = sorted(parts, key=lambda part: motion_of(part).kind != "sensor")
        self.thing.clear()
        for drive in self._scene.sensor.drive:
            self.thing.addItem(drive.parameter, drive.parameter)
        for part in parts:
            self.thing.addItem(part.name, part.name)
        if self._wanted and self.thing.findData(self._wanted) >= 0:
            name, self._wanted = self._wanted, ""
        self.thing.setCurrentIndex(max(self.thing.findData(name), 0))
        self._show()

    def _show(self) -> None:
        part, follows = self._part(), self._follows()
        self.thing.setEnabled(part is not None)
        self.toggle.setEnabled(part is not None)
        self.toggle.setText(self.tr("Stop driving") if follows else self.tr("Drive"))
        unit_of_it = self._unit(follows)
        for name, box in self.boxes.items():
            box.setEnabled(follows is not None)
            box.blockSignals(True)
            box.setSuffix(f" {unit_of_it}" if unit_of_it and name != "scale" else "")
            box.blockSignals(False)
            if follows is not None:
                box.show_value(self._shown(follows, name))
        self.about.setText(self._words(part))

    def _unit(self, follows: WallFollows | Drive | None) -> str:
        try:
            return printed(parameter_at(self._scene, follows.parameter)[1].unit) if isinstance(follows, Drive) else "m"
        except ValueError:
            return ""

    def _shown(self, follows: WallFollows | Drive, name: str) -> float:
        value = getattr(follows, name)
        return -FAR if value is None else float(value)

    def _words(self, part: Part | Drive | None) -> str:
        if part is None:
            return self.tr("This scene has no wall, driven body or path that could follow the sensor; a parameter can.")
        fastest = f"{self._scene.sensor.fastest:g}"
        if isinstance(part, Drive):
            text = self.tr("'{name}' = scale × distance [m] + offset, in steps, within its limits.")
            return text.format(name=part.parameter)
        motion = motion_of(part)
        if not isinstance(motion, WallFollows):
            return self.tr("'{name}' does not follow the sensor.").format(name=part.name)
        along = self.tr("along its axis") if isinstance(motion, BodyFollows) else self.tr("along its normal")
        text = self.tr("'{name}' moves {along} by scale × distance + offset, and no faster than {fastest} m/s.")
        return text.format(name=part.name, along=along, fastest=fastest)

    # What a person does

    def _edit(self) -> None:
        part, follows = self._part(), self._follows()
        if part is None or follows is None:
            return
        values: dict[str, float | None] = {name: box.value() for name, box in self.boxes.items()}
        for name in ("lowest", "highest"):
            if isinstance(follows, Drive) and values[name] == -FAR:
                values[name] = None
        low, high = values["lowest"], values["highest"]
        if values["scale"] == 0 or (low is not None and high is not None and low >= high):
            for name, box in self.boxes.items():  # what makes no sense is taken back
                box.blockSignals(True)
                box.setValue(self._shown(follows, name))
                box.blockSignals(False)
            return
        changed = follows.model_copy(update=values)
        if isinstance(part, Drive):
            self._drive([changed if each is part else each for each in self._scene.sensor.drive])
        else:
            self._replace(part, part.model_copy(update={field_of(part): changed}))

    def _drive(self, drives: list[Drive], scene: Scene | None = None) -> None:
        """An edit of what is driven."""
        scene = scene or self._scene
        sensor = scene.sensor.model_copy(update={"drive": tuple(drives)})
        self._session.edit(scene.model_copy(update={"sensor": sensor}))

    def _choose_number(self) -> None:
        taken = {drive.parameter for drive in self._scene.sensor.drive}
        dialog = ParameterChooser(self._scene, taken, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self.drive_number)
        dialog.open()

    def drive_number(self, place: str) -> None:
        """Let the hand drive a number from what it is; the way of a hand doubles it."""
        moment = self._session.moment
        value = float(at(self._scene, place_in(place)))
        distance = moment.snapshot.distance if moment is not None else self._scene.sensor.centre
        scale = float(f"{(abs(value) or 1.0) / DOUBLED:.6g}")
        offset = float(f"{value - scale * distance:.6g}")
        self._wanted = place
        self._drive([*self._scene.sensor.drive, Drive(parameter=place, scale=scale, offset=offset)])

    def _toggle(self) -> None:
        """Let it follow from where it is, or stand where it is."""
        part, moment = self._part(), self._session.moment
        if part is None or moment is None:
            return
        if isinstance(part, Drive):
            place = place_in(part.parameter)
            now = at(moment.driven_scene, place)
            others = [each for each in self._scene.sensor.drive if each is not part]
            self._drive(others, with_value(self._scene, place, now))
            return
        distance = moment.snapshot.distance
        if isinstance(motion_of(part), WallFollows):
            changed = self._stopped(part)
        elif isinstance(part, Bead):
            motion = PathFollows(kind="sensor", axis=(1.0, 0.0, 0.0), offset=-distance)
            changed = part.model_copy(update={"path_motion": motion})
        elif isinstance(part, Wall):
            way = float(moment.snapshot.walls[[wall.name for wall in self._scene.wall].index(part.name)])
            changed = part.model_copy(update={"motion": WallFollows(kind="sensor", offset=way - distance)})
        else:
            place = self._place(part)
            motion = BodyFollows(kind="sensor", offset=-distance)
            changed = part.model_copy(update={"position": place, "motion": motion})
        self._replace(part, changed)

    def _stopped(self, part: Part) -> Part:
        moment = self._session.moment
        assert moment is not None
        if isinstance(part, Wall):
            way = float(moment.snapshot.walls[[wall.name for wall in self._scene.wall].index(part.name)])
            point = tuple((part.point + way * unit(part.normal)).tolist())
            return part.model_copy(update={"motion": WallAtRest(), "point": point})
        if isinstance(part, Bead):
            now = moment.snapshot
            (way,) = path_offsets(part.path_motion, np.array([now.time]), np.array([now.distance]))
            return part.model_copy(update={"path_motion": StillPath(), "path": shifted(part.path, way)})
        return part.model_copy(
            update={"motion": type(part).model_fields["motion"].default, "position": self._place(part)}
        )

    def _place(self, body: Body) -> tuple[float, ...]:
        """[m] where a body is now."""
        moment = self._session.moment
        assert moment is not None
        number = [each.name for each in self._scene.body].index(body.name)
        return tuple(moment.snapshot.bodies.position[number].tolist())

    def _replace(self, part: Part, changed: Part) -> None:
        field = {Wall: "wall", Body: "body", Bead: "bead"}[type(part)]
        parts = tuple(changed if each is part else each for each in getattr(self._scene, field))
        self._session.edit(self._scene.model_copy(update={field: parts}))

    def _lose(self) -> None:
        """What happens when nothing is measured any more."""
        goes = self.lost.currentData() == DEFAULT
        self.default.setEnabled(goes)
        self._session.hub.default = self.default.value() if goes else None
