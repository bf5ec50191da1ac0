"""Page of the sensor dock that selects the driven objects: walls, driven bodies, bead paths and parameters."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.description import Wall, WallAtRest
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.path_geometry import path_pose
from polhode.physics.paths.path_motions import PathFollows, StillPath
from polhode.physics.sensor.description import BodyFollows, Drive, WallFollows
from polhode.scene.fields import at, parse_path, with_value, written
from polhode.scene.scene import Body, Scene
from polhode.scene.variants.drivable_parameters import parameter_at, parameters
from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.edit.paths import shifted
from polhode_app.i18n.field_names import named, unit_text
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.session.session import Session
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, grid_of, row_of, silent
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.spin_box import LimitSpinBox, SpinBox
from polhode_app.window.widgets.wheel import ComboBox

HOLD, DEFAULT = "hold", "default"
UNLIMITED = 1e9  # range of the boxes, beyond all meaningful values
DECIMALS = 12  # of the boxes, so that values of any magnitude can be entered
DOUBLING_DISTANCE = 0.1  # [m] change of the distance that doubles a newly driven parameter


DrivableItem = Wall | Body | Bead


def field_of(item: DrivableItem) -> str:
    """Name of the field that holds the motion of an item."""
    return "path_motion" if isinstance(item, Bead) else "motion"


def motion_of(item: DrivableItem) -> Any:
    """Motion of an item, as described in the scene."""
    return getattr(item, field_of(item))


class DrivePanel(QWidget):
    """Edits how items and parameters follow the distance of the target.

    A driven value is scale * distance + offset, limited to an interval; distances are in m. Every change is an edit of
    the scene. Items start to follow from their current position, and stay at it when they stop following.
    """

    def __init__(self, session: Session):
        """Create the panel for the scene of a session."""
        super().__init__()
        self._session = session
        self._select_later = ""  # parameter to select once the scene drives it
        self.item_box, self.toggle_button, self.description = ComboBox(), QPushButton(), PlainLabel()
        self.parameter_button = QPushButton()
        self.boxes: dict[str, SpinBox] = {
            name: SpinBox(-UNLIMITED, UNLIMITED, "", DECIMALS) for name in ("scale", "offset")
        }
        self.boxes |= {name: LimitSpinBox(-UNLIMITED, UNLIMITED, "", DECIMALS) for name in ("lowest", "highest")}
        self.lost_box, self.default_box = ComboBox(), SpinBox(0.0, 10_000.0, "mm", 1)
        self._lay_out()
        self.item_box.activated.connect(lambda _row: self._update_widgets())
        self.toggle_button.clicked.connect(self._toggle_drive)
        self.parameter_button.clicked.connect(self._choose_parameter)
        for box in self.boxes.values():
            box.valueChanged.connect(lambda _value: self._apply_values())
        self.lost_box.activated.connect(lambda _row: self._apply_lost_policy())
        self.default_box.valueChanged.connect(lambda _value: self._apply_lost_policy())
        session.scene_changed.connect(lambda _document: self._update_items())
        self.retranslate()

    def _lay_out(self) -> None:
        """Set up and place the widgets."""
        self.description.setWordWrap(True)
        self.item_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._labels = {name: QLabel() for name in (*self.boxes, "lost")}
        self.lost_box.addItem("", HOLD)
        self.lost_box.addItem("", DEFAULT)
        self.default_box.setValue(300.0)
        focus_by_tab(self.item_box, self.toggle_button, self.parameter_button, self.lost_box)
        first = row_of((self.item_box, 1), self.toggle_button, self.parameter_button)
        cells = [each for name, box in self.boxes.items() for each in (self._labels[name], box)]
        grid = grid_of(cells[:4], cells[4:], stretched=(1, 3))
        last = column_of(self._labels["lost"], row_of(self.lost_box, self.default_box, 1), spacing=2)
        column_of(first, grid, last, self.description, 1, on=self, margins=(6, 8, 6, 4))
        self._apply_lost_policy()

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
        self.parameter_button.setText(self.tr("Parameter..."))
        self.parameter_button.setToolTip(self.tr("Drive any parameter of the scene: gravity, a field, a stiffness"))
        self.lost_box.setItemText(0, self.tr("hold its position"))
        self.lost_box.setItemText(1, self.tr("move to"))
        self._update_items()

    # State

    @property
    def _scene(self) -> Scene:
        """The scene of the session."""
        return self._session.document.scene

    def _selected_item(self) -> DrivableItem | Drive | None:
        """The selected item or driven parameter; None for a scene without any.

        Parameters are identified by their path, which differs from all names of items.
        """
        name, scene = self.item_box.currentData(), self._scene
        drives = (drive for drive in scene.sensor.drive if drive.parameter == name)
        items = (*scene.wall, *scene.body, *scene.bead)
        return next((item for item in items if item.name == name), next(drives, None))

    def _selected_motion(self) -> WallFollows | Drive | None:
        """How the selected item or parameter follows the sensor; None if it does not."""
        item = self._selected_item()
        follows = item if isinstance(item, Drive) or item is None else motion_of(item)
        return follows if isinstance(follows, WallFollows | Drive) else None

    def _update_items(self) -> None:
        """List the items and parameters that can follow, those that do first; the selection is kept."""
        name = self.item_box.currentData()
        driven = [body for body in self._scene.body if body.support == "driven"]
        beads = [bead for bead in self._scene.bead if bead.path_motion.kind != "body"]
        items = (*self._scene.wall, *driven, *beads)
        items = sorted(items, key=lambda item: motion_of(item).kind != "sensor")
        self.item_box.clear()
        for drive in self._scene.sensor.drive:
            self.item_box.addItem(parameter_name(self._scene, drive.parameter), drive.parameter)
        for item in items:
            self.item_box.addItem(named(item.name), item.name)
        if self._select_later and self.item_box.findData(self._select_later) >= 0:
            name, self._select_later = self._select_later, ""
        self.item_box.setCurrentIndex(max(self.item_box.findData(name), 0))
        self._update_widgets()

    def _update_widgets(self) -> None:
        """Show the selected item and the numbers of its motion."""
        item, follows = self._selected_item(), self._selected_motion()
        self.item_box.setEnabled(item is not None)
        self.toggle_button.setEnabled(item is not None)
        self.toggle_button.setText(self.tr("Stop driving") if follows else self.tr("Drive"))
        suffix = self._unit_of(follows)
        for name, box in self.boxes.items():
            box.setEnabled(follows is not None)
            with silent(box):
                box.setSuffix(f" {suffix}" if suffix and name != "scale" else "")
            if follows is not None:
                box.show_value(self._displayed_value(follows, name))
        self.description.setText(self._description_of(item))

    def _unit_of(self, follows: WallFollows | Drive | None) -> str:
        """Unit of the driven value: m for items, the unit of the field for parameters."""
        try:
            return (
                unit_text(parameter_at(self._scene, follows.parameter)[1].unit) if isinstance(follows, Drive) else "m"
            )
        except ValueError:
            return ""

    def _displayed_value(self, follows: WallFollows | Drive, name: str) -> float:
        """Value of a field of a motion; a missing limit is -UNLIMITED, which the box shows as "no limit"."""
        value = getattr(follows, name)
        return -UNLIMITED if value is None else float(value)

    def _description_of(self, item: DrivableItem | Drive | None) -> str:
        """Sentence that describes how an item or parameter is driven."""
        if item is None:
            return self.tr("This scene has no wall, driven body or path that could follow the sensor; a parameter can.")
        fastest = f"{self._scene.sensor.fastest:g}"
        if isinstance(item, Drive):
            text = self.tr("'{name}' = scale × distance [m] + offset, in steps, within its limits.")
            return text.format(name=parameter_name(self._scene, item.parameter))
        motion = motion_of(item)
        if not isinstance(motion, WallFollows):
            return self.tr("'{name}' does not follow the sensor.").format(name=named(item.name))
        along = self.tr("along its axis") if isinstance(motion, BodyFollows) else self.tr("along its normal")
        text = self.tr("'{name}' moves {along} by scale × distance + offset, and no faster than {fastest} m/s.")
        return text.format(name=named(item.name), along=along, fastest=fastest)

    # Edits

    def _apply_values(self) -> None:
        """Apply the entered numbers; a scale of 0 and an empty interval are reverted."""
        item, follows = self._selected_item(), self._selected_motion()
        if item is None or follows is None:
            return
        values: dict[str, float | None] = {name: box.value() for name, box in self.boxes.items()}
        for name in ("lowest", "highest"):
            if isinstance(follows, Drive) and values[name] == -UNLIMITED:
                values[name] = None
        low, high = values["lowest"], values["highest"]
        if values["scale"] == 0 or (low is not None and high is not None and low >= high):
            for name, box in self.boxes.items():  # revert invalid values
                with silent(box):
                    box.setValue(self._displayed_value(follows, name))
            return
        changed = follows.model_copy(update=values)
        if isinstance(item, Drive):
            self._set_drives([changed if each is item else each for each in self._scene.sensor.drive])
        else:
            self._replace_item(item, item.model_copy(update={field_of(item): changed}))

    def _set_drives(self, drives: list[Drive], scene: Scene | None = None) -> None:
        """Replace the driven parameters of the scene, by default of the current one, as an edit."""
        scene = scene or self._scene
        sensor = scene.sensor.model_copy(update={"drive": tuple(drives)})
        self._session.edit(scene.model_copy(update={"sensor": sensor}))

    def _choose_parameter(self) -> None:
        """Open a dialog to choose a parameter to drive."""
        taken = {drive.parameter for drive in self._scene.sensor.drive}
        scene = self._scene
        free = [(written(path), form, at(scene, path)) for path, form in parameters(scene)]
        rows = [row for row in free if row[0] not in taken]
        dialog = ParameterChooser(scene, rows, self.tr("Drive a parameter"), self.tr("Drive"), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self.drive_parameter)
        dialog.open()

    def drive_parameter(self, path: str) -> None:
        """Drive the parameter at `path`, a path in the scene such as "world.gravity[2]".

        It starts at its current value, and doubles when the distance grows by DOUBLING_DISTANCE.
        """
        frame = self._session.frame
        value = float(at(self._scene, parse_path(path)))
        distance = frame.snapshot.distance if frame is not None else self._scene.sensor.centre
        scale = float(f"{(abs(value) or 1.0) / DOUBLING_DISTANCE:.6g}")
        offset = float(f"{value - scale * distance:.6g}")
        self._select_later = path
        self._set_drives([*self._scene.sensor.drive, Drive(parameter=path, scale=scale, offset=offset)])

    def _toggle_drive(self) -> None:
        """Let the selected item follow the sensor from its current position, or stop at that position."""
        item, frame = self._selected_item(), self._session.frame
        if item is None or frame is None:
            return
        if isinstance(item, Drive):
            path = parse_path(item.parameter)
            now = at(frame.driven_scene, path)
            others = [each for each in self._scene.sensor.drive if each is not item]
            self._set_drives(others, with_value(self._scene, path, now))
            return
        distance = frame.snapshot.distance
        if isinstance(motion_of(item), WallFollows):
            changed = self._at_rest(item)
        elif isinstance(item, Bead):
            motion = PathFollows(kind="sensor", axis=(1.0, 0.0, 0.0), offset=-distance)
            changed = item.model_copy(update={"path_motion": motion})
        elif isinstance(item, Wall):
            displacement = float(frame.snapshot.walls[[wall.name for wall in self._scene.wall].index(item.name)])
            changed = item.model_copy(update={"motion": WallFollows(kind="sensor", offset=displacement - distance)})
        else:
            position = self._position_of(item)
            motion = BodyFollows(kind="sensor", offset=-distance)
            changed = item.model_copy(update={"position": position, "motion": motion})
        self._replace_item(item, changed)

    def _at_rest(self, item: DrivableItem) -> DrivableItem:
        """The item at its current position, without following the sensor."""
        frame = self._session.frame
        assert frame is not None
        if isinstance(item, Wall):
            displacement = float(frame.snapshot.walls[[wall.name for wall in self._scene.wall].index(item.name)])
            point = tuple((item.point + displacement * unit(item.normal)).tolist())
            return item.model_copy(update={"motion": WallAtRest(), "point": point})
        if isinstance(item, Bead):
            now = frame.snapshot
            pose = path_pose(item.path_motion, now.time, now.distance)
            return item.model_copy(update={"path_motion": StillPath(), "path": shifted(item.path, pose.offset)})
        return item.model_copy(
            update={"motion": type(item).model_fields["motion"].default, "position": self._position_of(item)}
        )

    def _position_of(self, body: Body) -> tuple[float, ...]:
        """Current position [m] of a body in the laboratory frame."""
        frame = self._session.frame
        assert frame is not None
        number = [each.name for each in self._scene.body].index(body.name)
        return tuple(frame.snapshot.bodies.position[number].tolist())

    def _replace_item(self, item: DrivableItem, changed: DrivableItem) -> None:
        """Replace an item of the scene, as an edit."""
        field = {Wall: "wall", Body: "body", Bead: "bead"}[type(item)]
        items = tuple(changed if each is item else each for each in getattr(self._scene, field))
        self._session.edit(self._scene.model_copy(update={field: items}))

    def _apply_lost_policy(self) -> None:
        """Tell the hub which distance to use while the signal is lost: the last one or a default."""
        uses_default = self.lost_box.currentData() == DEFAULT
        self.default_box.setEnabled(uses_default)
        self._session.hub.default = self.default_box.value() if uses_default else None
