"""Selection in the view: picking by click, an outline, and handles that translate and rotate the selected item."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from polhode.mesh.circles import circle_of_click
from polhode.scene.fields import FieldPath, at
from polhode.scene.problem import InputError
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.field_numbers import by_hand
from polhode_app.edit.joint_handles import DraggedJoint
from polhode_app.edit.parts import found_again, path_of
from polhode_app.edit.transform import DraggedPart
from polhode_app.i18n.translation import translate_problem
from polhode_app.interactors.context import ToolContext
from polhode_app.messages import FrameData
from polhode_app.viewport.base.camera import height_at
from polhode_app.viewport.base.solid import circles_of_solid
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.picking.bounding_boxes import Box, box_of, end_at, numbers_of
from polhode_app.viewport.picking.pick_springs_walls import other_at
from polhode_app.viewport.picking.picking import Picker
from polhode_app.viewport.picking.selection_gizmo import REACH, GizmoHandles, HandleShape, handles_around
from polhode_app.viewport.picking.selection_outline import SelectionOutline
from polhode_app.viewport.things.skins import SkinView

CLICK_TOLERANCE = 14.0  # [pixel] tolerance of a click on a handle, beside which a drag would turn the camera
BodyPlace = tuple[int, np.ndarray, np.ndarray | None]
"""Number of a body, a point (3,) [m] of its frame, and an axis (3,) there."""
EDGE_ON = 0.15  # sine of the angle between ray and plane of a ring below which it counts as seen edge-on


class SelectionTool(QObject):
    """Draws the selection of the session and edits it by mouse.

    A click selects an item. Arrows and rings at the item translate and rotate it while the simulation runs; each drag
    is an edit that is undone in one step.
    """

    context_menu_requested = Signal(QPoint)  # a context menu was requested at this position of the screen

    def __init__(self, context: ToolContext):
        session, view, action_table = context.session, context.view, context.actions
        super().__init__(view)
        self._session, self._view, self._scene_view, self._status = session, view, context.scene_view, context.status
        renderer = view.plotter.renderer
        skins = next(each for each in self._scene_view.views.values() if isinstance(each, SkinView))
        self._outline, self._handles = SelectionOutline(renderer, skins), GizmoHandles(renderer)
        self._handles_action = action_table["handles"]
        self._dragged: DraggedPart | DraggedJoint | None = None
        self._active_handle: tuple[str, int] | None = None
        self._held: HandleShape | None = None  # handles at the start of the drag
        self._press_coordinate: np.ndarray | float = 0.0  # [m] or [rad] along the handle, at the start of the drag
        self._stroke: object = None
        self._drawn_frame: tuple[object, object] = None, None  # snapshot and stage of the last frame
        self._frame: FrameData | None = None  # that is drawn; the session may have a newer one
        self._drawn_state: tuple[object, ...] = ()
        self._box_is_drawn = False
        self._is_left_out = False
        self.asked_at: BodyPlace | None = None  # where the context menu was requested
        view.grasps.insert(0, self.mouse)
        view.clicked.connect(self._pick)
        view.asked.connect(self._request_context_menu)
        session.selected.connect(lambda _path: self._view.redraw())

    def show_handles(self, on: bool) -> None:
        """Show or hide the handles in the next frame."""
        self._view.redraw()

    @property
    def dragging(self) -> bool:
        """Whether a handle is being dragged."""
        return self._dragged is not None

    # Geometry of the selection

    def box(self) -> Box | None:
        """Bounding box of the selection in the current frame.

        None if nothing is selected, or while the scene that is drawn is older than the edited one.
        """
        stage, now = self._scene_view.stage, self._snapshot()
        if stage is None or now is None or stage.generation != self._session.document.generation:
            return None
        return box_of(stage, now, self._path_in(stage))

    def _path_in(self, stage: Stage) -> FieldPath | None:
        """Path of the selection in the scene that is drawn, which may be older than the newest edit."""
        path, newest = self._session.selection, self._session.newest
        known = path is None or stage.generation == newest.generation
        return path if known else found_again(newest.scene, path, stage.scene)

    def _snapshot(self) -> Snapshot | None:
        """Snapshot that is drawn, or the initial one before the first frame."""
        frame, stage = self._frame, self._scene_view.stage
        if frame is None or frame.generation != self._session.document.generation:
            frame = self._session.frame
        return frame.snapshot if frame is not None else stage.start if stage is not None else None

    def tick(self, drawn: FrameData | None = None) -> bool:
        """Update box and handles; True if the view has changed.

        Called once per frame, after it was `drawn`. Nothing is computed unless the frame, the camera or the selection
        has changed.
        """
        self._frame = drawn
        path, camera = self._session.selection, self._view.plotter.renderer.GetActiveCamera()
        path = None if self._is_left_out else path
        if path is None and not self._box_is_drawn:
            return False
        frame = self._snapshot(), self._scene_view.stage
        state = path, camera.GetMTime(), self._handles_action.isChecked(), self._active_handle
        if state == self._drawn_state and all(
            one is other for one, other in zip(frame, self._drawn_frame, strict=True)
        ):
            return False
        self._drawn_frame, self._drawn_state, self._box_is_drawn = frame, state, path is not None
        box = self.box() if path is not None else None
        stage, now = self._scene_view.stage, self._snapshot()
        seen = self._path_in(stage) if stage is not None and path is not None else None
        self._outline.draw(stage, now, seen, box)
        dragged = self.draggable(box)
        if dragged is None or not self._handles_action.isChecked():
            self._handles.draw(None, (), None)
        else:
            self._handles.draw(self.shape_of(dragged, box), dragged.handle_kinds, self._active_handle)
        return True

    def leave_out(self, on: bool) -> None:
        """Draw neither the outline nor the handles of the selection, or draw them again: pictures have the scene alone.

        Handles that are not drawn can't be dragged.
        """
        self._is_left_out = on
        self.tick(self._frame)
        self._view.redraw()

    @contextmanager
    def undrawn(self) -> Iterator[None]:
        """Context in which the selection is left out."""
        before = self._is_left_out
        self.leave_out(True)
        try:
            yield
        finally:
            self.leave_out(before)

    def shape_of(self, dragged: DraggedPart | DraggedJoint, box: Box | None) -> HandleShape:
        """Handles about an item with a bounding box, outside of it; during a drag they keep their size.

        Their size corresponds to REACH pixels on the screen, whatever the distance and projection of the camera.
        """
        if self._held is not None:
            return self._held.moved(dragged.middle)
        height = height_at(self._view.plotter.renderer.GetActiveCamera(), dragged.middle)
        corners = box.corners if box is not None else dragged.middle[None]
        return handles_around(dragged.middle, corners, height, REACH / max(self._view.surface.height(), 1))

    def draggable(self, box: Box | None) -> DraggedPart | DraggedJoint | None:
        """The selected item with the kinds of handles it offers; None if it has no handles.

        Positions and axes are those of the current frame, in the laboratory frame. During a drag the result serves for
        drawing only: edits remain relative to the state at the press.
        """
        path, scene = self._session.selection, self._session.scene
        stage, now = self._scene_view.stage, self._snapshot()
        if self._dragged is not None:
            return self._moved_draggable(box)
        drawn = self._path_in(stage) if stage is not None else None
        if path is None or drawn is None or len(path) < 2 or box is None or stage is None or now is None:
            return None
        if path[0] == "joint":
            names = [body.name for body in stage.scene.bodies]
            first = at(stage.scene, drawn).first  # of a gear the name of a hinge
            basis = now.bodies.basis[names.index(first)] if first in names else np.eye(3)
            joint = DraggedJoint(scene, path, box.center, basis, stage.radius)
            return joint if joint.handle_kinds else None
        part, frame, position, turn, middle = at(stage.scene, drawn), np.eye(3), None, np.eye(3), box.center
        if path[0] in ("body", "sphere") and len(numbers := numbers_of(stage.scene, drawn)) == 1:
            number = numbers[0]
            basis, origin = now.bodies.basis[number], now.bodies.position[number]
            if len(path) == 2:
                position, turn, middle = origin, basis.T, origin
            else:
                frame, middle = basis, origin + np.array(part.position) @ basis
        elif path[0] == "particle":
            position = now.points.position[stage.where[part.name]][0]
        elif path[0] == "spring":
            end = next((each for each in (part.from_, part.to) if isinstance(each, tuple)), None)
            middle = end_at(stage, now, end) if end is not None else middle
        if hasattr(part, "orientation") and not (len(path) == 2 and path[0] == "body"):
            turn = part.orientation.matrix()
        dragged = DraggedPart(scene, path, middle, frame, position, turn, stage.radius)
        return dragged if dragged.handle_kinds else None

    def _moved_draggable(self, box: Box | None) -> DraggedPart | DraggedJoint | None:
        """The dragged item with handles at its current position."""
        dragged, self._dragged = self._dragged, None
        now = self.draggable(box)
        self._dragged = dragged
        return now or dragged

    # User actions

    def fit(self) -> None:
        """Fit the camera to the selection."""
        box = self.box()
        if box is None:
            self._status.showMessage(self.tr("Nothing is selected that could be framed"), 3000)
            return
        self._view.glide(lambda: self._scene_view.look_at(box.corners))

    def _request_context_menu(self, pixel: QPointF) -> None:
        """Select the item at a position of the view and request its context menu."""
        self.asked_at = self.body_at(pixel)  # before a selection opens the inspector, which moves the picture
        self._pick(pixel)
        self.context_menu_requested.emit(self._view.surface.mapToGlobal(pixel).toPoint())

    def _pick(self, pixel: QPointF) -> None:
        """Select the item at a position of the view."""
        stage, now = self._scene_view.stage, self._snapshot()
        if stage is None or now is None or self._dragged is not None:
            return
        ray = self._view.ray_at(pixel)
        picked = Picker(stage).see(ray, now)
        self._session.select(path_of(stage.scene, picked.name) if picked is not None else other_at(stage, now, ray))

    def body_at(self, pixel: QPointF) -> BodyPlace | None:
        """The item of `body` at a position of the view, the point (3,) [m] of its frame there, and an axis (3,).

        At a circle of a mesh, and where one looks through a hole, they are its centre and axis; elsewhere the axis is
        None.
        """
        stage, now, ray = self._scene_view.stage, self._snapshot(), self._view.ray_at(pixel)
        if stage is None or now is None:
            return None
        picked, solids = Picker(stage).see(ray, now), stage.solids[: len(stage.scene.body)]
        for number in range(len(solids)) if picked is None else [picked.body]:
            if number is None or number >= len(solids):  # a point, a sphere or a bead
                continue
            basis, origin = now.bodies.basis[number], now.bodies.position[number]
            point = None if picked is None else basis @ (picked.at - origin)
            circles, eye = circles_of_solid(solids[number]), basis @ (ray.origin - origin)
            found = circle_of_click(circles, point, eye, basis @ ray.direction)
            if found is not None:
                return number, found.center, found.axis
            if point is not None:
                return number, np.array(by_hand(point, solids[number].reach)), None
        return None

    def mouse(self, event: QMouseEvent) -> bool:
        """Handle a mouse event; True if it was consumed."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and self._dragged is None:
            return self._begin_drag(event)
        if self._dragged is None:
            return False
        if kind == QEvent.Type.MouseMove:
            self._on_dragged(event)
        elif kind == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
            self._dragged = self._active_handle = self._held = self._stroke = None
            self._view.show_hand(False)
            self._status.clearMessage()
            self._view.redraw()
        return True

    def _begin_drag(self, event: QMouseEvent) -> bool:
        """Start a drag if a handle is under the pointer."""
        has_handles = self._handles_action.isChecked() and not self._is_left_out
        if event.button() != Qt.MouseButton.LeftButton or event.modifiers() or not has_handles:
            return False
        box = self.box()
        if (dragged := self.draggable(box)) is None:
            return False
        shape = self.shape_of(dragged, box)
        if (handle := self._handle_at(event.position(), dragged, shape)) is None:
            return False
        self._dragged, self._active_handle, self._held, self._stroke = dragged, handle, shape, object()
        self._press_coordinate = self._pointer_coordinate(event.position())
        self._view.show_hand(True)
        self._view.redraw()
        return True

    def _handle_at(
        self, where: QPointF, dragged: DraggedPart | DraggedJoint, shape: HandleShape
    ) -> tuple[str, int] | None:
        """Kind and axis of the handle at a position of the view, the nearest one; None if there is none."""
        ray, found, nearest = self._view.ray_at(where), None, CLICK_TOLERANCE
        for kind in dragged.handle_kinds:
            for axis in range(3):
                if kind == "move":
                    points = shape.on_arrow(axis, np.linspace(0.0, 1.0, 24))
                else:
                    points = shape.on_ring(axis, np.linspace(0.0, 2 * np.pi, 180))
                away = points - ray.origin
                depth = away @ ray.direction
                miss = np.linalg.norm(away - depth[:, None] * ray.direction, axis=1)
                pixels = float((miss / (ray.pixel + ray.spread * depth)).min())
                if pixels < nearest:
                    found, nearest = (kind, axis), pixels
        return found

    def _pointer_coordinate(self, where: QPointF) -> float:
        """Position of the pointer along the dragged arrow [m] or ring [rad]."""
        assert self._dragged is not None
        assert self._active_handle is not None
        assert self._held is not None
        ray, (kind, axis), middle = self._view.ray_at(where), self._active_handle, self._dragged.middle
        direction = np.eye(3)[axis]
        away = middle - ray.origin
        if kind == "move":  # the point of the axis nearest to the ray
            across = float(direction @ ray.direction)
            return float((across * (away @ ray.direction) - away @ direction) / max(1 - across**2, 1e-6))
        facing = float(ray.direction @ direction)
        if abs(facing) < EDGE_ON:  # seen edge-on: the distance along the ring is the angle
            side = np.cross(direction, ray.ahead)
            return float((ray.on_plane(middle) - middle) @ side / (np.linalg.norm(side) * self._held.rings[axis]))
        hit = ray.origin + (away @ direction) / facing * ray.direction - middle
        return float(np.arctan2(hit[(axis + 2) % 3], hit[(axis + 1) % 3]))

    def _on_dragged(self, event: QMouseEvent) -> None:
        """Edit the scene according to the pointer; edits of one drag are undone together."""
        assert self._dragged is not None
        assert self._active_handle is not None
        kind, axis = self._active_handle
        distance = self._pointer_coordinate(event.position()) - self._press_coordinate
        try:
            if kind == "move":
                scene = self._dragged.moved(distance * np.eye(3)[axis])
                text = f"{'xyz'[axis]} {distance:+.4g} m"
            else:
                scene = self._dragged.turned(_rotation(axis, float(distance)))
                text = f"{'xyz'[axis]} {np.degrees((distance + np.pi) % (2 * np.pi) - np.pi):+.1f}°"
        except InputError as error:
            self._status.showMessage(translate_problem(error.problems[0]))
            return
        self._status.showMessage(text)
        self._session.edit(scene, self._stroke)


def _rotation(axis: int, angle: float) -> np.ndarray:
    """(3, 3) rotation by an angle [rad] about an axis of the laboratory frame."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[j, j] = turn[k, k] = np.cos(angle)
    turn[k, j], turn[j, k] = np.sin(angle), -np.sin(angle)
    return turn
