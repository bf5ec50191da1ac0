"""Grab tool: mouse interaction with bodies and points of the running simulation."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QCursor, QKeyEvent, QMouseEvent

from polhode.physics.grab.interactions import Carry, Grab, Interaction, PullAll, PullBody, PullPoint, Twist
from polhode.scene.quantity import Vector
from polhode_app.i18n.field_names import named
from polhode_app.interactors.context import ToolContext
from polhode_app.messages import EndInteraction, Interact
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.picking.picking import Picked, Picker, Ray
from polhode_app.viewport.widget import CLICK

VELOCITY_WINDOW = 0.06  # [s] time over which the velocity of the pointer is averaged
RADIANS_PER_PIXEL = 0.012  # [rad/pixel] angle of a twist
SLOWEST_PACE = 0.05  # of the target speed: bounds the velocity of grabbed points in a run that is much too slow

GrabMode = Literal["grab", "pull", "twist", "all"]


class PointerTrack:
    """Recent positions of the pointer, from which its velocity is computed."""

    def __init__(self) -> None:
        self._positions: deque[tuple[float, np.ndarray]] = deque()

    def add(self, now: float, position: np.ndarray) -> None:
        """Add a position (3,) [m], laboratory frame, at a wall time [s]."""
        self._positions.append((now, position))
        while len(self._positions) > 2 and self._positions[1][0] <= now - VELOCITY_WINDOW:
            self._positions.popleft()

    @property
    def velocity(self) -> np.ndarray:
        """(3,) [m/s] mean velocity over RECENT, laboratory frame; zero for a single position."""
        (before, start), (now, end) = self._positions[0], self._positions[-1]
        return np.asarray((end - start) / (now - before)) if now > before else np.zeros(3)


@dataclass(eq=False)
class _ActiveGrab:
    """State of one interaction, from press to release."""

    mode: GrabMode
    picked: Picked | None
    plane_point: np.ndarray  # (3,) [m] a point of the plane of motion, which is parallel to the picture
    offset: np.ndarray  # (3,) [m] from the pointer to the grabbed point
    press: QPointF  # position of the press in the view
    arm: Vector = (0.0, 0.0, 0.0)  # [m] point of attack, body frame
    track: PointerTrack = field(default_factory=PointerTrack)
    sent: Interaction | None = None  # last interaction sent to the simulation


class GrabTool(QObject):
    """Translates mouse events of the view into interactions with the simulation.

    While the simulation runs, a plain drag at something that moves grabs it; a click does not. With the tool it also
    does so in a pause, and at the press. Ctrl and the left button twist, Ctrl and the right button pull. The
    interaction follows the pointer: `tick` sends it once per frame, with the velocity of the pointer converted to
    simulated time.
    """

    def __init__(self, context: ToolContext):
        super().__init__(context.view)
        self._session, self._view, self._scene_view = context.session, context.view, context.scene_view
        self._attract_action, self._status = context.actions["pull_all"], context.status
        self._grab: _ActiveGrab | None = None
        self._pointer = QPointF()
        self._press: tuple[QPointF, Picked] | None = None  # where a plain drag may begin, and at what
        self._picker: tuple[Stage, Picker] | None = None
        self._tool_is_on = False
        self._view.grasps.append(self.mouse)
        self._session.scene_changed.connect(lambda _document: self._follow_edit())

    @property
    def holding(self) -> bool:
        """Whether an interaction is active."""
        return self._grab is not None

    def set_active(self, on: bool) -> None:
        """Switch the tool on or off.

        While it is on, dragging with the left button grabs and pulls instead of rotating the view.
        """
        self._tool_is_on = self._view.open_hand = on
        self._view.show_hand(self.holding)
        if on:
            self._status.showMessage(
                self.tr("Drag a point to move it or a body to pull it; H turns the grab tool off"), 5000
            )
        elif not self.holding:
            self._status.clearMessage()

    def pull_all(self, on: bool) -> None:
        """Start or stop attracting everything to the pointer."""
        stage = self._scene_view.stage
        if on and self._grab is None and stage is not None and not self._session.lock.is_on:
            self._pointer = QPointF(self._view.surface.mapFromGlobal(QCursor.pos()))
            self._begin(_ActiveGrab("all", None, stage.center, np.zeros(3), self._pointer))
        elif not on and self._grab is not None and self._grab.mode == "all":
            self.release()

    def _follow_edit(self) -> None:
        """Continue after an edit of the world, with the interaction of the new scene; another edit ends it."""
        if self._grab is not None and self._session.diff.is_only("world"):
            self._grab.sent = None
        else:
            self.release()

    def release(self) -> None:
        """End the interaction."""
        self._press = None
        if self._grab is not None:
            self._grab = None
            self._session.send(EndInteraction())
            self._status.clearMessage()
            self._view.show_hand(self.holding)
        self._attract_action.setChecked(False)

    def key_up(self, event: QKeyEvent) -> None:
        """Stop attracting everything when the key P is released."""
        if event.key() == Qt.Key.Key_P and not event.isAutoRepeat():
            self._attract_action.setChecked(False)

    def mouse(self, event: QMouseEvent) -> bool:
        """Handle a mouse event; True if it was consumed, so that the camera does not see it."""
        self._pointer = event.position()
        if self._press is not None:
            return self._continue_press(event)
        if self._session.lock.is_on:  # runs of a lesson repeat: no mouse takes part in them
            return False
        if event.type() == QEvent.Type.MouseButtonPress and self._grab is None:
            return self._on_press(event)
        if self._grab is None or self._grab.mode == "all":
            return False
        if event.type() == QEvent.Type.MouseButtonRelease:
            self.tick()  # sends the final position and velocity
            self.release()
        return True

    def tick(self) -> None:
        """Send the interaction for the current position of the pointer, if it has changed. Called once per frame."""
        grab, frame = self._grab, self._session.frame
        if grab is None or frame is None:
            return
        position = self._ray(self._pointer).on_plane(grab.plane_point) + grab.offset
        grab.track.add(time.perf_counter(), position)
        pace = max(frame.factor, SLOWEST_PACE * self._session.speed) if frame.running else np.inf
        interaction = self._interaction(grab, position, grab.track.velocity / pace)
        if interaction != grab.sent:
            grab.sent = interaction
            self._session.send(Interact(self._session.document.generation, interaction))

    def _on_press(self, event: QMouseEvent) -> bool:
        """Start an interaction if the button, modifiers and picked object allow it, or wait for a drag."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        left = event.button() == Qt.MouseButton.LeftButton
        right = event.button() == Qt.MouseButton.RightButton
        plain, frame = left and not event.modifiers(), self._session.frame
        drags = plain and (self._tool_is_on or (self._session.running and frame is not None and frame.running))
        if not (drags or (control and (left or right))):
            return False
        picked = self._pick()
        if picked is None or frame is None or (control and left and picked.body is None):
            return False
        if drags and not self._tool_is_on:
            self._press = event.position(), picked
        else:
            self._begin_at(picked, "grab" if plain else "twist" if left else "pull")
        return True

    def _continue_press(self, event: QMouseEvent) -> bool:
        """Grab the thing at the press once the pointer has moved; without a move it was a click."""
        assert self._press is not None
        pressed, picked = self._press
        if event.type() == QEvent.Type.MouseMove:
            if (event.position() - pressed).manhattanLength() >= CLICK and self._session.frame is not None:
                self._press, self._pointer = None, pressed
                self._begin_at(picked, "grab")
                self._pointer = event.position()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._press = None
            self._view.clicked.emit(event.position())
        return True

    def _begin_at(self, picked: Picked, mode: GrabMode) -> None:
        """Start an interaction with a picked thing, at the pointer."""
        frame = self._session.frame
        assert frame is not None
        if picked.point is not None:
            middle = frame.snapshot.points.position[picked.point]
            offset = middle - self._ray(self._pointer).on_plane(middle)
            self._begin(_ActiveGrab(mode, picked, middle, offset, self._pointer))
            return
        assert picked.body is not None
        bodies = frame.snapshot.bodies
        arm = _vector(bodies.basis[picked.body] @ (picked.at - bodies.position[picked.body]))
        self._begin(_ActiveGrab(mode, picked, picked.at, np.zeros(3), self._pointer, arm))

    def _begin(self, grab: _ActiveGrab) -> None:
        """Make an interaction the active one."""
        self._grab = grab
        name = grab.picked.name if grab.picked else ""
        texts = {
            "grab": self.tr("Grabbed {name}"),
            "pull": self.tr("Pulling {name}"),
            "twist": self.tr("Twisting {name}"),
            "all": self.tr("Attracting everything"),
        }
        self._status.showMessage(texts[grab.mode].format(name=named(name)))
        self._view.show_hand(self.holding)
        self.tick()

    def _interaction(self, grab: _ActiveGrab, position: np.ndarray, velocity: np.ndarray) -> Interaction:
        """The interaction at a pointer position and velocity (3,) [m], [m/s], laboratory frame."""
        at, picked = _vector(position), grab.picked
        if picked is None:
            return PullAll(at)
        if picked.point is not None:
            return Grab(picked.point, at, _vector(velocity)) if grab.mode == "grab" else PullPoint(picked.point, at)
        assert picked.body is not None
        if grab.mode == "twist":
            return Twist(picked.body, self._rotation_vector(grab))
        is_carried = grab.mode == "grab"
        return (
            Carry(picked.body, grab.arm, at, _vector(velocity)) if is_carried else PullBody(picked.body, grab.arm, at)
        )

    def _rotation_vector(self, grab: _ActiveGrab) -> Vector:
        """(3,) [rad] rotation vector of a twist, laboratory frame.

        Horizontal motion of the pointer rotates about the vertical axis of the picture, vertical motion about the
        horizontal.
        """
        camera = self._view.plotter.renderer.GetActiveCamera()
        up, ahead = np.array(camera.GetViewUp()), np.array(camera.GetDirectionOfProjection())
        right = np.cross(ahead, up)
        up = np.cross(right, ahead)
        drag = self._pointer - grab.press
        return _vector(RADIANS_PER_PIXEL * (drag.x() * up + drag.y() * right) / np.linalg.norm(right))

    def _pick(self) -> Picked | None:
        """The body or point under the pointer."""
        stage, frame = self._scene_view.stage, self._session.frame
        if stage is None or frame is None:
            return None
        if self._picker is None or self._picker[0] is not stage:
            self._picker = stage, Picker(stage)
        return self._picker[1].pick(self._ray(self._pointer), frame.snapshot)

    def _ray(self, at: QPointF) -> Ray:
        """Ray through a position of the view."""
        return self._view.ray_at(at)


def _vector(values: np.ndarray) -> Vector:
    """The components as a tuple of floats."""
    return (float(values[0]), float(values[1]), float(values[2]))
