"""The placing tool: new items are drawn in the view by a drag, from the middle outwards or from end to end."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from polhode.physics.points.description import BodyPoint
from polhode.scene.fields import FieldPath, at, with_value
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.add_menu import AddEntry, with_addition
from polhode_app.edit.field_numbers import by_hand
from polhode_app.edit.joining import COARSE, SpringEnd, with_spring, with_string
from polhode_app.edit.part_defaults import Placement, neat, round_to
from polhode_app.edit.parts import path_of, shifted
from polhode_app.edit.placing import beside, lifted
from polhode_app.interactors.context import ToolContext
from polhode_app.interactors.joint_tool import Edit
from polhode_app.viewport.base.camera import height_at
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.picking.bounding_boxes import end_at
from polhode_app.viewport.picking.extents import Extent, boxes_of, extent_of
from polhode_app.viewport.picking.picking import Picked, Picker, Ray
from polhode_app.viewport.picking.placing_preview import PlacingPreview
from polhode_app.viewport.things.walls import is_endless
from polhode_app.viewport.widget import CLICK

OF_SCENE = 0.3  # size of the first item that is placed by a click, relative to the radius of the scene
WIDEST = 0.5  # largest size of an item that is placed by a click, relative to the height of the picture there
SMALLEST = 0.02  # the same of one that is drawn by a drag
BEHIND = 1.5  # depth up to which the pointer is on the floor, relative to that of the centre of the view
STEEP = 0.9  # vertical component of the line of sight above which items are drawn in a horizontal plane
FOOT = 0.25  # radius of the ring on the ground below an item, relative to its size


class PlacingTool(QObject):
    """Adds the item of an entry of the Add menu where the user draws it.

    The pointer is at the item under it, or on the floor that is seen there, else in the vertical plane through the
    centre of the view. What would overlap other items, walls or the ground is raised above them. A click adds an item
    of a size that suits the others; Esc or the right button ends the tool.
    """

    changed = Signal()  # the entry has changed
    added = Signal()  # an item was added

    def __init__(self, context: ToolContext, edit: Edit):
        """`edit` applies a change to the scene, and says so where it is refused."""
        super().__init__(context.view)
        self._session, self._view, self._scene_view = context.session, context.view, context.scene_view
        self._edit = edit
        self._preview = PlacingPreview(context.view.plotter.renderer)
        self.entry: AddEntry | None = None
        self._sample: tuple[Placement, Extent] | None = None  # an item of the default size
        self._press: tuple[QPointF, np.ndarray, Picked | None] | None = None
        self._from: SpringEnd | None = None  # first end of a spring, fixed in the item that was picked by the press
        self._view.grasps.insert(0, self.mouse)

    def begin(self, entry: AddEntry) -> None:
        """Wait for a drag that draws the item of an entry."""
        self.entry, self._sample, self._press = entry, None, None
        self._view.surface.setCursor(Qt.CursorShape.CrossCursor)
        self.changed.emit()

    def click(self, position: QPointF) -> None:
        """Add the item at a position of the view, in a size that suits the view."""
        self._begin_drag(position)
        self._finish(position)

    def end(self) -> None:
        """Wait for nothing."""
        if self.entry is not None:
            self.entry, self._press = None, None
            self._preview.hide()
            self._view.show_hand(False)
            self._view.redraw()
            self._session.hold(self, False)
            self.changed.emit()

    def hint(self) -> str:
        """Instruction for the mouse."""
        drag = self.entry.drag if self.entry is not None else ""
        if drag == "ends":
            return self.tr("Drag from one thing to the other, or to an empty place. Esc ends this.")
        if drag == "axis":
            return self.tr("Drag from the south pole to the north pole, or click. Esc ends this.")
        return self.tr("Drag its size in the view, or click. Return puts it on free ground, Esc ends this.")

    # Places

    @property
    def _shown_pose(self) -> tuple[Stage, Snapshot] | None:
        """Stage and snapshot that are drawn, or None while they are older than the edited scene."""
        stage, frame = self._scene_view.stage, self._session.frame
        if stage is None or stage.generation != self._session.newest.generation:
            return None
        return stage, frame.snapshot if frame is not None else stage.start

    def _point_at(self, position: QPointF) -> tuple[np.ndarray, Picked | None]:
        """(3,) [m] point under a position of the view, and the item there."""
        ray, now = self._view.ray_at(position), self._shown_pose
        picked = Picker(now[0]).see(ray, now[1]) if now is not None else None
        middle = np.array(self._view.plotter.renderer.GetActiveCamera().GetFocalPoint())
        if picked is not None:  # it may have fallen below the ground that is drawn
            return on_upright_plane(ray, picked.at), picked
        if (on_floor := floor_point(self._session.scene, ray, middle)) is not None:
            return on_floor, None
        point = on_upright_plane(ray, middle)
        ground = now[0].ground if now is not None else 0.0
        if point[2] < ground and ray.direction[2] < -1e-6:
            point = ray.origin + (ground - ray.origin[2]) / ray.direction[2] * ray.direction
        return point, None

    def _height_of_view(self, position: np.ndarray) -> float:
        """Height [m] of the picture at a position (3,) [m]."""
        return height_at(self._view.plotter.renderer.GetActiveCamera(), position)

    def _usual_size(self, at: np.ndarray) -> float:
        """Longest edge [m] of an item that a click adds at a position (3,) [m]: as of the others, whatever the camera.

        It is smaller only where such an item would fill the picture.
        """
        now = self._shown_pose
        assert now is not None
        edges = np.ptp(boxes_of(*now), axis=1).max(axis=1)
        size = float(np.median(edges)) if len(edges) else OF_SCENE * now[0].radius
        return neat(min(size, WIDEST * self._height_of_view(at)))

    def _sampled(self, stage: Stage, size: float) -> tuple[Placement, Extent]:
        """An item of a size [m] at the origin: its placement and extent. Raises InputError."""
        assert self.entry is not None
        spot = Placement(size, (0.0, 0.0, 0.0), 0.0)
        scene, path = with_addition(self._session.scene, self.entry, spot, None)
        extent = extent_of(scene, path, stage)
        assert extent is not None
        return spot, extent

    # Mouse

    def mouse(self, event: QMouseEvent) -> bool:
        """Handle a mouse event; True if it was consumed."""
        kind, button = event.type(), event.button()
        if self.entry is None:
            return False
        if kind == QEvent.Type.MouseButtonPress and button == Qt.MouseButton.RightButton:
            self.end()
            return True
        if kind == QEvent.Type.MouseButtonPress and button == Qt.MouseButton.LeftButton:
            self._begin_drag(event.position())
            return True
        if kind == QEvent.Type.MouseMove and (self._press is not None or not event.buttons()):
            self._draw(event.position())
            return True
        if kind == QEvent.Type.MouseButtonRelease and button == Qt.MouseButton.LeftButton and self._press is not None:
            self._finish(event.position())
            return True
        return False

    def _begin_drag(self, position: QPointF) -> None:
        """Press at a position of the view: from now on the run waits until the drawn item is compiled."""
        self._session.hold(self, True)
        point, picked = self._point_at(position)
        self._press, now = (position, point, picked), self._shown_pose
        self._from = self._end(now, point, picked) if now is not None else None

    def _drag(self, position: QPointF) -> tuple[np.ndarray, np.ndarray, Picked | None, bool]:
        """Start (3,) [m] of a drag to a position, its end (3,) [m], the item at its start, and whether it is a drag."""
        if self._press is None:
            point, picked = self._point_at(position)
            return point, point, picked, False
        pressed, start, picked = self._press
        far = (position - pressed).manhattanLength() >= CLICK
        return start, on_upright_plane(self._view.ray_at(position), start), picked, far

    def _draw(self, position: QPointF) -> None:
        """Preview the item that a release at a position of the view would add."""
        now = self._shown_pose
        assert self.entry is not None
        self._view.redraw()
        if now is None:
            self._preview.hide()
            return
        start, end, _, far = self._drag(position)
        if self.entry.drag == "ends" or (self.entry.drag == "axis" and far):
            self._preview.draw_line(start, end)
            return
        try:
            self._sample = self._sample or self._sampled(now[0], self._usual_size(start))
        except InputError:
            return
        _, extent = self._sample
        factor = self._size(start, end, far) / extent.size
        box = start + factor * (extent.box - extent.middle)
        middle = start + lifted(box, boxes_of(*now, whole=False), self._session.scene, now[0].ground)
        self._preview.draw_item(extent.surface, extent.middle, middle, factor)
        low = middle + [0.0, 0.0, factor * (extent.box[0, 2] - extent.middle[2])]
        self._preview.draw_foot(low, now[0].ground, FOOT * factor * extent.size)

    def _size(self, start: np.ndarray, end: np.ndarray, far: bool) -> float:
        """Longest edge [m] of the item that a drag draws."""
        height = self._height_of_view(start)
        return max(2 * float(np.linalg.norm(end - start)), SMALLEST * height) if far else self._usual_size(start)

    def _finish(self, position: QPointF) -> None:
        """Add the item that was drawn, and end the tool."""
        now, entry = self._shown_pose, self.entry
        start, end, picked, far = self._drag(position)
        if now is None or entry is None:
            return
        if entry.drag == "ends" and far:
            _, other = self._point_at(position)
            ends = self._from or self._end(now, start, picked), self._end(now, end, other)
            if entry.key == "spring":
                self._edit(lambda scene: self._spring(scene, now, ends, (picked, other)))
            else:
                self._edit(lambda scene: self._string(scene, now, ends), restart=now[1].time > 0.0)
        elif entry.drag == "ends":
            chosen = path_of(self._session.scene, picked.name) if picked is not None else None
            self._edit(lambda scene: with_addition(scene, entry, Placement(self._size(start, end, False)), chosen))
        else:
            axis = end - start if entry.drag == "axis" and far else None
            size = self._size(start, end, far)
            self._edit(
                lambda scene: self._item(scene, now, size, (start + end) / 2 if axis is not None else start, axis)
            )
        self.end()
        self.added.emit()

    # Items

    def _item(
        self, scene: Scene, now: tuple[Stage, Snapshot], size: float, middle: np.ndarray, axis: np.ndarray | None
    ) -> tuple[Scene, FieldPath]:
        """The scene with an item whose longest edge has a size [m], about a position (3,) [m]; and its path.

        axis: (3,) [m] from its south to its north pole, of a magnet. Raises InputError.
        """
        assert self.entry is not None
        stage, snapshot = now
        along = tuple(round_to(float(number)) for number in axis) if axis is not None else None
        spot, extent = self._sampled(stage, size)
        if axis is None:  # the size of an item is not its longest edge
            spot = Placement(round_to(spot.size * size / extent.size))
        made, path = with_addition(scene, self.entry, Placement(spot.size, axis=along), None)  # type: ignore[arg-type]
        found = extent_of(made, path, stage)
        assert found is not None
        shift = middle - found.middle
        shift += lifted(found.swept + shift, boxes_of(stage, snapshot, whole=False), scene, stage.ground)
        return with_value(made, path, shifted(at(made, path), np.array(by_hand(shift, found.size, COARSE)))), path

    def add_on_free_ground(self, scene: Scene, entry: AddEntry, spot: Placement) -> tuple[Scene, FieldPath]:
        """The scene with an item of an entry at the free spot next to a placement, and its path. Raises InputError."""
        made, path = with_addition(scene, entry, spot, self._session.selection)
        stage, frame = self._scene_view.stage, self._session.frame
        if entry.drag not in ("size", "axis") or len(path) > 2 or stage is None:
            return made, path
        extent = extent_of(made, path, stage)
        if extent is None:
            return made, path
        current = frame is not None and stage.generation == self._session.document.generation
        others = boxes_of(stage, frame.snapshot if current and frame is not None else stage.start)
        shift = np.array(by_hand(beside(extent.swept, others, scene, spot.ground), extent.size, COARSE))
        return with_value(made, path, shifted(at(made, path), shift)), path

    def _spring(
        self,
        scene: Scene,
        now: tuple[Stage, Snapshot],
        ends: tuple[SpringEnd, SpringEnd],
        things: tuple[Picked | None, Picked | None],
    ) -> tuple[Scene, FieldPath]:
        """The scene with a spring between two ends, at which `things` were picked; and its path."""
        positions = [end_at(*now, each) for each in ends]
        length = float(np.linalg.norm(positions[0] - positions[1]))  # type: ignore[operator]
        masses = [self._masses(now[0].scene, picked) for picked in things if picked is not None]
        masses = [each for each in masses if np.isfinite(each[0])]
        whole, lightest = map(min, zip(*masses, strict=True)) if masses else (1.0, 1.0)
        return with_spring(scene, ends, length, whole, lightest)

    def _string(
        self, scene: Scene, now: tuple[Stage, Snapshot], ends: tuple[SpringEnd, SpringEnd]
    ) -> tuple[Scene, FieldPath]:
        """The scene with a string between two ends, which starts at the state that is drawn; and its path."""
        compiled = self._session.compiled
        positions = [end_at(*now, each) for each in ends]
        if now[1].time > 0.0 and compiled is not None:
            # the first frame does not wait for the compiler
            from polhode.simulation.scene_from_snapshot import scene_from_snapshot  # noqa: PLC0415

            scene, _notes = scene_from_snapshot(compiled, now[1])
        return with_string(scene, ends, float(np.linalg.norm(positions[0] - positions[1])))  # type: ignore[operator]

    def _end(self, now: tuple[Stage, Snapshot], position: np.ndarray, picked: Picked | None) -> SpringEnd:
        """End of a spring at the picked item: the centre of a ball, the hit point of other bodies."""
        stage, snapshot = now
        if picked is None:
            x, y, z = (round_to(float(number)) for number in position)
            return x, y, z
        if picked.body is None or [shape.kind for shape in stage.scene.bodies[picked.body].shape] == ["sphere"]:
            return picked.name
        basis, origin = snapshot.bodies.basis[picked.body], snapshot.bodies.position[picked.body]
        point = by_hand(basis @ (picked.at - origin), stage.solids[picked.body].reach, COARSE)
        return BodyPoint(body=picked.name, point=point)

    def _masses(self, scene: Scene, picked: Picked) -> tuple[float, float]:
        """Mass [kg] of an item, and of the part that a spring at it moves; infinite for items that do not move."""
        compiled = self._session.compiled
        if picked.body is not None:
            moves = scene.bodies[picked.body].support not in ("fixed", "driven")
            mass = compiled.properties[picked.body].mass if compiled is not None and moves else np.inf
            return float(mass), float(mass) / 3
        part = at(scene, path_of(scene, picked.name) or ())
        if (mass := getattr(part, "particle_mass", None)) is None:
            return (np.inf, np.inf) if part.fixed else (part.mass, part.mass)
        where = self._scene_view.stage.where[part.name] if self._scene_view.stage is not None else slice(0, 1)
        return mass * (where.stop - where.start), mass


def floor_point(scene: Scene, ray: Ray, middle: np.ndarray) -> np.ndarray | None:
    """(3,) [m] where a ray meets the highest floor at rest below it, not far behind the `middle` (3,) [m] of the view.

    None without such a floor, and nearer to the horizon.
    """
    heights = [wall.point[2] for wall in scene.wall if is_endless(wall) and wall.point[2] < ray.origin[2]]
    if not heights or ray.direction[2] > -1e-6:
        return None
    depth = (max(heights) - ray.origin[2]) / ray.direction[2]
    before = ray.pixel / ray.spread if ray.spread > 0 else 0.0  # depth of its origin, which is on the near plane
    near = before + depth * float(ray.direction @ ray.ahead) < BEHIND * (
        before + float((middle - ray.origin) @ ray.ahead)
    )
    return np.asarray(ray.origin + depth * ray.direction) if near else None


def on_upright_plane(ray: Ray, through: np.ndarray) -> np.ndarray:
    """(3,) [m] where a ray meets the vertical plane through a position (3,) [m] that faces the camera.

    Seen from far above it is the horizontal plane.
    """
    normal = np.array([0.0, 0.0, 1.0]) if abs(ray.ahead[2]) > STEEP else ray.ahead * [1.0, 1.0, 0.0]
    depth = float((through - ray.origin) @ normal) / float(ray.direction @ normal)
    return np.asarray(ray.origin + depth * ray.direction)
