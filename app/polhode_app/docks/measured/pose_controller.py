"""Measured poses at bodies: laid over them as ghosts, or driving them; by a menu, or dropped on a body."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMenu, QWidget

from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode_app.data.measured.measured_layer import MeasuredLayer
from polhode_app.data.measured.measured_motion import driven_by_pose
from polhode_app.data.measured.measured_poses import AXES, assignments_of_pose, poses, readings_at
from polhode_app.docks.inspector.scene_tree import PATH_ROLE, TreeView
from polhode_app.docks.measured.data_controller import DataController
from polhode_app.docks.measured.live.camera_controller import CameraController
from polhode_app.docks.measured.rows.pose_row import PoseRow
from polhode_app.i18n.translation import translate_problem
from polhode_app.viewport.paths.measured_ghosts import MeasuredGhosts, Pose
from polhode_app.viewport.picking.picking import Picker
from polhode_app.window.files.mesh_file import in_folder
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.data_drag import POSE

DRAGS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class PoseController(QObject):
    """Draws measured poses once per frame, and takes the pose of the shown data to a body."""

    def __init__(self, context: WindowContext, row: PoseRow, data: DataController, camera: CameraController):
        super().__init__(row)
        self._context, self._session, self._row, self._data = context, context.session, row, data
        self._camera = camera
        self._ghosts: MeasuredGhosts | None = None
        self._targets: list[QWidget] = []  # on which a pose can be dropped
        self._tree: TreeView | None = None
        self._waiting = ""  # body that is driven once the table is saved
        row.names, row.drivable = self._names, self._bodies
        row.laid.connect(self.lay)
        row.driven.connect(self.drive)
        camera.live.saved.connect(self._on_saved)
        camera.live.failed.connect(lambda _error: self._wait_for(""))
        context.view.setAcceptDrops(True)
        self._watch(context.view)

    def stop(self) -> None:
        """Take no more drops."""
        for target in self._targets:
            target.removeEventFilter(self)

    def _names(self) -> list[str]:
        """Items that can be at a measured position."""
        return [*self._bodies(), *(each.name for each in self._session.document.scene.particle)]

    def _bodies(self) -> list[str]:
        return [body.name for body in self._session.document.scene.body]

    def lay(self, name: str) -> None:
        """Let the columns of the pose measure that of an item."""
        if self._data.layer is not None:
            columns = [each.name for each in self._data.layer.data.columns]
            found = assignments_of_pose(columns, name, has_axes=name in self._bodies())
            self._data.assign_all(found, [found[axis] for axis in AXES])

    # Ghosts

    def tick(self) -> None:
        """Draw the bodies at their measured poses: of a camera the newest ones, else those at the time of the run."""
        tree = self._context.docks.dock("tree")
        if tree is not None and self._tree is not tree.tree:
            self._tree = tree.tree
            self._watch(tree.tree.viewport())
        stage, frame = self._context.scene_view.stage, self._session.frame
        if stage is None or frame is None:
            return
        now = frame.snapshot
        found = self._poses(now.time, now.bodies.basis) if len(now.bodies.basis) == len(stage.solids) else {}
        if found and self._ghosts is None:
            self._ghosts = MeasuredGhosts(self._context.view.plotter.renderer)
        if self._ghosts is not None and self._ghosts.draw(stage, now, found):
            self._context.view.redraw()

    def _poses(self, time: float, basis: np.ndarray) -> dict[int, Pose]:
        """Measured poses by body; where the axes are not measured they are those of the run."""
        layer, found = self._data.layer, {}
        if layer is None:
            return {}
        numbers = {body.name: b for b, body in enumerate(self._session.document.scene.body)}
        for name, pose in poses(layer, self._camera.newest or readings_at(layer, time)):
            if (b := numbers.get(name)) is not None and b < len(basis):
                found[b] = pose.position, basis[b] if pose.basis is None else pose.basis
        return found

    # Bodies that are driven

    def drive(self, name: str, may_ask: bool = True) -> None:
        """Let the pose drive a body; may_ask: whether rows that are in no file yet are saved first."""
        layer = self._data.layer
        if layer is None or name not in self._bodies():
            return
        self._row.error.show_text("")
        try:
            if may_ask and self._data.path is None and self._camera.live.is_laid:
                self._save_first(name, layer)
            else:
                self._drive(name, layer)
        except InputError as error:
            self._row.error.show_text("\n".join(map(translate_problem, error.problems)))

    def _save_first(self, name: str, layer: MeasuredLayer) -> None:
        """Ask for a file; the body is driven once the rows are in it. Raises InputError while more rows come."""
        if self._camera.link.is_watching:
            raise InputError.of(layer.data.source, Message("is still being watched"), Message("press Stop first"))
        self._wait_for(name if self._camera.ask_save() else "")

    def _drive(self, name: str, layer: MeasuredLayer) -> None:
        """Let the table drive a body. Raises InputError."""
        scene, path = self._session.document.scene, self._data.path
        if path is None:
            rule = Message("the rows are not saved in a file yet")
            raise InputError.of(layer.data.source, rule, Message("save them, and open that table"))
        how, file = self._data.reading_of(path), in_folder(path, scene.folder)
        place = "body", self._bodies().index(name)
        made = driven_by_pose(scene, place, file, layer, how.table or "", how.times)
        self._session.edit(made, restart=True)

    def _wait_for(self, name: str) -> None:
        self._waiting = name

    def _on_saved(self, _path: Path) -> None:
        name, self._waiting = self._waiting, ""
        if name:
            self.drive(name, may_ask=False)

    # Drops

    def _watch(self, target: QWidget) -> None:
        target.installEventFilter(self)
        self._targets.append(target)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the drag of a pose over the view and the tree; leave all others to them."""
        if event.type() not in DRAGS or not isinstance(event, QDropEvent):
            return False
        if not event.mimeData().hasFormat(POSE):
            if watched is self._context.view:  # the window may take them
                event.ignore()
                return True
            return False
        name = self._name_at(watched, event.position())
        event.setAccepted(event.type() == QEvent.Type.DragEnter or bool(name))
        if event.type() == QEvent.Type.Drop and name:
            event.acceptProposedAction()
            assert isinstance(watched, QWidget)
            self._offer(name, watched.mapToGlobal(event.position().toPoint()))
        return True

    def _name_at(self, target: QObject, where: QPointF) -> str:
        """Name of the item at a position of the view or of the tree that can have the pose; "" for none."""
        if target is self._context.view:
            stage, frame = self._context.scene_view.stage, self._session.frame
            if stage is None or frame is None:
                return ""
            seen = Picker(stage).see(self._context.view.ray_at(where), frame.snapshot)
            name = seen.name if seen is not None else ""
        else:
            name = self._name_in_tree(where.toPoint())
        return name if name in self._names() else ""

    def _name_in_tree(self, where: QPoint) -> str:
        item = self._tree.itemAt(where) if self._tree is not None else None
        path: Sequence[object] = item.data(0, PATH_ROLE) if item is not None else ()
        if not path or path[0] not in ("body", "particle") or len(path) < 2 or not isinstance(path[1], int):
            return ""
        items = getattr(self._session.document.scene, str(path[0]))
        return items[path[1]].name if path[1] < len(items) else ""

    def _offer(self, name: str, where: QPoint) -> None:
        """Ask what the pose shall do with the item that it was dropped on."""
        menu = QMenu(self._row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._row.fill(menu, name)
        menu.popup(where)
